//! What tools answer, compared with their commands.

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    cli::Agent,
    debate::{Debate, Situation, text},
    ids,
    issue_changes::raise,
    mcp::McpClient,
    server::{Server, Settings},
    stub_server::{Reply, StubServer},
};

/// What answers have besides the data of the command.
const ADDED: [&str; 8] = ["next", "also", "more", "message", "warning", "caution", "total_count", "has_more"];

fn without_additions(mut fields: Value) -> Value {
    fields.as_object_mut().unwrap().retain(|name, _| !ADDED.contains(&name.as_str()));
    fields
}

/// Whether it has a call to make next.
#[track_caller]
fn assert_leads_on(fields: &Value) {
    assert!(fields["next"]["tool"].is_string() && fields["next"]["arguments"].is_object(), "{fields}");
}

#[tokio::test]
async fn what_helps_is_told_without_a_shell() {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let unknown = json!({"document_id": "ffffffff", "summary": "s", "content": "x"});
    let create = json!({"title": "t", "debate_type": "general_debate", "content": "x"});
    let sandboxed = || Agent::new("http://127.0.0.1:1").env("CODEX_SANDBOX_NETWORK_DISABLED", "1");
    let in_a_run = || Agent::new(&server.url()).env("AW_ROLE", "opponent");
    for (agent, tool, arguments) in [
        (Agent::new(&server.url()), "docs_get", json!({"document_id": "ffffffff"})),
        (Agent::new(&server.url()), "docs_submit", unknown),
        (Agent::new(&server.url()), "debate_show", json!({"debate_id": "ffffffff", "argument_id": "#1"})),
        (Agent::new(&server.url()), "debate_show", json!({"debate_id": debate.id, "argument_id": "ffff"})),
        (Agent::new(&server.url()), "debate_show", json!({"debate_id": "-1", "argument_id": "#1"})),
        (Agent::new("http://127.0.0.1:1"), "debate_list", json!({})),
        (Agent::new("http://127.0.0.1:0"), "debate_list", json!({})),
        (Agent::new("http://nowhere.invalid"), "debate_list", json!({})),
        (sandboxed(), "debate_list", json!({})),
        (in_a_run(), "debate_create", create),
    ] {
        let mut client = McpClient::start(&agent, &[]).await;
        let error = client.error(tool, arguments.clone()).await;
        let words = ["message", "suggestion"].map(|field| error[field].as_str().unwrap_or_default()).join(" ");
        for shell in ["aw debate", "aw docs", "aw setup", "aw up", "aw doctor", "let aw run", "--", "shell", "line"] {
            assert!(!words.contains(shell), "{tool} {arguments}: {error}");
        }
        client.end().await;
    }
}

#[tokio::test]
async fn what_is_read_is_the_data_of_the_command() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let debate = Debate::in_situation(&server.client(), Situation::Appealed).await;
    let id = debate.id.as_str();
    let created = agent.run(&["docs", "create", "--summary", "Plan", "--content", "one\n"]).await.data();
    let document = text(&created["document_id"]);
    agent.run(&["docs", "submit", &document, "--summary", "Two", "--content", "two\n"]).await.data();
    let mut client = McpClient::start(&agent, &[]).await;
    let document = document.as_str();
    for (tool, arguments, command) in [
        ("debate_get_context", json!({"debate_id": id}), vec!["debate", "get-context", "--debate-id", id]),
        (
            "debate_get_context",
            json!({"debate_id": id, "role": "opponent", "limit": 1, "max_chars": 9}),
            vec!["debate", "get-context", "--debate-id", id, "--role", "opponent", "--limit", "1", "--max-chars", "9"],
        ),
        ("debate_issues", json!({"debate_id": id, "all": true}), vec!["debate", "issues", "--debate-id", id, "--all"]),
        (
            "debate_show",
            json!({"debate_id": id, "argument_id": "#2"}),
            vec!["debate", "show", "--debate-id", id, "--argument-id", "#2"],
        ),
        ("debate_list", json!({"query": id}), vec!["debate", "list", "--query", id]),
        ("docs_get", json!({"document_id": document}), vec!["docs", "get", document, "--format", "json"]),
        (
            "docs_get",
            json!({"document_id": document, "version": 1}),
            vec!["docs", "get", document, "--version", "1", "--format", "json"],
        ),
        ("docs_diff", json!({"document_id": document}), vec!["docs", "diff", document, "--format", "json"]),
    ] {
        let fields = client.data(tool, arguments).await;
        let run = agent.run(&command).await;
        assert_eq!(without_additions(fields.clone()), without_additions(run.data()), "{tool}");
        let document = run.document();
        for field in ["total_count", "has_more"] {
            assert_eq!(fields.get(field), document.get(field), "{tool}");
        }
        let next = document["metadata"]["next"].as_str();
        assert_leads_on(&fields);
        if let Some(next) = next {
            let tool = text(&fields["next"]["tool"]).replace('_', "-");
            let words: Vec<_> = next.split(' ').take(3).collect();
            assert_eq!(format!("aw-{tool}"), words.join("-"));
        }
    }
}

