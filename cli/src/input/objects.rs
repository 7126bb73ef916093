//! Lists of objects in JSON.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The objects of a list, also behind a byte order mark; serde alone would accept lists of the fields' values, too.
pub fn objects<T: DeserializeOwned>(json: &str) -> Result<Vec<T>, String> {
    let json = json.strip_prefix('\u{feff}').unwrap_or(json);
    typed(serde_json::from_str(json).map_err(|error| error.to_string())?)
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
    fn a_list_may_stand_behind_a_byte_order_mark() {
        for json in ["[{\"a\": 1}]", "\u{feff}[{\"a\": 1}]"] {
            assert_eq!(objects::<Map<String, Value>>(json).unwrap()[0]["a"], 1);
        }
        assert!(objects::<Map<String, Value>>("\u{feff}\u{feff}[]").is_err());
    }
}
