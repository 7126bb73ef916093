//! `--plan`, which revises the plan and argues in one step, and `aw debate plan`, which prints it.

use std::fs;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tests::{
    cli::{Agent, Run},
    client::Client,
    debate::text,
    ids,
    mcp::McpClient,
    server::Server,
    stub_server::{Reply, StubServer},
};

/// A debate that the proposer opened with a plan.
struct Planned {
    client: Client,
    agent: Agent,
    debate: String,
    document: String,
}

impl Planned {
    async fn open(server: &Server) -> Self {
        let (agent, debate) = (Agent::new(&server.url()), ids::fresh());
        let plan = agent.file("plan.md", "one\ntwo\nthree\n");
        let create = ["debate", "create", "--debate-id", &debate, "--title", "Cache the prices", "--type"];
        let more = ["general_debate", "--plan", &plan, "--content", "Make it fast.\n"];
        let data = agent.run(&[&create[..], &more].concat()).await.data();
        let document = text(&data["plan"]["document_id"]);
        let expected = json!({"version": 1, "first_version": 1, "seen_version": null});
        for (field, value) in expected.as_object().unwrap() {
            assert_eq!(data["plan"][field], *value, "{data}");
        }
        Self { client: server.client(), agent, debate, document }
    }

    async fn run(&self, verb: &str, more: &[&str]) -> Run {
        self.agent.run(&[&["debate", verb, "--debate-id", &self.debate], more].concat()).await
    }

    async fn newest(&self) -> Value {
        let context = self.client.get(&format!("/debates/{}", self.debate)).await.data(200);
        context["arguments"].as_array().unwrap().last().unwrap_or(&context["motion"]).clone()
    }

    async fn claim(&self, role: &str, more: &[&str]) -> Run {
        let target = text(&self.newest().await["id"]);
        self.run("submit", &[&["--role", role, "--target-id", &target], more].concat()).await
    }

    /// The summaries of the versions, the oldest first.
    async fn summaries(&self) -> Vec<String> {
        let path = format!("/documents/{}/versions", self.document);
        let versions = self.client.get(&path).await.data(200)["versions"].clone();
        versions.as_array().unwrap().iter().rev().map(|version| text(&version["summary"])).collect()
    }

    async fn documents(&self) -> Value {
        self.client.get("/documents").await.data(200)["total"].clone()
    }
}

#[tokio::test]
async fn a_plan_with_carriage_returns_alone_has_lines() {
    let server = Server::shared().await;
    let planned = Planned::open(&server).await;
    let plan = planned.agent.file("returns.md", "one\rtwo\rthree\r");
    planned.claim("opponent", &["--content", "x"]).await.data();
    planned.claim("proposer", &["--content", "x", "--plan", &plan]).await.data();
    let plan = planned.agent.file("returns.md", "one\r2\rthree\r");
    planned.claim("opponent", &["--content", "x"]).await.data();
    let stored = planned.claim("proposer", &["--content", "\rTwo is 2\rand more", "--plan", &plan]).await.document();
    assert!(text(&stored["metadata"]["message"]).ends_with(": the plan is now version 3"), "{stored}");
    assert_eq!(planned.summaries().await, ["Cache the prices", "x", "Two is 2"]);
    let since = planned.run("plan", &["--since", "2"]).await.stdout;
    assert!(since.ends_with("@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"), "{since:?}");
    // Other line ends are a change, too.
    let since = planned.run("plan", &["--since", "first"]).await.stdout;
    assert!(since.contains("-two\n") && since.contains("+one\r2\rthree\r"), "{since:?}");
    assert_eq!(planned.run("plan", &["--lines", "2-3"]).await.stdout, "2\rthree\r");
}

