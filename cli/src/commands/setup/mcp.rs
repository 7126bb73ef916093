//! `aw setup --mcp`: enters the server of the tools into the agent's own settings, and takes it back.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{
    Scope,
    change::{Change, Found, Planned},
    settings_text::{Format, Malformed},
};
use crate::{
    client::types::Role,
    hosts::{Host, Settings},
    output::failure::{Code, Failure},
};

/// The name of the server in every settings file.
pub const NAME: &str = "aweave-debate";

/// The settings file of a host.
struct SettingsFile {
    settings: &'static Settings,
    found: Found,
}

impl SettingsFile {
    fn open(host: Host, scope: Scope) -> Result<Self, Failure> {
        let tools = host.facts().tools.as_ref().ok_or_else(|| {
            let named: Vec<&str> =
                Host::ALL.iter().filter(|host| host.facts().tools.is_some()).map(|host| host.name()).collect();
            Failure::new(Code::InvalidInput, "AGENTS.md has no settings for tools")
                .with_suggestion(format!("Name the agent: {}", named.join(", ")))
        })?;
        let settings = if scope == Scope::User { &tools.user } else { &tools.project };
        let root = scope.root()?;
        let found = Found::read(&root, Path::new(settings.path)).map_err(|reason| {
            let path = root.join(settings.path);
            Failure::new(Code::InvalidInput, format!("cannot read the settings in {}: {reason}", path.display()))
                .with_suggestion(
                    "Nothing was changed. Put a readable text file in its place, then run the same command again",
                )
        })?;
        Ok(Self { settings, found })
    }

    fn format(&self) -> Format {
        Format::of(Path::new(self.settings.path))
    }

    /// Where the server is in the settings.
    fn place(&self) -> [&'static str; 2] {
        [self.settings.key, NAME]
    }

    /// The entry that the settings have.
    fn entry(&self) -> Result<Option<Value>, Failure> {
        let text = self.found.text.as_deref();
        text.map_or(Ok(None), |text| self.format().value(text, &self.place()))
            .map_err(|malformed| self.refused(malformed))
    }

    /// The entry as it is made, for this role.
    fn wanted(&self, role: Option<Role>) -> Value {
        // A test reads the entries of all hosts.
        let mut entry: Value = serde_json::from_str(self.settings.entry).unwrap_or_default();
        let words = role.iter().flat_map(|role| ["--role".to_owned(), role.to_string()]).map(Value::from);
        if let Some(arguments) = entry.get_mut(arguments_of(self.settings)).and_then(Value::as_array_mut) {
            arguments.extend(words);
        }
        entry
    }

    fn refused(&self, Malformed(reason): Malformed) -> Failure {
        let message = format!("cannot read the settings in {}: {reason}", self.found.path.display());
        Failure::new(Code::InvalidInput, message)
            .with_suggestion("Nothing was changed. Mend the file, then run the same command again")
    }
}

/// The field of an entry that has the arguments of the command: some have them in one list with it.
fn arguments_of(settings: &Settings) -> &'static str {
    if settings.entry.contains("\"args\"") { "args" } else { "command" }
}

/// What becomes of the settings file of a host: the server is entered, for this role, or taken back.
pub fn planned(host: Host, scope: Scope, role: Option<Role>, is_removed: bool) -> Result<Planned, Failure> {
    let file = SettingsFile::open(host, scope)?;
    let (format, place) = (file.format(), file.place());
    let entry = file.entry()?;
    if entry.as_ref().is_some_and(|entry| !Entry::found(entry).is_ours()) {
        let message = format!("{} has another server with the name {NAME}", file.found.path.display());
        return Err(Failure::new(Code::InvalidInput, message)
            .with_suggestion("Rename or remove that server first; nothing was changed"));
    }
    let wanted = file.wanted(role);
    let field = arguments_of(file.settings);
    let change = match (file.found.text.as_deref(), entry, is_removed) {
        (Some(text), Some(_), true) => {
            format.without_value(text, &place).map(|text| text.map_or(Change::Delete, Change::Update))
        }
        (_, _, true) => Ok(Change::None),
        (None, _, false) => format.with_value(None, &place, &wanted).map(Change::Create),
        (Some(text), None, false) => format.with_value(Some(text), &place, &wanted).map(Change::Update),
        // Without a role it stays as it was entered, and what was added to it in any case.
        (Some(_), Some(entry), false) if role.is_none() || entry[field] == wanted[field] => Ok(Change::None),
        (Some(text), Some(_), false) => {
            format.with_value(Some(text), &[place[0], place[1], field], &wanted[field]).map(Change::Update)
        }
    };
    match change {
        Ok(change) => Ok(Planned { change, found: file.found }),
        Err(malformed) => Err(file.refused(malformed)),
    }
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

/// A settings file in which a server with this name is entered, and how it would be started from there.
pub struct Entered {
    pub host: Host,
    pub path: PathBuf,
    pub entry: Entry,
}

/// The settings files in which a server with this name is entered, or why one cannot be read.
pub fn entered() -> Vec<Result<Entered, Failure>> {
    let all = Host::ALL.into_iter().flat_map(|host| [Scope::Project, Scope::User].map(|scope| (host, scope)));
    let read = |(host, scope)| {
        let file = SettingsFile::open(host, scope).ok()?;
        // Only a file that speaks of it is any of our business.
        file.found.text.as_deref().filter(|text| text.contains(NAME))?;
        match file.entry() {
            Ok(entry) => entry.map(|entry| Ok(Entered { host, path: file.found.path, entry: Entry::found(&entry) })),
            Err(failure) => Some(Err(failure)),
        }
    };
    all.filter_map(read).collect()
}
