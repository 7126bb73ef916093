//! Concurrent writes.

use serde_json::json;
use tests::{
    api_response::ApiResponse,
    client::Client,
    debate::Debate,
    ids,
    request_bodies::{self, with},
    server::Server,
};
use tokio::task::JoinSet;

use crate::state_machine;

/// Sends all requests at the same time.
async fn all_at_once(client: &Client, requests: Vec<(String, serde_json::Value)>) -> Vec<ApiResponse> {
    let mut running = JoinSet::new();
    for (path, body) in requests {
        let client = client.clone();
        running.spawn(async move { client.post(&path, &body).await });
    }
    running.join_all().await
}

fn count(answers: &[ApiResponse], code: &str) -> usize {
    answers.iter().filter(|answer| answer.code() == code).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_50_concurrent_claims_is_stored() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let racers = (0..50).map(|_| (debate.path("/arguments"), request_bodies::claim("opponent", debate.newest())));
    let answers = all_at_once(&server.client(), racers.collect()).await;
    assert_eq!((count(&answers, "ok"), count(&answers, "ACTION_NOT_ALLOWED")), (1, 49));
    for answer in answers.into_iter().filter(|answer| answer.status != 201) {
        let error = answer.refusal("ACTION_NOT_ALLOWED");
        assert_eq!(
            (&error["current_state"], &error["allowed_roles"]),
            (&json!("AWAITING_PROPOSER"), &json!(["proposer"]))
        );
    }
    let history = debate.history().await;
    assert_eq!((history.len(), state_machine::replay(&history)), (2, "AWAITING_PROPOSER"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_200_identical_retries_is_stored_and_199_are_replays() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let body = request_bodies::claim("opponent", debate.newest());
    let retries = (0..200).map(|_| (debate.path("/arguments"), body.clone()));
    let answers = all_at_once(&server.client(), retries.collect()).await;
    let first = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!((first, count(&answers, "ok")), (1, 200));
    let stored = debate.stored().await;
    for answer in answers {
        let (status, data) = (answer.status, answer.data_of_any_success());
        assert_eq!(data["replayed"] == true, status == 200, "{data}");
        assert_eq!(data["argument"], stored["arguments"][0]);
    }
    assert_eq!(stored["debate"]["last_seq"], 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_20_concurrent_creations_of_a_debate_is_stored() {
    let server = Server::start().await;
    let body = request_bodies::creation();
    let racers = (0..20).map(|_| ("/debates".to_owned(), with(body.clone(), "client_request_id", ids::fresh())));
    let answers = all_at_once(&server.client(), racers.collect()).await;
    assert_eq!((count(&answers, "ok"), count(&answers, "DEBATE_EXISTS")), (1, 19));
    assert_eq!(server.client().get("/debates").await.data(200)["total"], 1);
}
