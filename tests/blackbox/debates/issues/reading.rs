//! Invalid requests to `GET /debates/{id}/issues`.

use rstest::rstest;
use tests::{debate::Debate, ids, server::Server};

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
