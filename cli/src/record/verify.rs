//! Whether a signed record is valid.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use ed25519_dalek::{PUBLIC_KEY_LENGTH, Signature, VerifyingKey};
use serde_json::Value;

use super::strict_json;

/// The format that this version of `aw` knows.
const FORMAT: &str = "aweave-debate-record/1";

/// The only algorithm.
const ALGORITHM: &str = "Ed25519";

/// A public key: 32 bytes, which need not be a good key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey([u8; PUBLIC_KEY_LENGTH]);

impl PublicKey {
    /// Reads 32 bytes in base64.
    pub fn parse(text: &str) -> Option<Self> {
        STANDARD.decode(text).ok()?.try_into().ok().map(Self)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&STANDARD.encode(self.0))
    }
}

/// A record that has a valid signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidRecord {
    /// The id of the debate
    pub debate_id: String,
    /// The hash of its newest argument
    pub head: String,
    /// The key that signed it
    pub public_key: PublicKey,
}

/// Why a record is not valid, in words that follow "the record".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidRecord(pub String);

/// Verifies a record: `{"record", "signature"}`, alone or as `aw debate record --format json` prints it. If `given` is there,
/// it has to be the key that signed it.
///
/// # Errors
/// If the format or the signature does not hold, or if the key is weak or not the given one.
pub fn verify(text: &[u8], given: Option<PublicKey>) -> Result<ValidRecord, InvalidRecord> {
    let invalid = |reason: &str| InvalidRecord(reason.to_owned());
    let document = strict_json::parse(text).map_err(|error| InvalidRecord(format!("is not JSON: {error}")))?;
    let signed = document.pointer("/content/0/data").unwrap_or(&document);
    let Some(record @ Value::Object(_)) = signed.get("record") else {
        return Err(invalid("is not there: the file has no field \"record\""));
    };
    match record["format"].as_str() {
        Some(FORMAT) => {}
        Some(_) | None => return Err(InvalidRecord(format!("does not have the format {FORMAT}"))),
    }
    let (Some(debate_id), Some(head)) = (record["debate"]["id"].as_str(), record["head"].as_str()) else {
        return Err(InvalidRecord(format!(
            "does not have the format {FORMAT}: the debate's id or the head is missing"
        )));
    };
    let signature = match signed.get("signature") {
        Some(Value::Object(signature)) => signature,
        Some(Value::Null) | None => return Err(invalid("is not signed")),
        Some(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            return Err(invalid("has a signature that is none"));
        }
    };
    let field = |name: &str| signature.get(name).and_then(Value::as_str).unwrap_or_default();
    if field("algorithm") != ALGORITHM {
        return Err(InvalidRecord(format!("is not signed with {ALGORITHM}")));
    }
    let public_key = PublicKey::parse(field("public_key")).ok_or_else(|| invalid("has a public key that is none"))?;
    if given.is_some_and(|given| given != public_key) {
        return Err(InvalidRecord(format!("is signed with another key than the given one: {public_key}")));
    }
    let bytes = STANDARD.decode(field("signature")).ok();
    let signature = bytes.and_then(|bytes| Signature::from_slice(&bytes).ok());
    let signature = signature.ok_or_else(|| invalid("has a signature that is none"))?;
    let key = VerifyingKey::from_bytes(&public_key.0).map_err(|_| invalid("has a public key that is none"))?;
    if key.is_weak() {
        return Err(invalid("is signed with a weak key, with which anybody can sign anything"));
    }
    let canonical = serde_json_canonicalizer::to_vec(record)
        .map_err(|error| InvalidRecord(format!("cannot be written as canonical JSON: {error}")))?;
    key.verify_strict(&canonical, &signature)
        .map_err(|_| invalid("does not match its signature: one of them was changed"))?;
    Ok(ValidRecord { debate_id: debate_id.to_owned(), head: head.to_owned(), public_key })
}

#[cfg(test)]
mod tests {
    use ed25519_dalek::{Signer, SigningKey};
    use serde_json::json;

    use super::*;

