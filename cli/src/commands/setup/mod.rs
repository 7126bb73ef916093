//! `aw setup`: installs the files that teach an agent how to take part.
//!
//! Every file or block ends with a signature. Only text with a valid signature is changed or removed; what the user changed
//! is replaced with `--force` only, and kept in a file beside it.

mod allowed_tools;
mod change;
mod checksum_line;
mod installed_files;
pub mod mcp;
mod settings_file;
mod skill_permissions;
mod target;

use std::{
    env,
    path::{Path, PathBuf, absolute},
};

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::{
    allowed_tools::AllowedTools,
    change::{Change, Planned, ToldFile, UNCHANGED},
    installed_files::USUAL_ROLES,
    target::{DAMAGED, Options, Target},
};
use super::{HELP_TEMPLATE, debate::options::named};
use crate::{
    client::types::Role,
    guides::{Language, ROLES},
    hosts::{Host, MovedBy},
    output::{Code, Failure, Markdown, Output, quoting, warning},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw setup claude-code --user")]
pub struct Setup {
    /// The agent
    #[arg(value_enum, value_name = "AGENT")]
    host: Host,
    /// Install the skill of this role only [default: those of proposer and opponent]
    #[arg(long, value_parser = named::<Role>())]
    role: Option<Role>,
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
    /// Tools that the skill may use without asking, such as 'Read, Grep, Bash(aw *)'; '' for none [default: as installed before]
    #[arg(long, value_name = "TOOLS")]
    allowed_tools: Option<String>,
    /// Enter `aw mcp` into the agent's own settings, for an agent without a shell, in place of installing a skill. With
    /// --role the agent can act in that role only
    #[arg(long, conflicts_with_all = ["language", "allowed_tools", "force"])]
    mcp: bool,
    /// Replace files that were changed, and keep each beside the new one with .bak at the end of its name
    #[arg(long, conflicts_with_all = ["check", "remove"])]
    force: bool,
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
    /// Incomplete, or written by another version
    Stale,
    /// Somebody changed a file since `aw` wrote it
    Changed,
    /// Which part of a file `aw` wrote cannot be told any more
    Damaged,
    Missing,
}

/// Checks whether the files for a host are installed.
pub fn installed(host: Host, scope: Scope) -> Installed {
    let Ok(mut targets) = targets(host, scope) else { return Installed::Missing };
    let roles = installed_roles(&targets, host);
    targets.retain(|target| target.is_of(if roles.is_empty() { &USUAL_ROLES } else { &roles }));
    if targets.iter().all(|target| target.install(host, &Options::default()) == Ok(Change::None)) {
        Installed::Current
    } else if targets.iter().all(|target| target.is_of_others(host)) {
        Installed::Missing
    } else if targets.iter().any(Target::is_damaged) {
        Installed::Damaged
    } else if targets.iter().any(Target::is_modified) {
        Installed::Changed
    } else {
        Installed::Stale
    }
}

/// What helps where a block is damaged; `install` is the command that writes it anew.
pub fn how_to_mend(install: &str) -> String {
    format!(
        "In AGENTS.md, take out all from each line that begins with `<!-- aw setup` to the one that begins with `<!-- written by aw`, \
         also where one of them is missing. Then run `{install}`"
    )
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

    /// Where a file of a host is: the folder that it may not leave, and its path below that. `path` is below the project's folder
    /// or the user's home.
    fn place(self, host: Host, path: &Path) -> Result<(PathBuf, PathBuf), Failure> {
        if self == Self::Project {
            return Ok((PathBuf::new(), path.to_owned()));
        }
        if let Some(moved) = moved(host, path) {
            return Ok(moved);
        }
        let home = env::home_dir().filter(|home| home.is_absolute()).ok_or_else(|| {
            Failure::new(Code::InvalidInput, "your home directory is unknown").with_suggestion("Set HOME")
        })?;
        Ok((home, path.to_owned()))
    }
}

/// Where a file is instead of in the user's home, if its host was told so by a variable.
fn moved(host: Host, path: &Path) -> Option<(PathBuf, PathBuf)> {
    let MovedBy { variable, paths } = host.facts().moved_by.as_ref()?;
    let folder = env::var_os(variable).filter(|folder| !folder.is_empty())?;
    let path = path.to_str()?;
    let moved = paths.iter().find_map(|(start, new)| Some(format!("{new}{}", path.strip_prefix(start)?)))?;
    Some((absolute(folder).ok()?, moved.into()))
}

impl Setup {
    pub fn run(self) -> Result<Output, Failure> {
        let scope = if self.user { Scope::User } else { Scope::Project };
        let mut planned = if self.mcp {
            vec![mcp::planned(self.host, scope, self.role, self.remove)?]
        } else {
            self.planned(scope, &self.options()?)?
        };
        if self.remove {
            planned.extend(mcp::planned_for_former(self.host, scope));
        }
        let output = self.output(scope, &planned);
        if self.check && planned.iter().any(|one| one.change != Change::None) {
            return Err(self.incomplete(scope, &planned).with_data(output.data).with_markdown(render));
        }
        if !self.check {
            if !self.dry_run {
                change::apply(&planned)?;
            }
            self.warn(scope, &planned);
        }
        Ok(output)
    }

    /// What becomes of each file.
    fn planned(&self, scope: Scope, options: &Options) -> Result<Vec<Planned>, Failure> {
        let targets = self.targets(scope)?;
        // The files of the other roles are brought up to date as they were installed.
        let others = Options { force: options.force, ..Options::default() };
        let options_of = |target: &Target| if target.is_of(&self.roles()) { options } else { &others };
        let permissions = skill_permissions::planned(self.host, scope, &targets, |target| {
            let tools = target.signed_for(self.host, options_of(target)).allowed_tools;
            !self.remove && tools.is_some_and(|tools| !tools.as_str().is_empty())
        })?;
        let plan = |target: Target| {
            let change =
                if self.remove { target.remove(self.host) } else { target.install(self.host, options_of(&target)) };
            Planned { found: target.found, change: change.unwrap_or_else(Change::Left) }
        };
        Ok(targets.into_iter().map(plan).chain(permissions).collect())
    }

    fn options(&self) -> Result<Options, Failure> {
        Ok(Options {
            language: self.language.as_deref().map(Language::parse).transpose()?,
            allowed_tools: self.allowed_tools.as_deref().map(AllowedTools::parse).transpose()?,
            force: self.force,
        })
    }

    /// The roles that the user asked for.
    fn roles(&self) -> Vec<Role> {
        self.role.map_or_else(|| USUAL_ROLES.to_vec(), |role| vec![role])
    }

    /// The files of these roles, and of those that are installed already.
    fn targets(&self, scope: Scope) -> Result<Vec<Target>, Failure> {
        let mut targets = targets(self.host, scope)?;
        let installed = installed_roles(&targets, self.host);
        let mut roles = self.roles();
        // What serves all roles stays as long as one of them does.
        let others_stay = self.remove && self.role.is_some() && installed.iter().any(|role| !roles.contains(role));
        if !self.remove || self.role.is_none() {
            roles.extend(installed);
        }
        targets.retain(|target| target.is_of(&roles) && !(others_stay && target.artifact.role().is_none()));
        Ok(targets)
    }

    /// Warns about what was not done as asked.
    fn warn(&self, scope: Scope, planned: &[Planned]) {
        let mut warnings = Vec::new();
        for other in mcp::sharing(self.host, scope).filter(|_| self.mcp) {
            let shares =
                format!("{} reads the same entry in {}, so that it", other.name(), planned[0].found.path.display());
            let role = self.role.or_else(|| mcp::entered_role(self.host, scope));
            warnings.extend(match (self.remove, role) {
                (true, _) => (planned[0].change != Change::None).then(|| {
                    let takes = if self.dry_run { "would lose" } else { "has lost" };
                    format!("{shares} {takes} the tools, too: {} --mcp enters them again", command(other, scope))
                }),
                (false, role) => role.map(|role| {
                    let is = if self.dry_run { "would be" } else { "is" };
                    format!("{shares} {is} the {role}, too: `--user` enters each for itself")
                }),
            });
        }
        if self.allowed_tools.is_some() && !self.remove && self.host.facts().skill_permissions.is_none() {
            let host = self.host.name();
            warnings.push(format!("aw knows no setting of {host} for allowed tools, so --allowed-tools was not used"));
        }
        warnings.extend(left(planned).map(|(path, reason)| format!("{} is left as it is: {reason}", path.display())));
        if !warnings.is_empty() {
            warning::add(warnings.join("; "));
        }
    }

    fn output(&self, scope: Scope, planned: &[Planned]) -> Output {
        let count = planned.iter().filter(|one| !matches!(one.change, Change::None | Change::Left(_))).count();
        let left: Vec<String> = left(planned).map(|(path, _)| path.display().to_string()).collect();
        let tools = self.allowed_tools.as_deref().filter(|_| self.host.facts().skill_permissions.is_some());
        let nothing_is_left = left.is_empty();
        let data = Told {
            agent: self.host.name().to_owned(),
            scope: scope.name().to_owned(),
            mcp: self.mcp,
            dry_run: self.dry_run,
            changed: count > 0 && !self.dry_run && !self.check,
            files: planned.iter().map(Planned::told).collect(),
            left,
            allowed_tools: tools.map(str::to_owned),
        };
        let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        let mut message = match (self.check, self.remove, self.dry_run, count) {
            (true, ..) => "Installed and current".to_owned(),
            (.., 0) if !nothing_is_left => "Nothing was changed".to_owned(),
            (_, true, _, 0) => "Nothing is installed here".to_owned(),
            (_, false, _, 0) => "Everything is installed already".to_owned(),
            (_, _, true, _) => format!("It would change {files}"),
            (_, true, ..) => format!("Removed what was installed: changed {files}"),
            (_, false, ..) if self.mcp => {
                let path = planned.first().map(|one| one.found.path.display().to_string()).unwrap_or_default();
                format!("Entered {} in {path}: restart {}", mcp::NAME, self.host.name())
            }
            (_, false, ..) => format!("Wrote {files}: ask {} to take part in a debate", self.host.name()),
        };
        let note = self.host.facts().tools.as_ref().map_or("", |tools| tools.note);
        if self.mcp && !self.remove && !note.is_empty() {
            message += &format!(". {note}");
        }
        let next = match (self.check, self.remove, self.dry_run) {
            // A check would say again what is left, and nothing of whether the server starts.
            (true, ..) | (_, false, false) if self.check || self.mcp || !nothing_is_left => "aw doctor".to_owned(),
            (_, true, true) => self.command(scope, Some("--remove")),
            (_, true, false) | (_, false, true) => self.command(scope, None),
            (_, false, false) => self.command(scope, Some("--check")),
        };
        // Whoever took it out does not want it back.
        let is_removed = self.remove && !self.dry_run && !self.check && nothing_is_left;
        let output = Output::new(json!(data), message).with_markdown(render).with_next(next);
        Output { for_a_person: is_removed.then(Vec::new), ..output }
    }

    fn incomplete(&self, scope: Scope, planned: &[Planned]) -> Failure {
        let count = |is_counted: fn(&Change) -> bool| planned.iter().filter(|one| is_counted(&one.change)).count();
        let missing = count(|change| matches!(change, Change::Create(_)));
        let stale = count(|change| matches!(change, Change::Update(_) | Change::Delete));
        let left = count(|change| matches!(change, Change::Left(_)));
        let message = format!(
            "not installed correctly: missing files: {missing}; not current: {stale}; not as aw wrote them: {left}"
        );
        let is_damaged = planned.iter().any(|one| matches!(&one.change, Change::Left(reason) if reason == DAMAGED));
        let install = self.command(scope, None);
        let (suggestion, next) = if is_damaged {
            (how_to_mend(&install), self.command(scope, Some("--check")))
        } else if missing + stale == 0 {
            let keep = "Keep what was changed, or run the same command with --force instead of --check";
            (keep.to_owned(), "aw doctor".to_owned())
        } else {
            ("Run the same command without --check".to_owned(), install)
        };
        Failure::new(Code::SetupIncomplete, message).with_suggestion(suggestion).with_next(next)
    }

    /// The command with the same wishes, and another option.
    fn command(&self, scope: Scope, option: Option<&str>) -> String {
        // Removing does not depend on these.
        let quoted = |name: &str, value: &Option<String>| {
            value.as_deref().filter(|_| !self.remove).map(|value| format!("{name} {}", quoting::quote(value)))
        };
        let parts = [
            Some(command(self.host, scope)),
            self.mcp.then(|| "--mcp".to_owned()),
            self.role.map(|role| format!("--role {role}")),
            option.map(str::to_owned),
            quoted("--language", &self.language),
            quoted("--allowed-tools", &self.allowed_tools),
            // A dry run is followed by what was tried.
            (self.force && self.dry_run).then(|| "--force".to_owned()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// What is told of the files.
#[derive(Serialize, Deserialize)]
struct Told {
    agent: String,
    scope: String,
    mcp: bool,
    dry_run: bool,
    changed: bool,
    files: Vec<ToldFile>,
    left: Vec<String>,
    allowed_tools: Option<String>,
}

/// The files that stay as they are although they are not as they should be, and why.
fn left(planned: &[Planned]) -> impl Iterator<Item = (&Path, &str)> {
    planned.iter().filter_map(|one| {
        if let Change::Left(reason) = &one.change { Some((&*one.found.path, &**reason)) } else { None }
    })
}

/// The roles of which files are installed for a host.
fn installed_roles(targets: &[Target], host: Host) -> Vec<Role> {
    let is_installed = |role: &Role| {
        targets.iter().any(|target| target.artifact.role() == Some(*role) && target.is_installed_for(host))
    };
    ROLES.into_iter().filter(is_installed).collect()
}

/// The files for a host and all roles, with their present contents.
fn targets(host: Host, scope: Scope) -> Result<Vec<Target>, Failure> {
    if host.facts().skills.is_none() && scope == Scope::User {
        let message = "AGENTS.md belongs to a project: no agent reads one in your home";
        let failure = Failure::new(Code::InvalidInput, message);
        return Err(failure.with_suggestion("Use --project in the folder of the project"));
    }
    installed_files::for_host(host, scope).into_iter().map(|artifact| Target::inspect(artifact, host, scope)).collect()
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    for ToldFile { path, change, kept_as, reason } in Told::deserialize(data)?.files {
        let why = match (reason, kept_as) {
            (Some(reason), _) => format!(" ({})", md.plain(&reason)),
            (None, Some(kept)) => format!(" (the former one is in {})", md.code_span(&kept)),
            // The message tells that nothing becomes of it.
            (None, None) if change == UNCHANGED => continue,
            (None, None) => String::new(),
        };
        let change = if change == UNCHANGED { "left" } else { &change };
        md.item(&format!("{change}: {}{why}", md.code_span(&path)));
    }
    Ok(())
}
