//! The request log and the audit log.

use serde_json::{Value, json};
use tests::{
    debate::{Debate, Situation},
    document::Document,
    ids, polling, raw_http, request_bodies,
    server::{Server, Settings},
};
use tokio::io::AsyncWriteExt;

use crate::websocket::viewer::Viewer;

/// The lines of the log with this target.
fn lines(server: &Server, target: &str) -> Vec<Value> {
    let log = server.log();
    let complete = log.rsplit_once('\n').map_or("", |(complete, _)| complete);
    let lines = complete.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"));
    lines.filter(|line| line["target"] == target).collect()
}

/// The line of the request with this id.
async fn request_line(server: &Server, id: &str) -> Value {
    let of_request = |lines: Vec<Value>| {
        let found: Vec<_> = lines.into_iter().filter(|line| line["fields"]["request_id"] == id).collect();
        assert!(found.len() <= 1, "one line a request: {found:?}");
        found.into_iter().next()
    };
    polling::until(&format!("a line about request {id}"), || of_request(lines(server, "request"))).await
}

#[tokio::test]
async fn a_line_for_each_request_has_the_template_of_its_path() {
    let server = Server::with(Settings::new().env("RUST_LOG", "info,request=debug")).await;
    let client = server.client();
    let debate = Debate::create(&client).await;
    let claim = request_bodies::claim("opponent", debate.newest()).to_string();
    for (request, route, status, level) in [
        (client.request("GET", "/debates?q=secret"), "/debates", 200, "INFO"),
        (client.request("GET", &debate.path("?limit=0")), "/debates/{id}", 200, "INFO"),
        (client.write(&debate.path("/arguments"), claim), "/debates/{id}/arguments", 201, "INFO"),
        (client.request("GET", "/documents/secret"), "/documents/{id}", 400, "INFO"),
        (client.request("GET", "/secret"), "unknown", 404, "INFO"),
        (client.request("PUT", "/debates"), "/debates", 405, "INFO"),
        (client.request("GET", "/debates").header("Host", &["secret"]), "/debates", 403, "INFO"),
        (client.request("GET", "/d/secret"), "/d/{debate_id}", 200, "INFO"),
        (client.request("GET", "/health"), "/health", 200, "DEBUG"),
        (client.request("GET", "/metrics"), "/metrics", 200, "DEBUG"),
        (client.request("SECRET", "/debates"), "/debates", 405, "INFO"),
    ] {
        let id = ids::fresh();
        client.response(&request.clone().header("X-Request-Id", &[&id])).await.unwrap();
        let line = request_line(&server, &id).await;
        let fields = &line["fields"];
        let method = if request.method == "SECRET" { "other" } else { &request.method };
        assert_eq!(
            (&fields["method"], &fields["route"], &fields["status"], &line["level"]),
            (&json!(method), &json!(route), &json!(status), &json!(level)),
            "{line}"
        );
        assert!(fields["ms"].as_f64().is_some_and(|ms| ms > 0.0), "{line}");
    }
    assert!(!server.log().to_lowercase().contains("secret"), "{}", server.log());
}

#[tokio::test]
async fn a_request_whose_client_went_away_has_its_line() {
    let server = Server::start().await;
    let debate = Debate::create(&server.client()).await;
    let request = server.client().request("GET", &debate.path("/wait?role=proposer"));
    let mut stream = raw_http::open(server.address()).await.unwrap();
    stream.write_all(&request.header("X-Request-Id", &["gone"]).bytes()).await.unwrap();
    server.wait_for_held_waits(1).await;
    drop(stream);
    let line = request_line(&server, "gone").await;
    assert_eq!((&line["fields"]["status"], &line["fields"]["route"]), (&json!(499), &json!("/debates/{id}/wait")));
}

#[tokio::test]
async fn what_monitoring_asks_for_is_not_logged_by_default() {
    let server = Server::start().await;
    server.client().get("/health").await.data(200);
    server.client().response(&server.client().request("GET", "/metrics")).await.unwrap();
    Debate::create(&server.client()).await;
    let routes: Vec<Value> = lines(&server, "request").iter().map(|line| line["fields"]["route"].clone()).collect();
    assert_eq!(routes, ["/debates"]);
}

