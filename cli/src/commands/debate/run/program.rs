//! The programs that a run can start: the command line of each, and what its output says.

use std::{
    env,
    ffi::OsStr,
    fmt,
    path::{self, Path, PathBuf},
    time::Duration,
};

use serde_json::Value;

use super::{
    answer,
    child_process::{self, Start},
};
use crate::{
    client::types::Agent,
    files,
    output::{Code, Failure},
    programs,
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
    ClaudeCode,
    Codex,
    /// The words of a command line
    Command(Vec<String>),
}

/// Whether a program can be used.
pub struct Installation {
    /// What it prints for `--version`, if it is there
    pub version: Option<String>,
    /// Whether it is logged in
    pub logged_in: bool,
}

/// What the output of a program says.
#[derive(Debug, Default)]
pub struct Said {
    /// Its last message
    pub text: Option<String>,
    /// Why it failed, if it says so
    pub failure: Option<String>,
    /// Its model, and what it used
    pub agent: Agent,
}

/// The most that is read of settings.
const MAX_SETTINGS_BYTES: u64 = 1 << 20;

/// How long a program may take to say who it is.
const ASK_TIMEOUT: Duration = Duration::from_secs(20);

/// What a command line begins with.
pub const COMMAND: &str = "command:";

impl Program {
    /// The programs that are found without being named, in the order in which they are preferred.
    pub fn known() -> [Self; 2] {
        [("claude-code", Kind::ClaudeCode), ("codex", Kind::Codex)].map(|(name, kind)| Self {
            given: name.to_owned(),
            kind,
            model: None,
        })
    }

    /// Parses the value of an option.
    pub fn parse(option: &str, text: &str) -> Result<Self, Failure> {
        let refused = |problem: String| {
            Failure::new(Code::InvalidInput, format!("{option} {problem}")).with_suggestion(
                "Give claude-code, codex (each also with :MODEL), or 'command:PROGRAM ARG…', which reads the prompt from \
                 standard input and prints its answer",
            )
        };
        if let Some(line) = text.strip_prefix(COMMAND) {
            let words = shlex::split(line).filter(|words| !words.is_empty());
            let words = words.ok_or_else(|| refused(format!("is no command line: {line:?}")))?;
            return Ok(Self { given: text.to_owned(), kind: Kind::Command(words), model: None });
        }
        let (name, model) = text.split_once(':').map_or((text, None), |(name, model)| (name, Some(model.to_owned())));
        let kind = match name {
            "claude-code" => Kind::ClaudeCode,
            "codex" => Kind::Codex,
            other => return Err(refused(format!("names {other:?}, which is no agent program"))),
        };
        match model {
            Some(model) if model.is_empty() || model.starts_with('-') => {
                Err(refused(format!("names no model: {model:?}")))
            }
            model => Ok(Self { given: text.to_owned(), kind, model }),
        }
    }

    /// The name in `agents`: of a command that of its program.
    pub fn name(&self) -> String {
        match &self.kind {
            Kind::ClaudeCode => "claude-code".to_owned(),
            Kind::Codex => "codex".to_owned(),
            Kind::Command(words) => {
                let name = words.first().and_then(|word| Path::new(word).file_name()).and_then(OsStr::to_str);
                name.unwrap_or("command").chars().take(100).collect()
            }
        }
    }

    /// Whether it tells what it costs, if it tells anything.
    pub fn tells_cost(&self) -> bool {
        self.kind != Kind::Codex
    }

    /// Whether nothing is known of it.
    pub fn is_command(&self) -> bool {
        matches!(self.kind, Kind::Command(_))
    }

    /// The program as it is looked for.
    fn command(&self) -> &str {
        match &self.kind {
            Kind::ClaudeCode => "claude",
            Kind::Codex => "codex",
            Kind::Command(words) => words.first().map_or("", String::as_str),
        }
    }

    /// The program's file; none if it is not there.
    fn file(&self) -> Option<PathBuf> {
        programs::find(self.command())
    }

    /// Asks the program for its version, and whether it is logged in.
    pub async fn installed(&self) -> Installation {
        let Some(file) = self.file() else { return Installation { version: None, logged_in: false } };
        let ask = async |arguments: &str| {
            let mut command_line = vec![file.display().to_string()];
            command_line.extend(arguments.split(' ').map(str::to_owned));
            // Outside of the folder of the code, which has no say in it.
            let work = Path::new("/");
            let start = Start { command_line: &command_line, work, variables: &[], prompt: "", limit: ASK_TIMEOUT };
            let finished = child_process::run(start, |_| {}).await;
            let line = String::from_utf8_lossy(&finished.stdout).lines().next().map(str::to_owned);
            finished.end.problem().is_none().then(|| line.unwrap_or_default())
        };
        let logged_in = match &self.kind {
            Kind::ClaudeCode => ask("auth status").await.is_some(),
            Kind::Codex => {
                let has_key = env::var_os("CODEX_API_KEY").is_some_and(|key| !key.is_empty());
                has_key || codex_has_provider() || ask("login status").await.is_some()
            }
            Kind::Command(_) => return Installation { version: Some(String::new()), logged_in: true },
        };
        Installation { version: ask("--version").await, logged_in }
    }

