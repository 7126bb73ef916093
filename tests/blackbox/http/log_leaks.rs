//! Neither the log nor the metrics have tokens, keys or texts in them.

use serde_json::{Value, json};
use tests::{
    client::Client,
    ids,
    raw_http::Request,
    request_bodies::with,
    server::{Server, Settings},
};

use crate::websocket::viewer::Viewer;

/// Part of everything that must not appear.
const CANARY: &str = "canary";

const AGENTS: &str = "canary-of-agents-token";
const JUDGE: &str = "canary-of-judges-token";
const SEAT: &str = "canary-of-a-seat_key-43-characters-long-abc";

/// All that the server itself says. sqlx would say its statements.
const LEVELS: &str = "info,api=trace,request=trace,audit=trace";

/// A client that plants texts in headers, too.
struct Planter(Client);

impl Planter {
    async fn send(&self, request: Request) -> Value {
        let request = request.header("X-Debate-Seat", &[SEAT]).header("User-Agent", &["canary/1"]);
        let response = self.0.response(&request.header("X-Request-Id", &["canary id"])).await.unwrap();
        serde_json::from_slice(&response.body).unwrap_or_default()
    }

    async fn get(&self, path: &str) -> Value {
        self.send(self.0.request("GET", path)).await
    }

    /// Sends a write and returns the id of its argument.
    async fn write(&self, path: &str, body: Value) -> String {
        let body = with(body, "client_request_id", format!("canary-{}", ids::fresh()));
        let answer = self.send(self.0.write(path, body.to_string())).await;
        assert_eq!(answer["success"], true, "{path}: {answer}");
        answer["data"]["argument"]["id"].as_str().or(answer["data"]["document"]["id"].as_str()).unwrap().to_owned()
    }
}

/// Every operation of the API with canaries in every text. Returns the id of the debate.
async fn a_day(server: &Server) -> String {
    let (agents, judge) = (server.client().with_token(AGENTS), server.client().with_token(JUDGE));
    let (agent, arbitrator) = (Planter(agents.clone()), Planter(judge));
    let id = ids::fresh();
    let (path, content) = (|rest: &str| format!("/debates/{id}{rest}"), "canary in a text");
    let creation = json!({
        "debate_id": id, "title": "canary title", "debate_type": "coding_plan_debate", "motion_content": content,
    });
    let motion = agent.write("/debates", creation).await;
    let claim = |role: &str, target: &str, changes: Value| json!({"role": role, "target_id": target, "content": content, "issue_changes": changes});
    let raise =
        json!([{"change": "raise", "severity": "low", "title": "canary", "location": "canary", "note": "canary"}]);
    let raised = agent.write(&path("/arguments"), claim("opponent", &motion, raise)).await;
    let fix = json!([{"change": "fix", "issue": "I1", "note": "canary"}]);
    let fixed = agent.write(&path("/arguments"), claim("proposer", &raised, fix)).await;
    let answered = agent.write(&path("/arguments"), claim("opponent", &fixed, json!([]))).await;
    let options = json!([{"label": "canary", "detail": "canary"}]);
    let appeal = json!({"target_id": answered, "content": content, "options": options});
    agent.write(&path("/appeal"), appeal).await;
    let ruling = arbitrator.write(&path("/ruling"), json!({"content": content, "chosen_option": 0})).await;
    arbitrator.write(&path("/intervention"), json!({"content": content})).await;
    arbitrator.write(&path("/ruling"), json!({"content": content})).await;
    agent.write(&path("/resolution"), json!({"target_id": ruling, "content": content})).await;
    let close = json!({"debate_id": id, "content": content, "close": true});
    let mut viewer = Viewer::at(server, &format!("/ws?debate_id={id}&token={JUDGE}")).await.0;
    viewer.act("submit_ruling", close).await;
    viewer.expect_all(["new_argument", "state_changed", "accepted"]).await;
    viewer.fault("{\"event\": \"canary\"}").await;
    viewer.fault("canary").await;

    let document = json!({"summary": "canary", "content": content, "metadata": {"canary": "canary"}});
    let document_id = agent.write("/documents", document.clone()).await;
    let document_path = |rest: &str| format!("/documents/{document_id}{rest}");
    agent.write(&document_path("/versions"), document).await;
    for path in [
        path(""),
        path("/issues?history=true"),
        path("/record"),
        path("/wait?role=proposer&canary=canary"),
        "/debates?q=canary".to_owned(),
        "/wait?role=arbitrator&timeout=0".to_owned(),
        "/documents?q=canary".to_owned(),
        document_path(""),
        document_path("/versions"),
        "/info".to_owned(),
        "/health".to_owned(),
        "/metrics".to_owned(),
        "/openapi.json".to_owned(),
        "/d/canary?canary".to_owned(),
        "/canary/canary".to_owned(),
        "/debates/canary".to_owned(),
        "/debates?limit=canary".to_owned(),
        "/_next/canary.js".to_owned(),
        "/ws?token=canary".to_owned(),
    ] {
        agent.get(&path).await;
    }
    agent.send(agents.request("DELETE", &document_path(""))).await;
    agent.send(agents.request("DELETE", &path("/seats/proposer"))).await;
    agent.send(agents.request("CANARY", "/debates")).await;
    agent.send(agents.request("GET", "/debates").header("Host", &["canary.example"])).await;
    agent.send(agents.request("GET", "/debates").header("Origin", &["http://canary.example"])).await;
    agent.send(agents.write(&path("/ruling"), "{\"content\": \"canary\"}")).await;
    agent.send(agents.write("/sign-in", "{\"code\": \"canary\"}")).await;
    agent.send(agents.write("/debates", "canary")).await;
    agent.send(agents.write("/debates", "{\"title\": \"canary\u{1}\"}")).await;
    Planter(server.client().with_token("canary-of-strangers")).get("/debates").await;
    let stored = agents.get(&path("")).await.data(200);
    assert_eq!(stored["debate"]["state"], "CLOSED");
    id
}

#[tokio::test]
async fn a_days_log_and_metrics_have_no_tokens_keys_or_texts() {
    let settings = Settings::new().env("DEBATE_AUTH_TOKEN", AGENTS).env("DEBATE_ARBITRATOR_TOKEN", JUDGE);
    let server = Server::with(settings.env("RUST_LOG", LEVELS)).await;
    let debate_id = a_day(&server).await;
    let client = server.client().with_token(AGENTS);
    let metrics = client.response(&client.request("GET", "/metrics")).await.unwrap();
    let metrics = String::from_utf8(metrics.body).unwrap();
    let log = server.log();
    for (what, written) in [("log", &log), ("metrics", &metrics)] {
        let found: Vec<&str> = written.lines().filter(|line| line.to_lowercase().contains(CANARY)).collect();
        assert!(found.is_empty(), "in the {what}: {found:#?}");
    }
    assert!(!metrics.contains(&debate_id), "no label has an id");
    // There was much to search, and ids are found.
    assert!(log.lines().count() > 40 && log.contains(&debate_id), "{log}");
}
