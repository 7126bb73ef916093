//! How the servers of one database tell each other of writes: notices that are sent after the commit, batched, over a
//! connection of their own, and heard by one listener.
//!
//! A notice is a hint. It may be lost with a connection, or never come behind a pooler that does not pass it on; whoever
//! needs to know looks at the store as well, from time to time and whenever told that notices may be missing.

use std::{
    collections::HashMap,
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use sqlx::postgres::{PgListener, PgPool};
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, sleep, sleep_until, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use super::Address;
use crate::{
    domain::DebateId,
    store::{Commit, Elsewhere},
};

const CHANNEL: &str = "aweave_debates";

/// The least time between two notices, so that under load many commits share one.
const GAP: Duration = Duration::from_millis(2);

/// The most debates in a notice, so that it stays well under the 8,000 bytes that PostgreSQL takes.
const MOST: usize = 140;

/// The most that is gathered for one round of notices.
const GATHERED: usize = 4096;

/// How long the listener waits before it tries to connect again.
const RETRY: Duration = Duration::from_millis(100);

/// How long a notice may take to come back before the listener counts as deaf.
const ECHO: Duration = Duration::from_secs(2);

/// How long a notice may take to be sent, and the connection that sends them to end.
const SENDING: Duration = Duration::from_secs(1);

/// How long it may take to begin to listen.
const OPENING: Duration = Duration::from_secs(2);

/// After how long without any notice the listener may be doubted.
const QUIET: Duration = Duration::from_secs(5);

/// The way to the other servers of a database, still silent.
pub(in crate::store) struct Wire {
    address: Address,
}

impl Wire {
    pub(super) fn new(address: Address) -> Self {
        Self { address }
    }

    /// Begins to speak and to listen. `heard` is told at once what others wrote, before it can be asked for.
    pub fn start(self, own: Uuid, heard: impl Fn(&HashMap<DebateId, u64>) + Send + Sync + 'static) -> Notices {
        let (outbox, waiting) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared::default());
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        tasks.spawn(speak(self.address.clone(), own, waiting));
        let listening = listen(self.address, own, outbox.clone(), shared.clone(), heard);
        tasks.spawn(stop.clone().run_until_cancelled_owned(listening));
        tasks.close();
        Notices { outbox, shared, stop, tasks }
    }
}

/// What goes out.
enum Out {
    Moved(DebateId, u64),
    /// A notice to oneself, to find out whether any come through
    Probe,
    /// The last one
    End,
}

#[derive(Debug, Default)]
struct Shared {
    elsewhere: Mutex<Elsewhere>,
    arrived: Notify,
    /// Whether the listener is to find out whether it still hears
    doubted: Notify,
}

impl Shared {
    fn elsewhere(&self) -> MutexGuard<'_, Elsewhere> {
        // Whoever panicked held it between two whole states.
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn missed(&self) {
        self.elsewhere().missed = true;
        self.arrived.notify_one();
    }

    fn moved(&self, moved: HashMap<DebateId, u64>) {
        let mut elsewhere = self.elsewhere();
        for (id, seq) in moved {
            let newest = elsewhere.moved.entry(id).or_default();
            *newest = seq.max(*newest);
        }
        drop(elsewhere);
        self.arrived.notify_one();
    }
}

