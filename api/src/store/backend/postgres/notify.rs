//! NOTIFY and LISTEN: how the servers of one database tell each other of writes, and of who waits at each. Notifications are sent after the commit,
//! in batches, over a connection of their own; another connection listens.
//!
//! A notification is a hint. It may be lost with its connection, or be dropped by a pooler, so servers also query the
//! database now and then.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chrono::DateTime;
use sqlx::postgres::{PgListener, PgPool};
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, sleep, sleep_until, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use super::Address;
use crate::{
    domain::{DebateId, Role, Waiting},
    store::{Commit, PeerPresence, PeerUpdates},
};

const CHANNEL: &str = "aweave_debates";

/// The shortest time between two rounds of notifications, so that under load many commits share one.
const SEND_INTERVAL: Duration = Duration::from_millis(2);

/// The most debates in one notification: it has to stay under the 8,000 bytes that PostgreSQL allows.
const MAX_DEBATES: usize = 140;

/// The most debates with waiters in one notification, for the same reason.
const MAX_PRESENCES: usize = 65;

/// The word of a server that has stopped.
const STOPPED: &str = "stopped";

/// The word of a server that asks who waits at the others.
const ASKS: &str = "who-waits";

/// The word of a server that tells all about who waits there, in this and the next notifications.
const TELLS_ALL: &str = "all-who-wait";

/// The most messages that are sent in one round.
const MAX_MESSAGES: usize = 4096;

/// The delay before the listener reconnects.
const RECONNECT_DELAY: Duration = Duration::from_millis(100);

/// How long a probe may take to come back before the listener counts as broken.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// How long sending notifications may take, and closing the connection that sends them.
const SEND_TIMEOUT: Duration = Duration::from_secs(1);

/// How long it may take to connect and LISTEN.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(2);

/// How long without any notification it takes until [`Notifier::check_listener`] sends a probe.
const QUIET_PERIOD: Duration = Duration::from_secs(5);

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

/// Sends messages as notifications, until [`Message::Stop`].
async fn send_notifications(address: Address, sender_id: Uuid, mut messages: mpsc::UnboundedReceiver<Message>) {
    let mut pool = address.pool(1);
    let mut received = Vec::new();
    let mut stopped = false;
    while !stopped && messages.recv_many(&mut received, MAX_MESSAGES).await > 0 {
        let (mut last_seqs, mut presence) = (HashMap::new(), HashMap::new());
        let (mut is_probe, mut words) = (false, String::new());
        let mut add_word = |word| words.extend([" ", word]);
        for message in received.drain(..) {
            match message {
                Message::LastSeq(id, seq) => drop(last_seqs.insert(id, seq)),
                Message::Waiting(id, waiting) => drop(presence.insert(id, waiting)),
                Message::TellsAll => add_word(TELLS_ALL),
                Message::Asks => add_word(ASKS),
                Message::Probe => is_probe = true,
                Message::Stop => stopped = true,
            }
        }
        if stopped {
            add_word(STOPPED);
            presence.clear();
        }
        let last_seqs: Vec<_> = last_seqs.into_iter().collect();
        let presence: Vec<_> = presence.into_iter().collect();
        let mut payloads: Vec<_> = last_seqs.chunks(MAX_DEBATES).map(|debates| payload(sender_id, debates)).collect();
        if !words.is_empty() || (is_probe && payloads.is_empty()) {
            payloads.push(payload(sender_id, &[]) + &words);
        }
        payloads.extend(presence.chunks(MAX_PRESENCES).map(|presence| presence_payload(sender_id, presence)));
        if payloads.is_empty() {
            continue;
        }
        let sent = timeout(SEND_TIMEOUT, notify(&pool, &payloads)).await;
        if !matches!(sent, Ok(Ok(()))) {
            tracing::debug!(?sent, "notifications could not be sent; other servers find the writes by polling");
            pool = address.pool(1);
        }
        sleep(SEND_INTERVAL).await;
    }
    // Closing a broken connection may hang: it is dropped after the timeout.
    let _ = timeout(SEND_TIMEOUT, pool.close()).await;
}

