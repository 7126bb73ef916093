//! Codex: `codex exec`.

use std::path::Path;

use serde_json::Value;
use toml_edit::{DocumentMut, InlineTable};

use super::{
    agent_program::{AgentProgram, Login, ReadEvents, words},
    credentials::{MAX_BYTES, folder, is_set},
    said::{CallEnd, Calls, Said, add},
};
use crate::{commands::debate::run::work_folder::SCHEMA, files};

pub const CODEX: AgentProgram = AgentProgram {
    binary: "codex",
    package: "@openai/codex",
    is_default: true,
    tells_cost: false,
    tells_errors_on_stderr: false,
    reads_files_after_at: false,
    usage_limits: &[r"to use codex with your chatgpt plan\b", r"exceeded retry limit, last status: 429\b"],
    lacks: || None,
    login: Login { by: "codex login", command: Some("login status"), has_credentials },
    arguments,
    variables: |_| Vec::new(),
    files: |_, _| Vec::new(),
    reader: || Box::<Events>::default(),
};

fn arguments(_work: &Path, _code: &Path, _budget: Option<f64>) -> Vec<String> {
    let mut arguments = words(["exec", "--json", "--output-schema", SCHEMA, "--sandbox", "workspace-write"]);
    arguments.extend(words(["--ephemeral", "--skip-git-repo-check", "--ignore-rules"]));
    // What its user permits where he works himself is not for a run: other folders and the network, commands that go past the
    // sandbox, and servers of tools, which are outside of it.
    for bound in ["exclude_slash_tmp=true", "exclude_tmpdir_env_var=true", "writable_roots=[]", "network_access=false"]
    {
        arguments.extend(words(["-c", &format!("sandbox_workspace_write.{bound}")]));
    }
    for setting in
        ["approval_policy=\"never\"", "features.apps=false", "features.plugins=false", "features.multi_agent=false"]
    {
        arguments.extend(words(["-c", setting]));
    }
    if let Some(off) = without_servers(&settings()) {
        arguments.extend(words(["-c", &off]));
    }
    arguments.push("-".to_owned());
    arguments
}

fn has_credentials() -> bool {
    is_set("CODEX_API_KEY") || settings().iter().any(names_provider)
}

/// Its settings: those of its user, and those of the system.
fn settings() -> Vec<DocumentMut> {
    let folders = [folder("CODEX_HOME", ".codex"), Some("/etc/codex".into())].into_iter().flatten();
    let texts = folders.filter_map(|folder| files::read_text(&folder.join("config.toml"), MAX_BYTES).ok());
    texts.filter_map(|text| text.parse().ok()).collect()
}

/// The setting that turns off each server of tools that is named in some; none if none is. An empty table would leave them as they are.
fn without_servers(settings: &[DocumentMut]) -> Option<String> {
    let servers = settings.iter().filter_map(|settings| settings.get("mcp_servers")?.as_table_like());
    let names = servers.flat_map(|servers| servers.iter().map(|(name, _)| name.to_owned()));
    let off: InlineTable = names.map(|name| (name, InlineTable::from_iter([("enabled", false)]))).collect();
    (!off.is_empty()).then(|| format!("mcp_servers={off}"))
}

/// Whether settings, or the profile that they choose, name a provider of models of the user's own, which needs no login.
fn names_provider(settings: &DocumentMut) -> bool {
    let text = |item: Option<&toml_edit::Item>| item.and_then(|item| item.as_str()).map(str::to_owned);
    let of_profile = text(settings.get("profile"))
        .and_then(|name| text(settings.get("profiles")?.get(&name)?.get("model_provider")));
    let provider = of_profile.or_else(|| text(settings.get("model_provider")));
    provider.is_some_and(|name| name != "openai")
}

#[derive(Default)]
struct Events {
    said: Said,
    calls: Calls,
    /// What it told as an error, which need not be the end
    error: Option<String>,
    /// Whether a message came after that, or the turn ended
    is_overcome: bool,
}

