//! Follows a debate, or all debates, over the server's WebSocket.
//!
//! Only the fact that something changed is used. What changed is then requested with a `wait`, whose answer is made for
//! one role and complete.

use std::time::Duration;

use futures_util::StreamExt;
use progenitor_client::ClientInfo;
use reqwest::{StatusCode, Upgraded, header};
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::timeout;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Message,
        handshake::{client::generate_key, derive_accept_key},
        protocol::{Role, WebSocketConfig},
    },
};
use uuid::Uuid;

use super::{
    Client, is_gateway_error, request_id,
    retry::{RequestError, Retry},
    types,
};
use crate::output::failure::Failure;

/// The server pings every 30 s. After this long without a message the connection counts as lost.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);

/// A WebSocket connection that follows one debate, or all of them.
pub struct DebateSocket<'a> {
    client: &'a Client,
    socket: WebSocketStream<Upgraded>,
}

/// A message of the server. Unknown events are ignored.
#[derive(Deserialize)]
struct Event {
    event: String,
    #[serde(default)]
    data: Value,
}

impl<'a> DebateSocket<'a> {
    /// Follows one debate. Connects through the same HTTP client as every other request, with its URL, token and TLS settings.
    pub async fn of_debate(client: &'a Client, debate: Uuid) -> Result<Self, RequestError> {
        Self::connect(client, &format!("debate_id={debate}&limit=0")).await
    }

    /// Follows all debates.
    pub async fn of_all(client: &'a Client) -> Result<Self, RequestError> {
        Self::connect(client, "limit=1").await
    }

    async fn connect(client: &'a Client, query: &str) -> Result<Self, RequestError> {
        let key = generate_key();
        let answer = client
            .api
            .client()
            .get(format!("{}/ws?{query}", client.api.baseurl()))
            .header(header::CONNECTION, "Upgrade")
            .header(header::UPGRADE, "websocket")
            .header(header::SEC_WEBSOCKET_VERSION, "13")
            .header(header::SEC_WEBSOCKET_KEY, &key)
            .send()
            .await
            .map_err(|error| client.request_error(error.into()))?;
        let (status, request_id) = (answer.status(), request_id(answer.headers()));
        if status != StatusCode::SWITCHING_PROTOCOLS {
            return Err(match answer.json::<types::Refusal>().await {
                Ok(refusal) => client.refused(status, request_id, refusal),
                Err(_) if !is_gateway_error(status) => client.unexpected(&format!("it answered HTTP {status}")),
                Err(_) => client.unavailable(&format!("it answered HTTP {status} to a WebSocket handshake")),
            });
        }
        let accept = answer.headers().get(header::SEC_WEBSOCKET_ACCEPT);
        if accept.is_none_or(|accept| accept.as_bytes() != derive_accept_key(key.as_bytes()).as_bytes()) {
            return Err(client.unavailable("its WebSocket handshake is invalid"));
        }
        let stream = answer.upgrade().await.map_err(|error| client.request_error(error.into()))?;
        let config = WebSocketConfig::default().read_buffer_size(16 * 1024);
        let socket = WebSocketStream::from_raw_socket(stream, Role::Client, Some(config)).await;
        Ok(Self { client, socket })
    }

    /// Completes when something may have changed: once after connecting, and after every change.
    pub async fn changed(&mut self) -> Result<(), RequestError> {
        loop {
            let message = match timeout(IDLE_TIMEOUT, self.socket.next()).await {
                Err(_) => return Err(self.client.unavailable("the connection is idle")),
                Ok(None) => return Err(self.client.unavailable("it closed the connection")),
                Ok(Some(Err(error))) => return Err(self.client.unavailable(&error.to_string())),
                Ok(Some(Ok(message))) => message,
            };
            let Message::Text(text) = message else { continue };
            let Ok(Event { event, data }) = serde_json::from_str(&text) else { continue };
            match event.as_str() {
                "initial_state" | "state_changed" | "debate_changed" => return Ok(()),
                "error" => return Err(error_event(data)),
                _ => {}
            }
        }
    }
}

fn error_event(error: Value) -> RequestError {
    let mut error = if let Value::Object(error) = error { error } else { Map::new() };
    // Only if the server failed.
    let log_id = error.remove("log_id");
    let mut failure = Failure::from_server(error);
    if let Some(server) = &mut failure.server_error {
        server.request_id = log_id.and_then(|id| id.as_str().map(str::to_owned));
    }
    // Other errors are temporary: the server is stopping, or its database is unavailable.
    let retry = if failure.code == "DEBATE_NOT_FOUND" { Retry::Never } else { Retry::After(Duration::ZERO) };
    RequestError { failure: Box::new(failure), retry }
}
