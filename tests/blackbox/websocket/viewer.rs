//! A WebSocket client for tests.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tests::{client::Client, ids, polling::DEADLINE, raw_http, server::Server};
use tokio::{
    net::{TcpSocket, TcpStream},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{self, Message, client::IntoClientRequest, http::HeaderValue},
};

/// A WebSocket connection and all messages on it.
pub struct Viewer {
    socket: WebSocketStream<TcpStream>,
    /// The messages received
    pub received: Vec<Value>,
    /// The actions sent
    pub sent: Vec<Value>,
}

/// How a connection was closed.
#[derive(Debug)]
pub struct Closed {
    /// The code of the close frame
    pub code: u16,
    /// The events before the close frame
    pub before: Vec<Event>,
}

/// An event from the server.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The event's name
    pub name: String,
    /// The event's data
    pub data: Value,
}

impl Viewer {
    /// Connects to one debate and returns its `initial_state` as well.
    pub async fn of_debate(server: &Server, id: &str) -> (Self, Value) {
        Self::at(server, &format!("/ws?debate_id={id}")).await
    }

    /// Connects to the list and returns its `initial_state` as well.
    pub async fn of_list(server: &Server) -> (Self, Value) {
        Self::at(server, "/ws").await
    }

    /// Connects to this path and returns the `initial_state` as well.
    pub async fn at(server: &Server, path: &str) -> (Self, Value) {
        let mut viewer = Self::connect(server.address(), path, &[]).await;
        let state = viewer.expect("initial_state").await;
        (viewer, state)
    }

    /// Opens a connection. The handshake must succeed.
    pub async fn connect(address: SocketAddr, path: &str, headers: &[(&'static str, &str)]) -> Self {
        let stream = raw_http::open(address).await.expect("the server listens");
        Self::over(stream, address, path, headers).await
    }

    /// A viewer that reads nothing but what its kernel takes, which is little.
    pub async fn that_never_reads(server: &Server, path: &str) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4_096).expect("a small buffer");
        let stream = socket.connect(server.address()).await.expect("a connection");
        Self::over(stream, server.address(), path, &[]).await
    }

    /// Opens a WebSocket over an existing TCP connection.
    async fn over(stream: TcpStream, address: SocketAddr, path: &str, headers: &[(&'static str, &str)]) -> Self {
        let mut request = format!("ws://{address}{path}").into_client_request().expect("an address");
        for (name, value) in headers {
            request.headers_mut().insert(*name, HeaderValue::from_str(value).expect("plain text"));
        }
        let opened = timeout(DEADLINE, client_async(request, stream)).await;
        let (socket, _) = match opened {
            Ok(Ok(opened)) => opened,
            Ok(Err(e)) => panic!("{path}: the handshake failed: {e}"),
            Err(_) => panic!("{path}: no answer to the handshake"),
        };
        Self { socket, received: Vec::new(), sent: Vec::new() }
    }

    /// The next event.
    pub async fn next(&mut self) -> Event {
        match self.receive().await {
            Ok(event) => event,
            Err(code) => panic!("the connection was closed with {code:?} instead of another event"),
        }
    }

    /// The data of the next event, which must have this name.
    #[track_caller]
    pub fn expect(&mut self, name: &str) -> impl Future<Output = Value> {
        let place = std::panic::Location::caller();
        async move {
            let event = self.next().await;
            assert_eq!(event.name, name, "{place}: {event:?}");
            event.data
        }
    }

    /// The data of the next events, which must have these names in any order.
    pub async fn expect_all<const N: usize>(&mut self, names: [&str; N]) -> [Value; N] {
        let mut events = Vec::new();
        for _ in names {
            events.push(self.next().await);
        }
        names.map(|name| {
            let place = events.iter().position(|event| event.name == name);
            let place = place.unwrap_or_else(|| panic!("no {name} in {events:?}"));
            events.remove(place).data
        })
    }

    /// Reads until the server closes the connection.
    pub async fn closed(mut self) -> Closed {
        let mut before = Vec::new();
        loop {
            match self.receive().await {
                Ok(event) => before.push(event),
                Err(Some(code)) => return Closed { code, before },
                Err(None) => panic!("the connection broke off without a close frame, after {before:?}"),
            }
        }
    }

    /// The next event, or the code of the close frame.
    async fn receive(&mut self) -> Result<Event, Option<u16>> {
        loop {
            let message = timeout(DEADLINE, self.socket.next()).await;
            let message = message.unwrap_or_else(|_| panic!("nothing came for {DEADLINE:?}"));
            match message {
                Some(Ok(Message::Text(text))) => {
                    let message: Value =
                        serde_json::from_str(&text).unwrap_or_else(|e| panic!("not JSON ({e}): {text}"));
                    let keys: Vec<&String> = message.as_object().expect("a message is an object").keys().collect();
                    assert_eq!(keys, ["event", "data"], "{message}");
                    let name = message["event"].as_str().expect("an event has a name").to_owned();
                    let event = Event { name, data: message["data"].clone() };
                    self.received.push(message);
                    return Ok(event);
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(frame))) => return Err(frame.map(|frame| frame.code.into())),
                Some(Ok(other)) => panic!("a frame that is no text: {other:?}"),
                Some(Err(_)) | None => return Err(None),
            }
        }
    }

    /// Sends an action with a new request id and returns the id.
    pub async fn act(&mut self, event: &str, mut data: Value) -> String {
        let request_id = ids::fresh();
        data["request_id"] = request_id.clone().into();
        self.say(event, data).await;
        request_id
    }

    /// Sends an action.
    pub async fn say(&mut self, event: &str, data: Value) {
        let message = json!({"event": event, "data": data});
        self.send(Message::text(message.to_string())).await;
        self.sent.push(message);
    }

    /// Sends a message.
    pub async fn send(&mut self, message: Message) {
        self.try_send(message).await.expect("the connection is open");
    }

    /// Sends a message to a server that may have closed the connection.
    pub async fn try_send(&mut self, message: Message) -> tungstenite::Result<()> {
        timeout(DEADLINE, self.socket.send(message)).await.expect("the server reads")
    }

    /// Sends a text and returns the error in response.
    pub async fn fault(&mut self, text: &str) -> Value {
        self.send(Message::text(text)).await;
        self.expect("error").await
    }
}

/// A valid handshake as a plain HTTP request.
pub fn handshake(client: &Client, path: &str) -> raw_http::Request {
    let request = client.request("GET", path).header("Connection", &["Upgrade"]).header("Upgrade", &["websocket"]);
    request.header("Sec-WebSocket-Version", &["13"]).header("Sec-WebSocket-Key", &["dGhlIHNhbXBsZSBub25jZQ=="])
}
