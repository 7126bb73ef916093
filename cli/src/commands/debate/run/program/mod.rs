//! The programs that a run can start. Each has a module, which says how it is found and started and what its output means.

mod agent_program;
mod claude_code;
mod codex;
mod command;
mod copilot;
mod credentials;
mod gemini;
mod opencode;
mod output;
mod said;
mod usage_limit;

use std::{
    borrow::Cow,
    fmt,
    path::{self, Path, PathBuf},
    time::Duration,
};

use self::agent_program::{AgentProgram, Login};
use super::{
    child_process::{self, Start, Text},
    error_text::last_line,
};
use crate::{
    hosts::Host,
    output::{Code, Failure},
    programs,
};

pub use self::{
    output::Output,
    said::{Said, saw_nothing},
    usage_limit::until,
};

/// A program with the model that it shall use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// As it was named
    given: String,
    kind: Kind,
    model: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Agent(Host),
    /// The words of a command line
    Command(Vec<String>),
}

/// Whether a program can be used.
pub struct Installation {
    /// What it prints for `--version`; none if it is not there
    pub version: Option<Result<String, String>>,
    /// Whether it is logged in
    pub login: LoginState,
}

/// Why a program cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unready {
    NotInstalled,
    /// It does not tell its version, which says why
    DoesNotWork(String),
    NotLoggedIn,
}

impl Installation {
    /// Why it cannot be used, if that is so.
    pub fn unready(&self) -> Option<Unready> {
        match self {
            Self { version: None, .. } => Some(Unready::NotInstalled),
            Self { version: Some(Err(problem)), .. } => Some(Unready::DoesNotWork(problem.clone())),
            Self { login: LoginState::NotLoggedIn, .. } => Some(Unready::NotLoggedIn),
            Self { login: LoginState::LoggedIn | LoginState::NotChecked, .. } => None,
        }
    }
}

/// Whether a program is logged in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginState {
    LoggedIn,
    /// It has no command that tells, and there are credentials
    NotChecked,
    NotLoggedIn,
}

/// How long a program may take to say who it is.
const ASK_TIMEOUT: Duration = Duration::from_secs(20);

/// What a command line begins with.
pub const COMMAND: &str = "command:";

/// What is special to an agent program; none for what no run can start.
fn agent_program(host: Host) -> Option<&'static AgentProgram> {
    match host {
        Host::ClaudeCode => Some(&claude_code::CLAUDE_CODE),
        Host::Codex => Some(&codex::CODEX),
        Host::Gemini => Some(&gemini::GEMINI),
        Host::Copilot => Some(&copilot::COPILOT),
        Host::Opencode => Some(&opencode::OPENCODE),
        Host::Cursor | Host::AgentsMd => None,
    }
}

/// How one of the programs is installed that are found without being named.
pub fn how_to_install() -> String {
    let packages: Vec<_> = Program::defaults().filter_map(|program| Some(program.agent()?.package)).collect();
    format!("Install one with `npm install --global` ({})", packages.join(", "))
}

impl Program {
    /// The agent programs that a run can start, in the order in which they are preferred.
    pub fn known() -> impl Iterator<Item = Self> {
        let known = Host::ALL.into_iter().filter(|host| agent_program(*host).is_some());
        known.map(|host| Self { given: host.name().to_owned(), kind: Kind::Agent(host), model: None })
    }

    /// The agent programs that are found without being named.
    pub fn defaults() -> impl Iterator<Item = Self> {
        Self::known().filter(Self::is_default)
    }

    /// Whether it is found without being named.
    pub fn is_default(&self) -> bool {
        self.agent().is_some_and(|agent| agent.is_default)
    }