    fn signed_by(key: &SigningKey, record: &Value) -> Value {
        let canonical = serde_json_canonicalizer::to_vec(record).unwrap();
        json!({
            "record": record,
            "signature": {
                "algorithm": "Ed25519",
                "public_key": STANDARD.encode(key.verifying_key().as_bytes()),
                "signature": STANDARD.encode(key.sign(&canonical).to_bytes()),
            },
        })
    }

    fn key() -> SigningKey {
        SigningKey::from_bytes(&[3; 32])
    }

    fn record() -> Value {
        json!({"format": FORMAT, "debate": {"id": "d", "title": "é\u{200b}\"\n"}, "head": "ab", "plan": null, "n": [12, 0]})
    }

    fn reason(document: &Value) -> String {
        verify(document.to_string().as_bytes(), None).unwrap_err().0
    }

    #[test]
    fn a_signed_record_is_valid_in_every_form_that_aw_prints() {
        let bare = signed_by(&key(), &record());
        let envelope =
            json!({"success": true, "content": [{"type": "json", "data": bare}], "metadata": {"message": "x"}});
        for document in [&bare, &envelope] {
            for text in [document.to_string(), format!("{document:#}"), document.to_string().replace('é', "\\u00e9")] {
                let valid = verify(text.as_bytes(), None).unwrap();
                assert_eq!((valid.debate_id.as_str(), valid.head.as_str()), ("d", "ab"));
                assert_eq!(verify(text.as_bytes(), Some(valid.public_key)), Ok(valid));
            }
        }
    }

    #[test]
    fn any_changed_byte_makes_it_invalid() {
        let text = signed_by(&key(), &record()).to_string();
        for at in 0..text.len() {
            for flip in [1, 2, 4, 32] {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= flip;
                assert!(verify(&bytes, None).is_err(), "{}", String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[test]
    fn what_does_not_hold_is_said() {
        let valid = signed_by(&key(), &record());
        let with = |pointer: &str, value: Value| {
            let mut document = valid.clone();
            *document.pointer_mut(pointer).unwrap() = value;
            document
        };
        for (document, expected) in [
            (json!([]), "no field \"record\""),
            (with("/record", json!("text")), "no field \"record\""),
            (with("/record/format", json!("aweave-debate-record/2")), "format"),
            (with("/record/head", json!(null)), "head is missing"),
            (with("/record/n/0", json!(13)), "does not match"),
            (with("/signature", json!(null)), "is not signed"),
            (with("/signature", json!(1)), "signature that is none"),
            (with("/signature/algorithm", json!("none")), "is not signed with Ed25519"),
            (with("/signature/public_key", json!("AAAA")), "public key that is none"),
            (with("/signature/signature", json!("AAAA")), "signature that is none"),
            (signed_by(&key(), &json!({"format": "other"})), "format"),
        ] {
            assert!(reason(&document).contains(expected), "{}", reason(&document));
        }
        assert!(verify(b"{", None).unwrap_err().0.contains("is not JSON"));
        let twice = valid.to_string().replacen("{\"record\":", "{\"record\":{},\"record\":", 1);
        assert!(
            verify(twice.as_bytes(), None).unwrap_err().0.contains("twice"),
            "fields that readers could take differently"
        );
    }

    #[test]
    fn another_key_and_weak_keys_are_refused() {
        let document = signed_by(&key(), &record());
        let other = PublicKey(SigningKey::from_bytes(&[4; 32]).verifying_key().to_bytes());
        assert!(verify(document.to_string().as_bytes(), Some(other)).unwrap_err().0.contains("another key"));
        // The neutral element, with which a signature of zeros would hold for every message.
        let mut weak = document;
        let mut neutral = [0; 32];
        neutral[0] = 1;
        let mut zeros = [0; 64];
        zeros[0] = 1;
        weak["signature"]["public_key"] = STANDARD.encode(neutral).into();
        weak["signature"]["signature"] = STANDARD.encode(zeros).into();
        assert!(reason(&weak).contains("weak"), "{}", reason(&weak));
        let given = PublicKey(neutral);
        assert!(verify(weak.to_string().as_bytes(), Some(given)).unwrap_err().0.contains("weak"));
    }
}
