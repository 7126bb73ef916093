//! `/ws`: the live view of one debate or of the list of debates.

mod client_messages;
mod connection;
mod debate_updates;
mod list_updates;
mod server_message_json;

use std::sync::Arc;

use poem::{
    IntoResponse, Request, Response, Result, handler,
    web::{
        Data,
        websocket::{WebSocket, WebSocketConfig},
    },
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    auth::WebSocketAuth,
    large_bodies::Room,
    params::{self, Count, DEFAULT_LIMIT, Limit},
    request_bodies::{MAX_CHANGES_BYTES, MAX_ESCAPE_BYTES},
};
use crate::{
    app::{App, ArgumentFilter, CorrelationId, Error},
    domain::{DebateId, Limits},
    prometheus_metrics,
};
use connection::Connection;

/// The size of the read buffer of a connection. It is small because there may be thousands of connections, and most of them
/// send nothing but pongs. A ruling is read in several pieces.
const READ_BUFFER_BYTES: usize = 512;

/// How many bytes are buffered before they are sent without a flush, so that an argument and the change of state that it
/// causes are sent together. The buffer grows only as needed.
const WRITE_BUFFER_BYTES: usize = 32 * 1024;

/// What all WebSockets share.
#[derive(Clone)]
pub(super) struct WebSockets {
    app: Arc<App>,
    room: Room,
    stopping: CancellationToken,
    tasks: TaskTracker,
}

impl WebSockets {
    pub fn new(app: Arc<App>, room: Room, stopping: CancellationToken, tasks: TaskTracker) -> Self {
        Self { app, room, stopping, tasks }
    }
}

/// What a connection shows.
enum Channel {
    Debate(DebateId, ArgumentFilter),
    List { limit: u64 },
}

impl Channel {
    fn from_query(request: &Request) -> Result<Self> {
        let number = |name| Ok::<_, Error>(params::optional::<Count>(request, name)?.map(|count| count.0));
        Ok(match params::optional::<DebateId>(request, "debate_id")? {
            Some(id) => {
                let (limit, after_seq) = (number("limit")?, number("after_seq")?);
                Self::Debate(id, ArgumentFilter { limit, before_seq: None, after_seq })
            }
            None => {
                let limit = params::optional::<Limit>(request, "limit")?;
                Self::List { limit: limit.map_or(DEFAULT_LIMIT, |limit| limit.0) }
            }
        })
    }
}

/// Errors of the request itself refuse the handshake; later errors are sent as messages.
#[handler]
pub(super) async fn websocket(
    request: &Request,
    request_id: Data<&CorrelationId>,
    auth: WebSocketAuth,
    websocket: Result<WebSocket>,
) -> Result<Response> {
    let channel = Channel::from_query(request)?;
    let websocket = websocket.map_err(|_| Error::invalid("request", "is not a WebSocket handshake"))?;
    let Some(shared) = request.data::<WebSockets>().cloned() else { return Err(Error::Internal.into()) };
    let max_bytes = max_message_bytes(shared.app.limits());
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_message_size(Some(max_bytes))
        .max_frame_size(Some(max_bytes));
    let (tasks, request_id) = (shared.tasks.clone(), request_id.clone());
    let scope = request_id.clone();
    let upgraded = websocket.config(config).on_upgrade(move |socket| {
        let WebSockets { app, room, stopping, .. } = shared;
        // Boxed, since each future that it is passed to would reserve memory for it.
        let connection = Box::new(Connection::new(socket, app, room, auth, request_id, stopping));
        tasks.track_future(scope.scope(async move {
            let _viewer = prometheus_metrics::viewer();
            match channel {
                Channel::Debate(id, filter) => debate_updates::run(connection, id, filter).await,
                Channel::List { limit } => list_updates::run(connection, limit).await,
            }
        }))
    });
    Ok(upgraded.into_response())
}

/// The maximum size of a client's message: a ruling in which every byte is escaped, with all its changes of issues and agents.
fn max_message_bytes(limits: &Limits) -> usize {
    const OTHER_FIELDS_BYTES: usize = 52 * 1024;
    MAX_ESCAPE_BYTES * limits.max_content_bytes + MAX_CHANGES_BYTES + OTHER_FIELDS_BYTES
}