#[tokio::test]
async fn a_round_follows_next_from_the_motion_to_the_ruling() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut proposer = McpClient::start(&agent, &["--role", "proposer"]).await;
    let opened = proposer
        .data("debate_create", json!({"title": "T", "debate_type": "general_debate", "content": "The motion."}))
        .await;
    let id = text(&opened["debate_id"]);
    assert_eq!(opened["next"]["tool"], "debate_wait");
    let waiting = opened["next"]["arguments"].clone();
    assert_eq!(waiting, json!({"debate_id": id, "role": "proposer", "argument_id": opened["argument_id"]}));

    let mut opponent = McpClient::start(&agent, &["--role", "opponent", "--debate-id", &id]).await;
    let news = opponent.data("debate_wait", json!({})).await;
    assert_eq!((&news["status"], &news["action"]), (&json!("new_argument"), &json!("respond")));
    assert_eq!(news["next"]["tool"], "debate_submit");
    let mut claim = news["next"]["arguments"].clone();
    assert_eq!(claim["content"], "<content>");
    assert_eq!(opponent.error("debate_submit", claim.clone()).await["code"], "INVALID_INPUT");
    claim["content"] = "Two points.".into();
    claim["raise"] = json!(["high: Lost on restart @ plan 2.1"]);
    claim["issue_changes"] = json!([]);
    let stored = opponent.data("debate_submit", claim).await;
    assert_eq!(stored["changed_issues"][0]["id"], "I1");
    assert_eq!(stored["debate_state"], "AWAITING_PROPOSER");

    let news = proposer.data("debate_wait", waiting).await;
    assert_eq!(news["issues"][0]["title"], "Lost on restart");
    let mut answer = news["next"]["arguments"].clone();
    assert_eq!(answer["fix"], json!(["I1"]));
    answer["content"] = "Done.".into();
    answer.as_object_mut().unwrap().remove("fix");
    answer["issue_changes"] = json!([{"change": "fix", "issue": "I1", "note": "plan 2.2"}]);
    let request_id = ids::fresh();
    answer["client_request_id"] = request_id.clone().into();
    let stored = proposer.data("debate_submit", answer.clone()).await;
    assert_eq!(stored["changed_issues"][0]["status"], "fixed");
    assert_eq!(stored["client_request_id"], request_id);
    let again = proposer.data("debate_submit", answer.clone()).await;
    assert_eq!((&again["replayed"], &again["argument_id"]), (&json!(true), &stored["argument_id"]));
    answer["content"] = "Other.".into();
    assert_eq!(proposer.error("debate_submit", answer).await["code"], "IDEMPOTENCY_CONFLICT");

    let mut arbitrator = McpClient::start(&agent, &["--role", "arbitrator", "--debate-id", &id]).await;
    let stopped = arbitrator.data("debate_intervention", json!({})).await;
    assert_eq!(stopped["debate_state"], "INTERVENTION_PENDING");
    let ruled =
        arbitrator.data("debate_ruling", json!({"content": "Stop.", "close": true, "dismiss": ["I1: no"]})).await;
    assert_eq!((&ruled["debate_state"], &ruled["action"]), (&json!("CLOSED"), &json!("debate_closed")));

    let found = opponent.data("debate_search", json!({"text": "LOST on", "kind": ["issue"]})).await;
    let hits = found["hits"].as_array().unwrap();
    assert!(hits.iter().any(|hit| hit["debate_id"] == id.as_str() && hit["issue"] == "I1"), "{found}");
}

const NONE: &str = "00000000-0000-4000-8000-000000000000";

