//! OpenCode: `opencode run`.

use std::{env, path::Path};

use serde_json::{Map, Value, json};

use super::{
    agent_program::{AgentProgram, Login, ReadEvents, Surroundings, words},
    credentials::{folder, has_word, is_set},
    said::{CallEnd, Calls, Said, add, microusd},
};

pub struct Opencode;

impl AgentProgram for Opencode {
    fn binary(&self) -> &'static str {
        "opencode"
    }

    fn tells_cost(&self) -> bool {
        true
    }

    fn login(&self) -> Login {
        Login { command: None, has_credentials }
    }

    fn arguments(&self, start: &Surroundings<'_>) -> Vec<String> {
        let work = start.work.display().to_string();
        let mut arguments = words(["run", "--format", "json", "--dir", &work, "--agent", AGENT]);
        if let Some(model) = start.model {
            arguments.extend(words(["--model", model]));
        }
        arguments
    }

    fn variables(&self, work: &Path) -> Vec<(&'static str, String)> {
        let own = env::var("OPENCODE_CONFIG_CONTENT").ok().and_then(|own| serde_json::from_str(&own).ok());
        let settings = with_agent(own.unwrap_or_default(), work);
        vec![
            ("OPENCODE_PERMISSION", permission(work).to_string()),
            ("OPENCODE_CONFIG_CONTENT", Value::Object(settings).to_string()),
        ]
    }

    fn reader(&self) -> Box<dyn ReadEvents> {
        Box::<Events>::default()
    }

    fn usage_limits(&self) -> &'static [&'static str] {
        &[
            r"you(?:'ve| have) (?:hit|reached|exceeded) your (?:[\w'-]+ ){0,4}(?:limits?|quota)\b",
            r"you exceeded your current quota\b",
            r"(?:(?:free|monthly|weekly|daily|\d+[- ]hour|usage|subscription) ){1,4}(?:limit reached|exceeded)\b",
            r"(?:your )?credit balance (?:is )?too low\b",
            r"insufficient (?:balance|credits?)\b",
            r"(?:the )?usage limit (?:has been )?reached\b",
            r"quota exceeded\b",
            r"insufficient_quota\b",
        ]
    }
}

/// The agent as which it works: what the user's settings permit to the usual ones would stand above what is permitted to all.
const AGENT: &str = "aweave-debate";

/// Settings with that agent.
fn with_agent(mut settings: Map<String, Value>, work: &Path) -> Map<String, Value> {
    let agent = json!({"mode": "primary", "description": "A side of a debate", "permission": permission(work)});
    match settings.get_mut("agent").and_then(Value::as_object_mut) {
        Some(agents) => drop(agents.insert(AGENT.to_owned(), agent)),
        None => drop(settings.insert("agent".to_owned(), json!({AGENT: agent}))),
    }
    settings
}

/// It reads files, and writes the plan and the notes. It has no sandbox for commands, so that it runs none.
fn permission(work: &Path) -> Value {
    let mut edit = Map::new();
    edit.insert("*".to_owned(), "deny".into());
    for name in ["plan.md", "notes.md"] {
        // Outside of a repository it compares paths from the root of the file system on.
        let path = work.join(name).display().to_string();
        for path in [name, path.trim_start_matches('/')] {
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
        || env::var("OPENCODE_CONFIG_CONTENT").is_ok_and(|text| text.contains(provider[0]))
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
                self.said.told_all_tokens = false;
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

    fn finish(mut self: Box<Self>, _work: &Path) -> Said {
        self.said.text = Some(self.message).filter(|message| !message.trim().is_empty());
        self.calls.enter(&mut self.said);
        self.said
    }
}
