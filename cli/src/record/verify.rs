//! Whether a signed record is valid.

use std::fmt;

use data_encoding::BASE64;
use ed25519_dalek::{PUBLIC_KEY_LENGTH, Signature, VerifyingKey};
use serde_json::Value;

use super::strict_json;

/// The formats that this version of `aw` knows.
const FORMATS: [&str; 2] = ["aweave-debate-record/1", "aweave-debate-record/2"];

/// What `aw` says beside a record that it prints, each in a text.
const METADATA: [&str; 3] = ["message", "warning", "caution"];

/// The only algorithm.
const ALGORITHM: &str = "Ed25519";

/// A public key: 32 bytes, which need not be a good key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey([u8; PUBLIC_KEY_LENGTH]);

impl PublicKey {
    /// Reads 32 bytes in base64.
    pub fn parse(text: &str) -> Option<Self> {
        BASE64.decode(text.as_bytes()).ok()?.try_into().ok().map(Self)
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64.encode(&self.0))
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

/// Verifies a record: `{"record", "signature"}`, alone, as the server answers with it, or as `aw debate record --format json`
/// prints it. If `given` is there, it has to be the key that signed it.
///
/// # Errors
/// Why it is not valid, in words that follow "the record": if the format or the signature does not hold, or if the key is weak or not the given one.
pub fn verify(text: &[u8], given: Option<PublicKey>) -> Result<ValidRecord, String> {
    let document = strict_json::parse(text).map_err(|error| format!("is not JSON: {error}"))?;
    let Some((record @ Value::Object(_), signature)) = record_and_signature(&document) else {
        return Err("is not the only thing in the file: it has to be {\"record\", \"signature\"} with nothing beside them, alone, as \
                    the server answers with it, or as aw prints it"
            .to_owned());
    };
    let format = record["format"].as_str().filter(|format| FORMATS.contains(format));
    let (Some(_), Some(debate_id), Some(head)) = (format, record["debate"]["id"].as_str(), record["head"].as_str())
    else {
        let formats = FORMATS.join(" or ");
        return Err(format!("does not have the format {formats} with the debate's id and the head"));
    };
    if signature.is_null() {
        return Err("is not signed".to_owned());
    }
    let fields = fields_of(signature, ["algorithm", "public_key", "signature"]);
    let fields = fields.map(|fields| fields.map(|field| field.as_str().unwrap_or_default()));
    let [algorithm, public_key, signature] = fields.ok_or("has a malformed signature")?;
    if algorithm != ALGORITHM {
        return Err(format!("is not signed with {ALGORITHM}"));
    }
    let public_key = PublicKey::parse(public_key).ok_or("has a malformed public key")?;
    if given.is_some_and(|given| given != public_key) {
        return Err(format!("is signed with another key than the given one: {public_key}"));
    }
    let bytes = BASE64.decode(signature.as_bytes()).ok();
    let signature = bytes.and_then(|bytes| Signature::from_slice(&bytes).ok());
    let signature = signature.ok_or("has a malformed signature")?;
    let key = VerifyingKey::from_bytes(&public_key.0).map_err(|_| "has a malformed public key")?;
    if key.is_weak() {
        return Err("is signed with a weak key, with which anybody can sign anything".to_owned());
    }
    let canonical = serde_json_canonicalizer::to_vec(record)
        .map_err(|error| format!("cannot be written as canonical JSON: {error}"))?;
    key.verify_strict(&canonical, &signature).map_err(|_| "does not match its signature: one of them was changed")?;
    Ok(ValidRecord { debate_id: debate_id.to_owned(), head: head.to_owned(), public_key })
}

/// The record and its signature in a file that has nothing else: what stands beside them, another reader could show as the
/// record.
fn record_and_signature(document: &Value) -> Option<(&Value, &Value)> {
    let signed = if let Some([Value::Bool(true), data]) = fields_of(document, ["success", "data"]) {
        data
    } else if let Some([Value::Bool(true), content, metadata]) = fields_of(document, ["success", "content", "metadata"])
    {
        let [block] = content.as_array()?.as_slice() else { return None };
        let [kind, data] = fields_of(block, ["type", "data"])?;
        (*kind == "json" && is_metadata(metadata)).then_some(data)?
    } else {
        document
    };
    fields_of(signed, ["record", "signature"]).map(|[record, signature]| (record, signature))
}

/// Whether it is the metadata of a record that `aw` prints. An object or a list in it could be shown as the record.
fn is_metadata(value: &Value) -> bool {
    let is_known = |(name, value): (&String, &Value)| METADATA.contains(&name.as_str()) && value.is_string();
    value.as_object().is_some_and(|metadata| metadata.iter().all(is_known))
}

/// The fields of an object that has these and no others.
fn fields_of<'a, const N: usize>(value: &'a Value, names: [&str; N]) -> Option<[&'a Value; N]> {
    let object = value.as_object().filter(|object| object.len() == N)?;
    let fields: Option<Vec<&Value>> = names.iter().map(|name| object.get(*name)).collect();
    fields?.try_into().ok()
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
                "public_key": BASE64.encode(key.verifying_key().as_bytes()),
                "signature": BASE64.encode(&key.sign(&canonical).to_bytes()),
            },
        })
    }

    fn key() -> SigningKey {
        SigningKey::from_bytes(&[3; 32])
    }

    fn record() -> Value {
        json!({"format": FORMATS[0], "debate": {"id": "d", "title": "é\u{200b}\"\n"}, "head": "ab", "plan": null, "n": [12, 0], "last": 9_007_199_254_740_991_u64})
    }

    fn reason(document: &Value) -> String {
        verify(document.to_string().as_bytes(), None).unwrap_err()
    }

    #[test]
    fn a_signed_record_is_valid_in_every_form_that_aw_prints() {
        let bare = signed_by(&key(), &record());
        let envelope =
            json!({"success": true, "content": [{"type": "json", "data": bare}], "metadata": {"message": "x"}});
        let answer = json!({"success": true, "data": bare});
        let mut second = record();
        second["format"] = FORMATS[1].into();
        for document in [&bare, &envelope, &answer, &signed_by(&key(), &second)] {
            for text in [document.to_string(), format!("{document:#}"), document.to_string().replace('é', "\\u00e9")] {
                let valid = verify(text.as_bytes(), None).unwrap();
                assert_eq!((valid.debate_id.as_str(), valid.head.as_str()), ("d", "ab"));
                assert_eq!(verify(text.as_bytes(), Some(valid.public_key)), Ok(valid));
            }
        }
    }

    /// Files that have a genuine record somewhere, `$R` with its signature `$S`, and show another one, `$F`, to readers that
    /// look elsewhere or read otherwise than this one.
    const FORGERIES: [&str; 66] = [
        // Two records beside each other
        r#"{"record":$F,"signature":$S,"content":[{"type":"json","data":{"record":$R,"signature":$S}}]}"#,
        r#"{"record":$F,"signature":$S,"content":[{"data":{"record":$R,"signature":$S}}]}"#,
        r#"{"record":$F,"signature":$S,"content":{"0":{"data":{"record":$R,"signature":$S}}}}"#,
        r#"{"record":$F,"signature":$S,"content":[{"data":[{"record":$R,"signature":$S}]}]}"#,
        r#"{"record":$F,"signature":$S,"data":{"record":$R,"signature":$S}}"#,
        r#"{"record":$R,"signature":$S,"data":{"record":$F,"signature":$S}}"#,
        r#"{"record":$R,"signature":$S,"content":[{"type":"json","data":{"record":$F,"signature":$S}}]}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S}}],"metadata":{},"record":$F}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S}}],"metadata":{},"data":{"record":$F}}"#,
        r#"{"success":true,"data":{"record":$R,"signature":$S},"content":[{"type":"json","data":{"record":$F,"signature":$S}}]}"#,
        r#"{"success":true,"data":{"record":$R,"signature":$S},"record":$F}"#,
        r#"{"success":true,"data":{"record":$R,"signature":$S},"metadata":{}}"#,
        r#"{"success":true,"data":{"record":$R,"signature":$S,"content":[{"data":{"record":$F}}]}}"#,
        r#"{"success":true,"data":{"data":{"record":$R,"signature":$S}}}"#,
        r#"{"success":true,"data":{"success":true,"data":{"record":$R,"signature":$S}}}"#,
        // Names beside the record that the form has not
        r#"{"record":$R,"signature":$S,"Record":$F}"#,
        r#"{"record":$R,"signature":$S,"record ":$F}"#,
        r#"{"record":$R,"signature":$S,"summary":"Rejected"}"#,
        r#"{"record":$R,"signature":$S,"success":true}"#,
        r#"{"record":$R,"signature":$S,"metadata":{"message":"x"}}"#,
        r#"{"record":$R,"signature":$S,"":null}"#,
        r#"{"record":$R,"signature":$S,"note":null}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S,"decision":$F}}],"metadata":{}}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S},"text":"no"}],"metadata":{}}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S}}],"metadata":{},"note":1}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S}}],"metadata":{},"error":{}}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S}}],"metadata":{"record":$F}}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S}}],"metadata":{"data":$F}}"#,
        r#"{"success":true,"data":{"record":$R,"signature":$S},"error":null}"#,
        // Other shapes of an envelope
        r#"{"success":false,"data":{"record":$R,"signature":$S}}"#,
        r#"{"success":1,"data":{"record":$R,"signature":$S}}"#,
        r#"{"data":{"record":$R,"signature":$S}}"#,
        r#"{"content":[{"type":"json","data":{"record":$R,"signature":$S}}]}"#,
        r#"{"success":false,"content":[{"type":"json","data":{"record":$R,"signature":$S}}],"metadata":{}}"#,
        r#"{"success":true,"content":[{"type":"text","data":{"record":$R,"signature":$S}}],"metadata":{}}"#,
        r#"{"success":true,"content":[{"data":{"record":$R,"signature":$S}}],"metadata":{}}"#,
        r#"{"success":true,"content":{"0":{"type":"json","data":{"record":$R,"signature":$S}}},"metadata":{}}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S}},{"type":"json","data":{"record":$F,"signature":$S}}],"metadata":{}}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$F,"signature":$S}},{"type":"json","data":{"record":$R,"signature":$S}}],"metadata":{}}"#,
        r#"{"success":true,"content":[{"type":"json","data":[{"record":$R,"signature":$S}]}],"metadata":{}}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"0":{"record":$R,"signature":$S}}}],"metadata":{}}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S}}],"metadata":[]}"#,
        r#"{"success":true,"content":[],"metadata":{},"record":$R,"signature":$S}"#,
        // Lists, and a record that is no object
        r#"[{"record":$R,"signature":$S}]"#,
        r#"[{"record":$R,"signature":$S},{"record":$F,"signature":$S}]"#,
        r#"[$R,$S]"#,
        r#"{"record":[$R],"signature":$S}"#,
        r#"{"record":[$R,$F],"signature":$S}"#,
        r#"{"record":{"record":$R},"signature":$S}"#,
        r#"{"record":$R,"signature":[$S]}"#,
        // Names that are there twice
        r#"{"record":$F,"record":$R,"signature":$S}"#,
        r#"{"record":$R,"signature":$S,"record":$F}"#,
        r#"{"record":$R,"\u0072ecord":$F,"signature":$S}"#,
        r#"{"record":$R,"signature":$S,"signature":null}"#,
        r#"{"success":true,"data":{"record":$F,"signature":$S},"data":{"record":$R,"signature":$S}}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$F},"data":{"record":$R,"signature":$S}}],"metadata":{}}"#,
        // Another record, or more of it than was signed
        r#"{"record":$F,"signature":$S}"#,
        r#"{"success":true,"data":{"record":$F,"signature":$S}}"#,
        r#"{"success":true,"content":[{"type":"json","data":{"record":$F,"signature":$S}}],"metadata":{}}"#,
        // More than one text
        "{\"record\":$R,\"signature\":$S}{\"record\":$F,\"signature\":$S}",
        "{\"record\":$R,\"signature\":$S}\n{\"record\":$F,\"signature\":$S}",
        "{\"record\":$R,\"signature\":$S}\0",
        "{\"record\":$R,\"signature\":$S},",
        "\u{feff}{\"record\":$R,\"signature\":$S}",
        "\u{a0}{\"record\":$R,\"signature\":$S}",
        "// $F\n{\"record\":$R,\"signature\":$S}",
    ];

    #[test]
    fn a_file_is_one_record_and_nothing_beside_it() {
        for format in FORMATS {
            let mut genuine = record();
            genuine["format"] = format.into();
            let signed = signed_by(&key(), &genuine);
            let mut forged = genuine.clone();
            forged["debate"]["title"] = "Rejected".into();
            let file = |template: &str| {
                let parts = [("$R", &genuine), ("$F", &forged), ("$S", &signed["signature"])];
                parts.iter().fold(template.to_owned(), |text, (name, value)| text.replace(name, &value.to_string()))
            };
            for template in [
                r#"{"record":$R,"signature":$S}"#,
                r#"{"signature":$S,"record":$R}"#,
                r#"{"success":true,"data":{"record":$R,"signature":$S}}"#,
                r#"{"success":true,"content":[{"type":"json","data":{"record":$R,"signature":$S}}],"metadata":{"message":"m","warning":"w"}}"#,
                " \n{\"record\":$R,\"signature\":$S}\r\n\t",
            ] {
                assert!(verify(file(template).as_bytes(), None).is_ok(), "{template}");
            }
            for template in FORGERIES {
                assert!(verify(file(template).as_bytes(), None).is_err(), "{template}");
            }
            let genuine = signed.to_string();
            for (written, otherwise) in [
                ("[12,0]", "[12.0,0]"),
                ("[12,0]", "[12.0000000000000001,0]"),
                ("[12,0]", "[12e0,0]"),
                ("[12,0]", "[1.2e1,0]"),
                ("[12,0]", "[120E-1,0]"),
                ("[12,0]", "[012,0]"),
                ("[12,0]", "[+12,0]"),
                ("[12,0]", "[0xc,0]"),
                ("[12,0]", "[\"12\",0]"),
                ("[12,0]", "[12,-0]"),
                ("[12,0]", "[12,0.0]"),
                ("[12,0]", "[12,1e-400]"),
                ("[12,0]", "[12,0e999]"),
                ("[12,0]", "[12,0,]"),
                ("9007199254740991", "9007199254740991.4"),
                ("9007199254740991", "9007199254740991e0"),
                // Names of the record and of its signature, once more or beside
                ("\"title\":", "\"title\":\"Rejected\",\"title\":"),
                ("\"head\":", "\"h\\u0065ad\":\"cd\",\"head\":"),
                ("\"algorithm\":", "\"algorithm\":\"none\",\"algorithm\":"),
                ("\"algorithm\":", "\"signer\":\"me\",\"algorithm\":"),
            ] {
                let text = genuine.replacen(written, otherwise, 1);
                assert!(text != genuine && verify(text.as_bytes(), None).is_err(), "{text}");
            }
            // What a double cannot tell apart from its neighbour is no number of a record.
            let mut large = record();
            large["n"] = json!(1_u64 << 53);
            assert!(verify(signed_by(&key(), &large).to_string().as_bytes(), None).is_err());
        }
    }

    #[test]
    fn the_metadata_that_aw_prints_has_its_names_and_texts_only() {
        let signed = signed_by(&key(), &record());
        let check = |metadata: &Value| {
            let document =
                json!({"success": true, "content": [{"type": "json", "data": signed}], "metadata": metadata});
            verify(document.to_string().as_bytes(), None)
        };
        let mut all = json!({});
        for name in METADATA {
            all[name] = "a text".into();
            assert!(check(&json!({name: "a text"})).is_ok() && check(&all).is_ok(), "{name}");
        }
        let no_texts = [
            json!(null),
            json!(true),
            json!(0),
            json!([]),
            json!(["a text"]),
            json!({}),
            json!({"record": record()}),
            json!([{"record": record()}]),
            signed.clone(),
        ];
        for name in METADATA {
            for value in &no_texts {
                let mut metadata = all.clone();
                metadata[name] = value.clone();
                assert!(check(&metadata).is_err() && check(&json!({name: value})).is_err(), "{metadata}");
            }
        }
        for name in
            ["next", "also", "more", "record", "data", "signature", "Message", "message ", "", "client_request_id"]
        {
            for value in no_texts.iter().chain([&json!("a text"), &json!(record().to_string())]) {
                let mut metadata = all.clone();
                metadata[name] = value.clone();
                assert!(check(&metadata).is_err(), "{metadata}");
            }
        }
        for value in no_texts.iter().filter(|value| **value != json!({})).chain([&json!("a text")]) {
            assert!(check(value).is_err(), "{value}");
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
            (json!([]), "the only thing"),
            (with("/record", json!("text")), "the only thing"),
            (json!({"record": record()}), "the only thing"),
            (with("/record/format", json!("aweave-debate-record/3")), "format"),
            (with("/record/head", json!(null)), "the head"),
            (with("/record/n/0", json!(13)), "does not match"),
            (with("/signature", json!(null)), "is not signed"),
            (with("/signature", json!(1)), "malformed signature"),
            (with("/signature/algorithm", json!("none")), "is not signed with Ed25519"),
            (with("/signature/public_key", json!("AAAA")), "malformed public key"),
            (with("/signature/signature", json!("AAAA")), "malformed signature"),
            (signed_by(&key(), &json!({"format": "other"})), "format"),
        ] {
            assert!(reason(&document).contains(expected), "{}", reason(&document));
        }
        assert!(verify(b"{", None).unwrap_err().contains("is not JSON"));
        let twice = valid.to_string().replacen("{\"record\":", "{\"record\":{},\"record\":", 1);
        assert!(
            verify(twice.as_bytes(), None).unwrap_err().contains("twice"),
            "fields that readers could take differently"
        );
    }

    #[test]
    fn another_key_and_weak_keys_are_refused() {
        let document = signed_by(&key(), &record());
        let other = PublicKey(SigningKey::from_bytes(&[4; 32]).verifying_key().to_bytes());
        assert!(verify(document.to_string().as_bytes(), Some(other)).unwrap_err().contains("another key"));
        // The neutral element, with which a signature of zeros would hold for every message.
        let mut weak = document;
        let mut neutral = [0; 32];
        neutral[0] = 1;
        let mut zeros = [0; 64];
        zeros[0] = 1;
        weak["signature"]["public_key"] = BASE64.encode(&neutral).into();
        weak["signature"]["signature"] = BASE64.encode(&zeros).into();
        assert!(reason(&weak).contains("weak"), "{}", reason(&weak));
        let given = PublicKey(neutral);
        assert!(verify(weak.to_string().as_bytes(), Some(given)).unwrap_err().contains("weak"));
    }
}
