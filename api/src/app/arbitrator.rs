//! The permission to rule and to intervene, as a value that use cases require.

/// The permission to submit a RULING or an INTERVENTION.
#[derive(Debug)]
pub struct Arbitrator(());

impl Arbitrator {
    /// Call this only after the caller's token was checked.
    pub fn checked() -> Self {
        Self(())
    }
}
