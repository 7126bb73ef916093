//! Delivers webhook messages: takes what is due from the store, has it sent, and stores when to try again.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chrono::TimeDelta;
use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::time::{Instant, sleep};

use super::{
    App,
    webhook_retry_schedule::{MAX_DELAY, delay_after, is_expired},
};
use crate::{
    domain::EndpointId,
    store::{Delivery, StoreError},
};

/// How many messages are sent to one receiver at the same time, while it takes them.
const MAX_CONCURRENT: usize = 4;

/// How long after its claim a message is due again if nothing was heard of it, since the server was killed. It is longer
/// than an attempt may take.
const CLAIM_LIFETIME: TimeDelta = TimeDelta::seconds(20);

/// How long after its event a message is removed, whoever it is for. Messages to a receiver that is still there are given up
/// before.
const DISCARDED_AFTER: TimeDelta = TimeDelta::hours(48);

/// How often a server looks for messages that another server of the database has left over.
const SWEEP_INTERVAL: Duration = Duration::from_secs(5);

/// The longest pause until the store is asked again, in case the clock was changed.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The pause where nothing is due but what cannot be read.
const UNREADABLE_PAUSE: Duration = Duration::from_secs(10);

/// The pause after the database failed.
const DATABASE_PAUSE: Duration = Duration::from_secs(1);

/// How long attempts may take after the server was told to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// A receiver of webhook messages.
pub trait WebhookReceiver {
    /// Identifies the receiver.
    fn id(&self) -> EndpointId;

    /// The receiver's name for the log, without secrets.
    fn name(&self) -> &str;

    /// Sends a message and returns once the receiver has taken it. `id` is the same in all attempts. It ends within half of
    /// the time after which another server would send the message.
    ///
    /// # Errors
    /// Why the receiver has not taken it, without secrets.
    fn send(&self, id: &str, payload: &str) -> impl Future<Output = Result<(), String>> + Send;
}

/// How the last attempt at each receiver ended, since this server started. Receivers without an attempt are absent.
#[derive(Debug, Default)]
pub(super) struct LastAttempts(Mutex<BTreeMap<EndpointId, bool>>);

impl LastAttempts {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<EndpointId, bool>> {
        // Each change under the lock is one step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records whether a receiver took a message. Returns whether that is news: it is not where the receiver took the first one.
    fn record(&self, receiver: EndpointId, taken: bool) -> bool {
        self.lock().insert(receiver, taken).unwrap_or(true) != taken
    }
}

/// How many receivers of webhooks there are, and how it goes with them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WebhookSummary {
    /// All receivers
    pub receivers: usize,
    /// Those that took the last message that this server sent to them
    pub taking: usize,
    /// Those that did not; the others were sent none since this server started
    pub failing: usize,
}

/// How long a receiver that fails is left alone. It waits as a whole, not each message.
struct Backoff {
    /// How often it has failed since it last took a message
    failures: u32,
    until: Instant,
}

impl Backoff {
    fn none() -> Self {
        Self { failures: 0, until: Instant::now() }
    }

    /// How many messages may be on their way.
    fn max_concurrent(&self) -> usize {
        if self.failures == 0 { MAX_CONCURRENT } else { 1 }
    }

    /// Doubles the delay. Attempts that were under way together count once.
    fn failed(&mut self) {
        if self.left().is_zero() {
            self.failures = self.failures.saturating_add(1);
            self.until = Instant::now() + delay_after(self.failures).to_std().unwrap_or_default();
        }
    }

    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }
}

/// The result of an attempt.
enum Outcome {
    Taken,
    Failed(String),
    /// It was not sent, since it is too old
    Expired,
    /// The server stops and could not wait for an answer
    Interrupted,
}

impl App {
    /// How many receivers of webhooks there are, and how many of them take messages.
    pub fn webhook_summary(&self) -> WebhookSummary {
        let last_attempts = self.webhook_attempts.lock();
        let taking = last_attempts.values().filter(|taken| **taken).count();
        WebhookSummary { receivers: self.store.webhook_endpoints(), taking, failing: last_attempts.len() - taking }
    }

    /// Removes messages for receivers that are no longer set.
    pub async fn discard_webhooks(&self) {
        match self.store.discard_deliveries((self.now)() - DISCARDED_AFTER).await {
            Ok(0) => {}
            Ok(messages) => tracing::info!(messages, "webhook messages for receivers that are gone were removed"),
            Err(error) => tracing::debug!(%error, "old webhook messages could not be removed"),
        }
    }

