//! WebSocket frames and messages that are accepted, and those that close the connection.

use std::iter::repeat_n;

use rstest::rstest;
use serde_json::json;
use tests::{debate::Debate, ids, polling, server::Server};
use tokio_tungstenite::tungstenite::{
    Message,
    protocol::frame::{
        Frame,
        coding::{Data, OpCode},
    },
};

use super::viewer::Viewer;

/// The maximum message length: six bytes per byte of content, 50 changes of issues with texts of full length, and
/// 52 KiB for the agents and the rest.
const LONGEST: usize = 6 * 10_240 + 925_600 + 52 * 1024;

fn padded(message: &str, length: usize) -> String {
    message.chars().chain(repeat_n(' ', length - message.len())).collect()
}

/// A message split into frames.
fn in_pieces(text: &str, length: usize) -> Vec<Message> {
    let pieces: Vec<&[u8]> = text.as_bytes().chunks(length).collect();
    let last = pieces.len() - 1;
    let piece = |(index, piece): (usize, &&[u8])| {
        let code = if index == 0 { Data::Text } else { Data::Continue };
        Message::Frame(Frame::message(piece.to_vec(), OpCode::Data(code), index == last))
    };
    pieces.iter().enumerate().map(piece).collect()
}

#[tokio::test]
async fn a_message_may_hold_the_longest_content_with_every_byte_escaped() {
    let server = Server::start().await;
    let debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_list(&server).await;
    let content = r"\u0061".repeat(10_240);
    let message =
        format!(r#"{{"event":"submit_intervention","data":{{"debate_id":"{}","content":"{content}"}}}}"#, debate.id);
    viewer.send(Message::text(padded(&message, LONGEST))).await;
    let [accepted, _] = viewer.expect_all(["accepted", "debate_changed"]).await;
    assert_eq!(accepted["argument"]["content"], "a".repeat(10_240));
}

#[tokio::test]
async fn a_message_may_be_fragmented() {
    let server = Server::start().await;
    let debate = Debate::create(&server.client()).await;
    let (mut viewer, _) = Viewer::of_list(&server).await;
    let message = json!({"event": "submit_intervention", "data": {"debate_id": debate.id, "content": "Stöp"}});
    for piece in in_pieces(&message.to_string(), 7) {
        viewer.send(piece).await;
    }
    viewer.expect_all(["accepted", "debate_changed"]).await;
}

#[rstest]
#[case::one_byte_over(vec![Message::text(padded("{}", LONGEST + 1))])]
#[case::far_over(vec![Message::text(padded("{}", 3_000_000))])]
#[case::in_pieces(in_pieces(&padded("{}", 2 * LONGEST), LONGEST / 2 + 1))]
#[tokio::test]
async fn an_oversized_message_closes_only_its_own_connection(#[case] frames: Vec<Message>) {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    let (mut other, _) = Viewer::of_debate(&server, &debate.id).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    for frame in frames {
        // The server may have closed the connection already.
        let _ = viewer.try_send(frame).await;
    }
    let closed = viewer.closed().await;
    assert_eq!(closed.code, 1009, "{closed:?}");
    assert!(closed.before.len() == 1 && closed.before[0].name == "error", "{closed:?}");
    assert_eq!(closed.before[0].data["code"], "INVALID_INPUT");
    debate.claim("opponent").await;
    other.expect("new_argument").await;
    server.wait_for_connections(1).await;
}

#[tokio::test]
async fn a_binary_message_closes_only_its_own_connection() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let (mut other, _) = Viewer::of_debate(&server, &debate.id).await;
    let (mut viewer, _) = Viewer::of_debate(&server, &debate.id).await;
    viewer.send(Message::binary(b"{}".to_vec())).await;
    let closed = viewer.closed().await;
    assert_eq!(closed.code, 1003, "{closed:?}");
    assert_eq!((closed.before.len(), &closed.before[0].data["code"]), (1, &json!("INVALID_INPUT")));
    debate.claim("opponent").await;
    other.expect("new_argument").await;
}

#[tokio::test]
async fn an_unknown_debate_is_reported_and_the_connection_closed() {
    let server = Server::start().await;
    Debate::create(&server.client()).await;
    let id = ids::fresh();
    let viewer = Viewer::connect(server.address(), &format!("/ws?debate_id={id}"), &[]).await;
    let closed = viewer.closed().await;
    assert_eq!(closed.code, 1008, "{closed:?}");
    assert_eq!((closed.before.len(), closed.before[0].name.as_str()), (1, "error"), "{closed:?}");
    assert_eq!(closed.before[0].data["code"], "DEBATE_NOT_FOUND");
    server.wait_for_connections(0).await;
}

#[tokio::test]
async fn disconnected_viewers_release_their_sockets() {
    let server = Server::start().await;
    let mut debate = Debate::create(&server.client()).await;
    server.wait_for_connections(0).await;
    let mut viewers = Vec::new();
    for _ in 0..50 {
        viewers.push(Viewer::of_debate(&server, &debate.id).await.0);
        viewers.push(Viewer::of_list(&server).await.0);
    }
    server.wait_for_connections(100).await;
    drop(viewers);
    server.wait_for_connections(0).await;
    polling::until("only its own sockets are open", || (server.sockets() < 20).then_some(())).await;
    debate.claim("opponent").await;
}
