//! The secret that signs webhook messages.

use std::ops::RangeInclusive;

use data_encoding::BASE64;
use ring::hmac::{HMAC_SHA256, Key, sign};
use secrecy::{ExposeSecret, SecretSlice, SecretString};

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
pub struct WebhookSecret(SecretSlice<u8>);

/// Signs messages as Standard Webhooks says, with the bytes of a secret.
pub(super) struct Signer(Key);

impl WebhookSecret {
    /// Reads `whsec_` and the base64 of 24 to 64 bytes.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn parse(text: String) -> Result<Self, InvalidSecret> {
        let text = SecretString::from(text);
        let encoded = text.expose_secret().strip_prefix(PREFIX).ok_or(InvalidSecret)?;
        let bytes = BASE64.decode(encoded.as_bytes()).map_err(|_| InvalidSecret)?;
        if BYTES.contains(&bytes.len()) { Ok(Self(SecretSlice::from(bytes))) } else { Err(InvalidSecret) }
    }

    /// What signs messages with this secret.
    pub(super) fn signer(&self) -> Signer {
        Signer(Key::new(HMAC_SHA256, self.0.expose_secret()))
    }
}

impl Signer {
    /// The signature of the message with this id and payload, which is sent at this time, in seconds since 1970.
    pub(super) fn sign(&self, id: &str, timestamp: i64, payload: &str) -> String {
        let signature = sign(&self.0, format!("{id}.{timestamp}.{payload}").as_bytes());
        format!("v1,{}", BASE64.encode(signature.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: usize) -> Result<WebhookSecret, InvalidSecret> {
        WebhookSecret::parse(format!("{PREFIX}{}", BASE64.encode(&vec![7; bytes])))
    }

    #[test]
    fn a_secret_has_its_prefix_and_24_to_64_bytes() {
        for bytes in [24, 32, 64] {
            assert!(parse(bytes).is_ok(), "{bytes} bytes");
        }
        for bytes in [0, 23, 65] {
            assert!(parse(bytes).is_err(), "{bytes} bytes");
        }
        for text in ["", "whsec_", "whsec_ü", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"] {
            assert!(WebhookSecret::parse(text.to_owned()).is_err(), "{text:?}");
        }
    }

    /// The example of the specification.
    #[test]
    fn a_message_is_signed_as_standard_webhooks_says() {
        let secret = WebhookSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned()).unwrap();
        let signature = secret.signer().sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_is_never_printed() {
        let secret = parse(32).unwrap();
        assert!(!format!("{secret:?}").contains("Bwc"), "{secret:?}");
    }
}
