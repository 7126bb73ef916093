//! Takes out of a program's output what is no text: escape sequences for terminals, a byte order mark, escapes that are none.

use anstream::adapter::strip_str;

/// The text without escape sequences and byte order marks.
pub fn without_escapes(text: &str) -> String {
    strip_str(text).to_string().replace('\u{feff}', "")
}

/// JSON in which each escape is one: half of a surrogate pair is U+FFFD, and a backslash before a character that it does not escape
/// is itself, as in `\d`.
pub fn with_valid_escapes(json: &str) -> String {
    let mut valid = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        let of_pair = |at: usize| escape.get(at..).and_then(hexadecimal);
        let (with, length) = match (escape.chars().nth(1), of_pair(0), of_pair(6)) {
            (Some('u'), Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (&escape[..12], 12),
            (Some('u'), Some(0xd800..=0xdfff), _) => ("\u{fffd}", 6),
            (Some('u'), Some(_), _) => (&escape[..6], 6),
            (Some('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't'), ..) => (&escape[..2], 2),
            (Some('\''), ..) => ("'", 2),
            (Some(_), ..) => ("\\\\", 1),
            (None, ..) => ("\\", 1),
        };
        valid.push_str(before);
        valid.push_str(with);
        rest = &escape[length..];
    }
    valid + rest
}

/// The number of an escape like `\ud83d` at the beginning.
fn hexadecimal(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number.then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_taken_out_and_the_text_stays() {
        for (text, clean) in [
            ("\u{1b}[32m```json\u{1b}[0m\n{\"a\": 1}", "```json\n{\"a\": 1}"),
            ("\u{1b}]0;ready\u{7}{}", "{}"),
            ("\u{1b}[?2004h{}", "{}"),
            ("\u{feff}{}", "{}"),
            ("tab\t and line\nđầu 😀", "tab\t and line\nđầu 😀"),
        ] {
            assert_eq!(without_escapes(text), clean, "{text:?}");
        }
    }

    #[test]
    fn each_escape_is_one() {
        for (json, valid) in [
            (r#""cut \ud83d here""#, "\"cut \u{fffd} here\""),
            (r#""\ude00\ud83d""#, "\"\u{fffd}\u{fffd}\""),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\\ud83d \u00e9 \\\ud83d""#, "\"\\\\ud83d \\u00e9 \\\\\u{fffd}\""),
            (r#""\"#, r#""\"#),
            (r#""\é"#, r#""\\é"#),
            (r#""\ud8"#, r#""\\ud8"#),
            (r#""C:\users \+123 \d+ it\'s \" \/""#, r#""C:\\users \\+123 \\d+ it's \" \/""#),
        ] {
            assert_eq!(with_valid_escapes(json), valid, "{json}");
        }
    }
}
