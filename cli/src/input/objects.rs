//! Lists of objects in JSON.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::files::BYTE_ORDER_MARK;

/// The objects of a list; serde alone would accept lists of the fields' values, too. A byte order mark may come first.
pub fn objects<T: DeserializeOwned>(json: &str) -> Result<Vec<T>, String> {
    typed(serde_json::from_str(json.trim_start_matches(BYTE_ORDER_MARK)).map_err(|error| error.to_string())?)
}

/// What these objects are.
pub fn typed<T: DeserializeOwned>(objects: Vec<Map<String, Value>>) -> Result<Vec<T>, String> {
    let item = |(index, fields)| {
        serde_json::from_value(Value::Object(fields)).map_err(|error| format!("number {}: {error}", index + 1))
    };
    objects.into_iter().enumerate().map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_may_come_first() {
        for json in ["[{\"a\": 1}]", "\u{feff}[{\"a\": 1}]", "\u{feff}\n[{\"a\": 1}]\r\n"] {
            assert_eq!(objects::<Value>(json).unwrap(), [serde_json::json!({"a": 1})], "{json:?}");
        }
        assert!(objects::<Value>("[\u{feff}{}]").is_err());
    }
}
