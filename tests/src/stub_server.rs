//! A server that answers what it is told to, for the answers that a healthy one never gives.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    task::JoinHandle,
};

/// What the stub does with a request.
#[derive(Clone)]
pub enum Reply {
    /// Answers with that status and error code.
    Fail(u16, &'static str),
    /// Answers with that status and data.
    Succeed(u16, Value),
    /// Hangs up without an answer.
    HangUp,
}

/// A running stub.
pub struct Stub {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl Stub {
    /// Answers the first request with the first reply and so on, the last reply for ever.
    pub async fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let task = tokio::spawn(async move {
            for turn in 0.. {
                let reply = replies.get(turn).or(replies.last()).expect("a stub has replies");
                let (mut stream, _) = listener.accept().await.expect("the listener lives");
                let request = read_request(&mut stream).await;
                seen.lock().expect("no panics here").push(request);
                let (status, envelope) = match reply {
                    Reply::HangUp => continue,
                    Reply::Fail(status, code) => {
                        (status, json!({"success": false, "error": {"code": code, "message": "as told", "extra": 7}}))
                    }
                    Reply::Succeed(status, data) => (status, json!({"success": true, "data": data})),
                };
                let body = envelope.to_string();
                let head = format!(
                    "HTTP/1.1 {status} Told\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                // The client may have gone, which is its own business.
                let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
            }
        });
        Self { address, requests, task }
    }

    /// Where it listens, for `aw`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Heads and bodies of the requests so far.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no panics there").clone()
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read_request(stream: &mut (impl AsyncReadExt + Unpin)) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lengths = head.lines().filter_map(|line| line.split_once(':'));
            let mut lengths = lengths.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
            let length = lengths.next().map_or(0, |(_, value)| value.trim().parse().unwrap_or(0));
            if body.len() >= length {
                return text;
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return text;
        }
    }
}
