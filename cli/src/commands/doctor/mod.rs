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
    debate::run::program::{Installation, LoginState, Program},
    setup::{self, Installed, Scope},
    up,
};
use crate::{
    client::{Client, compatibility, settings, types},
    guides,
    hosts::Host,
    output::{Code, Failure, Markdown, Output},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw doctor --format markdown")]
pub struct Doctor {}

/// The result of one check.
struct Check {
    name: String,
    finding: Finding,
    /// What it is made of, if that is told apart
    parts: Vec<Check>,
}

enum Finding {
    Ok(String),
    /// Not there, which is no fault
    Absent(String),
    /// Works, but should be looked at
    Warning(String),
    /// Commands fail until this is fixed
    Failed(Failure),
}

impl Doctor {
    pub fn run(self) -> Result<Output, Failure> {
        block_on(self.check())
    }

    async fn check(self) -> Result<Output, Failure> {
        let mut checks = vec![check_programs().await];
        checks.extend(check_server().await);
        let is_away = checks.iter().any(|check| check.name == SERVER && matches!(check.finding, Finding::Absent(_)));
        let tools = tools::check().await;
        let (skills, next) = check_skills(tools.is_some());
        checks.push(skills);
        checks.extend(tools);
        checks.push(check_host());
        let data = json!(Told { checks: checks.iter().map(Check::told).collect() });
        let message = summary(&checks);
        for check in checks {
            if let Finding::Failed(failure) = check.finding {
                return Err(failure.with_data(data).with_markdown(render));
            }
        }
        let output = Output::new(data, message).with_markdown(render);
        // Without a server the list of debates has nothing to ask.
        Ok(match next {
            Some(next) if is_away => output.with_next("aw up").with_also([next]),
            None if is_away => output.with_next("aw up"),
            next => output.with_next(next.unwrap_or_else(|| "aw debate list".to_owned())),
        })
    }
}

/// What works and what is missing, where nothing is broken.
fn summary(checks: &[Check]) -> String {
    let finding = |name: &str| checks.iter().find(|check| check.name == name).map(|check| &check.finding);
    let is_away = matches!(finding(SERVER), Some(Finding::Absent(_)));
    let works = if is_away { "aw works, and no server runs yet" } else { "aw and its server work" };
    let agents = match finding(AGENTS) {
        Some(Finding::Absent(_)) => Some("no agent program is installed, so `aw debate run` has none to start"),
        Some(Finding::Warning(_)) => Some("no agent program is logged in, so `aw debate run` has none to start"),
        Some(Finding::Ok(_) | Finding::Failed(_)) | None => None,
    };
    let to_look_at = checks.iter().filter(|check| check.name != AGENTS && matches!(check.finding, Finding::Warning(_)));
    let to_look_at: Vec<&str> = to_look_at.map(|check| &*check.name).collect();
    let look_at = (!to_look_at.is_empty()).then(|| format!("look at {}", to_look_at.join(" and ")));
    if !is_away && agents.is_none() && look_at.is_none() {
        return "Everything works".to_owned();
    }
    let parts = [Some(works.to_owned()), agents.map(str::to_owned), look_at];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

impl Finding {
    /// Its name, and what it says.
    fn told(&self) -> (Status, &str) {
        match self {
            Self::Ok(detail) => (Status::Ok, detail),
            Self::Absent(detail) => (Status::Absent, detail),
            Self::Warning(detail) => (Status::Warning, detail),
            Self::Failed(failure) => (Status::Failed, &failure.message),
        }
    }
}

impl Check {
    fn new(name: impl Into<String>, finding: Finding) -> Self {
        Self { name: name.into(), finding, parts: Vec::new() }
    }

    fn told(&self) -> ToldCheck {
        let (status, detail) = self.finding.told();
        let parts = self.parts.iter().map(Self::told).collect();
        ToldCheck { name: self.name.clone(), status, detail: detail.to_owned(), parts }
    }
}

/// What is told of all checks.
#[derive(Serialize, Deserialize)]
struct Told {
    checks: Vec<ToldCheck>,
}

/// What is told of a check, or of a part of one.
#[derive(Serialize, Deserialize)]
struct ToldCheck {
    name: String,
    status: Status,
    detail: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<ToldCheck>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Ok,
    Absent,
    Warning,
    Failed,
}

/// The names of checks of which the summary speaks.
const SERVER: &str = "server";
const AGENTS: &str = "agents";

/// Checks the server, then the token, then the versions. Stops at the first that fails.
async fn check_server() -> Vec<Check> {
    let check = Check::new;
    let client = match Client::from_env() {
        Ok(client) => client,
        Err(failure) => return vec![check(SERVER, Finding::Failed(failure))],
    };
    if let Some(address) = usual_server_that_is_away(&client).await {
        let detail = format!("none is running at {address}: `aw up` starts one, and so does `aw debate run`");
        return vec![check(SERVER, Finding::Absent(detail))];
    }
    if let Err(error) = client.send_once::<Value>(client.api.health()).await {
        let no_answer = error.failure.server_error.is_none() && error.retry_after.is_some();
        let can_be_started = no_answer && client.can_be_started();
        let failure = if can_be_started { error.failure.with_next("aw up") } else { *error.failure };
        return vec![check(SERVER, Finding::Failed(failure))];
    }
    let answers = format!("{} answers, and its database is available", client.api.baseurl());
    let mut checks = vec![check(SERVER, Finding::Ok(answers))];
    match client.send_once::<types::DebateList>(client.api.debate_list(None, Some(1), None, None, None)).await {
        Ok(listed) => {
            let accepted = format!("accepted, or not needed; debates: {}", listed.parsed.total);
            checks.push(check("token", Finding::Ok(accepted)));
            checks.push(check("version", check_version(&client).await));
            checks.extend(check_webhooks(&client).await);
        }
        Err(error) => checks.push(check("token", Finding::Failed(*error.failure))),
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
async fn check_version(client: &Client) -> Finding {
    let answer = client.api.client().get(format!("{}/openapi.json", client.api.baseurl())).send().await;
    let openapi = match async { answer?.json::<Value>().await }.await {
        Ok(openapi) => openapi,
        Err(error) => return Finding::Failed(*client.request_error(error.into()).failure),
    };
    let missing = compatibility::missing_operations(&openapi);
    let server_version = openapi["info"]["version"].as_str().unwrap_or("unknown");
    let versions = format!("aw {}, server {server_version}", env!("CARGO_PKG_VERSION"));
    if !missing.is_empty() {
        Finding::Warning(format!("{versions}: the server does not have {}", missing.join(", ")))
    } else if server_version == compatibility::API_VERSION {
        Finding::Ok(versions)
    } else {
        Finding::Warning(format!("{versions}: compatible, but of different versions"))
    }
}

/// Tells how many webhooks the server has, and whether their receivers take messages; none if the server does not tell.
async fn check_webhooks(client: &Client) -> Option<Check> {
    const TRY: &str = "aweave-server webhook-test tries them with its settings";
    let info = client.send_once::<types::Info>(client.api.info()).await.ok()?.parsed;
    let finding = match (info.webhooks, info.webhooks_taking, info.webhooks_failing) {
        (0, ..) => Finding::Ok("the server has none, so nobody is told when a ruling is due".to_owned()),
        (all, _, failing @ 1..) => Finding::Warning(format!(
            "{failing} of {all} did not take the last message: the server's log says which, and why; {TRY}"
        )),
        (all, taking, 0) if taking == all => {
            Finding::Ok(format!("the server sends to {all}, and all took the last message"))
        }
        (all, taking, 0) => Finding::Ok(format!(
            "the server sends to {all}: {taking} took the last message, and it had nothing to send to the others since it \
             started; {TRY}"
        )),
    };
    Some(Check::new("webhooks", finding))
}

/// Checks which agents have current files installed. Also returns the command that makes it so. An agent that has the tools
/// needs no files.
fn check_skills(has_tools: bool) -> (Check, Option<String>) {
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
    let (finding, next) = match (first(Installed::Changed), first(Installed::Stale)) {
        (Some(install), _) => {
            let message = format!("files of aw were changed: {}", names(Installed::Changed));
            let failure = Failure::new(Code::SetupIncomplete, message).with_suggestion(format!(
                "`{install} --check` names the files, and --force in place of --check replaces them and keeps yours beside them"
            ));
            (Finding::Failed(failure.with_next(format!("{install} --check"))), None)
        }
        (None, Some(install)) => (Finding::Warning(format!("not current: {}", names(Installed::Stale))), Some(install)),
        (None, None) if !current.is_empty() => (Finding::Ok(format!("installed and current: {current}")), None),
        (None, None) if has_tools => (Finding::Ok("none are installed, but an agent has the tools".to_owned()), None),
        (None, None) => (
            Finding::Warning("no agent is set up, neither in this folder nor in your home".to_owned()),
            Some(setup::command(Host::current().unwrap_or(Host::AgentsMd), Scope::Project)),
        ),
    };
    (Check::new("skills", finding), next)
}

/// Tells which programs `aw debate run` finds.
async fn check_programs() -> Check {
    // At once: one that hangs costs no more than all that do.
    let found = join_all(Program::known().map(async |program| {
        let installation = program.installed().await;
        (program, installation)
    }));
    let mut parts = Vec::new();
    for (program, installation) in found.await {
        let finding = match installation {
            Installation { version: None, .. } => Finding::Absent("not installed".to_owned()),
            Installation { version: Some(version), login: LoginState::LoggedIn } => {
                Finding::Ok(format!("{version}, logged in"))
            }
            Installation { version: Some(version), login: LoginState::NotChecked } => {
                Finding::Ok(format!("{version}, login not checked"))
            }
            Installation { version: Some(version), login: LoginState::NotLoggedIn } => {
                Finding::Warning(format!("{version}, not logged in"))
            }
        };
        parts.push(Check::new(program.to_string(), finding));
    }
    let told = parts.iter().map(|part| format!("{}: {}", part.name, part.finding.told().1));
    let told = told.collect::<Vec<_>>().join("; ");
    let is = |wanted: fn(&Finding) -> bool| parts.iter().any(|part| wanted(&part.finding));
    let finding = if is(|finding| matches!(finding, Finding::Ok(_))) {
        Finding::Ok(told)
    } else if is(|finding| matches!(finding, Finding::Warning(_))) {
        Finding::Warning(told)
    } else {
        Finding::Absent(told)
    };
    Check { parts, ..Check::new(AGENTS, finding) }
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
    Check::new("host", Finding::Ok(detail))
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let checks = Told::deserialize(data)?.checks.into_iter();
    let told = checks.flat_map(|check| if check.parts.is_empty() { vec![check] } else { check.parts });
    // Two spaces at the end of a line break it in markdown.
    md.paragraph(&told.map(|one| line(md, &one)).collect::<Vec<_>>().join("  \n"));
    Ok(())
}

/// A check or a part of one, after its mark.
fn line(md: &Markdown, ToldCheck { name, status, detail, .. }: &ToldCheck) -> String {
    let mark = match status {
        Status::Ok => '✓',
        Status::Absent => '–',
        Status::Warning => '!',
        Status::Failed => '✗',
    };
    format!("{mark} **{name}**: {}", md.told(detail))
}