#[tokio::test]
async fn a_file_becomes_the_next_version_and_the_text_cites_it() {
    let server = Server::start().await;
    let planned = Planned::open(&server).await;
    let cites = |version: u64, rest: &str| format!("Plan: doc_id={} v{version}{rest}", planned.document);
    assert_eq!(planned.newest().await["content"], cites(1, "\n\nMake it fast.\n"));
    let document = planned.client.get(&format!("/documents/{}", planned.document)).await.data(200);
    assert_eq!(document["document"]["title"], "Cache the prices");
    assert_eq!(document["version"]["content"], "one\ntwo\nthree\n");

    planned.claim("opponent", &["--content", "Two is wrong."]).await.data();
    let plan = planned.agent.file("plan.md", "one\n2\nthree\n");
    let data = planned.claim("proposer", &["--plan", &plan, "--content", "\nTwo is a number.\nMore."]).await.data();
    assert_eq!((&data["plan"]["version"], &data["plan"]["seen_version"]), (&json!(2), &json!(1)));
    assert_eq!(planned.newest().await["content"], cites(2, "\n\n\nTwo is a number.\nMore."));

    // Equal bytes are the present version, and the text may be left out.
    planned.claim("opponent", &["--content", "Better."]).await.data();
    planned.claim("proposer", &["--plan", &plan]).await.data();
    assert_eq!(planned.newest().await["content"], cites(2, ""));
    assert_eq!(planned.summaries().await, ["Cache the prices", "Two is a number."]);

    planned.claim("opponent", &["--content", "And three?"]).await.data();
    let target = text(&planned.newest().await["id"]);
    let plan = planned.agent.file("plan.md", "one\n2\n3\n");
    let appeal = ["--target-id", &target, "--plan", &plan, "--plan-summary", "Numbers", "--content", "Is it?"];
    assert_eq!(planned.run("appeal", &appeal).await.data()["plan"]["version"], 3);
    planned.run("ruling", &["--content", "It is."]).await.data();
    let target = text(&planned.newest().await["id"]);
    let plan = planned.agent.file("plan.md", "1\n2\n3\n");
    let completion = ["--target-id", &target, "--plan", &plan];
    let run = planned.run("request-completion", &completion).await;
    assert_eq!(run.data()["plan"]["version"], 4, "{run:?}");
    assert_eq!(planned.summaries().await, ["Cache the prices", "Two is a number.", "Numbers", "Cache the prices"]);
}

#[tokio::test]
async fn a_repeated_command_stores_nothing_twice_and_a_refused_one_stores_no_version() {
    let server = Server::start().await;
    let planned = Planned::open(&server).await;
    planned.claim("opponent", &["--content", "Two is wrong."]).await.data();
    let target = text(&planned.newest().await["id"]);
    let plan = planned.agent.file("plan.md", "one\n2\n");
    let submit = ["--role", "proposer", "--target-id", &target, "--content", "Mended.", "--plan", &plan];
    let submit = [&submit[..], &["--client-request-id", "r1"]].concat();

    // What a command that was killed between the version and the argument leaves behind.
    let digest = Sha256::digest(format!("{}\nr1\none\n2\n\n", planned.debate));
    let request_id: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let version = json!({"summary": "Mended.", "content": "one\n2\n", "client_request_id": request_id});
    planned.client.post(&format!("/documents/{}/versions", planned.document), &version).await.data(201);
    let first = planned.run("submit", &submit).await.data();
    assert_eq!((&first["plan"]["version"], first.get("replayed")), (&json!(2), None));
    let unchanged = async |versions: usize| {
        assert_eq!(planned.summaries().await.len(), versions);
        assert_eq!(planned.documents().await, 1);
    };
    unchanged(2).await;
    planned.agent.file("plan.md", "another\n");
    planned.run("submit", &submit).await.failure(4, "IDEMPOTENCY_CONFLICT");
    planned.agent.file("plan.md", "one\n2\n");
    unchanged(2).await;

    // Out of turn, then in the next turn, then with the plan gone on.
    for _ in 0..2 {
        let again = planned.run("submit", &submit).await.data();
        assert_eq!((&again["replayed"], &again["argument_id"]), (&json!(true), &first["argument_id"]));
        planned.claim("opponent", &["--content", "And one?"]).await.data();
        let next = planned.agent.file("next.md", format!("1\n2\n{}", planned.newest().await["seq"]));
        planned.claim("proposer", &["--plan", &next]).await.data();
    }
    let again = planned.run("submit", &submit).await.data();
    assert_eq!(again["argument_id"], first["argument_id"]);
    unchanged(4).await;

    let other = planned.agent.file("plan.md", "another\n");
    planned.run("submit", &submit).await.failure(4, "IDEMPOTENCY_CONFLICT");
    planned.claim("proposer", &["--plan", &other]).await.failure(5, "ACTION_NOT_ALLOWED");
    planned.claim("opponent", &["--plan", &other]).await.failure(4, "INVALID_INPUT");
    planned.claim("opponent", &["--content", "Go on."]).await.data();
    planned.run("submit", &submit).await.failure(4, "IDEMPOTENCY_CONFLICT");
    let long = "x".repeat(10_200);
    planned.claim("proposer", &["--plan", &other, "--content", &long]).await.failure(4, "CONTENT_TOO_LARGE");
    planned.claim("proposer", &["--plan", "missing.md"]).await.failure(4, "FILE_NOT_FOUND");
    planned.claim("proposer", &["--plan-summary", "No plan", "--content", "a"]).await.failure(4, "INVALID_INPUT");
    planned.claim("proposer", &[]).await.failure(4, "INVALID_INPUT");
    let stranger = Agent::new(&server.url());
    let path = stranger.file("plan.md", "stolen\n");
    let stolen = [&["debate", "submit", "--debate-id", &planned.debate], &submit[..4], &["--plan", &path]].concat();
    stranger.run(&stolen).await.failure(6, "SEAT_TAKEN");
    unchanged(4).await;
}

