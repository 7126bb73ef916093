//! Commands that a person or an agent can copy into a shell.

/// Joins words to a command in which every word stays one word.
pub fn command<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// A word as the shell has to see it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stays_one_word() {
        assert_eq!(
            command(["aw", "debate", "--x", "a b", "", "it's", "$(rm)"]),
            r"aw debate --x 'a b' '' 'it'\''s' '$(rm)'"
        );
    }
}
