//! `aw setup --mcp`: enters the server of the tools into the agent's own settings, and takes it back.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{
    Scope,
    change::{Change, Planned},
    settings_file::SettingsFile,
};
use crate::{
    client::types::Role,
    hosts::{Host, Settings},
    output::{Code, Failure},
};

/// The name of the server in every settings file.
pub const NAME: &str = "aweave-debate";

/// The settings of a host, in a file of this scope.
fn settings(host: Host, scope: Scope) -> Result<(&'static Settings, SettingsFile), Failure> {
    let tools = host.facts().tools.as_ref().ok_or_else(|| {
        let named: Vec<&str> =
            Host::ALL.iter().filter(|host| host.facts().tools.is_some()).map(|host| host.name()).collect();
        Failure::new(Code::InvalidInput, "AGENTS.md has no settings for tools")
            .with_suggestion(format!("Name the agent: {}", named.join(", ")))
    })?;
    let settings = if scope == Scope::User { &tools.user } else { &tools.project };
    Ok((settings, SettingsFile::open(&scope.root()?, Path::new(settings.path))))
}

fn unreadable(path: &Path, reason: &str) -> Failure {
    Failure::new(Code::InvalidInput, format!("cannot read the settings in {}: {reason}", path.display()))
        .with_suggestion("Nothing was changed. Mend the file, then run the same command again")
}

/// The entry as it is made, for this role, and the name of its field with the arguments.
fn wanted(settings: &Settings, role: Option<Role>) -> (Value, &'static str) {
    // Some have them in one list with the command.
    let field = if settings.entry.contains("\"args\"") { "args" } else { "command" };
    // A test reads the entries of all hosts.
    let mut entry: Value = serde_json::from_str(settings.entry).unwrap_or_default();
    if let (Some(arguments), Some(role)) = (entry[field].as_array_mut(), role) {
        arguments.extend(["--role".into(), role.to_string().into()]);
    }
    (entry, field)
}

/// What becomes of the settings file of a host: the server is entered, for this role, or taken back.
pub fn planned(host: Host, scope: Scope, role: Option<Role>, is_removed: bool) -> Result<Planned, Failure> {
    let (settings, file) = settings(host, scope)?;
    let place = [settings.key, NAME];
    let path = &file.found.path;
    let entry = file.value(&place).map_err(|reason| unreadable(path, &reason))?;
    if entry.as_ref().is_some_and(|entry| !Entry::found(entry).is_ours()) {
        let message = format!("{} has another server with the name {NAME}", path.display());
        return Err(Failure::new(Code::InvalidInput, message)
            .with_suggestion("Rename or remove that server first; nothing was changed"));
    }
    let (wanted, field) = wanted(settings, role);
    let change = match (entry, is_removed) {
        (Some(_), true) => file.change(&place, None),
        (None, true) => Ok(Change::None),
        (None, false) => file.change(&place, Some(&wanted)),
        // Without a role it stays as it was entered, and what was added to it in any case.
        (Some(entry), false) if role.is_none() || entry[field] == wanted[field] => Ok(Change::None),
        (Some(_), false) => file.change(&[settings.key, NAME, field], Some(&wanted[field])),
    };
    let change = change.map_err(|reason| unreadable(path, &reason))?;
    Ok(Planned { change, found: file.found })
}

/// How a settings file starts a server.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    pub command: String,
    pub arguments: Vec<String>,
}

impl Entry {
    fn found(entry: &Value) -> Self {
        let texts = |value: &Value| match value {
            Value::String(text) => vec![text.clone()],
            Value::Array(words) => words.iter().map(|word| word.as_str().unwrap_or_default().to_owned()).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
        };
        let mut words = texts(&entry["command"]).into_iter();
        let command = words.next().unwrap_or_default();
        Self { command, arguments: words.chain(texts(&entry["args"])).collect() }
    }

    /// Whether it starts this program.
    pub fn is_ours(&self) -> bool {
        let is_aw = Path::new(&self.command).file_name().is_some_and(|name| name == "aw");
        is_aw && self.arguments.first().is_some_and(|word| word == "mcp")
    }
}

/// The settings files in which a server with this name is entered, and how it would be started from there, or why one cannot be
/// read.
pub fn entered() -> Vec<Result<(Host, PathBuf, Entry), Failure>> {
    let all = Host::ALL.into_iter().flat_map(|host| [Scope::Project, Scope::User].map(|scope| (host, scope)));
    let read = |(host, scope)| {
        let (settings, file) = settings(host, scope).ok()?;
        // Only a file that speaks of it is any of our business.
        let entry = file.value(&[settings.key, NAME]);
        match entry.map_err(|reason| unreadable(&file.found.path, &reason)) {
            Ok(entry) => entry.map(|entry| Ok((host, file.found.path, Entry::found(&entry)))),
            Err(failure) => file.mentions(NAME).then_some(Err(failure)),
        }
    };
    all.filter_map(read).collect()
}
