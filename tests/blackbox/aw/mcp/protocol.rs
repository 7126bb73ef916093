//! What clients see before they call a tool, and what becomes of messages that are not as they should be.

use fastrand::Rng;
use serde_json::{Value, json};
use tests::{
    cli::Agent,
    debate::text,
    mcp::McpClient,
    server::{Server, Settings},
};

const DEBATING: [&str; 17] = [
    "debate_create",
    "debate_get_context",
    "debate_submit",
    "debate_plan",
    "debate_wait",
    "debate_issues",
    "debate_appeal",
    "debate_request_completion",
    "debate_search",
    "debate_guide",
    "debate_list",
    "debate_show",
    "debate_record",
    "docs_create",
    "docs_submit",
    "docs_get",
    "docs_diff",
];

fn names(tools: &Value) -> Vec<String> {
    let tools = tools.as_array().unwrap_or_else(|| panic!("no tools: {tools}"));
    let mut names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

/// Some hosts refuse a schema without a type.
fn assert_typed(tool: &str, schema: &Value) {
    assert!(schema["type"].is_string(), "{tool}: {schema}");
    let properties = schema["properties"].as_object().into_iter().flat_map(|properties| properties.values());
    properties.chain(schema.get("items")).for_each(|part| assert_typed(tool, part));
}

#[tokio::test]
async fn the_list_has_a_tool_for_each_command_and_is_short() {
    let agent = Agent::new("http://127.0.0.1:1");
    for role in ["proposer", "opponent", "arbitrator"] {
        let mut client = McpClient::start(&agent, &["--role", role]).await;
        let answer = client.request("tools/list", json!({})).await;
        let tools = &answer["result"]["tools"];
        let mut expected: Vec<_> = DEBATING.into_iter().map(str::to_owned).collect();
        if role == "arbitrator" {
            expected.extend(["debate_ruling", "debate_intervention"].map(str::to_owned));
        } else {
            assert!(answer["result"].to_string().len() <= 17_500, "{} bytes", answer["result"].to_string().len());
        }
        expected.sort();
        assert_eq!(names(tools), expected);
        for tool in tools.as_array().unwrap() {
            let name = tool["name"].as_str().unwrap();
            let description = tool["description"].as_str().unwrap();
            let sentences = description.split(". ").count();
            assert!(sentences <= 2 && description.contains(". Use it "), "{name}: {description}");
            let writes = ["create", "submit", "appeal", "completion", "ruling", "intervention"];
            let only_reads = !writes.iter().any(|write| name.ends_with(write));
            assert_eq!(tool["annotations"]["readOnlyHint"] == true, only_reads, "{name}");
            // Hosts ask before a call that may reach anything.
            assert!(only_reads || tool["annotations"]["openWorldHint"] == false, "{name}");
            // What is mainly one long text comes as text only.
            let prints_text = ["docs_get", "docs_diff", "debate_plan"].contains(&name);
            assert_eq!(tool.get("outputSchema").is_none(), prints_text, "{name}");
            for schema in ["inputSchema", "outputSchema"].into_iter().filter(|schema| tool.get(schema).is_some()) {
                assert_eq!(tool[schema]["type"], "object", "{name}");
                jsonschema::validator_for(&tool[schema]).unwrap_or_else(|error| panic!("{name} {schema}: {error}"));
            }
            assert_typed(name, &tool["inputSchema"]);
            let arguments = tool["inputSchema"]["properties"].as_object().unwrap();
            for absent in ["output", "force", "format", "file", "stdin", "quiet"] {
                assert!(!arguments.contains_key(absent), "{name} has {absent}");
            }
            assert_eq!(arguments.contains_key("content"), arguments.contains_key("path"), "{name}");
        }
        assert_eq!(client.end().await, Some(0));
    }
}

#[tokio::test]
async fn old_and_new_versions_of_the_protocol_are_spoken() {
    let agent = Agent::new("http://127.0.0.1:1");
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let mut client = McpClient::without_session(&agent, &[]);
        let about = client.initialize(version).await;
        assert_eq!(about["protocolVersion"], version);
        assert_eq!(about["serverInfo"]["name"], "aweave-debate");
        assert!(about["capabilities"]["tools"].is_object() && about["capabilities"]["prompts"].is_object());
        assert_eq!(names(&client.request("tools/list", json!({})).await["result"]["tools"]).len(), DEBATING.len());
    }
    // The newest has no handshake: each request says what it is.
    let mut client = McpClient::without_session(&agent, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let about = client.request("server/discover", json!({"_meta": meta})).await;
    assert!(about["result"]["supportedVersions"].as_array().unwrap().contains(&"2026-07-28".into()), "{about}");
    let tools = client.request("tools/list", json!({"_meta": meta})).await;
    assert_eq!(names(&tools["result"]["tools"]).len(), DEBATING.len());
    let params = json!({"_meta": meta, "name": "debate_show", "arguments": {"debate_id": "x"}});
    let answer = client.request("tools/call", params).await;
    assert_eq!(answer["result"]["structuredContent"]["error"]["code"], "INVALID_INPUT", "{answer}");
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
}

#[tokio::test]
async fn a_batch_is_taken_where_the_version_of_the_protocol_has_batches() {
    let agent = Agent::new("http://127.0.0.1:1");
    let ping = |id: &str| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let cancelled = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "no"}});
    let wrong = json!({"jsonrpc": "2.0", "id": "wrong", "method": 7});
    for (version, has_batches) in [("2024-11-05", false), ("2025-03-26", true), ("2025-06-18", false)] {
        let mut client = McpClient::without_session(&agent, &[]);
        client.initialize(version).await;
        client.send(&json!([ping("a"), cancelled, wrong, [ping("nested")], ping("b")])).await;
        client.send(&ping("last")).await;
        let mut told = Vec::new();
        while told.last() != Some(&json!("last")) {
            let answer = client.read().await;
            told.push(if answer["result"].is_object() {
                answer["id"].clone()
            } else {
                answer["error"]["code"].clone()
            });
        }
        told.sort_by_key(Value::to_string);
        let expected = if has_batches { json!(["a", "b", "last", -32600, -32600]) } else { json!(["last", -32600]) };
        assert_eq!(json!(told), expected, "{version}");
        client.send(&json!([])).await;
        assert_eq!(client.read().await["error"]["code"], -32600, "{version}");
        client.end().await;
    }
}

