//! `/ws`: the list of debates, live.

use std::convert::Infallible;

use tokio::sync::broadcast::error::RecvError;

use super::{
    connection::{Connection, End},
    message::Told,
};

/// Shows the list until the connection ends.
pub(super) async fn show(mut connection: Box<Connection>, limit: u64) {
    let Err(end) = follow(&mut connection, limit).await;
    Box::pin(connection.close(end)).await;
}

async fn follow(connection: &mut Connection, limit: u64) -> Result<Infallible, End> {
    let app = connection.app.clone();
    let (mut commits, list) = match Box::pin(app.debate_watch(limit)).await {
        Ok(watched) => watched,
        Err(fault) => return Err(Box::pin(connection.refuse(fault)).await),
    };
    connection.tell(Told::initial_list(list)).await?;
    loop {
        tokio::select! {
            incoming = connection.incoming() => Box::pin(connection.attend(incoming?)).await?,
            commit = commits.recv() => match commit {
                Ok(commit) => connection.tell(Told::DebateChanged(commit.debate.clone().into())).await?,
                Err(RecvError::Lagged(_)) => return Err(End::TooSlow),
                Err(RecvError::Closed) => return Err(End::Stopping),
            },
        }
    }
}