#[tokio::test]
async fn bad_input_has_the_code_of_the_command() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let id = debate.id.as_str();
    let target = debate.newest();
    let mut client = McpClient::start(&agent, &[]).await;
    let submit = |role: &str, target: &str, more: &[(&str, Value)]| {
        let mut all = json!({"debate_id": id, "role": role, "target_id": target, "content": "c"});
        more.iter().for_each(|(name, value)| all[*name] = value.clone());
        all
    };
    let line = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let debate_line = |words: &str| line(&format!("debate {words}"));
    let submit_line = |role: &str, target: &str, more: &[&str]| {
        let mut words = debate_line(&format!("submit --debate-id {id} --role {role} --target-id {target} --content c"));
        words.extend(more.iter().map(|word| (*word).to_owned()));
        words
    };
    let long = "x".repeat(10_241);
    for (tool, arguments, command) in [
        ("debate_submit", submit("judge", target, &[]), submit_line("judge", target, &[])),
        ("debate_submit", submit("opponent", target, &[]), submit_line("opponent", target, &[])),
        ("debate_submit", submit("proposer", NONE, &[]), submit_line("proposer", NONE, &[])),
        ("debate_submit", submit("proposer", "nonsense", &[]), submit_line("proposer", "nonsense", &[])),
        ("debate_submit", submit("proposer", "#99", &[]), submit_line("proposer", "#99", &[])),
        (
            "debate_submit",
            submit("proposer", target, &[("fix", json!(["I9"]))]),
            submit_line("proposer", target, &["--fix", "I9"]),
        ),
        (
            "debate_submit",
            submit("proposer", target, &[("raise", json!(["high: T"]))]),
            submit_line("proposer", target, &["--raise", "high: T"]),
        ),
        (
            "debate_submit",
            submit("proposer", target, &[("fix", json!("why not"))]),
            submit_line("proposer", target, &["--fix", "why not"]),
        ),
        (
            "debate_submit",
            submit("proposer", target, &[("client_request_id", json!("a b"))]),
            submit_line("proposer", target, &["--client-request-id", "a b"]),
        ),
        (
            "debate_submit",
            submit("proposer", target, &[("content", json!(long))]),
            debate_line(&format!("submit --debate-id {id} --role proposer --target-id {target} --content {long}")),
        ),
        (
            "debate_submit",
            submit("proposer", target, &[("content", json!(""))]),
            debate_line(&format!("submit --debate-id {id} --role proposer --target-id {target} --content ")),
        ),
        (
            "debate_show",
            json!({"debate_id": NONE, "argument_id": "#1"}),
            debate_line(&format!("show --debate-id {NONE} --argument-id #1")),
        ),
        ("debate_get_context", json!({"debate_id": "zz"}), debate_line("get-context --debate-id zz")),
        (
            "debate_get_context",
            json!({"debate_id": id, "limit": -1}),
            debate_line(&format!("get-context --debate-id {id} --limit=-1")),
        ),
        ("debate_list", json!({"limit": 201}), debate_line("list --limit 201")),
        ("debate_list", json!({"limit": 1.5}), debate_line("list --limit 1.5")),
        ("debate_list", json!({"state": "OPEN"}), debate_line("list --state OPEN")),
        (
            "debate_issues",
            json!({"debate_id": id, "status": "new"}),
            debate_line(&format!("issues --debate-id {id} --status new")),
        ),
        (
            "debate_wait",
            json!({"debate_id": NONE, "role": "opponent", "timeout": 0}),
            debate_line(&format!("wait --debate-id {NONE} --role opponent --timeout 0")),
        ),
        (
            "debate_wait",
            json!({"debate_id": id, "role": "opponent", "argument_id": NONE, "timeout": 0}),
            debate_line(&format!("wait --debate-id {id} --role opponent --argument-id {NONE} --timeout 0")),
        ),
        (
            "debate_create",
            json!({"debate_id": id, "title": "T", "debate_type": "general_debate", "content": "c"}),
            debate_line(&format!("create --debate-id {id} --title T --debate-type general_debate --content c")),
        ),
        (
            "debate_create",
            json!({"debate_id": "7", "title": "T", "debate_type": "duel", "content": "c"}),
            debate_line("create --debate-id 7 --title T --debate-type duel --content c"),
        ),
        ("docs_get", json!({"document_id": NONE}), line(&format!("docs get {NONE} --format json"))),
        ("docs_diff", json!({"document_id": "-"}), line("docs diff - --format json")),
        (
            "docs_create",
            json!({"summary": "S", "content": "c", "metadata": "{"}),
            line("docs create --summary S --content c --metadata {"),
        ),
        (
            "docs_submit",
            json!({"document_id": NONE, "summary": "S", "content": "c"}),
            line(&format!("docs submit {NONE} --summary S --content c")),
        ),
    ] {
        let error = client.error(tool, arguments.clone()).await;
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let told = agent.run(&words).await.document();
        let shown = arguments.to_string().chars().take(200).collect::<String>();
        assert_eq!(error["code"], told["error"]["code"], "{tool} {shown}: {error}");
        assert_leads_on(&error);
        assert!(!error["message"].as_str().unwrap().is_empty(), "{error}");
        let spoken = format!("{} {}", error["message"], error["suggestion"]);
        assert!(!spoken.contains("aw debate ") || spoken.contains("generate-id"), "{tool}: {spoken}");
        let server_error = &told["content"][0]["data"]["server_error"];
        for field in ["current_state", "allowed_roles", "limit", "actual", "field"] {
            assert_eq!(error.get(field), server_error.get(field), "{tool} {field}");
        }
    }
    // What only a tool can be given.
    for (tool, arguments) in [
        ("debate_submit", json!({})),
        ("debate_submit", json!({"debate_id": id, "role": "proposer", "target_id": "#1"})),
        ("debate_list", json!({"output": "x"})),
        ("debate_list", json!({"limit": "ten"})),
        ("debate_issues", json!({"debate_id": id, "all": "yes"})),
        ("debate_get_context", json!({"debate_id": [id]})),
        ("debate_wait", json!({"debate_id": id, "role": "opponent", "timeout": 3601})),
        ("debate_submit", submit("proposer", target, &[("issue_changes", json!([{"issue": "I1"}]))])),
    ] {
        let error = client.error(tool, arguments.clone()).await;
        assert_eq!(error["code"], "INVALID_INPUT", "{tool} {arguments}");
        assert_leads_on(&error);
    }
    // For JSON Schema it is a whole number.
    client.data("debate_list", json!({"limit": 2.0})).await;
}

