//! Connections that the server ends: of those who do not keep up, and of all when it stops.

use std::time::{Duration, Instant};

use tests::{
    debate::Debate,
    os, request_bodies,
    server::{Server, Settings},
};
use tokio::net::TcpSocket;

use super::viewer::Viewer;

/// How many arguments are more than what the operating system keeps for one who does not read.
const MANY: usize = 400;

/// One who watches a debate and never reads, not even the answer to its handshake to the end.
async fn stuck(server: &Server, path: &str) -> Viewer {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let stream = socket.connect(server.address()).await.unwrap();
    Viewer::over(stream, server.address(), path, &[]).await
}

/// Arguments as long as they may be, whose every byte takes two in JSON.
async fn write_many(debate: &mut Debate, count: usize) {
    for _ in 0..count {
        let role = ["opponent", "proposer"][(debate.arguments.len() - 1) % 2];
        let claim = request_bodies::with(request_bodies::claim(role, debate.newest()), "content", "\n".repeat(10_240));
        debate.write("arguments", &claim).await;
    }
}

#[tokio::test]
async fn one_who_never_reads_is_let_go_while_others_get_everything() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    server.wait_for_connections(0).await;
    let idle = stuck(&server, &format!("/ws?debate_id={}", debate.id)).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    let (mut list, _) = Viewer::of_list(&server).await;
    server.wait_for_connections(3).await;
    let write = write_many(&mut debate, MANY);
    let watch = async {
        for turn in 0..MANY {
            let mut argument = viewer.next().await;
            if argument.name == "state_changed" {
                argument = viewer.next().await;
            }
            assert_eq!(argument.data["seq"], turn + 2);
            assert_eq!(list.expect("debate_changed").await["last_seq"], turn + 2);
        }
        viewer.expect("state_changed").await;
    };
    let (start, _) = (Instant::now(), tokio::join!(write, watch));
    tests::polling::within(Duration::from_secs(60), "only the two who read are connected", || {
        (os::open_connections(server.address().port()) == 2).then_some(())
    })
    .await;
    assert!(start.elapsed() > Duration::from_secs(5), "patience with the slow ran out after {:?}", start.elapsed());
    drop(idle);

    // It misses nothing when it comes back.
    let (_viewer, state) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(state["arguments"].as_array().unwrap().len(), MANY + 1);
    debate.claim("opponent").await;
    assert_eq!(viewer.expect("new_argument").await["seq"], MANY + 2);
}

#[tokio::test]
async fn one_who_reads_again_too_late_hears_that_it_was_too_slow() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let slow = stuck(&server, &format!("/ws?debate_id={}", debate.id)).await;
    server.wait_for_connections(1).await;
    write_many(&mut debate, MANY).await;
    // Longer than a viewer may take, shorter than its connection is kept for it to hear why.
    tokio::time::sleep(Duration::from_secs(14)).await;
    let closed = slow.closed().await;
    assert_eq!(closed.code, 1013, "{closed:?}");
    let seen = closed.before.iter().filter(|event| event.name == "new_argument").map(|event| &event.data["seq"]);
    let seen: Vec<_> = seen.collect();
    assert!(seen.len() < MANY && seen.iter().enumerate().all(|(turn, seq)| **seq == turn + 2), "{seen:?}");
}

#[tokio::test]
async fn one_who_watches_a_damaged_debate_is_told_that_the_server_failed() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let debate = Debate::create(&server.client()).await;
    server.terminate();
    server.wait_for_exit().await;
    server.store().corrupt("AWAITING_OPPONENT", "AWAITING_OPPONENX");
    server.restart().await;

    let client = server.client();
    let error = client.send(&client.request("GET", &debate.path(""))).await.refusal("INTERNAL_ERROR");
    assert!(!error.to_string().contains("AWAITING_OPPONENX"), "{error}");
    let mut viewer = Viewer::connect(server.address(), &format!("/ws?debate_id={}", debate.id), &[]).await;
    assert_eq!(viewer.expect("error").await["code"], "INTERNAL_ERROR");
    assert_eq!(viewer.closed().await.code, 1011);
}

#[tokio::test]
async fn one_who_never_reads_does_not_keep_a_server_from_ending() {
    let mut server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    write_many(&mut debate, MANY).await;
    server.wait_for_connections(0).await;
    // The first look alone is more than it takes in.
    let _idle = stuck(&server, &format!("/ws?debate_id={}", debate.id)).await;
    server.wait_for_connections(1).await;
    let start = Instant::now();
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(10), "it ended after {:?}", start.elapsed());
}

#[tokio::test]
async fn a_server_that_stops_tells_all_who_watch_and_exits_0() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut debate = Debate::create(&server.client()).await;
    let mut viewers = Vec::new();
    for _ in 0..20 {
        viewers.push(Viewer::of_debate(&server, &debate.id).await.0);
        viewers.push(Viewer::of_list(&server).await.0);
    }
    let start = Instant::now();
    server.terminate();
    for viewer in viewers {
        let closed = viewer.closed().await;
        assert_eq!((closed.code, closed.before.len()), (1001, 0), "{closed:?}");
    }
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(10), "it ended after {:?}", start.elapsed());

    server.restart().await;
    let (mut viewer, state) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(state["debate"]["last_seq"], 1);
    debate.claim("opponent").await;
    viewer.expect("new_argument").await;
}

#[tokio::test]
async fn what_was_said_right_before_a_stop_is_stored_and_told_or_neither() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    viewer.act("submit_intervention", serde_json::json!({"debate_id": debate.id})).await;
    server.terminate();
    let closed = viewer.closed().await;
    assert_eq!(closed.code, 1001, "{closed:?}");
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    server.restart().await;
    let told = closed.before.iter().any(|event| event.name == "accepted");
    let stored = debate.stored().await["debate"]["last_seq"] == 2;
    // One that was stored but not told is sent again under its id, and not stored twice.
    assert!(stored || !told, "told {told}, stored {stored}");
}
