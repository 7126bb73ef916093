//! Each agent program that a run can start, played by a stand-in that prints what the real one prints.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
};

use serde_json::{Value, json};
use tests::{debate::text, fixtures, ids, polling};

use super::{User, scripted};

/// What an agent program that is logged in needs besides its file.
const CREDENTIALS: [(&str, &str); 3] =
    [("GEMINI_API_KEY", "none"), ("OPENCODE_API_KEY", "none"), ("COPILOT_GITHUB_TOKEN", "none")];

impl User {
    /// A user who has stand-ins for all agent programs.
    pub async fn with_programs() -> Self {
        let Self { agent, client, log, server } = Self::new().await;
        let bin = log.path().join("bin");
        fs::create_dir(&bin).unwrap();
        for name in ["claude", "codex", "gemini", "opencode", "copilot"] {
            symlink(fixtures::path("agent-program.sh"), bin.join(name)).unwrap();
        }
        let agent = agent.env("PATH", &format!("{}:/usr/local/bin:/usr/bin:/bin", bin.display()));
        let agent = CREDENTIALS.iter().fold(agent, |agent, (name, value)| agent.env(name, value));
        Self { agent, client, log, server }
    }

    /// Says what a stand-in does, in the language of a shell. `$start` counts its starts for a turn.
    pub fn script(&self, name: &str, script: &str) {
        fs::write(self.log.path().join(format!("{name}.sh")), script).unwrap();
    }

    /// How often a program was started for a turn.
    pub fn count(&self, start: &str) -> usize {
        self.starts().iter().filter(|name| *name == start).count()
    }
}

/// A script that prints events, a line each.
pub fn prints(events: &[Value]) -> String {
    let lines: Vec<_> = events.iter().map(Value::to_string).collect();
    format!("cat <<'END'\n{}\nEND\n", lines.join("\n"))
}

/// What codex prints: commands that ended with these statuses, and an answer.
pub fn codex(commands: &[i32], answer: &Value) -> Vec<Value> {
    let mut events = vec![json!({"type": "thread.started", "thread_id": "t"}), json!({"type": "turn.started"})];
    events.extend(commands.iter().enumerate().map(|(id, exit)| {
        let status = if *exit == 0 { "completed" } else { "failed" };
        json!({"type": "item.completed", "item": {
            "id": id.to_string(), "type": "command_execution", "command": "cat plan.md", "exit_code": exit, "status": status,
        }})
    }));
    let message = json!({"id": "m", "type": "agent_message", "text": answer.to_string()});
    events.push(json!({"type": "item.completed", "item": message}));
    let usage = json!({"input_tokens": 100, "cached_input_tokens": 50, "output_tokens": 20});
    events.push(json!({"type": "turn.completed", "usage": usage}));
    events
}

