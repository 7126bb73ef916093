//! Checks the tools where they are entered in an agent's settings. A settings file may have come with a project that was
//! cloned, so that what it names is told and never started: this program starts itself and lists its tools.

use std::{
    env,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, process::Command, time::timeout};

use super::{Check, Finding};
use crate::{
    commands::debate::run::program,
    commands::setup::mcp::{Entered, Entry, entered},
    output::sanitize,
};

/// How long the server may take to start, to answer and to end.
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
            Ok(Entered { host, path, entry }) => {
                let place = format!("{} ({})", host.name(), path.display());
                let is_own =
                    started_file(&entry.command).is_some_and(|path| own.as_ref() == Ok(&path)) && entry.is_ours();
                let list = if is_own { &mut working } else { &mut problems };
                list.push(format!("{place} {}", told(&entry, is_own)));
            }
            Err(failure) => problems.push(failure.message),
        }
    }
    match async { list(&own?).await }.await {
        Ok(count) => working.push(format!("this program lists {count} tools")),
        Err(problem) => problems.push(problem),
    }
    let finding = if problems.is_empty() { Finding::Ok } else { Finding::Warning };
    problems.extend(working);
    Some(Check { name: "mcp", finding: finding(problems.join("; ")) })
}

/// What an entry starts, in words.
fn told(entry: &Entry, is_own: bool) -> String {
    let command = sanitize::line(&format!("{} {}", entry.command, entry.arguments.join(" ")));
    let what = match started_file(&entry.command) {
        _ if is_own => "which is this program".to_owned(),
        Some(path) => format!("which is not this `aw mcp`, but {}", sanitize::line(&path.display().to_string())),
        None => "which is not found".to_owned(),
    };
    format!("starts `{command}`, {what}")
}

/// The program that is started for a command, through links.
fn started_file(command: &str) -> Option<PathBuf> {
    program::candidates(command).first()?.canonicalize().ok()
}

/// Starts the server and counts its tools.
async fn list(own: &Path) -> Result<usize, String> {
    let command = format!("{} mcp", own.display());
    let mut server = Command::new(own)
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("{command} cannot be started: {error}"))?;
    let talk = async {
        if let Some(mut stdin) = server.stdin.take() {
            // A server that is gone has said why on stdout, or nothing.
            let _ = stdin.write_all(requests().as_bytes()).await;
        }
        server.wait_with_output().await
    };
    let output = match timeout(TIMEOUT, talk).await {
        Ok(Ok(output)) => output.stdout,
        Ok(Err(error)) => return Err(format!("{command} failed: {error}")),
        Err(_) => return Err(format!("{command} does not answer")),
    };
    let answers = output.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let mut lists = answers.filter_map(|answer| answer["result"]["tools"].as_array().cloned());
    let tools = lists.next().ok_or_else(|| format!("{command} lists no tools"))?;
    Ok(tools.len())
}

/// What an agent sends first, one message a line.
fn requests() -> String {
    let client = json!({"name": "aw doctor", "version": env!("CARGO_PKG_VERSION")});
    let start = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": start}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    ]
    .map(|message| format!("{message}\n"))
    .concat()
}