    /// Delivers the messages for this receiver until the server stops.
    pub async fn deliver_webhooks(&self, receiver: &impl WebhookReceiver) {
        let mut filled = self.store.outbox_filled();
        let mut attempts = FuturesUnordered::new();
        let mut backoff = Backoff::none();
        loop {
            let left = backoff.left();
            let room = if left.is_zero() { backoff.max_concurrent().saturating_sub(attempts.len()) } else { 0 };
            // Marked as seen before the store is read, so that no message in between waits.
            filled.mark_unchanged();
            let pause = match self.claim_due(receiver, room).await {
                Ok((claimed, pause)) => {
                    attempts.extend(claimed.into_iter().map(|delivery| self.attempt(receiver, delivery)));
                    pause
                }
                Err(error) => {
                    tracing::debug!(%error, "the database does not tell which webhook messages are due");
                    DATABASE_PAUSE
                }
            };
            let has_room = attempts.len() < backoff.max_concurrent();
            tokio::select! {
                Some((delivery, outcome)) = attempts.next() => {
                    self.settle(receiver, &delivery, outcome, &mut backoff).await;
                }
                _ = filled.changed(), if has_room && left.is_zero() => {}
                () = sleep(pause.max(left)), if has_room => {}
                () = self.stopping.cancelled() => break,
            }
        }
        // Those that do not end soon were told to stop and end as well.
        while let Some((delivery, outcome)) = attempts.next().await {
            self.settle(receiver, &delivery, outcome, &mut backoff).await;
        }
    }

    /// Claims messages that are due, at most `room`. Also returns how long to wait for the next one.
    async fn claim_due(
        &self,
        receiver: &impl WebhookReceiver,
        room: usize,
    ) -> Result<(Vec<Delivery>, Duration), StoreError> {
        if room == 0 {
            return Ok((Vec::new(), Duration::ZERO));
        }
        let now = (self.now)();
        let (lost_at, latest) = (now + CLAIM_LIFETIME, now + MAX_DELAY + CLAIM_LIFETIME);
        let claimed = self.store.claim_deliveries(receiver.id(), room as u64, now, lost_at, latest).await?;
        if !claimed.is_empty() {
            // There may be more; those that were claimed are not due for a while.
            return Ok((claimed, Duration::ZERO));
        }
        let longest = if self.store.peers().is_some() { SWEEP_INTERVAL } else { MAX_PAUSE };
        let next = self.store.next_delivery_at(receiver.id()).await?;
        // What is due and was not claimed cannot be read.
        let pause = next.map_or(longest, |next| (next - now).to_std().unwrap_or(UNREADABLE_PAUSE));
        Ok((claimed, pause.min(longest)))
    }

    async fn attempt(&self, receiver: &impl WebhookReceiver, delivery: Delivery) -> (Delivery, Outcome) {
        if !(self.is_clock_in_range)() {
            // It is part of what is sent, and TLS panics before 1970.
            return (delivery, Outcome::Failed("the clock shows no time from 1970 to 9999".to_owned()));
        }
        if is_expired(delivery.created_at, (self.now)()) {
            return (delivery, Outcome::Expired);
        }
        let id = format!("msg_{}", delivery.argument_id.0.simple());
        let interrupted = async {
            self.stopping.cancelled().await;
            sleep(STOP_TIMEOUT).await;
        };
        let outcome = tokio::select! {
            sent = receiver.send(&id, &delivery.payload) => sent.map_or_else(Outcome::Failed, |()| Outcome::Taken),
            () = interrupted => Outcome::Interrupted,
        };
        (delivery, outcome)
    }

    /// Stores what became of an attempt.
    async fn settle(
        &self,
        receiver: &impl WebhookReceiver,
        delivery: &Delivery,
        outcome: Outcome,
        backoff: &mut Backoff,
    ) {
        let (name, now) = (receiver.name(), (self.now)());
        let (argument, event, attempt) = (delivery.argument_id.0, &delivery.event, delivery.attempt);
        match outcome {
            Outcome::Taken => *backoff = Backoff::none(),
            Outcome::Failed(_) => backoff.failed(),
            Outcome::Expired | Outcome::Interrupted => {}
        }
        let stored = match outcome {
            Outcome::Taken => {
                if self.webhook_attempts.record(receiver.id(), true) {
                    tracing::info!(receiver = name, "the receiver of webhooks takes messages again");
                }
                tracing::debug!(receiver = name, event, %argument, attempt, "a webhook message was delivered");
                self.store.end_delivery(delivery).await
            }
            Outcome::Expired => {
                tracing::warn!(receiver = name, event, %argument, attempt, "a webhook message is given up");
                self.store.end_delivery(delivery).await
            }
            Outcome::Failed(reason) => {
                if self.webhook_attempts.record(receiver.id(), false) {
                    tracing::warn!(
                        receiver = name,
                        reason,
                        "a receiver of webhooks does not take messages; each is tried again for 24 hours"
                    );
                }
                tracing::debug!(receiver = name, event, %argument, attempt, reason, "a webhook message failed");
                self.store.retry_delivery(delivery, now + delay_after(attempt)).await
            }
            Outcome::Interrupted => self.store.retry_delivery(delivery, now).await,
        };
        if let Err(error) = stored {
            // It is due again once its claim is over.
            tracing::debug!(%error, %argument, "the outcome of a webhook message could not be stored");
        }
    }
}
