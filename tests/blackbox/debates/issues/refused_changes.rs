//! Changes that the role, the argument or the status of the issue forbids.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    debate::{Debate, text},
    issue_changes::{change, noted, raise, regrade},
    request_bodies::{self, with},
    server::Server,
};

/// Refuses these changes of a write, and checks all fields of the error and that nothing was stored.
async fn refused(debate: &Debate, verb: &str, body: Value, changes: Value, expected: Value) {
    let before = debate.stored().await;
    let error = debate.attempt(verb, &with(body, "issue_changes", changes.clone())).await.refusal("ACTION_NOT_ALLOWED");
    for name in ["message", "suggestion"] {
        assert!(!text(&error[name]).is_empty(), "{name}: {error}");
    }
    let mut rest = error;
    rest.as_object_mut().unwrap().retain(|name, _| !["message", "suggestion"].contains(&name.as_str()));
    assert_eq!(rest, expected, "{changes}");
    assert_eq!(debate.stored().await, before, "something was stored");
}

fn error(place: usize, state: &str, roles: &[&str], issue: Value, status: Value, allowed: &[&str]) -> Value {
    json!({
        "code": "ACTION_NOT_ALLOWED", "field": format!("issue_changes[{place}]"), "current_state": state,
        "allowed_roles": roles, "issue": issue, "status": status, "allowed_changes": allowed,
    })
}

/// A debate with issues in every status in the opponent's turn: I2 is upheld and open, I7 is fixed.
async fn in_the_opponents_turn(server: &Server) -> Debate {
    let mut debate = Debate::with_issues(&server.client()).await;
    debate.rule(false).await;
    debate.claim("proposer").await;
    debate
}

#[rstest]
#[case::open("I5", "open", &["resolve", "withdraw", "regrade", "defer"])]
#[case::upheld("I2", "open", &["resolve", "withdraw", "regrade"])]
#[case::fixed("I7", "fixed", &["resolve", "withdraw", "reopen", "regrade"])]
#[case::disputed("I6", "disputed", &["resolve", "withdraw", "reopen", "regrade", "defer"])]
#[case::resolved("I1", "resolved", &["reopen"])]
#[case::withdrawn("I4", "withdrawn", &["reopen"])]
#[case::dismissed("I3", "dismissed", &[])]
#[tokio::test]
async fn the_opponent_is_told_what_it_may_make_of_the_issue(
    #[case] issue: &str,
    #[case] status: &str,
    #[case] allowed: &[&str],
) {
    let server = Server::shared().await;
    let debate = in_the_opponents_turn(&server).await;
    let names = ["fix", "dispute", "refer", "uphold", "dismiss", "resolve", "withdraw", "reopen", "regrade", "defer"];
    for name in names.into_iter().filter(|name| !allowed.contains(name)) {
        let body = request_bodies::claim("opponent", debate.newest());
        let one = match name {
            "regrade" => regrade(issue, "low"),
            "reopen" | "dispute" | "defer" => noted(name, issue, "Why"),
            _ => change(name, issue),
        };
        // A change that is allowed comes first.
        let changes = json!([raise("low", "One more"), one]);
        let expected = error(1, "AWAITING_OPPONENT", &["opponent"], json!(issue), json!(status), allowed);
        refused(&debate, "arguments", body, changes, expected).await;
    }
}

#[rstest]
#[case::open("I5", "open", &["fix", "dispute"], &["refer"])]
#[case::upheld("I2", "open", &["fix"], &["refer"])]
#[case::fixed("I7", "fixed", &[], &["refer"])]
#[case::disputed("I6", "disputed", &["fix"], &["refer"])]
#[case::resolved("I1", "resolved", &[], &[])]
#[case::dismissed("I3", "dismissed", &[], &[])]
#[tokio::test]
async fn the_proposer_is_told_what_it_may_make_of_the_issue(
    #[case] issue: &str,
    #[case] status: &str,
    #[case] in_claims: &[&str],
    #[case] in_appeals: &[&str],
) {
    let server = Server::shared().await;
    let mut debate = Debate::with_issues(&server.client()).await;
    debate.rule(false).await;
    for (verb, allowed) in [("arguments", in_claims), ("appeal", in_appeals)] {
        for name in ["fix", "dispute", "refer", "withdraw"].into_iter().filter(|name| !allowed.contains(name)) {
            let body = match verb {
                "arguments" => request_bodies::claim("proposer", debate.newest()),
                _ => request_bodies::answer_to(debate.newest()),
            };
            let expected = error(0, "AWAITING_PROPOSER", &["proposer"], json!(issue), json!(status), allowed);
            refused(&debate, verb, body, json!([noted(name, issue, "Why")]), expected).await;
        }
    }
}

#[rstest]
#[case::open("I5", "open", &["regrade", "uphold", "dismiss", "defer"])]
#[case::fixed("I7", "fixed", &["regrade", "uphold", "dismiss", "defer"])]
#[case::disputed("I6", "disputed", &["regrade", "uphold", "dismiss", "defer"])]
#[case::withdrawn("I4", "withdrawn", &[])]
#[case::dismissed("I3", "dismissed", &[])]
#[tokio::test]
async fn the_arbitrator_is_told_what_it_may_make_of_the_issue(
    #[case] issue: &str,
    #[case] status: &str,
    #[case] allowed: &[&str],
) {
    let server = Server::shared().await;
    let debate = Debate::with_issues(&server.client()).await;
    let names = ["uphold", "dismiss", "resolve", "fix", "reopen", "defer"];
    for name in names.into_iter().filter(|name| !allowed.contains(name)) {
        let expected = error(0, "AWAITING_ARBITRATOR", &["arbitrator"], json!(issue), json!(status), allowed);
        refused(&debate, "ruling", request_bodies::decision(), json!([noted(name, issue, "Why")]), expected).await;
    }
}

#[tokio::test]
async fn the_proposer_raises_no_issues() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    for verb in ["arguments", "appeal"] {
        let body = match verb {
            "arguments" => request_bodies::claim("proposer", debate.newest()),
            _ => request_bodies::answer_to(debate.newest()),
        };
        let expected = error(0, "AWAITING_PROPOSER", &["proposer"], Value::Null, Value::Null, &[]);
        refused(&debate, verb, body, json!([raise("low", "My own")]), expected).await;
    }
}

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
