//! The order in which faults of a request are reported.

use tests::{
    debate::Debate,
    ids,
    raw_http::Request,
    request_bodies::{self, with},
    server::{Server, Settings},
};

/// The faults of a claim in the order of their precedence, with their codes.
const CLAIM_FAULTS: [(&str, &str); 13] = [
    ("host", "FORBIDDEN"),
    ("path", "NOT_FOUND"),
    ("method", "METHOD_NOT_ALLOWED"),
    ("token", "AUTH_FAILED"),
    ("media type", "UNSUPPORTED_MEDIA_TYPE"),
    ("size", "CONTENT_TOO_LARGE"),
    ("shape", "INVALID_INPUT"),
    ("id", "INVALID_INPUT"),
    ("debate", "DEBATE_NOT_FOUND"),
    ("seat", "SEAT_TAKEN"),
    ("request id", "IDEMPOTENCY_CONFLICT"),
    ("state", "ACTION_NOT_ALLOWED"),
    ("target", "ARGUMENT_NOT_FOUND"),
];

const RULING_FAULTS: [(&str, &str); 11] = [
    ("host", "FORBIDDEN"),
    ("path", "NOT_FOUND"),
    ("method", "METHOD_NOT_ALLOWED"),
    ("token", "AUTH_FAILED"),
    ("media type", "UNSUPPORTED_MEDIA_TYPE"),
    ("size", "CONTENT_TOO_LARGE"),
    ("shape", "INVALID_INPUT"),
    ("id", "INVALID_INPUT"),
    ("right", "FORBIDDEN"),
    ("debate", "DEBATE_NOT_FOUND"),
    ("request id", "IDEMPOTENCY_CONFLICT"),
];

/// The key of a role's seat.
fn key(name: &str) -> String {
    format!("{name:_<43}")
}

struct Fixture {
    server: Server,
    debate: Debate,
    used_request_id: String,
}

impl Fixture {
    /// A server with both tokens and a debate in which the opponent has the turn and both seats are taken.
    async fn start() -> Self {
        let settings = Settings::new().env("DEBATE_AUTH_TOKEN", "agents").env("DEBATE_ARBITRATOR_TOKEN", "judge");
        let server = Server::with(settings).await;
        let creation = request_bodies::creation();
        let client = server.client().with_token("agents");
        let first = client.write("/debates", creation.to_string()).header("X-Debate-Seat", &[&key("proposer")]);
        let mut debate = Debate::opened(&client, &client.send(&first).await.data(201));
        for role in ["opponent", "proposer"] {
            let claim = request_bodies::claim(role, debate.newest()).to_string();
            let claim = client.write(&debate.path("/arguments"), claim).header("X-Debate-Seat", &[&key(role)]);
            let stored = client.send(&claim).await.data(201);
            debate.arguments.push(tests::debate::text(&stored["argument"]["id"]));
        }
        let used_request_id = tests::debate::text(&creation["client_request_id"]);
        Self { server, debate, used_request_id }
    }

    /// A write with all of these faults.
    fn request(&self, verb: &str, faults: &[&str]) -> Request {
        let has = |fault: &str| faults.contains(&fault);
        let debate = match (has("id"), has("debate")) {
            (true, _) => "no-id".to_owned(),
            (false, true) => ids::fresh(),
            (false, false) => self.debate.id.clone(),
        };
        let path = format!("/debates/{debate}/{}", if has("path") { "nonsense" } else { verb });
        let client = self.server.client();
        let client = match (has("token"), has("right")) {
            (true, _) => client.with_token("wrong"),
            (false, true) => client.with_token("agents"),
            (false, false) => client.with_token("judge"),
        };
        let author = if has("state") { "proposer" } else { "opponent" };
        let seat = if has("seat") { key("another") } else { key(author) };
        let request = client.write(&path, self.body(verb, &has).into_bytes()).header("X-Debate-Seat", &[&seat]);
        let method = if has("method") { "PUT".to_owned() } else { request.method.clone() };
        let request = Request { method, ..request };
        let request = if has("media type") { request.header("Content-Type", &["text/plain"]) } else { request };
        if has("host") { request.header("Host", &["evil.example"]) } else { request }
    }

    fn body(&self, verb: &str, has: &dyn Fn(&str) -> bool) -> String {
        let target = if has("target") { ids::fresh() } else { self.debate.newest().to_owned() };
        let role = if has("state") { "proposer" } else { "opponent" };
        let mut body = if verb == "ruling" { request_bodies::decision() } else { request_bodies::claim(role, &target) };
        if has("request id") {
            body = with(body, "client_request_id", self.used_request_id.as_str());
        }
        if has("size") {
            body = with(body, "content", "x".repeat(20_000_000));
        }
        let text = body.to_string();
        if has("shape") { text.replace("\"content\"", "\"contents\"") } else { text }
    }
}

async fn every_pair(verb: &str, faults: &[(&str, &str)]) {
    let fixture = Fixture::start().await;
    for (at, (first, code)) in faults.iter().enumerate() {
        for (second, _) in &faults[at..] {
            let answer = fixture.server.client().send(&fixture.request(verb, &[first, second])).await;
            assert_eq!(answer.code(), *code, "{first} and {second}: {answer}");
        }
    }
    let all: Vec<&str> = faults.iter().map(|(fault, _)| *fault).collect();
    for (at, (first, code)) in faults.iter().enumerate() {
        let answer = fixture.server.client().send(&fixture.request(verb, &all[at..])).await;
        assert_eq!(answer.code(), *code, "{first} and all after it: {answer}");
    }
    let stored = fixture.server.client().with_token("agents").get(&fixture.debate.path("")).await.data(200);
    assert_eq!(stored["debate"]["last_seq"], 3, "a refusal was stored");
}

#[tokio::test]
async fn a_claim_with_several_faults_is_refused_for_the_first() {
    every_pair("arguments", &CLAIM_FAULTS).await;
}

#[tokio::test]
async fn a_ruling_with_several_faults_is_refused_for_the_first() {
    every_pair("ruling", &RULING_FAULTS).await;
}

#[tokio::test]
async fn an_oversized_content_precedes_an_invalid_field() {
    let fixture = Fixture::start().await;
    let client = fixture.server.client().with_token("agents");
    let over = with(request_bodies::claim("opponent", fixture.debate.newest()), "content", "x".repeat(10_241));
    let both = with(over, "target_id", "nonsense");
    client.post(&fixture.debate.path("/arguments"), &both).await.refusal("CONTENT_TOO_LARGE");
}

#[tokio::test]
async fn an_oversized_content_precedes_an_invalid_id_in_the_path() {
    let fixture = Fixture::start().await;
    let client = fixture.server.client().with_token("judge");
    for verb in ["arguments", "appeal", "resolution", "ruling", "intervention"] {
        let over = with(request_bodies::claim("opponent", fixture.debate.newest()), "content", "x".repeat(10_241));
        client.post(&format!("/debates/no-id/{verb}"), &over).await.refusal("CONTENT_TOO_LARGE");
    }
    let over = request_bodies::document(&"x".repeat(1_048_577));
    client.post("/documents/no-id/versions", &over).await.refusal("CONTENT_TOO_LARGE");
}

#[tokio::test]
async fn a_ruling_out_of_turn_precedes_an_invalid_option() {
    let fixture = Fixture::start().await;
    let client = fixture.server.client().with_token("judge");
    let body = with(request_bodies::decision(), "chosen_option", 0);
    client.post(&fixture.debate.path("/ruling"), &body).await.refusal("ACTION_NOT_ALLOWED");
}
