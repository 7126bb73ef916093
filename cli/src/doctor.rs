//! `aw doctor`: finds out why something does not work.

use std::env;

use clap::Args;
use progenitor_client::ClientInfo;
use serde_json::{Value, json};

use crate::{
    api::types,
    contract,
    envelope::Answer,
    error::Failure,
    guide::{self, Host},
    markdown::Page,
    server::Server,
    setup::{self, Installed, Scope},
    verb::{EXAMPLE_FIRST, online},
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw doctor --format markdown")]
pub struct Doctor {}

/// What came of looking at one thing.
struct Check {
    name: &'static str,
    finding: Finding,
}

enum Finding {
    /// As it should be
    Good(String),
    /// Not wrong, but worth a look
    Odd(String),
    /// Wrong: nothing will work until it is put right
    Wrong(Failure),
}

impl Doctor {
    /// Runs the command.
    pub fn run(self) -> Result<Answer, Failure> {
        let mut checks = online(async || Ok(server().await))?;
        let (skills, next) = skills();
        checks.extend([skills, host()]);
        let data = json!({"checks": checks.iter().map(Check::line).collect::<Vec<_>>()});
        let odd = checks.iter().filter(|check| matches!(check.finding, Finding::Odd(_))).count();
        let wrong = checks.into_iter().find_map(|check| match check.finding {
            Finding::Wrong(failure) => Some(failure),
            Finding::Good(_) | Finding::Odd(_) => None,
        });
        match wrong {
            Some(failure) => Err(failure.with_data_for_all(data, show)),
            None if odd > 0 => Ok(Answer::new(data, format!("It works; {odd} worth a look"), show).go_on(next)),
            None => Ok(Answer::new(data, "Everything is as it should be", show).go_on(next)),
        }
    }
}

impl Check {
    fn line(&self) -> Value {
        let (status, detail) = match &self.finding {
            Finding::Good(detail) => ("ok", detail),
            Finding::Odd(detail) => ("warning", detail),
            Finding::Wrong(failure) => ("failed", &failure.message),
        };
        json!({"name": self.name, "status": status, "detail": detail})
    }
}

/// Whether the server is there, speaks our contract and lets us in. What needs the one before is left out without it.
async fn server() -> Vec<Check> {
    let server = match Server::from_env() {
        Ok(server) => server,
        Err(failure) => return vec![Check { name: "server", finding: Finding::Wrong(failure) }],
    };
    let address = server.api.baseurl();
    let health = server.ask::<Value>(server.api.health()).await;
    let is_there = health.is_ok();
    let finding = health.map_or_else(
        |trouble| Finding::Wrong(within_sandbox(*trouble.failure)),
        |_| Finding::Good(format!("{address} answers, and so does its store")),
    );
    let mut checks = vec![Check { name: "server", finding }];
    if !is_there {
        return checks;
    }
    let listed = server.ask::<types::DebateList>(server.api.debate_list(Some(1), None, None, None)).await;
    let is_let_in = listed.is_ok();
    let finding = match listed {
        Ok(told) => Finding::Good(format!("accepted, if one is needed; there are {} debates", told.view.total)),
        Err(trouble) => Finding::Wrong(*trouble.failure),
    };
    checks.push(Check { name: "token", finding });
    if is_let_in {
        checks.push(Check { name: "version", finding: version(&server).await });
    }
    checks
}

/// Some agents run commands where there is no network, not even to this machine.
fn within_sandbox(failure: Failure) -> Failure {
    if env::var_os("CODEX_SANDBOX_NETWORK_DISABLED").is_some() {
        failure.suggest("This command runs in a sandbox without network: allow aw to run outside of it")
    } else {
        failure
    }
}

/// Whether the contract that the server serves has all that this program asks for.
async fn version(server: &Server) -> Finding {
    let answer = server.api.client().get(format!("{}/openapi.json", server.api.baseurl())).send().await;
    let served = match answer {
        Ok(answer) => answer.json::<Value>().await,
        Err(error) => Err(error),
    };
    let served = match served {
        Ok(served) => served,
        Err(error) => return Finding::Wrong(*server.trouble(error.into()).failure),
    };
    let missing = contract::missing_in(&served);
    let theirs = served["info"]["version"].as_str().unwrap_or("without a number");
    let versions = format!("aw {}, server {theirs}", env!("CARGO_PKG_VERSION"));
    match (missing.is_empty(), theirs == contract::VERSION) {
        (true, true) => Finding::Good(versions),
        (true, false) => Finding::Odd(format!("{versions}: they fit, yet are not of one version")),
        (false, _) => Finding::Odd(format!("{versions}: the server does not know {}", missing.join(", "))),
    }
}

/// For whom what is needed is installed, and whether it is current. The command that helps comes with it.
fn skills() -> (Check, String) {
    let places = Host::ALL.into_iter().flat_map(|host| [Scope::Project, Scope::User].map(|scope| (host, scope)));
    let found: Vec<_> = places.map(|(host, scope)| (host, scope, setup::installed(host, scope))).collect();
    let named = |state: Installed| {
        let fitting = found.iter().filter(|(.., other)| *other == state);
        fitting.map(|(host, scope, _)| format!("{} ({})", host.name(), scope.name())).collect::<Vec<_>>().join(", ")
    };
    let (current, stale) = (named(Installed::Current), named(Installed::Stale));
    let first_stale = found.iter().find(|(.., state)| *state == Installed::Stale);
    let (finding, next) = match (first_stale, current.is_empty()) {
        (Some((host, scope, _)), _) => {
            (Finding::Odd(format!("not as this version would write it: {stale}")), setup::command(*host, *scope))
        }
        (None, true) => (
            Finding::Odd("no agent is set up, here or in your home".to_owned()),
            setup::command(running_in().unwrap_or(Host::AgentsMd), Scope::Project),
        ),
        (None, false) => (Finding::Good(format!("installed and current: {current}")), "aw debate list".to_owned()),
    };
    (Check { name: "skills", finding }, next)
}

/// What this command runs in, as far as it says so, and how to wait there.
fn host() -> Check {
    let detail = match running_in() {
        Some(Host::ClaudeCode) => {
            let limit = |name: &str, usual: &str| env::var(name).unwrap_or_else(|_| usual.to_owned());
            format!(
                "a command may take {} ms here, {} where it asks for it. {}",
                limit("BASH_DEFAULT_TIMEOUT_MS", "120000"),
                limit("BASH_MAX_TIMEOUT_MS", "600000"),
                guide::recipe(Host::ClaudeCode)
            )
        }
        Some(host) => guide::recipe(host),
        None => "no agent runs this, as far as it can be seen: nothing limits a wait".to_owned(),
    };
    Check { name: "host", finding: Finding::Good(detail) }
}

/// The agent that runs this command, by the signs that it leaves in the environment.
fn running_in() -> Option<Host> {
    const SIGNS: [(&str, Host); 6] = [
        ("CLAUDECODE", Host::ClaudeCode),
        ("CODEX_SANDBOX", Host::Codex),
        ("GEMINI_CLI", Host::Gemini),
        ("CURSOR_AGENT", Host::Cursor),
        ("COPILOT_CLI", Host::Copilot),
        ("OPENCODE", Host::AgentsMd),
    ];
    SIGNS.into_iter().find(|(name, _)| env::var_os(name).is_some_and(|value| !value.is_empty())).map(|(_, host)| host)
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    for check in data["checks"].as_array().into_iter().flatten() {
        let word = |field: &str| check[field].as_str().unwrap_or_default().to_owned();
        page.item(&format!("{} **{}**: {}", word("status"), word("name"), word("detail")));
    }
    Ok(())
}
