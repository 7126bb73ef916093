//! Permissions are values: what needs one cannot be called without it.

/// The right to rule and to step in. Whoever holds one has shown the arbitrator's token, where the server has one.
#[derive(Debug)]
pub struct Arbitrator(());

impl Arbitrator {
    /// To be made only where the caller's right has been checked.
    pub fn checked() -> Self {
        Self(())
    }
}
