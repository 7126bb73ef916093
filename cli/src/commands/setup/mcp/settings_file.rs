//! The settings files of the agents.

use std::{
    fs::{self, File, Permissions},
    io::{self, ErrorKind, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::{Change, Format, Malformed, json_settings::JsonSettings, toml_settings::TomlSettings};
use crate::{
    commands::setup::Scope,
    files,
    guides::Host,
    output::failure::{Code, Failure},
};

/// A settings file with its present text.
pub struct SettingsFile {
    /// Where it is, with all links followed
    path: PathBuf,
    text: Option<String>,
    /// Whether a byte order mark comes before the text, as some editors write it
    has_mark: bool,
    format: Box<dyn Format>,
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Where the settings of a host are, below the project's folder or the user's home, and how they are written.
fn settings_of(host: Host, scope: Scope) -> Option<(&'static str, Box<dyn Format>)> {
    let json = |path, key| Some((path, Box::new(JsonSettings { key }) as Box<dyn Format>));
    match (host, scope) {
        (Host::ClaudeCode, Scope::Project) => json(".mcp.json", "mcpServers"),
        (Host::ClaudeCode, Scope::User) => json(".claude.json", "mcpServers"),
        (Host::Codex, _) => Some((".codex/config.toml", Box::new(TomlSettings))),
        (Host::Gemini, _) => json(".gemini/settings.json", "mcpServers"),
        (Host::Cursor, _) => json(".cursor/mcp.json", "mcpServers"),
        (Host::Copilot, Scope::Project) => json(".vscode/mcp.json", "servers"),
        (Host::Copilot, Scope::User) => json(".copilot/mcp-config.json", "mcpServers"),
        (Host::AgentsMd, _) => None,
    }
}

impl SettingsFile {
    /// Reads the file, if there is one.
    pub fn open(host: Host, scope: Scope) -> Result<Self, Failure> {
        let (path, format) = settings_of(host, scope).ok_or_else(|| {
            Failure::new(Code::InvalidInput, "AGENTS.md has no settings for tools")
                .with_suggestion("Name the agent: claude-code, codex, gemini, cursor or copilot")
        })?;
        let root = scope.root()?;
        let path = files::resolve_below(&root, Path::new(path)).map_err(|error| {
            Failure::new(Code::InvalidInput, format!("cannot use {}: {error}", root.join(path).display()))
                .with_suggestion("Nothing was read or changed. Put a file of its own in place of the link")
        })?;
        let text = match files::read(&path, files::MAX_BYTES) {
            Ok(bytes) => Some(String::from_utf8(bytes).map_err(|error| {
                let index = error.utf8_error().valid_up_to();
                unreadable(&path, &format!("it is not UTF-8 text: byte {index} is invalid"))
            })?),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                return Err(Failure::new(Code::FileNotFound, format!("cannot read {}: {error}", path.display()))
                    .with_suggestion("Nothing was changed. Make sure that the file is readable"));
            }
        };
        let marked = text.as_deref().and_then(|text| text.strip_prefix(BYTE_ORDER_MARK)).map(str::to_owned);
        let has_mark = marked.is_some();
        Ok(Self { path, text: marked.or(text), has_mark, format })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its text; `None` if there is no file.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// How it is written.
    pub fn format(&self) -> &dyn Format {
        &*self.format
    }

    /// The failure for a file that cannot be read as its format.
    pub fn malformed(&self, Malformed(reason): Malformed) -> Failure {
        unreadable(&self.path, &reason)
    }

    /// Makes the change, as a whole or not at all.
    pub fn apply(&self, change: &Change) -> Result<(), Failure> {
        let result = match change {
            Change::None => Ok(()),
            Change::Write { is_new: true, text } => self.create(text),
            Change::Write { is_new: false, text } => self.replace(text),
            Change::Delete => fs::remove_file(&self.path).map(|()| {
                // The folder goes with its only file, except for the home or the project.
                if let Some(folder) = self
                    .path
                    .parent()
                    .filter(|folder| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.')))
                {
                    let _ = fs::remove_dir(folder);
                }
            }),
        };
        result.map_err(|error| {
            Failure::new(Code::InvalidInput, format!("cannot change {}: {error}", self.path.display())).with_suggestion(
                "Nothing was changed. Make sure that the folder is writable, or choose --project or --user",
            )
        })
    }

    fn create(&self, text: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        File::create_new(&self.path)?.write_all(text.as_bytes())
    }

    /// Replaces the file that is there, and keeps its mode.
    fn replace(&self, text: &str) -> io::Result<()> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mode = fs::metadata(&self.path)?.permissions().mode();
        let mut file = tempfile::Builder::new().prefix(".aw-").tempfile_in(folder)?;
        if self.has_mark {
            write!(file, "{BYTE_ORDER_MARK}")?;
        }
        file.write_all(text.as_bytes())?;
        file.as_file().set_permissions(Permissions::from_mode(mode))?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }
}

fn unreadable(path: &Path, reason: &str) -> Failure {
    Failure::new(Code::InvalidInput, format!("cannot read the settings in {}: {reason}", path.display()))
        .with_suggestion("Nothing was changed. Mend the file, then run the same command again")
}
