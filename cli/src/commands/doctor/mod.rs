//! `aw doctor`: checks the agent programs, the server, the token and the installed files. What somebody new needs comes first.

mod tools;

use std::{env, net::SocketAddr};

use clap::Args;
use futures_util::future::join_all;
use progenitor_client::ClientInfo;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    HELP_TEMPLATE, block_on,
    debate::run::program::{Installation, LoginState, Program, Unready, how_to_install},
    setup::{self, Installed, Scope},
    up,
};
use crate::{
    client::{Client, compatibility, settings, types},
    guides,
    hosts::Host,
    output::{Code, Failure, Markdown, Next, Output},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw doctor --format markdown")]
pub struct Doctor {}

/// The result of one check, or of a part of one.
#[derive(Serialize, Deserialize)]
struct Check {
    name: String,
    status: Status,
    detail: String,
    /// What it is made of, if that is told apart
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<Check>,
    /// Why it has failed
    #[serde(skip)]
    failure: Option<Failure>,
}

/// Of several that are alike the first counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    /// Works, but should be looked at
    Warning,
    /// Not there, which is no fault
    Absent,
    /// Commands fail until this is fixed
    Failed,
}

impl Doctor {
    pub fn run(self) -> Result<Output, Failure> {
        block_on(self.check())
    }

    async fn check(self) -> Result<Output, Failure> {
        let programs = installed_programs().await;
        let mut checks = vec![check_programs(&programs)];
        checks.extend(check_server().await);
        let is_away = status_of(&checks, SERVER) == Some(Status::Absent);
        let tools = tools::check().await;
        let (skills, setup) = check_skills(tools.is_some());
        checks.push(skills);
        checks.extend(tools);
        checks.push(check_host());
        let message = summary(&checks);
        let failure = checks.iter_mut().find_map(|check| check.failure.take());
        let data = json!(Told { checks });
        if let Some(failure) = failure {
            return Err(failure.with_data(data).with_markdown(render));
        }
        let hint = hint(&programs).map(Into::into);
        let for_a_person = Some(for_a_person(&programs, &setup, is_away));
        let output = Output { hint, for_a_person, ..Output::new(data, message).with_markdown(render) };
        // Without a server the list of debates has nothing to ask.
        Ok(match setup.command() {
            Some(next) if is_away => output.with_next("aw up").with_also([next]),
            None if is_away => output.with_next("aw up"),
            next => output.with_next(next.unwrap_or_else(|| "aw debate list".to_owned())),
        })
    }
}

/// What a person is told of the agent programs besides.
fn hint(programs: &[(Program, Installation)]) -> Option<String> {
    let mut installed = programs.iter().filter(|(_, installed)| installed.version.is_some()).peekable();
    if installed.peek().is_none() {
        return Some(format!("`aw debate run` needs an agent program. {}.", how_to_install()));
    }
    let lacks: Vec<_> = installed.filter_map(|(program, _)| program.lacks()).collect();
    (!lacks.is_empty()).then(|| format!("{}.", lacks.join(". ")))
}

/// What a person does next, the best first: a run, else what it takes to have one.
fn for_a_person(programs: &[(Program, Installation)], setup: &Setup, is_away: bool) -> Vec<Next> {
    const RUN: &str = "aw debate run plan.md --quick --output better.md";
    let of_state = |unready: Option<Unready>| {
        let mut found = programs.iter().filter(move |(_, installed)| installed.unready() == unready);
        found.next().map(|(program, _)| program)
    };
    let (ready, to_log_in) = (of_state(None), of_state(Some(Unready::NotLoggedIn)));
    let best = match (ready, to_log_in.and_then(Program::logged_in_by)) {
        (Some(program), _) if program.is_default() => RUN.to_owned(),
        (Some(program), _) => format!("{RUN} --proposer {program} --opponent {program}"),
        (None, Some(login)) => login.to_owned(),
        (None, None) => "aw debate by-hand".to_owned(),
    };
    let setup = match (setup, ready.or(to_log_in).and_then(Program::host)) {
        (Setup::First, Some(host)) => Some(setup::command(host, Scope::User)),
        (setup, _) => setup.command(),
    };
    let server = if is_away { "aw up" } else { "aw debate list" };
    [Some(best), setup, Some(server.to_owned())].into_iter().flatten().map(Next::from).collect()
}