    /// What it cannot do on this machine, and what it takes.
    pub fn lacks(&self) -> Option<&'static str> {
        self.agent().and_then(|agent| (agent.lacks)())
    }

    /// The host that it is; none for a command.
    pub fn host(&self) -> Option<Host> {
        match self.kind {
            Kind::Agent(host) => Some(host),
            Kind::Command(_) => None,
        }
    }

    /// The command that logs its user in; none for a command.
    pub fn logged_in_by(&self) -> Option<&'static str> {
        self.agent().map(|agent| agent.login.by)
    }

    /// Parses the value of an option.
    pub fn parse(option: &str, text: &str) -> Result<Self, Failure> {
        let refused = |problem: String| {
            let known: Vec<_> = Self::known().map(|program| program.given).collect();
            Failure::new(Code::InvalidInput, format!("{option} {problem}")).with_suggestion(format!(
                "Give one of {} (each also with :MODEL), or 'command:PROGRAM ARG…', which reads the prompt from standard input \
                 and prints its answer",
                known.join(", ")
            ))
        };
        if let Some(line) = text.strip_prefix(COMMAND) {
            let words = shlex::split(line).filter(|words| !words.is_empty());
            let words = words.ok_or_else(|| refused(format!("is no command line: {line:?}")))?;
            return Ok(Self { given: text.to_owned(), kind: Kind::Command(words), model: None });
        }
        let (name, model) = text.split_once(':').map_or((text, None), |(name, model)| (name, Some(model.to_owned())));
        let host = Host::ALL.into_iter().find(|host| host.name() == name && agent_program(*host).is_some());
        let host = host.ok_or_else(|| refused(format!("names {name:?}, which is no agent program")))?;
        match model {
            Some(model) if model.is_empty() || model.starts_with('-') => {
                Err(refused(format!("names no model: {model:?}")))
            }
            model => Ok(Self { given: text.to_owned(), kind: Kind::Agent(host), model }),
        }
    }

    /// What is special to it; none for a command.
    fn agent(&self) -> Option<&'static AgentProgram> {
        match &self.kind {
            Kind::Agent(host) => agent_program(*host),
            Kind::Command(_) => None,
        }
    }

    /// As it was named, by which it is known again.
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The name in `agents` and in what people read: of a command that of its program.
    pub fn name(&self) -> String {
        match &self.kind {
            Kind::Agent(host) => host.name().to_owned(),
            Kind::Command(words) => command::name(words),
        }
    }

    /// Whether it tells what it costs, if it tells anything.
    pub fn tells_cost(&self) -> bool {
        self.agent().is_none_or(|agent| agent.tells_cost)
    }

    /// Whether nothing is known of it.
    pub fn is_command(&self) -> bool {
        matches!(self.kind, Kind::Command(_))
    }

    /// The program as it is looked for.
    fn command(&self) -> &str {
        match &self.kind {
            Kind::Agent(host) => agent_program(*host).map_or("", |agent| agent.binary),
            Kind::Command(words) => words.first().map_or("", String::as_str),
        }
    }

    /// The program's file; none if it is not there.
    fn file(&self) -> Option<PathBuf> {
        programs::find(self.command())
    }

    /// Asks the program for its version, and whether it is logged in.
    pub async fn installed(&self) -> Installation {
        let Some(file) = self.file() else {
            return Installation { version: None, login: LoginState::NotLoggedIn };
        };
        let Some(agent) = self.agent() else {
            return Installation { version: Some(Ok(String::new())), login: LoginState::LoggedIn };
        };
        let ask = async |arguments: &str| {
            let mut command_line = vec![file.display().to_string()];
            command_line.extend(arguments.split(' ').map(str::to_owned));
            // Outside of the folder of the code, which has no say in it.
            let work = Path::new("/");
            let (limit, only_prints) = (ASK_TIMEOUT, true);
            let start = Start { command_line: &command_line, work, variables: &[], prompt: "", limit, only_prints };
            let mut stdout = Text::default();
            let finished = child_process::run(start, |_| {}, &mut stdout).await;
            let line = stdout.to_string().lines().next().map(str::to_owned);
            let Some(problem) = finished.end.problem() else { return Ok(line.unwrap_or_default()) };
            let told = last_line(&String::from_utf8_lossy(&finished.stderr)).map(|told| format!(": {told}"));
            Err(format!("`{} {arguments}` does not work: {problem}{}", file.display(), told.unwrap_or_default()))
        };
        let Login { command, has_credentials, .. } = agent.login;
        let login = match (has_credentials(), command) {
            (true, Some(_)) => LoginState::LoggedIn,
            (true, None) => LoginState::NotChecked,
            (false, None) => LoginState::NotLoggedIn,
            (false, Some(command)) if ask(command).await.is_ok() => LoginState::LoggedIn,
            (false, Some(_)) => LoginState::NotLoggedIn,
        };
        Installation { version: Some(ask("--version").await), login }
    }

    /// Refuses a program that is not there, or not logged in.
    pub async fn check(&self, option: &str) -> Result<(), Failure> {
        let Some(unready) = self.installed().await.unready() else { return Ok(()) };
        let name = self.name();
        let looked_for = if self.is_command() { self.command() } else { &name };
        let (problem, suggestion) = match unready {
            Unready::NotInstalled if looked_for.contains('/') && Path::new(looked_for).is_file() => {
                let how = "Make it so with `chmod +x`, or name its interpreter first, as in `command:sh agent.sh`";
                (format!("{looked_for} is no file that may be executed"), how.to_owned())
            }
            Unready::NotInstalled => {
                let how = "Install it, put it on PATH, or name another program".to_owned();
                (format!("{looked_for} is not installed"), how)
            }
            Unready::DoesNotWork(problem) => {
                let how = "It is started outside of your folder: make that work there, or name another program";
                (problem, how.to_owned())
            }
            Unready::NotLoggedIn => {
                let by = self.logged_in_by().unwrap_or_default();
                (format!("{looked_for} is not logged in"), format!("Log in with `{by}`, or name another program"))
            }
        };
        Err(Failure::new(Code::InvalidInput, format!("{option}: {problem}")).with_suggestion(suggestion))
    }

    /// The words that start it. It reads the prompt from standard input.
    pub fn command_line(&self, work: &Path, code: &Path, budget: Option<f64>) -> Vec<String> {
        // One that is gone is not looked for in the folder in which it would run.
        let gone = || Some(self.command()).filter(|name| name.contains('/')).and_then(|name| path::absolute(name).ok());
        let file =
            self.file().or_else(gone).map_or_else(|| self.command().to_owned(), |file| file.display().to_string());
        let mut words = vec![file];
        match &self.kind {
            Kind::Agent(host) => {
                words.extend(agent_program(*host).into_iter().flat_map(|agent| (agent.arguments)(work, code, budget)));
                words.extend(self.model.iter().flat_map(|model| ["--model".to_owned(), model.clone()]));
            }
            Kind::Command(given) => words.extend(given.iter().skip(1).cloned()),
        }
        words
    }

    /// Variables besides those that each program gets.
    pub fn variables(&self, work: &Path) -> Vec<(&'static str, String)> {
        self.agent().map(|agent| (agent.variables)(work)).unwrap_or_default()
    }

    /// Files that it needs in its folder, with their names.
    pub fn needed_files(&self, work: &Path, code: &Path) -> Vec<(&'static str, String)> {
        self.agent().map(|agent| (agent.files)(work, code)).unwrap_or_default()
    }

    /// The prompt in the form in which it means what it says.
    pub fn prompt<'p>(&self, prompt: &'p str) -> Cow<'p, str> {
        if prompt.contains('@') && self.agent().is_some_and(|agent| agent.reads_files_after_at) {
            return format!("In all texts below, `\\@` stands for an at sign.\n\n{}", prompt.replace('@', "\\@"))
                .into();
        }
        prompt.into()
    }

    /// What reads its output.
    pub fn output(&self) -> Output {
        self.agent().map_or_else(|| Output::Text(Text::default()), |agent| Output::of_events((agent.reader)()))
    }

    /// Names the program and its model in what a start said. The model that it told is the one that wrote.
    pub fn name_in(&self, said: &mut Said) {
        said.agent.program = Some(self.name());
        said.agent.model = said.agent.model.take().or_else(|| self.model.clone());
    }

    /// The tags around what a model only thinks, where it prints that, too.
    pub fn thoughts(&self) -> Option<[&'static str; 2]> {
        self.is_command().then_some(command::THOUGHTS)
    }

    fn usage_limit_texts(&self) -> &'static [&'static str] {
        self.agent().map(|agent| agent.usage_limits).unwrap_or_default()
    }

    /// What it says of a usage limit that keeps it from answering, in its own words. `stderr` is that of a start that failed.
    pub fn usage_limit(&self, said: &Said, stderr: Option<&str>) -> Option<String> {
        let texts = self.usage_limit_texts();
        let stderr = stderr.filter(|_| self.agent().is_none_or(|agent| agent.tells_errors_on_stderr));
        let told = [said.failure.as_deref(), stderr].into_iter().flatten();
        let told = told.filter(|_| !said.used_up_budget).find_map(|told| usage_limit::in_errors(texts, told));
        told.or_else(|| usage_limit::as_message(texts, said.text.as_deref()?))
    }
}

/// One word, whatever its arguments are.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

#[cfg(test)]
mod tests;
