//! What is read of the output of each program.

use serde_json::{Value, json};

use super::*;
use crate::client::types::Agent;

fn program(text: &str) -> Program {
    Program::parse("--proposer", text).unwrap()
}

fn read(name: &str, printed: &str) -> Said {
    let program = program(name);
    let mut output = program.output();
    assert!(child_process::Sink::take(&mut output, printed.as_bytes()).is_ok());
    let (mut said, _) = output.finish(Path::new("/no/such/folder"));
    program.name_in(&mut said);
    said
}

/// Tokens that were read, those of them that were cached, and those that were written.
fn tokens(agent: &Agent) -> [Option<u64>; 3] {
    [agent.input_tokens, agent.cached_tokens, agent.output_tokens]
}

/// Calls that were made, those of them that failed, and those that were not permitted.
fn calls(agent: &Agent) -> Option<[u64; 3]> {
    Some([agent.calls?, agent.failed_calls?, agent.denied_calls?])
}

#[test]
fn a_program_is_named_with_its_model_or_as_a_command_line() {
    for text in [
        "claude-code",
        "claude-code:opus",
        "codex",
        "codex:gpt-5.4",
        "gemini",
        "opencode:a/b",
        "copilot",
        "command:/bin/a -x 'b c'",
    ] {
        assert_eq!(program(text).given(), text);
        assert!(!program(text).to_string().contains([' ', ':', '/']), "{}", program(text));
    }
    assert_eq!(program("command: ./bin/agent.sh --a").name(), "agent.sh");
    for wrong in ["", "cursor", "agents-md", "codex:", "codex:--yolo", "command:", "command:  ", "command:'a"] {
        assert_eq!(Program::parse("--opponent", wrong).unwrap_err().code, "INVALID_INPUT", "{wrong}");
    }
    let defaults: Vec<_> = Program::defaults().map(|program| program.to_string()).collect();
    assert_eq!(defaults, ["claude-code", "codex", "gemini"]);
    let tell_cost: Vec<_> = Program::known().filter(Program::tells_cost).map(|program| program.to_string()).collect();
    assert_eq!(tell_cost, ["claude-code", "opencode"]);
}

