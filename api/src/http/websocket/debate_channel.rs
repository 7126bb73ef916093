//! `/ws?debate_id=…`: one debate.

use std::{convert::Infallible, sync::Arc};

use super::{
    connection::{CloseReason, Connection},
    message::ServerMessage,
};
use crate::{
    app::{ArgumentFilter, Event},
    domain::{Argument, Debate, DebateId},
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
    let (mut subscription, mut debate) = match Box::pin(app.debate_subscribe(id)).await {
        Ok(subscribed) => subscribed,
        Err(error) => return Err(Box::pin(connection.fail(error)).await),
    };
    let (motion, arguments) = match Box::pin(app.debate_arguments(&debate, filter)).await {
        Ok(arguments) => arguments,
        Err(error) => return Err(Box::pin(connection.fail(error)).await),
    };
    connection.send(ServerMessage::initial_debate(debate.clone(), &motion, &arguments)).await?;
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
                    let render = || render(&added, &debate);
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

fn render(added: &[Arc<Argument>], debate: &Debate) -> Box<[String]> {
    let arguments = added.iter().map(|argument| ServerMessage::new_argument(argument).to_text());
    arguments.chain([ServerMessage::state_changed(debate).to_text()]).collect()
}
