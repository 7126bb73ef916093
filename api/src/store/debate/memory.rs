//! What is known of debates without a look at the store.

use std::{collections::HashMap, sync::Arc};

use super::{desk::Change, heads::Heads, recent::Recent};
use crate::{
    domain::{Argument, Debate, DebateId},
    store::Commit,
};

/// What is known of debates without a look at the store.
#[derive(Debug)]
pub(in crate::store) struct Memory {
    arguments: Recent,
    heads: Heads,
    /// Whether no other server writes, so that what the writer knows is the truth
    alone: bool,
}

impl Memory {
    pub fn new(alone: bool) -> Self {
        Self { arguments: Recent::new(), heads: Heads::new(), alone }
    }

    /// Whether no other server writes.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Forgets debates that are about to change. For the writer alone, before it commits: from then on the store may tell
    /// more of them, and whoever was told that must not be told less here.
    pub fn step_back(&self, changes: &[Change]) {
        changes.iter().for_each(|change| self.heads.forget(change.to.id));
    }

    /// Learns what a batch stored. For the writer alone, before anybody is told of it.
    pub fn learn<'a>(&self, commits: impl Iterator<Item = &'a Arc<Commit>>, changes: Vec<Change>) {
        commits.for_each(|commit| self.arguments.keep(&commit.argument));
        changes.into_iter().for_each(|change| self.heads.keep(change.to));
    }

    /// Forgets what a write that failed may have changed.
    pub fn doubt(&self, debates: impl Iterator<Item = DebateId>) {
        debates.for_each(|id| self.heads.forget(id));
    }

    /// Forgets debates that another server moved on, each to this `seq`.
    pub fn forget_older(&self, moved: &HashMap<DebateId, u64>) {
        for (id, seq) in moved {
            if self.heads.get(*id).is_some_and(|debate| debate.last_seq < *seq) {
                self.heads.forget(*id);
            }
        }
    }

    /// The debate as this server last wrote it, if it still knows: maybe outdated where others write.
    pub fn last_known(&self, id: DebateId) -> Option<Debate> {
        self.heads.get(id)
    }

    /// The debate as it is, where that is known for sure.
    pub fn debate(&self, id: DebateId) -> Option<Debate> {
        if self.alone { self.heads.get(id) } else { None }
    }

    /// The arguments from `first` to `last`, where all of them are known. They never change.
    pub fn arguments(&self, id: DebateId, first: u64, last: u64) -> Option<Vec<Arc<Argument>>> {
        self.arguments.get(id, first, last)
    }

    /// Keeps an argument that was read.
    pub fn keep(&self, argument: &Arc<Argument>) {
        self.arguments.keep(argument);
    }
}
