//! `/ws?debate_id=…`: one debate.

use std::{convert::Infallible, sync::Arc};

use tokio::time::{Instant, sleep_until};

use super::{
    connection::{CloseReason, Connection},
    server_message_json::ServerMessage,
};
use crate::{
    app::{App, ArgumentFilter, Event, Silence, Waiting},
    domain::{Argument, Debate, DebateId, Issue, Ledger},
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
    let (mut subscription, _) = Box::pin(app.debate_subscribe(id)).await?;
    let view = Box::pin(app.debate_view(id, filter)).await?;
    let mut debate = view.debate.clone();
    let held = connection.room.hold_arguments(&view.arguments)?;
    Box::pin(connection.send_large(ServerMessage::initial_debate(view), held)).await?;
    let mut presence = PresenceMessages { waiting: subscription.waiting(), ..PresenceMessages::default() };
    presence.update_silence(&app, &debate);
    if !presence.waiting.is_empty() || presence.silent.is_some() {
        connection.send(presence.message(id)).await?;
    }
    loop {
        let silence = async {
            match presence.ask_again_at {
                Some(time) => sleep_until(time).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            incoming = connection.receive() => Box::pin(connection.handle(incoming?)).await?,
            () = silence => {
                if presence.update_silence(&app, &debate) {
                    connection.send(presence.message(id)).await?;
                }
            }
            event = subscription.next_event() => match event {
                Event::Presence(waiting) => {
                    let is_new = presence.waiting != waiting;
                    presence.waiting = waiting;
                    if presence.update_silence(&app, &debate) || is_new {
                        connection.send(presence.message(id)).await?;
                    }
                }
                Event::Commit(notification) => {
                    let version = debate.version();
                    let added = Box::pin(app.debate_catch_up(&mut debate, &notification.commit)).await?;
                    let changed = Box::pin(app.issues_changed_by(&added, &notification.commit)).await?;
                    let render = || render(&added, &changed, &debate, &notification.commit.ledger);
                    match added.len() {
                        0 if debate.version() == version => {}
                        // A seat was freed.
                        0 => connection.send_texts(&render()).await?,
                        // Every connection that is up to date sends the same messages, so they are rendered once.
                        1 => connection.send_texts(notification.messages(render)).await?,
                        _ => connection.send_texts(&render()).await?,
                    }
                    if presence.update_silence(&app, &debate) {
                        connection.send(presence.message(id)).await?;
                    }
                }
            },
        }
    }
}

/// Who waits and who is silent, as it was sent.
#[derive(Default)]
struct PresenceMessages {
    waiting: Vec<Waiting>,
    silent: Option<Waiting>,
    /// When a side may become silent
    ask_again_at: Option<Instant>,
}

impl PresenceMessages {
    /// Finds out whether a side is silent now. Returns whether that has changed.
    fn update_silence(&mut self, app: &App, debate: &Debate) -> bool {
        let before = self.silent;
        (self.silent, self.ask_again_at) = match app.debate_silence(debate, &self.waiting) {
            Silence::Since(silent) => (Some(silent), None),
            Silence::None(again) => (None, again.map(|delay| Instant::now() + delay)),
        };
        self.silent != before
    }

    fn message(&self, id: DebateId) -> ServerMessage {
        ServerMessage::presence(id, &self.waiting, self.silent)
    }
}

fn render(added: &[Arc<Argument>], changed: &[Vec<Arc<Issue>>], debate: &Debate, ledger: &Ledger) -> Box<[String]> {
    let mut texts = Vec::with_capacity(added.len() + 1);
    for (argument, changed) in added.iter().zip(changed) {
        texts.push(ServerMessage::new_argument(argument).to_text());
        if !changed.is_empty() {
            texts.push(ServerMessage::issues_changed(debate, ledger, argument.seq, changed).to_text());
        }
    }
    texts.push(ServerMessage::state_changed(debate, ledger).to_text());
    texts.into()
}