#[tokio::test]
async fn who_has_no_seat_is_told_the_command_that_frees_it() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut client = McpClient::start(&agent, &["--role", "proposer"]).await;
    let motion = json!({"title": "T", "debate_type": "general_debate", "content": "m"});
    let id = text(&client.data("debate_create", motion).await["debate_id"]);
    let mut opponent = McpClient::start(&agent, &["--role", "opponent", "--debate-id", &id]).await;
    let claim = opponent.data("debate_submit", json!({"target_id": "#1", "content": "c"})).await;
    let other = Agent::new(&server.url());
    let mut client = McpClient::start(&other, &["--role", "proposer", "--debate-id", &id]).await;
    let error = client.error("debate_submit", json!({"target_id": claim["argument_id"], "content": "c"})).await;
    assert_eq!(error["code"], "SEAT_TAKEN");
    let command = format!("aw debate free-seat --debate-id {id} --role proposer");
    assert!(text(&error["suggestion"]).contains(&command), "{error}");
}

#[tokio::test]
async fn a_text_of_many_megabytes_is_refused_with_the_code_of_the_command() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let text = "x".repeat(20 << 20);
    std::fs::write(agent.project().join("long.txt"), &text).unwrap();
    agent
        .run(&["docs", "create", "--summary", "S", "--file", "project/long.txt"])
        .await
        .failure(4, "CONTENT_TOO_LARGE");
    let mut client = McpClient::start(&agent, &[]).await;
    for source in [json!({"summary": "S", "content": text}), json!({"summary": "S", "path": "long.txt"})] {
        assert_eq!(client.error("docs_create", source).await["code"], "CONTENT_TOO_LARGE");
    }
}

