//! A command line that cannot be parsed, told in the contract's words.

use std::env;

use clap::error::{ContextKind, ErrorKind};

use crate::error::{Code, Failure};

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
            Self::Wrong(failure(&error))
        }
    }
}

/// The first paragraph of what clap would print says what is wrong; its tips and the usage say what to do.
fn failure(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(one_line);
    let message = paragraphs.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    let mut suggestion: Vec<String> = paragraphs.filter(|paragraph| paragraph.starts_with("tip:")).collect();
    if let Some(usage) = error.get(ContextKind::Usage) {
        suggestion.push(one_line(&usage.to_string()));
    }
    suggestion.push("See --help".to_owned());
    Failure::new(Code::InvalidInput, message).suggest(suggestion.join(". "))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::CommandLine;

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