/// The running exchange of notices.
#[derive(Debug)]
pub(in crate::store) struct Notices {
    outbox: mpsc::UnboundedSender<Out>,
    shared: Arc<Shared>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Notices {
    /// A way to tell the others what was committed here, without waiting for it.
    pub fn teller(&self) -> impl Fn(&[Arc<Commit>]) + Send + use<> {
        let outbox = self.outbox.clone();
        move |commits| {
            for commit in commits {
                // Closed only while the server stops.
                let _ = outbox.send(Out::Moved(commit.debate.id, commit.debate.last_seq));
            }
        }
    }

    /// Returns with what others wrote since the last time, as soon as there is any.
    pub async fn next(&self) -> Elsewhere {
        loop {
            let elsewhere = mem::take(&mut *self.shared.elsewhere());
            if elsewhere.missed || !elsewhere.moved.is_empty() {
                return elsewhere;
            }
            self.shared.arrived.notified().await;
        }
    }

    /// Lets the listener find out whether it still hears.
    pub fn doubt(&self) {
        self.shared.doubted.notify_one();
    }

    /// Says what is left to say, and falls silent.
    pub async fn close(&self) {
        self.stop.cancel();
        let _ = self.outbox.send(Out::End);
        self.tasks.wait().await;
    }
}

impl Drop for Notices {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Sends what there is to tell, until the last.
async fn speak(address: Address, own: Uuid, mut waiting: mpsc::UnboundedReceiver<Out>) {
    let mut pool = address.pool(1);
    let mut gathered = Vec::new();
    let mut ended = false;
    while !ended && waiting.recv_many(&mut gathered, GATHERED).await > 0 {
        // What came meanwhile goes along, and of each debate only the newest.
        let (mut moved, mut probed) = (HashMap::new(), false);
        for out in gathered.drain(..) {
            match out {
                Out::Moved(id, seq) => drop(moved.insert(id, seq)),
                Out::Probe => probed = true,
                Out::End => ended = true,
            }
        }
        let moved: Vec<_> = moved.into_iter().collect();
        let mut payloads: Vec<_> = moved.chunks(MOST).map(|moved| write(own, moved)).collect();
        if probed && payloads.is_empty() {
            payloads.push(write(own, &[]));
        }
        if payloads.is_empty() {
            continue;
        }
        let sent = timeout(SENDING, send(&pool, &payloads)).await;
        if !matches!(sent, Ok(Ok(()))) {
            tracing::debug!(?sent, "other servers could not be told of writes; they find them by themselves");
            pool = address.pool(1);
        }
        sleep(GAP).await;
    }
    // Nobody waits for the end of a connection that leads nowhere.
    let _ = timeout(SENDING, pool.close()).await;
}

async fn send(pool: &PgPool, payloads: &[String]) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_notify($1, payload) FROM unnest($2) AS payload")
        .bind(CHANNEL)
        .bind(payloads)
        .execute(pool)
        .await?;
    Ok(())
}

/// Listens for ever, over one connection after another.
async fn listen(
    address: Address,
    own: Uuid,
    outbox: mpsc::UnboundedSender<Out>,
    shared: Arc<Shared>,
    heard: impl Fn(&HashMap<DebateId, u64>),
) {
    loop {
        let opening = async {
            let mut listener = PgListener::connect_with(&address.pool(1)).await?;
            // A lost connection is told, not mended unseen.
            listener.eager_reconnect(false);
            listener.listen(CHANNEL).await?;
            Ok::<_, sqlx::Error>(listener)
        };
        match timeout(OPENING, opening).await {
            Ok(Ok(mut listener)) => {
                // Only now can nothing be missed any more.
                shared.missed();
                hear(&mut listener, own, &outbox, &shared, &heard).await;
                tracing::warn!("the connection that hears of other servers' writes was lost; it is made anew");
            }
            Ok(Err(error)) => {
                tracing::debug!(%error, "other servers cannot be listened to");
                sleep(RETRY).await;
            }
            Err(_) => tracing::debug!("other servers cannot be listened to: no answer"),
        }
    }
}

/// Hears what comes over one connection, until it is lost or found deaf.
async fn hear(
    listener: &mut PgListener,
    own: Uuid,
    outbox: &mpsc::UnboundedSender<Out>,
    shared: &Shared,
    heard: &impl Fn(&HashMap<DebateId, u64>),
) {
    let mut last_heard = Instant::now();
    let (mut echoed, mut echo_due) = (false, Some(last_heard + ECHO));
    let probe = || drop(outbox.send(Out::Probe));
    probe();
    loop {
        let overdue = async {
            match echo_due {
                Some(due) => sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            notice = listener.try_recv() => {
                let Ok(Some(notice)) = notice else { return };
                let Some((by, moved)) = read(notice.payload()) else { continue };
                last_heard = Instant::now();
                if by == own {
                    (echoed, echo_due) = (true, None);
                } else {
                    heard(&moved);
                    shared.moved(moved);
                }
            }
            () = overdue => {
                if echoed {
                    // It heard before and does no more.
                    return;
                }
                echo_due = None;
                tracing::warn!(
                    "notices do not come back: is there a pooler in between that drops LISTEN? Writes of other servers \
                     are found by looking once a second; connect directly for more speed"
                );
            }
            () = shared.doubted.notified(), if echoed && echo_due.is_none() => {
                if last_heard.elapsed() > QUIET {
                    echo_due = Some(Instant::now() + ECHO);
                    probe();
                }
            }
        }
    }
}

/// A notice: who sends it, then each debate with its newest `seq`.
fn write(own: Uuid, moved: &[(DebateId, u64)]) -> String {
    let mut text = own.simple().to_string();
    for (id, seq) in moved {
        text.push_str(&format!(" {}={seq}", id.0.simple()));
    }
    text
}

/// What a notice says; none where it is none of ours.
fn read(text: &str) -> Option<(Uuid, HashMap<DebateId, u64>)> {
    let mut words = text.split(' ');
    let by = words.next()?.parse().ok()?;
    let moved = words.map(|word| {
        let (id, seq) = word.split_once('=')?;
        Some((DebateId(id.parse().ok()?), seq.parse().ok()?))
    });
    Some((by, moved.collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_says_what_was_meant_and_fits() {
        let own = Uuid::from_u128(7);
        let moved: Vec<_> = (0..MOST as u128).map(|number| (DebateId(Uuid::from_u128(number)), u64::MAX)).collect();
        let text = write(own, &moved);
        assert!(text.len() < 8_000, "{} bytes", text.len());
        assert_eq!(read(&text), Some((own, moved.into_iter().collect())));
        assert_eq!(read(&write(own, &[])), Some((own, HashMap::new())));
    }

    #[test]
    fn what_is_no_notice_is_passed_over() {
        for text in ["", "hello", "00000000000000000000000000000007 x", "00000000000000000000000000000007 x=1"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
