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
    if args.iter().any(|arg| reads_stdin(arg)) || args.iter().map(String::len).sum::<usize>() > MAX_BYTES {
        return None;
    }
    Some(command(["aw"].into_iter().chain(args.iter().map(String::as_str))))
}

/// Whether an argument has standard input read, or may have: `-` stands for it as a path and as a text, also as `--file=-` and
/// `-f-`. Where it is only a title, nothing is lost but a suggestion.
fn reads_stdin(arg: &str) -> bool {
    let is_short = |arg: &str| arg.len() == 3 && arg.starts_with('-') && arg.ends_with('-') && arg != "---";
    let is_descriptor = ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].iter().any(|path| arg.contains(path));
    arg == "--stdin" || arg == "-" || arg.ends_with("=-") || is_short(arg) || is_descriptor
}

/// The same command with the request id of the first attempt, so that repeating it stores nothing twice.
pub fn retry_command(mut args: Vec<String>, request_id: &str) -> Option<String> {
    const OPTION: &str = "--client-request-id";
    if !args.iter().any(|arg| arg.split('=').next() == Some(OPTION)) {
        let place = if args.iter().any(|arg| arg == "--") { end_of_name(&args) } else { args.len() };
        args.splice(place..place, [OPTION.to_owned(), request_id.to_owned()]);
    }
    aw_command(args)
}

/// Where the words of the command end, such as `docs submit`: nothing before is a value but that of `--format`, and behind `--`
/// nothing is an option.
fn end_of_name(args: &[String]) -> usize {
    let is_value = |at: usize| at.checked_sub(1).is_some_and(|before| args[before] == "--format");
    let mut words = (0..args.len()).filter(|at| !args[*at].starts_with('-') && !is_value(*at));
    words.nth(1).map_or(args.len(), |at| at + 1)
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
        assert_eq!(again(&[&"a".repeat(3000)]), None);
    }

    #[test]
    fn what_reads_standard_input_is_not_suggested_again() {
        let again = |words: &[&str]| retry_command(words.iter().map(|word| (*word).to_owned()).collect(), "r");
        for words in [
            &["--stdin"][..],
            &["--file", "-"],
            &["--file=-"],
            &["-f", "-"],
            &["-f-"],
            &["-f=-"],
            &["--content", "-"],
            &["--issue-changes=-"],
            &["--file", "/dev/stdin"],
            &["--plan=/dev/fd/0"],
        ] {
            assert_eq!(again(&[&["docs", "create"], words].concat()), None, "{words:?}");
        }
        for words in [&["--content", "a -"][..], &["--content=-a"], &["--file", "a-"], &["-fa-"], &["--", "x"]] {
            assert!(again(&[&["docs", "create"], words].concat()).is_some(), "{words:?}");
        }
    }

    #[test]
    fn the_request_id_is_an_option_also_where_the_options_end() {
        let again = |line: &str| retry_command(line.split(' ').map(str::to_owned).collect(), "r").unwrap();
        assert_eq!(again("docs submit --summary s -- ID"), "aw docs submit --client-request-id r --summary s -- ID");
        assert_eq!(
            again("--format json docs --format=json submit --content -- ID"),
            "aw --format json docs --format=json submit --client-request-id r --content -- ID"
        );
    }
}
