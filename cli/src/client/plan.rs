//! The versions of a plan. The server orders them, and says what the opponent has seen; here it is only asked which one is meant.

use super::types::Plan;

impl Plan {
    /// Whether the plan is this version of its document.
    pub fn is_version(&self, version: u64) -> bool {
        self.version == version
    }

    /// Whether the plan is the version that the proposer cited first.
    pub fn is_first_version(&self) -> bool {
        self.is_version(self.first_version)
    }
}
