//! A text that is no markdown, on lines that fit: broken between words, with commands whole.

use super::words::{Style, Token, Word, fill};

/// The lines of a text, each of at most `columns` unless a word or a command is longer.
pub fn lines(text: &str, columns: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_ascii_whitespace() {
        match words.last_mut().filter(|last| goes_on(last, word)) {
            Some(last) => *last += &format!(" {word}"),
            None => words.push(word.to_owned()),
        }
    }
    let token = |text: &String| Token::Word(Word { pieces: vec![(text.clone(), Style::default())], is_whole: true });
    fill(&words.iter().map(token).collect::<Vec<_>>(), columns, false, false)
}

/// Whether the next word belongs to what is copied as a whole: code between backticks, or a command of `aw` with its options.
fn goes_on(so_far: &str, next: &str) -> bool {
    if so_far.matches('`').count() % 2 == 1 {
        return true;
    }
    let words: Vec<&str> = so_far.split(' ').collect();
    let is_option = |word: &str| word.starts_with("--");
    let is_name = next.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let awaits_a_value = words.last().is_some_and(|last| is_option(last));
    let is_command = words[0] == "aw" && !so_far.ends_with([';', ',', '.', ':', ')']);
    is_command && (awaits_a_value || is_option(next) || words.len() < 3 && is_name)
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
    }
}
