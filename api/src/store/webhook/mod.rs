//! The messages for the receivers of webhooks. The writer stores them together with the argument that causes them, and they
//! are deleted once they are delivered.

mod message;
mod outbox;
#[cfg(test)]
mod tests;
mod undelivered;

pub use message::{MAX_CONTENT_CHARACTERS, WebhookMessage};
pub use outbox::Outbox;
pub use undelivered::Delivery;
