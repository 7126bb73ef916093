//! Gemini CLI.

use std::{collections::HashMap, fs, mem, path::Path};

use serde_json::{Value, json};

use super::{
    agent_program::{AgentProgram, Login, ReadEvents, words},
    credentials::{folder, has_word, home, is_set},
    said::{CallEnd, Calls, Said, add},
};
use crate::files;

/// The file with the rules for its tools.
const POLICY: &str = "gemini-policy.toml";

pub const GEMINI: AgentProgram = AgentProgram {
    binary: "gemini",
    package: "@google/gemini-cli",
    is_default: true,
    tells_cost: false,
    tells_errors_on_stderr: true,
    reads_files_after_at: true,
    usage_limits: &[r"resource (?:has been )?exhausted\b", r"terminalquotaerror\b"],
    lacks: || None,
    login: Login { by: "gemini", command: None, has_credentials },
    arguments,
    variables: |_| Vec::new(),
    files,
    reader: || Box::<Events>::default(),
};

fn arguments(_work: &Path, code: &Path, _budget: Option<f64>) -> Vec<String> {
    let mut arguments = words(["--output-format", "stream-json", "--skip-trust", "--policy", POLICY]);
    let code = code.display().to_string();
    if !code.contains(',') {
        arguments.extend(words(["--include-directories", &code]));
    }
    arguments
}

fn files(work: &Path, code: &Path) -> Vec<(&'static str, String)> {
    let mut files = vec![(POLICY, policy(work))];
    let code = code.display().to_string();
    if code.contains(',') {
        // On its command line a comma ends a path.
        files.push((".gemini/settings.json", json!({"context": {"includeDirectories": [code]}}).to_string()));
    }
    if ![home(), folder("GEMINI_CLI_HOME", "")].into_iter().flatten().any(|home| has_variables(&home)) {
        files.push((VARIABLES, String::new()));
    }
    files
}

/// The file from which it takes variables, such as the address to which it sends its key: the nearest one in the folder in which it
/// runs and those above. Where its user has none, the search goes on above the user's home, where others may write; an empty one ends it.
const VARIABLES: &str = ".env";

/// Whether the search ends in this home.
fn has_variables(home: &Path) -> bool {
    [home.join(".gemini").join(VARIABLES), home.join(VARIABLES)].iter().any(|file| file.exists())
}

