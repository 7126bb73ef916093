//! Checks the tools where they are entered in an agent's settings: starts the server as the agent does and lists them.

use std::{process::Stdio, time::Duration};

use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, process::Command, time::timeout};

use super::{Check, Finding};
use crate::{
    commands::setup::mcp::{Entered, Entry, entered},
    mcp,
};

/// How long the server may take to start, to answer and to end.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The check; `None` if the tools are entered nowhere.
pub async fn check() -> Option<Check> {
    let mut working = Vec::new();
    let mut problems = Vec::new();
    for found in entered() {
        match found {
            Ok(Entered { host, path, entry }) => {
                let place = format!("{} ({})", host.name(), path.display());
                match list(&entry).await {
                    Ok(count) => working.push(format!("{place} lists {count} tools")),
                    Err(problem) => problems.push(format!("{place}: {problem}")),
                }
            }
            Err(failure) => problems.push(failure.message),
        }
    }
    let finding = match (working.is_empty(), problems.is_empty()) {
        (true, true) => return None,
        (_, true) => Finding::Ok(working.join(", ")),
        (_, false) => Finding::Warning(problems.join("; ")),
    };
    Some(Check { name: "mcp", finding })
}

/// Starts the server and counts its tools.
async fn list(entry: &Entry) -> Result<usize, String> {
    let command = format!("{} {}", entry.command, entry.arguments.join(" "));
    let mut server = Command::new(&entry.command)
        .args(&entry.arguments)
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
    let missing = mcp::debating_tools().into_iter().find(|name| tools.iter().all(|tool| tool["name"] != **name));
    match missing {
        Some(missing) => Err(format!("{command} is of another version: it has no tool {missing}")),
        None => Ok(tools.len()),
    }
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
