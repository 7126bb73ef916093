//! The permission to rule, to intervene and to free seats, as a value that use cases require.

/// The permission to submit a RULING or an INTERVENTION, and to free a seat.
#[derive(Debug)]
pub struct Arbitrator(());

impl Arbitrator {
    /// Call this only after the caller's token was checked.
    pub fn checked() -> Self {
        Self(())
    }
}
