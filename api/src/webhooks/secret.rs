//! The secret that signs webhook messages.

use std::ops::RangeInclusive;

use base64::{Engine, engine::general_purpose::STANDARD};
use secrecy::{ExposeSecret, SecretString};
use standardwebhooks::Webhook;

/// What a secret begins with.
const PREFIX: &str = "whsec_";

/// How many bytes a secret may have, as Standard Webhooks says.
const BYTES: RangeInclusive<usize> = 24..=64;

/// A text that is not the secret of a webhook. It is not repeated in the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "is not whsec_ and the base64 of 24 to 64 bytes; make one with: echo whsec_$(head -c 32 /dev/urandom | base64)"
)]
pub struct InvalidSecret;

/// The secret that signs webhook messages. It is never printed, and wiped from memory when it is dropped.
#[derive(Debug, Clone)]
pub struct WebhookSecret(SecretString);

impl WebhookSecret {
    /// Reads `whsec_` and the base64 of 24 to 64 bytes.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn parse(text: String) -> Result<Self, InvalidSecret> {
        let text = SecretString::from(text);
        let encoded = text.expose_secret().strip_prefix(PREFIX).ok_or(InvalidSecret)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| InvalidSecret)?.len();
        if BYTES.contains(&bytes) { Ok(Self(text)) } else { Err(InvalidSecret) }
    }

    /// What signs messages with this secret.
    ///
    /// # Errors
    /// Never for a secret that was parsed.
    pub(super) fn signer(&self) -> Result<Webhook, InvalidSecret> {
        Webhook::new(self.0.expose_secret()).map_err(|_| InvalidSecret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: usize) -> Result<WebhookSecret, InvalidSecret> {
        WebhookSecret::parse(format!("{PREFIX}{}", STANDARD.encode(vec![7; bytes])))
    }

    #[test]
    fn a_secret_has_its_prefix_and_24_to_64_bytes() {
        for bytes in [24, 32, 64] {
            assert!(parse(bytes).is_ok_and(|secret| secret.signer().is_ok()), "{bytes} bytes");
        }
        for bytes in [0, 23, 65] {
            assert!(parse(bytes).is_err(), "{bytes} bytes");
        }
        for text in ["", "whsec_", "whsec_ü", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            assert!(WebhookSecret::parse(text.to_owned()).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_secret_is_never_printed() {
        let secret = parse(32).unwrap();
        assert!(!format!("{secret:?}").contains("Bwc"), "{secret:?}");
    }
}
