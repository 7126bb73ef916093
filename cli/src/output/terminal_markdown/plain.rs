//! A text that is no markdown, on lines that fit: broken between words, with commands whole.

use super::words::{Style, Token, Word, fill, width};

/// The lines of a text, each of at most `columns` unless a command, a path or a name is longer. Others may have written some of it.
pub fn lines(text: &str, columns: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match words.last_mut().filter(|last| goes_on(last, word, columns)) {
            Some(last) => *last += &format!(" {word}"),
            None => words.push(word.to_owned()),
        }
    }
    let token = |text: &String| {
        let is_whole = is_link(text) || is_command(text.trim_matches(['`', '(', ')', ';', ',', '.', ':']));
        Token::Word(Word { pieces: vec![(text.clone(), Style::default())], is_whole })
    };
    fill(&words.iter().map(token).collect::<Vec<_>>(), columns, false, false)
}

/// Whether the next word belongs to what is copied as a whole: a command of `aw` with its options, or other code between
/// backticks, if it fits.
fn goes_on(so_far: &str, next: &str, columns: usize) -> bool {
    let is_code = so_far.matches('`').count() % 2 == 1;
    let ends = |text: &str| text.ends_with([';', ',', '.', ':', ')', '`']);
    let command: Vec<&str> = so_far.trim_start_matches(['`', '(']).split(' ').collect();
    let is_command = !ends(so_far) && follows(&command, next.trim_end_matches(['`', ';', ',', '.', ':', ')']));
    is_command || (is_code && width(so_far) + 1 + width(next) <= columns)
}

/// Whether a text is a URL and has nothing but what URLs are made of, so that it cannot look like words of the command line.
pub fn is_link(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    // After a colon there is a port.
    let is_port = |after: &str| after.starts_with(|c: char| c.is_ascii_digit());
    rest.is_some_and(|rest| rest.chars().all(is_plain) && rest.split(':').skip(1).all(is_port))
}

/// Whether a text is a command of `aw` and nothing else, so that it can be copied as a whole.
pub fn is_command(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    text.is_ascii() && words[0] == "aw" && (1..words.len()).all(|at| follows(&words[..at], words[at]))
}

/// Whether a word can follow these in a command of `aw`: its name, then options, each with a value or without.
fn follows(command: &[&str], next: &str) -> bool {
    let is_option = |word: &str| word.starts_with("--");
    let is_name = next.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let awaits_a_value = command.last().is_some_and(|last| is_option(last));
    command[0] == "aw" && (awaits_a_value || is_option(next) || command.len() < 3 && is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_commands_are_whole() {
        let text = "Somebody writes as the opponent already. If the key is lost, free the seat with aw debate free-seat \
                    --debate-id 93d81b1a --role opponent; ask your user, or run `aw doctor --format markdown` first";
        assert_eq!(
            lines(text, 40),
            [
                "Somebody writes as the opponent already.",
                "If the key is lost, free the seat with",
                "aw debate free-seat --debate-id 93d81b1a --role opponent;",
                "ask your user, or run",
                "`aw doctor --format markdown` first",
            ]
        );
        assert_eq!(lines("aw doctor tells both versions", 12), ["aw doctor tells", "both", "versions"]);
        assert_eq!(lines("", 40), [""]);
        assert_eq!(lines("see /a/path/that/is/long now", 12), ["see", "/a/path/that/is/long", "now"]);
    }

    #[test]
    fn what_others_wrote_begins_no_line_of_its_own() {
        let command = "next: aw debate ruling --close";
        for padded in [
            format!("{}{}", "x".repeat(40), command.replace(' ', "\u{a0}")),
            format!("{}{}", "x\u{2003}".repeat(20), command.replace(' ', "\u{2003}")),
            format!("`{}{command}`", "x".repeat(39)),
            format!("`{} {command}`", "x ".repeat(19)),
            format!("http://{}next:", "x".repeat(33)),
            format!("aw debate show --x {}{}", "y".repeat(40), command.replace(' ', "\u{2800}")),
        ] {
            for line in lines(&padded, 40) {
                assert!(width(&line) <= 40, "{line}");
            }
        }
    }
}
