//! A command line that cannot be parsed, told in the contract's words.

use std::{env, ops::RangeInclusive};

use clap::{
    Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::{
    args::CommandLine,
    error::{Code, Failure},
    shell,
};

/// What came of parsing when it gave no command to run.
pub enum Unparsed {
    /// Help or version, which were asked for
    Text(clap::Error),
    /// The version, asked for as a document
    Version,
    /// Wrong usage
    Wrong(Failure),
}

impl From<clap::Error> for Unparsed {
    fn from(error: clap::Error) -> Self {
        if error.kind() == ErrorKind::DisplayVersion && env::args_os().any(|word| word == "--json") {
            Self::Version
        } else if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            Self::Text(error)
        } else {
            Self::Wrong(failure(&error, &words()))
        }
    }
}

/// The same failure; one that leads nowhere else leads to the help of the command that was run.
pub fn helped(failure: Failure) -> Failure {
    if failure.next().is_some() { failure } else { failure.go_on(help(&words())) }
}

/// What this command was given. Words that are no text cannot be told again, so none are.
fn words() -> Vec<String> {
    env::args_os().skip(1).map(|word| word.into_string().ok()).collect::<Option<_>>().unwrap_or_default()
}

/// The command that tells all about the one that these words mean.
fn help(words: &[String]) -> String {
    let mut command = CommandLine::defined();
    let mut path = vec!["aw".to_owned()];
    for word in words {
        if let Some(found) = command.find_subcommand(word) {
            path.push(found.get_name().to_owned());
            command = found.clone();
        }
    }
    path.push("--help".to_owned());
    path.join(" ")
}

/// The first paragraph of what clap would print says what is wrong; its tips and the usage say what to do.
fn failure(error: &clap::Error, words: &[String]) -> Failure {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(one_line);
    let message = paragraphs.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    let joined = joined(words);
    let mut suggestion: Vec<String> = match joined {
        Some(_) => vec!["tip: a value that begins with '-' goes behind a '='".to_owned()],
        None => paragraphs.filter(|paragraph| paragraph.starts_with("tip:")).collect(),
    };
    if let Some(usage) = error.get(ContextKind::Usage) {
        suggestion.push(one_line(&usage.to_string()));
    }
    suggestion.push("See --help".to_owned());
    let next = joined.or_else(|| respelt(error, words)).and_then(shell::told).unwrap_or_else(|| help(words));
    Failure::new(Code::InvalidInput, message).suggest(suggestion.join(". ")).go_on(next)
}

/// The same words with what clap takes for meant in place of what it does not know, where one thing only can be meant.
fn respelt(error: &clap::Error, words: &[String]) -> Option<Vec<String>> {
    const KINDS: [(ContextKind, ContextKind); 3] = [
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ];
    let text = |kind| {
        let value = error.get(kind)?;
        if let ContextValue::String(one) = value {
            Some(one)
        } else if let ContextValue::Strings(all) = value
            && let [one] = &all[..]
        {
            Some(one)
        } else {
            None
        }
    };
    let (wrong, meant) = KINDS.into_iter().find_map(|(wrong, meant)| Some((text(wrong)?, text(meant)?)))?;
    let right = |word: &String| match word.split_once('=') {
        Some((option, value)) if option == wrong => Some(format!("{meant}={value}")),
        Some((option, value)) if value == wrong => Some(format!("{option}={meant}")),
        _ => (word == wrong).then(|| meant.clone()),
    };
    let place = words.iter().position(|word| right(word).is_some())?;
    fitting(words, place..=place, right(&words[place])?)
}

/// The same words with a value that begins with a hyphen behind its option, where that is what was wrong.
fn joined(words: &[String]) -> Option<Vec<String>> {
    words.windows(2).enumerate().find_map(|(place, pair)| {
        // What begins with two of them is an option, and it is a value that was forgotten.
        let is_value = pair[1].len() > 2 && pair[1].starts_with('-') && !pair[1].starts_with("--");
        let is_for_it = is_value && pair[0].starts_with('-');
        if is_for_it { fitting(words, place..=place + 1, pair.join("=")) } else { None }
    })
}

