//! `POST /debates`.

use serde_json::json;
use tests::{
    ids,
    request_bodies::{self, with},
    server::Server,
};

#[tokio::test]
async fn a_repeated_creation_with_other_fields_is_a_conflict() {
    let server = Server::shared().await;
    let body = request_bodies::creation();
    server.client().post("/debates", &body).await.data(201);
    for (field, value) in
        [("title", "Another"), ("debate_type", "general_debate"), ("motion_content", "We add no retry budget.")]
    {
        let other = with(body.clone(), field, value);
        server.client().post("/debates", &other).await.refusal("IDEMPOTENCY_CONFLICT");
    }
    let stored = server.client().get(&format!("/debates/{}", body["debate_id"].as_str().unwrap())).await.data(200);
    assert_eq!((&stored["debate"]["title"], &stored["debate"]["last_seq"]), (&body["title"], &json!(1)));
}

#[tokio::test]
async fn request_ids_are_scoped_to_a_debate() {
    let server = Server::shared().await;
    let body = request_bodies::creation();
    server.client().post("/debates", &body).await.data(201);
    let other = with(body, "debate_id", ids::fresh());
    server.client().post("/debates", &other).await.data(201);
}
