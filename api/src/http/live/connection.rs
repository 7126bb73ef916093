//! One viewer's connection: what goes out, what comes in, and when it ends.

use std::{io, pin::Pin, sync::Arc, time::Duration};

use futures_util::{SinkExt, StreamExt};
use poem::web::websocket::{CloseCode, Message, WebSocketStream};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};
use tokio_util::sync::CancellationToken;

use super::message::{self, Asked, Told, read};
use crate::{
    app::{App, Error},
    http::{
        caller::Watcher,
        contract::{ArgumentView, ErrorView},
        failure, parse,
    },
};

/// How long a viewer may take to receive what it is sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a viewer that says nothing is asked whether it is still there; it has until the next time to answer.
const HEARTBEAT: Duration = Duration::from_secs(30);

/// Why a connection ends.
#[derive(Debug)]
pub(super) enum End {
    /// The viewer has left
    Gone,
    /// The viewer takes longer to receive than there is patience for
    TooSlow,
    /// What was asked for is not there; the viewer has been told
    Refused,
    /// The viewer sent something that is no message; it has been told
    NotAMessage(CloseCode),
    /// The store failed; the viewer has been told
    Failed,
    /// The server stops
    Stopping,
}

impl From<io::Error> for End {
    fn from(_: io::Error) -> Self {
        Self::Gone
    }
}

/// What a connection has to attend to besides what its room has to tell.
pub(super) enum Incoming {
    Message(Message),
    NotAMessage,
    Heartbeat,
}

/// A message on its way out. Boxed, as a connection is kept for hours and has seldom something to say.
pub(super) type Sending<'c> = Pin<Box<dyn Future<Output = Result<(), End>> + Send + 'c>>;

pub(super) struct Connection {
    socket: WebSocketStream,
    pub app: Arc<App>,
    watcher: Watcher,
    stopping: CancellationToken,
    heartbeat: Interval,
    /// Whether anything has come since the last heartbeat
    alive: bool,
}

impl Connection {
    pub fn new(socket: WebSocketStream, app: Arc<App>, watcher: Watcher, stopping: CancellationToken) -> Self {
        let mut heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { socket, app, watcher, stopping, heartbeat, alive: true }
    }

