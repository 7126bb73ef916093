//! `/ws`: the arbitrator's live view of one debate, or of the list (SPEC section 6).

mod connection;
mod debate_room;
mod list_room;
mod message;

use std::sync::Arc;

use poem::{
    IntoResponse, Request, Response, Result, handler,
    web::websocket::{WebSocket, WebSocketConfig},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    caller::Watcher,
    input,
    param::{self, Count, Number},
};
use crate::{
    app::{App, Error, Page},
    domain::{DebateId, Limits},
};
use connection::Connection;

/// How much of a message is read at once: more connections fit into memory the smaller it is.
const READ_BUFFER: usize = 2 * 1024;

/// How much is gathered before it is sent without being asked to: an argument and the change of state that it makes go out
/// together. What is gathered is what takes memory, not this bound.
const WRITE_BUFFER: usize = 32 * 1024;

/// What all live connections share.
#[derive(Clone)]
pub(super) struct Live {
    app: Arc<App>,
    stopping: CancellationToken,
    open: TaskTracker,
}

impl Live {
    pub fn new(app: Arc<App>, stopping: CancellationToken, open: TaskTracker) -> Self {
        Self { app, stopping, open }
    }
}

/// What a viewer asked to see.
enum Room {
    Debate(DebateId, Page),
    List { limit: u64 },
}

impl Room {
    fn asked_for(request: &Request) -> Result<Self> {
        let number = |name| Ok::<_, Error>(param::optional::<Count>(request, name)?.map(|count| count.0));
        Ok(match param::optional::<DebateId>(request, "debate_id")? {
            Some(id) => {
                Self::Debate(id, Page { limit: number("limit")?, before_seq: None, after_seq: number("after_seq")? })
            }
            None => {
                let limit = param::optional::<Number<1, 200>>(request, "limit")?;
                Self::List { limit: limit.map_or(50, |limit| limit.0) }
            }
        })
    }
}

/// Refuses the handshake where the request itself is at fault; whatever comes later is told over the connection.
#[handler]
pub(super) async fn live(request: &Request, watcher: Watcher, websocket: Result<WebSocket>) -> Result<Response> {
    let room = Room::asked_for(request)?;
    let websocket = websocket.map_err(|_| Error::invalid("request", "is not a WebSocket handshake"))?;
    let Some(live) = request.data::<Live>().cloned() else { return Err(Error::Internal.into()) };
    let longest = longest_message(live.app.limits());
    let config = WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_message_size(Some(longest))
        .max_frame_size(Some(longest));
    let open = live.open.clone();
    let upgraded = websocket.config(config).on_upgrade(move |socket| {
        let Live { app, stopping, .. } = live;
        // Boxed, as each future that it is handed on to would keep a place for it.
        let connection = Box::new(Connection::new(socket, app, watcher, stopping));
        open.track_future(async move {
            match room {
                Room::Debate(id, page) => debate_room::show(connection, id, page).await,
                Room::List { limit } => list_room::show(connection, limit).await,
            }
        })
    });
    Ok(upgraded.into_response())
}

/// The longest message that is taken: a ruling whose every byte is escaped, and what stands around it.
fn longest_message(limits: &Limits) -> usize {
    const AROUND: usize = 4 * 1024;
    input::WIDEST_ESCAPE * limits.max_content_bytes + AROUND
}
