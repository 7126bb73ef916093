//! Following a debate: every argument after a point, in order, without a gap.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::{
    app::{
        App, Error,
        wakeups::{Presence, Subscription, Waiting, Wakeup, Woken},
    },
    domain::{Argument, Debate, DebateId, Role},
    store::{Commit, Range},
};

/// One who follows a debate, and how far it has come.
#[derive(Debug)]
pub struct Follower {
    subscription: Subscription,
    debate: Debate,
}

impl Follower {
    /// The debate as of the newest argument that was given.
    pub fn debate(&self) -> &Debate {
        &self.debate
    }

    /// Who waits for news of this debate now.
    pub fn waiting(&mut self) -> Vec<Waiting> {
        self.subscription.waiting()
    }

    /// Returns as soon as there is a newer commit.
    pub async fn news(&mut self) -> Arc<Wakeup> {
        self.subscription.news().await
    }

    /// Returns as soon as there is a newer commit, or others begin or cease to wait.
    pub async fn woken(&mut self) -> Woken {
        self.subscription.woken().await
    }

    pub(super) fn wait_as(&self, role: Role, now: DateTime<Utc>) -> Presence {
        self.subscription.wait_as(role, now)
    }
}

impl App {
    /// Begins to follow a debate from where it stands now.
    pub async fn debate_follow(&self, id: DebateId) -> Result<Follower, Error> {
        // Registered before the first look, so that no write can fall between the two.
        let subscription = self.wakeups.subscribe(id);
        let debate = self.store.debate(id).await?.ok_or(Error::DebateNotFound(id))?;
        self.wakeups.read(id, debate.last_seq);
        Ok(Follower { subscription, debate })
    }

    /// The arguments that a commit adds to what `follower` has been given; maybe none.
    ///
    /// They are what the commit carries, where nothing is missing in between, and are read from the store otherwise.
    pub async fn debate_catch_up(&self, follower: &mut Follower, commit: &Commit) -> Result<Vec<Arc<Argument>>, Error> {
        let known = follower.debate.last_seq;
        let newest = commit.debate.last_seq;
        if newest <= known {
            return Ok(Vec::new());
        }
        let missing = if newest == known + 1 {
            vec![commit.argument.clone()]
        } else {
            self.store.arguments(commit.debate.id, Range { after: known, up_to: newest, newest: None }).await?
        };
        follower.debate = commit.debate.clone();
        Ok(missing)
    }
}
