//! A server with scripted replies, for responses that a healthy server never gives.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, net::TcpListener, task::JoinHandle};

use crate::{polling, raw_http};

/// How the stub replies to a request.
#[derive(Clone)]
pub enum Reply {
    /// Responds with this status and error code.
    Fail(u16, &'static str),
    /// Responds with this status and data.
    Succeed(u16, Value),
    /// Responds with this status and JSON, which is none of the API.
    Foreign(u16, Value),
    /// Closes the connection without a response.
    HangUp,
}

/// A running stub server.
pub struct StubServer {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl StubServer {
    /// Starts a server on a free port. The n-th request gets the n-th reply; the last reply is repeated.
    pub async fn start(replies: Vec<Reply>) -> Self {
        Self::start_on("127.0.0.1:0".parse().expect("an address"), replies).await
    }

    /// Starts a server on this address.
    pub async fn start_on(address: SocketAddr, replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind(address).await.expect("the port is free");
        let address = listener.local_addr().expect("the listener is bound");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let task = tokio::spawn(async move {
            for turn in 0.. {
                let reply = replies.get(turn).or(replies.last()).expect("there is at least one reply");
                let (mut stream, _) = listener.accept().await.expect("accepting works");
                let request = raw_http::read_request(&mut stream).await.unwrap_or_default();
                seen.lock().expect("the lock is not poisoned").push(request);
                let (status, envelope) = match reply {
                    Reply::HangUp => continue,
                    Reply::Fail(status, code) => {
                        (status, json!({"success": false, "error": {"code": code, "message": "as told", "extra": 7}}))
                    }
                    Reply::Succeed(status, data) => (status, json!({"success": true, "data": data})),
                    Reply::Foreign(status, body) => (status, body.clone()),
                };
                let body = envelope.to_string();
                let head = format!(
                    "HTTP/1.1 {status} Scripted\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                // The client may have disconnected.
                let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
            }
        });
        Self { address, requests, task }
    }

    /// The server's URL for `aw`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Waits until this many requests have arrived.
    pub async fn wait_for_requests(&self, count: usize) {
        let what = format!("{count} requests to the stub server");
        polling::until(&what, || (self.requests().len() >= count).then_some(())).await;
    }

    /// Stops listening, so that a real server can take the port.
    pub async fn stop(mut self) {
        self.task.abort();
        // The listener is dropped with the task.
        let _ = (&mut self.task).await;
    }

    /// All requests so far, head and body.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("the lock is not poisoned").clone()
    }
}

impl Drop for StubServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}