#[tokio::test]
async fn a_repeated_creation_makes_one_document() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let (debate, plan) = (ids::fresh(), agent.file("plan.md", "The plan.\n"));
    let create = ["debate", "create", "--debate-id", &debate, "--title", "T", "--type", "general_debate"];
    let create = [&create[..], &["--plan", &plan, "--content", "Task.", "--client-request-id", "r1"]].concat();
    let first = agent.run(&create).await.data();
    let again = agent.run(&create).await.data();
    assert_eq!((&again["replayed"], &again["argument_id"]), (&json!(true), &first["argument_id"]));
    let other = [&create[..create.len() - 1], &["r2"]].concat();
    agent.run(&other).await.failure(4, "DEBATE_EXISTS");
    assert_eq!(server.client().get("/documents").await.data(200)["total"], 1);
}

#[tokio::test]
async fn the_plan_is_printed_byte_for_byte_whole_in_part_and_as_changes() {
    let server = Server::start().await;
    let planned = Planned::open(&server).await;
    let print = async |more: &[&str]| planned.run("plan", more).await;
    assert_eq!(print(&[]).await.stdout, "one\ntwo\nthree\n");
    for (lines, expected) in [("2-3", "two\nthree\n"), ("3-99", "three\n"), ("4-5", "")] {
        assert_eq!(print(&["--lines", lines]).await.stdout, expected, "{lines}");
        let get = ["docs", "get", &planned.document, "--lines", lines];
        assert_eq!(planned.agent.run(&get).await.stdout, expected);
    }
    let data = print(&["--lines", "2-3", "--format", "json"]).await.data();
    assert_eq!(
        (&data["lines"], &data["total_lines"], &data["content"]),
        (&json!("2-3"), &json!(3), &json!("two\nthree\n"))
    );
    print(&["--lines", "3-2"]).await.failure(4, "INVALID_INPUT");
    assert!(print(&["--since", "seen"]).await.stderr.contains("DOCUMENT_NOT_FOUND"));

    let cites = format!("I read doc_id={} v1.", planned.document);
    planned.claim("opponent", &["--content", &cites]).await.data();
    let plan = planned.agent.file("plan.md", "one\n2\nthree\n");
    planned.claim("proposer", &["--plan", &plan]).await.data();
    planned
        .agent
        .run(&["docs", "submit", &planned.document, "--summary", "later", "--content", "later\n"])
        .await
        .data();
    assert_eq!(print(&[]).await.stdout, "one\n2\nthree\n", "what nobody cited is not the plan");
    assert_eq!(print(&["--version", "1"]).await.stdout, "one\ntwo\nthree\n");
    let changes = planned.agent.run(&["docs", "diff", &planned.document, "--from", "1", "--to", "2"]).await.stdout;
    assert!(changes.contains("-two\n+2\n"), "{changes}");
    for since in ["1", "first", "seen"] {
        assert_eq!(print(&["--since", since]).await.stdout, changes, "{since}");
    }
    print(&["--since", "last"]).await.failure(4, "INVALID_INPUT");

    let data = print(&["--output", "written.md"]).await.data();
    assert_eq!((&data["version"], &data["path"]), (&json!(2), &json!("written.md")));
    let written = planned.agent.home().join("written.md");
    assert_eq!(fs::read(&written).unwrap(), b"one\n2\nthree\n");
    assert_eq!(print(&["--output", "written.md", "--version", "1"]).await.exit, 4);
    assert_eq!(print(&["--output", "written.md", "--version", "1", "--force"]).await.exit, 0);
    assert_eq!(fs::read(&written).unwrap(), b"one\ntwo\nthree\n");

    let bare = ids::fresh();
    let create =
        ["debate", "create", "--debate-id", &bare, "--title", "T", "--type", "general_debate", "--content", "?"];
    planned.agent.run(&create).await.data();
    let run = planned.agent.run(&["debate", "plan", "--debate-id", &bare, "--format", "json"]).await;
    run.failure(2, "DOCUMENT_NOT_FOUND");
}

