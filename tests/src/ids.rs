//! Fresh ids.

use uuid::Uuid;

/// A new random UUID in the spelling that the API uses.
#[expect(
    clippy::disallowed_methods,
    reason = "the tests play the clients, who make their own ids; this is the one place"
)]
pub fn fresh() -> String {
    Uuid::new_v4().to_string()
}
