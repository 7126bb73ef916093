//! One WebSocket connection: sending, receiving and closing.

use std::{io, pin::Pin, sync::Arc, time::Duration};

use futures_util::{SinkExt, StreamExt};
use poem::web::websocket::{CloseCode, Message, WebSocketStream};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};
use tokio_util::sync::CancellationToken;

use super::{
    client_messages::{ClientMessage, parse, rename_request_id},
    server_message_json::ServerMessage,
};
use crate::{
    app::{App, CorrelationId, DebateWritten, Error},
    http::{
        ErrorCode,
        auth::WebSocketAuth,
        contract,
        large_bodies::{Held, Room, SMALL_BYTES},
        request_bodies,
    },
};

/// How long a client may take to receive a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// How often a ping is sent. The connection is closed if nothing was received between two pings.
const PING_INTERVAL: Duration = Duration::from_secs(30);

/// How long closing a connection may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// How long closing may take for a slow client, which receives the close frame only after everything sent before.
const SLOW_CLOSE_TIMEOUT: Duration = Duration::from_secs(20);

/// Why a connection is closed.
#[derive(Debug)]
pub(super) enum CloseReason {
    /// The client is gone
    ClientGone,
    /// The client does not receive messages fast enough
    TooSlow,
    /// This went wrong, which the client is told
    Failed(Box<Error>),
    /// The client sent something that is not a message, which it is told
    InvalidMessage(CloseCode, Box<Error>),
    /// The server stops
    ServerStopping,
}

impl From<io::Error> for CloseReason {
    fn from(_: io::Error) -> Self {
        Self::ClientGone
    }
}

impl From<Error> for CloseReason {
    fn from(error: Error) -> Self {
        Self::Failed(Box::new(error))
    }
}

/// What [`Connection::receive`] returns.
pub(super) enum Incoming {
    Message(Message),
    /// An invalid frame or a message over the limit
    Invalid,
    /// It is time to send a ping
    Ping,
}

/// The future of sending a message. Boxed, since a connection is open for hours and seldom sends.
pub(super) type Sending<'c> = Pin<Box<dyn Future<Output = Result<(), CloseReason>> + Send + 'c>>;

pub(super) struct Connection {
    socket: WebSocketStream,
    pub app: Arc<App>,
    pub room: Room,
    /// The room of the largest message so far, as the socket keeps its buffer
    held: Option<Held>,
    auth: WebSocketAuth,
    /// The id of the request that opened the connection
    request_id: CorrelationId,
    stopping: CancellationToken,
    pings: Interval,
    /// Whether anything was received since the last ping
    alive: bool,
}

impl Connection {
    pub fn new(
        socket: WebSocketStream,
        app: Arc<App>,
        room: Room,
        auth: WebSocketAuth,
        request_id: CorrelationId,
        stopping: CancellationToken,
    ) -> Self {
        let mut pings = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { socket, app, room, held: None, auth, request_id, stopping, pings, alive: true }
    }