/// What each program prints when it has read a file and answers.
fn events(name: &str, answer: &Value) -> Vec<Value> {
    let said = answer.to_string();
    match name {
        "claude-code" => vec![
            json!({"type": "assistant", "message": {"id": "m", "model": "opus", "content": [
                {"type": "tool_use", "id": "1", "name": "Read", "input": {"file_path": "plan.md"}},
            ]}}),
            json!({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "1", "content": "x"}]}}),
            json!({"type": "result", "subtype": "success", "is_error": false, "structured_output": answer, "total_cost_usd": 0.01,
                   "usage": {"input_tokens": 50, "cache_read_input_tokens": 50, "output_tokens": 20},
                   "modelUsage": {"opus": {"inputTokens": 50, "cacheReadInputTokens": 50, "outputTokens": 20}}}),
        ],
        "codex" => codex(&[0], answer),
        "gemini" => vec![
            json!({"type": "init", "model": "pro"}),
            json!({"type": "tool_use", "tool_name": "read_file", "tool_id": "1", "parameters": {"file_path": "plan.md"}}),
            json!({"type": "tool_result", "tool_id": "1", "status": "success"}),
            json!({"type": "message", "role": "assistant", "content": said, "delta": true}),
            json!({"type": "result", "status": "success", "stats": {"input_tokens": 100, "cached": 50, "output_tokens": 20}}),
        ],
        "opencode" => vec![
            json!({"type": "step_start", "part": {}}),
            json!({"type": "tool_use", "part": {"tool": "read", "callID": "1", "state": {"status": "completed", "input": {}}}}),
            json!({"type": "text", "part": {"messageID": "m", "text": said}}),
            json!({"type": "step_finish", "part": {"reason": "stop", "tokens": {"input": 50, "output": 20, "cache": {"read": 50, "write": 0}}, "cost": 0.01}}),
        ],
        "copilot" => vec![
            json!({"type": "assistant.turn_start", "data": {}}),
            json!({"type": "tool.execution_start", "data": {"toolCallId": "1", "toolName": "view", "arguments": {"path": "plan.md"}}}),
            json!({"type": "tool.execution_complete", "data": {"toolCallId": "1", "success": true}}),
            json!({"type": "assistant.message", "data": {"model": "gpt", "content": said}}),
            json!({"type": "result", "exitCode": 0}),
        ],
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn each_agent_program_plays_and_what_it_used_and_looked_at_is_kept() {
    let user = User::with_programs().await;
    let plan = user.agent.file("plan.md", "# Cache the prices\n\nKeep them.\n");
    for (name, binary, cost) in [
        ("claude-code", "claude", Some(10_000)),
        ("codex", "codex", None),
        ("gemini", "gemini", None),
        ("opencode", "opencode", Some(10_000)),
        ("copilot", "copilot", None),
    ] {
        user.script(binary, &prints(&events(name, &json!({"content": "Nothing is wrong."}))));
        let data = user.run("plain", &[&plan, "--quick", "--opponent", name]).await.data();
        assert_eq!((&data["debate_state"], &data["outcome"]), (&json!("CLOSED"), &json!("agreed")), "{name}");
        let history = user.history(&text(&data["debate_id"])).await;
        let agent = &history[1]["agents"][0];
        assert_eq!((&agent["program"], &agent["purpose"]), (&json!(name), &json!("turn")), "{agent}");
        let calls = ["calls", "failed_calls", "denied_calls"].map(|number| agent[number].as_u64());
        assert_eq!((calls, agent["cost_microusd"].as_u64()), ([1, 0, 0].map(Some), cost), "{name}: {agent}");
        if name != "copilot" {
            let tokens = ["input_tokens", "cached_tokens", "output_tokens"].map(|number| agent[number].as_u64());
            assert_eq!(tokens, [100, 50, 20].map(Some), "{name}: {agent}");
        }
        assert!(user.prompt(&format!("opponent-1-{binary}")).contains("You are the opponent"));
    }
}

#[tokio::test]
async fn doctor_and_a_dry_run_list_the_programs_and_a_cost_that_is_not_told_is_refused() {
    let user = User::with_programs().await;
    let doctor = user.agent.run(&["doctor"]).await.data();
    let checks = doctor["checks"].as_array().unwrap();
    let agents = text(&checks.iter().find(|check| check["name"] == "agents").unwrap()["detail"]);
    for told in [
        "claude-code: claude 1.2.3, logged in",
        "codex: codex 1.2.3, logged in",
        "gemini: gemini 1.2.3, login not checked",
        "opencode: opencode 1.2.3, login not checked",
        "copilot: copilot 1.2.3, login not checked",
    ] {
        assert!(agents.contains(told), "{told}: {agents}");
    }
    for (name, tells_cost) in
        [("claude-code", true), ("codex", false), ("gemini", false), ("opencode", true), ("copilot", false)]
    {
        let run = user.run("plain", &["--dry-run", "--max-cost", "1", "--opponent", name]).await;
        if tells_cost {
            let line = run.data()["agents"][1]["command_line"].clone();
            assert!(line.as_array().unwrap().len() > 3, "{line}");
        } else {
            let refused = run.failure(4, "INVALID_INPUT");
            assert!(text(&refused["error"]["message"]).contains(name), "{refused}");
        }
    }
}

