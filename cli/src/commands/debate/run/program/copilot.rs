//! GitHub Copilot CLI.

use std::path::Path;

use serde_json::Value;

use super::{
    agent_program::{AgentProgram, Login, ReadEvents, words},
    credentials::{MAX_BYTES, folder, has_word, is_set},
    said::{CallEnd, Calls, Said, add},
};
use crate::files;

/// The file into which it writes what it used.
const USAGE: &str = "copilot-usage.json";

pub const COPILOT: AgentProgram = AgentProgram {
    binary: "copilot",
    package: "@github/copilot",
    is_default: false,
    tells_cost: false,
    tells_errors_on_stderr: true,
    reads_files_after_at: false,
    usage_limits: &[],
    lacks: || None,
    login: Login { by: "copilot login", command: None, has_credentials },
    arguments,
    variables: |_| Vec::new(),
    files: |_, _| Vec::new(),
    reader: || Box::<Events>::default(),
};

fn arguments(work: &Path, code: &Path, _budget: Option<f64>) -> Vec<String> {
    let code = code.display().to_string();
    let mut arguments = words(["--output-format", "json", "--no-color", "--no-auto-update", "--no-ask-user"]);
    arguments.extend(words(["--no-remote", "--disable-builtin-mcps", "--disallow-temp-dir", "--add-dir", &code]));
    // It has no sandbox for commands that it would not leave, so that it gets no tool for them.
    arguments.extend(words(["--available-tools=view,grep,rg,glob,create,edit,apply_patch,str_replace_editor"]));
    // It takes no parentheses in a path, and a relative one for the end of any: the folder's own name, which nothing else has.
    let name = work.file_name().unwrap_or_default().to_string_lossy();
    arguments.extend(["plan.md", "notes.md"].map(|file| format!("--allow-tool=write({name}/{file})")));
    arguments.extend(words(["--usage-output-file", USAGE]));
    arguments
}

fn has_credentials() -> bool {
    let variables = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL"];
    let settings = folder("COPILOT_HOME", ".copilot").map(|folder| folder.join("config.json"));
    let of_gh = folder("GH_CONFIG_DIR", ".config/gh").map(|folder| folder.join("hosts.yml"));
    variables.into_iter().any(is_set)
        || has_word(settings, &["oggedInUser", "logged_in_user", "okens"])
        || has_word(of_gh, &["user:", "oauth_token"])
}

#[derive(Default)]
struct Events {
    said: Said,
    calls: Calls,
}

impl ReadEvents for Events {
    fn event(&mut self, event: &Value) {
        let data = &event["data"];
        let text = |name: &str| data[name].as_str().unwrap_or_default().to_owned();
        let kind = event["type"].as_str();
        if let Some("user.message" | "assistant.turn_start" | "assistant.message" | "tool.execution_start") = kind {
            self.said.told_end = false;
        }
        match kind {
            Some("assistant.turn_start") => self.calls.are_told(),
            Some("assistant.message") => {
                self.said.agent.model = data["model"].as_str().map(str::to_owned);
                if let Some(content) = Some(text("content")).filter(|content| !content.trim().is_empty()) {
                    // A call of the model that failed before was made again.
                    (self.said.text, self.said.failure) = (Some(content), None);
                } else {
                    self.said.text = None;
                }
            }
            Some("tool.execution_start") => {
                self.calls.begin(&text("toolCallId"), &text("toolName"), &data["arguments"]);
            }
            Some("tool.execution_complete") => {
                let code = data["error"]["code"].as_str().unwrap_or_default();
                let end = match data["success"].as_bool() {
                    Some(false) if ["denied", "rejected"].contains(&code) => CallEnd::NotPermitted,
                    Some(false) => CallEnd::Failed,
                    Some(true) | None => CallEnd::Done,
                };
                self.calls.end(&text("toolCallId"), end);
            }
            Some("result") => self.said.told_end = true,
            Some("session.error") => self.said.failure = data["message"].as_str().map(str::to_owned),
            Some(_) | None => {}
        }
    }

    fn told_end(&self) -> bool {
        self.said.told_end
    }

    fn finish(mut self: Box<Self>, work: &Path) -> Said {
        let usage = files::read_text(&work.join(USAGE), MAX_BYTES).ok();
        let usage: Value = usage.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let models = || usage["modelMetrics"].as_object().into_iter().flatten();
        let agent = &mut self.said.agent;
        for (_, model) in models() {
            let tokens = |name: &str| model["usage"][name].as_u64();
            // As the interface of the model tells it, tokens that were read have the cached ones among them.
            add(&mut agent.input_tokens, tokens("inputTokens"));
            add(&mut agent.cached_tokens, tokens("cacheReadTokens"));
            add(&mut agent.output_tokens, tokens("outputTokens"));
        }
        self.said.told_all_tokens = agent.output_tokens.is_some();
        let most = models().max_by_key(|(_, model)| model["usage"]["outputTokens"].as_u64());
        agent.model = most.map(|(name, _)| name.clone()).or(agent.model.take());
        self.calls.enter(&mut self.said);
        self.said
    }
}
