//! `POST /debates`.

use serde_json::json;
use tests::{
    debate::Debate,
    ids,
    request_bodies::{self, with},
    server::Server,
};

use crate::schema_checks;

#[tokio::test]
async fn a_creation_returns_the_debate_and_its_motion() {
    let server = Server::shared().await;
    let body = request_bodies::creation();
    let data = server.client().post("/debates", &body).await.data(201);
    let (debate, motion) = (&data["debate"], &data["argument"]);
    schema_checks::is_debate(debate);
    schema_checks::is_argument(motion);
    assert_eq!(
        (&debate["id"], &debate["title"], &debate["debate_type"]),
        (&body["debate_id"], &body["title"], &body["debate_type"])
    );
    assert_eq!((&debate["state"], &debate["last_seq"]), (&json!("AWAITING_OPPONENT"), &json!(1)));
    assert_eq!((&motion["type"], &motion["role"], &motion["seq"]), (&json!("MOTION"), &json!("proposer"), &json!(1)));
    assert_eq!((&motion["content"], &motion["debate_id"]), (&body["motion_content"], &debate["id"]));
    assert!(data.get("replayed").is_none_or(|replayed| replayed == false), "a first write is no replay: {data}");
}

#[tokio::test]
async fn both_debate_types_are_accepted() {
    let server = Server::shared().await;
    for kind in ["coding_plan_debate", "general_debate"] {
        let body = with(request_bodies::creation(), "debate_type", kind);
        let data = server.client().post("/debates", &body).await.data(201);
        assert_eq!(data["debate"]["debate_type"], kind);
    }
}

#[tokio::test]
async fn a_title_has_1_to_200_code_points() {
    let server = Server::start().await;
    let fits = with(request_bodies::creation(), "title", "🧭".repeat(200));
    let data = server.client().post("/debates", &fits).await.data(201);
    assert_eq!(data["debate"]["title"], fits["title"]);
    let over = with(request_bodies::creation(), "title", "é".repeat(201));
    let error = server.client().post("/debates", &over).await.refusal("CONTENT_TOO_LARGE");
    assert_eq!((&error["limit"], &error["actual"]), (&json!(200), &json!(201)));
    let empty = with(request_bodies::creation(), "title", "");
    server.client().post("/debates", &empty).await.refusal("INVALID_INPUT");
    assert_eq!(server.client().get("/debates").await.data(200)["total"], 1, "a refused creation was stored");
}

#[tokio::test]
async fn an_id_is_accepted_in_any_spelling_and_returned_in_the_canonical_one() {
    let server = Server::shared().await;
    for spell in [str::to_uppercase, |id: &str| format!("{{{id}}}"), |id: &str| id.replace('-', "")] {
        let id = ids::fresh();
        let body = with(request_bodies::creation(), "debate_id", spell(&id));
        let data = server.client().post("/debates", &body).await.data(201);
        assert_eq!(data["debate"]["id"], id, "{body}");
        assert_eq!(server.client().get(&format!("/debates/{id}")).await.data(200)["debate"]["id"], id);
    }
}

#[tokio::test]
async fn a_repeated_creation_returns_the_first_response_and_stores_nothing() {
    let server = Server::start().await;
    let body = request_bodies::creation();
    let first = server.client().post("/debates", &body).await.data(201);
    let mut debate = Debate::create(&server.client()).await;
    debate.claim("opponent").await;
    let again = server.client().post("/debates", &body).await.data(200);
    assert_eq!(again["replayed"], true);
    assert_eq!((&again["argument"], &again["debate"]["id"]), (&first["argument"], &first["debate"]["id"]));
    assert_eq!(server.client().get("/debates").await.data(200)["total"], 2);
}

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
async fn a_debate_id_in_use_is_refused_under_any_other_request_id() {
    let server = Server::start().await;
    let body = request_bodies::creation();
    server.client().post("/debates", &body).await.data(201);
    let other = with(body.clone(), "client_request_id", ids::fresh());
    server.client().post("/debates", &other).await.refusal("DEBATE_EXISTS");
    let spelled = with(other, "debate_id", body["debate_id"].as_str().unwrap().to_uppercase());
    server.client().post("/debates", &spelled).await.refusal("DEBATE_EXISTS");
    assert_eq!(server.client().get("/debates").await.data(200)["total"], 1);
}

#[tokio::test]
async fn request_ids_are_scoped_to_a_debate() {
    let server = Server::shared().await;
    let body = request_bodies::creation();
    server.client().post("/debates", &body).await.data(201);
    let other = with(body, "debate_id", ids::fresh());
    server.client().post("/debates", &other).await.data(201);
}