async fn notify(pool: &PgPool, payloads: &[String]) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_notify($1, payload) FROM unnest($2) AS payload")
        .bind(CHANNEL)
        .bind(payloads)
        .execute(pool)
        .await?;
    Ok(())
}

/// Listens forever, and reconnects whenever the connection is lost.
async fn listen(
    address: Address,
    sender_id: Uuid,
    outbox: mpsc::UnboundedSender<Message>,
    inbox: Arc<Inbox>,
    on_update: impl Fn(&HashMap<DebateId, u64>),
) {
    loop {
        let connecting = async {
            let mut listener = PgListener::connect_with(&address.pool(1)).await?;
            // A silent reconnect would hide that notifications were lost.
            listener.eager_reconnect(false);
            listener.listen(CHANNEL).await?;
            Ok::<_, sqlx::Error>(listener)
        };
        match timeout(LISTEN_TIMEOUT, connecting).await {
            Ok(Ok(mut listener)) => {
                // Notifications may have been lost up to now, and none will be from here on.
                inbox.set_missed();
                receive(&mut listener, sender_id, &outbox, &inbox, &on_update).await;
                tracing::warn!("the connection that listens for other servers' writes was lost; reconnecting");
            }
            Ok(Err(error)) => {
                tracing::debug!(%error, "cannot listen for other servers' writes");
                sleep(RECONNECT_DELAY).await;
            }
            Err(_) => tracing::debug!("cannot listen for other servers' writes: the database does not answer"),
        }
    }
}

/// Receives notifications over one connection, until it is lost or a probe does not come back.
async fn receive(
    listener: &mut PgListener,
    sender_id: Uuid,
    outbox: &mpsc::UnboundedSender<Message>,
    inbox: &Inbox,
    on_update: &impl Fn(&HashMap<DebateId, u64>),
) {
    let mut last_received = Instant::now();
    let (mut probe_returned, mut probe_deadline) = (false, Some(last_received + PROBE_TIMEOUT));
    let probe = || drop(outbox.send(Message::Probe));
    probe();
    drop(outbox.send(Message::Asks));
    loop {
        let probe_timeout = async {
            match probe_deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            notification = listener.try_recv() => {
                let Ok(Some(notification)) = notification else { return };
                let Some(received) = Received::parse(notification.payload()) else { continue };
                last_received = Instant::now();
                if received.sender == sender_id {
                    (probe_returned, probe_deadline) = (true, None);
                } else {
                    on_update(&received.last_seqs);
                    inbox.add(received);
                }
            }
            () = probe_timeout => {
                if probe_returned {
                    // Earlier probes came back, so the connection is broken.
                    return;
                }
                probe_deadline = None;
                tracing::warn!(
                    "notifications do not arrive: is there a pooler in between that drops LISTEN? Other servers' writes \
                     are found by polling once a second; connect to PostgreSQL directly for faster wake-ups"
                );
            }
            () = inbox.check_requested.notified(), if probe_returned && probe_deadline.is_none() => {
                if last_received.elapsed() > QUIET_PERIOD {
                    probe_deadline = Some(Instant::now() + PROBE_TIMEOUT);
                    probe();
                }
            }
        }
    }
}

/// The text of a notification: the sender's id, then `DEBATE=LAST_SEQ` for each debate.
fn payload(sender_id: Uuid, last_seqs: &[(DebateId, u64)]) -> String {
    let mut text = sender_id.simple().to_string();
    for (id, seq) in last_seqs {
        text.push_str(&format!(" {}={seq}", id.0.simple()));
    }
    text
}

