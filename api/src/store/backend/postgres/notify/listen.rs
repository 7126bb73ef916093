//! Receives notifications.

use std::{collections::HashMap, sync::Arc, time::Duration};

use sqlx::{AssertSqlSafe, postgres::PgListener};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep, sleep_until, timeout},
};
use uuid::Uuid;

use super::{CHANNEL, Inbox, Message, payload::Received};
use crate::{domain::DebateId, store::backend::postgres::Address};

/// The delay before the listener reconnects.
const RECONNECT_DELAY: Duration = Duration::from_millis(100);

/// How long a probe may take to come back before the listener counts as broken.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// How long it may take to connect and LISTEN.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(2);

/// How long without any notification it takes until [`Notifier::check_listener`](super::Notifier::check_listener) sends a probe.
const QUIET_PERIOD: Duration = Duration::from_secs(5);

/// Listens forever, and reconnects whenever the connection is lost.
pub(super) async fn listen(
    address: Address,
    sender_id: Uuid,
    outbox: mpsc::UnboundedSender<Message>,
    inbox: Arc<Inbox>,
    on_update: impl Fn(&HashMap<DebateId, u64>),
) {
    loop {
        let connecting = async {
            let mut listener = PgListener::connect_with(&address.pool(1)).await?;
            let channel: String =
                sqlx::query_scalar(AssertSqlSafe(format!("SELECT {CHANNEL}"))).fetch_one(&mut listener).await?;
            // A silent reconnect would hide that notifications were lost.
            listener.eager_reconnect(false);
            listener.listen(&channel).await?;
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
