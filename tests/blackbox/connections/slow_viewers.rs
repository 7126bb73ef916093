//! Viewers that read slowly or not at all.

use std::time::{Duration, Instant};

use tests::{debate::Debate, os, request_bodies, server::Server};

use crate::websocket::viewer::Viewer;

/// More arguments than the socket buffers hold.
const MANY: usize = 400;

/// Writes claims of maximum length, which take twice as many bytes in JSON.
async fn write_many(debate: &mut Debate, count: usize) {
    for _ in 0..count {
        let role = ["opponent", "proposer"][(debate.arguments.len() - 1) % 2];
        let claim = request_bodies::with(request_bodies::claim(role, debate.newest()), "content", "\n".repeat(10_240));
        debate.write("arguments", &claim).await;
    }
}

#[tokio::test]
async fn a_viewer_that_never_reads_is_disconnected_and_delays_no_other() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    server.wait_for_connections(0).await;
    let idle = Viewer::that_never_reads(&server, &format!("/ws?debate_id={}", debate.id)).await;
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
    tests::polling::within(Duration::from_secs(60), "only the two viewers that read are connected", || {
        (os::open_connections(server.address().port()) == 2).then_some(())
    })
    .await;
    assert!(start.elapsed() > Duration::from_secs(5), "the slow viewer was disconnected after {:?}", start.elapsed());
    drop(idle);

    // The slow viewer gets everything when it connects again.
    let (_viewer, state) = Viewer::of_debate(&server, &debate.id).await;
    assert_eq!(state["arguments"].as_array().unwrap().len(), MANY + 1);
    debate.claim("opponent").await;
    assert_eq!(viewer.expect("new_argument").await["seq"], MANY + 2);
}

#[tokio::test]
async fn a_slow_viewer_gets_the_close_code_1013() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let slow = Viewer::that_never_reads(&server, &format!("/ws?debate_id={}", debate.id)).await;
    server.wait_for_connections(1).await;
    write_many(&mut debate, MANY).await;
    // The server gives up on the viewer after 10 s and closes the connection 20 s later. Its own clock tells when to read.
    let timed_out = debate.wait(&format!("role=arbitrator&argument_id={}&timeout=12", debate.newest())).await.data(200);
    assert_eq!(timed_out["has_new_argument"], false);
    let closed = slow.closed().await;
    assert_eq!(closed.code, 1013, "{closed:?}");
    let mut events = closed.before.iter();
    // It may have connected before some of the writes and been told of the debate after them.
    let first = events.next().expect("the initial state").data["debate"]["last_seq"].as_u64().unwrap() + 1;
    let seen: Vec<_> = events.filter(|event| event.name == "new_argument").map(|event| &event.data["seq"]).collect();
    assert!(seen.len() < MANY && seen.iter().zip(first..).all(|(seq, expected)| **seq == expected), "{seen:?}");
}

#[tokio::test]
async fn a_viewer_that_never_reads_does_not_delay_a_shutdown() {
    let mut server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    write_many(&mut debate, MANY).await;
    server.wait_for_connections(0).await;
    // The initial state alone exceeds the socket buffers.
    let _idle = Viewer::that_never_reads(&server, &format!("/ws?debate_id={}", debate.id)).await;
    server.wait_for_connections(1).await;
    let start = Instant::now();
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(10), "the server exited after {:?}", start.elapsed());
}
