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
    guides::ROLES,
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
    Ok((settings, SettingsFile::open(host, scope, Path::new(settings.path))?))
}

/// The other hosts that read the same entry.
pub fn sharing(host: Host, scope: Scope) -> impl Iterator<Item = Host> {
    let place = move |host: Host| {
        let tools = host.facts().tools.as_ref()?;
        let settings = if scope == Scope::User { &tools.user } else { &tools.project };
        Some((settings.path, settings.key))
    };
    Host::ALL.into_iter().filter(move |other| *other != host && place(*other).is_some() && place(*other) == place(host))
}

/// The role for which the server is entered, if it is one: a project's settings are by others.
pub fn entered_role(host: Host, scope: Scope) -> Option<Role> {
    let (settings, file) = settings(host, scope).ok()?;
    let Entry { arguments, .. } = Entry::found(&file.value(&[settings.key, NAME]).ok()??);
    let mut words = arguments.iter().skip_while(|word| *word != "--role");
    let joined = || arguments.iter().find_map(|word| word.strip_prefix("--role="));
    words.nth(1).map(String::as_str).or_else(joined)?.parse().ok()
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
    set_role(&mut entry[field], role);
    (entry, field)
}

/// Has a list of arguments name this role, and leaves all else in it. Without a role it stays as it is.
fn set_role(arguments: &mut Value, role: Option<Role>) {
    let (Some(words), Some(role)) = (arguments.as_array_mut(), role) else { return };
    words.retain(|word| !word.as_str().is_some_and(|word| word.starts_with("--role=")));
    let named = words.iter().position(|word| word == "--role").filter(|at| at + 1 < words.len());
    let begin = words.iter().position(|word| word == "mcp").map_or(words.len(), |at| at + 1);
    let place = named.map_or(begin..begin, |at| at..at + 2);
    words.splice(place, ["--role".into(), role.to_string().into()]);
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
        // What was added to it stays.
        (Some(entry), false) => {
            let mut arguments = entry[field].clone();
            set_role(&mut arguments, role);
            match (&entry[field], &arguments) {
                (Value::Array(former), Value::Array(new)) => {
                    file.change_texts(&[settings.key, NAME, field], former, new)
                }
                _ => Ok(Change::None),
            }
        }
    };
    let change = change.map_err(|reason| unreadable(path, &reason))?;
    Ok(Planned { change, found: file.found })
}

/// What becomes of the entry that an earlier version of `aw` made elsewhere in a project, where it is to be taken back. None if
/// there is none. What somebody changed, or made under the same name, is left.
pub fn planned_for_former(host: Host, scope: Scope) -> Option<Planned> {
    let (settings, file) = former_settings(host, scope)?;
    let place = [settings.key, NAME];
    let change = match file.value(&place) {
        Ok(None) => return None,
        Ok(Some(entry)) if is_as_entered(settings, &entry) => file.change(&place, None).unwrap_or_else(Change::Left),
        Ok(Some(_)) => Change::Left(format!("its entry {NAME} is not as aw entered it")),
        Err(reason) if file.mentions(NAME) => Change::Left(reason),
        Err(_) => return None,
    };
    Some(Planned { change, found: file.found })
}

/// The settings in which earlier versions of `aw` entered the server. They did so in projects only.
fn former_settings(host: Host, scope: Scope) -> Option<(&'static Settings, SettingsFile)> {
    let former = host.facts().tools.as_ref()?.former.as_ref().filter(|_| scope == Scope::Project)?;
    Some((former, SettingsFile::open(host, scope, Path::new(former.path)).ok()?))
}

/// Whether an entry is as `aw` makes it for a role, or for all.
fn is_as_entered(settings: &Settings, entry: &Value) -> bool {
    let roles = [None].into_iter().chain(ROLES.map(Some));
    roles.map(|role| wanted(settings, role).0).any(|wanted| wanted == *entry)
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

/// A server with this name in a settings file.
pub struct Entered {
    pub host: Host,
    pub path: PathBuf,
    pub entry: Entry,
    /// Whether an earlier version of `aw` entered it, where this one enters nothing
    pub is_former: bool,
}

/// The settings files in which a server with this name is entered, and how it would be started from there, or why one cannot be
/// read.
pub fn entered() -> Vec<Result<Entered, Failure>> {
    let present = Host::ALL.into_iter().flat_map(|host| [Scope::Project, Scope::User].map(|scope| (host, scope)));
    let present = present.filter_map(|(host, scope)| Some((host, settings(host, scope).ok()?, false)));
    let former = Host::ALL.into_iter().filter_map(|host| Some((host, former_settings(host, Scope::Project)?, true)));
    let read = |(host, (settings, file), is_former): (Host, (&Settings, SettingsFile), bool)| {
        // Only a file that speaks of it is any of our business.
        match file.value(&[settings.key, NAME]).map_err(|reason| unreadable(&file.found.path, &reason)) {
            Ok(value) => value.map(|value| {
                let is_former = is_former && is_as_entered(settings, &value);
                Ok(Entered { host, path: file.found.path, entry: Entry::found(&value), is_former })
            }),
            Err(failure) => file.mentions(NAME).then_some(Err(failure)),
        }
    };
    present.chain(former).filter_map(read).collect()
}
