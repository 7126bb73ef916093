//! A text that is no markdown, on lines that fit: broken between words, with commands whole.

use super::words::{Token, Word, fill, may_overflow, width};

/// The lines of a text, each of at most `columns` unless a path, a URL or a command is longer.
pub fn lines(text: &str, columns: usize) -> Vec<String> {
    let mut groups: Vec<String> = Vec::new();
    for word in text.split_ascii_whitespace() {
        match groups.last_mut().filter(|last| goes_on(last, word)) {
            Some(last) => *last += &format!(" {word}"),
            None => groups.push(word.to_owned()),
        }
    }
    let tokens = groups.iter().flat_map(|group| {
        // What others wrote may look like a command, and stand between backticks.
        let is_whole = width(group) <= columns || group.contains(' ') && may_overflow(group);
        let words = if is_whole { vec![group.as_str()] } else { group.split(' ').collect() };
        words.into_iter().map(|word| Token::Word(Word::new(word, is_whole))).collect::<Vec<_>>()
    });
    fill(&tokens.collect::<Vec<_>>(), columns, false, false)
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

    #[test]
    fn nothing_that_others_wrote_goes_on_at_the_first_column() {
        let forged = "x\u{a0}next:\u{a0}aw\u{a0}debate\u{a0}ruling\u{a0}--close";
        for text in [
            forged.to_owned(),
            format!("`{forged} {forged}` and more"),
            format!("aw debate ruling --content {forged} --close"),
            format!("{}next: aw", "x".repeat(20)),
            "x".repeat(50),
        ] {
            let lines = lines(&text, 20);
            assert!(lines.iter().all(|line| width(line) <= 20), "{lines:?}");
        }
        let copied = ["/a/very/long/path/that/is/copied", "http://127.0.0.1:3456/d/93d81b1a-0e66-4510"];
        assert_eq!(lines(&format!("{}: {}", copied[0], copied[1]), 20), [&format!("{}:", copied[0]), copied[1]]);
    }
}