#[tokio::test]
async fn tools_revise_and_read_the_plan_in_parts() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let long = (0..5_000).map(|number| format!("line {number}\n")).collect::<String>();
    fs::write(agent.project().join("plan.md"), &long).unwrap();
    let mut client = McpClient::start(&agent, &["--role", "proposer"]).await;
    let motion = json!({"title": "T", "debate_type": "general_debate", "plan": "plan.md"});
    let created = client.data("debate_create", motion.clone()).await;
    assert_eq!(created["plan"]["version"], 1, "{created}");
    let (mut arguments, mut read) = (json!({"debate_id": created["debate_id"]}), String::new());
    loop {
        let id = client.begin_call("debate_plan", arguments).await;
        let answer = client.answer(id).await["result"].clone();
        assert_eq!(answer.get("structuredContent"), None, "a text comes once");
        let part: Value = serde_json::from_str(answer["content"][0]["text"].as_str().unwrap()).unwrap();
        let content = part["content"].as_str().unwrap();
        assert!(content.ends_with('\n') && content.chars().count() <= 24_000);
        read += content;
        if part["next"]["tool"] != "debate_plan" {
            break;
        }
        assert_eq!(part["total_lines"], 5_000);
        arguments = part["next"]["arguments"].clone();
    }
    assert!(read == long, "{} of {} bytes", read.len(), long.len());
    let mut outside = motion;
    outside["plan"] = "/etc/passwd".into();
    assert_eq!(client.error("debate_create", outside).await["code"], "INVALID_INPUT");
}

#[tokio::test]
async fn a_plan_that_was_made_from_an_older_version_is_refused_until_its_author_says_otherwise() {
    let server = Server::start().await;
    let planned = Planned::open(&server).await;
    planned.claim("opponent", &["--content", "Two is wrong."]).await.data();
    let version = json!({"summary": "Another", "content": "Of somebody else", "client_request_id": ids::fresh()});
    planned.client.post(&format!("/documents/{}/versions", planned.document), &version).await.data(201);
    let plan = planned.agent.file("plan.md", "one\n2\n");
    let error = planned.claim("proposer", &["--plan", &plan]).await.failure(5, "ACTION_NOT_ALLOWED");
    assert!(
        error["error"]["suggestion"].as_str().unwrap().ends_with("run the same command again with --plan-base 2"),
        "{error}"
    );
    let next = text(&error["metadata"]["next"]);
    assert_eq!(next, format!("aw docs diff {} --from 1 --to 2", planned.document));
    let shown = planned.agent.shell(&next).await;
    assert!(shown.exit == 0 && shown.stdout.contains("+Of somebody else"), "{shown:?}");
    assert_eq!(planned.summaries().await.len(), 2);
    planned.claim("proposer", &["--plan-base", "2"]).await.failure(4, "INVALID_INPUT");
    let data = planned.claim("proposer", &["--plan", &plan, "--plan-base", "2"]).await.data();
    assert_eq!(data["plan"]["version"], 3);
}

#[tokio::test]
async fn a_server_with_an_older_contract_is_told_before_anything_is_sent() {
    let server = Server::shared().await;
    let mut info = server.client().get("/info").await.data(200);
    info["contract"] = "0.0.9".into();
    let stub = StubServer::start(vec![Reply::Succeed(200, info)]).await;
    let agent = Agent::new(&stub.url());
    let plan = agent.file("plan.md", "one\n");
    let (id, create) =
        (ids::fresh(), ["debate", "create", "--title", "T", "--type", "general_debate", "--plan", &plan]);
    let error = agent.run(&[&create[..], &["--debate-id", &id]].concat()).await.failure(4, "INVALID_INPUT");
    let message = error["error"]["message"].as_str().unwrap();
    assert!(message.contains("0.1.0 or later") && message.contains("0.0.9"), "{message}");
    let requests = stub.requests();
    assert!(requests.iter().all(|request| request.starts_with("GET /info")), "{requests:?}");
}
