//! Escapes characters that are invisible or change how their neighbours look, as `\u{…}`: with them a text could look like
//! another one.

#[path = "../../../../hidden_characters.rs"]
mod characters;

use characters::is_hidden;

/// A text of several lines; keeps newlines and tabs.
pub fn text(text: &str) -> String {
    escape(&text.replace("\r\n", "\n"), |c| c == '\n' || c == '\t')
}

/// A text that has to stay on one line, such as a title.
pub fn line(text: &str) -> String {
    escape(text, |_| false)
}

fn escape(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if (is_hidden(c) || c.is_ascii_control()) && !keep(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped_and_a_text_keeps_its_lines() {
        let hostile = "a\u{1b}[2J\u{200b}\u{202e}\u{2066}\u{feff}\u{7f}\u{9b}\u{e0041}é\u{200d}\n\tz";
        let escaped = "a\\u{1b}[2J\\u{200b}\\u{202e}\\u{2066}\\u{feff}\\u{7f}\\u{9b}\\u{e0041}é\u{200d}\n\tz";
        assert_eq!(text(hostile), escaped);
        assert_eq!(text("one\r\ntwo\rthree"), "one\ntwo\\u{d}three");
        assert_eq!(line("a\nb"), "a\\u{a}b");
    }
}
