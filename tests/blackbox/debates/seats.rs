//! Seats: `X-Debate-Seat` and `DELETE /debates/{id}/seats/{role}`.

use serde_json::{Value, json};
use tests::{
    api_response::ApiResponse,
    client::Client,
    debate::Debate,
    ids,
    request_bodies::{self, with},
    server::{Server, Settings},
};
use tokio::task::JoinSet;

use crate::websocket::viewer::Viewer;

/// A key by number.
fn key(number: u32) -> String {
    format!("{number:0>43}")
}

/// A write with this key.
async fn post(client: &Client, path: &str, body: &Value, key: &str) -> ApiResponse {
    client.send(&client.write(path, body.to_string()).header("X-Debate-Seat", &[key])).await
}

async fn free(client: &Client, debate: &str, role: &str) -> ApiResponse {
    client.send(&client.request("DELETE", &format!("/debates/{debate}/seats/{role}"))).await
}

/// Creates a debate as the proposer with key 1.
async fn created(client: &Client) -> Debate {
    let creation = request_bodies::creation();
    let data = post(client, "/debates", &creation, &key(1)).await.data(201);
    assert_eq!(data["debate"]["seats"], json!({ "proposer": true, "opponent": false }));
    Debate::opened(client, &data)
}

#[tokio::test]
async fn only_the_holder_of_the_key_writes_as_a_side() {
    let server = Server::shared().await;
    let client = server.client();
    let mut debate = created(&client).await;
    let claims = debate.path("/arguments");
    let claim = post(&client, &claims, &request_bodies::claim("opponent", debate.newest()), &key(2)).await.data(201);
    debate.arguments.push(tests::debate::text(&claim["argument"]["id"]));
    assert_eq!(debate.stored().await["debate"]["seats"], json!({ "proposer": true, "opponent": true }));

    let answer = request_bodies::claim("proposer", debate.newest());
    for other in [key(2), key(3)] {
        let error = post(&client, &claims, &answer, &other).await.refusal("SEAT_TAKEN");
        assert_eq!(error["role"], "proposer");
    }
    for verb in ["arguments", "appeal", "resolution"] {
        let refused = debate.attempt(verb, &with(answer.clone(), "client_request_id", ids::fresh())).await;
        assert_eq!(refused.status, 403, "{refused}");
        refused.refusal("SEAT_TAKEN");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 2, "a refusal was stored");
    let stored = post(&client, &claims, &answer, &key(1)).await.data(201);
    // A repetition is for the holder only.
    post(&client, &claims, &answer, &key(3)).await.refusal("SEAT_TAKEN");
    let repeated = post(&client, &claims, &answer, &key(1)).await.data(200);
    assert_eq!((&repeated["replayed"], &repeated["argument"]), (&json!(true), &stored["argument"]));
    // The arbitrator has no seat, and its requests ignore the header.
    let ruling = request_bodies::decision();
    post(&client, &debate.path("/intervention"), &ruling, "not a key").await.data(201);
}

#[tokio::test]
async fn a_write_without_a_key_leaves_the_seat_free_and_refusals_take_none() {
    let server = Server::shared().await;
    let client = server.client();
    let creation = request_bodies::creation();
    let debate = Debate::create_with(&client, &creation).await;
    let free = json!({ "proposer": false, "opponent": false });
    assert_eq!(debate.stored().await["debate"]["seats"], free);
    post(&client, "/debates", &creation, &key(1)).await.data(200);
    let early = request_bodies::claim("proposer", debate.newest());
    post(&client, &debate.path("/arguments"), &early, &key(1)).await.refusal("ACTION_NOT_ALLOWED");
    assert_eq!(debate.stored().await["debate"]["seats"], free);
}

