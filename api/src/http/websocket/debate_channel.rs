//! `/ws?debate_id=…`: one debate.

use std::{convert::Infallible, sync::Arc};

use super::{
    connection::{CloseReason, Connection},
    message::ServerMessage,
};
use crate::{
    app::{ArgumentFilter, Event},
    domain::{Argument, Debate, DebateId, Issue},
};

/// Sends the debate and its changes until the connection ends.
pub(super) async fn run(mut connection: Box<Connection>, id: DebateId, filter: ArgumentFilter) {
    let Err(reason) = send_updates(&mut connection, id, filter).await;
    Box::pin(connection.close(reason)).await;
}

async fn send_updates(
    connection: &mut Connection,
    id: DebateId,
    filter: ArgumentFilter,
) -> Result<Infallible, CloseReason> {
    let app = connection.app.clone();
    // Short steps are boxed, since a connection is open for hours and its future is as large as its largest step.
    let (mut subscription, _) = match Box::pin(app.debate_subscribe(id)).await {
        Ok(subscribed) => subscribed,
        Err(error) => return Err(Box::pin(connection.fail(error)).await),
    };
    let view = match Box::pin(app.debate_view(id, filter)).await {
        Ok(view) => view,
        Err(error) => return Err(Box::pin(connection.fail(error)).await),
    };
    let mut debate = view.debate.clone();
    connection.send(ServerMessage::initial_debate(view)).await?;
    let waiting = subscription.waiting();
    if !waiting.is_empty() {
        connection.send(ServerMessage::presence(id, waiting)).await?;
    }
    loop {
        tokio::select! {
            incoming = connection.receive() => Box::pin(connection.handle(incoming?)).await?,
            event = subscription.next_event() => match event {
                Event::Presence(waiting) => connection.send(ServerMessage::presence(id, waiting)).await?,
                Event::Commit(notification) => {
                    let added = match Box::pin(app.debate_catch_up(&mut debate, &notification.commit)).await {
                        Ok(added) => added,
                        Err(error) => return Err(Box::pin(connection.fail(error)).await),
                    };
                    let changed = match Box::pin(app.issues_changed_by(&added, &notification.commit)).await {
                        Ok(changed) => changed,
                        Err(error) => return Err(Box::pin(connection.fail(error)).await),
                    };
                    let render = || render(&added, &changed, &debate);
                    match added.len() {
                        0 => {}
                        // Every connection that is up to date sends the same messages, so they are rendered once.
                        1 => connection.send_texts(notification.messages(render)).await?,
                        _ => connection.send_texts(&render()).await?,
                    }
                }
            },
        }
    }
}

fn render(added: &[Arc<Argument>], changed: &[Vec<Issue>], debate: &Debate) -> Box<[String]> {
    let mut texts = Vec::with_capacity(added.len() + 1);
    for (argument, changed) in added.iter().zip(changed) {
        texts.push(ServerMessage::new_argument(argument).to_text());
        if !changed.is_empty() {
            texts.push(ServerMessage::issues_changed(debate, argument.seq, changed).to_text());
        }
    }
    texts.push(ServerMessage::state_changed(debate).to_text());
    texts.into()
}
