//! `/ws?debate_id=…`: one debate.

use std::{convert::Infallible, sync::Arc};

use tokio::time::{Instant, sleep_until};

use super::{
    connection::{CloseReason, Connection},
    server_message_json::ServerMessage,
};
use crate::{
    app::{App, ArgumentFilter, Commit, Event, Notification, Silence, Waiting},
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
                    Box::pin(send_commit(connection, &mut debate, &notification)).await?;
                    if presence.update_silence(&app, &debate) {
                        connection.send(presence.message(id)).await?;
                    }
                }
            },
        }
    }
}

/// Sends what a commit changed since `debate` was sent, and brings that up to date.
async fn send_commit(
    connection: &mut Connection,
    debate: &mut Debate,
    notification: &Notification,
) -> Result<(), CloseReason> {
    let (app, commit) = (connection.app.clone(), &notification.commit);
    let sent = debate.last_seq;
    if commit.debate.version() <= debate.version() {
        return Ok(());
    }
    *debate = commit.debate.clone();
    if debate.last_seq == sent + 1 {
        let render = || {
            let mut texts = of_argument(&commit.argument, commit.changed_issues().cloned(), commit);
            texts.push(ServerMessage::state_changed(&commit.debate, &commit.ledger).to_text());
            texts.into()
        };
        // Every connection that is up to date sends the same messages, so they are rendered once.
        return connection.send_texts(notification.messages(render)).await;
    }
    // Notifications were missed: the commit has only the newest argument. Few arguments are read at once, and the messages of one
    // rendered, since a client that reads slowly may have missed many.
    let mut after = sent;
    while after < debate.last_seq {
        let missed = app.debate_missed_arguments(debate, after).await?;
        after = missed.last().map_or(debate.last_seq, |(argument, _)| argument.seq);
        for (argument, changed) in missed {
            connection.send_texts(&of_argument(&argument, changed.into_iter(), commit)).await?;
        }
    }
    connection.send(ServerMessage::state_changed(debate, &commit.ledger)).await
}

/// The messages about an argument and the issues that it changed.
fn of_argument(argument: &Argument, changed: impl Iterator<Item = Arc<Issue>>, commit: &Commit) -> Vec<String> {
    let mut texts = vec![ServerMessage::new_argument(argument).to_text()];
    let changed: Vec<_> = changed.collect();
    if !changed.is_empty() {
        let message = ServerMessage::issues_changed(&commit.debate, &commit.ledger, argument.seq, &changed);
        texts.push(message.to_text());
    }
    texts
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
