//! The largest bodies and messages: 50 changes with texts of full length, each character escaped as two `\uXXXX`.

use tests::{debate::Debate, ids, server::Server};
use tokio_tungstenite::tungstenite::Message;

use crate::websocket::viewer::Viewer;

/// A character of four bytes, and its twelve bytes in JSON.
const CHARACTER: (&str, &str) = ("🦀", r"\ud83e\udd80");

/// The changes as JSON text.
fn changes() -> String {
    let of = |length: usize| CHARACTER.1.repeat(length);
    let one = format!(
        r#"{{"change":"raise","severity":"critical","title":"{}","location":"{}","note":"{}"}}"#,
        of(200),
        of(300),
        of(1_000)
    );
    format!("[{}]", vec![one; 50].join(","))
}

async fn are_stored(debate: &Debate) {
    let issues = debate.issues("history=true").await;
    let issues = issues["issues"].as_array().unwrap();
    assert_eq!(issues.len(), 50);
    for issue in issues {
        assert_eq!(issue["title"], CHARACTER.0.repeat(200));
        assert_eq!(issue["location"], CHARACTER.0.repeat(300));
        assert_eq!(issue["note"], CHARACTER.0.repeat(1_000));
        assert_eq!(issue["history"][0]["note"], issue["note"]);
    }
}

#[tokio::test]
async fn a_claim_carries_50_changes_of_full_length_beside_the_longest_content() {
    let server = Server::shared().await;
    let client = server.client();
    let debate = Debate::create(&client).await;
    let body = format!(
        r#"{{"role":"opponent","target_id":"{}","client_request_id":"{}","content":"{}","issue_changes":{}}}"#,
        debate.newest(),
        ids::fresh(),
        r"\u0061".repeat(10_240),
        changes()
    );
    client.send(&client.write(&debate.path("/arguments"), body)).await.data(201);
    are_stored(&debate).await;
}

#[tokio::test]
async fn a_message_carries_50_changes_of_full_length_beside_the_longest_content() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.intervene().await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let message = format!(
        r#"{{"event":"submit_ruling","data":{{"debate_id":"{}","request_id":"{}","content":"{}","issue_changes":{}}}}}"#,
        debate.id,
        ids::fresh(),
        r"\u0061".repeat(10_240),
        changes()
    );
    viewer.send(Message::text(message)).await;
    let events = viewer.expect_all(["accepted", "new_argument", "issues_changed", "state_changed"]).await;
    assert_eq!(events[2]["issues"].as_array().unwrap().len(), 50);
    are_stored(&debate).await;
}
