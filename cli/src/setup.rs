//! `aw setup`: teaches an agent how to take part, by files in that agent's own form.
//!
//! Every file and block ends with a mark that says for whom it is there and what was made for it. Only what has such a
//! mark, and is as it was written, is ever changed or taken back.

mod mark;
mod place;
mod text;

use std::{env, path::PathBuf};

use clap::Args;
use serde_json::{Value, json};

use self::place::{Change, Place};
use crate::{
    envelope::Answer,
    error::{Code, Failure},
    guide::{Host, Language},
    markdown::Page,
    shell,
};

#[derive(Args)]
#[command(help_template = crate::verb::EXAMPLE_FIRST, before_help = "\
Example:
  aw setup claude-code --user")]
pub struct Setup {
    /// Which agent
    #[arg(value_enum, value_name = "AGENT")]
    host: Host,
    /// Only tell whether it is installed and current; the exit status says so, too
    #[arg(long, conflicts_with_all = ["remove", "dry_run"])]
    check: bool,
    /// Take back what was installed for this agent
    #[arg(long)]
    remove: bool,
    /// Only tell what would be changed
    #[arg(long)]
    dry_run: bool,
    /// For whoever works in this folder [default]
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// For all that you do on this machine
    #[arg(long)]
    user: bool,
    /// The language to argue in, such as Vietnamese or vi [default: as before, else whatever the agent chooses]
    #[arg(long)]
    language: Option<String>,
}

/// Where it is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// In the current folder
    Project,
    /// In the user's home
    User,
}

/// Whether what a host needs is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Installed {
    /// As this program would write it
    Current,
    /// In part, by an older program, or changed since
    Stale,
    /// Nothing for this host
    Missing,
}

/// Whether what that host needs is there.
pub fn installed(host: Host, scope: Scope) -> Installed {
    let Ok(places) = places(host, scope) else { return Installed::Missing };
    if places.iter().all(|place| place.install(host, None) == Change::Keep) {
        Installed::Current
    } else if places.iter().all(|place| place.remove(host) == Change::Keep) {
        Installed::Missing
    } else {
        Installed::Stale
    }
}

/// The command that installs it.
pub fn command(host: Host, scope: Scope) -> String {
    format!("aw setup {} --{}", host.name(), scope.name())
}

impl Scope {
    /// How it is called on the command line.
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
                Failure::new(Code::InvalidInput, "it is not known where your home is").suggest("Set HOME")
            }),
        }
    }
}

impl Setup {
    /// Runs the command.
    pub fn run(self) -> Result<Answer, Failure> {
        let scope = if self.user { Scope::User } else { Scope::Project };
        let language = self.language.as_deref().map(Language::parse).transpose()?;
        let places = places(self.host, scope)?;
        let changes: Vec<Change> = places
            .iter()
            .map(
                |place| if self.remove { place.remove(self.host) } else { place.install(self.host, language.as_ref()) },
            )
            .collect();
        let answer = self.answer(scope, &places, &changes);
        let is_blocked = changes.iter().any(|change| matches!(change, Change::Leave(_)));
        if self.check {
            return if changes.iter().all(|change| *change == Change::Keep) {
                Ok(answer)
            } else {
                Err(self.incomplete(scope, answer.data))
            };
        }
        if is_blocked && !self.remove {
            return Err(self.blocked(&places, &changes).with_data(answer.data));
        }
        if !self.dry_run {
            let todo: Vec<_> = places.iter().map(Place::path).zip(changes).collect();
            place::apply(&todo)?;
        }
        Ok(answer)
    }