    /// Refuses a program that is not there, or not logged in.
    pub async fn check(&self, option: &str) -> Result<(), Failure> {
        let (problem, suggestion) = match self.installed().await {
            Installation { version: None, .. } => {
                ("is not installed", "Install it, put it on PATH, or name another program")
            }
            Installation { logged_in: false, .. } => {
                ("is not logged in", "Log in with the program itself, or name another program")
            }
            Installation { .. } => return Ok(()),
        };
        Err(Failure::new(Code::InvalidInput, format!("{option}: {self} {problem}")).with_suggestion(suggestion))
    }

    /// The words that start it. It reads the prompt from standard input.
    pub fn command_line(&self, work: &Path, schema: &Path, budget: Option<f64>) -> Vec<String> {
        // One that is gone is not looked for in the folder in which it would run.
        let gone = || Some(self.command()).filter(|name| name.contains('/')).and_then(|name| path::absolute(name).ok());
        let file =
            self.file().or_else(gone).map_or_else(|| self.command().to_owned(), |file| file.display().to_string());
        let (work, schema) = (work.display().to_string(), schema.display().to_string());
        let mut words = vec![file];
        let mut add = |more: &[&str]| words.extend(more.iter().map(|word| (*word).to_owned()));
        match &self.kind {
            Kind::ClaudeCode => {
                let tools = format!("Read,Grep,Glob,Edit(/{work}/**)");
                // Commands run in the sandbox that the program has for them, or not at all.
                let settings =
                    r#"{"sandbox":{"enabled":true,"autoAllowBashIfSandboxed":true,"allowUnsandboxedCommands":false}}"#;
                add(&["-p", "--output-format", "json", "--json-schema", answer::SCHEMA]);
                add(&["--permission-mode", "dontAsk", "--allowedTools", &tools, "--settings", settings]);
                add(&["--setting-sources", "user", "--strict-mcp-config", "--no-session-persistence"]);
                if let Some(model) = &self.model {
                    add(&["--model", model]);
                }
                if let Some(budget) = budget {
                    add(&["--max-budget-usd", &format!("{budget:.4}")]);
                }
            }
            Kind::Codex => {
                add(&["exec", "--json", "--output-schema", &schema, "--sandbox", "workspace-write", "--ephemeral"]);
                add(&["--skip-git-repo-check", "-C", &work, "-c", "sandbox_workspace_write.exclude_slash_tmp=true"]);
                add(&["-c", "sandbox_workspace_write.exclude_tmpdir_env_var=true"]);
                if let Some(model) = &self.model {
                    add(&["--model", model]);
                }
                add(&["-"]);
            }
            Kind::Command(given) => words.extend(given.iter().skip(1).cloned()),
        }
        words
    }

    /// Reads its output.
    pub fn read(&self, stdout: &[u8]) -> Said {
        let text = String::from_utf8_lossy(stdout);
        let said = match &self.kind {
            Kind::ClaudeCode => claude_code(&text),
            Kind::Codex => codex(&text),
            Kind::Command(_) => Said { text: Some(text.into_owned()), ..Said::default() },
        };
        let model = self.model.clone().or(said.agent.model.clone());
        Said { agent: Agent { program: Some(self.name()), model, ..said.agent }, ..said }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.given)
    }
}

/// Whether the settings of codex name a provider of models of the user's own, which needs no login.
fn codex_has_provider() -> bool {
    let folder = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = folder("CODEX_HOME").or_else(|| Some(folder("HOME")?.join(".codex")));
    let settings = home.and_then(|home| files::read_text(&home.join("config.toml"), MAX_SETTINGS_BYTES).ok());
    let settings = settings.and_then(|text| text.parse::<toml_edit::DocumentMut>().ok());
    settings.is_some_and(|settings| {
        settings.get("model_provider").and_then(|item| item.as_str()).is_some_and(|name| name != "openai")
    })
}

/// The result is one JSON object.
fn claude_code(text: &str) -> Said {
    let Ok(result) = serde_json::from_str::<Value>(text.trim()) else { return Said::default() };
    let usage = &result["usage"];
    let tokens = |name: &str| usage[name].as_u64();
    let cached = tokens("cache_read_input_tokens");
    let input = tokens("input_tokens")
        .map(|input| input + cached.unwrap_or_default() + tokens("cache_creation_input_tokens").unwrap_or_default());
    let model = result["modelUsage"].as_object().and_then(|models| models.keys().next()).cloned();
    let agent = Agent {
        model,
        input_tokens: input,
        cached_tokens: cached,
        output_tokens: tokens("output_tokens"),
        cost_microusd: result["total_cost_usd"].as_f64().map(|cost| (cost * 1e6).round() as u64),
        ..Agent::default()
    };
    let structured = Some(&result["structured_output"]).filter(|answer| !answer.is_null()).map(Value::to_string);
    let text = structured.or_else(|| result["result"].as_str().map(str::to_owned));
    if result["is_error"] == true || result["subtype"] != "success" {
        let reason = text.unwrap_or_else(|| result["subtype"].as_str().unwrap_or("an error").to_owned());
        return Said { text: None, failure: Some(reason), agent };
    }
    Said { text, failure: None, agent }
}

