//! The key that signs records.

use std::fmt;

use data_encoding::BASE64;
use ed25519_dalek::{
    Signer,
    pkcs8::{DecodePrivateKey, EncodePrivateKey, Error as Pkcs8Error, KeypairBytes, spki::der::pem::LineEnding},
};

/// A private Ed25519 key. It is neither printed nor logged.
pub struct SigningKey(ed25519_dalek::SigningKey);

/// A text is not a key.
#[derive(Debug, thiserror::Error)]
#[error("is not an Ed25519 key in PKCS#8 PEM")]
pub struct NotAKey(#[source] Pkcs8Error);

impl SigningKey {
    /// The number of random bytes that a key is made from.
    pub const BYTES: usize = ed25519_dalek::SECRET_KEY_LENGTH;

    /// The key that is made from random bytes.
    pub fn from_random(bytes: &[u8; Self::BYTES]) -> Self {
        Self(ed25519_dalek::SigningKey::from_bytes(bytes))
    }

    /// Reads PKCS#8 in PEM.
    ///
    /// # Errors
    /// If the text is something else, or a key of another kind.
    pub fn from_pem(text: &str) -> Result<Self, NotAKey> {
        ed25519_dalek::SigningKey::from_pkcs8_pem(text.trim()).map(Self).map_err(NotAKey)
    }

    /// The key as PKCS#8 in PEM. Without the public key, which some programs cannot read there.
    ///
    /// # Errors
    /// Never for a valid key.
    pub fn to_pem(&self) -> Result<String, NotAKey> {
        let keypair = KeypairBytes { secret_key: self.0.to_bytes(), public_key: None };
        keypair.to_pkcs8_pem(LineEnding::LF).map(|pem| pem.as_str().to_owned()).map_err(NotAKey)
    }

    /// The public key: 32 bytes in base64.
    pub fn public_key(&self) -> String {
        BASE64.encode(self.0.verifying_key().as_bytes())
    }

    /// The signature of a message: 64 bytes in base64.
    pub fn sign(&self, message: &[u8]) -> String {
        BASE64.encode(&self.0.sign(message).to_bytes())
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey(public {})", self.public_key())
    }
}

#[cfg(test)]
mod tests {
    use data_encoding::HEXLOWER;

    use super::*;

    /// From RFC 8410, section 10.3; the public key is that of section 10.1.
    const RFC_8410: &str = "-----BEGIN PRIVATE KEY-----\n\
                            MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
                            -----END PRIVATE KEY-----\n";

    #[test]
    fn a_key_is_read_and_written_as_pkcs8() {
        let key = SigningKey::from_pem(RFC_8410).unwrap();
        assert_eq!(key.public_key(), "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=");
        assert_eq!(key.to_pem().unwrap(), RFC_8410);
        assert!(!format!("{key:?}").contains("1O5y2"), "the private key is not printed");
    }

    #[test]
    fn anything_else_is_no_key() {
        let of_another_kind = "-----BEGIN PRIVATE KEY-----\n\
                               MC4CAQAwBQYDK2VuBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
                               -----END PRIVATE KEY-----\n";
        for text in ["", "secret", of_another_kind, &RFC_8410.replace("PRIVATE", "PUBLIC"), &RFC_8410[..80]] {
            assert!(SigningKey::from_pem(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_signature_is_that_of_rfc_8032() {
        let secret = HEXLOWER.decode(b"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb").unwrap();
        let key = SigningKey::from_random(&secret.try_into().unwrap());
        let expected = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2e\
                        aeb4302aeeb00d291612bb0c00";
        assert_eq!(key.sign(&[0x72]), BASE64.encode(&HEXLOWER.decode(expected.as_bytes()).unwrap()));
    }
}