/// What works and what is missing, where nothing is broken.
fn summary(checks: &[Check]) -> String {
    let is_away = status_of(checks, SERVER) == Some(Status::Absent);
    let works = if is_away { "aw works, and no server runs yet" } else { "aw and its server work" };
    let agents = match status_of(checks, AGENTS) {
        Some(Status::Absent) => Some("no agent program is installed, so `aw debate run` has none to start"),
        Some(Status::Warning) => Some("no agent program is ready, so `aw debate run` has none to start"),
        Some(Status::Ok | Status::Failed) | None => None,
    };
    let to_look_at = checks.iter().filter(|check| check.name != AGENTS && check.status == Status::Warning);
    let to_look_at: Vec<&str> = to_look_at.map(|check| &*check.name).collect();
    let look_at = (!to_look_at.is_empty()).then(|| format!("look at {}", to_look_at.join(" and ")));
    if !is_away && agents.is_none() && look_at.is_none() {
        return "Everything works".to_owned();
    }
    let parts = [Some(works.to_owned()), agents.map(str::to_owned), look_at];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

impl Check {
    fn new(name: impl Into<String>, status: Status, detail: impl Into<String>) -> Self {
        Self { name: name.into(), status, detail: detail.into(), parts: Vec::new(), failure: None }
    }

    fn failed(name: &str, failure: Failure) -> Self {
        Self { failure: Some(failure.clone()), ..Self::new(name, Status::Failed, failure.message) }
    }
}

fn status_of(checks: &[Check], name: &str) -> Option<Status> {
    checks.iter().find(|check| check.name == name).map(|check| check.status)
}

/// What is told of all checks.
#[derive(Serialize, Deserialize)]
struct Told {
    checks: Vec<Check>,
}

/// The names of checks of which the summary speaks.
const SERVER: &str = "server";
const AGENTS: &str = "agents";

/// Checks the server, then the token, then the versions. Stops at the first that fails.
async fn check_server() -> Vec<Check> {
    let client = match Client::from_env() {
        Ok(client) => client,
        Err(failure) => return vec![Check::failed(SERVER, failure)],
    };
    if let Some(address) = usual_server_that_is_away(&client).await {
        let detail = format!("none is running at {address}: `aw up` starts one, and so does `aw debate run`");
        return vec![Check::new(SERVER, Status::Absent, detail)];
    }
    if let Err(error) = client.send_once::<Value>(client.api.health()).await {
        let no_answer = error.failure.server_error.is_none() && error.retry_after.is_some();
        let can_be_started = no_answer && client.can_be_started();
        let failure = if can_be_started { error.failure.with_next("aw up") } else { *error.failure };
        return vec![Check::failed(SERVER, failure)];
    }
    let answers = format!("{} answers, and its database is available", client.api.baseurl());
    let mut checks = vec![Check::new(SERVER, Status::Ok, answers)];
    match client.send_once::<types::DebateList>(client.api.debate_list(None, Some(1), None, None, None)).await {
        Ok(listed) => {
            let accepted = format!("accepted, or not needed; debates: {}", listed.parsed.total);
            checks.push(Check::new("token", Status::Ok, accepted));
            checks.push(check_version(&client).await);
            checks.extend(check_webhooks(&client).await);
        }
        Err(error) => checks.push(Check::failed("token", *error.failure)),
    }
    checks
}

/// The address of the server on this machine that nobody named, if nothing listens there.
async fn usual_server_that_is_away(client: &Client) -> Option<SocketAddr> {
    if settings::names_server() {
        return None;
    }
    let address = client.address_to_start_at()?;
    (!up::is_taken(address).await).then_some(address)
}

/// Checks that the server offers every operation that this program calls.
async fn check_version(client: &Client) -> Check {
    const NAME: &str = "version";
    let answer = client.api.client().get(format!("{}/openapi.json", client.api.baseurl())).send().await;
    let openapi = match async { answer?.json::<Value>().await }.await {
        Ok(openapi) => openapi,
        Err(error) => return Check::failed(NAME, *client.request_error(error.into()).failure),
    };
    let missing = compatibility::missing_operations(&openapi);
    let server_version = openapi["info"]["version"].as_str().unwrap_or("unknown");
    let versions = format!("aw {}, server {server_version}", env!("CARGO_PKG_VERSION"));
    if !missing.is_empty() {
        let detail = format!("{versions}: the server does not have {}", missing.join(", "));
        Check::new(NAME, Status::Warning, detail)
    } else if server_version == compatibility::API_VERSION {
        Check::new(NAME, Status::Ok, versions)
    } else {
        Check::new(NAME, Status::Warning, format!("{versions}: compatible, but of different versions"))
    }
}

/// Tells how many webhooks the server has, and whether their receivers take messages; none if the server does not tell.
async fn check_webhooks(client: &Client) -> Option<Check> {
    const TRY: &str = "aweave-server webhook-test tries them with its settings";
    let info = client.send_once::<types::Info>(client.api.info()).await.ok()?.parsed;
    let (status, detail) = match (info.webhooks, info.webhooks_taking, info.webhooks_failing) {
        (0, ..) => (Status::Ok, "the server has none: the web app and waits tell when a ruling is due".to_owned()),
        (all, _, failing @ 1..) => (
            Status::Warning,
            format!("{failing} of {all} did not take the last message: the server's log says which, and why; {TRY}"),
        ),
        (all, taking, 0) if taking == all => {
            (Status::Ok, format!("the server sends to {all}, and all took the last message"))
        }
        (all, taking, 0) => (
            Status::Ok,
            format!(
                "the server sends to {all}: {taking} took the last message, and it had nothing to send to the others since it \
             started; {TRY}"
            ),
        ),
    };
    Some(Check::new("webhooks", status, detail))
}

/// What `aw setup` has to do.
enum Setup {
    Nothing,
    /// To bring files up to date, with this command
    Again(String),
    /// No agent is set up
    First,
}

impl Setup {
    /// The command for it, if there is anything to do.
    fn command(&self) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Again(command) => Some(command.clone()),
            Self::First => Some(setup::command(Host::current().unwrap_or(Host::AgentsMd), Scope::Project)),
        }
    }
}

