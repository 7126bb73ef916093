//! `/ws?debate_id=…`: one debate, live.

use std::sync::Arc;

use super::{
    connection::{Connection, End},
    message::Told,
};
use crate::{
    app::{Page, Woken},
    domain::{Argument, Debate, DebateId},
};

/// Shows a debate until the connection ends.
pub(super) async fn show(mut connection: Box<Connection>, id: DebateId, page: Page) {
    let Err(end) = follow(&mut connection, id, page).await;
    Box::pin(connection.close(end)).await;
}

async fn follow(connection: &mut Connection, id: DebateId, page: Page) -> Result<std::convert::Infallible, End> {
    let app = connection.app.clone();
    // Boxed is what is over soon: a connection is kept for hours, and costs what its largest step takes.
    let mut follower = match Box::pin(app.debate_follow(id)).await {
        Ok(follower) => follower,
        Err(fault) => return Err(Box::pin(connection.refuse(fault)).await),
    };
    let context = match Box::pin(app.debate_context_of(follower.debate().clone(), page)).await {
        Ok(context) => context,
        Err(fault) => return Err(Box::pin(connection.refuse(fault)).await),
    };
    connection.tell(Told::initial_debate(context)).await?;
    let waiting = follower.waiting();
    if !waiting.is_empty() {
        connection.tell(Told::presence(id, waiting)).await?;
    }
    loop {
        tokio::select! {
            incoming = connection.incoming() => Box::pin(connection.attend(incoming?)).await?,
            woken = follower.woken() => match woken {
                Woken::Waiting(waiting) => connection.tell(Told::presence(id, waiting)).await?,
                Woken::News(wakeup) => {
                    let added = match Box::pin(app.debate_catch_up(&mut follower, &wakeup.commit)).await {
                        Ok(added) => added,
                        Err(fault) => return Err(Box::pin(connection.refuse(fault)).await),
                    };
                    let told = || render(&added, follower.debate());
                    match added.len() {
                        0 => {}
                        // What all who are up to date are told.
                        1 => connection.tell_texts(wakeup.rendered(told)).await?,
                        _ => connection.tell_texts(&told()).await?,
                    }
                }
            },
        }
    }
}

fn render(added: &[Arc<Argument>], debate: &Debate) -> Box<[String]> {
    let arguments = added.iter().map(|argument| Told::new_argument(argument).to_text());
    arguments.chain([Told::state_changed(debate).to_text()]).collect()
}