#[tokio::test]
async fn one_client_acts_in_one_role() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let id = debate.id.as_str();
    let mut opponent = McpClient::start(&agent, &["--role", "opponent", "--debate-id", id]).await;
    let newest = debate.newest();
    for (tool, arguments) in [
        ("debate_submit", json!({"role": "proposer", "target_id": newest, "content": "c"})),
        ("debate_wait", json!({"role": "arbitrator"})),
        ("debate_get_context", json!({"role": "proposer"})),
        ("debate_appeal", json!({"target_id": newest, "content": "c"})),
        ("debate_request_completion", json!({"target_id": newest, "content": "c"})),
        ("debate_create", json!({"title": "T", "debate_type": "general_debate", "content": "c"})),
    ] {
        let error = opponent.error(tool, arguments).await;
        assert_eq!(error["code"], "INVALID_INPUT", "{tool}: {error}");
    }
    assert_eq!(debate.history().await.len(), 2);
    assert_eq!(opponent.data("debate_get_context", json!({})).await["action"], "wait_for_proposer");
    let other = Debate::create(&server.client()).await;
    assert_eq!(opponent.data("debate_wait", json!({"debate_id": other.id})).await["action"], "respond");
}

#[tokio::test]
async fn every_answer_leads_on() {
    let server = Server::with(Settings::new()).await;
    let agent = Agent::new(&server.url());
    let mut client = McpClient::start(&agent, &[]).await;
    let fields = client.data("debate_list", json!({})).await;
    assert_eq!(fields["next"]["tool"], "debate_create");
    let made_as_it_is = client.error("debate_create", fields["next"]["arguments"].clone()).await;
    assert_eq!(made_as_it_is["code"], "INVALID_INPUT", "{made_as_it_is}");
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    let other = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let (id, other) = (debate.id.as_str(), other.id.as_str());
    let stored = client.data("docs_create", json!({"summary": "S", "content": "one\n"})).await;
    let document = stored["document_id"].as_str().unwrap();
    assert_eq!(stored["next"], json!({"tool": "docs_get", "arguments": {"document_id": document}}));
    let again = json!({"document_id": document, "summary": "S", "content": "two\n"});
    assert_eq!(client.data("docs_submit", again).await["next"]["tool"], "docs_diff");
    let fields = client.data("debate_list", json!({})).await;
    // Which one is for the caller to say.
    let context = json!({"tool": "debate_get_context", "arguments": {"debate_id": "<debate_id>"}});
    assert_eq!(fields["next"], context);
    assert_eq!(client.error("debate_get_context", context["arguments"].clone()).await["code"], "INVALID_INPUT");
    let page = client.data("debate_list", json!({"limit": 1, "state": null})).await;
    assert_eq!(page["next"], json!({"tool": "debate_list", "arguments": {"limit": 1, "offset": 1}}));
    for (tool, arguments, next) in [
        ("debate_get_context", json!({"debate_id": id}), "debate_record"),
        ("debate_get_context", json!({"debate_id": id, "role": "opponent"}), "debate_record"),
        ("debate_wait", json!({"debate_id": id, "role": "opponent"}), "debate_record"),
        ("debate_record", json!({"debate_id": id}), "debate_get_context"),
        ("debate_show", json!({"debate_id": id, "argument_id": "#1"}), "debate_get_context"),
    ] {
        assert_eq!(client.data(tool, arguments.clone()).await["next"]["tool"], next, "{tool} {arguments}");
    }
    // After an error, too; what is named and does exist is followed.
    for (tool, arguments, next) in [
        ("debate_list", json!({"limit": 1000}), json!({"tool": "debate_list", "arguments": {}})),
        (
            "debate_show",
            json!({"debate_id": "?", "argument_id": "#1"}),
            json!({"tool": "debate_list", "arguments": {}}),
        ),
        (
            "debate_show",
            json!({"debate_id": NONE, "argument_id": "#1"}),
            json!({"tool": "debate_list", "arguments": {}}),
        ),
        (
            "debate_submit",
            json!({"debate_id": other, "role": "proposer", "target_id": "#2", "content": "c", "fix": ["I9"]}),
            json!({"tool": "debate_get_context", "arguments": {"debate_id": other, "role": "proposer"}}),
        ),
        (
            "docs_diff",
            json!({"document_id": document, "from": "one"}),
            json!({"tool": "docs_get", "arguments": {"document_id": document}}),
        ),
        ("docs_create", json!({}), json!({"tool": "debate_list", "arguments": {}})),
    ] {
        assert_eq!(client.error(tool, arguments.clone()).await["next"], next, "{tool} {arguments}");
    }
    // A role and a debate that were given at the start need not be given again, not even to read on.
    let mut opponent = McpClient::start(&agent, &["--role", "opponent", "--debate-id", other]).await;
    let context = json!({"tool": "debate_get_context", "arguments": {"debate_id": other, "role": "opponent"}});
    for (tool, arguments) in [("debate_submit", json!({})), ("debate_show", json!({"argument": "#1"}))] {
        assert_eq!(opponent.error(tool, arguments).await["next"], context, "{tool}");
    }
    assert_eq!(opponent.data("debate_list", json!({})).await["next"], context);
}