/// Checks which agents have current files installed. An agent that has the tools needs no files.
fn check_skills(has_tools: bool) -> (Check, Setup) {
    const NAME: &str = "skills";
    let candidates = Host::ALL.into_iter().flat_map(|host| [Scope::Project, Scope::User].map(|scope| (host, scope)));
    let found: Vec<_> = candidates.map(|(host, scope)| (host, scope, setup::installed(host, scope))).collect();
    let names = |state: Installed| {
        let matching = found.iter().filter(|(.., other)| *other == state);
        matching.map(|(host, scope, _)| format!("{} ({})", host.name(), scope.name())).collect::<Vec<_>>().join(", ")
    };
    let first = |state: Installed| {
        let found = found.iter().find(|(.., other)| *other == state);
        found.map(|(host, scope, _)| setup::command(*host, *scope))
    };
    let current = names(Installed::Current);
    if let Some(install) = first(Installed::Damaged) {
        let message = format!("what aw wrote is there twice, or in part: {}", names(Installed::Damaged));
        let failure = Failure::new(Code::SetupIncomplete, message).with_suggestion(setup::how_to_mend(&install));
        return (Check::failed(NAME, failure.with_next(format!("{install} --check"))), Setup::Nothing);
    }
    let (status, detail, to_do) = match (first(Installed::Changed), first(Installed::Stale)) {
        (Some(install), _) => {
            let message = format!("files of aw were changed: {}", names(Installed::Changed));
            let failure = Failure::new(Code::SetupIncomplete, message).with_suggestion(format!(
                "`{install} --check` names the files, and --force in place of --check replaces them and keeps yours beside them"
            ));
            return (Check::failed(NAME, failure.with_next(format!("{install} --check"))), Setup::Nothing);
        }
        (None, Some(install)) => {
            (Status::Warning, format!("not current: {}", names(Installed::Stale)), Setup::Again(install))
        }
        (None, None) if !current.is_empty() => {
            (Status::Ok, format!("installed and current: {current}"), Setup::Nothing)
        }
        (None, None) if has_tools => {
            (Status::Ok, "none are installed, but an agent has the tools".to_owned(), Setup::Nothing)
        }
        (None, None) => {
            (Status::Warning, "no agent is set up, neither in this folder nor in your home".to_owned(), Setup::First)
        }
    };
    (Check::new(NAME, status, detail), to_do)
}

