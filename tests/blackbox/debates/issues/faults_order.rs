//! Of several faults of a write with changes of issues the first is told.

use serde_json::{Value, json};
use tests::{
    debate::Debate,
    ids,
    issue_changes::{change, noted, raise},
    request_bodies::{self, with},
    server::Server,
};

/// The faults of a claim that carries changes, in the order of their precedence.
const FAULTS: [(&str, &str); 6] = [
    ("size", "CONTENT_TOO_LARGE"),
    ("shape", "INVALID_INPUT"),
    ("debate", "DEBATE_NOT_FOUND"),
    ("request id", "IDEMPOTENCY_CONFLICT"),
    ("role", "ACTION_NOT_ALLOWED"),
    ("target", "ARGUMENT_NOT_FOUND"),
];

fn body(debate: &Debate, used: &Value, faults: &[&str]) -> Value {
    let has = |fault| faults.contains(&fault);
    // The change itself is illegal: there is no such issue.
    let mut changes = vec![change("resolve", "I400")];
    if has("shape") {
        changes.push(change("close", "I1"));
    }
    if has("size") {
        changes.push(noted("resolve", "I2", &"x".repeat(1_001)));
    }
    let target = if has("target") { ids::fresh() } else { debate.newest().to_owned() };
    let body = request_bodies::claim(if has("role") { "proposer" } else { "opponent" }, &target);
    let body = if has("request id") { with(body, "client_request_id", used.clone()) } else { body };
    with(body, "issue_changes", changes)
}

#[tokio::test]
async fn illegal_changes_come_after_the_other_faults_of_a_claim() {
    let server = Server::shared().await;
    let creation = request_bodies::creation();
    let debate = Debate::create_with(&server.client(), &creation).await;
    let used = &creation["client_request_id"];
    for (at, (fault, code)) in FAULTS.iter().enumerate() {
        let later: Vec<&str> = FAULTS[at..].iter().map(|(fault, _)| *fault).collect();
        for faults in [&[*fault][..], &later] {
            let id = if faults.contains(&"debate") { ids::fresh() } else { debate.id.clone() };
            let answer = server.client().post(&format!("/debates/{id}/arguments"), &body(&debate, used, faults)).await;
            assert_eq!(answer.code(), *code, "{faults:?}: {answer}");
        }
    }
    let error = debate.attempt("arguments", &body(&debate, used, &[])).await.refusal("INVALID_INPUT");
    assert_eq!(error["field"], "issue_changes[0].issue");
}

#[tokio::test]
async fn the_first_illegal_change_of_the_list_is_told() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("low", "One"), raise("low", "Two")])).await;
    for (changes, code, place) in [
        (json!([change("fix", "I1"), change("resolve", "I2"), change("fix", "I9")]), "ACTION_NOT_ALLOWED", 1),
        (json!([change("fix", "I1"), change("fix", "I9"), change("resolve", "I2")]), "INVALID_INPUT", 1),
        (json!([raise("low", "Mine"), change("fix", "I9")]), "ACTION_NOT_ALLOWED", 0),
    ] {
        let body = with(request_bodies::claim("proposer", debate.newest()), "issue_changes", changes);
        let error = debate.attempt("arguments", &body).await.refusal(code);
        let field = error["field"].as_str().unwrap();
        assert!(field.starts_with(&format!("issue_changes[{place}]")), "{error}");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 2);
}
