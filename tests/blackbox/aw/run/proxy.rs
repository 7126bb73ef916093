//! What stands between a run and its server.

use std::{net::SocketAddr, time::Duration};

use serde_json::{Value, json};
use tests::{raw_http, server::Server};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// How a request is answered.
pub enum Reply {
    PassedOn,
    /// It is not allowed, which this message says
    Refused(&'static str),
    /// It is passed on, and answered so much later
    AnsweredLate(Duration),
    /// It is passed on, and the answer is lost
    Unanswered,
    /// It reaches nobody, and its sender waits
    Held,
}

/// The address of what decides by the first line of each request how it is answered.
pub async fn before(server: &Server, reply: fn(&str) -> Reply) -> String {
    let (listener, address) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), server.address());
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, address, reply));
        }
    });
    url
}

/// Answers one request a connection, so that none is passed on unseen.
async fn answer(mut stream: TcpStream, address: SocketAddr, reply: fn(&str) -> Reply) {
    let Some(request) = raw_http::read_request(&mut stream).await else { return };
    let text = match reply(request.lines().next().unwrap_or_default()) {
        Reply::PassedOn => passed_on(&request, address).await,
        Reply::Refused(message) => refusal(&json!({"code": "ACTION_NOT_ALLOWED", "message": message})),
        Reply::AnsweredLate(delay) => {
            let text = passed_on(&request, address).await;
            tokio::time::sleep(delay).await;
            text
        }
        Reply::Unanswered => {
            passed_on(&request, address).await;
            return;
        }
        Reply::Held => std::future::pending().await,
    };
    let _ = stream.write_all(&text).await;
}

async fn passed_on(request: &str, address: SocketAddr) -> Vec<u8> {
    let once = request.replacen("\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1);
    let mut server = TcpStream::connect(address).await.unwrap();
    server.write_all(once.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // A wait is cut off where the server ends.
    let _ = server.read_to_end(&mut answer).await;
    answer
}

fn refusal(error: &Value) -> Vec<u8> {
    let body = json!({"success": false, "error": error}).to_string();
    let head = format!("HTTP/1.1 409 Conflict\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    (head + &body).into_bytes()
}