#[test]
fn each_program_gets_what_it_needs_and_no_more() {
    let line = |name: &str| {
        program(name).command_line(Path::new("/home/a(b)/aw-run-1"), Path::new("/code"), Some(0.5)).join(" ")
    };
    assert!(line("claude-code:opus").contains("--allowedTools Read,Grep,Glob,Edit(./**) "));
    assert!(line("claude-code:opus").ends_with("--max-budget-usd 0.5000 --model opus"));
    assert!(line("codex").contains("--output-schema answer.schema.json --sandbox workspace-write"));
    for bound in ["writable_roots=[]", "network_access=false", "exclude_slash_tmp=true", "exclude_tmpdir_env_var=true"]
    {
        assert!(line("codex").contains(&format!(" -c sandbox_workspace_write.{bound} ")), "{bound}");
    }
    assert!(line("codex").contains(" --ignore-rules "));
    assert!(line("gemini:x").ends_with("--include-directories /code --model x"));
    let files = program("gemini").needed_files(Path::new("/w"), Path::new("/a,b"));
    assert!(files.contains(&(".gemini/settings.json", r#"{"context":{"includeDirectories":["/a,b"]}}"#.to_owned())));
    let of_folder = program("gemini").command_line(Path::new("/w"), Path::new("/a,b"), None);
    assert!(!of_folder.join(" ").contains("/a,b"), "{of_folder:?}");
    assert!(line("opencode").ends_with("run --format json --agent aw-debate-run --print-logs --log-level ERROR"));
    assert!(line("copilot").contains(" --allow-tool=write(aw-run-1/plan.md) "));
    let variables = program("opencode").variables(Path::new("/tmp/aw-run-1"));
    let names: Vec<_> = variables.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["OPENCODE_PERMISSION", "OPENCODE_CONFIG_CONTENT", "OPENCODE_DISABLE_PROJECT_CONFIG"]);
    let permission = &variables[0].1;
    // What the user's settings permit to other agents does not count for this one.
    let settings: Value = serde_json::from_str(&variables[1].1).unwrap();
    let of_agent = &settings["agent"]["aw-debate-run"]["permission"];
    let permitted: Value = serde_json::from_str(permission).unwrap();
    assert_eq!((of_agent, &of_agent["bash"]), (&permitted, &json!("deny")));
    assert!(
        permission.contains(r#""edit":{"*":"deny","plan.md":"allow","tmp/aw-run-1/plan.md":"allow""#),
        "{permission}"
    );
    assert!(line("codex").contains(r#" -c approval_policy="never" -c features.apps=false "#));
    assert!(line("codex").contains(" -c features.multi_agent=false "));
    assert!(line("claude-code").contains(" --disallowedTools ScheduleWakeup,CronCreate,Monitor "));
    let of_claude = program("claude-code").variables(Path::new("/w"));
    assert_eq!(of_claude, [("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1".to_owned())]);
}

#[test]
fn a_program_that_reads_files_after_an_at_sign_gets_none() {
    for (name, given) in [
        ("claude-code", r"see \@~/.ssh/id and a\@b"),
        ("gemini", r"see \@~/.ssh/id and a\@b"),
        ("codex", "see @~/.ssh/id and a@b"),
        ("opencode", "see @~/.ssh/id and a@b"),
        ("copilot", "see @~/.ssh/id and a@b"),
        ("command:/bin/agent", "see @~/.ssh/id and a@b"),
    ] {
        let prompt = program(name).prompt("see @~/.ssh/id and a@b").into_owned();
        assert_eq!(prompt.lines().last(), Some(given), "{name}");
        assert_eq!(program(name).prompt("no sign"), "no sign");
    }
}

const RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"x","total_cost_usd":0.0037890000000000003,"usage":{"input_tokens":1003,"cache_creation_input_tokens":7,"cache_read_input_tokens":100,"output_tokens":50},"modelUsage":{"claude-sonnet-4-5":{}},"permission_denials":[],"structured_output":{"content":"Hello"}}"#;

#[test]
fn the_result_of_claude_code_has_answer_usage_and_cost() {
    let array = format!(
        "[{{\"type\":\"system\",\"model\":\"m\"}},{{\"type\":\"assistant\",\"message\":{{\"content\":[]}}}},{RESULT}]"
    );
    for printed in [RESULT.to_owned(), array, format!("SessionStart hook: loaded 3 notes\n{RESULT}\n")] {
        let said = read("claude-code", &printed);
        assert_eq!((said.text.as_deref(), &said.failure), (Some(r#"{"content":"Hello"}"#), &None), "{printed}");
        assert_eq!((tokens(&said.agent), calls(&said.agent)), ([Some(1110), Some(100), Some(50)], None));
        let agent = said.agent;
        assert_eq!((agent.cost_microusd, agent.model.as_deref()), (Some(3789), Some("claude-sonnet-4-5")));
    }
    // An answer that the result leaves out was given by the tool for it.
    let given = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"1","name":"StructuredOutput","input":{"content":"Hello"}}]}}"#;
    let blank =
        RESULT.replace(r#","structured_output":{"content":"Hello"}"#, "").replace(r#""result":"x""#, r#""result":"""#);
    let later = blank.replace(r#""result":"""#, r#""result":"Done.""#);
    for printed in [format!("{given}\n{blank}"), given.to_owned(), format!("{given}\n{RESULT}\n{later}")] {
        assert_eq!(read("claude-code", &printed).text.as_deref(), Some(r#"{"content":"Hello"}"#), "{printed}");
    }
    // One that the program itself refused is none, and the last word counts.
    let ended = |is_error: bool| {
        let content = if is_error { r#"[{"type":"text","text":"/options/0: no"}]"# } else { r#""taken""# };
        format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"1","is_error":{is_error},"content":{content}}}]}}}}"#
        )
    };
    let said = read("claude-code", &[given, &ended(true), &blank].join("\n"));
    assert_eq!((said.text, said.refusal.as_deref()), (None, Some("/options/0: no")));
    let said = read("claude-code", &[given, &ended(true), given, &ended(false), &blank].join("\n"));
    assert_eq!((said.text.as_deref(), said.refusal), (Some(r#"{"content":"Hello"}"#), None));
    // One that ended before its result did not end since the answer was refused.
    let said = read("claude-code", &[given, &ended(true)].join("\n"));
    assert_eq!((said.text, said.refusal), (None, None));
    let failed =
        read("claude-code", r#"{"type":"result","subtype":"success","is_error":true,"result":"API Error: 401"}"#);
    assert_eq!(failed.failure.as_deref(), Some("API Error: 401"));
    let spent = read("claude-code", r#"{"type":"result","subtype":"error_max_budget_usd","is_error":true}"#);
    assert!(spent.used_up_budget && program("claude-code").usage_limit(&spent, None).is_none());
    let garbage = read("claude-code", "Invalid API key\n");
    assert_eq!((garbage.text, garbage.failure.as_deref()), (None, Some("Invalid API key")));
}

#[test]
fn what_subagents_of_claude_code_used_counts_and_the_model_is_the_one_that_wrote_most() {
    let models = r#""modelUsage":{"haiku":{"inputTokens":5,"outputTokens":7},"opus":{"inputTokens":400000,"outputTokens":60000,"cacheReadInputTokens":10,"cacheCreationInputTokens":3}}"#;
    let said = read("claude-code:sonnet", &RESULT.replace(r#""modelUsage":{"claude-sonnet-4-5":{}}"#, models));
    assert_eq!(tokens(&said.agent), [Some(400_018), Some(100), Some(60_007)]);
    assert_eq!(said.agent.model.as_deref(), Some("opus"));
    // Ended before its result it has told what each message used, once for each part.
    let message = |id: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"id":"{id}","model":"opus","usage":{{"input_tokens":3,"cache_read_input_tokens":2,"output_tokens":1}},"content":[{{"type":"text","text":"x"}}]}}}}"#
        )
    };
    assert!(said.told_all_tokens);
    let said = read("claude-code", &[message("1"), message("1"), message("2")].join("\n"));
    assert!(!said.told_all_tokens);
    assert_eq!((tokens(&said.agent), said.agent.model.as_deref()), ([Some(10), Some(4), Some(2)], Some("opus")));
}

#[test]
fn claude_code_tells_its_calls() {
    let made = |id: &str, name: &str, path: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"id":"m{id}","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{{"file_path":"{path}"}}}}]}}}}"#
        )
    };
    let ended = |id: &str, is_error: bool| {
        format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","is_error":{is_error},"content":"x"}}]}}}}"#
        )
    };
    let denied = r#"{"type":"system","subtype":"permission_denied","tool_name":"Edit","tool_use_id":"3"}"#.to_owned();
    let result = RESULT.replace(
        r#""permission_denials":[]"#,
        r#""permission_denials":[{"tool_name":"Edit","tool_use_id":"3","tool_input":{}}]"#,
    );
    let events = [
        made("1", "Read", "/code/a"),
        ended("1", false),
        made("2", "Read", "/code/b"),
        ended("2", true),
        made("3", "Edit", "/w/plan.md"),
        denied,
        ended("3", true),
        made("4", "StructuredOutput", ""),
        ended("4", true),
        result,
    ];
    let said = read("claude-code", &events.join("\n"));
    assert_eq!((calls(&said.agent), said.denied_plan_edit), (Some([3, 1, 1]), true));
    // Versions that tell it at the end.
    let late: Vec<_> = events.iter().filter(|event| !event.contains("permission_denied")).cloned().collect();
    let late = late.join("\n").replace(r#""tool_input":{}"#, r#""tool_input":{"file_path":"plan.md"}"#);
    let said = read("claude-code", &late);
    assert_eq!((calls(&said.agent), said.denied_plan_edit), (Some([3, 1, 1]), true));
    // Versions that print their result alone.
    let alone =
        r#""permission_denials":[{"tool_name":"Read","tool_use_id":"t1","tool_input":{"file_path":"/x/secret"}}]"#;
    let said = read("claude-code", &RESULT.replace(r#""permission_denials":[]"#, alone));
    assert_eq!((calls(&said.agent), said.denied_plan_edit), (Some([1, 0, 1]), false));
    assert!(saw_nothing(&said.agent));
}

#[test]
fn the_events_of_codex_have_the_last_message_usage_and_calls() {
    let events = r#"{"type":"thread.started","thread_id":"t"}
{"type":"error","message":"Reconnecting... 1/5"}
{"type":"item.completed","item":{"type":"agent_message","text":"first"}}
not json
{"type":"item.started","item":{"id":"1","type":"command_execution","status":"in_progress"}}
{"type":"item.completed","item":{"id":"1","type":"command_execution","exit_code":1,"status":"failed"}}
{"type":"item.completed","item":{"id":"2","type":"command_execution","exit_code":0,"status":"completed"}}
{"type":"item.completed","item":{"id":"3","type":"file_change","status":"declined","changes":[{"path":"/w/plan.md","kind":"update"}]}}
{"type":"item.completed","item":{"type":"agent_message","text":"last"}}
{"type":"turn.completed","usage":{"input_tokens":2003,"cached_input_tokens":200,"output_tokens":100}}"#;
    let said = read("codex:gpt-5.4", events);
    assert_eq!(
        (said.text.as_deref(), said.failure, tokens(&said.agent)),
        (Some("last"), None, [Some(2003), Some(200), Some(100)])
    );
    assert_eq!((said.agent.program.as_deref(), said.agent.model.as_deref()), (Some("codex"), Some("gpt-5.4")));
    assert_eq!((calls(&said.agent), said.denied_plan_edit), (Some([3, 1, 1]), true));
    let failed = read("codex", r#"{"type":"error","message":"Quota exceeded. Check your plan and billing details."}"#);
    assert!(program("codex").usage_limit(&failed, Some("")).is_some());
    // What it said before the connection was lost is no answer, though it has the form of one.
    let message = r#"{"type":"item.completed","item":{"type":"agent_message","text":"{\"content\": \"I look.\"}"}}"#;
    let error = r#"{"type":"error","message":"stream disconnected before completion"}"#;
    let complete = r#"{"type":"turn.completed","usage":{}}"#;
    for (events, failure) in [
        ([message, error, ""], Some("stream disconnected before completion")),
        ([error, message, ""], None),
        ([message, error, complete], None),
        ([message, complete, error], None),
    ] {
        assert_eq!(read("codex", &events.join("\n")).failure.as_deref(), failure, "{events:?}");
    }
    let failed = read("codex", r#"{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}"#);
    assert!(program("codex").usage_limit(&failed, Some("usage limit reached")).is_none());
}

#[test]
fn the_events_of_gemini_have_its_last_message_usage_and_calls() {
    let events = r#"{"type":"init","session_id":"s","model":"gemini-3-pro"}
{"type":"message","role":"user","content":"Answer"}
{"type":"message","role":"assistant","content":"I look.","delta":true}
{"type":"tool_use","tool_name":"read_file","tool_id":"1","parameters":{"file_path":"plan.md"}}
{"type":"tool_result","tool_id":"1","status":"success"}
{"type":"tool_use","tool_name":"write_file","tool_id":"2","parameters":{"file_path":"/w/plan.md"}}
{"type":"tool_result","tool_id":"2","status":"error","error":{"type":"policy_violation","message":"denied"}}
{"type":"message","role":"assistant","content":"{\"content\":","delta":true}
{"type":"message","role":"assistant","content":"\"a\"}","delta":true}
{"type":"result","status":"success","stats":{"input_tokens":2000,"output_tokens":100,"cached":200,"models":{"flash":{"output_tokens":1},"pro":{"output_tokens":99}}}}"#;
    let said = read("gemini", events);
    assert_eq!((said.text.as_deref(), said.failure), (Some(r#"{"content":"a"}"#), None));
    assert_eq!((tokens(&said.agent), said.agent.model.as_deref()), ([Some(2000), Some(200), Some(100)], Some("pro")));
    assert_eq!((calls(&said.agent), said.denied_plan_edit), (Some([2, 0, 1]), true));
    let failed = read(
        "gemini",
        r#"{"type":"result","status":"error","error":{"type":"x","message":"[API Error: broken]"},"stats":{}}"#,
    );
    assert_eq!(failed.failure.as_deref(), Some("[API Error: broken]"));
    let whole = read("gemini", "{\n  \"response\": \"{\\\"content\\\": \\\"a\\\"}\",\n  \"stats\": {}\n}\n");
    assert_eq!(whole.text.as_deref(), Some("{\"content\": \"a\"}"));
}

#[test]
fn the_events_of_opencode_have_its_last_message_usage_cost_and_calls() {
    let events = r#"{"type":"step_start","part":{"messageID":"m1"}}
{"type":"text","part":{"messageID":"m1","text":"I look."}}
{"type":"tool_use","part":{"tool":"read","callID":"1","state":{"status":"completed","input":{"filePath":"/code/a"}}}}
{"type":"tool_use","part":{"tool":"write","callID":"2","state":{"status":"error","input":{"filePath":"/w/plan.md"},"error":"The user has specified a rule which prevents you from using this specific tool call."}}}
{"type":"step_finish","part":{"tokens":{"input":1000,"output":50,"reasoning":3,"cache":{"read":7,"write":2}},"cost":0.25}}
{"type":"text","part":{"messageID":"m2","text":"{\"content\":\"a\"}"}}
{"type":"step_finish","part":{"tokens":{"input":1,"output":1,"reasoning":0,"cache":{"read":1,"write":0}},"cost":0.5}}"#;
    let said = read("opencode:a/b", events);
    assert_eq!((said.text.as_deref(), said.failure), (Some(r#"{"content":"a"}"#), None));
    assert_eq!((tokens(&said.agent), said.agent.cost_microusd), ([Some(1011), Some(8), Some(54)], Some(750_000)));
    assert_eq!((calls(&said.agent), said.denied_plan_edit), (Some([2, 0, 1]), true));
    let failed = read(
        "opencode",
        r#"{"type":"error","error":{"name":"APIError","data":{"message":"Your credit balance is too low"}}}"#,
    );
    assert!(program("opencode").usage_limit(&failed, Some("")).is_some());
}

#[test]
fn the_events_of_copilot_have_its_last_message_and_calls_and_a_file_has_its_usage() {
    let events = r#"{"type":"assistant.turn_start","data":{"turnId":"0"}}
{"type":"assistant.message","data":{"model":"gpt-5.4","content":"I look.","toolRequests":[{}]}}
{"type":"tool.execution_start","data":{"toolCallId":"1","toolName":"edit","arguments":{"path":"/w/plan.md"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"1","success":false,"error":{"message":"Permission denied","code":"denied"}}}
{"type":"tool.execution_start","data":{"toolCallId":"2","toolName":"view","arguments":{"path":"/w/plan.md"}}}
{"type":"tool.execution_complete","data":{"toolCallId":"2","success":false,"error":{"message":"gone","code":"failure"}}}
{"type":"assistant.message","data":{"model":"gpt-5.4","content":"{\"content\":\"a\"}","toolRequests":[]}}
{"type":"result","exitCode":0,"usage":{"premiumRequests":1}}"#;
    let work = tempfile::tempdir().unwrap();
    let usage = r#"{"modelMetrics":{"gpt-5.4":{"usage":{"inputTokens":2000,"outputTokens":100,"cacheReadTokens":10}},"mini":{"usage":{"inputTokens":5,"outputTokens":1,"cacheReadTokens":0}}}}"#;
    std::fs::write(work.path().join("copilot-usage.json"), usage).unwrap();
    let mut output = program("copilot").output();
    assert!(child_process::Sink::take(&mut output, events.as_bytes()).is_ok());
    let said = output.finish(work.path()).0;
    assert_eq!((said.text.as_deref(), said.failure), (Some(r#"{"content":"a"}"#), None));
    assert_eq!(
        (tokens(&said.agent), said.agent.model.as_deref()),
        ([Some(2005), Some(10), Some(101)], Some("gpt-5.4"))
    );
    assert_eq!((calls(&said.agent), said.denied_plan_edit), (Some([2, 1, 1]), true));
    assert!(saw_nothing(&said.agent) && said.told_all_tokens);
    let failed =
        read("copilot", r#"{"type":"session.error","data":{"errorType":"quota","message":"402 You have no quota"}}"#);
    assert!(program("copilot").usage_limit(&failed, Some("")).is_some());
}

#[test]
fn a_program_that_ended_early_has_not_told_all_tokens() {
    let usage = r#"{"type":"turn.completed","usage":{"input_tokens":3,"output_tokens":1}}"#;
    let step = r#"{"type":"step_finish","part":{"tokens":{"input":1,"output":1}}}"#;
    let stats = r#"{"type":"result","status":"success","stats":{"input_tokens":3,"output_tokens":1}}"#;
    for (name, begins, ends) in [
        ("codex", r#"{"type":"turn.started"}"#, usage),
        ("gemini", r#"{"type":"init","model":"pro"}"#, stats),
        ("opencode", r#"{"type":"step_start","part":{}}"#, step),
        ("claude-code", r#"{"type":"system"}"#, RESULT),
    ] {
        let told = |events: &[&str]| read(name, &events.join("\n")).told_all_tokens;
        assert!(!told(&[begins]) && told(&[begins, ends]), "{name}");
        let is_complete = !matches!(name, "codex" | "opencode");
        assert_eq!(told(&[begins, ends, begins]), is_complete, "{name}");
    }
    assert!(!read("copilot", r#"{"type":"assistant.turn_start","data":{}}"#).told_all_tokens);
}

#[test]
fn each_program_tells_the_end_of_its_turn_as_it_comes() {
    for (name, goes_on, ends) in [
        (
            "claude-code",
            &[
                r#"{"type":"assistant","message":{"content":[]}}"#,
                r#"{"type":"user","message":{"content":"More."}}"#,
                r#"{"type":"system","subtype":"init"}"#,
            ][..],
            RESULT,
        ),
        ("codex", &[r#"{"type":"turn.started"}"#], r#"{"type":"turn.completed","usage":{}}"#),
        (
            "gemini",
            &[
                r#"{"type":"init"}"#,
                r#"{"type":"message","role":"user","content":"More."}"#,
                r#"{"type":"message","role":"assistant","content":"I look.","delta":true}"#,
                r#"{"type":"tool_use","tool_name":"read_file","tool_id":"1","parameters":{}}"#,
            ],
            r#"{"type":"result","status":"success"}"#,
        ),
        ("opencode", &[r#"{"type":"step_start","part":{}}"#], r#"{"type":"step_finish","part":{"reason":"stop"}}"#),
        (
            "copilot",
            &[
                r#"{"type":"assistant.turn_start","data":{}}"#,
                r#"{"type":"user.message","data":{}}"#,
                r#"{"type":"assistant.message","data":{"content":"I look."}}"#,
                r#"{"type":"tool.execution_start","data":{"toolCallId":"1"}}"#,
            ],
            r#"{"type":"result","exitCode":0}"#,
        ),
    ] {
        let mut output = program(name).output();
        // Whoever goes on after its turn has another end to tell.
        for (event, is_over) in goes_on.iter().flat_map(|event| [(*event, false), (ends, true)]) {
            assert!(child_process::Sink::take(&mut output, format!("{event}\n").as_bytes()).is_ok());
            assert_eq!(child_process::Sink::told_end(&output), is_over, "{name}: {event}");
        }
    }
    assert!(!child_process::Sink::told_end(&program("command:x").output()));
}

#[test]
fn the_answer_of_a_later_turn_counts() {
    let of_gemini = |text: &str| {
        let message = json!({"type": "message", "role": "assistant", "content": text, "delta": true});
        format!("{message}\n{{\"type\":\"result\",\"status\":\"success\"}}\n")
    };
    let said = read("gemini", &format!("{}{}", of_gemini("first"), of_gemini("second")));
    assert_eq!(said.text.as_deref(), Some("second"));
    let said = read("gemini", &format!("{}{}", of_gemini("first"), r#"{"type":"init"}"#));
    assert_eq!((said.text.as_deref(), said.told_end), (Some("first"), false));
    // A result is whole by itself, also where its program goes on until its time is over.
    let call = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"Read","input":{}}]}}"#;
    let said = read("claude-code", &format!("{RESULT}\n{call}\n"));
    assert_eq!((said.text.as_deref(), said.told_end), (Some(r#"{"content":"Hello"}"#), true));
    let second = RESULT.replace("Hello", "Second");
    let said = read("claude-code", &format!("{RESULT}\n{call}\n{second}\n"));
    assert_eq!(said.text.as_deref(), Some(r#"{"content":"Second"}"#));
}

#[test]
fn a_limit_told_with_status_0_and_no_answer_is_one() {
    let told = RESULT
        .replace(r#","structured_output":{"content":"Hello"}"#, "")
        .replace(r#""result":"x""#, r#""result":"You've hit your limit · resets 8pm (UTC)""#);
    let said = read("claude-code", &told);
    assert_eq!(
        program("claude-code").usage_limit(&said, None).as_deref(),
        Some("You've hit your limit · resets 8pm (UTC)")
    );
}

#[test]
fn a_limit_that_claude_code_tells_in_an_event_is_one_with_its_time() {
    let limit = |info: &str, result: &str| {
        let event = format!(r#"{{"type":"rate_limit_event","rate_limit_info":{info},"session_id":"s"}}"#);
        let result = format!(r#"{{"type":"result","subtype":"success","is_error":true,"result":{}}}"#, json!(result));
        program("claude-code").usage_limit(&read("claude-code", &format!("{event}\n{result}\n")), None)
    };
    let rejected = r#"{"status":"rejected","resetsAt":1785420000,"rateLimitType":"five_hour","isUsingOverage":false}"#;
    let (told, at) = ("You've hit your limit · resets 4pm (Asia/Shanghai)", "; resets at 2026-07-30T14:00:00Z");
    assert_eq!(limit(rejected, told), Some(format!("{told}{at}")));
    let unknown = "API Error: Request rejected (429)";
    assert_eq!(limit(rejected, unknown), Some(format!("usage limit reached: {unknown}{at}")));
    assert_eq!(limit(r#"{"status":"rejected"}"#, told).as_deref(), Some(told));
    for served in [
        r#"{"status":"allowed_warning","resetsAt":1785420000}"#,
        r#"{"status":"rejected","resetsAt":1785420000,"isUsingOverage":true}"#,
        "null",
    ] {
        assert_eq!(limit(served, unknown), None, "{served}");
    }
    // All of an error is kept.
    let long = format!("Some context.\n{told}\nMore of it.");
    let whole = format!("{told}{at}; in full: Some context. {told} More of it.");
    assert_eq!(limit(rejected, &long).as_deref(), Some(&*whole));
    let long = format!("{unknown}\nMore of it.");
    assert_eq!(limit(rejected, &long), Some(format!("usage limit reached: {unknown} More of it.{at}")));
    // A request that was answered later met no limit.
    let answer = r#"{"type":"assistant","message":{"id":"m","model":"opus","content":[]}}"#;
    let of_program = answer.replace("opus", "<synthetic>");
    for (message, is_limit) in [(answer, false), (&of_program, true)] {
        let events = format!(
            "{{\"type\":\"rate_limit_event\",\"rate_limit_info\":{rejected}}}\n{message}\n{}",
            json!({"type": "result", "subtype": "success", "is_error": true, "result": "API Error: 500"})
        );
        let said = read("claude-code", &events);
        assert_eq!(program("claude-code").usage_limit(&said, None).is_some(), is_limit, "{message}");
    }
    // What was answered all the same is an answer.
    let event = format!(r#"{{"type":"rate_limit_event","rate_limit_info":{rejected}}}"#);
    let answered = read("claude-code", &format!("{event}\n{RESULT}\n"));
    assert_eq!((program("claude-code").usage_limit(&answered, None), answered.failure), (None, None));
}

#[test]
fn a_last_message_that_is_nothing_but_a_limit_is_one_of_each_program() {
    for (name, said) in [
        ("claude-code", "5-hour limit reached resets 3pm"),
        ("codex", "You've hit your usage limit. Try again at 3:04 PM."),
        ("gemini", "You exceeded your current quota, please check your plan and billing details."),
        ("opencode", "Monthly usage limit reached"),
        ("copilot", "You have exceeded your monthly quota"),
        ("command:/bin/agent", "You have hit your usage limit.\n"),
    ] {
        let limit = |text: &str| {
            let said = Said { text: Some(text.to_owned()), ..Said::default() };
            program(name).usage_limit(&said, None)
        };
        assert_eq!(limit(said).as_deref(), Some(said.trim()), "{name}");
        assert_eq!(limit(&format!("The plan says: {said}")), None, "{name}");
    }
}
