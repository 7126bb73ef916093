//! `aw setup`: installs the files that teach an agent how to take part.
//!
//! Every file or block ends with a signature. Only text with a valid signature is ever changed or removed.

mod checksum_line;
mod installed_files;
mod target;

use std::{env, path::PathBuf};

use clap::Args;
use serde_json::{Value, json};

use self::target::{Change, Target};
use super::HELP_TEMPLATE;
use crate::{
    guides::{Host, Language},
    output::{
        envelope::Output,
        failure::{Code, Failure},
        markdown::Markdown,
        quoting,
    },
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw setup claude-code --user")]
pub struct Setup {
    /// The agent
    #[arg(value_enum, value_name = "AGENT")]
    host: Host,
    /// Only check whether it is installed and current; the exit status tells, too
    #[arg(long, conflicts_with_all = ["remove", "dry_run"])]
    check: bool,
    /// Remove what was installed for this agent
    #[arg(long)]
    remove: bool,
    /// Only print what would change
    #[arg(long)]
    dry_run: bool,
    /// Install for the current folder [default]
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// Install for all your projects on this machine
    #[arg(long)]
    user: bool,
    /// Language of the debates, such as Vietnamese or vi [default: as installed before, else the agent chooses]
    #[arg(long)]
    language: Option<String>,
}

/// Where the files are installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In the current folder
    Project,
    /// In the user's home
    User,
}

/// Whether the files for a host are installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Installed {
    /// As this version writes them
    Current,
    /// Incomplete, written by another version, or modified
    Stale,
    Missing,
}

/// Checks whether the files for a host are installed.
pub fn installed(host: Host, scope: Scope) -> Installed {
    let Ok(targets) = targets(host, scope) else { return Installed::Missing };
    if targets.iter().all(|target| target.install(host, None) == Change::None) {
        Installed::Current
    } else if targets.iter().all(|target| target.remove(host) == Change::None) {
        Installed::Missing
    } else {
        Installed::Stale
    }
}

/// The command that installs the files for a host.
pub fn command(host: Host, scope: Scope) -> String {
    format!("aw setup {} --{}", host.name(), scope.name())
}

impl Scope {
    /// The name of the option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }

    fn root(self) -> Result<PathBuf, Failure> {
        match self {
            Self::Project => Ok(PathBuf::new()),
            Self::User => env::home_dir().filter(|home| home.is_absolute()).ok_or_else(|| {
                Failure::new(Code::InvalidInput, "your home directory is unknown").with_suggestion("Set HOME")
            }),
        }
    }
}

impl Setup {
    pub fn run(self) -> Result<Output, Failure> {
        let scope = if self.user { Scope::User } else { Scope::Project };
        let language = self.language.as_deref().map(Language::parse).transpose()?;
        let targets = targets(self.host, scope)?;
        let plan = |target: &Target| {
            if self.remove { target.remove(self.host) } else { target.install(self.host, language.as_ref()) }
        };
        let changes: Vec<Change> = targets.iter().map(plan).collect();
        let output = self.output(scope, &targets, &changes);
        if self.check {
            return if changes.iter().all(|change| *change == Change::None) {
                Ok(output)
            } else {
                Err(self.incomplete(scope, &changes).with_data(output.data))
            };
        }
        if !self.remove && changes.iter().any(|change| matches!(change, Change::Refused(_))) {
            return Err(refused(&targets, &changes).with_data(output.data));
        }
        if !self.dry_run {
            let changes: Vec<_> = targets.iter().map(Target::path).zip(changes).collect();
            target::apply(&changes)?;
        }
        Ok(output)
    }

