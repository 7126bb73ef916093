//! JSON that is somebody else's: passed on as it was written.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A piece of JSON, character by character. What is in it is the server's to judge.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Verbatim(Box<RawValue>);

impl Verbatim {
    /// The JSON itself.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }
}

impl FromStr for Verbatim {
    type Err = serde_json::Error;

    /// Takes whatever is one JSON value.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        serde_json::from_str(text).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_as_it_was_read() {
        let text = r#"{ "z": 1.50, "a": 123456789012345678901234567890 }"#;
        assert_eq!(serde_json::to_string(&text.parse::<Verbatim>().unwrap()).unwrap(), text);
        for broken in ["", "{", "{}{}", "{'a': 1}"] {
            assert!(broken.parse::<Verbatim>().is_err(), "{broken}");
        }
    }
}