/// The text of a notification of who waits: the sender's id, then `DEBATE:ROLE@MICROSECONDS,…` for each debate.
fn presence_payload(sender_id: Uuid, presence: &[(DebateId, Vec<Waiting>)]) -> String {
    let mut text = sender_id.simple().to_string();
    for (id, waiting) in presence {
        let waiting: Vec<_> =
            waiting.iter().map(|one| format!("{}@{}", one.role, one.since.timestamp_micros())).collect();
        text.push_str(&format!(" {}:{}", id.0.simple(), waiting.join(",")));
    }
    text
}

/// A notification.
#[derive(Debug, PartialEq, Eq)]
struct Received {
    sender: Uuid,
    last_seqs: HashMap<DebateId, u64>,
    presence: Vec<PeerPresence>,
}

impl Received {
    /// Reads a notification; none if it is not from an aweave-server.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let sender = words.next()?.parse().ok()?;
        let mut received = Self { sender, last_seqs: HashMap::new(), presence: Vec::new() };
        for word in words {
            if let Some((id, seq)) = word.split_once('=') {
                received.last_seqs.insert(DebateId(id.parse().ok()?), seq.parse().ok()?);
            } else if let Some((id, waiting)) = word.split_once(':') {
                let waiting = waiting.split(',').filter(|one| !one.is_empty()).map(parse_waiting);
                let (id, waiting) = (DebateId(id.parse().ok()?), waiting.collect::<Option<_>>()?);
                received.presence.push(PeerPresence::Waiting(sender, id, waiting));
            } else {
                received.presence.push(match word {
                    TELLS_ALL => PeerPresence::TellsAll(sender),
                    ASKS => PeerPresence::Asks,
                    STOPPED => PeerPresence::Stopped(sender),
                    _ => return None,
                });
            }
        }
        Some(received)
    }
}

fn parse_waiting(text: &str) -> Option<Waiting> {
    let (role, since) = text.split_once('@')?;
    let role: Role = role.parse().ok()?;
    Some(Waiting { role, since: DateTime::from_timestamp_micros(since.parse().ok()?)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENDER: Uuid = Uuid::from_u128(7);

    #[test]
    fn a_payload_of_the_most_debates_is_parsed_back_and_fits_into_a_notification() {
        let debates: Vec<_> =
            (0..MAX_DEBATES as u128).map(|number| (DebateId(Uuid::from_u128(number)), u64::MAX)).collect();
        let text = payload(SENDER, &debates);
        assert!(text.len() < 8_000, "{} bytes", text.len());
        let expected = Received { sender: SENDER, last_seqs: debates.into_iter().collect(), presence: Vec::new() };
        assert_eq!(Received::parse(&text), Some(expected));
        let empty = Received { sender: SENDER, last_seqs: HashMap::new(), presence: Vec::new() };
        assert_eq!(Received::parse(&payload(SENDER, &[])), Some(empty));
    }

    #[test]
    fn who_waits_on_the_most_debates_is_parsed_back_and_fits_into_a_notification() {
        let since = DateTime::from_timestamp_micros(9_999_999_999_999_999).unwrap();
        let all: Vec<_> = Role::ALL.iter().map(|role| Waiting { role: *role, since }).collect();
        let mut presence: Vec<_> =
            (0..MAX_PRESENCES as u128).map(|number| (DebateId(Uuid::from_u128(number)), all.clone())).collect();
        assert!(presence_payload(SENDER, &presence).len() < 8_000, "{}", presence_payload(SENDER, &presence).len());
        presence.push((DebateId(Uuid::from_u128(1_000)), Vec::new()));
        let expected = presence.iter().map(|(id, waiting)| PeerPresence::Waiting(SENDER, *id, waiting.clone()));
        let received = Received::parse(&presence_payload(SENDER, &presence)).unwrap();
        assert_eq!(received.presence, expected.collect::<Vec<_>>());
    }

    #[test]
    fn a_foreign_notification_is_ignored() {
        for text in ["", "hello", "00000000000000000000000000000007 x", "00000000000000000000000000000007 x=1"] {
            assert_eq!(Received::parse(text), None, "{text}");
        }
    }
}
