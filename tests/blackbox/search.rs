//! `GET /search`: what was decided and said in all debates.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    client::Client,
    debate::{Debate, text},
    issue_changes::{noted, raise},
    raw_http::percent_encoded,
    request_bodies::{self, with},
    server::Server,
};
use tokio::task::JoinSet;

async fn search(client: &Client, q: &str, more: &str) -> Value {
    client.get(&format!("/search?q={}{more}", percent_encoded(q))).await.data(200)
}

/// A debate in which each kind of text has words of its own.
async fn debate(client: &Client) -> Debate {
    let titled = with(request_bodies::creation(), "title", "Lập lịch SAO LƯU");
    let mut debate = Debate::create_with(client, &with(titled, "motion_content", "Ночные Копии at three.")).await;
    let located = with(raise("low", "Nobody restores"), "location", "docs/Ops.md:12");
    debate.claim_with("opponent", json!([with(located, "note", "Seen in März")])).await;
    debate.intervene().await;
    let ruling = with(request_bodies::decision(), "content", "Ein Probelauf je MONAT genügt.");
    debate.write("ruling", &with(ruling, "issue_changes", json!([noted("uphold", "I1", "Twice a year")]))).await;
    debate
}

#[tokio::test]
async fn each_kind_of_text_is_found_with_its_place_and_what_was_written_before_counts_at_once() {
    let server = Server::start().await;
    let client = server.client();
    let debate = debate(&client).await;
    let history = debate.history().await;
    for (q, kind, seq, issue, shown) in [
        ("probelauf JE monat", "ruling", 4, json!(null), "Ein Probelauf je MONAT genügt."),
        ("OPS.MD:12", "issue", 2, json!("I1"), "Nobody restores\ndocs/Ops.md:12\nSeen in März"),
        ("MÄRZ", "issue", 2, json!("I1"), "Nobody restores\ndocs/Ops.md:12\nSeen in März"),
        ("twice", "issue", 4, json!("I1"), "Twice a year"),
        ("lập LỊCH sao", "title", 1, json!(null), "Lập lịch SAO LƯU"),
    ] {
        let expected = json!({
            "kind": kind, "debate_id": debate.id, "debate_title": "Lập lịch SAO LƯU",
            "debate_state": "AWAITING_PROPOSER", "seq": seq, "issue": issue, "text": shown,
            "created_at": history[seq - 1]["created_at"],
        });
        assert_eq!(search(&client, q, "").await, json!({"hits": [expected], "total": 1, "complete": true}), "{q}");
        assert_eq!(search(&client, q, &format!("&kind={kind}")).await["total"], 1, "{q}");
    }
    assert_eq!(search(&client, "ночные копии", "").await["total"], 0);
    let found = search(&client, "НОЧНЫЕ копии", "&kind=ruling&kind=argument").await;
    assert_eq!((&found["hits"][0]["kind"], &found["hits"][0]["seq"]), (&json!("argument"), &json!(1)));
}

#[tokio::test]
async fn hits_come_newest_first_in_pages_with_their_total() {
    let server = Server::start().await;
    let client = server.client();
    let mut debate = Debate::create(&client).await;
    let long = format!("{} nEEdle {}", "á".repeat(400), "b".repeat(400));
    for _ in 0..3 {
        debate.intervene().await;
        debate.write("ruling", &with(request_bodies::decision(), "content", long.clone())).await;
    }
    let page = search(&client, "NEEDLE", "&limit=2").await;
    assert_eq!(page["total"], 3);
    let seqs = |page: &Value| -> Vec<u64> {
        page["hits"].as_array().unwrap().iter().map(|hit| hit["seq"].as_u64().unwrap()).collect()
    };
    assert_eq!(seqs(&page), [7, 5]);
    assert_eq!(seqs(&search(&client, "needle", "&limit=2&offset=2").await), [3]);
    assert_eq!(search(&client, "needle", "&offset=9").await, json!({"hits": [], "total": 3, "complete": true}));
    let shown = text(&page["hits"][0]["text"]);
    assert!(shown.chars().count() == 300 && shown.contains("nEEdle"), "{shown}");
}

#[rstest]
#[case("", "q")]
#[case("q=", "q")]
#[case("q=a&q=b", "q")]
#[case("q=%00", "q")]
#[case("q=a+b+c+d+e+f+g+h+i", "q")]
#[case("q=a&kind=claim", "kind")]
#[case("q=a&kind=", "kind")]
#[case("q=a&limit=0", "limit")]
#[case("q=a&limit=201", "limit")]
#[case("q=a&offset=-1", "offset")]
#[tokio::test]
async fn other_parameters_are_refused(#[case] query: &str, #[case] field: &str) {
    let server = Server::shared().await;
    let error = server.client().get(&format!("/search?{query}")).await.refusal("INVALID_INPUT");
    assert_eq!(error["field"], field, "{error}");
}

#[tokio::test]
async fn all_words_have_to_be_in_one_text_and_quotation_marks_keep_words_together() {
    let server = Server::start().await;
    let client = server.client();
    debate(&client).await;
    for (q, total) in [
        ("monat probelauf", 1),
        ("monat LỊCH", 0),
        ("\"je monat\" ein", 1),
        ("“Monat je”", 0),
        ("ma\u{308}rz", 1),
        ("\"ops.md:12 seen\"", 1),
        ("!? …", 0),
    ] {
        let found = search(&client, q, "").await;
        assert_eq!((&found["total"], &found["complete"]), (&json!(total), &json!(true)), "{q}");
    }
    for q in ["a".repeat(201), "a".repeat(7_000)] {
        let error = client.get(&format!("/search?q={q}")).await.refusal("INVALID_INPUT");
        assert_eq!(error["field"], "q");
    }
    client.post("/documents", &request_bodies::document("a plan")).await.data_of_any_success();
    let composed = with(request_bodies::document("a plan"), "summary", "U\u{308}ber den Plan");
    client.post("/documents", &composed).await.data_of_any_success();
    for (path, q) in [("/debates", "SAO LƯU"), ("/debates", "sao lu\u{31B}u"), ("/documents", "ÜBER")] {
        assert_eq!(client.get(&format!("{path}?q={}", percent_encoded(q))).await.data(200)["total"], 1, "{q}");
    }
}

#[tokio::test]
async fn texts_that_repeat_themselves_hold_nobody_up() {
    let server = Server::start().await;
    let client = server.client();
    let mut debate = Debate::create(&client).await;
    for number in 0..20 {
        let role = if number % 2 == 0 { "opponent" } else { "proposer" };
        let repeated = format!("{}b{}", "a".repeat(150 + number), "a".repeat(10_000));
        debate.write("arguments", &with(request_bodies::claim(role, debate.newest()), "content", repeated)).await;
    }
    let queries = ["a".repeat(200), format!("{}b", "a".repeat(199)), format!("b{}", "a".repeat(199)), "a b".to_owned()];
    let mut searches = JoinSet::new();
    for number in 0..16 {
        let (client, path) =
            (server.client(), format!("/search?kind=argument&q={}", percent_encoded(&queries[number % 4])));
        searches.spawn(async move {
            let started = Instant::now();
            client.get(&path).await.data(200);
            started.elapsed()
        });
    }
    while let Some(took) = searches.join_next().await {
        let took = took.expect("it ends");
        assert!(took < Duration::from_secs(5), "{took:?}");
        let started = Instant::now();
        client.get(&format!("/debates/{}", debate.id)).await.data(200);
        assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    }
}