#[tokio::test]
async fn a_login_is_found_in_the_files_of_the_programs() {
    let user = User::with_programs().await;
    let agent = CREDENTIALS.iter().fold(user.agent, |agent, (name, _)| agent.env(name, "")).env("LOGGED_OUT", "1");
    let logins = async || {
        let data = agent.run(&["doctor"]).await.data();
        let agents = data["checks"].as_array().unwrap().iter().find(|check| check["name"] == "agents").unwrap();
        let of = |name: &str| {
            let detail = text(&agents["detail"]);
            let told = detail.split(&format!("{name} 1.2.3, ")).nth(1).unwrap().to_owned();
            ["not logged in", "logged in", "login not checked"]
                .into_iter()
                .find(|login| told.starts_with(login))
                .unwrap()
        };
        ["codex", "gemini", "opencode", "copilot"].map(of)
    };
    assert_eq!(logins().await, ["not logged in"; 4]);
    for (file, content) in [
        (".codex/config.toml", "model_provider = \"mine\"\n"),
        (".gemini/oauth_creds.json", "{\"access_token\": \"x\"}"),
        (".local/share/opencode/auth.json", "{\"mine\": {\"type\": \"api\"}}"),
        (".copilot/config.json", "{\"loggedInUsers\": []}"),
    ] {
        let path = agent.home().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    assert_eq!(logins().await, ["logged in", "login not checked", "login not checked", "login not checked"]);
}

#[tokio::test]
async fn what_a_program_may_write_is_named_by_its_real_path() {
    let user = User::with_programs().await;
    // The signs of lists and patterns in a path are not those of what it may write.
    let (target, link) = (user.agent.home().join("a(b),[c]"), user.log.path().join("link"));
    fs::create_dir(&target).unwrap();
    symlink(&target, &link).unwrap();
    let user = User { agent: user.agent.env("HOME", link.to_str().unwrap()), ..user };
    for (name, binary) in [("claude-code", "claude"), ("codex", "codex"), ("gemini", "gemini"), ("copilot", "copilot")]
    {
        user.script(binary, &prints(&events(name, &json!({"content": "Nothing is wrong."}))));
        user.run("plain", &["--quick", "--opponent", name]).await.data();
        let read =
            |file: &str| fs::read_to_string(user.log.path().join(format!("opponent-1-{binary}.{file}"))).unwrap();
        let (arguments, folder) = (read("arguments"), read("folder"));
        let place = fs::canonicalize(&target).unwrap().join(".aweave/work/aw-run-");
        assert!(folder.starts_with(place.to_str().unwrap()), "{folder}");
        let may_write = match binary {
            "claude" => "Edit(./**)".to_owned(),
            "codex" => "--output-schema answer.schema.json --sandbox workspace-write".to_owned(),
            "gemini" => "--policy gemini-policy.toml".to_owned(),
            _ => format!("write({}/plan.md)", folder.trim().rsplit('/').next().unwrap()),
        };
        assert!(arguments.contains(&may_write), "{may_write}: {arguments}");
        let below_home = [&link, &target].map(|home| format!("{}/.aweave/work", home.display()));
        assert!(!below_home.iter().any(|path| arguments.contains(path)), "{arguments}");
    }
}

#[tokio::test]
async fn what_others_leave_above_the_folder_of_a_program_is_not_looked_for() {
    let user = User::with_programs().await;
    let says = |name: &str, shell: &str| {
        let events = prints(&events(name, &json!({"content": "Nothing is wrong."})));
        user.script(name, &format!("{shell} > \"$AGENT_LOG/{name}.told\"\n{events}"));
    };
    let told = |name: &str| fs::read_to_string(user.log.path().join(format!("{name}.told"))).unwrap();
    says("opencode", "env");
    user.run("plain", &["--quick", "--opponent", "opencode"]).await.data();
    let variables = told("opencode");
    assert!(variables.contains("OPENCODE_DISABLE_PROJECT_CONFIG=1\n"), "{variables}");
    assert!(variables.contains("OPENCODE_CONFIG_CONTENT={\"agent\":{\"aw-debate-run\":"), "{variables}");
    // The search for variables ends in its folder, or where the user has some.
    says("gemini", "ls -A");
    user.run("plain", &["--quick", "--opponent", "gemini"]).await.data();
    assert!(told("gemini").lines().any(|name| name == ".env"), "{}", told("gemini"));
    user.agent.shell("mkdir .gemini && touch .gemini/.env").await;
    user.run("plain", &["--quick", "--opponent", "gemini"]).await.data();
    assert!(!told("gemini").lines().any(|name| name == ".env"), "{}", told("gemini"));
}

#[tokio::test]
async fn by_default_the_first_two_of_three_programs_play() {
    let user = User::with_programs().await;
    let bin = user.log.path().join("bin");
    let sides = async |gone: &str| {
        if !gone.is_empty() {
            fs::remove_file(bin.join(gone)).unwrap();
        }
        let data = user.agent.run(&["debate", "run", "--dry-run", "--task", "x"]).await.data();
        let agents = data["agents"].as_array().unwrap();
        let names = agents.iter().map(|agent| text(&agent["command_line"][0]).rsplit('/').next().unwrap().to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(sides("").await, "claude codex");
    assert_eq!(sides("codex").await, "claude gemini");
    assert_eq!(sides("claude").await, "gemini gemini");
    fs::remove_file(bin.join("gemini")).unwrap();
    let refused = user.agent.run(&["debate", "run", "--dry-run", "--task", "x"]).await.failure(4, "INVALID_INPUT");
    assert!(text(&refused["error"]["message"]).contains("none of claude-code, codex and gemini"), "{refused}");
}

#[tokio::test]
async fn a_person_sees_of_a_dry_run_who_would_be_started_and_the_first_lines_of_what_is_asked() {
    let user = User::with_programs().await;
    let dry = ["debate", "run", "--dry-run", "--task", "x"];
    let agent = user.agent.env("NO_COLOR", "1");
    let whole = agent.run(&[&dry[..], &["--format", "markdown"]].concat()).await.stdout;
    let shown = async || agent.run_at_terminal(80, &dry).await.stdout;
    let page = shown().await;
    assert!(page.lines().count() < 90 && whole.lines().count() > 150, "{page}");
    let (asked, started) = page.split_once("Who would be started").unwrap();
    assert!(asked.contains("more lines, which `--format markdown` prints."), "{page}");
    assert!(started.contains("proposer: claude-code\n") && started.contains("opponent: codex\n"), "{page}");
    fs::remove_file(user.log.path().join("bin/codex")).unwrap();
    fs::remove_file(user.log.path().join("bin/gemini")).unwrap();
    let page = shown().await;
    assert!(page.contains("proposer and opponent: claude-code\n"), "{page}");
}

#[tokio::test]
async fn a_command_is_called_by_its_own_name_although_it_starts_a_program_that_is_known() {
    let user = User::with_programs().await;
    user.script("claude", &prints(&[json!({"content": "Nothing is wrong."})]));
    let more = ["--quick", "--opponent", "command:claude --print"];
    let words = user.words("plain", &[&more[..], &["--dry-run"]].concat());
    let page = user.agent.run_at_terminal(80, &words).await.stdout;
    assert!(page.contains("opponent: claude\n"), "{page}");
    let run = user.run("plain", &more).await;
    assert!(run.stderr.contains("aw: proposer: agent.sh, opponent: claude\n"), "{}", run.stderr);
    let data = run.data();
    let history = user.history(&text(&data["debate_id"])).await;
    for agents in [&data["agents"], &history[1]["agents"]] {
        let mut programs = agents.as_array().unwrap().iter().map(|agent| &agent["program"]);
        assert!(programs.any(|program| program == "claude"), "{agents}");
        assert!(!agents.to_string().contains("claude-code"), "{agents}");
    }
}

#[tokio::test]
async fn that_one_program_plays_both_sides_is_told_once_to_a_person_and_in_the_warning_of_others() {
    let user = User::with_programs().await;
    ["codex", "gemini"].iter().for_each(|name| fs::remove_file(user.log.path().join("bin").join(name)).unwrap());
    user.script("claude", &prints(&events("claude-code", &json!({"content": "Nothing is wrong."}))));
    let plan = user.agent.file("plan.md", "# Cache the prices\n\nKeep them.\n");
    let words = ["debate", "run", &plan, "--quick"];
    let told = "claude-code plays both sides";
    let agent = user.agent.env("NO_COLOR", "1");
    let run = agent.run_at_terminal(100, &words).await;
    assert_eq!((run.stderr.matches(told).count(), run.stdout.matches(told).count()), (1, 0), "{run:?}");
    let run = agent.run(&words).await;
    assert_eq!(run.stderr.matches(told).count(), 1, "{run:?}");
    assert!(text(&run.document()["metadata"]["warning"]).contains(told), "{run:?}");
}

#[tokio::test]
async fn a_program_that_is_there_and_does_not_start_is_told_in_its_own_words() {
    let user = User::with_programs().await;
    let file = user.log.path().join("bin/claude");
    fs::remove_file(&file).unwrap();
    fs::write(&file, "#!/bin/sh\necho 'No version is set for command claude' >&2\nexit 126\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let told = format!(
        "`{} --version` does not work: it ended with status 126: No version is set for command claude",
        file.display()
    );
    let refused = user.run("plain", &["--opponent", "claude-code"]).await.failure(4, "INVALID_INPUT");
    assert!(text(&refused["error"]["message"]).ends_with(&told), "{refused}");
    let doctor = user.agent.run(&["doctor"]).await.document().to_string();
    assert!(doctor.contains(&told), "{doctor}");
}

#[tokio::test]
async fn what_is_wrong_is_told_wherever_the_program_prints_it() {
    for (program, script, told) in [
        ("claude-code", "echo 'Invalid API key'; exit 1", "Invalid API key"),
        ("codex", "echo '{\"type\": \"error\", \"message\": \"no such model\"}'; exit 1", "no such model"),
        ("gemini", "echo 'the model is gone' >&2; exit 1", "the model is gone"),
        (
            "opencode",
            "echo '{\"type\": \"error\", \"error\": {\"data\": {\"message\": \"no such provider\"}}}'; exit 1",
            "no such provider",
        ),
        (
            "copilot",
            "echo '{\"type\": \"session.error\", \"data\": {\"message\": \"not allowed here\"}}'; exit 1",
            "not allowed here",
        ),
    ] {
        let user = User::with_programs().await;
        user.script(program.strip_suffix("-code").unwrap_or(program), script);
        let failed = user.run("plain", &["--quick", "--opponent", program]).await.failure(3, "AGENT_FAILED");
        assert!(text(&failed["error"]["message"]).contains(told), "{program}: {failed}");
    }
}

#[tokio::test]
async fn an_answer_counts_though_something_keeps_its_program_alive() {
    let user = User::with_programs().await;
    for name in ["claude-code", "codex", "gemini", "opencode", "copilot"] {
        let binary = name.trim_end_matches("-code");
        user.script(binary, &format!("{}sleep 300", prints(&events(name, &json!({"content": "Nothing is wrong."})))));
        let more = ["--quick", "--turn-minutes", "0.05", "--opponent", name];
        assert_eq!(user.run("plain", &more).await.data()["outcome"], "agreed", "{name}");
    }
}

#[tokio::test]
async fn an_answer_counts_whatever_its_program_does_with_its_pipes_after_that() {
    let user = User::with_programs().await;
    for after in [
        // It closes one of them, or both, and lives on.
        "exec >&-; sleep 300",
        "exec 2>&-; sleep 300",
        "exec >&- 2>&-; sleep 300",
        // It waits for more input, of which there is none.
        "cat; sleep 300",
        // It ends, and what it started keeps them open.
        "sleep 300 &",
        "setsid sleep 300 &",
    ] {
        let printed = prints(&events("claude-code", &json!({"content": "Nothing is wrong."})));
        user.script("claude", &format!("{printed}{after}"));
        let more = ["--quick", "--turn-minutes", "0.05", "--opponent", "claude-code"];
        assert_eq!(user.run("plain", &more).await.data()["outcome"], "agreed", "{after}");
    }
}

#[tokio::test]
async fn what_a_command_printed_is_its_answer_once_nobody_can_print_more_though_it_lives_on() {
    let user = User::with_programs().await;
    let answer = prints(&[json!({"content": "Nothing is wrong."})]);
    let more = ["--quick", "--turn-minutes", "0.05", "--opponent", "command:claude"];
    for after in [
        // It closes its stdout, and lives on.
        "exec >&-; sleep 300",
        "exec >&- 2>&-; sleep 300",
        "exec >/dev/null 2>&1; sleep 300",
        "exec >&-; while :; do echo busy >&2; sleep 0.1; done",
        // So does what it started.
        "exec >&- 2>&-; setsid sleep 300 & sleep 300",
        // It ends, and what it started has its pipes, or has left them.
        "sleep 300 &",
        "setsid sleep 300 &",
        "(setsid sleep 300 <&- >&- 2>&- &)",
    ] {
        user.script("claude", &format!("{answer}{after}"));
        assert_eq!(user.run("plain", &more).await.data()["outcome"], "agreed", "{after}");
    }
    // It may still print.
    for after in ["sleep 300", "exec 2>&-; sleep 300", "sleep 300 & exec >&-; sleep 300"] {
        user.script("claude", &format!("{answer}{after}"));
        let failed = user.run("plain", &more).await.failure(3, "AGENT_FAILED");
        assert!(text(&failed["error"]["message"]).contains("it took too long"), "{after}: {failed}");
    }
    // What fails after that, and what is no answer, are as they are without it.
    user.script("claude", &format!("{answer}exec >&-; sleep 0.1; exit 7"));
    let failed = user.run("plain", &more).await.failure(3, "AGENT_FAILED");
    assert!(text(&failed["error"]["message"]).contains("it ended with status 7"), "{failed}");
    user.script("claude", "exec >&-; sleep 300");
    let failed = user.run("plain", &more).await;
    assert!(!failed.stderr.contains("once more") && !failed.stderr.contains("asked again"), "{}", failed.stderr);
    assert!(text(&failed.failure(3, "AGENT_FAILED")["error"]["message"]).contains("it took too long"));
}

#[tokio::test]
async fn an_answer_counts_though_its_program_fails_after_that() {
    for name in ["claude-code", "codex", "gemini", "copilot"] {
        let (user, binary) = (User::with_programs().await, name.trim_end_matches("-code"));
        let printed = prints(&events(name, &json!({"content": "Nothing is wrong."})));
        user.script(binary, &format!("{printed}echo 'a server of tools did not end' >&2; exit 1"));
        let run = user.run("plain", &["--quick", "--opponent", name]).await;
        assert_eq!((run.data()["outcome"].as_str(), user.count(&format!("opponent-1-{binary}"))), (Some("agreed"), 1));
        // One that is none does not.
        user.script(binary, &format!("{}exit 1", prints(&events(name, &json!("Nothing is wrong.")))));
        let failure = user.run("plain", &["--quick", "--opponent", name]).await.failure(3, "AGENT_FAILED");
        assert!(text(&failure["error"]["message"]).contains("it ended with status 1"), "{failure}");
    }
}

#[tokio::test]
async fn what_failed_and_was_made_again_is_no_failure() {
    let errors = [
        (
            "opencode",
            json!({"type": "error", "error": {"name": "UnknownError", "data": {"message": "Unexpected server error"}}}),
        ),
        ("copilot", json!({"type": "session.error", "data": {"message": "Model call failed"}})),
    ];
    for (name, error) in errors {
        let user = User::with_programs().await;
        let mut printed = events(name, &json!({"content": "Nothing is wrong."}));
        printed.insert(3, error.clone());
        printed.swap(2, 3);
        user.script(name, &prints(&printed));
        assert_eq!(user.run("plain", &["--quick", "--opponent", name]).await.data()["outcome"], "agreed", "{name}");
        printed.push(error);
        user.script(name, &prints(&printed));
        user.run("plain", &["--quick", "--opponent", name]).await.failure(3, "AGENT_FAILED");
    }
}

#[tokio::test]
async fn tokens_of_a_start_that_ends_early_are_counted_as_far_as_they_were_told() {
    // The proposer told 150 before.
    let begun = [json!({"type": "thread.started"}), json!({"type": "turn.started"})];
    let init = [json!({"type": "init", "model": "pro"})];
    for (name, events) in [("codex", &begun[..]), ("gemini", &init)] {
        let user = User::with_programs().await;
        user.script(name, &format!("{}sleep 300", prints(events)));
        let more = ["--quick", "--turn-minutes", "0.05", "--max-tokens", "100000", "--opponent", name];
        let run = user.run("plain", &more).await;
        run.failure(3, "AGENT_FAILED");
        assert!(run.stderr.contains("a start did not tell all tokens that it used"), "{}", run.stderr);
        assert!(run.stderr.contains("this start of the run used at least 150 tokens, "), "{}", run.stderr);
    }
    // Also where the run ends first. Claude tells what each message used, and gemini keeps it with its session.
    let message = json!({"type": "assistant", "message": {"id": "m", "model": "opus", "content": [],
        "usage": {"input_tokens": 500, "cache_read_input_tokens": 400, "output_tokens": 50}}});
    let init = json!({"type": "init", "model": "pro", "session_id": "0ec7e043-c526"});
    let kept = json!({"id": "m", "tokens": {"input": 900, "cached": 400, "output": 40, "thoughts": 10}});
    let keep = "chats=$HOME/.gemini/tmp/$(basename $PWD)/chats; mkdir -p $chats";
    let keeps = format!("{}{keep}; echo '{kept}' > $chats/session-1-0ec7e043.jsonl\n", prints(&[init]));
    for (name, binary, script) in [("claude-code", "claude", prints(&[message])), ("gemini", "gemini", keeps)] {
        let user = User::with_programs().await;
        let id = ids::fresh();
        // More than a pipe takes, so that what was printed before is read.
        let more = "head -c 200000 /dev/zero | tr '\\0' '\\n'";
        user.script(binary, &format!("{script}{more}; : > \"$AGENT_LOG/thinks\"; sleep 300"));
        let running = user.agent.spawn(&user.words("plain", &["--quick", "--debate-id", &id, "--opponent", name]));
        polling::until("it thinks", || user.log.path().join("thinks").exists().then_some(())).await;
        user.agent.shell(&format!("kill {}", running.pid())).await;
        let run = running.finish().await;
        run.failure(143, "INTERRUPTED");
        assert!(run.stderr.contains("this start of the run used at least 700 tokens, "), "{}", run.stderr);
        let more = ["debate", "run", "--debate-id", &id, "--opponent", &scripted("plain", "agent")];
        user.agent.run(&more).await.data();
        let history = user.history(&id).await;
        let agents = history[1]["agents"].as_array().unwrap();
        let told: Vec<_> =
            agents.iter().map(|agent| (text(&agent["purpose"]), agent["input_tokens"].clone())).collect();
        assert_eq!(told, [("failed".to_owned(), json!(900)), ("turn".to_owned(), json!(1000))], "{name}");
    }
}

#[tokio::test]
async fn tokens_of_answers_that_are_refused_count() {
    let user = User::with_programs().await;
    // 70 each, after the proposer's 150.
    let events = prints(&codex(&[0], &json!("not in the form")));
    user.script("codex", &events);
    let more = ["--quick", "--max-tokens", "290", "--opponent", "codex"];
    let reached = user.run("plain", &more).await.failure(7, "LIMIT_REACHED");
    assert!(text(&reached["error"]["message"]).contains("the run has used 290 of 290 tokens"), "{reached}");
    assert_eq!(user.count("opponent-1-codex"), 2);
}

#[tokio::test]
async fn why_claude_code_refused_an_answer_is_told_to_it_and_in_the_error() {
    let refusal = "Output does not match required schema: /options/0: must have required property 'issue_changes'";
    let refused = |end: Value| {
        let call = json!({"type": "tool_use", "id": "1", "name": "StructuredOutput", "input": {"content": "One."}});
        prints(&[
            json!({"type": "assistant", "message": {"id": "m", "model": "opus", "content": [call]}}),
            json!({"type": "user", "message": {"content": [
                {"type": "tool_result", "tool_use_id": "1", "is_error": true, "content": refusal},
            ]}}),
            end,
        ])
    };
    let done = json!({"type": "result", "subtype": "success", "is_error": false, "result": "Done.", "usage": {}});
    let gave_up = json!({"type": "result", "subtype": "error_max_structured_output_retries", "is_error": true,
        "errors": ["Failed to provide valid structured output after 5 attempts"], "usage": {}});
    for (end, status) in [(done, 0), (gave_up, 1)] {
        let user = User::with_programs().await;
        user.script("claude", &format!("{}exit {status}", refused(end)));
        let review = user.run("plain", &["--quick", "--opponent", "claude-code"]).await;
        let failed = review.failure(3, "AGENT_FAILED");
        let problem = format!("there is no JSON object in it; its own check refused one: {refusal}");
        assert!(text(&failed["error"]["message"]).ends_with(&problem), "{failed}");
        assert!(user.prompt("opponent-1-claude").contains(&problem), "{}", user.prompt("opponent-1-claude"));
    }
}

#[tokio::test]
async fn more_starts_than_an_argument_names_are_summed_into_the_last() {
    let user = User::new().await;
    let data = user.run("many-starts", &["--quick"]).await.data();
    let history = user.history(&text(&data["debate_id"])).await;
    let agents = history[1]["agents"].as_array().unwrap();
    let (last, rest) = agents.split_last().unwrap();
    assert_eq!((rest.len(), &last["starts"], &last["input_tokens"]), (15, &json!(5), &json!(50)), "{last}");
    assert!(rest.iter().all(|agent| agent.get("starts").is_none() && agent["input_tokens"] == 10));
    let rows = data["agents"].as_array().unwrap();
    let row = rows.iter().find(|row| row["role"] == "opponent").unwrap();
    assert_eq!((&row["starts"], &row["input_tokens"]), (&json!(20), &json!(200)), "{row}");
}
