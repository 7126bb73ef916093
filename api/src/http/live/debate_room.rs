//! `/ws?debate_id=…`: one debate, live.

use super::{
    connection::{Connection, End},
    message::Told,
};
use crate::{
    app::{Page, Woken},
    domain::DebateId,
};

/// Shows a debate until the connection ends.
pub(super) async fn show(mut connection: Connection, id: DebateId, page: Page) {
    let Err(end) = follow(&mut connection, id, page).await;
    connection.close(end).await;
}

async fn follow(connection: &mut Connection, id: DebateId, page: Page) -> Result<std::convert::Infallible, End> {
    let app = connection.app.clone();
    let mut follower = match app.debate_follow(id).await {
        Ok(follower) => follower,
        Err(fault) => return Err(connection.refuse(fault).await),
    };
    let context = match app.debate_context_of(follower.debate().clone(), page).await {
        Ok(context) => context,
        Err(fault) => return Err(connection.refuse(fault).await),
    };
    connection.tell(&Told::initial_debate(context)).await?;
    let waiting = follower.waiting();
    if !waiting.is_empty() {
        connection.tell(&Told::presence(id, waiting)).await?;
    }
    loop {
        tokio::select! {
            incoming = connection.incoming() => connection.attend(incoming?).await?,
            woken = follower.woken() => match woken {
                Woken::Waiting(waiting) => connection.tell(&Told::presence(id, waiting)).await?,
                Woken::Commit(commit) => {
                    let added = match app.debate_catch_up(&mut follower, commit).await {
                        Ok(added) => added,
                        Err(fault) => return Err(connection.refuse(fault).await),
                    };
                    let changed = !added.is_empty();
                    for argument in added {
                        connection.tell(&Told::new_argument(&argument)).await?;
                    }
                    if changed {
                        connection.tell(&Told::state_changed(follower.debate())).await?;
                    }
                }
            },
        }
    }
}
