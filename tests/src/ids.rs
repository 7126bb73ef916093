//! Fresh names for things.

use uuid::Uuid;

/// A UUID that nobody has used yet, in the contract's own spelling.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests play the clients, who make their own ids; this is the one place"
)]
pub fn fresh() -> String {
    Uuid::new_v4().to_string()
}
