//! `GET /debates/{id}/issues`, and the issues in other answers.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{debate::Debate, ids, server::Server};

use crate::schema_checks;

fn ids_of(issues: &Value) -> Vec<&str> {
    issues.as_array().expect("a list").iter().map(|issue| issue["id"].as_str().expect("an id")).collect()
}

#[rstest]
#[case("", &["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8"])]
#[case("status=open", &["I2", "I5", "I8"])]
#[case("status=fixed", &["I7"])]
#[case("status=disputed&history=false", &["I6"])]
#[case("status=resolved&history=true", &["I1"])]
#[case("status=withdrawn", &["I4"])]
#[case("status=dismissed", &["I3"])]
#[tokio::test]
async fn the_status_selects_issues_and_the_counts_are_of_all(#[case] query: &str, #[case] expected: &[&str]) {
    let server = Server::shared().await;
    let debate = Debate::with_issues(&server.client()).await;
    let told = debate.issues(query).await;
    assert_eq!(ids_of(&told["issues"]), expected);
    let counts = json!({
        "open": 3, "fixed": 1, "disputed": 1, "unsettled": 5, "resolved": 1, "withdrawn": 1, "dismissed": 1, "deferred": 0,
        "blocking": 2,
    });
    assert_eq!(told["counts"], counts);
    told["issues"].as_array().unwrap().iter().for_each(schema_checks::is_issue);
    let has_history = |issue: &Value| issue.get("history").is_some();
    assert!(told["issues"].as_array().unwrap().iter().all(|issue| has_history(issue) == query.contains("true")));
}

#[rstest]
#[case("status=closed", "status")]
#[case("status=", "status")]
#[case("status=Open", "status")]
#[case("history=yes", "history")]
#[case("history=", "history")]
#[case("history=1", "history")]
#[tokio::test]
async fn other_parameters_are_refused(#[case] query: &str, #[case] field: &str) {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let answer = server.client().get(&debate.path(&format!("/issues?{query}"))).await;
    assert_eq!(answer.refusal("INVALID_INPUT")["field"], field);
}

#[tokio::test]
async fn the_issues_of_an_unknown_debate_are_not_found() {
    let server = Server::shared().await;
    let client = server.client();
    client.get(&format!("/debates/{}/issues", ids::fresh())).await.refusal("DEBATE_NOT_FOUND");
    client.get("/debates/no-id/issues").await.refusal("INVALID_INPUT");
}

#[tokio::test]
async fn debates_and_news_have_the_issues_that_are_not_settled() {
    let server = Server::shared().await;
    let mut debate = Debate::with_issues(&server.client()).await;
    let all = debate.issues("").await;
    let open = ["I2", "I5", "I6", "I7", "I8"];
    let unsettled: Value = all["issues"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|issue| open.contains(&issue["id"].as_str().unwrap()))
        .cloned()
        .collect();
    let stored = debate.stored().await;
    assert_eq!((&stored["issues"], &stored["debate"]["issue_counts"]), (&unsettled, &all["counts"]));
    let due = debate.wait("role=arbitrator").await.data(200);
    assert_eq!((&due["action"], &due["issues"]), (&json!("rule"), &unsettled));
    let newest = debate.newest().to_owned();
    let timed_out = debate.wait(&format!("role=proposer&timeout=0&argument_id={newest}")).await.data(200);
    assert_eq!(timed_out.get("issues"), None);
    debate.rule_with(false, json!([{"change": "dismiss", "issue": "I2"}])).await;
    let news = debate.wait(&format!("role=proposer&argument_id={newest}")).await.data(200);
    assert_eq!(ids_of(&news["issues"]), ["I5", "I6", "I7", "I8"]);
    let listed = server.client().get(&format!("/debates?q={}", debate.id)).await.data(200);
    let counts = json!({
        "open": 2, "fixed": 1, "disputed": 1, "unsettled": 4, "resolved": 1, "withdrawn": 1, "dismissed": 2, "deferred": 0,
        "blocking": 1,
    });
    assert_eq!(listed["debates"][0]["issue_counts"], counts);
}