/// The programs that `aw debate run` can start, as they are on this machine.
async fn installed_programs() -> Vec<(Program, Installation)> {
    // At once: one that hangs costs no more than all that do.
    join_all(Program::known().map(async |program| {
        let installed = program.installed().await;
        (program, installed)
    }))
    .await
}

/// Tells which programs `aw debate run` finds.
fn check_programs(programs: &[(Program, Installation)]) -> Check {
    let parts = programs.iter().map(|(program, Installation { version, login })| {
        let (status, detail) = match (version, login) {
            (None, _) => (Status::Absent, "not installed".to_owned()),
            (Some(Err(problem)), _) => (Status::Warning, problem.clone()),
            (Some(Ok(version)), LoginState::LoggedIn) => (Status::Ok, format!("{version}, logged in")),
            (Some(Ok(version)), LoginState::NotChecked) => (Status::Ok, format!("{version}, login not checked")),
            (Some(Ok(version)), LoginState::NotLoggedIn) => (Status::Warning, format!("{version}, not logged in")),
        };
        Check::new(program.to_string(), status, detail)
    });
    let parts: Vec<_> = parts.collect();
    let told: Vec<String> = parts.iter().map(|part| format!("{}: {}", part.name, part.detail)).collect();
    let status = parts.iter().map(|part| part.status).min().unwrap_or(Status::Absent);
    Check { parts, ..Check::new(AGENTS, status, told.join("; ")) }
}

/// Tells which agent runs this command and how to wait in it.
fn check_host() -> Check {
    let detail = match Host::current() {
        Some(Host::ClaudeCode) => {
            let limit = |name: &str, default: &str| env::var(name).unwrap_or_else(|_| default.to_owned());
            format!(
                "a command may take {} ms here, {} if its tool call asks for more. {}",
                limit("BASH_DEFAULT_TIMEOUT_MS", "120000"),
                limit("BASH_MAX_TIMEOUT_MS", "600000"),
                guides::waiting_line(Host::ClaudeCode)
            )
        }
        Some(host) => guides::waiting_line(host),
        None => "no known agent runs this command: a wait has no time limit".to_owned(),
    };
    Check::new("host", Status::Ok, detail)
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let mut checks = Told::deserialize(data)?.checks;
    if let Some(failed) = checks.iter_mut().find(|check| check.status == Status::Failed) {
        "see the error".clone_into(&mut failed.detail);
    }
    let told = checks.into_iter().flat_map(|check| if check.parts.is_empty() { vec![check] } else { check.parts });
    // Two spaces at the end of a line break it in markdown.
    md.paragraph(&told.map(|one| line(md, &one)).collect::<Vec<_>>().join("  \n"));
    Ok(())
}

/// A check or a part of one, after its mark.
fn line(md: &Markdown, Check { name, status, detail, .. }: &Check) -> String {
    let mark = match status {
        Status::Ok => '✓',
        Status::Absent => '–',
        Status::Warning => '!',
        Status::Failed => '✗',
    };
    format!("{mark} **{name}**: {}", md.told(detail))
}
