//! JSON that every program reads alike: without repeated names, of which programs take different ones, and with whole numbers
//! only, each written in its one way, since some programs round others and some do not.

use std::{collections::HashSet, str};

use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};
use serde_json::Value;

use crate::files::BYTE_ORDER_MARK;

/// Parses one JSON value.
///
/// # Errors
/// What is wrong if the text is not JSON, if an object has a name twice, or if a number is not whole, is written otherwise than
/// as its digits, or is too large for a double.
pub fn parse(text: &[u8]) -> Result<Value, String> {
    if text.starts_with(BYTE_ORDER_MARK.to_string().as_bytes()) {
        return Err("it begins with a byte order mark".to_owned());
    }
    let value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let text = str::from_utf8(text).map_err(|error| error.to_string())?;
    // It keeps what serde_json does not: all names of an object, and how numbers are written. What else it allows was refused.
    let written = parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    written.map_err(|error| error.to_string())?.value.as_ref().map_or(Ok(()), check)?;
    Ok(value)
}

fn check(written: &ast::Value<'_>) -> Result<(), String> {
    match written {
        ast::Value::Object(object) => {
            let mut names = HashSet::new();
            object.properties.iter().try_for_each(|property| {
                let name = property.name.as_str();
                if names.insert(name) {
                    check(&property.value)
                } else {
                    Err(format!("the name {name:?} is there twice"))
                }
            })
        }
        ast::Value::Array(array) => array.elements.iter().try_for_each(check),
        ast::Value::NumberLit(number) if !is_exact(number.value) => {
            Err(format!("the number {} is not whole, not written as its digits alone, or too large", number.value))
        }
        ast::Value::NumberLit(_)
        | ast::Value::StringLit(_)
        | ast::Value::BooleanLit(_)
        | ast::Value::NullKeyword(_) => Ok(()),
    }
}

/// Whether a double holds this number and no other one, and whether it is written as its digits.
fn is_exact(number: &str) -> bool {
    number.parse::<i64>().is_ok_and(|whole| whole.unsigned_abs() < 1 << 53 && whole.to_string() == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_read_differently_is_refused() {
        for (text, reason) in [
            (r#"{"a":1,"b":{"c":[],"a":2}}"#, ""),
            (r#" [0, -1, 9007199254740991, "a\u0000\ud83d\ude00", true, null] "#, ""),
            (r#"{"a":1,"a":1}"#, "the name \"a\" is there twice"),
            (r#"[{"b":{"é\n":1,"\u00e9\u000a":2}}]"#, "there twice"),
            (r#"{"\ud83d\ude00":1,"😀":2}"#, "there twice"),
            ("[1.0]", "the number 1.0 is not whole"),
            ("[-0]", "the number -0 "),
            ("[1e2]", "the number 1e2 "),
            (r#"{"a":9007199254740992}"#, "too large"),
            ("[-9007199254740992]", "too large"),
            ("[123456789012345678901234567890]", "too large"),
            ("", "EOF"),
            ("[1,]", "trailing comma"),
            ("// why\n[]", "expected value"),
            ("{'a':1}", "key must be a string"),
            ("[] []", "trailing characters"),
            ("\u{feff}[]", "byte order mark"),
            (r#"["\ud800"]"#, "hex escape"),
        ] {
            let told = parse(text.as_bytes()).err().unwrap_or_default();
            assert!(told.contains(reason) && told.is_empty() == reason.is_empty(), "{text}: {told}");
        }
        assert!(parse(b"[\"\xff\"]").is_err());
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(parse(deep.as_bytes()), serde_json::from_str(&deep).map_err(|error| error.to_string()));
    }
}
