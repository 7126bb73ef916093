//! The issues in the events of the WebSocket.

use serde_json::{Value, json};
use tests::{
    debate::Debate,
    issue_changes::{change, raise, regrade},
    server::{Server, Settings},
};

use crate::websocket::viewer::Viewer;

fn ids_of(issues: &Value) -> Vec<&str> {
    issues.as_array().expect("a list").iter().map(|issue| issue["id"].as_str().expect("an id")).collect()
}

#[tokio::test]
async fn issues_changed_follows_its_argument() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let (mut viewer, state) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!((&state["issues"], &state["counts"]), (&json!([]), &state["debate"]["issue_counts"]));
    let claim = debate.claim_with("opponent", json!([raise("high", "One"), raise("low", "Two")])).await;
    assert_eq!(viewer.expect("new_argument").await, claim["argument"]);
    let changed = viewer.expect("issues_changed").await;
    let stored = debate.stored().await;
    let (counts, turns) = (&stored["debate"]["issue_counts"], &stored["turns"]);
    let issues = &claim["changed_issues"];
    let expected = json!({"debate_id": debate.id, "seq": 2, "issues": issues, "counts": counts, "turns": turns});
    assert_eq!(changed, expected);
    viewer.expect("state_changed").await;
    // An argument without changes causes no such event.
    debate.claim("proposer").await;
    viewer.expect("new_argument").await;
    viewer.expect("state_changed").await;
    debate.claim_with("opponent", json!([change("withdraw", "I2")])).await;
    viewer.expect("new_argument").await;
    assert_eq!(ids_of(&viewer.expect("issues_changed").await["issues"]), ["I2"]);
}

#[tokio::test]
async fn a_ruling_also_tells_the_issues_that_are_no_longer_referred() {
    let server = Server::shared().await;
    let mut debate = Debate::with_issues(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let data = json!({"debate_id": debate.id, "content": "So.", "issue_changes": [regrade("I8", "medium")]});
    viewer.act("submit_ruling", data).await;
    let [accepted, _, changed, _] =
        viewer.expect_all(["accepted", "new_argument", "issues_changed", "state_changed"]).await;
    assert_eq!(ids_of(&changed["issues"]), ["I2", "I8"]);
    assert_eq!((&changed["issues"][0]["referred"], &changed["seq"]), (&json!(false), &json!(10)));
    assert_eq!(accepted["argument"]["issue_changes"][0]["severity"], "medium");
    debate.arguments.push(tests::debate::text(&accepted["argument"]["id"]));
    debate.claim("proposer").await;
}

#[tokio::test]
async fn the_initial_state_has_all_issues_and_their_counts() {
    let server = Server::shared().await;
    let debate = Debate::with_issues(&server.client()).await;
    let all = debate.issues("").await;
    for query in ["", "&limit=0", "&after_seq=8"] {
        let (_viewer, state) = Viewer::at(&server, &format!("/ws?debate_id={}{query}", debate.id)).await;
        assert_eq!((&state["issues"], &state["counts"]), (&all["issues"], &all["counts"]), "{query}");
    }
}

#[tokio::test]
async fn an_illegal_change_is_refused_to_the_sender_only() {
    let server = Server::shared().await;
    let mut debate = Debate::with_issues(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let (mut other, _) = Viewer::of_debate(&server, &debate.id).await;
    for (changes, code) in [
        (json!([change("uphold", "I3")]), "ACTION_NOT_ALLOWED"),
        (json!([change("uphold", "I99")]), "INVALID_INPUT"),
        (json!([change("settle", "I1")]), "INVALID_INPUT"),
        (json!([{"change": "uphold", "issue": "I5", "note": "x".repeat(1_001)}]), "CONTENT_TOO_LARGE"),
    ] {
        let data = json!({"debate_id": debate.id, "content": "So.", "issue_changes": changes});
        let request_id = viewer.act("submit_ruling", data).await;
        let error = viewer.expect("error").await;
        assert_eq!((&error["code"], &error["request_id"]), (&json!(code), &json!(request_id)), "{error}");
    }
    let stop = json!({"debate_id": debate.id, "issue_changes": [change("uphold", "I5")]});
    viewer.act("submit_intervention", stop).await;
    assert_eq!(viewer.expect("error").await["code"], "INVALID_INPUT");
    let ruling = debate.rule(false).await;
    assert_eq!(other.expect("new_argument").await, ruling["argument"]);
}

#[tokio::test]
async fn a_viewer_that_missed_events_gets_all_issues_again() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("high", "One")])).await;
    let (viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    drop(viewer);
    debate.claim_with("proposer", json!([change("fix", "I1")])).await;
    server.kill();
    server.restart().await;
    let mut debate = debate.by(&server.client());
    let (mut viewer, state) = Viewer::at(&server, &format!("/ws?debate_id={}&after_seq=2", debate.id)).await;
    assert_eq!(state["issues"], debate.issues("").await["issues"]);
    assert_eq!(state["issues"][0]["status"], "fixed");
    debate.claim_with("opponent", json!([change("resolve", "I1")])).await;
    viewer.expect("new_argument").await;
    assert_eq!(viewer.expect("issues_changed").await["issues"][0]["status"], "resolved");
}