#[tokio::test]
async fn the_key_counts_for_the_repetition_of_a_creation_only() {
    let server = Server::shared().await;
    let client = server.client();
    let creation = request_bodies::creation();
    post(&client, "/debates", &creation, &key(1)).await.data(201);
    for other in [key(1), key(2)] {
        let another = with(creation.clone(), "client_request_id", ids::fresh());
        post(&client, "/debates", &another, &other).await.refusal("DEBATE_EXISTS");
    }
    post(&client, "/debates", &creation, &key(2)).await.refusal("SEAT_TAKEN");
    let conflict = with(creation.clone(), "title", "Another");
    post(&client, "/debates", &conflict, &key(2)).await.refusal("SEAT_TAKEN");
    post(&client, "/debates", &conflict, &key(1)).await.refusal("IDEMPOTENCY_CONFLICT");
    assert_eq!(post(&client, "/debates", &creation, &key(1)).await.data(200)["replayed"], true);
}

#[tokio::test]
async fn a_malformed_key_is_refused_at_the_place_of_the_shape() {
    let server = Server::shared().await;
    let client = server.client();
    let debate = created(&client).await;
    let body = request_bodies::claim("opponent", debate.newest());
    let claims = debate.path("/arguments");
    for wrong in ["", "short", &"a".repeat(42), &"a".repeat(44), &format!("{}=", "a".repeat(42))] {
        let error = post(&client, &claims, &body, wrong).await.refusal("INVALID_INPUT");
        assert_eq!(error["field"], "X-Debate-Seat", "{wrong:?}");
    }
    let twice = client.write(&claims, body.to_string()).header("X-Debate-Seat", &[&key(2), &key(2)]);
    client.send(&twice).await.refusal("INVALID_INPUT");
    // Size comes before, the debate after.
    let long = with(body.clone(), "content", "x".repeat(10_241));
    post(&client, &claims, &long, "short").await.refusal("CONTENT_TOO_LARGE");
    let unknown = format!("/debates/{}/arguments", ids::fresh());
    post(&client, &unknown, &body, "short").await.refusal("INVALID_INPUT");
    post(&client, &unknown, &body, &key(2)).await.refusal("DEBATE_NOT_FOUND");
    // Before the request id, the state and the target.
    let early = with(request_bodies::claim("proposer", &ids::fresh()), "client_request_id", "motion");
    post(&client, &claims, &early, &key(9)).await.refusal("SEAT_TAKEN");
}

#[tokio::test]
async fn a_freed_seat_is_taken_again() {
    let server = Server::shared().await;
    let client = server.client();
    let debate = created(&client).await;
    let before = debate.stored().await["debate"].clone();
    let freed = free(&client, &debate.id, "proposer").await.data(200);
    assert_eq!(freed["debate"], with(before, "seats", json!({ "proposer": false, "opponent": false })));
    assert_eq!(free(&client, &debate.id, "proposer").await.data(200), freed);
    let body = request_bodies::claim("opponent", debate.newest());
    let claim = post(&client, &debate.path("/arguments"), &body, &key(2)).await.data(201);
    let target = tests::debate::text(&claim["argument"]["id"]);
    let body = request_bodies::claim("proposer", &target);
    post(&client, &debate.path("/arguments"), &body, &key(5)).await.data(201);
    assert_eq!(debate.stored().await["debate"]["seats"], json!({ "proposer": true, "opponent": true }));
    let body = with(request_bodies::claim("proposer", &target), "client_request_id", ids::fresh());
    post(&client, &debate.path("/arguments"), &body, &key(1)).await.refusal("SEAT_TAKEN");

    free(&client, &ids::fresh(), "opponent").await.refusal("DEBATE_NOT_FOUND");
    for unknown in ["arbitrator", "judge", "Proposer"] {
        let error = free(&client, &debate.id, unknown).await.refusal("INVALID_INPUT");
        assert_eq!(error["field"], "role");
    }
    free(&client, "no-id", "opponent").await.refusal("INVALID_INPUT");
}

