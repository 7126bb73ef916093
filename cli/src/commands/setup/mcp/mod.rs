//! `aw setup --mcp`: enters the server of the tools into the agent's own settings, and takes it back.
//!
//! Others write these files, too. So the text is changed in one place and stays as it is elsewhere, with its comments and its
//! order. Taking the entry back restores the text that was there before, unless somebody changed it meanwhile.

mod entry;
mod json_settings;
mod settings_file;
mod toml_settings;

use std::path::PathBuf;

use serde_json::{Value, json};

pub use self::entry::Entry;
use self::settings_file::SettingsFile;
use super::Scope;
use crate::{
    client::types::Role,
    guides::Host,
    output::{
        envelope::Output,
        failure::{Code, Failure},
    },
};

/// The name of the server in every settings file.
pub const NAME: &str = "aweave-debate";

/// What the user asked for.
pub struct Request {
    pub host: Host,
    pub scope: Scope,
    pub role: Option<Role>,
    pub check: bool,
    pub remove: bool,
    pub dry_run: bool,
}

/// How a settings file is written.
trait Format {
    /// The text with the entry added. `None` stands for a file that is not there.
    fn with_entry(&self, text: Option<&str>, entry: &Entry) -> Result<String, Malformed>;

    /// The entry that the text has.
    fn find(&self, text: &str) -> Result<Option<Entry>, Malformed>;

    /// The text with other arguments of the entry that it has.
    fn with_arguments(&self, text: &str, entry: &Entry) -> Result<String, Malformed>;

    /// Texts without the entry, the most likely former one first. `None` stands for no file.
    fn without_entry(&self, text: &str, entry: &Entry) -> Result<Vec<Option<String>>, Malformed>;
}

/// Why a text cannot be read as its format, and where.
#[derive(Debug)]
pub struct Malformed(String);

impl Malformed {
    /// What is wrong at this byte of the text.
    fn at(text: &str, byte: usize, reason: &str) -> Self {
        let before = text.get(..byte).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        Self(format!("line {line}, column {column}: {reason}"))
    }
}

/// What to do with a settings file.
#[derive(Debug, PartialEq, Eq)]
enum Change {
    None,
    Write { is_new: bool, text: String },
    Delete,
}

impl Change {
    fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Write { is_new: true, .. } => "create",
            Self::Write { is_new: false, .. } => "update",
            Self::Delete => "remove",
        }
    }
}

impl Request {
    /// Changes the settings, or only says what would be changed.
    pub fn run(self) -> Result<Output, Failure> {
        let file = SettingsFile::open(self.host, self.scope)?;
        let change = self.change(&file)?;
        if self.check && change != Change::None {
            let message = format!("{NAME} is not entered in {} as aw enters it", file.path().display());
            return Err(Failure::new(Code::SetupIncomplete, message)
                .with_suggestion("Run the same command without --check")
                .with_data(self.data(&file, &change))
                .with_next(self.command("")));
        }
        if !self.dry_run {
            file.apply(&change)?;
        }
        let path = file.path().display();
        let message = match (&change, self.remove, self.dry_run) {
            (Change::None, true, _) => format!("{NAME} is not entered in {path}"),
            (Change::None, false, _) => format!("{NAME} is entered in {path}"),
            (_, _, true) => format!("It would change {path}"),
            (_, true, false) => format!("Took {NAME} back from {path}"),
            (_, false, false) => format!("Entered {NAME} in {path}: restart {}", self.host.name()),
        };
        let next = match (self.remove, self.dry_run) {
            (false, false) => "aw doctor".to_owned(),
            (true, true) => self.command(" --remove"),
            (true, false) | (false, true) => self.command(""),
        };
        Ok(Output::new(self.data(&file, &change), message).with_markdown(super::render).with_next(next))
    }