/// What an audit line says: its message, the debate or document, `seq`, and the request.
fn said(line: &Value) -> (String, Value, Value, Value) {
    let fields = &line["fields"];
    let subject = if fields["debate_id"].is_null() { &fields["document_id"] } else { &fields["debate_id"] };
    let told = (tests::debate::text(&fields["message"]), subject.clone());
    (told.0, told.1, fields["seq"].clone(), fields["request_id"].clone())
}

#[tokio::test]
async fn rulings_interventions_closings_freed_seats_and_deletions_are_audited_once() {
    let server = Server::start().await;
    let client = server.client();
    let send = |path: String, body: Value, id: &'static str| {
        let request = client.write(&path, body.to_string()).header("X-Request-Id", &[id]);
        let client = client.clone();
        async move { client.send(&request).await }
    };
    let debate = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    let debate_of_seats = Debate::in_situation(&client, Situation::AwaitingProposer).await;
    send(debate.path("/ruling"), request_bodies::decision(), "too-early").await.refusal("ACTION_NOT_ALLOWED");
    let intervention = request_bodies::decision();
    send(debate.path("/intervention"), intervention.clone(), "stop").await.data(201);
    send(debate.path("/intervention"), intervention, "again").await.data(200);
    send(debate.path("/ruling"), request_bodies::decision(), "rule").await.data(201);

    let headers = [("x-request-id", "upgrade")];
    let mut viewer = Viewer::connect(server.address(), &format!("/ws?debate_id={}", debate.id), &headers).await;
    viewer.expect("initial_state").await;
    viewer.act("submit_intervention", json!({"debate_id": debate.id})).await;
    viewer.expect_all(["new_argument", "state_changed", "accepted"]).await;
    viewer.act("submit_ruling", json!({"debate_id": debate.id, "content": "End.", "close": true})).await;
    viewer.expect_all(["new_argument", "state_changed", "accepted"]).await;

    let seat = "0123456789012345678901234567890123456789abc";
    let claim = request_bodies::claim("proposer", &debate_of_seats.arguments[1]).to_string();
    let request = client.write(&debate_of_seats.path("/arguments"), claim).header("X-Debate-Seat", &[seat]);
    client.send(&request).await.data(201);
    for id in ["free", "free-again"] {
        let request = client.request("DELETE", &debate_of_seats.path("/seats/proposer"));
        client.send(&request.header("X-Request-Id", &[id])).await.data(200);
    }

    let document = Document::create(&client).await;
    for id in ["delete", "delete-again"] {
        let request = client.request("DELETE", &document.path("")).header("X-Request-Id", &[id]);
        client.send(&request).await.data(200);
    }

    let audited: Vec<_> = lines(&server, "audit").iter().map(said).collect();
    let of_debate =
        |what: &str, seq: u64, request: &str| (what.to_owned(), json!(debate.id), json!(seq), json!(request));
    assert_eq!(
        audited,
        [
            of_debate("intervention", 3, "stop"),
            of_debate("ruling", 4, "rule"),
            of_debate("intervention", 5, "upgrade"),
            of_debate("ruling", 6, "upgrade"),
            of_debate("closing", 6, "upgrade"),
            ("seat freed".to_owned(), json!(debate_of_seats.id), Value::Null, json!("free")),
            ("document deleted".to_owned(), json!(document.id), Value::Null, json!("delete")),
        ]
    );
}

#[tokio::test]
async fn a_ruling_is_audited_even_if_its_client_goes_away() {
    let server = Server::start().await;
    for round in 0..10 {
        let debate = Debate::in_situation(&server.client(), Situation::Appealed).await;
        let id = format!("ruling-{round}");
        let request = server.client().write(&debate.path("/ruling"), request_bodies::decision().to_string());
        let mut stream = raw_http::open(server.address()).await.unwrap();
        stream.write_all(&request.header("X-Request-Id", &[&id]).bytes()).await.unwrap();
        drop(stream);
        request_line(&server, &id).await;
        let is_stored = debate.stored().await["debate"]["last_seq"] == 4;
        if is_stored {
            let is_audited = || lines(&server, "audit").iter().any(|line| line["fields"]["request_id"] == id.as_str());
            polling::until("its audit line", || is_audited().then_some(())).await;
        }
    }
}
