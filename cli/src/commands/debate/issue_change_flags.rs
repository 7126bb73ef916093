//! The flags that change issues.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use crate::{
    client::types::IssueChangeSubmit,
    input::content,
    output::failure::{Code, Failure},
};

const RAISE_FORM: &str = "'high: Title @ src/worker.rs:41' (a severity: critical, high, medium or low; the title; after the \
                          last \" @ \" the location, if any)";
const LIST_FORM: &str = "I1, or I1,I4, or 'I2: note'";
const NOTE_FORM: &str = "'I3: note'";
const REGRADE_FORM: &str = "'I4 low' or 'I4 low: note' (a severity: critical, high, medium or low)";
const REFER_FORM: &str = "I2 or I2,I3";

/// The flags of `submit`.
#[derive(Args)]
pub struct ClaimChanges {
    /// Raise an issue, as the opponent: 'SEVERITY: TITLE @ LOCATION'; may be repeated
    #[arg(long, value_name = "ISSUE", allow_hyphen_values = true)]
    raise: Vec<String>,
    /// Settle issues that are fixed, as the opponent: I1,I4 or 'I1: note'; may be repeated
    #[arg(long, value_name = "ISSUES", allow_hyphen_values = true)]
    resolve: Vec<String>,
    /// Take issues back, as the opponent: I2 or 'I2: note'; may be repeated
    #[arg(long, value_name = "ISSUES", allow_hyphen_values = true)]
    withdraw: Vec<String>,
    /// Leave an issue for later, as the opponent: 'I4: why'; medium or low; may be repeated
    #[arg(long, value_name = "ISSUE", allow_hyphen_values = true)]
    defer: Vec<String>,
    /// Open an issue again, as the opponent: 'I3: why'; may be repeated
    #[arg(long, value_name = "ISSUE", allow_hyphen_values = true)]
    reopen: Vec<String>,
    /// Change the severity of an issue, as the opponent: 'I4 low: note'; may be repeated
    #[arg(long, value_name = "ISSUE", allow_hyphen_values = true)]
    regrade: Vec<String>,
    /// Say that the plan is changed, as the proposer: I1,I4 or 'I1: where'; may be repeated
    #[arg(long, value_name = "ISSUES", allow_hyphen_values = true)]
    fix: Vec<String>,
    /// Say why an issue is none, as the proposer: 'I2: why'; may be repeated
    #[arg(long, value_name = "ISSUE", allow_hyphen_values = true)]
    dispute: Vec<String>,
    #[command(flatten)]
    file: ChangesList,
}

/// The flags of `appeal`.
#[derive(Args)]
pub struct AppealChanges {
    /// Issues that the arbitrator should decide: I2,I3; may be repeated
    #[arg(long, value_name = "ISSUES", allow_hyphen_values = true)]
    refer: Vec<String>,
    #[command(flatten)]
    file: ChangesList,
}

/// The flags of `ruling`.
#[derive(Args)]
pub struct RulingChanges {
    /// Decide that issues have to be fixed: I2 or 'I2: note'; may be repeated
    #[arg(long, value_name = "ISSUES", allow_hyphen_values = true)]
    uphold: Vec<String>,
    /// Decide that issues need not be fixed: I3 or 'I3: note'; may be repeated
    #[arg(long, value_name = "ISSUES", allow_hyphen_values = true)]
    dismiss: Vec<String>,
    /// Decide that an issue is left for later: 'I4: why'; may be repeated
    #[arg(long, value_name = "ISSUE", allow_hyphen_values = true)]
    defer: Vec<String>,
    /// Open a deferred issue again: 'I4: why'; may be repeated
    #[arg(long, value_name = "ISSUE", allow_hyphen_values = true)]
    reopen: Vec<String>,
    /// Raise an issue: 'SEVERITY: TITLE @ LOCATION'; may be repeated
    #[arg(long, value_name = "ISSUE", allow_hyphen_values = true)]
    raise: Vec<String>,
    /// Change the severity of an issue: 'I4 low: note'; may be repeated
    #[arg(long, value_name = "ISSUE", allow_hyphen_values = true)]
    regrade: Vec<String>,
    #[command(flatten)]
    file: ChangesList,
}

