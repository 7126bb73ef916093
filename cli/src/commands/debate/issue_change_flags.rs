//! The flags that change issues.

use std::{path::PathBuf, str::FromStr};

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    client::types::{ChangeName, IssueChangeSubmit, Severity},
    input::{
        content,
        objects::{objects, typed},
        tool_arguments,
    },
    output::{Code, Failure, reader},
};

macro_rules! change_flags {
    ($(#[$documentation:meta])* $name:ident { $($change:ident $kind:ident: $value:literal = $help:literal $(, $limit:literal)?;)+ }) => {
        $(#[$documentation])*
        #[derive(Args, Deserialize, JsonSchema)]
        pub struct $name {
            $(
                #[doc = $help]
                #[arg(long, value_name = $value, allow_hyphen_values = true, help = concat!($help, $($limit,)? "; may be repeated"))]
                #[serde(default)]
                $change: Vec<String>,
            )+
            #[arg(long, value_name = "PATH", help = list_help(&[$(ChangeName::$kind),+]))]
            #[serde(skip)]
            issue_changes: Option<PathBuf>,
            /// In place of the separate lists: change (fix, raise, …), issue, severity, title, location, note
            #[arg(skip)]
            #[serde(default, rename = "issue_changes")]
            #[schemars(schema_with = "tool_arguments::changes")]
            listed_changes: Option<Vec<Map<String, Value>>>,
        }

        impl $name {
            /// The changes of the list, else those of the flags in their order; none if neither is given.
            pub fn read(self) -> Result<Option<Changes>, Failure> {
                let mut changes = Changes::new();
                $(changes.extend(parse(ChangeName::$kind, &self.$change)?);)+
                let (list, name) = match (self.issue_changes, self.listed_changes) {
                    (Some(path), _) => {
                        (objects(&content::read_file("--issue-changes", &path)?), format!(" {}", path.display()))
                    }
                    // Beside others an empty list stands for none.
                    (None, Some(list)) if changes.is_empty() || !list.is_empty() => (typed(list), String::new()),
                    (None, _) => return Ok(Some(changes).filter(|changes| !changes.is_empty())),
                };
                listed(list, &name, &changes).map(Some)
            }
        }
    };
}

change_flags! {
    /// The flags of `submit`.
    ClaimChanges {
        raise Raise: "ISSUE" = "Raise an issue, as the opponent: 'SEVERITY: TITLE @ LOCATION'";
        resolve Resolve: "ISSUES" = "Settle issues that are fixed, as the opponent: I1,I4 or 'I1: note'";
        withdraw Withdraw: "ISSUES" = "Take issues back, as the opponent: I2 or 'I2: note'";
        defer Defer: "ISSUE" = "Leave an issue for later, as the opponent: 'I4: why'", "; medium or low";
        reopen Reopen: "ISSUE" = "Open an issue again, as the opponent: 'I3: why'";
        regrade Regrade: "ISSUE" = "Change the severity of an issue, as the opponent: 'I4 low: note'";
        fix Fix: "ISSUES" = "Say that the plan is changed, as the proposer: I1,I4 or 'I1: where'";
        dispute Dispute: "ISSUE" = "Say why an issue is none, as the proposer: 'I2: why'";
    }
}

change_flags! {
    /// The flags of `appeal`.
    AppealChanges {
        refer Refer: "ISSUES" = "Issues that the arbitrator should decide: I2,I3 or 'I2: your last word on it'";
    }
}

change_flags! {
    /// The flags of `ruling`.
    RulingChanges {
        uphold Uphold: "ISSUES" = "Decide that issues have to be fixed: I2 or 'I2: note'";
        dismiss Dismiss: "ISSUES" = "Decide that issues need not be fixed: I3 or 'I3: note'";
        defer Defer: "ISSUE" = "Decide that an issue is left for later: 'I4: why'";
        reopen Reopen: "ISSUE" = "Open a deferred issue again: 'I4: why'";
        raise Raise: "ISSUE" = "Raise an issue: 'SEVERITY: TITLE @ LOCATION'";
        regrade Regrade: "ISSUE" = "Change the severity of an issue: 'I4 low: note'";
    }
}

/// Changes of issues, as they are sent.
pub type Changes = Vec<IssueChangeSubmit>;

/// What an option of `appeal` decides: its number, from 0, and its changes.
#[derive(Debug, Clone)]
pub struct Effect {
    /// The number of the option
    pub option: usize,
    /// The changes
    pub changes: Changes,
}

impl FromStr for Effect {
    type Err = String;

    /// `N: CHANGE I1[ SEVERITY][, CHANGE I2…][: note]`. The note is that of the last change.
    fn from_str(given: &str) -> Result<Self, String> {
        effect(given).ok_or_else(|| {
            format!("is not of the form {EFFECT_FORM}: the number of an --option from 0, then what a ruling that chooses it changes")
        })
    }
}

/// The form of the value of `--effect`.
const EFFECT_FORM: &str = "'0: dismiss I3, regrade I4 low: note'";

fn effect(given: &str) -> Option<Effect> {
    let (number, rest) = given.split_once(": ")?;
    let (changes, note) = rest.split_once(": ").map_or((rest, None), |(changes, note)| (changes, Some(note.trim())));
    let change = |text: &str| {
        let mut words = text.split_ascii_whitespace();
        let (change, issue, severity) = (words.next()?, words.next()?, words.next());
        let is_right = issue_number(issue) && words.next().is_none();
        is_right.then(|| IssueChangeSubmit {
            change: change.to_owned(),
            issue: Some(issue.to_owned()),
            severity: severity.map(str::to_owned),
            title: None,
            location: None,
            note: None,
        })
    };
    let mut changes: Changes = changes.split(',').map(change).collect::<Option<_>>()?;
    changes.last_mut()?.note = note.filter(|note| !note.is_empty()).map(str::to_owned);
    Some(Effect { option: number.trim().parse().ok()?, changes })
}

/// What looks like one more change in the note of an effect, such as `, defer I4`.
pub fn change_in_note(changes: &[IssueChangeSubmit]) -> Option<&str> {
    changes.last()?.note.as_deref()?.split(',').skip(1).map(str::trim).find(|part| {
        let mut words = part.split(|end: char| end.is_whitespace() || end == ':');
        words.next().is_some_and(|change| change.parse::<ChangeName>().is_ok())
            && words.next().is_some_and(issue_number)
    })
}

/// Whether it is the id of an issue.
fn issue_number(text: &str) -> bool {
    text.strip_prefix('I').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The form of the value of a flag that changes issues. None if it is another flag.
pub fn form_of(flag: &str) -> Option<&'static str> {
    match flag.strip_prefix("--")? {
        "effect" => Some(EFFECT_FORM),
        change => change.parse().ok().map(form),
    }
}

fn form(change: ChangeName) -> &'static str {
    match change {
        ChangeName::Raise => {
            "'high: Title @ src/worker.rs:41' (a severity: critical, high, medium or low; the title; after the last \" @ \" the \
             location, if any)"
        }
        ChangeName::Resolve | ChangeName::Withdraw | ChangeName::Fix | ChangeName::Uphold | ChangeName::Dismiss => {
            "I1, or I1,I4, or 'I2: note'"
        }
        ChangeName::Defer | ChangeName::Reopen | ChangeName::Dispute => "'I3: note'",
        ChangeName::Regrade => "'I4 low' or 'I4 low: note' (a severity: critical, high, medium or low)",
        ChangeName::Refer => "I2 or I2,I3",
    }
}

fn list_help(changes: &[ChangeName]) -> String {
    let names: Vec<String> = changes.iter().map(ChangeName::to_string).collect();
    format!(
        "Read the changes of issues from this file in place of the flags, as a JSON list of {{change, issue, severity, title, \
         location, note}}, where change is one of: {}",
        names.join(", ")
    )
}

/// The changes of a list; `name` is that of its file after a space. Flags are refused beside it.
fn listed(list: Result<Changes, String>, name: &str, flags: &Changes) -> Result<Changes, Failure> {
    let option = reader::option("--issue-changes");
    if !flags.is_empty() {
        let message = format!("{option} cannot be used with flags that change issues");
        return Err(Failure::new(Code::InvalidInput, message).with_suggestion("Put all changes into that list"));
    }
    list.map_err(|error| {
        let message = format!("{option}{name} is not a JSON list of changes: {error}");
        Failure::new(Code::InvalidInput, message)
            .with_suggestion(r#"Write it as [{"change": "fix", "issue": "I1", "note": "plan 3.1"}]"#)
    })
}

/// The changes that the values of a flag stand for.
fn parse(change: ChangeName, given: &[String]) -> Result<Changes, Failure> {
    let mut changes = Changes::new();
    for text in given {
        let parsed =
            if change == ChangeName::Raise { raised(text).map(|raised| vec![raised]) } else { changed(change, text) };
        changes.extend(parsed.ok_or_else(|| {
            let (flag, form) = (reader::option(&format!("--{change}")), form(change));
            Failure::new(Code::InvalidInput, format!("{flag} {text:?} is not of the form {form}"))
                .with_suggestion(format!("Write {flag} {form}{}", reader::in_a_shell("; a shell needs the quotes")))
        })?);
    }
    Ok(changes)
}

fn is_severity(text: &str) -> bool {
    text.parse::<Severity>().is_ok()
}

/// `high: Title @ location`.
fn raised(given: &str) -> Option<IssueChangeSubmit> {
    let (severity, rest) = given.split_once(": ").map(|(severity, rest)| (severity.trim(), rest.trim()))?;
    let without_location = rest.strip_suffix(" @").map(|title| (title, ""));
    let (title, location) = without_location.or_else(|| rest.rsplit_once(" @ ")).unwrap_or((rest, ""));
    let (title, location) = (title.trim(), Some(location.trim().to_owned()));
    (is_severity(severity) && !title.is_empty() && title != "@" && !title.starts_with("@ ")).then(|| {
        IssueChangeSubmit {
            change: ChangeName::Raise.to_string(),
            issue: None,
            severity: Some(severity.to_owned()),
            title: Some(title.to_owned()),
            location: location.filter(|location| !location.is_empty()),
            note: None,
        }
    })
}

/// `I1`, `I1,I4` or `I1: note`; to regrade with a severity after the issue, as in `I4 low`.
fn changed(change: ChangeName, given: &str) -> Option<Changes> {
    let (issues, note) = given.split_once(": ").map_or((given, None), |(issues, note)| (issues, Some(note.trim())));
    let parts: Vec<&str> = issues.split(',').map(str::trim).collect();
    let needs_note = matches!(change, ChangeName::Defer | ChangeName::Reopen | ChangeName::Dispute);
    // A note belongs to one issue.
    let is_right = match note {
        Some(note) => parts.len() == 1 && !(needs_note && note.is_empty()),
        None => !needs_note,
    };
    let change_of = |part: &str| {
        let (issue, severity) = if change == ChangeName::Regrade {
            part.split_once(' ').map(|(issue, severity)| (issue, Some(severity.trim())))?
        } else {
            (part, None)
        };
        (issue_number(issue) && severity.is_none_or(is_severity)).then(|| IssueChangeSubmit {
            change: change.to_string(),
            issue: Some(issue.to_owned()),
            severity: severity.map(str::to_owned),
            title: None,
            location: None,
            note: note.filter(|note| !note.is_empty()).map(str::to_owned),
        })
    };
    if is_right { parts.into_iter().map(change_of).collect() } else { None }
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::*;

    fn parsed(change: &str, given: &str) -> Result<Vec<String>, String> {
        let changes = parse(change.parse().unwrap(), &[given.to_owned()]).map_err(|failure| failure.message)?;
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
        let show = |change: &IssueChangeSubmit| {
            [&change.issue, &change.severity, &change.title, &change.location, &change.note].map(text).join(" | ")
        };
        Ok(changes.iter().map(show).collect())
    }

    #[test]
    fn flags_are_read_as_their_forms_say() {
        let cases: [(&str, &str, &[&str]); 14] = [
            ("resolve", "I1", &["I1 | – | – | – | –"]),
            ("resolve", "I1,I4", &["I1 | – | – | – | –", "I4 | – | – | – | –"]),
            ("resolve", "I1, I4", &["I1 | – | – | – | –", "I4 | – | – | – | –"]),
            ("resolve", "I1: seen: in v2, line 3", &["I1 | – | – | – | seen: in v2, line 3"]),
            ("reopen", "I3: still a race", &["I3 | – | – | – | still a race"]),
            ("regrade", "I4 low", &["I4 | low | – | – | –"]),
            ("regrade", "I4 low: rare", &["I4 | low | – | – | rare"]),
            ("regrade", "I4 low,I5 high", &["I4 | low | – | – | –", "I5 | high | – | – | –"]),
            ("raise", "high: Title", &["– | high | Title | – | –"]),
            ("raise", "high: Title @ src/a.rs:41", &["– | high | Title | src/a.rs:41 | –"]),
            ("raise", "high: Title @", &["– | high | Title | – | –"]),
            ("raise", "high: a @ b @ ", &["– | high | a @ b | – | –"]),
            ("raise", "low: a @ b @ c: d", &["– | low | a @ b | c: d | –"]),
            ("raise", "critical: user@host fails", &["– | critical | user@host fails | – | –"]),
        ];
        for (change, given, expected) in cases {
            assert_eq!(parsed(change, given).unwrap(), expected, "{given}");
        }
    }

    #[test]
    fn the_help_of_the_list_names_the_changes_of_the_command() {
        let help = |command: Command| {
            let list = command.get_arguments().find(|argument| argument.get_id() == "issue_changes").unwrap();
            list.get_help().unwrap().to_string().split_once("one of: ").unwrap().1.to_owned()
        };
        let command = || Command::new("aw");
        assert_eq!(
            help(ClaimChanges::augment_args(command())),
            "raise, resolve, withdraw, defer, reopen, regrade, fix, dispute"
        );
        assert_eq!(help(AppealChanges::augment_args(command())), "refer");
        assert_eq!(help(RulingChanges::augment_args(command())), "uphold, dismiss, defer, reopen, raise, regrade");
    }

    #[test]
    fn an_effect_is_the_number_of_an_option_and_its_changes() {
        let parsed = |given: &str| {
            let Effect { option, changes } = given.parse::<Effect>().unwrap();
            let change = |change: &IssueChangeSubmit| {
                let parts = [&change.issue, &change.severity, &change.note].into_iter().flatten().cloned();
                [change.change.clone()].into_iter().chain(parts).collect::<Vec<_>>().join(" ")
            };
            (option, changes.iter().map(change).collect::<Vec<_>>().join(" | "))
        };
        for (given, option, changes) in [
            ("0: dismiss I3", 0, "dismiss I3"),
            ("12: uphold I1, dismiss I2,regrade I4 low", 12, "uphold I1 | dismiss I2 | regrade I4 low"),
            ("1: uphold I1, defer I2: later: in v2", 1, "uphold I1 | defer I2 later: in v2"),
        ] {
            assert_eq!(parsed(given), (option, changes.to_owned()), "{given}");
        }
        for (given, expected) in [
            ("0: defer I3: later, defer I4: later", Some("defer I4: later")),
            ("0: defer I3: later, as I4 is, and see defer", None),
            ("0: defer I3, defer I4: later", None),
        ] {
            assert_eq!(change_in_note(&given.parse::<Effect>().unwrap().changes), expected, "{given}");
        }
        for wrong in [
            "",
            "dismiss I3",
            "0",
            "0:",
            "0: ",
            "0: dismiss",
            "0: I3",
            "0: dismiss 3",
            "0: dismiss I3 low x",
            "a: dismiss I3",
            "0: dismiss I3,",
        ] {
            let error = wrong.parse::<Effect>().unwrap_err();
            assert!(error.contains(EFFECT_FORM), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_flag_that_is_not_of_its_form_is_refused_with_the_form() {
        let cases: [(&str, &[&str], &str); 4] = [
            ("resolve", &["", "i1", "1", "I1 I2", "I1;I2", "I1,I2: note", "I1:note", "I", "I1,", "all"], "'I2: note'"),
            ("reopen", &["I3", "I3:", "I3: ", "why", "I1,I2: why"], "'I3: note'"),
            ("regrade", &["I4", "low", "I4 lower", "I4: low", "I4 low,I5 high: note"], "'I4 low: note'"),
            (
                "raise",
                &["Title", "high Title", "high:", "High: Title", "urgent: Title", "high:  @ a", "high: @", "high:  @ "],
                "'high: Title @",
            ),
        ];
        for (change, wrong, form) in cases {
            for given in wrong {
                let message = parsed(change, given).unwrap_err();
                assert!(message.contains(form), "{given}: {message}");
            }
        }
    }
}
