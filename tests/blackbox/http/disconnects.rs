//! Clients that disconnect during a request.

use std::time::Duration;

use tests::{debate::Debate, polling, raw_http, server::Server};
use tokio::io::AsyncWriteExt;

const WAITERS: usize = 1_000;

/// An upper bound of the sockets that a server has open without clients.
const OWN_SOCKETS: usize = 20;

#[tokio::test]
async fn waits_of_disconnected_clients_end_long_before_their_time() {
    let server = Server::start().await;
    let debate = Debate::create(&server.client()).await;
    let request = server.client().request("GET", &debate.path("/wait?role=proposer&timeout=60"));
    let mut waiters = Vec::new();
    for _ in 0..WAITERS {
        let mut stream = raw_http::open(server.address()).await.unwrap();
        stream.write_all(&request.bytes()).await.unwrap();
        waiters.push(stream);
    }
    server.wait_for_sockets(WAITERS).await;
    server.wait_for_connections(WAITERS).await;
    drop(waiters);
    let gone = || (server.sockets() <= OWN_SOCKETS).then_some(());
    polling::within(Duration::from_secs(15), "the server lets go of clients that hung up", gone).await;
    // Other clients are served normally.
    assert_eq!(debate.wait("role=opponent").await.data(200)["has_new_argument"], true);
}

#[tokio::test]
async fn a_write_of_a_disconnected_client_never_harms_the_next() {
    let server = Server::shared().await;
    for _ in 0..20 {
        let mut debate = Debate::create(&server.client()).await;
        let body = tests::request_bodies::claim("opponent", debate.newest());
        let request = server.client().write(&debate.path("/arguments"), body.to_string());
        let mut stream = raw_http::open(server.address()).await.unwrap();
        stream.write_all(&request.bytes()).await.unwrap();
        drop(stream);
        // Whatever happened to the first request, the retry is answered.
        let answer = debate.attempt("arguments", &body).await;
        assert!(matches!(answer.status, 200 | 201), "{answer}");
        let stored = debate.stored().await;
        assert_eq!(stored["debate"]["last_seq"], 2, "{stored}");
        debate.arguments.push(tests::debate::text(&stored["arguments"][0]["id"]));
        debate.claim("proposer").await;
    }
}
