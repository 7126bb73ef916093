//! Sends webhook messages over HTTP, signed as [Standard Webhooks](https://www.standardwebhooks.com) 1 says. Only this module
//! is an HTTP client. When a message is sent, and how often, is decided in `app`.

mod secret;
mod sender;
mod test_message;
mod url;

pub use secret::{InvalidSecret, WebhookSecret};
pub use sender::{SenderError, WebhookSender};
pub use test_message::test_message;
pub use url::{HttpUrl, InvalidUrl};
