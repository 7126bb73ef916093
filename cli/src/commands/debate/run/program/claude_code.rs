//! Claude Code: `claude -p`.

use std::{collections::HashMap, path::Path};

use serde_json::Value;

use super::{
    agent_program::{AgentProgram, Login, ReadEvents, words},
    said::{CallEnd, Calls, Said, microusd},
    usage_limit,
};
use crate::{client::types::Agent, commands::debate::run::answer, programs};

/// The tool by which the model gives an answer that follows a schema.
const ANSWER_TOOL: &str = "StructuredOutput";

pub const CLAUDE_CODE: AgentProgram = AgentProgram {
    binary: "claude",
    package: "@anthropic-ai/claude-code",
    is_default: true,
    tells_cost: true,
    tells_errors_on_stderr: false,
    reads_files_after_at: true,
    usage_limits: &[
        r"limit reached[^\w\n]+resets?\b",
        r"your (?:[\w'-]+ ){0,3}limit will reset\b",
        r"this request would exceed your (?:account|organization)'s rate limits?\b",
        r"your usage allocation has been disabled\b",
        r"your seat type doesn't include (?:[\w'-]+ )?usage\b",
        r"[a-z]+(?: [\d.]+)? requires usage credits\b",
        r"(?:usage credits|extra usage) (?:ran out|(?:is |are )?required)\b",
        r"usage is paused for your (?:org|organization|team|workspace)\b",
        r"your (?:[\w'-]+ ){0,3}usage limit is set to \$0",
    ],
    lacks,
    login: Login { by: "claude auth login", command: Some("auth status"), has_credentials: || false },
    arguments,
    variables,
    files: |_, _| Vec::new(),
    reader: || Box::<Events>::default(),
};

fn lacks() -> Option<&'static str> {
    let has_sandbox = ["bwrap", "socat"].iter().all(|name| programs::find(name).is_some());
    (cfg!(target_os = "linux") && !has_sandbox)
        .then_some("claude-code runs hardly any commands here: its sandbox needs bubblewrap and socat")
}

fn arguments(_work: &Path, _code: &Path, budget: Option<f64>) -> Vec<String> {
    let tools = "Read,Grep,Glob,Edit(./**)";
    // Commands run in the sandbox that the program has for them, or not at all.
    let settings = r#"{"sandbox":{"enabled":true,"autoAllowBashIfSandboxed":true,"allowUnsandboxedCommands":false}}"#;
    let mut arguments = words(["-p", "--output-format", "stream-json", "--verbose", "--json-schema", answer::SCHEMA]);
    arguments.extend(words(["--permission-mode", "dontAsk", "--allowedTools", tools, "--settings", settings]));
    // Whoever waits for what they begin lives on after the answer.
    arguments.extend(words(["--disallowedTools", "ScheduleWakeup,CronCreate,Monitor"]));
    arguments.extend(words(["--setting-sources", "user", "--strict-mcp-config", "--no-session-persistence"]));
    if let Some(budget) = budget {
        arguments.extend(words(["--max-budget-usd", &format!("{budget:.4}")]));
    }
    arguments
}

fn variables(_work: &Path) -> Vec<(&'static str, String)> {
    // A subagent is waited for: one in the background ends after the answer, and has the model answer once more.
    vec![("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1".to_owned())]
}

#[derive(Default)]
struct Events {
    calls: Calls,
    /// The ids of calls that were not permitted, which the messages tell as errors
    denied: Vec<String>,
    /// The ids of calls that failed
    failed: Vec<String>,
    /// The ids of calls that give the answer
    answers: Vec<String>,
    /// The last answer that was given so, which some versions leave out of the result
    answer: Option<String>,
    /// Why that was refused
    refusal: Option<String>,
    result: Option<Value>,
    /// Whether nothing came after that: a model that goes on gives another one
    is_over: bool,
    /// What the newest request met of the user's limits, until one is answered
    rate_limit: Value,
    /// What each message used, by its id: the same is told for each part of it
    used: HashMap<String, [u64; 3]>,
    /// What a message said, where no result comes
    message: Option<String>,
    model: Option<String>,
}

/// How many messages, and calls of a kind, are told apart.
const MAX_MESSAGES: usize = 10_000;

impl ReadEvents for Events {
    fn event(&mut self, event: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match event["type"].as_str() {
            Some("result") => (self.result, self.is_over) = (Some(event.clone()), true),
            Some("system") if event["subtype"] == "init" => self.is_over = false,
            Some("rate_limit_event") => self.rate_limit = event["rate_limit_info"].clone(),
            Some("system") if event["subtype"] == "permission_denied" && self.denied.len() < MAX_MESSAGES => {
                self.denied.push(text(&event["tool_use_id"]));
            }
            Some("assistant" | "user") => {
                let message = &event["message"];
                let is_real = message["model"] != "<synthetic>";
                self.is_over = false;
                if is_real && event["type"] == "assistant" {
                    self.rate_limit = Value::Null;
                }
                if let (Some(id), true) = (message["id"].as_str(), is_real && self.used.len() < MAX_MESSAGES) {
                    self.model = message["model"].as_str().map(str::to_owned).or(self.model.take());
                    self.used.insert(id.to_owned(), used_by(&message["usage"], USAGE));
                }
                for part in message["content"].as_array().into_iter().flatten() {
                    if is_real {
                        self.calls.are_told();
                    }
                    match part["type"].as_str() {
                        Some("tool_use") if part["name"] != ANSWER_TOOL => {
                            self.calls.begin(&text(&part["id"]), &text(&part["name"]), &part["input"]);
                        }
                        Some("tool_use") if self.answers.len() < MAX_MESSAGES => {
                            self.answers.push(text(&part["id"]));
                            self.answer = Some(part["input"].to_string());
                        }
                        Some("tool_result") => self.end_call(text(&part["tool_use_id"]), part),
                        Some("text") => self.message = part["text"].as_str().map(str::to_owned),
                        Some(_) | None => {}
                    }
                }
            }
            Some(_) | None => {}
        }
    }