/// It reads files, and writes the plan and the notes. It has no sandbox for commands, so that it runs none.
fn policy(work: &Path) -> String {
    let path = Value::from(format!("{}/", work.display())).to_string();
    let path = regex_lite::escape(path.trim_matches('"'));
    // It refuses patterns in which a group that repeats has a sign of repetition in it, as this path may.
    let pattern = toml_edit::value(format!(r#"\x00"file_path":"(|{path})(plan|notes)\.md"\x00"#));
    let rule = |tools: &str, decision: &str, priority: u32, more: String| {
        format!("[[rule]]\ntoolName = {tools}\ndecision = \"{decision}\"\npriority = {priority}\n{more}\n")
    };
    let reads = r#"["read_file", "read_many_files", "list_directory", "grep_search", "glob", "update_topic"]"#;
    [
        rule("\"*\"", "deny", 900, String::new()),
        rule(reads, "allow", 950, String::new()),
        rule(r#"["write_file", "replace"]"#, "allow", 950, format!("argsPattern = {}\n", pattern.to_string().trim())),
    ]
    .concat()
}

fn has_credentials() -> bool {
    let variables = [
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_GENAI_USE_VERTEXAI",
        "GOOGLE_GENAI_USE_GCA",
        "GOOGLE_APPLICATION_CREDENTIALS",
    ];
    let below = |name: &str| Some(folder("GEMINI_CLI_HOME", "")?.join(".gemini").join(name));
    variables.into_iter().any(is_set)
        || has_word(below("oauth_creds.json"), &["token"])
        || has_word(below("gemini-credentials.json"), &[""])
        || has_word(below(".env"), &variables)
}

#[derive(Default)]
struct Events {
    said: Said,
    calls: Calls,
    /// Its name for what it does
    session: String,
    /// What it says, until it calls a tool
    message: String,
    /// Whether that is whole, so that the next message is another one
    is_whole: bool,
    errors: Vec<String>,
}

impl ReadEvents for Events {
    fn event(&mut self, event: &Value) {
        let text = |name: &str| event[name].as_str().unwrap_or_default().to_owned();
        match event["type"].as_str() {
            Some("init") => {
                self.calls.are_told();
                self.said.told_end = false;
                self.said.agent.model = event["model"].as_str().map(str::to_owned);
                self.session = text("session_id");
            }
            Some("message") if event["role"] == "assistant" => {
                self.said.told_end = false;
                if event["delta"] != true || mem::take(&mut self.is_whole) {
                    self.message.clear();
                }
                self.message += event["content"].as_str().unwrap_or_default();
            }
            Some("message") => self.said.told_end = false,
            Some("tool_use") => {
                self.said.told_end = false;
                self.message.clear();
                self.calls.begin(&text("tool_id"), &text("tool_name"), &event["parameters"]);
            }
            Some("tool_result") => {
                let end = match (event["status"].as_str(), event["error"]["type"].as_str()) {
                    (Some("error"), Some("policy_violation")) => CallEnd::NotPermitted,
                    (Some("error"), _) => CallEnd::Failed,
                    _ => CallEnd::Done,
                };
                self.calls.end(&text("tool_id"), end);
            }
            Some("error") => self.errors.extend(event["message"].as_str().map(str::to_owned)),
            Some("result") => {
                (self.said.told_end, self.is_whole) = (true, true);
                self.read_numbers(&event["stats"]);
                if event["status"] == "error" {
                    let told = event["error"]["message"].as_str().map(str::to_owned);
                    self.said.failure = told.or_else(|| self.errors.last().cloned()).or(Some("an error".to_owned()));
                }
            }
            // The form in which everything is one object.
            None if event["response"].is_string() || event["error"].is_object() => {
                self.message = text("response");
                self.said.failure = event["error"]["message"].as_str().map(str::to_owned);
            }
            Some(_) | None => {}
        }
    }

    fn told_end(&self) -> bool {
        self.said.told_end
    }

    fn finish(mut self: Box<Self>, work: &Path) -> Said {
        if !self.said.told_all_tokens
            && let Some(home) = folder("GEMINI_CLI_HOME", "")
        {
            let agent = &mut self.said.agent;
            for [input, cached, output] in kept_tokens(&home, work, &self.session) {
                add(&mut agent.input_tokens, Some(input));
                add(&mut agent.cached_tokens, Some(cached));
                add(&mut agent.output_tokens, Some(output));
            }
        }
        self.said.text = Some(self.message).filter(|message| !message.trim().is_empty());
        if self.said.text.is_none() && self.said.failure.is_none() {
            self.said.failure = self.errors.pop();
        }
        self.calls.enter(&mut self.said);
        self.said
    }
}

impl Events {
    fn read_numbers(&mut self, stats: &Value) {
        let agent = &mut self.said.agent;
        agent.input_tokens = stats["input_tokens"].as_u64();
        agent.cached_tokens = stats["cached"].as_u64();
        agent.output_tokens = stats["output_tokens"].as_u64();
        self.said.told_all_tokens = agent.output_tokens.is_some();
        let models = stats["models"].as_object().into_iter().flatten();
        let most = models.max_by_key(|(_, used)| used["output_tokens"].as_u64()).map(|(name, _)| name.clone());
        agent.model = most.or(agent.model.take());
    }
}

/// The tokens of each message in what it keeps of a session, for one that was ended before its result: read, those of them that were
/// cached, and written.
fn kept_tokens(home: &Path, work: &Path, session: &str) -> Vec<[u64; 3]> {
    let name = work.file_name().unwrap_or_default();
    let chats = home.join(".gemini/tmp").join(name).join("chats");
    // The file's name ends with the beginning of the session's.
    let Some(begin) = session.get(..8) else { return Vec::new() };
    let mut entries = fs::read_dir(chats).into_iter().flatten().flatten();
    let file = entries.find(|entry| entry.file_name().to_string_lossy().ends_with(&format!("-{begin}.jsonl")));
    let kept = file.and_then(|file| files::read_text(&file.path(), files::MAX_BYTES).ok()).unwrap_or_default();
    let mut messages = HashMap::new();
    for message in kept.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let tokens = |name: &str| message["tokens"][name].as_u64().unwrap_or_default();
        if let (Some(id), true) = (message["id"].as_str(), message["tokens"].is_object()) {
            // A message is kept once more when its calls have ended.
            let written = tokens("output").saturating_add(tokens("thoughts"));
            messages.insert(id.to_owned(), [tokens("input"), tokens("cached"), written]);
        }
    }
    messages.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_for_variables_ends_in_a_home_that_has_them() {
        for (file, ends) in [(".env", true), (".gemini/.env", true), (".gemini/settings.json", false)] {
            let home = tempfile::tempdir().unwrap();
            fs::create_dir(home.path().join(".gemini")).unwrap();
            fs::write(home.path().join(file), "").unwrap();
            assert_eq!(has_variables(home.path()), ends, "{file}");
        }
    }

    #[test]
    fn what_an_ended_session_used_is_found_in_what_is_kept_of_it() {
        let home = tempfile::tempdir().unwrap();
        let chats = home.path().join(".gemini/tmp/aw-run-1/chats");
        fs::create_dir_all(&chats).unwrap();
        let message = |id: &str, input: u64| {
            format!(
                r#"{{"id":"{id}","type":"gemini","tokens":{{"input":{input},"output":50,"cached":100,"thoughts":7,"total":0}}}}"#
            )
        };
        let begin = r#"{"sessionId":"0ec7e043-c526-401e-805d-a0aba75f8029","kind":"main"}"#;
        let user = r#"{"id":"u","type":"user","content":[{"text":"go"}]}"#;
        let lines = [begin, user, &message("a", 1), "{", &message("a", 1000), &message("b", 2000)];
        fs::write(chats.join("session-2026-11-27T05-55-0ec7e043.jsonl"), lines.join("\n")).unwrap();
        fs::write(chats.join("session-2026-11-27T05-56-11111111.jsonl"), message("c", 9)).unwrap();
        let mut found = kept_tokens(home.path(), Path::new("/tmp/aw-run-1"), "0ec7e043-c526-401e-805d-a0aba75f8029");
        found.sort_unstable();
        assert_eq!(found, [[1000, 100, 57], [2000, 100, 57]]);
        for (work, session) in
            [("/tmp/aw-run-2", "0ec7e043-c526"), ("/tmp/aw-run-1", "0ec7"), ("/", "0ec7e043"), ("/tmp/aw-run-1", "")]
        {
            assert_eq!(kept_tokens(home.path(), Path::new(work), session), Vec::<[u64; 3]>::new(), "{work} {session}");
        }
    }

    #[test]
    fn only_the_plan_and_the_notes_may_be_written() {
        let policy: toml_edit::DocumentMut = policy(Path::new("/tmp/a 'b' (c*?{d})+/aw-run-1")).parse().unwrap();
        let rules = policy["rule"].as_array_of_tables().unwrap();
        assert_eq!(rules.get(0).unwrap()["toolName"].as_str(), Some("*"));
        let pattern = rules.get(2).unwrap()["argsPattern"].as_str().unwrap().to_owned();
        let is_refused = regex_lite::Regex::new(r"\([^)]*[*+?{].*\)[*+?{]").unwrap();
        assert!(!is_refused.is_match(&pattern), "{pattern}");
        let pattern = regex_lite::Regex::new(&pattern).unwrap();
        let is_allowed = |path: &str| pattern.is_match(&format!("{{\0\"file_path\":\"{path}\"\0,\"content\":\"x\"}}"));
        for path in ["plan.md", "notes.md", "/tmp/a 'b' (c*?{d})+/aw-run-1/plan.md"] {
            assert!(is_allowed(path), "{path}");
        }
        for path in ["/code/plan.md", "../plan.md", "other.md", "/tmp/a 'b' (c*?{d})+/aw-run-1/x/plan.md", "xplan.md"] {
            assert!(!is_allowed(path), "{path}");
        }
    }
}
