//! How a batch changes a debate.

use crate::domain::{Debate, Ledger, StateName};

/// A debate that a batch creates or changes.
pub(in crate::store) struct DebateChange {
    /// Its state before the batch; none if it is new
    pub from: Option<StateName>,
    /// The debate after the batch
    pub to: Debate,
    /// Its issues after the batch; none if they were not needed
    pub ledger: Option<Ledger>,
}