#[tokio::test]
async fn freeing_is_the_arbitrators_right() {
    let settings = Settings::new().env("DEBATE_AUTH_TOKEN", "agents").env("DEBATE_ARBITRATOR_TOKEN", "judge");
    let server = Server::with(settings).await;
    let agents = server.client().with_token("agents");
    let debate = created(&agents).await;
    free(&server.client(), &debate.id, "proposer").await.refusal("AUTH_FAILED");
    free(&agents, &debate.id, "proposer").await.refusal("FORBIDDEN");
    // The shape before the right, the right before the debate.
    free(&agents, &debate.id, "arbitrator").await.refusal("INVALID_INPUT");
    free(&agents, &ids::fresh(), "proposer").await.refusal("FORBIDDEN");
    assert_eq!(debate.stored().await["debate"]["seats"]["proposer"], true);
    let freed = free(&server.client().with_token("judge"), &debate.id, "proposer").await.data(200);
    assert_eq!(freed["debate"]["seats"]["proposer"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_50_keys_takes_a_seat() {
    let server = Server::shared().await;
    let client = server.client();
    let debate = created(&client).await;
    let mut running = JoinSet::new();
    for number in 100..150 {
        let (client, path) = (client.clone(), debate.path("/arguments"));
        let body = request_bodies::claim("opponent", debate.newest());
        running.spawn(async move { post(&client, &path, &body, &key(number)).await });
    }
    let answers = running.join_all().await;
    let count = |code: &str| answers.iter().filter(|answer| answer.code() == code).count();
    assert_eq!((count("ok"), count("SEAT_TAKEN")), (1, 49));
}

#[tokio::test]
async fn viewers_are_told_of_seats() {
    let server = Server::start().await;
    let client = server.client();
    let (mut list, _) = Viewer::of_list(&server).await;
    let debate = created(&client).await;
    assert_eq!(list.expect("debate_changed").await["seats"], json!({ "proposer": true, "opponent": false }));
    let (mut viewer, state) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(state["debate"]["seats"], json!({ "proposer": true, "opponent": false }));
    let body = request_bodies::claim("opponent", debate.newest());
    post(&client, &debate.path("/arguments"), &body, &key(2)).await.data(201);
    viewer.expect("new_argument").await;
    assert_eq!(viewer.expect("state_changed").await["seats"], json!({ "proposer": true, "opponent": true }));
    list.expect("debate_changed").await;

    let freed = free(&client, &debate.id, "opponent").await.data(200)["debate"].clone();
    // Freed again, it is no news.
    free(&client, &debate.id, "opponent").await.data(200);
    let turns = debate.stored().await["turns"].clone();
    let expected = json!({
        "debate_id": debate.id, "state": "AWAITING_PROPOSER", "updated_at": freed["updated_at"], "ruling_request": null,
        "seats": freed["seats"], "plan": null, "turns": turns,
    });
    assert_eq!(viewer.expect("state_changed").await, expected);
    assert_eq!(list.expect("debate_changed").await, freed);
    free(&client, &debate.id, "proposer").await.data(200);
    assert_eq!(viewer.expect("state_changed").await["seats"], json!({ "proposer": false, "opponent": false }));
    list.expect("debate_changed").await;
}

#[tokio::test]
async fn who_asks_with_a_key_is_told_whose_the_seat_is() {
    let server = Server::shared().await;
    let client = server.client();
    let debate = created(&client).await;
    for (role, given, seat) in [
        ("proposer", Some(key(1)), json!("yours")),
        ("proposer", Some(key(2)), json!("other")),
        ("proposer", None, json!("other")),
        ("opponent", Some(key(2)), json!("free")),
        ("opponent", None, json!("free")),
        ("arbitrator", Some(key(1)), Value::Null),
    ] {
        let mut request = client.request("GET", &debate.path(&format!("?limit=0&role={role}")));
        if let Some(given) = &given {
            request = request.header("X-Debate-Seat", &[given]);
        }
        let answer = client.send(&request).await.data(200);
        assert_eq!(answer["seat"], seat, "{role} with {given:?}");
    }
    assert_eq!(debate.stored().await.get("seat"), None, "without a role");
    let malformed = client.request("GET", &debate.path("?role=proposer")).header("X-Debate-Seat", &["short"]);
    assert_eq!(client.send(&malformed).await.refusal("INVALID_INPUT")["field"], "X-Debate-Seat");
    let ignored = client.request("GET", &debate.path("")).header("X-Debate-Seat", &["short"]);
    client.send(&ignored).await.data(200);
    assert_eq!(client.get(&debate.path("?role=judge")).await.refusal("INVALID_INPUT")["field"], "role");
}
