//! Checks the tools where they are entered in an agent's settings. A settings file may have come with a project that was
//! cloned, so that what it names is told and never started: this program starts itself.

use std::{env, path::Path, process::Stdio, time::Duration};

use tokio::{process::Command, time::timeout};

use super::{Check, Status};
use crate::{
    commands::setup::mcp::{Entered, entered},
    mcp::tools,
    output::sanitize,
    programs,
};

/// How long the server may take to start and to end.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The check; `None` if the tools are entered nowhere.
pub async fn check() -> Option<Check> {
    let found = entered();
    if found.is_empty() {
        return None;
    }
    let own = env::current_exe().and_then(|path| path.canonicalize());
    let own = own.map_err(|error| format!("the path of this program is unknown: {error}"));
    let mut working = Vec::new();
    let mut problems = Vec::new();
    for found in found {
        match found {
            Ok(Entered { host, path, entry, is_former }) => {
                // Through links.
                let started = programs::found_by_a_shell(&entry.command).and_then(|path| path.canonicalize().ok());
                let is_own = own.as_ref().ok() == started.as_ref() && started.is_some() && entry.is_ours();
                let what = match started {
                    _ if is_own => "which is this program".to_owned(),
                    Some(path) => {
                        format!("which is not this `aw mcp`, but {}", sanitize::line(&path.display().to_string()))
                    }
                    None => "which is not found".to_owned(),
                };
                let command = sanitize::line(&format!("{} {}", entry.command, entry.arguments.join(" ")));
                let list = if is_own { &mut working } else { &mut problems };
                let host = host.name();
                let former = format!(", as an earlier version entered it: `aw setup {host} --remove` takes it out");
                let former = if is_former { &*former } else { "" };
                list.push(format!("{host} ({}) starts `{command}`, {what}{former}", path.display()));
            }
            Err(failure) => problems.push(failure.message),
        }
    }
    match async { start(&own?).await }.await {
        Ok(count) => working.push(format!("this program starts, with {count} tools")),
        Err(problem) => problems.push(problem),
    }
    let status = if problems.is_empty() { Status::Ok } else { Status::Warning };
    problems.extend(working);
    Some(Check::new("mcp", status, problems.join("; ")))
}

/// Starts the server, which ends where nothing is asked of it, and counts the tools that it has.
async fn start(own: &Path) -> Result<usize, String> {
    let command = format!("{} mcp", own.display());
    let run = Command::new(own).arg("mcp").stdin(Stdio::null()).kill_on_drop(true).output();
    match timeout(TIMEOUT, run).await {
        Ok(Ok(output)) if output.status.success() => Ok(tools::for_role(None).count()),
        Ok(Ok(output)) => Err(format!("{command} fails: {}", sanitize::line(&String::from_utf8_lossy(&output.stdout)))),
        Ok(Err(error)) => Err(format!("{command} cannot be started: {error}")),
        Err(_) => Err(format!("{command} does not end")),
    }
}
