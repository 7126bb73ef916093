//! `aw doctor`: checks the server, the token and the installed files.

mod tools;

use std::env;

use clap::Args;
use progenitor_client::ClientInfo;
use serde_json::{Value, json};

use super::{
    HELP_TEMPLATE, block_on,
    debate::run::program::{Installation, LoginState, Program},
    setup::{self, Installed, Scope},
};
use crate::{
    client::{Client, compatibility, types},
    guides,
    hosts::Host,
    output::{Failure, Markdown, Output},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw doctor --format markdown")]
pub struct Doctor {}

/// The result of one check.
struct Check {
    name: &'static str,
    finding: Finding,
}

enum Finding {
    Ok(String),
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
        let mut checks = check_server().await;
        let tools = tools::check().await;
        let (skills, next) = check_skills(tools.is_some());
        checks.push(skills);
        checks.extend(tools);
        checks.push(check_programs().await);
        checks.push(check_host());
        let data = json!({"checks": checks.iter().map(Check::json).collect::<Vec<_>>()});
        let warnings = checks.iter().filter(|check| matches!(check.finding, Finding::Warning(_))).count();
        for check in checks {
            if let Finding::Failed(failure) = check.finding {
                return Err(failure.with_data(data).with_markdown(render));
            }
        }
        let message =
            if warnings == 0 { "Everything works".to_owned() } else { format!("It works, with warnings: {warnings}") };
        Ok(Output::new(data, message).with_markdown(render).with_next(next))
    }
}

impl Check {
    fn json(&self) -> Value {
        let (status, detail) = match &self.finding {
            Finding::Ok(detail) => ("ok", detail),
            Finding::Warning(detail) => ("warning", detail),
            Finding::Failed(failure) => ("failed", &failure.message),
        };
        json!({"name": self.name, "status": status, "detail": detail})
    }
}

/// Checks the server, then the token, then the versions. Stops at the first that fails.
async fn check_server() -> Vec<Check> {
    let check = |name, finding| Check { name, finding };
    let client = match Client::from_env() {
        Ok(client) => client,
        Err(failure) => return vec![check("server", Finding::Failed(failure))],
    };
    if let Err(error) = client.send_once::<Value>(client.api.health()).await {
        let no_answer = error.failure.server_error.is_none() && error.retry_after.is_some();
        let can_be_started = no_answer && client.can_be_started();
        let failure = if can_be_started { error.failure.with_next("aw up") } else { *error.failure };
        return vec![check("server", Finding::Failed(failure))];
    }
    let answers = format!("{} answers, and its database is available", client.api.baseurl());
    let mut checks = vec![check("server", Finding::Ok(answers))];
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
    let info = client.send_once::<Value>(client.api.info()).await.ok()?.parsed;
    let count = |field: &str| info[field].as_u64();
    let finding = match (count("webhooks")?, count("webhooks_taking"), count("webhooks_failing")) {
        (0, ..) => Finding::Ok("the server has none, so nobody is told when a ruling is due".to_owned()),
        (all, _, Some(failing @ 1..)) => Finding::Warning(format!(
            "{failing} of {all} did not take the last message: the server's log says which, and why; {TRY}"
        )),
        (all, Some(taking), _) if taking == all => {
            Finding::Ok(format!("the server sends to {all}, and all took the last message"))
        }
        (all, taking, _) => Finding::Ok(format!(
            "the server sends to {all}: {} took the last message, and it had nothing to send to the others since it started; {TRY}",
            taking.unwrap_or_default()
        )),
    };
    Some(Check { name: "webhooks", finding })
}

/// Checks which agents have current files installed. Also returns the command to run next. An agent that has the tools needs
/// no files.
fn check_skills(has_tools: bool) -> (Check, String) {
    let candidates = Host::ALL.into_iter().flat_map(|host| [Scope::Project, Scope::User].map(|scope| (host, scope)));
    let found: Vec<_> = candidates.map(|(host, scope)| (host, scope, setup::installed(host, scope))).collect();
    let names = |state: Installed| {
        let matching = found.iter().filter(|(.., other)| *other == state);
        matching.map(|(host, scope, _)| format!("{} ({})", host.name(), scope.name())).collect::<Vec<_>>().join(", ")
    };
    let (current, stale) = (names(Installed::Current), names(Installed::Stale));
    let first_stale = found.iter().find(|(.., state)| *state == Installed::Stale);
    let (finding, next) = match (first_stale, current.is_empty()) {
        (Some((host, scope, _)), _) => {
            (Finding::Warning(format!("not current: {stale}")), setup::command(*host, *scope))
        }
        (None, true) if has_tools => {
            (Finding::Ok("none are installed, but an agent has the tools".to_owned()), "aw debate list".to_owned())
        }
        (None, true) => (
            Finding::Warning("no agent is set up, neither in this folder nor in your home".to_owned()),
            setup::command(Host::current().unwrap_or(Host::AgentsMd), Scope::Project),
        ),
        (None, false) => (Finding::Ok(format!("installed and current: {current}")), "aw debate list".to_owned()),
    };
    (Check { name: "skills", finding }, next)
}

/// Tells which programs `aw debate run` finds.
async fn check_programs() -> Check {
    let mut found = Vec::new();
    for program in Program::known() {
        found.push(match program.installed().await {
            Installation { version: None, .. } => format!("{program}: not installed"),
            Installation { version: Some(version), login: LoginState::LoggedIn } => {
                format!("{program}: {version}, logged in")
            }
            Installation { version: Some(version), login: LoginState::NotChecked } => {
                format!("{program}: {version}, login not checked")
            }
            Installation { version: Some(version), login: LoginState::NotLoggedIn } => {
                format!("{program}: {version}, not logged in")
            }
        });
    }
    Check { name: "agents", finding: Finding::Ok(found.join("; ")) }
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
    Check { name: "host", finding: Finding::Ok(detail) }
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    for check in data["checks"].as_array().into_iter().flatten() {
        let text = |field: &str| check[field].as_str().unwrap_or_default().to_owned();
        md.item(&format!("{} **{}**: {}", text("status"), text("name"), text("detail")));
    }
    Ok(())
}
