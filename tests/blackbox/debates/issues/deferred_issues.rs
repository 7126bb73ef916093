//! Issues that are deferred.

use serde_json::json;
use tests::{
    debate::Debate,
    issue_changes::{change, noted, raise},
    request_bodies::{self, with},
    server::Server,
};

#[tokio::test]
async fn a_deferred_issue_is_settled_and_only_a_ruling_opens_again_what_a_ruling_deferred() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("low", "One"), raise("high", "Two")])).await;
    debate.claim("proposer").await;
    let severe = json!([noted("defer", "I2", "After the release")]);
    let body = with(request_bodies::claim("opponent", debate.newest()), "issue_changes", severe);
    let error = debate.attempt("arguments", &body).await.refusal("ACTION_NOT_ALLOWED");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("may not defer I2, which is high, in CLAIM"), "{message}");
    let claim = debate.claim_with("opponent", json!([noted("defer", "I1", "After the release")])).await;
    let deferred = &claim["changed_issues"][0];
    assert_eq!(
        (&deferred["status"], &deferred["deferred_by"], &deferred["note"]),
        (&json!("deferred"), &json!("opponent"), &json!("After the release"))
    );
    debate.appeal_with(json!([change("refer", "I2")])).await;
    debate.rule_with(false, json!([noted("defer", "I2", "Next quarter")])).await;
    let stored = debate.stored().await;
    let counts = &stored["debate"]["issue_counts"];
    let count = |name: &str| counts[name].as_u64().unwrap();
    assert_eq!((count("deferred"), count("unsettled"), count("blocking")), (2, 0, 0));
    assert_eq!(stored["issues"], json!([]));
    let resolution = &stored["turns"][0]["moves"][0];
    assert_eq!(resolution["type"], "RESOLUTION", "all is settled: {stored}");
    let record = server.client().get(&debate.path("/record")).await.data(200);
    let issues = &record["record"]["statistics"]["issues"];
    assert_eq!((&issues["raised"], &issues["deferred"], &issues["left_open"]), (&json!(2), &json!(2), &json!(0)));
    for format in ["markdown", "html"] {
        let request = server.client().request("GET", &debate.path(&format!("/record?format={format}")));
        let response = server.client().response(&request).await.unwrap();
        let text = String::from_utf8(response.body).unwrap();
        let (_, consequences) = text.split_once("Consequences").unwrap();
        let (first, second) =
            (consequences.find("After the release").unwrap(), consequences.find("Next quarter").unwrap());
        assert!(first < second && consequences.find("Left for later").unwrap() < first, "{text}");
    }

    debate.claim("proposer").await;
    let body = with(
        request_bodies::claim("opponent", debate.newest()),
        "issue_changes",
        json!([noted("reopen", "I2", "Now")]),
    );
    let error = debate.attempt("arguments", &body).await.refusal("ACTION_NOT_ALLOWED");
    assert_eq!((&error["status"], &error["allowed_changes"]), (&json!("deferred"), &json!([])));
    let claim = debate.claim_with("opponent", json!([noted("reopen", "I1", "It is easy")])).await;
    assert_eq!(claim["changed_issues"][0].get("deferred_by"), None);
    debate.intervene().await;
    let ruling = debate.rule_with(false, json!([noted("reopen", "I2", "It is due")])).await;
    let reopened = &ruling["changed_issues"][0];
    assert_eq!((&reopened["status"], &reopened["blocking"]), (&json!("open"), &json!(true)));
}