#[tokio::test]
async fn a_request_before_the_session_begins_is_refused_and_the_session_begins_all_the_same() {
    let agent = Agent::new("http://127.0.0.1:1");
    let mut client = McpClient::without_session(&agent, &[]);
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})).await;
    client.send(&json!({"jsonrpc": "2.0", "id": 9, "result": {}})).await;
    let answer = client.request("tools/list", json!({})).await;
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    assert!(client.request("ping", json!({})).await["result"].is_object());
    assert_eq!(client.initialize("2025-06-18").await["protocolVersion"], "2025-06-18");
    assert!(client.request("ping", json!({})).await["result"].is_object());
}

/// A line that is not a message as the protocol wants it.
fn malformed(rng: &mut Rng) -> Vec<u8> {
    let whole = json!({"jsonrpc": "2.0", "id": 1_000_000, "method": "tools/list", "params": {}}).to_string();
    let mut line = match rng.u8(0..10) {
        0 => whole.as_bytes()[..rng.usize(1..whole.len())].to_vec(),
        1 => (0..rng.usize(1..300)).map(|_| rng.u8(0..=255)).filter(|byte| *byte != b'\n').collect(),
        2 => json!([1, "two", null, {}]).to_string().into(),
        3 => json!({"jsonrpc": "1.0", "id": 3, "method": "tools/list"}).to_string().into(),
        4 => json!({"jsonrpc": "2.0", "id": {"a": 1}, "method": "tools/list"}).to_string().into(),
        5 => json!({"jsonrpc": "2.0", "id": 5, "method": 7}).to_string().into(),
        6 => json!({"jsonrpc": "2.0", "id": 6}).to_string().into(),
        7 => json!({"jsonrpc": "2.0", "method": "notifications/nothing", "params": [1]}).to_string().into(),
        8 => "[".repeat(rng.usize(1..2000)).into(),
        _ => json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": "debate_list"}).to_string().into(),
    };
    line.push(b'\n');
    line
}

