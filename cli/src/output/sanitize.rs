//! Escapes control characters and invisible characters in text by others.
//!
//! A terminal would execute an escape sequence in an argument, and invisible or bidirectional characters can make a text
//! look like another. They are written as `\uXXXX` in JSON (the same value) and as `\u{…}` in markdown.

use std::io;

use serde::Serialize;
use serde_json::{Value, ser::Formatter};

use hidden_characters::is_hidden;

pub use hidden_characters::{line, text};

/// The first hidden character and its byte index.
fn first_hidden(text: &str) -> Option<(usize, char)> {
    // Fast path: most text is ASCII, which is checked many bytes at a time.
    if text.is_ascii() && !text.contains('\u{7f}') {
        return None;
    }
    text.char_indices().find(|&(_, c)| is_hidden(c))
}

/// Formats a value as one line of JSON without hidden characters.
pub fn json(value: &Value) -> String {
    let mut out = Vec::new();
    let result = value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, EscapeHidden));
    match (result, String::from_utf8(out)) {
        (Ok(()), Ok(text)) => text,
        // Writing a value to memory does not fail; this arm only avoids a panic.
        _ => value.to_string(),
    }
}

/// serde_json's compact format, with hidden characters escaped.
struct EscapeHidden;

impl Formatter for EscapeHidden {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = first_hidden(rest) {
            writer.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}[2J\u{200b}\u{202e}\u{2066}\u{feff}\u{7f}\u{9b}\u{e0041}é\u{200d}\n\tz";

    #[test]
    fn json_escapes_hidden_characters_and_keeps_the_value() {
        let value = Value::from(HOSTILE);
        let text = json(&value);
        assert!(!text.chars().any(|c| is_hidden(c) || c.is_control()), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(text.contains("\\u200b\\u202e\\u2066\\ufeff\\u007f\\u009b\\udb40\\udc41é\u{200d}\\n\\tz"), "{text}");
        assert_eq!(json(&Value::from("rub\u{7f}out")), r#""rub\u007fout""#);
    }
}