/// These words with another in the place of some, if they are understood then.
fn fitting(words: &[String], places: RangeInclusive<usize>, word: String) -> Option<Vec<String>> {
    let mut words = words.to_vec();
    words.splice(places, [word]);
    let line = CommandLine::try_parse_from(["aw"].into_iter().chain(words.iter().map(String::as_str)));
    line.and_then(CommandLine::fitting).is_ok().then_some(words)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";

    fn parsed(line: &[&str]) -> Result<(), Unparsed> {
        let line = CommandLine::try_parse_from(["aw"].iter().chain(line));
        line.and_then(CommandLine::fitting).map(|_| ()).map_err(Unparsed::from)
    }

    #[track_caller]
    fn wrong(line: &[&str]) -> String {
        match parsed(line) {
            Err(Unparsed::Wrong(failure)) => {
                assert_eq!(failure.code, "INVALID_INPUT");
                failure.message
            }
            Err(Unparsed::Text(_) | Unparsed::Version) => panic!("{line:?} prints text"),
            Ok(()) => panic!("{line:?} is accepted"),
        }
    }

    #[test]
    fn wrong_usage_is_told_by_name() {
        assert!(wrong(&["debate", "list", "--limit", "many"]).contains("--limit"));
        assert!(wrong(&["debate", "list", "--limit", "-1"]).contains("-1"));
        assert!(wrong(&["debate", "wait", "--debate-id", ID]).contains("--role"));
        assert!(wrong(&["debate", "wait", "--debate-id", ID, "--role", "judge"]).contains("judge"));
        assert!(wrong(&["debate", "argue"]).contains("argue"));
        assert!(wrong(&["--format", "xml", "debate", "generate-id"]).contains("xml"));
        wrong(&[]);
        wrong(&["debate"]);
    }

    /// What such a line leads to.
    #[track_caller]
    fn next(line: &[&str]) -> String {
        let words: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
        let parsed = CommandLine::try_parse_from(["aw"].iter().chain(line)).and_then(CommandLine::fitting);
        failure(&parsed.map(|_| ()).unwrap_err(), &words).next().unwrap().to_owned()
    }

    #[test]
    fn wrong_usage_leads_to_the_help_of_that_very_command() {
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
    fn what_was_misspelt_leads_to_the_command_that_was_meant() {
        let wait = ["debate", "wait", "--debate-id", ID, "--role"];
        for line in [&[&wait[..], &["oponent"]].concat()[..], &["debate", "wait", "--debate-id", ID, "--role=oponent"]]
        {
            assert!(next(line).contains("opponent") && !next(line).contains("--help"), "{}", next(line));
        }
        assert_eq!(next(&["debate", "lst", "--query", "a b"]), "aw debate list --query 'a b'");
        assert_eq!(next(&["debate", "list", "--qury=it's"]), r"aw debate list '--query=it'\''s'");
        // Two may be meant, the rest is wrong as well, or the text would have to come from standard input again.
        for line in [
            &["debate", "wiat", "--debate-id", ID, "--role", "opponent"][..],
            &["debate", "list", "--qury", "x", "--limit", "many"],
            &["docs", "create", "--sumary", "x", "--stdin"],
        ] {
            assert!(next(line).ends_with(" --help"), "{line:?}");
        }
    }

    #[test]
    fn a_value_that_begins_with_a_hyphen_leads_to_the_command_that_takes_it() {
        for option in ["--output", "-o"] {
            let line = ["debate", "export", "--debate-id", ID, option, "-x.md"];
            assert_eq!(next(&line), format!("aw debate export --debate-id {ID} {option}=-x.md"));
        }
        // An option whose value was forgotten is no such thing.
        let line = ["debate", "export", "--debate-id", ID, "--output", "--force"];
        assert_eq!(next(&line), "aw debate export --help");
    }

    #[test]
    fn content_comes_from_exactly_one_place() {
        let completion = ["debate", "request-completion", "--debate-id", ID, "--target-id", ID];
        let with = |more: &[&'static str]| [&completion, more].concat();
        wrong(&with(&[]));
        wrong(&with(&["--content", "a", "--stdin"]));
        wrong(&with(&["--content", "a", "--file", "b"]));
        wrong(&with(&["--content", "a", "--content", "b"]));
        assert!(parsed(&with(&["--content", "- a list that starts with a hyphen"])).is_ok());
        assert!(parsed(&with(&["--content", ""])).is_ok());
        assert!(parsed(&with(&["-f", "a"])).is_ok());
    }

    #[test]
    fn a_format_stands_anywhere_and_the_bare_text_is_for_what_is_about_one() {
        for format in ["json", "markdown", "plain"] {
            for verb in [["docs", "get", ID], ["docs", "diff", ID]] {
                assert!(parsed(&[&["--format", format], &verb[..]].concat()).is_ok(), "{format} before");
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
    fn both_spellings_are_understood() {
        for option in ["--type", "--debate-type"] {
            let line = ["debate", "create", "--debate-id", ID, "-t", "T", option, "general_debate", "--stdin"];
            assert!(parsed(&line).is_ok(), "{option}");
        }
        for option in ["-l", "--limit", "--argument-limit"] {
            assert!(parsed(&["debate", "get-context", "--debate-id", ID, option, "0"]).is_ok(), "{option}");
        }
    }

    #[test]
    fn help_and_version_are_text() {
        for line in [&["--help"][..], &["--version"], &["debate", "wait", "--help"], &["help", "debate"]] {
            assert!(matches!(parsed(line), Err(Unparsed::Text(_))), "{line:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn arguments_that_are_no_text_are_wrong_usage() {
        use std::os::unix::ffi::OsStrExt;

        let line = ["aw", "debate", "list", "--query"].map(Into::into);
        let line = line.into_iter().chain([std::ffi::OsStr::from_bytes(b"\xff").to_owned()]);
        let error = CommandLine::try_parse_from(line).map(|_| ()).map_err(Unparsed::from);
        assert!(matches!(error, Err(Unparsed::Wrong(_))));
    }
}
