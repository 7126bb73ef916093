//! The programs that agents run in, and what is known of each: one [`Facts`] a program.

use std::env;

use clap::ValueEnum;

/// The program that an agent runs in. It limits how long a command may take, and decides where instructions are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Host {
    /// Claude Code
    ClaudeCode,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// Cursor
    Cursor,
    /// GitHub Copilot CLI
    Copilot,
    /// OpenCode
    Opencode,
    /// Any other that reads AGENTS.md
    AgentsMd,
}

/// What is known of a host.
pub struct Facts {
    /// Its name on the command line
    pub name: &'static str,
    /// The variables by which it is recognised; `*` stands for any end of the name
    pub variables: &'static [&'static str],
    /// For how many seconds a command may wait before the host ends it or stops to listen
    pub wait_seconds: u32,
    /// How to wait there, and how to hand over texts
    pub waiting: &'static str,
    /// The folder of its skills, below the project's folder or the user's home; without one it gets a block in AGENTS.md
    pub skills: Option<&'static str>,
    /// The settings in which a skill has to be allowed if it names the tools that it may use; `None` if it cannot name any
    pub skill_permissions: Option<&'static str>,
    /// Its rules for commands of `aw`
    pub command_rules: Option<CommandRules>,
    /// Where it looks for servers of tools
    pub tools: Option<Tools>,
    /// The variable by which its user moves its settings elsewhere
    pub moved_by: Option<MovedBy>,
}

/// A variable that names a folder, in which a host looks for what is in the user's home otherwise.
pub struct MovedBy {
    /// The variable
    pub variable: &'static str,
    /// How the paths begin that it moves, below the user's home, and what they begin with in that folder
    pub paths: &'static [(&'static str, &'static str)],
}

/// The rules by which a host lets commands of `aw` out of its sandbox.
pub struct CommandRules {
    /// The file, below the user's home
    pub path: &'static str,
    /// What is in it
    pub text: &'static str,
    /// The variable that it sets for commands in its sandbox, and for those that it let out
    pub variable: &'static str,
}

/// Where a host looks for servers of tools.
pub struct Tools {
    /// The settings of a project
    pub project: Settings,
    /// The user's own settings
    pub user: Settings,
    /// Where earlier versions of `aw` entered the server in a project
    pub former: Option<Settings>,
    /// What its user has to know once the server is entered
    pub note: &'static str,
}

/// A settings file, and how a server is entered in it.
pub struct Settings {
    /// Below the project's folder or the user's home; in TOML if its name ends so, else in JSON
    pub path: &'static str,
    /// The name of the object or table that has the servers
    pub key: &'static str,
    /// The entry, in JSON
    pub entry: &'static str,
}

/// What most hosts have in common.
const USUAL: Facts = Facts {
    name: "",
    variables: &[],
    wait_seconds: 1_800,
    waiting: "",
    skills: Some(".agents/skills"),
    skill_permissions: None,
    command_rules: None,
    tools: None,
    moved_by: None,
};

/// The same entry in the settings of a project and of the user.
const fn tools(project: &'static str, user: &'static str, key: &'static str, entry: &'static str) -> Tools {
    let (project, user) = (Settings { path: project, key, entry }, Settings { path: user, key, entry });
    Tools { project, user, former: None, note: "" }
}

// A call may take as long as the longest wait, and some more: hosts end it after half a minute to ten otherwise.

const CLAUDE_CODE: Facts = Facts {
    name: "claude-code",
    variables: &["CLAUDECODE"],
    wait_seconds: 570,
    waiting: include_str!("../guides/waiting/claude-code.md"),
    skills: Some(".claude/skills"),
    skill_permissions: Some(".claude/settings.json"),
    tools: Some(tools(".mcp.json", ".claude.json", "mcpServers", STDIO)),
    moved_by: Some(MovedBy {
        variable: "CLAUDE_CONFIG_DIR",
        paths: &[(".claude/", ""), (".claude.json", ".claude.json")],
    }),
    ..USUAL
};

const CODEX: Facts = Facts {
    name: "codex",
    variables: &["CODEX_THREAD_ID", "CODEX_CI", "CODEX_SANDBOX*"],
    waiting: include_str!("../guides/waiting/codex.md"),
    command_rules: Some(CommandRules {
        path: ".codex/rules/aweave-debate.rules",
        text: include_str!("../guides/codex.rules"),
        variable: "CODEX_SANDBOX_NETWORK_DISABLED",
    }),
    // It hands on no variables that are not named. Their values stay where they are.
    tools: Some(tools(
        ".codex/config.toml",
        ".codex/config.toml",
        "mcp_servers",
        r#"{"command": "aw", "args": ["mcp"], "tool_timeout_sec": 3700,
            "env_vars": ["DEBATE_SERVER_URL", "DEBATE_AUTH_TOKEN", "DEBATE_AUTH_TOKEN_FILE", "DEBATE_SEATS_DIR"]}"#,
    )),
    moved_by: Some(MovedBy { variable: "CODEX_HOME", paths: &[(".codex/", "")] }),
    ..USUAL
};

const GEMINI: Facts = Facts {
    name: "gemini",
    variables: &["GEMINI_CLI"],
    waiting: include_str!("../guides/waiting/gemini.md"),
    tools: Some(Tools {
        note: "Gemini CLI asks before each call until the server is trusted, and unattended it makes none: \"trust\": true in \
               the entry is yours to set",
        ..tools(
            ".gemini/settings.json",
            ".gemini/settings.json",
            "mcpServers",
            r#"{"command": "aw", "args": ["mcp"], "timeout": 3700000}"#,
        )
    }),
    moved_by: Some(MovedBy {
        variable: "GEMINI_CLI_HOME",
        paths: &[(".gemini/", ".gemini/"), (".agents/", ".agents/")],
    }),
    ..USUAL
};