#[tokio::test]
async fn what_initialize_lacks_is_told() {
    let agent = Agent::new("http://127.0.0.1:1");
    for params in [json!({"capabilities": {}}), json!({"protocolVersion": 7, "capabilities": {}, "clientInfo": {}})] {
        let mut client = McpClient::without_session(&agent, &[]);
        let answer = client.request("initialize", params).await;
        assert!(text(&answer["error"]["message"]).contains("protocolVersion"), "{answer}");
        assert!(!client.initialize("2025-06-18").await.is_null());
        client.end().await;
    }
}

#[tokio::test]
async fn malformed_messages_end_nothing() {
    let agent = Agent::new("http://127.0.0.1:1");
    let mut rng = Rng::with_seed(tests::random::seed());
    for is_begun in [false, true] {
        let mut client = McpClient::without_session(&agent, &[]);
        if is_begun {
            client.initialize("2025-06-18").await;
        }
        for _ in 0..200 {
            client.send_bytes(&malformed(&mut rng)).await;
        }
        if !is_begun {
            client.initialize("2025-06-18").await;
        }
        assert!(client.request("ping", json!({})).await["result"].is_object());
        assert_eq!(names(&client.request("tools/list", json!({})).await["result"]["tools"]).len(), DEBATING.len());
        // Half a message at the end.
        client.send_bytes(b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"meth").await;
        assert_eq!(client.end().await, Some(0));
    }
}

fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

fn called_with(value: &str, id: u64) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"tools/call","params":{{"name":"docs_create","arguments":{{"metadata":{value}}}}},"id":{id}}}"#
    )
}

#[tokio::test]
async fn wrong_messages_are_answered_or_ignored_as_the_protocol_says() {
    let agent = Agent::new("http://127.0.0.1:1");
    let mut client = McpClient::start(&agent, &[]).await;
    let ping = |id: &Value| json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string();
    let long = "x".repeat(200_000);
    for id in [json!(i64::MAX), json!(-1), json!(0), json!(""), json!(long), json!(9_007_199_254_740_993_u64)] {
        client.send_bytes(format!("{}\n", ping(&id)).as_bytes()).await;
        let answer = client.read().await;
        assert!(answer["id"] == id && answer["result"].is_object(), "{answer}");
    }
    let unknown = json!({"jsonrpc": "2.0", "id": "u", "method": "x".repeat(10_000)});
    client.send(&unknown).await;
    let answer = client.read().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("u"), &json!(-32601)));
    // JSON, but no message of the protocol. The id is told where there is one that can be.
    for (line, id) in [
        (ping(&json!(1)).replace("\"id\":1", "\"id\":1e300"), Value::Null),
        (ping(&json!(u64::MAX)), Value::Null),
        (ping(&json!([1])), Value::Null),
        ("[]".to_owned(), Value::Null),
        ("7".to_owned(), Value::Null),
        (ping(&json!("a")).replace("2.0", "1.0"), json!("a")),
        (json!({"jsonrpc": "2.0", "id": 5, "method": 7}).to_string(), json!(5)),
        (json!({"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": []}).to_string(), json!(6)),
        (r#"{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"\ud800"}}"#.to_owned(), json!(7)),
        (r#"{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"a":1e999}}"#.to_owned(), json!(8)),
        (called_with(&nested(129), 9), json!(9)),
        (called_with(&nested(100_000), 10), json!(10)),
        (nested(200), Value::Null),
    ] {
        client.send_bytes(format!("{line}\n").as_bytes()).await;
        let answer = client.read().await;
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &id), "{line}: {answer}");
    }
    // No JSON, nothing to answer, or half a message.
    for line in [
        "{",
        "nonsense",
        "",
        "\u{feff}",
        r#"{"jsonrpc":"2.0","method":"notifications/nothing"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never"}}"#,
        r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":78,"result":{},"error":{}}"#,
    ] {
        client.send_bytes(format!("{line}\n").as_bytes()).await;
    }
    client.send_bytes(b"\xff\xfe\n").await;
    let last = ping(&json!("last"));
    let (first_half, second_half) = last.split_at(20);
    client.send_bytes(first_half.as_bytes()).await;
    client.send_bytes(format!("{second_half}\r\n").as_bytes()).await;
    assert_eq!(client.read().await["id"], "last");
}