impl ReadEvents for Events {
    fn event(&mut self, event: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match event["type"].as_str() {
            Some("thread.started") => self.calls.are_told(),
            Some("turn.started") => {
                self.calls.are_told();
                (self.said.told_all_tokens, self.said.told_end) = (false, false);
            }
            Some("item.completed") => {
                let item = &event["item"];
                let kind = item["type"].as_str().unwrap_or_default();
                match kind {
                    "agent_message" => {
                        self.said.text = item["text"].as_str().map(str::to_owned);
                        self.is_overcome = true;
                    }
                    "command_execution" | "file_change" | "mcp_tool_call" | "collab_tool_call" | "web_search" => {
                        let id = text(&item["id"]);
                        self.calls.begin(&id, kind, &item["changes"]);
                        self.calls.end(&id, end_of(item));
                    }
                    _ => {}
                }
            }
            Some("turn.completed") => {
                (self.said.told_end, self.is_overcome) = (true, true);
                let tokens = |name: &str| event["usage"][name].as_u64();
                let agent = &mut self.said.agent;
                self.said.told_all_tokens = tokens("output_tokens").is_some();
                add(&mut agent.input_tokens, tokens("input_tokens"));
                add(&mut agent.cached_tokens, tokens("cached_input_tokens"));
                add(&mut agent.output_tokens, tokens("output_tokens"));
            }
            Some("turn.failed") => {
                let told = event["error"]["message"].as_str().map(str::to_owned).or(self.error.clone());
                self.said.failure = Some(told.unwrap_or_else(|| "the turn failed".to_owned()));
            }
            Some("error") => {
                self.error = event["message"].as_str().map(str::to_owned);
                self.is_overcome = self.said.told_end;
            }
            Some(_) | None => {}
        }
    }

    fn told_end(&self) -> bool {
        self.said.told_end
    }

    fn finish(mut self: Box<Self>, _work: &Path) -> Said {
        // What it says while it works has the form of an answer, too.
        if self.said.text.is_none() || !self.is_overcome {
            self.said.failure = self.said.failure.or(self.error);
        }
        self.calls.enter(&mut self.said);
        self.said
    }
}

fn end_of(item: &Value) -> CallEnd {
    let has_failed = item["exit_code"].as_i64().is_some_and(|code| code != 0);
    match item["status"].as_str() {
        Some("declined") => CallEnd::NotPermitted,
        Some("failed") => CallEnd::Failed,
        _ if has_failed => CallEnd::Failed,
        Some(_) | None => CallEnd::Done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_of_tools_are_turned_off_by_their_names() {
        let settings = |text: &str| text.parse::<DocumentMut>().unwrap();
        let of_user = settings("[mcp_servers.one]\ncommand = \"x\"\n[mcp_servers.\"a.b\".env]\nA = \"1\"\n");
        let of_system = settings("mcp_servers = {two = {url = \"http://x\"}}\n");
        let off = without_servers(&[of_user, of_system]).unwrap();
        let parsed = settings(&off);
        let names: Vec<_> = parsed["mcp_servers"].as_table_like().unwrap().iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["one", "a.b", "two"]);
        assert!(names.iter().all(|name| parsed["mcp_servers"][name]["enabled"].as_bool() == Some(false)), "{off}");
        for text in ["", "mcp_servers = 1", "[mcp_servers]"] {
            assert_eq!(without_servers(&[settings(text)]), None, "{text}");
        }
    }

    #[test]
    fn a_provider_of_the_users_own_is_found_in_the_settings_and_in_a_profile() {
        for (settings, has) in [
            ("", false),
            ("model_provider = \"openai\"", false),
            ("model_provider = \"azure\"", true),
            ("profile = \"azure\"\n[profiles.azure]\nmodel_provider = \"azure\"", true),
            ("profile = \"azure\"\nmodel_provider = \"mine\"\n[profiles.azure]\nmodel = \"x\"", true),
            ("profile = \"usual\"\nmodel_provider = \"mine\"\n[profiles.usual]\nmodel_provider = \"openai\"", false),
            ("profile = \"gone\"", false),
            ("[profiles.azure]\nmodel_provider = \"azure\"", false),
        ] {
            assert_eq!(names_provider(&settings.parse().unwrap()), has, "{settings}");
        }
    }
}
