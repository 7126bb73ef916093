//! Waiting until a debate is opened.

use std::time::Duration;

use tokio::{
    sync::SemaphorePermit,
    time::{Instant, timeout_at},
};

use crate::{
    app::{App, Error, notifier::Subscription},
    domain::{Debate, DebateId},
};

impl App {
    /// Subscribes to a debate and reads it. If it does not exist, waits until it is opened; the permit is then that of the
    /// wait.
    ///
    /// # Errors
    /// [`Error::DebateNotFound`] if it is not opened before `deadline` or the server stops.
    pub(super) async fn debate_subscribe_until_opened(
        &self,
        id: DebateId,
        timeout: Duration,
        deadline: Instant,
    ) -> Result<(Subscription, Debate, Option<SemaphorePermit<'_>>), Error> {
        // Subscribe before reading, so that no commit in between is lost.
        let mut subscription = self.notifier.subscribe(id);
        if let Some(debate) = Box::pin(self.store.debate(id)).await? {
            self.notifier.mark_read(id, debate.last_seq);
            return Ok((subscription, debate, None));
        }
        // Another subscriber may read the debate before the notification of its opening comes. It is news here all the same.
        self.notifier.mark_read(id, 0);
        let permit = self.hold_wait(timeout)?;
        let opened = tokio::select! {
            opened = timeout_at(deadline, subscription.next_commit()) => opened.ok(),
            () = self.stopping.cancelled() => None,
        };
        let debate = opened.ok_or(Error::DebateNotFound(id))?.commit.debate.clone();
        Ok((subscription, debate, permit))
    }
}
