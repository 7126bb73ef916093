//! `GET /debates`.

use rstest::rstest;
use serde_json::Value;
use tests::{
    client::Client,
    debate::{Debate, text},
    raw_http::percent_encoded,
    request_bodies::{self, with},
    server::Server,
};

use crate::schema_checks;

async fn titled(client: &Client, title: &str) -> Debate {
    Debate::create_with(client, &with(request_bodies::creation(), "title", title)).await
}

async fn list(client: &Client, query: &str) -> (Vec<Value>, u64) {
    let data = client.get(&format!("/debates?{query}")).await.data(200);
    let debates = data["debates"].as_array().expect("a list").clone();
    debates.iter().for_each(schema_checks::is_debate);
    (debates, data["total"].as_u64().expect("a number"))
}

async fn titles(client: &Client, q: &str) -> Vec<String> {
    let (debates, total) = list(client, &format!("q={}", percent_encoded(q))).await;
    assert_eq!(debates.len() as u64, total, "q={q}");
    let mut titles: Vec<String> = debates.iter().map(|debate| text(&debate["title"])).collect();
    titles.sort();
    titles
}

#[tokio::test]
async fn debates_are_sorted_by_their_last_write() {
    let server = Server::start().await;
    let client = server.client();
    assert_eq!(list(&client, "").await, (Vec::new(), 0));
    let mut first = titled(&client, "first").await;
    let second = titled(&client, "second").await;
    let third = titled(&client, "third").await;
    let order = |debates: &[Value]| debates.iter().map(|debate| text(&debate["id"])).collect::<Vec<_>>();
    assert_eq!(order(&list(&client, "").await.0), [&third.id, &second.id, &first.id].map(Clone::clone));
    // The clock may be coarse, so this writes until the times differ.
    for role in ["opponent", "proposer"].into_iter().cycle() {
        first.claim(role).await;
        if first.stored().await["debate"]["updated_at"] != third.stored().await["debate"]["updated_at"] {
            break;
        }
    }
    let (debates, total) = list(&client, "").await;
    assert_eq!((order(&debates), total), (vec![first.id.clone(), third.id, second.id], 3));
    assert_eq!(debates[0], first.stored().await["debate"], "the list and the debate agree");
}

#[tokio::test]
async fn a_page_has_50_entries_by_default() {
    let server = Server::start().await;
    for number in 0..51 {
        titled(&server.client(), &format!("number {number}")).await;
    }
    let (page, total) = list(&server.client(), "").await;
    assert_eq!((page.len(), total), (50, 51));
}

#[rstest]
#[case("limit", "0")]
#[case("limit", "201")]
#[case("limit", "-1")]
#[case("limit", "9223372036854775808")]
#[case("limit", "abc")]
#[case("limit", "2.0")]
#[case("offset", "-1")]
#[case("offset", "18446744073709551616")]
#[case("offset", "abc")]
#[case("state", "OPEN")]
#[case("state", "closed")]
#[case("debate_type", "plan")]
#[case("debate_type", "")]
#[tokio::test]
async fn a_value_out_of_its_range_is_refused_and_never_clamped(#[case] field: &str, #[case] value: &str) {
    let server = Server::shared().await;
    let error = server.client().get(&format!("/debates?{field}={value}")).await.refusal("INVALID_INPUT");
    assert!(error.to_string().contains(field), "{field} is not named: {error}");
}

#[tokio::test]
async fn debate_type_filters_debates_together_with_state() {
    let server = Server::start().await;
    let client = server.client();
    for debate_type in ["coding_plan_debate", "general_debate", "general_debate"] {
        Debate::create_with(&client, &with(request_bodies::creation(), "debate_type", debate_type)).await;
    }
    for (query, found) in [
        ("debate_type=general_debate&limit=1", 2),
        ("debate_type=coding_plan_debate&limit=1", 1),
        ("debate_type=general_debate&state=AWAITING_OPPONENT&limit=1", 2),
        ("debate_type=general_debate&state=CLOSED&limit=1", 0),
    ] {
        let (debates, total) = list(&client, query).await;
        assert_eq!((debates.len() as u64, total), (found.min(1), found), "{query}");
        assert!(debates.iter().all(|debate| query.contains(&text(&debate["debate_type"]))), "{query}");
    }
}

#[tokio::test]
async fn q_finds_a_part_of_the_title_with_letters_in_either_case() {
    let server = Server::start().await;
    let client = server.client();
    for title in ["Retry Budget", "retry loop", "Queue"] {
        titled(&client, title).await;
    }
    assert_eq!(titles(&client, "rEtRy").await, ["Retry Budget", "retry loop"]);
    assert_eq!(titles(&client, "y b").await, ["Retry Budget"]);
    assert_eq!(titles(&client, "nothing").await, [""; 0]);
}

#[tokio::test]
async fn q_matches_letters_of_every_language_in_either_case_however_they_are_composed() {
    let server = Server::start().await;
    let client = server.client();
    for title in ["Đề xuất", "đề xuất", "CAFÉ", "cafe\u{301}", "🚦 Giới hạn"] {
        titled(&client, title).await;
    }
    assert_eq!(titles(&client, "ĐỀ").await, ["Đề xuất", "đề xuất"]);
    assert_eq!(titles(&client, "ề XUẤT").await, ["Đề xuất", "đề xuất"]);
    assert_eq!(titles(&client, "ề Xu").await, ["Đề xuất", "đề xuất"]);
    assert_eq!(titles(&client, "caf").await, ["CAFÉ", "cafe\u{301}"]);
    assert_eq!(titles(&client, "é").await, ["CAFÉ", "cafe\u{301}"], "composed and decomposed are the same");
    assert_eq!(titles(&client, "🚦").await, ["🚦 Giới hạn"]);
}

#[tokio::test]
async fn q_takes_wildcards_quotes_and_backslashes_as_plain_characters() {
    let server = Server::start().await;
    let client = server.client();
    let all = ["100% of it", "1000 of it", "a_b", "aXb", r"a\b", "it's", "[a-c]*?"];
    for title in all {
        titled(&client, title).await;
    }
    for (q, found) in [
        ("0%", "100% of it"),
        ("a_b", "a_b"),
        (r"a\b", r"a\b"),
        ("'", "it's"),
        ("*", "[a-c]*?"),
        ("[a-c]", "[a-c]*?"),
        ("?", "[a-c]*?"),
        ("%", "100% of it"),
        ("_", "a_b"),
        (r"\", r"a\b"),
    ] {
        assert_eq!(titles(&client, q).await, [found], "q={q}");
    }
}

#[tokio::test]
async fn q_finds_a_debate_by_the_beginning_of_its_id() {
    let server = Server::start().await;
    let client = server.client();
    let with_id = |id: &str, title: &str| with(with(request_bodies::creation(), "debate_id", id), "title", title);
    Debate::create_with(&client, &with_id("abcdef01-0000-4000-8000-000000000001", "one")).await;
    Debate::create_with(&client, &with_id("12345678-0000-4000-8000-00abcdef0002", "two")).await;
    assert_eq!(titles(&client, "abcdef").await, ["one"], "a prefix, not a part");
    assert_eq!(titles(&client, "ABCDEF01-0000").await, ["one"]);
    assert_eq!(titles(&client, "12345678-0000-4000-8000-00abcdef0002").await, ["two"]);
    assert_eq!(titles(&client, "-4000-8000-").await, [""; 0], "a prefix, not a part");
    assert_eq!(titles(&client, "%-").await, [""; 0]);
}