    /// Sends a message.
    pub fn send(&mut self, message: ServerMessage) -> Sending<'_> {
        let text = message.to_text();
        if text.len() > SMALL_BYTES {
            return Box::pin(async move { self.send_large_texts(&[text]).await });
        }
        self.send_frame(Message::Text(text))
    }

    /// Sends a message that may be large, for which this room was taken.
    pub async fn send_large(&mut self, message: ServerMessage, mut held: Held) -> Result<(), CloseReason> {
        let text = message.to_text();
        drop(message);
        held.set(text.len())?;
        self.held = Some(held);
        self.send_frame(Message::Text(text)).await
    }

    /// Sends several rendered messages: with one flush, or each by itself if they are large.
    pub fn send_texts<'c>(&'c mut self, texts: &'c [String]) -> Sending<'c> {
        if texts.iter().map(String::len).sum::<usize>() > SMALL_BYTES {
            return Box::pin(self.send_large_texts(texts));
        }
        let sending = async move {
            for text in texts {
                self.socket.feed(Message::Text(text.clone())).await?;
            }
            self.socket.flush().await
        };
        with_timeout(sending)
    }

    /// Sends messages one by one, so that the socket's buffer is as large as the largest, for which this takes room.
    async fn send_large_texts(&mut self, texts: &[String]) -> Result<(), CloseReason> {
        let largest = texts.iter().map(String::len).max().unwrap_or_default();
        if self.held.as_ref().is_none_or(|held| !held.fits(largest)) {
            self.held = None;
            self.held = Some(self.room.wait_to_hold(largest).await?);
        }
        for text in texts {
            self.send_frame(Message::Text(text.clone())).await?;
        }
        Ok(())
    }

    fn send_frame(&mut self, message: Message) -> Sending<'_> {
        with_timeout(self.socket.send(message))
    }

    /// Waits for something to handle.
    pub async fn receive(&mut self) -> Result<Incoming, CloseReason> {
        tokio::select! {
            () = self.stopping.cancelled() => Err(CloseReason::ServerStopping),
            message = self.socket.next() => match message {
                Some(Ok(message)) => Ok(Incoming::Message(message)),
                Some(Err(error)) if error.kind() == io::ErrorKind::Other => Ok(Incoming::Invalid),
                Some(Err(_)) | None => Err(CloseReason::ClientGone),
            },
            _ = self.pings.tick() => Ok(Incoming::Ping),
        }
    }

    /// Handles what was received.
    pub async fn handle(&mut self, incoming: Incoming) -> Result<(), CloseReason> {
        let message = match incoming {
            Incoming::Ping if !self.alive => return Err(CloseReason::ClientGone),
            Incoming::Ping => {
                self.alive = false;
                return self.send_frame(Message::Ping(Vec::new())).await;
            }
            Incoming::Invalid => {
                let limit = super::max_message_bytes(self.app.limits());
                let error = format!("is invalid or too long: send JSON in text frames of at most {limit} bytes");
                return Err(not_a_message(CloseCode::Size, &error));
            }
            Incoming::Message(message) => message,
        };
        self.alive = true;
        match message {
            Message::Text(text) => self.handle_text(&text).await,
            Message::Binary(_) => Err(not_a_message(CloseCode::Unsupported, "is binary: send JSON in text frames")),
            Message::Close(_) => Err(CloseReason::ClientGone),
            Message::Ping(_) | Message::Pong(_) => Ok(()),
        }
    }

    async fn handle_text(&mut self, text: &str) -> Result<(), CloseReason> {
        let (request_id, message) = parse(text, self.app.limits());
        let result = match message {
            Ok(message) => self.submit(message).await,
            Err(error) => Err(error.into()),
        };
        self.send(match result {
            Ok(written) => ServerMessage::Accepted {
                request_id,
                argument: (&*written.argument).into(),
                unknown_citations: written.unknown_citations,
            },
            Err(error) => ServerMessage::error(request_id, error, &self.request_id),
        })
        .await
    }

    async fn submit(&mut self, message: ClientMessage) -> Result<DebateWritten, contract::Error> {
        let limits = self.app.limits();
        Ok(match message {
            ClientMessage::SubmitRuling(id, body) => {
                let ruling = request_bodies::ruling(body, Ok(id), limits).map_err(rename_request_id)?;
                self.app.debate_ruling(self.auth.permission()?, ruling, &self.request_id).await?
            }
            ClientMessage::SubmitIntervention(id, body) => {
                let intervention = request_bodies::intervention(body, Ok(id), limits).map_err(rename_request_id)?;
                self.app.debate_intervention(self.auth.permission()?, intervention, &self.request_id).await?
            }
        })
    }

    /// Closes the connection, after the client was told what went wrong.
    pub async fn close(&mut self, reason: CloseReason) {
        let time = if matches!(reason, CloseReason::TooSlow) { SLOW_CLOSE_TIMEOUT } else { CLOSE_TIMEOUT };
        let (code, text, error) = match reason {
            CloseReason::ClientGone => (CloseCode::Normal, "", None),
            CloseReason::TooSlow => (CloseCode::Again, "the client is too slow; connect again to get everything", None),
            CloseReason::InvalidMessage(code, error) => (code, "not a message", Some(error)),
            CloseReason::ServerStopping => (CloseCode::Away, "the server stops", None),
            CloseReason::Failed(error) => {
                let code = ErrorCode::from(&*error);
                let (code, text) = if code == ErrorCode::Overloaded {
                    (CloseCode::Again, "the server has no room for this now; connect again later")
                } else if code == ErrorCode::HistoryInvalid {
                    (CloseCode::Policy, "what is stored of the debate does not hold")
                } else if code.status().is_server_error() {
                    (CloseCode::Error, "the store cannot answer now")
                } else {
                    (CloseCode::Policy, "there is no such debate")
                };
                (code, text, Some(error))
            }
        };
        if let Some(error) = error {
            // Whoever cannot be told is gone or too slow.
            let _ = self.send(ServerMessage::error(None, (*error).into(), &self.request_id)).await;
        }
        let closing = async {
            self.socket.send(Message::Close(Some((code, text.to_owned())))).await?;
            // Wait for the client's close frame, so that it receives what was sent before.
            while let Some(Ok(_)) = self.socket.next().await {}
            self.socket.close().await
        };
        // The connection ends in any case, so an error or a timeout does not matter.
        let _ = timeout(time, closing).await;
    }
}

fn not_a_message(code: CloseCode, problem: &str) -> CloseReason {
    CloseReason::InvalidMessage(code, Box::new(Error::invalid("message", problem)))
}

fn with_timeout<'c>(sending: impl Future<Output = io::Result<()>> + Send + 'c) -> Sending<'c> {
    Box::pin(async move {
        match timeout(SEND_TIMEOUT, sending).await {
            Ok(sent) => Ok(sent?),
            Err(_) => Err(CloseReason::TooSlow),
        }
    })
}
