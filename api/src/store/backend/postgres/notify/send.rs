//! Sends notifications, in batches.

use std::{collections::HashMap, time::Duration};

use sqlx::{AssertSqlSafe, postgres::PgPool};
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};
use uuid::Uuid;

use super::{
    CHANNEL, Message,
    payload::{ASKS, MAX_DEBATES, MAX_PRESENCES, STOPPED, TELLS_ALL, payload, presence_payload},
};
use crate::store::backend::postgres::Address;

/// The shortest time between two rounds of notifications, so that under load many commits share one.
const SEND_INTERVAL: Duration = Duration::from_millis(2);

/// The most messages that are sent in one round.
const MAX_MESSAGES: usize = 4096;

/// How long sending notifications may take, and closing the connection that sends them.
const SEND_TIMEOUT: Duration = Duration::from_secs(1);

/// Sends messages as notifications, until [`Message::Stop`].
pub(super) async fn send_notifications(
    address: Address,
    sender_id: Uuid,
    mut messages: mpsc::UnboundedReceiver<Message>,
) {
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
    sqlx::query(AssertSqlSafe(format!("SELECT pg_notify({CHANNEL}, payload) FROM unnest($1) AS payload")))
        .bind(payloads)
        .execute(pool)
        .await?;
    Ok(())
}
