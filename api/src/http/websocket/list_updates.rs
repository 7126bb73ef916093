//! `/ws` without `debate_id`: the list of debates.

use std::convert::Infallible;

use tokio::sync::broadcast::error::RecvError;

use super::{
    connection::{CloseReason, Connection},
    server_message_json::ServerMessage,
};

/// Sends the list and its changes until the connection ends.
pub(super) async fn run(mut connection: Box<Connection>, limit: u64) {
    let Err(reason) = send_updates(&mut connection, limit).await;
    Box::pin(connection.close(reason)).await;
}

async fn send_updates(connection: &mut Connection, limit: u64) -> Result<Infallible, CloseReason> {
    let app = connection.app.clone();
    let (mut changes, list) = Box::pin(app.debate_list_subscribe(limit)).await?;
    let held = connection.room.hold(0)?;
    Box::pin(connection.send_large(ServerMessage::InitialList(list.into()), held)).await?;
    loop {
        tokio::select! {
            incoming = connection.receive() => Box::pin(connection.handle(incoming?)).await?,
            changed = changes.recv() => match changed {
                Ok(debate) => connection.send(ServerMessage::DebateChanged(debate.into())).await?,
                Err(RecvError::Lagged(_)) => return Err(CloseReason::TooSlow),
                Err(RecvError::Closed) => return Err(CloseReason::ServerStopping),
            },
        }
    }
}
