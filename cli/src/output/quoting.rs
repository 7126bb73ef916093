//! Builds commands that a person or an agent can paste into a shell.

/// Joins words to a command, quoting each where needed.
pub fn command<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for a POSIX shell, if it needs quotes.
pub fn quote(word: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_safe) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Longer commands are not suggested: they hold a whole text, which the caller has.
const MAX_BYTES: usize = 2000;

/// The command `aw` with these arguments. `None` if standard input cannot be read again, or if it is too long.
pub fn aw_command(args: Vec<String>) -> Option<String> {
    if args.iter().any(|arg| arg == "--stdin") || args.iter().map(String::len).sum::<usize>() > MAX_BYTES {
        return None;
    }
    Some(command(["aw"].into_iter().chain(args.iter().map(String::as_str))))
}

/// The same command with the request id of the first attempt, so that repeating it stores nothing twice.
pub fn retry_command(mut args: Vec<String>, request_id: &str) -> Option<String> {
    const OPTION: &str = "--client-request-id";
    if !args.iter().any(|arg| arg.split('=').next() == Some(OPTION)) {
        args.extend([OPTION.to_owned(), request_id.to_owned()]);
    }
    aw_command(args)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_needed() {
        assert_eq!(
            command(["aw", "debate", "--x", "a b", "", "it's", "$(rm)"]),
            r"aw debate --x 'a b' '' 'it'\''s' '$(rm)'"
        );
    }

    #[test]
    fn a_retry_command_keeps_the_request_id() {
        let again = |words: &[&str]| retry_command(words.iter().map(|word| (*word).to_owned()).collect(), "r 1");
        assert_eq!(again(&["a", "b c"]).unwrap(), "aw a 'b c' --client-request-id 'r 1'");
        assert_eq!(again(&["a", "--client-request-id", "x"]).unwrap(), "aw a --client-request-id x");
        assert_eq!(again(&["a", "--client-request-id=x"]).unwrap(), "aw a --client-request-id=x");
        assert_eq!(again(&["a", "--stdin"]), None);
        assert_eq!(again(&[&"a".repeat(3000)]), None);
    }
}