    /// Tells the viewer something.
    pub fn tell(&mut self, told: Told) -> Sending<'_> {
        self.send(Message::Text(told.to_text()))
    }

    /// Tells the viewer several things in one go.
    pub fn tell_texts<'c>(&'c mut self, texts: &'c [String]) -> Sending<'c> {
        let sending = async move {
            for text in texts {
                self.socket.feed(Message::Text(text.clone())).await?;
            }
            self.socket.flush().await
        };
        within_patience(sending)
    }

    /// Tells the viewer what is wrong.
    pub fn tell_fault(&mut self, request_id: Option<String>, fault: Error) -> Sending<'_> {
        self.tell(Told::Error { request_id, error: failure::view(fault) })
    }

    /// Tells the viewer why there is nothing to see, and gives the reason for the connection to end.
    pub async fn refuse(&mut self, fault: Error) -> End {
        let end = match &fault {
            Error::Unavailable | Error::Internal | Error::Overloaded => End::Failed,
            Error::Invalid { .. }
            | Error::TooLarge { .. }
            | Error::NotAllowed(_)
            | Error::DebateNotFound(_)
            | Error::ArgumentNotFound(_)
            | Error::DebateExists(_)
            | Error::DocumentMissing(_)
            | Error::IdempotencyConflict(_) => End::Refused,
        };
        match self.tell_fault(None, fault).await {
            Ok(()) => end,
            Err(end) => end,
        }
    }

    fn send(&mut self, message: Message) -> Sending<'_> {
        within_patience(self.socket.send(message))
    }

    /// Returns with what comes in next.
    pub async fn incoming(&mut self) -> Result<Incoming, End> {
        tokio::select! {
            () = self.stopping.cancelled() => Err(End::Stopping),
            message = self.socket.next() => match message {
                Some(Ok(message)) => Ok(Incoming::Message(message)),
                // What is no frame, or one over the limit.
                Some(Err(error)) if error.kind() == io::ErrorKind::Other => Ok(Incoming::NotAMessage),
                Some(Err(_)) | None => Err(End::Gone),
            },
            _ = self.heartbeat.tick() => Ok(Incoming::Heartbeat),
        }
    }

    /// Does what came in asks for.
    pub async fn attend(&mut self, incoming: Incoming) -> Result<(), End> {
        let message = match incoming {
            Incoming::Heartbeat if !self.alive => return Err(End::Gone),
            Incoming::Heartbeat => {
                self.alive = false;
                return self.send(Message::Ping(Vec::new())).await;
            }
            Incoming::NotAMessage => {
                let longest = super::longest_message(self.app.limits());
                let fault =
                    format!("is none, or too long: messages are JSON in text frames of at most {longest} bytes");
                self.tell_fault(None, Error::invalid("message", fault)).await?;
                return Err(End::NotAMessage(CloseCode::Size));
            }
            Incoming::Message(message) => message,
        };
        self.alive = true;
        match message {
            Message::Text(text) => self.act(&text).await,
            Message::Binary(_) => {
                let fault = Error::invalid("message", "is binary; messages are JSON in text frames");
                self.tell_fault(None, fault).await?;
                Err(End::NotAMessage(CloseCode::Unsupported))
            }
            Message::Close(_) => Err(End::Gone),
            Message::Ping(_) | Message::Pong(_) => Ok(()),
        }
    }

    async fn act(&mut self, text: &str) -> Result<(), End> {
        let (request_id, asked) = read(text, self.app.limits());
        let done = match asked {
            Ok(asked) => self.carry_out(asked).await,
            Err(fault) => Err(failure::view(fault)),
        };
        let told = match done {
            Ok(argument) => Told::Accepted { request_id, argument },
            Err(error) => Told::Error { request_id, error },
        };
        self.tell(told).await
    }

    async fn carry_out(&mut self, asked: Asked) -> Result<ArgumentView, ErrorView> {
        let limits = self.app.limits();
        let told = |fault| failure::view(message::fault(fault));
        let submitted = match asked {
            Asked::Ruling(id, body) => {
                let (close, chosen, content, request) = parse::ruling(body, limits).map_err(told)?;
                let permission = self.watcher.permission().map_err(failure::refused_view)?;
                self.app.debate_ruling(permission, id, close, chosen, content, request).await
            }
            Asked::Intervention(id, body) => {
                let (content, request) = parse::intervention(body, limits).map_err(told)?;
                let permission = self.watcher.permission().map_err(failure::refused_view)?;
                self.app.debate_intervention(permission, id, content, request).await
            }
        };
        submitted.map(|submitted| (&*submitted.argument).into()).map_err(failure::view)
    }

    /// Ends the connection, telling why.
    pub async fn close(&mut self, end: End) {
        let patience = if matches!(end, End::TooSlow) { SLOW_PARTING } else { PARTING };
        let (code, reason) = match end {
            End::Gone => (CloseCode::Normal, ""),
            End::TooSlow => (CloseCode::Again, "too slow to keep up; connect again for everything"),
            End::Refused => (CloseCode::Policy, "there is no such debate"),
            End::NotAMessage(code) => (code, "not a message"),
            End::Failed => (CloseCode::Error, "the store cannot answer now"),
            End::Stopping => (CloseCode::Away, "the server stops"),
        };
        let parting = async {
            self.socket.send(Message::Close(Some((code, reason.to_owned())))).await?;
            // The other side answers a close with its own; until then what was sent may still be on its way.
            while let Some(Ok(_)) = self.socket.next().await {}
            self.socket.close().await
        };
        // Whether the parting is heard is the viewer's own affair.
        let _ = timeout(patience, parting).await;
    }
}

fn within_patience<'c>(sending: impl Future<Output = io::Result<()>> + Send + 'c) -> Sending<'c> {
    Box::pin(async move {
        match timeout(PATIENCE, sending).await {
            Ok(sent) => Ok(sent?),
            Err(_) => Err(End::TooSlow),
        }
    })
}

/// How long an ending connection may take over its parting.
const PARTING: Duration = Duration::from_secs(5);

/// The same for one that is slow: it hears why only after all that is still on its way.
const SLOW_PARTING: Duration = Duration::from_secs(20);