#[derive(Args)]
struct ChangesFile {
    /// Read the changes of issues from this file in place of the flags, as a JSON list of {change, issue, severity, title,
    /// location, note}
    #[arg(long, value_name = "PATH")]
    issue_changes: Option<PathBuf>,
    // The list itself, for callers that are no shell.
    #[arg(long, value_name = "JSON", hide = true, conflicts_with = "issue_changes")]
    issue_changes_json: Option<String>,
}

/// [`ChangesFile`] with a help text that names the changes: they are the flags of the same command, which it stands behind.
struct ChangesList(ChangesFile);

impl Args for ChangesList {
    fn augment_args(command: Command) -> Command {
        let flags = command.get_arguments().filter_map(Arg::get_long);
        let changes: Vec<_> = flags.filter(|flag| form_of(&format!("--{flag}")).is_some()).collect();
        let changes = format!("where change is one of: {}", changes.join(", "));
        ChangesFile::augment_args(command).mut_arg("issue_changes", |argument| {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            argument.help(format!("{help}, {changes}"))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ChangesList {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        ChangesFile::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

type Changes = Vec<IssueChangeSubmit>;

/// The form of the value of a flag that changes issues. None if it is another flag.
pub fn form_of(flag: &str) -> Option<&'static str> {
    match flag {
        "--raise" => Some(RAISE_FORM),
        "--resolve" | "--withdraw" | "--fix" | "--uphold" | "--dismiss" => Some(LIST_FORM),
        "--defer" | "--reopen" | "--dispute" => Some(NOTE_FORM),
        "--regrade" => Some(REGRADE_FORM),
        "--refer" => Some(REFER_FORM),
        _ => None,
    }
}

impl ClaimChanges {
    /// The changes, in the order of the flags above.
    pub fn read(&self) -> Result<Changes, Failure> {
        let mut changes = Vec::new();
        raised(&self.raise, &mut changes)?;
        each("--resolve", "resolve", &self.resolve, LIST_FORM, &mut changes)?;
        each("--withdraw", "withdraw", &self.withdraw, LIST_FORM, &mut changes)?;
        with_note("--defer", "defer", &self.defer, &mut changes)?;
        with_note("--reopen", "reopen", &self.reopen, &mut changes)?;
        regraded(&self.regrade, &mut changes)?;
        each("--fix", "fix", &self.fix, LIST_FORM, &mut changes)?;
        with_note("--dispute", "dispute", &self.dispute, &mut changes)?;
        self.file.0.or(changes)
    }
}

impl AppealChanges {
    /// The changes.
    pub fn read(&self) -> Result<Changes, Failure> {
        let mut changes = Vec::new();
        each("--refer", "refer", &self.refer, REFER_FORM, &mut changes)?;
        self.file.0.or(changes)
    }
}

impl RulingChanges {
    /// The changes, in the order of the flags above.
    pub fn read(&self) -> Result<Changes, Failure> {
        let mut changes = Vec::new();
        each("--uphold", "uphold", &self.uphold, LIST_FORM, &mut changes)?;
        each("--dismiss", "dismiss", &self.dismiss, LIST_FORM, &mut changes)?;
        with_note("--defer", "defer", &self.defer, &mut changes)?;
        with_note("--reopen", "reopen", &self.reopen, &mut changes)?;
        raised(&self.raise, &mut changes)?;
        regraded(&self.regrade, &mut changes)?;
        self.file.0.or(changes)
    }
}

impl ChangesFile {
    /// The changes of the file, or those of the flags.
    fn or(&self, flags: Changes) -> Result<Changes, Failure> {
        if self.issue_changes.is_none() && self.issue_changes_json.is_none() {
            return Ok(flags);
        }
        if !flags.is_empty() {
            return Err(Failure::new(
                Code::InvalidInput,
                "--issue-changes cannot be used with flags that change issues",
            )
            .with_suggestion("Put all changes into that list"));
        }
        let (text, name) = match (&self.issue_changes, &self.issue_changes_json) {
            (Some(path), _) => (content::read_file("--issue-changes", path)?, format!(" {}", path.display())),
            (None, json) => (json.clone().unwrap_or_default(), String::new()),
        };
        serde_json::from_str(&text).map_err(|error| {
            let message = format!("--issue-changes{name} is not a JSON list of changes: {error}");
            Failure::new(Code::InvalidInput, message)
                .with_suggestion(r#"Write it as [{"change": "fix", "issue": "I1", "note": "plan 3.1"}]"#)
        })
    }
}

fn change(name: &str) -> IssueChangeSubmit {
    IssueChangeSubmit { change: name.to_owned(), issue: None, severity: None, title: None, location: None, note: None }
}

/// The failure for a flag that is not of its form.
fn not_of_form(flag: &str, given: &str, form: &str) -> Failure {
    Failure::new(Code::InvalidInput, format!("{flag} {given:?} is not of the form {form}"))
        .with_suggestion(format!("Write {flag} {form}; a shell needs the quotes"))
}

fn is_issue(text: &str) -> bool {
    text.strip_prefix('I').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_severity(text: &str) -> bool {
    ["critical", "high", "medium", "low"].contains(&text)
}

/// What comes before the first ": ", and the note after it.
fn split_note(given: &str) -> (&str, Option<String>) {
    match given.split_once(": ") {
        Some((before, note)) => (before.trim(), Some(note.trim().to_owned()).filter(|note| !note.is_empty())),
        None => (given.trim(), None),
    }
}

/// `I1`, `I1,I4` or `I1: note`.
fn each(flag: &str, name: &str, given: &[String], form: &str, changes: &mut Changes) -> Result<(), Failure> {
    for given in given {
        let (issues, note) = split_note(given);
        let issues: Vec<_> = issues.split(',').map(str::trim).collect();
        let is_one = issues.len() == 1;
        // A note belongs to one issue.
        if !issues.iter().all(|issue| is_issue(issue)) || (given.contains(": ") && !is_one) {
            return Err(not_of_form(flag, given, form));
        }
        let changed =
            |issue: &str| IssueChangeSubmit { issue: Some(issue.to_owned()), note: note.clone(), ..change(name) };
        changes.extend(issues.into_iter().map(changed));
    }
    Ok(())
}

/// `I3: note`.
fn with_note(flag: &str, name: &str, given: &[String], changes: &mut Changes) -> Result<(), Failure> {
    for given in given {
        match split_note(given) {
            (issue, Some(note)) if is_issue(issue) => {
                changes.push(IssueChangeSubmit { issue: Some(issue.to_owned()), note: Some(note), ..change(name) });
            }
            _ => return Err(not_of_form(flag, given, NOTE_FORM)),
        }
    }
    Ok(())
}

/// `I4 low`, `I4 low,I5 high` or `I4 low: note`.
fn regraded(given: &[String], changes: &mut Changes) -> Result<(), Failure> {
    for given in given {
        let (before, note) = split_note(given);
        let parts: Vec<_> = before.split(',').map(|part| part.trim().split_once(' ')).collect();
        if given.contains(": ") && parts.len() > 1 {
            return Err(not_of_form("--regrade", given, REGRADE_FORM));
        }
        for part in parts {
            let (issue, severity) = part
                .map(|(issue, severity)| (issue, severity.trim()))
                .filter(|(issue, severity)| is_issue(issue) && is_severity(severity))
                .ok_or_else(|| not_of_form("--regrade", given, REGRADE_FORM))?;
            changes.push(IssueChangeSubmit {
                issue: Some(issue.to_owned()),
                severity: Some(severity.to_owned()),
                note: note.clone(),
                ..change("regrade")
            });
        }
    }
    Ok(())
}

/// `high: Title @ location`.
fn raised(given: &[String], changes: &mut Changes) -> Result<(), Failure> {
    for given in given {
        let (severity, rest) = given
            .split_once(": ")
            .map(|(severity, rest)| (severity.trim(), rest.trim()))
            .filter(|(severity, rest)| is_severity(severity) && !rest.is_empty())
            .ok_or_else(|| not_of_form("--raise", given, RAISE_FORM))?;
        let (title, location) = match rest.rsplit_once(" @ ") {
            Some((title, location)) => (title.trim(), Some(location.trim().to_owned())),
            None => (rest, None),
        };
        if title.is_empty() || title.starts_with("@ ") {
            return Err(not_of_form("--raise", given, RAISE_FORM));
        }
        changes.push(IssueChangeSubmit {
            severity: Some(severity.to_owned()),
            title: Some(title.to_owned()),
            location: location.filter(|location| !location.is_empty()),
            ..change("raise")
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Read = fn(&[String], &mut Changes) -> Result<(), Failure>;

    fn parsed(read: Read, given: &str) -> Result<Vec<String>, String> {
        let mut changes = Vec::new();
        read(&[given.to_owned()], &mut changes).map_err(|failure| failure.message)?;
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
        let show = |change: &IssueChangeSubmit| {
            [&change.issue, &change.severity, &change.title, &change.location, &change.note].map(text).join(" | ")
        };
        Ok(changes.iter().map(show).collect())
    }

    const RESOLVE: Read = |given, changes| each("--resolve", "resolve", given, LIST_FORM, changes);
    const REOPEN: Read = |given, changes| with_note("--reopen", "reopen", given, changes);

    #[test]
    fn flags_are_read_as_their_forms_say() {
        let cases: [(Read, &str, &[&str]); 12] = [
            (RESOLVE, "I1", &["I1 | – | – | – | –"]),
            (RESOLVE, "I1,I4", &["I1 | – | – | – | –", "I4 | – | – | – | –"]),
            (RESOLVE, "I1, I4", &["I1 | – | – | – | –", "I4 | – | – | – | –"]),
            (RESOLVE, "I1: seen: in v2, line 3", &["I1 | – | – | – | seen: in v2, line 3"]),
            (REOPEN, "I3: still a race", &["I3 | – | – | – | still a race"]),
            (regraded, "I4 low", &["I4 | low | – | – | –"]),
            (regraded, "I4 low: rare", &["I4 | low | – | – | rare"]),
            (regraded, "I4 low,I5 high", &["I4 | low | – | – | –", "I5 | high | – | – | –"]),
            (raised, "high: Title", &["– | high | Title | – | –"]),
            (raised, "high: Title @ src/a.rs:41", &["– | high | Title | src/a.rs:41 | –"]),
            (raised, "low: a @ b @ c: d", &["– | low | a @ b | c: d | –"]),
            (raised, "critical: user@host fails", &["– | critical | user@host fails | – | –"]),
        ];
        for (read, given, expected) in cases {
            assert_eq!(parsed(read, given).unwrap(), expected, "{given}");
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
    fn a_flag_that_is_not_of_its_form_is_refused_with_the_form() {
        let cases: [(Read, &[&str], &str); 4] = [
            (RESOLVE, &["", "i1", "1", "I1 I2", "I1;I2", "I1,I2: note", "I1:note", "I", "I1,", "all"], "'I2: note'"),
            (REOPEN, &["I3", "I3:", "I3: ", "why", "I1,I2: why"], "'I3: note'"),
            (regraded, &["I4", "low", "I4 lower", "I4: low", "I4 low,I5 high: note"], "'I4 low: note'"),
            (raised, &["Title", "high Title", "high:", "High: Title", "urgent: Title", "high:  @ a"], "'high: Title @"),
        ];
        for (read, wrong, form) in cases {
            for given in wrong {
                let message = parsed(read, given).unwrap_err();
                assert!(message.contains(form), "{given}: {message}");
            }
        }
    }
}
