//! Following a debate over the server's WebSocket.
//!
//! Only that something changed is taken from it; what did is asked for, since that answer is made for one role and misses
//! nothing.

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

use crate::{
    api::types,
    error::Failure,
    server::{Again, Server, Trouble},
};

/// How long nothing may come before the connection counts as lost: the server pings every 30 s.
const SILENCE: Duration = Duration::from_secs(75);

/// A debate that is followed.
pub struct Live<'a> {
    server: &'a Server,
    socket: WebSocketStream<Upgraded>,
}

/// Any message; those that are younger than this program too.
#[derive(Deserialize)]
struct Event {
    event: String,
    #[serde(default)]
    data: Value,
}

impl<'a> Live<'a> {
    /// Connects. The address, the token and the encryption are those of every other request.
    pub async fn of(server: &'a Server, debate: Uuid) -> Result<Self, Trouble> {
        let key = generate_key();
        let answer = server
            .api
            .client()
            .get(format!("{}/ws?debate_id={debate}&limit=0", server.api.baseurl()))
            .header(header::CONNECTION, "Upgrade")
            .header(header::UPGRADE, "websocket")
            .header(header::SEC_WEBSOCKET_VERSION, "13")
            .header(header::SEC_WEBSOCKET_KEY, &key)
            .send()
            .await
            .map_err(|error| server.trouble(error.into()))?;
        let status = answer.status();
        if status != StatusCode::SWITCHING_PROTOCOLS {
            return Err(match answer.json::<types::Refusal>().await {
                Ok(refusal) => server.refusal(status, refusal),
                Err(_) => server.away(&format!("it answered HTTP {status} to a WebSocket")),
            });
        }
        let accepted = answer.headers().get(header::SEC_WEBSOCKET_ACCEPT);
        if accepted.is_none_or(|accepted| accepted.as_bytes() != derive_accept_key(key.as_bytes()).as_bytes()) {
            return Err(server.away("what answers speaks no WebSocket"));
        }
        let stream = answer.upgrade().await.map_err(|error| server.trouble(error.into()))?;
        let config = WebSocketConfig::default().read_buffer_size(16 * 1024);
        let socket = WebSocketStream::from_raw_socket(stream, Role::Client, Some(config)).await;
        Ok(Self { server, socket })
    }

    /// Ends when the debate is other than it was, or may be: at once after connecting, and when it moved on.
    pub async fn changed(&mut self) -> Result<(), Trouble> {
        loop {
            let message = match timeout(SILENCE, self.socket.next()).await {
                Err(_) => return Err(self.server.away("it has fallen silent")),
                Ok(None) => return Err(self.server.away("it hung up")),
                Ok(Some(Err(error))) => return Err(self.server.away(&error.to_string())),
                Ok(Some(Ok(message))) => message,
            };
            let Message::Text(text) = message else { continue };
            let Ok(Event { event, data }) = serde_json::from_str(&text) else { continue };
            match event.as_str() {
                "initial_state" | "state_changed" => return Ok(()),
                "error" => return Err(refused(data)),
                _ => {}
            }
        }
    }
}

fn refused(error: Value) -> Trouble {
    let error = if let Value::Object(error) = error { error } else { Map::new() };
    let failure = Failure::refused(error);
    // Whatever else there is may pass: the server stops, or its store is away.
    let again = if failure.code == "DEBATE_NOT_FOUND" { Again::Useless } else { Again::After(Duration::ZERO) };
    Trouble { failure: Box::new(failure), again }
}
