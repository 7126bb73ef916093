//! Turns a command line that clap rejects into a failure that names the command to run instead.

use std::{env, ops::RangeInclusive, slice};

use clap::{
    Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::{
    command_line::CommandLine,
    commands::debate::issue_change_flags,
    output::{
        Code, Failure,
        failure::{clap_message, on_one_line},
        quoting,
    },
};

/// Adds the help of the current command as the next command, unless the failure already names one.
pub fn with_help_command(failure: Failure) -> Failure {
    if failure.next().is_some() { failure } else { failure.with_next(help_command(&args())) }
}

/// The arguments of this process. Empty where one is not UTF-8, since such a command cannot be suggested again.
pub fn args() -> Vec<String> {
    env::args_os().skip(1).map(|arg| arg.into_string().ok()).collect::<Option<_>>().unwrap_or_default()
}

/// `--help` of the innermost command that `args` name.
fn help_command(args: &[String]) -> String {
    let mut command = CommandLine::definition();
    let mut words = vec!["aw".to_owned()];
    for arg in args {
        if let Some(subcommand) = command.find_subcommand(arg) {
            words.push(subcommand.get_name().to_owned());
            command = subcommand.clone();
        }
    }
    words.push("--help".to_owned());
    words.join(" ")
}

/// The first paragraph of clap's text says what is wrong; its tips and the usage become the suggestion.
pub fn failure(error: &clap::Error, args: &[String]) -> Failure {
    let text = error.render().to_string();
    let paragraphs = text.split("\n\n").skip(1).map(on_one_line);
    let with_equals_sign = with_equals_sign(args);
    let mut message = clap_message(&text);
    if let (ErrorKind::InvalidUtf8, Some(argument)) = (error.kind(), env::args_os().find(|arg| arg.to_str().is_none()))
    {
        message += &format!(": {}", argument.display());
    }
    let mut suggestion: Vec<String> = match (&with_equals_sign, issue_flag(error, args)) {
        (Some(_), _) => vec!["tip: write '=' before a value that starts with '-'".to_owned()],
        (None, Some((flag, form))) => {
            message += &format!("; {flag} takes one value of the form {form}");
            vec![format!("Write {flag} {form}; a shell needs the quotes")]
        }
        (None, None) => paragraphs.filter(|paragraph| paragraph.starts_with("tip:")).collect(),
    };
    if let Some(usage) = error.get(ContextKind::Usage) {
        suggestion.push(on_one_line(&usage.to_string()));
    }
    suggestion.push("See --help".to_owned());
    let corrected = with_equals_sign.or_else(|| with_clap_suggestion(error, args));
    let next = corrected.and_then(quoting::aw_command).unwrap_or_else(|| help_command(args));
    Failure::new(Code::InvalidInput, message).with_suggestion(suggestion.join(". ")).with_next(next)
}

/// The flag that changes issues, with its form, whose value is missing or was split into several words for lack of quotes.
fn issue_flag(error: &clap::Error, args: &[String]) -> Option<(String, &'static str)> {
    let Some(ContextValue::String(invalid)) = error.get(ContextKind::InvalidArg) else { return None };
    let with_form = |flag: &str| issue_change_flags::form_of(flag).map(|form| (flag.to_owned(), form));
    if error.kind() == ErrorKind::InvalidValue {
        return with_form(invalid.split(' ').next()?);
    }
    if error.kind() != ErrorKind::UnknownArgument || invalid.starts_with('-') {
        return None;
    }
    let mut places = args.iter().enumerate().filter(|(_, arg)| *arg == invalid);
    places.find_map(|(place, _)| {
        let option = args[..place].iter().rposition(|arg| arg.starts_with("--"))?;
        let (flag, has_value) = match args[option].split_once('=') {
            Some((flag, _)) => (flag, true),
            None => (&*args[option], place > option + 1),
        };
        with_form(flag).filter(|_| has_value)
    })
}

/// The arguments with the misspelt one replaced, where clap suggests exactly one replacement and the result is valid.
fn with_clap_suggestion(error: &clap::Error, args: &[String]) -> Option<Vec<String>> {
    const KINDS: [(ContextKind, ContextKind); 3] = [
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ];
    let values = |kind| match error.get(kind) {
        Some(ContextValue::String(value)) => slice::from_ref(value),
        Some(ContextValue::Strings(values)) => values,
        _ => &[],
    };
    let (invalid, suggested) = KINDS.into_iter().find_map(|(invalid, suggested)| {
        let ([invalid], [suggested]) = (values(invalid), values(suggested)) else { return None };
        Some((invalid, suggested))
    })?;
    let corrected = |arg: &String| match arg.split_once('=') {
        Some((option, value)) if option == invalid => Some(format!("{suggested}={value}")),
        Some((option, value)) if value == invalid => Some(format!("{option}={suggested}")),
        _ => (arg == invalid).then(|| suggested.clone()),
    };
    let index = args.iter().position(|arg| corrected(arg).is_some())?;
    replace_if_valid(args, index..=index, corrected(&args[index])?)
}

/// The arguments with `--option -value` joined to `--option=-value`, where the result is valid.
fn with_equals_sign(args: &[String]) -> Option<Vec<String>> {
    args.windows(2).enumerate().find_map(|(index, pair)| {
        // Two hyphens start an option: then a value is missing.
        let is_value = pair[1].len() > 2 && pair[1].starts_with('-') && !pair[1].starts_with("--");
        let follows_option = is_value && pair[0].starts_with('-');
        if follows_option { replace_if_valid(args, index..=index + 1, pair.join("=")) } else { None }
    })
}

/// The arguments with some of them replaced by one, if clap accepts the result.
fn replace_if_valid(args: &[String], range: RangeInclusive<usize>, replacement: String) -> Option<Vec<String>> {
    let mut args = args.to_vec();
    args.splice(range, [replacement]);
    let parsed = CommandLine::try_parse_from(["aw"].into_iter().chain(args.iter().map(String::as_str)));
    parsed.and_then(CommandLine::check_format).is_ok().then_some(args)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";

    fn parsed(line: &[&str]) -> Result<(), clap::Error> {
        let line = CommandLine::try_parse_from(["aw"].iter().chain(line));
        line.and_then(CommandLine::check_format).map(|_| ())
    }

    #[track_caller]
    fn wrong(line: &[&str]) -> String {
        let error = parsed(line).unwrap_err();
        assert!(error.use_stderr(), "{line:?} prints text");
        let failure = failure(&error, &[]);
        assert_eq!(failure.code, "INVALID_INPUT");
        failure.message
    }

    #[test]
    fn a_usage_error_names_the_wrong_argument() {
        assert!(wrong(&["debate", "list", "--limit", "many"]).contains("--limit"));
        assert!(wrong(&["debate", "list", "--limit", "-1"]).contains("-1"));
        assert!(wrong(&["debate", "wait", "--debate-id", ID]).contains("--role"));
        assert!(wrong(&["debate", "wait", "--debate-id", ID, "--role", "judge"]).contains("judge"));
        assert!(wrong(&["debate", "argue"]).contains("argue"));
        assert!(wrong(&["--format", "xml", "debate", "generate-id"]).contains("xml"));
        wrong(&[]);
        wrong(&["debate"]);
    }

    /// The next command that the usage error suggests.
    #[track_caller]
    fn next(line: &[&str]) -> String {
        let words: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
        failure(&parsed(line).unwrap_err(), &words).next().unwrap().to_string()
    }

    #[test]
    fn a_usage_error_suggests_the_help_of_the_command() {
        for (line, command) in [
            (&[][..], "aw"),
            (&["debate"], "aw debate"),
            (&["debat", "list", "--limit"], "aw"),
            (&["debate", "argue"], "aw debate"),
            (&["--format", "json", "debate", "list", "--limit", "many"], "aw debate list"),
            (&["docs", "get"], "aw docs get"),
            (&["man", "--output", "x", "--format", "plain"], "aw man"),
        ] {
            assert_eq!(next(line), format!("{command} --help"), "{line:?}");
        }
    }

    #[test]
    fn a_misspelt_argument_is_corrected() {
        let wait = ["debate", "wait", "--debate-id", ID, "--role"];
        for line in [&[&wait[..], &["oponent"]].concat()[..], &["debate", "wait", "--debate-id", ID, "--role=oponent"]]
        {
            assert!(next(line).contains("opponent") && !next(line).contains("--help"), "{}", next(line));
        }
        assert_eq!(next(&["debate", "lst", "--query", "a b"]), "aw debate list --query 'a b'");
        assert_eq!(next(&["debate", "list", "--qury=it's"]), r"aw debate list '--query=it'\''s'");
        // Two corrections are possible, another argument is wrong too, or standard input cannot be read again.
        for line in [
            &["debate", "wiat", "--debate-id", ID, "--role", "opponent"][..],
            &["debate", "list", "--qury", "x", "--limit", "many"],
            &["docs", "create", "--sumary", "x", "--stdin"],
        ] {
            assert!(next(line).ends_with(" --help"), "{line:?}");
        }
    }

    #[test]
    fn a_value_that_starts_with_a_hyphen_is_joined_to_its_option() {
        for option in ["--output", "-o"] {
            let line = ["debate", "export", "--debate-id", ID, option, "-x.md"];
            assert_eq!(next(&line), format!("aw debate export --debate-id {ID} {option}=-x.md"));
        }
        // Here the value of --output is missing.
        let line = ["debate", "export", "--debate-id", ID, "--output", "--force"];
        assert_eq!(next(&line), "aw debate export --help");
    }

    #[test]
    fn a_change_of_an_issue_without_quotes_is_refused_with_its_form() {
        let submit =
            ["debate", "submit", "--debate-id", ID, "--role", "opponent", "--target-id", ID, "--content", "on"];
        for (change, form) in [
            (&["--raise", "high:", "Lost", "on", "restart"][..], "'high: Title @ src/worker.rs:41'"),
            (&["--raise"], "'high: Title @ src/worker.rs:41'"),
            (&["--resolve", "I1", "I2"], "I1,I4"),
            (&["--fix=I1:", "on", "restart"], "'I2: note'"),
            (&["--reopen", "I3:", "still", "a", "race"], "'I3: note'"),
            (&["--regrade", "I4", "low"], "'I4 low'"),
        ] {
            let line = [&submit[..], change].concat();
            let words: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
            let error = CommandLine::try_parse_from(["aw"].iter().chain(&line)).map(|_| ()).unwrap_err();
            let failure = failure(&error, &words);
            assert!(failure.message.contains(form), "{line:?}: {}", failure.message);
            assert!(failure.suggestion.unwrap().contains("a shell needs the quotes"), "{line:?}");
        }
        let other = [&submit[..], &["--client-request-id", "a", "b"]].concat();
        assert!(!wrong(&other).contains("form"), "{}", wrong(&other));
    }

    #[test]
    fn content_has_exactly_one_source() {
        let completion = ["debate", "request-completion", "--debate-id", ID, "--target-id", ID];
        let with = |more: &[&'static str]| [&completion, more].concat();
        // With a plan, or for a ruling that a person is asked for, the text may be left out, which the commands check that take one.
        wrong(&with(&["--content", "a", "--stdin"]));
        wrong(&with(&["--content", "a", "--file", "b"]));
        wrong(&with(&["--content", "a", "--content", "b"]));
        assert!(parsed(&with(&["--content", "- a list that starts with a hyphen"])).is_ok());
        assert!(parsed(&with(&["--content", ""])).is_ok());
        assert!(parsed(&with(&["-f", "a"])).is_ok());
    }

    #[test]
    fn format_is_accepted_anywhere_and_plain_only_for_single_texts() {
        for format in ["json", "markdown", "plain"] {
            for verb in [["docs", "get", ID], ["docs", "diff", ID]] {
                assert!(parsed(&[&["--format", format], &verb[..]].concat()).is_ok(), "{format} first");
                assert!(parsed(&[&verb[..1], &["--format", format], &verb[1..]].concat()).is_ok(), "{format} within");
                assert!(parsed(&[&verb[..], &["--format", format]].concat()).is_ok(), "{format} after");
            }
        }
        for line in [&["debate", "guide", "--role", "opponent"][..], &["man"], &["completions", "bash"]] {
            assert!(parsed(&[line, &["--format", "plain"]].concat()).is_ok(), "{line:?}");
        }
        for line in [&["--format", "plain", "docs", "list"][..], &["man", "--output", "x", "--format", "plain"]] {
            assert!(wrong(line).contains("--format plain"), "{line:?}");
        }
    }

    #[test]
    fn option_aliases_are_accepted() {
        for option in ["--type", "--debate-type"] {
            let line = ["debate", "create", "--debate-id", ID, "-t", "T", option, "general_debate", "--stdin"];
            assert!(parsed(&line).is_ok(), "{option}");
        }
        for option in ["-l", "--limit", "--argument-limit"] {
            assert!(parsed(&["debate", "get-context", "--debate-id", ID, option, "0"]).is_ok(), "{option}");
        }
    }

    #[test]
    fn help_and_version_are_printed_as_text() {
        for line in [&["--help"][..], &["--version"], &["debate", "wait", "--help"], &["help", "debate"]] {
            assert!(parsed(line).is_err_and(|text| !text.use_stderr()), "{line:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn arguments_that_are_not_utf8_are_usage_errors() {
        use std::os::unix::ffi::OsStrExt;

        let line = ["aw", "debate", "list", "--query"].map(Into::into);
        let line = line.into_iter().chain([std::ffi::OsStr::from_bytes(b"\xff").to_owned()]);
        assert!(CommandLine::try_parse_from(line).is_err_and(|error| error.use_stderr()));
    }
}