#[tokio::test]
async fn what_there_is_not_is_refused_by_the_protocol() {
    let agent = Agent::new("http://127.0.0.1:1");
    let mut client = McpClient::start(&agent, &[]).await;
    for (method, params, code) in [
        ("tools/call", json!({"name": "debate_ruling", "arguments": {}}), -32602),
        ("tools/call", json!({"name": "debate_export", "arguments": {}}), -32602),
        ("tools/call", json!({"arguments": {}}), -32602),
        ("initialize", json!({}), -32602),
        ("prompts/get", json!({"name": "judge"}), -32602),
        ("prompts/get", json!({"name": "oppose", "arguments": {"debate_type": "duel"}}), -32602),
        ("resources/list", json!({}), -32601),
        ("debates/list", json!({}), -32601),
    ] {
        let answer = client.request(method, params.clone()).await;
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    for arguments in [json!([]), json!("debate"), json!(7)] {
        let error = client.error("debate_list", arguments).await;
        assert_eq!(error["code"], "INVALID_INPUT");
    }
}

#[tokio::test]
async fn a_tool_has_the_guides_for_hosts_without_prompts() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut client = McpClient::start(&agent, &[]).await;
    for (prompt, role) in [("propose", "proposer"), ("oppose", "opponent"), ("arbitrate", "arbitrator")] {
        let arguments = json!({"debate_type": "general_debate", "language": "Vietnamese"});
        let answer = client.request("prompts/get", json!({"name": prompt, "arguments": arguments})).await;
        let arguments = json!({"role": role, "debate_type": "general_debate", "language": "Vietnamese"});
        let fields = client.data("debate_guide", arguments).await;
        assert_eq!(fields["guide"], answer["result"]["messages"][0]["content"]["text"]);
        assert!(fields["next"]["tool"].is_string(), "{}", fields["next"]);
    }
    for arguments in
        [json!({}), json!({"role": "judge"}), json!({"role": "opponent", "language": "x\ny"}), json!({"host": "codex"})]
    {
        assert_eq!(client.error("debate_guide", arguments.clone()).await["code"], "INVALID_INPUT", "{arguments}");
    }
    // Whoever may act in one role only gets the guide of that one.
    let mut client = McpClient::start(&agent, &["--role", "opponent"]).await;
    let fields = client.data("debate_guide", json!({})).await;
    assert!(fields["guide"].as_str().unwrap().starts_with("# You are the opponent"), "{fields}");
    assert_eq!(client.error("debate_guide", json!({"role": "proposer"})).await["code"], "INVALID_INPUT");
}

