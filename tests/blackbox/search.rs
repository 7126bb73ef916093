//! `GET /search`: what was decided and said in all debates.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    client::Client,
    debate::{Debate, text},
    issue_changes::{noted, raise},
    request_bodies::{self, with},
    server::Server,
};

fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

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
        assert_eq!(search(&client, q, "").await, json!({"hits": [expected], "total": 1}), "{q}");
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
    assert_eq!(search(&client, "needle", "&offset=9").await, json!({"hits": [], "total": 3}));
    let shown = text(&page["hits"][0]["text"]);
    assert!(shown.chars().count() == 300 && shown.contains("nEEdle"), "{shown}");
}

#[rstest]
#[case("", "q")]
#[case("q=", "q")]
#[case("q=a&q=b", "q")]
#[case("q=%00", "q")]
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