/// Each line is an event.
fn codex(text: &str) -> Said {
    let mut said = Said::default();
    for event in text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        match event["type"].as_str() {
            Some("item.completed") if event["item"]["type"] == "agent_message" => {
                said.text = event["item"]["text"].as_str().map(str::to_owned);
            }
            Some("turn.completed") => {
                let tokens = |name: &str| event["usage"][name].as_u64();
                said.agent.input_tokens = tokens("input_tokens");
                said.agent.cached_tokens = tokens("cached_input_tokens");
                said.agent.output_tokens = tokens("output_tokens");
            }
            Some("turn.failed") => {
                said.failure = Some(event["error"]["message"].as_str().unwrap_or("the turn failed").to_owned());
            }
            Some(_) | None => {}
        }
    }
    said
}

/// Whether a program failed since its user has no more of what it may use.
pub fn is_usage_limit(message: &str) -> bool {
    const PHRASES: &str = "usage limit|hit your limit|session limit|weekly limit|limit reached|insufficient_quota|credit balance|\
        error_max_budget_usd";
    let message = message.to_lowercase();
    PHRASES.split('|').any(|phrase| message.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(text: &str) -> Program {
        Program::parse("--proposer", text).unwrap()
    }

    #[test]
    fn a_program_is_named_with_its_model_or_as_a_command_line() {
        for text in ["claude-code", "claude-code:opus", "codex", "codex:gpt-5.4", "command:/bin/a -x 'b c'"] {
            assert_eq!(program(text).to_string(), text);
        }
        assert_eq!(program("command: ./bin/agent.sh --a").name(), "agent.sh");
        for wrong in ["", "gemini", "codex:", "codex:--yolo", "command:", "command:  ", "command:'a"] {
            assert_eq!(Program::parse("--opponent", wrong).unwrap_err().code, "INVALID_INPUT", "{wrong}");
        }
    }

    #[test]
    fn the_result_of_claude_code_has_answer_usage_and_cost() {
        let result = r#"{"type":"result","subtype":"success","is_error":false,"result":"x","total_cost_usd":0.0037890000000000003,"usage":{"input_tokens":1003,"cache_creation_input_tokens":7,"cache_read_input_tokens":100,"output_tokens":50},"modelUsage":{"claude-sonnet-4-5":{}},"structured_output":{"content":"Hello"}}"#;
        let said = program("claude-code").read(result.as_bytes());
        assert_eq!((said.text.as_deref(), said.failure), (Some(r#"{"content":"Hello"}"#), None));
        let agent = said.agent;
        assert_eq!((agent.input_tokens, agent.cached_tokens, agent.output_tokens), (Some(1110), Some(100), Some(50)));
        assert_eq!((agent.cost_microusd, agent.model.as_deref()), (Some(3789), Some("claude-sonnet-4-5")));
        let failed = r#"{"subtype":"success","is_error":true,"result":"API Error: 401"}"#;
        assert_eq!(program("claude-code").read(failed.as_bytes()).failure.as_deref(), Some("API Error: 401"));
        let spent = program("claude-code").read(br#"{"subtype":"error_max_budget_usd","is_error":false}"#);
        assert!(is_usage_limit(&spent.failure.unwrap()));
        assert!(program("claude-code").read(b"garbage").text.is_none());
    }

    #[test]
    fn the_events_of_codex_have_the_last_message_and_usage() {
        let events = r#"{"type":"item.completed","item":{"type":"agent_message","text":"first"}}
not json
{"type":"item.completed","item":{"type":"agent_message","text":"last"}}
{"type":"turn.completed","usage":{"input_tokens":2003,"cached_input_tokens":200,"output_tokens":100}}"#;
        let said = program("codex:gpt-5.4").read(events.as_bytes());
        assert_eq!((said.text.as_deref(), said.agent.input_tokens), (Some("last"), Some(2003)));
        assert_eq!((said.agent.program.as_deref(), said.agent.model.as_deref()), (Some("codex"), Some("gpt-5.4")));
        let failed = r#"{"type":"turn.failed","error":{"message":"You've hit your usage limit."}}"#;
        assert!(is_usage_limit(&program("codex").read(failed.as_bytes()).failure.unwrap()));
        assert!(!is_usage_limit("unexpected status 401 Unauthorized"));
    }
}
