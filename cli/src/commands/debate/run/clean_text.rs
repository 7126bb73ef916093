//! Takes out of a program's output what is no text: escape sequences for terminals, a byte order mark, halves of surrogate pairs.

use anstream::adapter::strip_str;

/// The text without escape sequences and byte order marks.
pub fn without_escapes(text: &str) -> String {
    strip_str(text).to_string().replace('\u{feff}', "")
}

/// JSON in which an escape for half of a surrogate pair, which is no character, is U+FFFD.
pub fn with_whole_characters(json: &str) -> String {
    let mut whole = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match (surrogate(escape), escape.get(6..).and_then(surrogate)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(_), _) => {
                whole.push('\u{fffd}');
                rest = escape.get(6..).unwrap_or_default();
                continue;
            }
            // The character after a backslash begins no escape of its own.
            (None, _) => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        whole.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    whole + rest
}

/// The number of an escape like `\ud83d` at the beginning, if it is that of half of a pair.
fn surrogate(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok().filter(|number| (0xd800..=0xdfff).contains(number))
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
    fn half_of_a_pair_is_a_replacement_character_and_a_whole_one_stays() {
        for (json, whole) in [
            (r#""cut \ud83d here""#, "\"cut \u{fffd} here\""),
            (r#""\ude00\ud83d""#, "\"\u{fffd}\u{fffd}\""),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\\ud83d \u00e9 \\\ud83d""#, "\"\\\\ud83d \\u00e9 \\\\\u{fffd}\""),
            (r#""\"#, r#""\"#),
            (r#""\é"#, r#""\é"#),
            (r#""\ud8"#, r#""\ud8"#),
        ] {
            assert_eq!(with_whole_characters(json), whole, "{json}");
        }
    }
}
