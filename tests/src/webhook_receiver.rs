//! A receiver of webhook messages, which may fail, hang, end and come back.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde_json::Value;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

use crate::{os, polling, raw_http};

/// A secret of 32 bytes.
pub const SECRET: &str = "whsec_QUVHSVNfT0ZfVEhFX0RFQkFURV9TRVJWRVJfMDAwMQ==";

/// What the receiver does with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// Answers with this status.
    Answer(u16),
    /// Answers with a redirect to this port of this machine.
    Redirect(u16),
    /// Closes the connection without an answer.
    HangUp,
    /// Never answers.
    Hang,
    /// Sends the first text, and then the second one again and again.
    Endless(&'static str, &'static str),
}

/// A message as it was received.
#[derive(Clone, Debug)]
pub struct Received {
    /// The path and query.
    pub path: String,
    /// The headers in order, their names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
    /// What the receiver did with it.
    pub reception: Reception,
}

impl Received {
    /// The value of a header.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or_else(|| panic!("no header {name} in {self:?}"), |(_, value)| value.as_str())
    }

    /// The message.
    pub fn message(&self) -> Value {
        serde_json::from_str(&self.body).expect("messages are JSON")
    }

    /// Whether the receiver took it.
    pub fn was_taken(&self) -> bool {
        matches!(self.reception, Reception::Answer(200..300))
    }
}

type Policy = Arc<dyn Fn(usize) -> Reception + Send + Sync>;

/// A running receiver, or one that has ended and keeps its port.
pub struct WebhookReceiver {
    address: SocketAddr,
    policy: Policy,
    received: Arc<Mutex<Vec<Received>>>,
    sent: Arc<AtomicUsize>,
    serving: Option<JoinSet<()>>,
}

impl WebhookReceiver {
    /// Starts a receiver that takes every message.
    pub async fn start() -> Self {
        Self::with(|_| Reception::Answer(204)).await
    }

    /// Starts a receiver that asks `policy` with the number of each message, from 0.
    pub async fn with(policy: impl Fn(usize) -> Reception + Send + Sync + 'static) -> Self {
        Self::at(Ipv4Addr::LOCALHOST.into(), policy).await
    }

    /// Starts a receiver at this address.
    pub async fn at(address: IpAddr, policy: impl Fn(usize) -> Reception + Send + Sync + 'static) -> Self {
        let address = SocketAddr::new(address, os::free_port());
        let (received, sent) = (Arc::default(), Arc::default());
        let mut receiver = Self { address, policy: Arc::new(policy), received, sent, serving: None };
        receiver.resume().await;
        receiver
    }

    /// The URL for `--webhook-url`.
    pub fn url(&self) -> String {
        format!("http://{}/hook?key=secret-path", self.address)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Ends at once, in the middle of what it does.
    pub async fn stop(&mut self) {
        if let Some(mut serving) = self.serving.take() {
            serving.shutdown().await;
        }
    }

    /// Comes back to its port.
    pub async fn resume(&mut self) {
        let listener = TcpListener::bind(self.address).await.expect("the port is free");
        let (policy, received, sent) = (self.policy.clone(), self.received.clone(), self.sent.clone());
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (stream, _) = listener.accept().await.expect("accepting works");
                connections.spawn(serve(stream, policy.clone(), received.clone(), sent.clone()));
                while connections.try_join_next().is_some() {}
            }
        });
        self.serving = Some(serving);
    }

    /// How many bytes of endless answers the server and the buffers of both sockets have taken.
    pub fn sent(&self) -> usize {
        self.sent.load(Ordering::Relaxed)
    }

    /// All messages so far, also those that were not taken.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().expect("the lock is not poisoned").clone()
    }

    /// Waits until it holds for the messages so far.
    pub async fn wait_for<T>(&self, what: &str, found: impl Fn(&[Received]) -> Option<T>) -> T {
        polling::until(what, || found(&self.received.lock().expect("the lock is not poisoned"))).await
    }

    /// Waits until it has taken this many messages, and returns these.
    pub async fn taken(&self, count: usize) -> Vec<Received> {
        let what = format!("{count} messages that the receiver took");
        self.wait_for(&what, |received| {
            let taken: Vec<_> = received.iter().filter(|one| one.was_taken()).cloned().collect();
            (taken.len() >= count).then_some(taken)
        })
        .await
    }
}

async fn serve(mut stream: TcpStream, policy: Policy, received: Arc<Mutex<Vec<Received>>>, sent: Arc<AtomicUsize>) {
    while let Some(request) = raw_http::read_request(&mut stream).await {
        let reception = {
            let mut received = received.lock().expect("the lock is not poisoned");
            let reception = policy(received.len());
            received.push(parse(&request, reception));
            reception
        };
        let (status, more) = match reception {
            Reception::Answer(status) => (status, String::new()),
            Reception::Redirect(port) => (307, format!("Location: http://127.0.0.1:{port}/\r\n")),
            Reception::HangUp => return,
            Reception::Hang => std::future::pending().await,
            Reception::Endless(first, more) => {
                let mut text = first.to_owned();
                while stream.write_all(text.as_bytes()).await.is_ok() {
                    sent.fetch_add(text.len(), Ordering::Relaxed);
                    text = more.repeat(4_000);
                }
                return;
            }
        };
        let length = if status == 204 { "" } else { "Content-Length: 0\r\n" };
        let head = format!("HTTP/1.1 {status} Scripted\r\n{length}{more}\r\n");
        if stream.write_all(head.as_bytes()).await.is_err() {
            return;
        }
    }
}

fn parse(request: &str, reception: Reception) -> Received {
    let (head, body) = request.split_once("\r\n\r\n").expect("a request has a head");
    let mut lines = head.lines();
    let path = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a request line has a path").to_owned();
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect();
    Received { path, headers, body: body.to_owned(), reception }
}
