//! Takes out of a program's output what is no text: escape sequences for terminals, a byte order mark, escapes that are none.

use std::sync::LazyLock;

use hidden_characters::is_hidden;
use regex_lite::Regex;

/// Whether a text has nothing that anybody sees.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_hidden(c))
}

/// Escape sequences, and the other controls but for white space. Those that take a text up to its end, such as the title of a window,
/// have that in their line: of one without an end only its two characters are taken out.
const ESCAPES: &str = r"\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x08\x0e-\x1f\x7f\u{feff}]";

/// The text without escape sequences, controls and byte order marks.
pub fn without_escapes(text: &str) -> String {
    static FOUND: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(ESCAPES).ok());
    let is_escape = |c: char| c == '\u{feff}' || (c.is_ascii_control() && !c.is_ascii_whitespace());
    match &*FOUND {
        Some(found) if text.contains(is_escape) => found.replace_all(text, "").into_owned(),
        Some(_) | None => text.to_owned(),
    }
}

/// A text of an answer without what no argument may have: escape sequences, byte order marks and characters that are no text.
pub fn without_refused(text: &str) -> String {
    let is_kept = |c: &char| matches!(c, '\n' | '\r' | '\t') || !is_refused(*c);
    without_escapes(text).replace(BREAKS, " ").chars().filter(is_kept).collect()
}

/// Characters that break a line or a page, and that the server does not take.
const BREAKS: [char; 3] = ['\u{b}', '\u{c}', '\u{85}'];

/// Whether the server takes no text with this character, but for line breaks and tabs.
pub fn is_refused(c: char) -> bool {
    c.is_control() || matches!(c, '\u{e0000}'..='\u{e007f}')
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
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn escape_sequences_are_taken_out_and_the_text_stays() {
        for (text, clean) in [
            ("\u{1b}[32m```json\u{1b}[0m\n{\"a\": 1}", "```json\n{\"a\": 1}"),
            ("\u{1b}]0;ready\u{7}{}", "{}"),
            ("\u{1b}[?2004h{}", "{}"),
            ("\u{feff}{}", "{}"),
            ("\u{1b}]0;working\n{}", "0;working\n{}"),
            ("\u{1b}Ptmux;\u{1b}\n{}", "tmux;\n{}"),
            ("a \u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\ \u{1b}]0; rest", "a link 0; rest"),
            ("tab\t and line\nđầu 😀", "tab\t and line\nđầu 😀"),
        ] {
            assert_eq!(without_escapes(text), clean, "{text:?}");
        }
    }

    #[test]
    fn a_long_line_is_looked_at_in_bounded_time() {
        let began = Instant::now();
        for (text, clean, times) in [
            ("\u{1b}]", "", 1 << 19),
            ("\u{1b}P\u{1b}", "", 1 << 18),
            ("\u{1b}]0;x\u{7}\r", "\r", 1 << 17),
            ("\u{1b}]0;x\u{1b}\\\r", "\r", 1 << 17),
        ] {
            assert!(without_escapes(&text.repeat(times)) == clean.repeat(times), "{text:?}");
        }
        // Much more than it takes, and much less than it took.
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    }

    #[test]
    fn what_the_server_refuses_is_taken_out_of_a_text() {
        for (text, clean) in [
            ("\u{1b}[31mLost\u{1b}[0m\u{0} rows\u{7f}", "Lost rows"),
            ("page\u{c}break\u{85}", "page break "),
            ("\u{feff}a\r\n\tb\u{9b}", "a\r\n\tb"),
            ("\u{1f3f4}\u{e0067}\u{e007f}", "\u{1f3f4}"),
        ] {
            assert_eq!(without_refused(text), clean, "{text:?}");
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
