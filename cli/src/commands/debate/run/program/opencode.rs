//! OpenCode: `opencode run`.

use std::{env, path::Path};

use jsonc_parser::{CollectOptions, parse_to_ast};
use serde_json::{Map, Value, json};

use super::{
    agent_program::{AgentProgram, Login, ReadEvents, words},
    credentials::{folder, has_word, is_set},
    said::{CallEnd, Calls, Said, add, microusd},
};
use crate::lenient_json;

pub const OPENCODE: AgentProgram = AgentProgram {
    binary: "opencode",
    package: "opencode-ai",
    is_default: false,
    tells_cost: true,
    tells_errors_on_stderr: true,
    reads_files_after_at: false,
    usage_limits: &[],
    lacks: || None,
    login: Login { by: "opencode auth login", command: None, has_credentials },
    arguments,
    variables,
    files: |_, _| Vec::new(),
    reader: || Box::<Events>::default(),
};

fn arguments(_work: &Path, _code: &Path, _budget: Option<f64>) -> Vec<String> {
    // It waits for a usage limit for hours, and tells that in its log only.
    words(["run", "--format", "json", "--agent", AGENT, "--print-logs", "--log-level", "ERROR"])
}

fn variables(work: &Path) -> Vec<(&'static str, String)> {
    let settings = env::var(SETTINGS).ok();
    vec![
        // For versions that do not take the agent.
        ("OPENCODE_PERMISSION", permission(work).to_string()),
        (SETTINGS, settings_of_run(settings.as_deref(), work).to_string()),
        // Settings in the folders above its own name programs that it loads, and may be anybody's.
        ("OPENCODE_DISABLE_PROJECT_CONFIG", "1".to_owned()),
    ]
}

/// The agent of a run. What its user permits to one of its own would stand above what is permitted to all.
const AGENT: &str = "aw-debate-run";

/// The variable with settings that stand above those in files.
const SETTINGS: &str = "OPENCODE_CONFIG_CONTENT";

/// The settings of the user in that variable, with those of a run. It starts no programs for the files that it reads or writes either.
fn settings_of_run(of_user: Option<&str>, work: &Path) -> Value {
    let parsed = of_user.and_then(|text| parse_to_ast(text, &CollectOptions::default(), &lenient_json::OPTIONS).ok());
    let mut settings = match parsed.and_then(|parsed| parsed.value).map(Value::from) {
        Some(settings @ Value::Object(_)) => settings,
        Some(_) | None => json!({}),
    };
    if !settings["agent"].is_object() {
        settings["agent"] = json!({});
    }
    settings["agent"][AGENT] = json!({
        "description": "Takes part in a debate", "mode": "primary", "permission": permission(work),
    });
    settings["formatter"] = false.into();
    settings["lsp"] = false.into();
    settings
}

/// It reads files, and writes the plan and the notes. It has no sandbox for commands, so that it runs none.
fn permission(work: &Path) -> Value {
    let mut edit = Map::new();
    edit.insert("*".to_owned(), "deny".into());
    // It compares paths below the repository, or, outside of any, those from the root of the file system on.
    let repository = work.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(Path::new("/"));
    for name in ["plan.md", "notes.md"] {
        let path = work.join(name);
        let below = path.strip_prefix(repository).unwrap_or(&path).display().to_string();
        let whole = path.display().to_string();
        for path in [name, whole.trim_start_matches('/'), &below] {
            edit.insert(path.to_owned(), "allow".into());
        }
    }
    json!({
        "read": "allow", "glob": "allow", "grep": "allow", "list": "allow", "external_directory": "allow", "edit": edit,
        "bash": "deny", "task": "deny", "skill": "deny", "webfetch": "deny", "websearch": "deny", "codesearch": "deny",
        "question": "deny", "plan_enter": "deny", "plan_exit": "deny", "lsp": "deny", "todowrite": "allow",
        // What is only asked for is waited for, and nobody answers.
        "doom_loop": "deny",
    })
}

fn has_credentials() -> bool {
    let keys = ["OPENCODE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "GEMINI_API_KEY"];
    let login = folder("XDG_DATA_HOME", ".local/share").map(|folder| folder.join("opencode/auth.json"));
    let settings = ["opencode.json", "opencode.jsonc"]
        .map(|name| folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("opencode").join(name)));
    let named = env::var_os("OPENCODE_CONFIG").map(Into::into);
    let provider = ["\"provider\""];
    keys.into_iter().any(is_set)
        || has_word(login, &["\"type\""])
        || settings.into_iter().chain([named]).any(|file| has_word(file, &provider))
        || env::var(SETTINGS).is_ok_and(|text| text.contains(provider[0]))
}

