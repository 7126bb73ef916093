//! Text of others, made harmless for a terminal.
//!
//! Arguments are written by the other side. A terminal would obey an escape sequence in them, and characters that
//! nobody sees or that turn the direction of reading can make a text look like another one. So whatever is not plainly
//! visible is spelled out: as `\uXXXX` in JSON (the same value), as `\u{…}` in markdown.

use std::io;

use serde::Serialize;
use serde_json::{Value, ser::Formatter};

/// Whether a character is invisible, or changes how its neighbours look. The C0 controls are not listed: JSON escapes
/// them by itself, and in markdown it depends on where they stand.
fn hidden(c: char) -> bool {
    matches!(c,
        '\u{7f}'..='\u{9f}' // DEL and C1, which 8-bit terminals obey
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' // direction
        | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' // no width
        | '\u{2028}' | '\u{2029}' // lines that are no lines
        | '\u{e0000}'..='\u{e007f}') // tags
}

/// The first such character, and where it is.
fn first_hidden(text: &str) -> Option<(usize, char)> {
    // Most text is plain, and found to be so many bytes at a time.
    if text.is_ascii() && !text.contains('\u{7f}') {
        return None;
    }
    text.char_indices().find(|&(_, c)| hidden(c))
}

/// A text of several lines: newlines and tabs stay.
pub fn text(text: &str) -> String {
    spelled_out(&text.replace("\r\n", "\n"), |c| c == '\n' || c == '\t')
}

/// A text that has to stay on one line, such as a title.
pub fn line(text: &str) -> String {
    spelled_out(text, |_| false)
}

fn spelled_out(text: &str, kept: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if hidden(c) || (c.is_ascii_control() && !kept(c)) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// A value as one line of JSON without hidden characters.
pub fn json(value: &Value) -> String {
    let mut out = Vec::new();
    let written = value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Visible));
    match (written, String::from_utf8(out)) {
        (Ok(()), Ok(text)) => text,
        // Neither fails for a value written to memory; if one ever did, the plain form is as good as any.
        _ => value.to_string(),
    }
}

/// Compact JSON, with hidden characters as escapes.
struct Visible;

impl Formatter for Visible {
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

    const SLY: &str = "a\u{1b}[2J\u{200b}\u{202e}\u{2066}\u{feff}\u{7f}\u{9b}\u{e0041}é\u{200d}\n\tz";

    #[test]
    fn json_keeps_the_value_and_shows_no_hidden_character() {
        let value = Value::from(SLY);
        let text = json(&value);
        assert!(!text.chars().any(|c| hidden(c) || c.is_control()), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(text.contains("\\u200b\\u202e\\u2066\\ufeff\\u007f\\u009b\\udb40\\udc41é\u{200d}\\n\\tz"), "{text}");
        assert_eq!(json(&Value::from("rub\u{7f}out")), r#""rub\u007fout""#);
    }

    #[test]
    fn a_text_keeps_its_lines_and_loses_its_tricks() {
        assert_eq!(text(SLY), "a\\u{1b}[2J\\u{200b}\\u{202e}\\u{2066}\\u{feff}\\u{7f}\\u{9b}\\u{e0041}é\u{200d}\n\tz");
        assert_eq!(text("one\r\ntwo\rthree"), "one\ntwo\\u{d}three");
        assert_eq!(line("a\nb"), "a\\u{a}b");
    }
}