    fn change(&self, file: &SettingsFile) -> Result<Change, Failure> {
        let format = file.format();
        let found = match file.text() {
            Some(text) => format.find(text).map_err(|malformed| file.malformed(malformed))?,
            None => None,
        };
        if let Some(found) = &found
            && !found.is_ours()
        {
            let message = format!("{} has another server with the name {NAME}", file.path().display());
            return Err(Failure::new(Code::InvalidInput, message)
                .with_suggestion("Rename or remove that server first; nothing was changed"));
        }
        let wanted = Entry::new(self.host, self.scope, self.role);
        let change = match (file.text(), found, self.remove) {
            (None, _, true) | (Some(_), None, true) => Ok(Change::None),
            (Some(text), Some(found), true) => removal(format, text, &found, self.host, self.scope),
            (text, None, false) => format
                .with_entry(text, &wanted)
                .map(|new_text| Change::Write { is_new: text.is_none(), text: new_text }),
            // Without a role it stays as it was entered.
            (Some(_), Some(found), false) if self.role.is_none() || found.arguments == wanted.arguments => {
                Ok(Change::None)
            }
            (Some(text), Some(found), false) => {
                self.with_wanted(format, text, &found, &wanted).map(|text| Change::Write { is_new: false, text })
            }
            (None, Some(_), false) => Ok(Change::None),
        };
        change.map_err(|malformed| file.malformed(malformed))
    }

    /// The text with the entry as it is wanted in place of the one that was found.
    fn with_wanted(&self, format: &dyn Format, text: &str, found: &Entry, wanted: &Entry) -> Result<String, Malformed> {
        match former(format, text, found, self.host, self.scope)? {
            (former, true) => format.with_entry(former.first().and_then(Option::as_deref), wanted),
            // Somebody changed it, and keeps what was changed.
            (_, false) => format.with_arguments(text, wanted),
        }
    }

    fn data(&self, file: &SettingsFile, change: &Change) -> Value {
        json!({
            "agent": self.host.name(),
            "scope": self.scope.name(),
            "mcp": true,
            "dry_run": self.dry_run,
            "changed": *change != Change::None && !self.dry_run && !self.check,
            "files": [{"path": file.path(), "change": change.name()}],
        })
    }

    /// The command with the same wishes, and another option.
    fn command(&self, option: &str) -> String {
        let role = self.role.map_or_else(String::new, |role| format!(" --role {role}"));
        format!("{} --mcp{role}{option}", super::command(self.host, self.scope))
    }
}

/// Texts without the entry, and whether entering it in the first makes the present text.
fn former(
    format: &dyn Format,
    text: &str,
    found: &Entry,
    host: Host,
    scope: Scope,
) -> Result<(Vec<Option<String>>, bool), Malformed> {
    let entered = Entry::new(host, scope, None).with_arguments(found.arguments.clone());
    let mut former = format.without_entry(text, &entered)?;
    let leads_here =
        |former: &Option<String>| format.with_entry(former.as_deref(), &entered).is_ok_and(|again| again == text);
    match former.iter().position(leads_here) {
        Some(exact) => Ok((vec![former.swap_remove(exact)], true)),
        None => Ok((former, false)),
    }
}

/// The change that takes the entry back: to the text from which entering it makes the present one, if there is such a text.
fn removal(format: &dyn Format, text: &str, found: &Entry, host: Host, scope: Scope) -> Result<Change, Malformed> {
    let (mut former, _) = former(format, text, found, host, scope)?;
    // If it was changed since, the last is the one that leaves nothing of it.
    Ok(match former.pop() {
        Some(Some(former)) => Change::Write { is_new: false, text: former },
        Some(None) => Change::Delete,
        None => Change::None,
    })
}

/// A settings file in which a server with this name is entered, and how it would be started from there.
pub struct Entered {
    pub host: Host,
    pub path: PathBuf,
    pub entry: Entry,
}

/// The settings files in which a server with this name is entered, or why one cannot be read.
pub fn entered() -> Vec<Result<Entered, Failure>> {
    let all = Host::ALL.into_iter().flat_map(|host| [Scope::Project, Scope::User].map(|scope| (host, scope)));
    all.filter_map(|(host, scope)| {
        let file = SettingsFile::open(host, scope).ok()?;
        let path = file.path().to_owned();
        // Only a file that speaks of it is any of our business.
        let text = file.text().filter(|text| text.contains(NAME))?;
        match file.format().find(text) {
            Ok(Some(entry)) => Some(Ok(Entered { host, path, entry })),
            Ok(None) => None,
            Err(malformed) => Some(Err(file.malformed(malformed))),
        }
    })
    .collect()
}
