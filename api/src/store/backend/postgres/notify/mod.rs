//! NOTIFY and LISTEN: how the servers of one database tell each other of writes, and of who waits at each. Notifications are sent after the commit,
//! in batches, over a connection of their own; another connection listens.
//!
//! A notification is a hint. It may be lost with its connection, or be dropped by a pooler, so servers also query the
//! database now and then.

mod listen;
mod payload;
mod send;

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, mpsc};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use self::{listen::listen, payload::Received, send::send_notifications};
use super::Address;
use crate::{
    domain::{DebateId, Waiting},
    store::{Commit, PeerUpdates},
};

/// The channel of all servers of a deployment, as SQL for its name: in a schema other than `public` it is another one, since each
/// schema is a deployment of its own.
const CHANNEL: &str =
    "'aweave_debates' || CASE current_schema() WHEN 'public' THEN '' ELSE '_' || md5(current_schema()) END";

/// Sends this server's notifications and collects those of others.
#[derive(Debug)]
pub(in crate::store) struct Notifier {
    outbox: mpsc::UnboundedSender<Message>,
    inbox: Arc<Inbox>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

/// What the sending task is asked to send.
enum Message {
    /// The `last_seq` of a debate that this server wrote to
    LastSeq(DebateId, u64),
    /// Who waits on a debate at this server
    Waiting(DebateId, Vec<Waiting>),
    /// What comes next tells of all who wait here
    TellsAll,
    /// The other servers are to tell who waits there
    Asks,
    /// An empty notification, which should come back to this server's own listener
    Probe,
    /// Send what came before, then stop
    Stop,
}

/// What the listening task received.
#[derive(Debug, Default)]
struct Inbox {
    updates: Mutex<PeerUpdates>,
    updated: Notify,
    check_requested: Notify,
}

impl Inbox {
    fn updates(&self) -> MutexGuard<'_, PeerUpdates> {
        // Each change under the lock is complete or has not begun, so a panic elsewhere does no harm.
        self.updates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_missed(&self) {
        self.updates().missed = true;
        self.updated.notify_one();
    }

    fn add(&self, received: Received) {
        let mut updates = self.updates();
        updates.presence.extend(received.presence);
        for (id, seq) in received.last_seqs {
            let newest = updates.last_seqs.entry(id).or_default();
            *newest = seq.max(*newest);
        }
        drop(updates);
        self.updated.notify_one();
    }
}

impl Notifier {
    /// Starts sending and listening. `sender_id` marks this server's own notifications; `on_update` gets what other servers
    /// wrote, before [`Notifier::next_updates`] returns it.
    pub fn start(
        address: Address,
        sender_id: Uuid,
        on_update: impl Fn(&HashMap<DebateId, u64>) + Send + Sync + 'static,
    ) -> Self {
        let (outbox, messages) = mpsc::unbounded_channel();
        let inbox = Arc::new(Inbox::default());
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        tasks.spawn(send_notifications(address.clone(), sender_id, messages));
        let listening = listen(address, sender_id, outbox.clone(), inbox.clone(), on_update);
        tasks.spawn(stop.clone().run_until_cancelled_owned(listening));
        tasks.close();
        Self { outbox, inbox, stop, tasks }
    }

    /// A function that queues notifications of commits and returns at once.
    pub fn sender(&self) -> impl Fn(&[Arc<Commit>]) + Send + use<> {
        let outbox = self.outbox.clone();
        move |commits| {
            for commit in commits {
                // The receiver is gone only while the server stops.
                let _ = outbox.send(Message::LastSeq(commit.debate.id, commit.debate.last_seq));
            }
        }
    }

    /// Queues notifications of who waits here on these debates; `all` says that these are all. Returns at once.
    pub fn tell_presence(&self, presence: Vec<(DebateId, Vec<Waiting>)>, all: bool) {
        let messages = all.then_some(Message::TellsAll).into_iter();
        for message in messages.chain(presence.into_iter().map(|(id, waiting)| Message::Waiting(id, waiting))) {
            // The receiver is gone only while the server stops.
            let _ = self.outbox.send(message);
        }
    }

    /// Waits for what other servers wrote since the last call.
    pub async fn next_updates(&self) -> PeerUpdates {
        loop {
            let updates = mem::take(&mut *self.inbox.updates());
            if updates.missed || !updates.last_seqs.is_empty() || !updates.presence.is_empty() {
                return updates;
            }
            self.inbox.updated.notified().await;
        }
    }

    /// Has the listener check that notifications still arrive.
    pub fn check_listener(&self) {
        self.inbox.check_requested.notify_one();
    }

    /// Sends what is queued, then closes both connections.
    pub async fn close(&self) {
        self.stop.cancel();
        let _ = self.outbox.send(Message::Stop);
        self.tasks.wait().await;
    }
}

impl Drop for Notifier {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
