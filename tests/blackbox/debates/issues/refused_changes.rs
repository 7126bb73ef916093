//! Changes that the role, the argument or the status of the issue forbids.

use serde_json::{Value, json};
use tests::{
    debate::Debate,
    issue_changes::{change, raise},
    request_bodies::{self, with},
    server::Server,
};

#[tokio::test]
async fn a_refused_change_leaves_the_request_id_free() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("low", "One")])).await;
    let body = request_bodies::claim("proposer", debate.newest());
    let refused = with(body.clone(), "issue_changes", json!([change("resolve", "I1")]));
    debate.attempt("arguments", &refused).await.refusal("ACTION_NOT_ALLOWED");
    debate.write("arguments", &with(body, "issue_changes", json!([change("fix", "I1")]))).await;
}

#[tokio::test]
async fn an_issue_that_is_not_there_is_invalid_input() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("low", "One")])).await;
    debate.claim("proposer").await;
    // An argument cannot change what it raises itself either.
    for (place, changes) in [
        (0, json!([change("resolve", "I2")])),
        (1, json!([change("resolve", "I1"), change("withdraw", "I500")])),
        (1, json!([raise("low", "Two"), change("resolve", "I2")])),
    ] {
        let body = with(request_bodies::claim("opponent", debate.newest()), "issue_changes", changes);
        let error = debate.attempt("arguments", &body).await.refusal("INVALID_INPUT");
        assert_eq!(error["field"], format!("issue_changes[{place}].issue"), "{error}");
    }
}

#[tokio::test]
async fn the_501st_issue_is_invalid_input_even_if_others_are_settled() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let many = |count: usize| -> Value { (0..count).map(|number| raise("low", &number.to_string())).collect() };
    for _ in 0..9 {
        debate.claim_with("opponent", many(50)).await;
        debate.claim("proposer").await;
    }
    debate.claim_with("opponent", many(49)).await;
    debate.claim("proposer").await;
    let mut changes = many(3);
    changes[0] = change("withdraw", "I1");
    let body = with(request_bodies::claim("opponent", debate.newest()), "issue_changes", changes);
    let error = debate.attempt("arguments", &body).await.refusal("INVALID_INPUT");
    assert_eq!(error["field"], "issue_changes[2]", "{error}");
    debate.claim_with("opponent", json!([raise("low", "The 500th")])).await;
    debate.intervene().await;
    let body = with(request_bodies::decision(), "issue_changes", many(1));
    let error = debate.attempt("ruling", &body).await.refusal("INVALID_INPUT");
    assert_eq!(error["field"], "issue_changes[0]", "{error}");
    assert_eq!(debate.issues("").await["issues"][499]["id"], "I500");
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
