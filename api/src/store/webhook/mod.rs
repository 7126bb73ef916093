//! The messages for the receivers of webhooks. The writer stores them together with the argument that causes them, and they
//! are deleted once they are delivered.

mod message;
mod message_writer;
mod outbox;
#[cfg(test)]
mod tests;

pub use message::{MAX_CONTENT_CHARACTERS, WebhookMessage};
pub use message_writer::MessageWriter;
pub use outbox::Delivery;
