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

/// The longest command that is worth telling: whoever gave a whole text on the command line has it already.
const MOST: usize = 2000;

/// `aw` with these words as a command. Nothing where standard input is used up, or where it is too long to tell.
pub fn told(words: Vec<String>) -> Option<String> {
    if words.iter().any(|word| word == "--stdin") || words.iter().map(String::len).sum::<usize>() > MOST {
        return None;
    }
    Some(command(["aw"].into_iter().chain(words.iter().map(String::as_str))))
}

/// This run's command under that request id, so that running it again stores nothing twice, where it can be told.
pub fn repeated(words: impl IntoIterator<Item = String>, request_id: &str) -> Option<String> {
    const OPTION: &str = "--client-request-id";
    let mut words: Vec<String> = words.into_iter().collect();
    if !words.iter().any(|word| word.split('=').next() == Some(OPTION)) {
        words.extend([OPTION.to_owned(), request_id.to_owned()]);
    }
    told(words)
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

    #[test]
    fn what_is_repeated_keeps_its_request_id() {
        let again = |words: &[&str]| repeated(words.iter().map(|word| (*word).to_owned()), "r 1");
        assert_eq!(again(&["a", "b c"]).unwrap(), "aw a 'b c' --client-request-id 'r 1'");
        assert_eq!(again(&["a", "--client-request-id", "x"]).unwrap(), "aw a --client-request-id x");
        assert_eq!(again(&["a", "--client-request-id=x"]).unwrap(), "aw a --client-request-id=x");
        assert_eq!(again(&["a", "--stdin"]), None);
        assert_eq!(again(&[&"a".repeat(3000)]), None);
    }
}