#[derive(Default)]
struct Events {
    said: Said,
    calls: Calls,
    message_id: String,
    message: String,
}

impl ReadEvents for Events {
    fn event(&mut self, event: &Value) {
        let part = &event["part"];
        match event["type"].as_str() {
            Some("step_start") => {
                self.calls.are_told();
                (self.said.told_all_tokens, self.said.told_end) = (false, false);
            }
            Some("text") => {
                let id = part["messageID"].as_str().unwrap_or_default();
                if self.message_id != id {
                    self.message_id = id.to_owned();
                    self.message.clear();
                }
                self.message += part["text"].as_str().unwrap_or_default();
            }
            Some("tool_use") => {
                let (state, id) = (&part["state"], part["callID"].as_str().unwrap_or_default());
                self.message.clear();
                self.calls.begin(id, part["tool"].as_str().unwrap_or_default(), &state["input"]);
                let error = state["error"].as_str().unwrap_or_default();
                let end = match state["status"].as_str() {
                    Some("error") if error.contains("prevents you") || error.contains("rejected permission") => {
                        CallEnd::NotPermitted
                    }
                    Some("error") => CallEnd::Failed,
                    Some(_) | None => CallEnd::Done,
                };
                self.calls.end(id, end);
            }
            Some("step_finish") => {
                let (tokens, agent) = (&part["tokens"], &mut self.said.agent);
                let number = |value: &Value| value.as_u64();
                let cached = number(&tokens["cache"]["read"]);
                self.said.told_all_tokens = number(&tokens["output"]).is_some();
                // Otherwise it goes on, as after calls of tools. What failed before was made again.
                if part["reason"] == "stop" {
                    (self.said.told_end, self.said.failure) = (true, None);
                }
                add(&mut agent.input_tokens, number(&tokens["input"]));
                add(&mut agent.input_tokens, cached);
                add(&mut agent.input_tokens, number(&tokens["cache"]["write"]));
                add(&mut agent.cached_tokens, cached);
                add(&mut agent.output_tokens, number(&tokens["output"]));
                add(&mut agent.output_tokens, number(&tokens["reasoning"]));
                add(&mut agent.cost_microusd, microusd(&part["cost"]));
            }
            Some("error") => {
                let error = &event["error"];
                let told = error["data"]["message"].as_str().or(error["message"].as_str()).or(error["name"].as_str());
                self.said.failure = Some(told.unwrap_or("an error").to_owned());
            }
            Some(_) | None => {}
        }
    }

    fn told_end(&self) -> bool {
        self.said.told_end
    }

    fn finish(mut self: Box<Self>, _work: &Path) -> Said {
        self.said.text = Some(self.message).filter(|message| !message.trim().is_empty());
        self.calls.enter(&mut self.said);
        self.said
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_its_user_set_in_the_variable_stays_and_the_run_has_an_agent_of_its_own() {
        let work = Path::new("/home/u/.aweave/work/aw-run-1");
        let of_user =
            r#"{"model": "a/b", "lsp": {}, "agent": {"build": {"permission": {"bash": "allow"}}}, /* mine */}"#;
        let settings = settings_of_run(Some(of_user), work);
        assert_eq!(settings["model"], "a/b");
        assert_eq!(settings["agent"]["build"]["permission"]["bash"], "allow");
        for of_user in [Some(of_user), Some("[]"), Some("{"), Some(r#"{"agent": 1}"#), None] {
            let settings = settings_of_run(of_user, work);
            let agent = &settings["agent"][AGENT];
            assert_eq!((&agent["permission"], &agent["mode"]), (&permission(work), &json!("primary")), "{of_user:?}");
            assert_eq!([&settings["formatter"], &settings["lsp"]], [&json!(false); 2], "{of_user:?}");
        }
    }

    #[test]
    fn its_files_are_named_by_the_paths_that_it_compares() {
        let home = tempfile::tempdir().unwrap();
        let work = home.path().join(".aweave/work/aw-run-1");
        let permitted = || {
            let edit = permission(&work)["edit"].as_object().unwrap().clone();
            assert_eq!(edit.iter().next().unwrap(), (&"*".to_owned(), &json!("deny")));
            edit.keys().filter(|path| path.ends_with("plan.md")).cloned().collect::<Vec<_>>()
        };
        let whole = work.join("plan.md").display().to_string()[1..].to_owned();
        assert_eq!(permitted(), ["plan.md", &whole]);
        fs::create_dir(home.path().join(".git")).unwrap();
        assert_eq!(permitted(), ["plan.md", &whole, ".aweave/work/aw-run-1/plan.md"]);
    }
}