    fn output(&self, scope: Scope, targets: &[Target], changes: &[Change]) -> Output {
        let files: Vec<Value> = targets.iter().zip(changes).map(|(target, change)| file_json(target, change)).collect();
        let count = changes.iter().filter(|change| matches!(change, Change::Write { .. } | Change::Delete(_))).count();
        let data = json!({
            "agent": self.host.name(),
            "scope": scope.name(),
            "dry_run": self.dry_run,
            "changed": count > 0 && !self.dry_run && !self.check,
            "files": files,
        });
        let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        let message = match (self.check, self.remove, self.dry_run, count) {
            (true, ..) => "Installed and current".to_owned(),
            (_, true, _, 0) => "Nothing is installed here".to_owned(),
            (_, false, _, 0) => "Everything is installed already".to_owned(),
            (_, _, true, _) => format!("It would change {files}"),
            (_, true, ..) => format!("Removed what was installed: changed {files}"),
            (_, false, ..) => format!("Wrote {files}: ask {} to take part in a debate", self.host.name()),
        };
        let next = match (self.check, self.remove, self.dry_run) {
            (true, ..) => "aw doctor".to_owned(),
            (_, true, true) => self.command(scope, Some("--remove")),
            (_, true, false) | (_, false, true) => self.command(scope, None),
            (_, false, false) => self.command(scope, Some("--check")),
        };
        Output::new(data, message).with_markdown(render).with_next(next)
    }

    fn incomplete(&self, scope: Scope, changes: &[Change]) -> Failure {
        let count = |is_counted: fn(&Change) -> bool| changes.iter().filter(|change| is_counted(change)).count();
        let missing = count(|change| matches!(change, Change::Write { is_new: true, .. }));
        let stale = count(|change| matches!(change, Change::Write { is_new: false, .. }));
        let foreign = count(|change| matches!(change, Change::Refused(_)));
        let message = format!(
            "not installed correctly: {missing} files are missing, {stale} not current, {foreign} not written by aw"
        );
        Failure::new(Code::SetupIncomplete, message)
            .with_suggestion("Run the same command without --check")
            .with_next(self.command(scope, None))
    }

    fn command(&self, scope: Scope, option: Option<&str>) -> String {
        // Removing does not depend on the language.
        let language = self.language.as_deref().filter(|_| !self.remove);
        let language = language.map(|name| format!("--language {}", quoting::quote(name)));
        let parts = [Some(command(self.host, scope)), option.map(str::to_owned), language];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

fn file_json(target: &Target, change: &Change) -> Value {
    let change = match change {
        Change::None => "none",
        Change::Write { is_new: true, .. } => "create",
        Change::Write { is_new: false, .. } => "update",
        Change::Delete(_) => "remove",
        Change::Refused(reason) => return json!({"path": target.path(), "change": "none", "reason": reason}),
    };
    json!({"path": target.path(), "change": change})
}

fn refused(targets: &[Target], changes: &[Change]) -> Failure {
    let files = targets.iter().zip(changes).filter_map(|(target, change)| match change {
        Change::Refused(reason) => Some(format!("{}: {reason}", target.path().display())),
        Change::None | Change::Write { .. } | Change::Delete(_) => None,
    });
    let files: Vec<String> = files.collect();
    Failure::new(Code::InvalidInput, format!("nothing was changed, since aw may not replace {}", files.join("; ")))
        .with_suggestion("Move it away, or ask its owner, and run the command again")
}

/// The files for a host, with their present contents.
fn targets(host: Host, scope: Scope) -> Result<Vec<Target>, Failure> {
    if (host, scope) == (Host::AgentsMd, Scope::User) {
        let message = "AGENTS.md belongs to a project: no agent reads one in your home";
        return Err(
            Failure::new(Code::InvalidInput, message).with_suggestion("Use --project in the folder of the project")
        );
    }
    let root = scope.root()?;
    Ok(installed_files::for_host(host).into_iter().map(|artifact| Target::inspect(artifact, host, &root)).collect())
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    for file in data["files"].as_array().into_iter().flatten() {
        let text = |field: &str| file[field].as_str().unwrap_or_default().to_owned();
        let reason = file["reason"].as_str().map_or_else(String::new, |reason| format!(" ({reason})"));
        md.item(&format!("{}: `{}`{reason}", text("change"), text("path")));
    }
    Ok(())
}