    fn answer(&self, scope: Scope, places: &[Place], changes: &[Change]) -> Answer {
        let files: Vec<Value> = places.iter().zip(changes).map(|(place, change)| self.line(place, change)).collect();
        let count = changes.iter().filter(|change| matches!(change, Change::Write { .. } | Change::Delete(_))).count();
        let data = json!({
            "agent": self.host.name(),
            "scope": scope.name(),
            "dry_run": self.dry_run,
            "changed": count > 0 && !self.dry_run && !self.check,
            "files": files,
        });
        let changed = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        let message = match (self.check, self.remove, self.dry_run, count) {
            (true, ..) => "Installed and current".to_owned(),
            (_, true, _, 0) => "Nothing of ours is here".to_owned(),
            (_, false, _, 0) => "Everything is in place already".to_owned(),
            (_, _, true, _) => format!("It would change {changed}"),
            (_, true, ..) => format!("Took back {changed}: all is as it was before"),
            (_, false, ..) => format!("Wrote {changed}: ask {} to take part in a debate", self.host.name()),
        };
        let next = match (self.check, self.remove, self.dry_run) {
            (true, ..) => "aw doctor".to_owned(),
            (_, true, true) => self.command(scope, Some("--remove")),
            (_, true, false) | (_, false, true) => self.command(scope, None),
            (_, false, false) => self.command(scope, Some("--check")),
        };
        Answer::new(data, message, show).go_on(next)
    }

    fn line(&self, place: &Place, change: &Change) -> Value {
        let change = match change {
            Change::Keep => "none",
            Change::Write { is_new: true, .. } => "create",
            Change::Write { is_new: false, .. } => "update",
            Change::Delete(_) => "remove",
            Change::Leave(why) => return json!({"path": place.path(), "change": "none", "reason": why}),
        };
        json!({"path": place.path(), "change": change})
    }

    fn blocked(&self, places: &[Place], changes: &[Change]) -> Failure {
        let told = places.iter().zip(changes).filter_map(|(place, change)| match change {
            Change::Leave(why) => Some(format!("{}: {why}", place.path().display())),
            Change::Keep | Change::Write { .. } | Change::Delete(_) => None,
        });
        let told: Vec<String> = told.collect();
        Failure::new(Code::InvalidInput, format!("nothing was changed, since this is not ours: {}", told.join("; ")))
            .suggest("Move it away, or ask its owner, and run the command again")
    }

    fn incomplete(&self, scope: Scope, data: Value) -> Failure {
        let missing = |kind: &str| {
            let files = data["files"].as_array().into_iter().flatten();
            files.filter(|file| file["change"] == kind || (kind == "reason" && file.get("reason").is_some())).count()
        };
        let (missing, stale, others) = (missing("create"), missing("update"), missing("reason"));
        let message = format!("not as it should be: {missing} files are missing, {stale} stale, {others} not ours");
        Failure::new(Code::SetupIncomplete, message)
            .suggest("Run the same command without --check")
            .go_on(self.command(scope, None))
            .with_data(data)
    }

    fn command(&self, scope: Scope, more: Option<&str>) -> String {
        let command = command(self.host, scope);
        // What is taken back goes whatever language it is in.
        let language = self.language.as_deref().filter(|_| !self.remove);
        let language = language.map(|name| format!("--language {}", shell::quoted(name)));
        [Some(command), more.map(str::to_owned), language].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// Where everything for that agent goes, looked at.
fn places(host: Host, scope: Scope) -> Result<Vec<Place>, Failure> {
    if (host, scope) == (Host::AgentsMd, Scope::User) {
        return Err(Failure::new(
            Code::InvalidInput,
            "AGENTS.md belongs to a project: no agent reads one in your home",
        )
        .suggest("Use --project in the folder of the project"));
    }
    let root = scope.root()?;
    Ok(text::pieces(host).into_iter().map(|piece| Place::look(piece, host, &root)).collect())
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    for file in data["files"].as_array().into_iter().flatten() {
        let word = |field: &str| file[field].as_str().unwrap_or_default().to_owned();
        let reason = file["reason"].as_str().map_or_else(String::new, |reason| format!(" ({reason})"));
        page.item(&format!("{}: `{}`{reason}", word("change"), word("path")));
    }
    Ok(())
}
