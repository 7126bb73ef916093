//! The agent that runs this command.

use std::env;

use crate::guides::Host;

/// The agent that runs this command, recognised by environment variables.
pub fn current() -> Option<Host> {
    const VARIABLES: [(&str, Host); 6] = [
        ("CLAUDECODE", Host::ClaudeCode),
        ("CODEX_SANDBOX", Host::Codex),
        ("GEMINI_CLI", Host::Gemini),
        ("CURSOR_AGENT", Host::Cursor),
        ("COPILOT_CLI", Host::Copilot),
        ("OPENCODE", Host::AgentsMd),
    ];
    VARIABLES
        .into_iter()
        .find(|(name, _)| env::var_os(name).is_some_and(|value| !value.is_empty()))
        .map(|(_, host)| host)
}

/// For how many seconds a command may wait in this host before the host ends it or stops to listen.
pub fn wait_seconds(host: Host) -> u32 {
    match host {
        Host::ClaudeCode => 570,
        Host::Codex | Host::Gemini => 1_800,
        Host::Cursor | Host::Copilot => 110,
        Host::AgentsMd => 50,
    }
}