    fn told_end(&self) -> bool {
        self.is_over
    }

    fn finish(mut self: Box<Self>, _work: &Path) -> Said {
        let mut said = Said::default();
        let Some(result) = self.result.take() else {
            let [input, cached, output] = self.used.values().fold([0; 3], |sum, used| plus(sum, *used));
            if !self.used.is_empty() {
                said.agent = agent(self.model, [input, cached, output]);
            }
            said.text = self.answer.or(self.message);
            self.calls.enter(&mut said);
            return said;
        };
        said.told_end = true;
        // Without a result it may have ended for another reason.
        said.refusal = self.refusal.take();
        // Versions that print the result alone tell denied calls, and no others.
        for denial in result["permission_denials"].as_array().into_iter().flatten() {
            let is_among = |ids: &[String]| ids.iter().any(|id| denial["tool_use_id"] == id.as_str());
            let (tool, input) = (denial["tool_name"].as_str().unwrap_or_default(), &denial["tool_input"]);
            if is_among(&self.failed) {
                self.calls.was_not_permitted(tool, input);
            } else if !is_among(&self.denied) {
                self.calls.not_permitted(tool, input);
            }
        }
        // `usage` leaves subagents out; `modelUsage` has all models.
        let models = result["modelUsage"].as_object();
        let by_model = || models.into_iter().flatten().map(|(name, usage)| (name, used_by(usage, MODEL_USAGE)));
        let of_models = by_model().fold([0; 3], |sum, (_, used)| plus(sum, used));
        let of_loop = used_by(&result["usage"], USAGE);
        let most = by_model().max_by_key(|(_, [_, _, output])| *output).map(|(name, _)| name.clone());
        let used = [0, 1, 2].map(|index| of_models[index].max(of_loop[index]));
        if result["usage"].is_object() || models.is_some_and(|models| !models.is_empty()) {
            said.agent = agent(most.or(self.model), used);
            said.told_all_tokens = true;
        }
        said.agent.cost_microusd = microusd(&result["total_cost_usd"]);
        let structured = Some(&result["structured_output"]).filter(|answer| !answer.is_null()).map(Value::to_string);
        let text = result["result"].as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
        // What became of the answer is no failure of the program.
        let is_without_answer = result["subtype"] == "error_max_structured_output_retries" && said.refusal.is_some();
        if !is_without_answer && (result["is_error"] == true || result["subtype"] != "success") {
            let subtype = result["subtype"].as_str().unwrap_or("an error").to_owned();
            let errors = result["errors"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let errors = Some(errors.collect::<Vec<_>>().join("; ")).filter(|errors| !errors.is_empty());
            said.used_up_budget = subtype == "error_max_budget_usd";
            let failure = text.or(errors).unwrap_or(subtype);
            let refused = self.rate_limit["status"] == "rejected" && self.rate_limit["isUsingOverage"] != true;
            said.failure = Some(match refused && !said.used_up_budget {
                true => usage_limit::refused(CLAUDE_CODE.usage_limits, &failure, &self.rate_limit["resetsAt"]),
                false => failure,
            });
        } else {
            // After its answer it may say more, as when a subagent ends, in a result of its own.
            said.text = structured.or(self.answer).or(text);
        }
        self.calls.enter(&mut said);
        said
    }
}

impl Events {
    fn end_call(&mut self, id: String, result: &Value) {
        let is_error = result["is_error"] == true;
        if self.answers.contains(&id) {
            self.refusal = is_error.then(|| text_of(&result["content"]));
            self.answer = self.answer.take().filter(|_| !is_error);
            return;
        }
        let end = match is_error {
            true if self.denied.contains(&id) => CallEnd::NotPermitted,
            true => CallEnd::Failed,
            false => CallEnd::Done,
        };
        self.calls.end(&id, end);
        if end == CallEnd::Failed && self.failed.len() < MAX_MESSAGES {
            self.failed.push(id);
        }
    }
}

/// The text of a result, which is one or a list of parts.
fn text_of(content: &Value) -> String {
    let parts = content.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str());
    content.as_str().map_or_else(|| parts.collect::<Vec<_>>().join(" "), str::to_owned)
}

/// The names of tokens: those that were read but not cached, read from the cache, written to it, and written by the model.
type Names = [&'static str; 4];

const USAGE: Names = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"];
const MODEL_USAGE: Names = ["inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "outputTokens"];

/// Tokens that were read, those of them that were cached, and those that were written.
fn used_by(usage: &Value, names: Names) -> [u64; 3] {
    let [input, cached, created, output] = names.map(|name| usage[name].as_u64().unwrap_or_default());
    [input.saturating_add(cached).saturating_add(created), cached, output]
}

fn plus(one: [u64; 3], other: [u64; 3]) -> [u64; 3] {
    [0, 1, 2].map(|index| one[index].saturating_add(other[index]))
}

fn agent(model: Option<String>, [input, cached, output]: [u64; 3]) -> Agent {
    Agent {
        model,
        input_tokens: Some(input),
        cached_tokens: Some(cached),
        output_tokens: Some(output),
        ..Agent::default()
    }
}