#[tokio::test]
async fn a_read_of_a_server_that_is_away_is_repeated_as_next_says() {
    let stub = StubServer::start(vec![Reply::HangUp]).await;
    let mut client = McpClient::start(&Agent::new(&stub.url()), &[]).await;
    let arguments = json!({"debate_id": NONE, "limit": 3});
    let error = client.error("debate_get_context", arguments.clone()).await;
    assert_eq!(error["code"], "CONNECTION_ERROR");
    assert_eq!(error["next"], json!({"tool": "debate_get_context", "arguments": arguments}));
}

#[rstest]
#[case::wrong_token(Some("wrong"), "AUTH_FAILED")]
#[case::no_token(None, "AUTH_FAILED")]
#[tokio::test]
async fn a_refused_token_is_told(#[case] token: Option<&str>, #[case] code: &str) {
    let server = Server::with(Settings::new().env("DEBATE_AUTH_TOKEN", "agents")).await;
    let mut agent = Agent::new(&server.url());
    if let Some(token) = token {
        agent = agent.env("DEBATE_AUTH_TOKEN", token);
    }
    let mut client = McpClient::start(&agent, &[]).await;
    assert_eq!(client.error("debate_list", json!({})).await["code"], code);
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_is_repeated_as_next_says() {
    let stub = StubServer::start(vec![Reply::HangUp]).await;
    let agent = Agent::new(&stub.url());
    let mut client = McpClient::start(&agent, &[]).await;
    let error = client.error("docs_create", json!({"summary": "S", "content": "c"})).await;
    assert_eq!(error["code"], "CONNECTION_ERROR");
    let arguments = json!({"summary": "S", "content": "c", "client_request_id": error["client_request_id"]});
    assert_eq!(error["next"], json!({"tool": "docs_create", "arguments": arguments}));
}

#[tokio::test]
async fn an_option_of_an_appeal_may_say_what_it_decides() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    debate.claim_with("opponent", json!([raise("high", "Slow")])).await;
    let mut proposer = McpClient::start(&agent, &["--role", "proposer", "--debate-id", &debate.id]).await;
    let decided = json!([{"change": "dismiss", "issue": "I1", "note": "Not now"}]);
    let appeal = json!({
        "target_id": debate.newest(), "content": "Which?", "refer": ["I1"],
        "option": [{"label": "Leave it", "issue_changes": decided}, "Mend it: today"],
    });
    let appealed = proposer.data("debate_appeal", appeal).await;
    let options = &appealed["argument"]["options"];
    assert_eq!((&options[0]["issue_changes"], &options[1]["detail"]), (&decided, &json!("today")));
    let mut arbitrator = McpClient::start(&agent, &["--role", "arbitrator", "--debate-id", &debate.id]).await;
    let left = json!({"content": "Leave it.", "choose": 0, "issue_changes": [], "dry_run": true});
    let would = arbitrator.data("debate_ruling", left).await;
    assert_eq!(would["issue_counts"]["open"], 1, "an empty list stands alone");
    let ruled = arbitrator.data("debate_ruling", json!({"content": "Leave it.", "choose": 0})).await;
    assert_eq!(ruled["argument"]["issue_changes"], decided);
}

#[tokio::test]
async fn a_record_names_no_programs_while_the_debate_is_open() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    for (situation, is_open) in
        [(Situation::AwaitingProposer, true), (Situation::Appealed, true), (Situation::Closed, false)]
    {
        let debate = Debate::in_situation(&server.client(), situation).await;
        for role in [&[][..], &["--role", "opponent"]] {
            let mut client = McpClient::start(&agent, role).await;
            let fields = client.data("debate_record", json!({"debate_id": debate.id})).await;
            assert_eq!(fields["record"].get("agents").is_none(), is_open, "{fields}");
            assert_eq!(fields["signature"].is_null(), is_open, "{fields}");
            client.end().await;
        }
    }
}