const CURSOR: Facts = Facts {
    name: "cursor",
    variables: &["CURSOR_AGENT"],
    wait_seconds: 110,
    waiting: include_str!("../guides/waiting/cursor.md"),
    tools: Some(tools(".cursor/mcp.json", ".cursor/mcp.json", "mcpServers", r#"{"command": "aw", "args": ["mcp"]}"#)),
    ..USUAL
};

const COPILOT: Facts = Facts {
    name: "copilot",
    variables: &["COPILOT_CLI"],
    wait_seconds: 590,
    waiting: include_str!("../guides/waiting/copilot.md"),
    tools: Some(Tools {
        user: Settings {
            path: ".copilot/mcp-config.json",
            key: "mcpServers",
            entry: r#"{"type": "local", "command": "aw", "args": ["mcp"], "tools": ["*"]}"#,
        },
        // The editor reads it, Copilot CLI does not.
        former: Some(Settings { path: ".vscode/mcp.json", key: "servers", entry: STDIO }),
        ..tools(".mcp.json", "", "mcpServers", STDIO)
    }),
    moved_by: Some(MovedBy { variable: "COPILOT_HOME", paths: &[(".copilot/", ""), (".agents/skills/", "skills/")] }),
    ..USUAL
};

const OPENCODE: Facts = Facts {
    name: "opencode",
    variables: &["OPENCODE"],
    waiting: include_str!("../guides/waiting/opencode.md"),
    tools: Some(tools(
        "opencode.json",
        ".config/opencode/opencode.json",
        "mcp",
        r#"{"type": "local", "command": ["aw", "mcp"], "enabled": true, "timeout": 3700000}"#,
    )),
    moved_by: Some(MovedBy { variable: "XDG_CONFIG_HOME", paths: &[(".config/", "")] }),
    ..USUAL
};

const AGENTS_MD: Facts = Facts {
    name: "agents-md",
    wait_seconds: 50,
    waiting: include_str!("../guides/waiting/agents-md.md"),
    skills: None,
    ..USUAL
};

const STDIO: &str = r#"{"type": "stdio", "command": "aw", "args": ["mcp"]}"#;

impl Host {
    /// All hosts.
    pub const ALL: [Self; 7] =
        [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Cursor, Self::Copilot, Self::Opencode, Self::AgentsMd];

    /// What is known of it.
    pub const fn facts(self) -> &'static Facts {
        match self {
            Self::ClaudeCode => &CLAUDE_CODE,
            Self::Codex => &CODEX,
            Self::Gemini => &GEMINI,
            Self::Cursor => &CURSOR,
            Self::Copilot => &COPILOT,
            Self::Opencode => &OPENCODE,
            Self::AgentsMd => &AGENTS_MD,
        }
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The host that runs this command.
    pub fn current() -> Option<Self> {
        let set: Vec<String> = env::vars_os()
            .filter(|(_, value)| !value.is_empty())
            .filter_map(|(name, _)| name.into_string().ok())
            .collect();
        Self::recognised_by(&set)
    }

    /// Whether a host may have let this command out of a sandbox that bounds what is written.
    pub fn may_be_out_of_a_sandbox() -> bool {
        let rules = Self::ALL.into_iter().filter_map(|host| host.facts().command_rules.as_ref());
        rules.map(|rules| rules.variable).any(|variable| env::var_os(variable).is_some_and(|value| !value.is_empty()))
    }

    /// The host that sets one of these variables.
    fn recognised_by(set: &[String]) -> Option<Self> {
        Self::ALL.into_iter().find(|host| set.iter().any(|name| host.sets(name)))
    }

    /// Whether the host sets a variable of this name.
    pub fn sets(self, name: &str) -> bool {
        self.facts().variables.iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *pattern,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn each_host_is_recognised_by_what_it_sets() {
        for (variable, host) in [
            ("CLAUDECODE", Some(Host::ClaudeCode)),
            ("CODEX_THREAD_ID", Some(Host::Codex)),
            ("CODEX_CI", Some(Host::Codex)),
            ("CODEX_SANDBOX", Some(Host::Codex)),
            ("CODEX_SANDBOX_NETWORK_DISABLED", Some(Host::Codex)),
            ("GEMINI_CLI", Some(Host::Gemini)),
            ("CURSOR_AGENT", Some(Host::Cursor)),
            ("COPILOT_CLI", Some(Host::Copilot)),
            ("OPENCODE", Some(Host::Opencode)),
            // These are set by a user.
            ("CODEX_HOME", None),
            ("COPILOT_MODEL", None),
            ("GEMINI_CLI_HOME", None),
        ] {
            assert_eq!(Host::recognised_by(&["PATH".to_owned(), variable.to_owned()]), host, "{variable}");
        }
    }

    #[test]
    fn each_entry_is_json_that_starts_the_server() {
        for host in Host::ALL {
            assert_eq!(Host::from_str(host.name(), false), Ok(host));
            let all = host.facts().tools.iter();
            for settings in all.flat_map(|tools| [&tools.project, &tools.user].into_iter().chain(&tools.former)) {
                let entry: Value = serde_json::from_str(settings.entry).unwrap();
                let text = format!("{}{}", entry["command"], entry["args"]);
                let words: Vec<&str> = text.split('"').filter(|word| word.starts_with(char::is_alphabetic)).collect();
                assert_eq!(words[..2], ["aw", "mcp"], "{}: {text}", host.name());
            }
        }
    }
}