/// Whoever has no shell can make nothing of a command.
#[tokio::test]
async fn nothing_speaks_of_a_shell() {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents")).await;
    let agent = Agent::new(&server.url()).env("DEBATE_AUTH_TOKEN", "agents");
    let mut client = McpClient::start(&agent, &[]).await;
    let mut texts = vec![client.request("tools/list", json!({})).await["result"].to_string()];
    texts.push(client.request("prompts/list", json!({})).await["result"].to_string());
    for role in ["proposer", "opponent", "arbitrator"] {
        texts.push(text(&client.data("debate_guide", json!({"role": role})).await["guide"]));
    }
    let opened = json!({"title": "T", "debate_type": "general_debate", "content": "Shall we?"});
    let opened = client.data("debate_create", opened).await;
    let id = opened["debate"]["id"].clone();
    texts.push(opened.to_string());
    for (tool, arguments) in [
        ("debate_get_context", json!({"debate_id": id})),
        ("debate_wait", json!({"debate_id": id, "role": "proposer", "argument_id": "#1", "timeout": 0})),
        ("debate_submit", json!({"debate_id": id, "role": "proposer", "target_id": "#1", "content": "x"})),
        ("debate_show", json!({"debate_id": "00000000-0000-4000-8000-000000000000", "argument_id": "#1"})),
        ("debate_submit", json!({"debate_id": id, "role": "opponent", "target_id": "#1", "path": "missing.md"})),
        ("debate_list", json!({"state": "odd"})),
        ("docs_get", json!({"document_id": "?"})),
        ("docs_create", json!({"summary": "s", "content": "x", "metadata": 7})),
    ] {
        let id = client.begin_call(tool, arguments).await;
        texts.push(client.result(id).await.to_string());
    }
    for (url, token) in [("http://127.0.0.1:1".to_owned(), "agents"), (server.url(), "another")] {
        let agent = Agent::new(&url).env("DEBATE_AUTH_TOKEN", token);
        let mut client = McpClient::start(&agent, &[]).await;
        texts.push(client.error("debate_list", json!({})).await.to_string());
        let opened = json!({"title": "T", "debate_type": "general_debate", "content": "x"});
        texts.push(client.error("debate_create", opened).await.to_string());
    }
    for text in texts {
        for word in [
            "`aw",
            "aw debate",
            "aw docs",
            "aw up",
            "aw doctor",
            "shell",
            "stdin",
            "--",
            "exit status",
            "standard input",
        ] {
            let found = text.find(word).map(|at| &text[at.saturating_sub(80)..(at + 60).min(text.len())]);
            assert!(found.is_none() || word == "--" && text.contains("|---"), "{word}: {found:?}");
        }
    }
}

#[tokio::test]
async fn the_prompts_are_the_guides_with_tools() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut client = McpClient::start(&agent, &[]).await;
    let list = client.request("prompts/list", json!({})).await;
    assert_eq!(names(&list["result"]["prompts"]), ["arbitrate", "oppose", "propose"]);
    for (prompt, role) in [("propose", "proposer"), ("oppose", "opponent"), ("arbitrate", "arbitrator")] {
        let answer = client.request("prompts/get", json!({"name": prompt})).await;
        let text = answer["result"]["messages"][0]["content"]["text"].as_str().unwrap().to_owned();
        let guide = agent.run(&["debate", "guide", "--role", role]).await.stdout;
        assert_eq!(text.lines().next(), guide.lines().next());
        for heading in guide.lines().filter(|line| line.starts_with("## ")) {
            let is_of_commands = ["## Waiting", "## Rules"].contains(&heading);
            assert_eq!(text.contains(heading), !is_of_commands, "{prompt}: {heading}");
        }
        assert!(!text.contains("aw debate") && !text.contains("aw docs"), "{text}");
        assert!(text.contains("debate_get_context {"), "{text}");
    }
    let arguments = json!({"debate_type": "general_debate", "language": "Vietnamese"});
    let answer = client.request("prompts/get", json!({"name": "oppose", "arguments": arguments})).await;
    let text = answer["result"]["messages"][0]["content"]["text"].as_str().unwrap().to_owned();
    assert!(text.contains("in Vietnamese") && text.contains("opponent of a general debate"), "{text}");
    assert!(!text.contains("opponent of a coding plan"), "{text}");
}
