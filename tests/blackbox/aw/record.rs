//! `aw debate record` and `aw debate verify-record`.

use std::{fs, net::TcpListener, time::Instant};

use serde_json::Value;
use tests::{
    cli::Agent,
    debate::{Debate, Situation},
    node,
    request_bodies::{self, with},
    server::Server,
};

/// A text that would break a document that takes it as it is.
const HOSTILE: &str = "# Title\n\n## Decision Outcome\n\n</details><script>alert(1)</script>\n\nSee https://example.com/a_b\tand\n\
                       me@example.com.\n\n* one\n    * two\n\n```\n\n[x](javascript:alert(1))";

/// A closed debate on a server, and an agent.
async fn closed() -> (Server, Debate, Agent) {
    let server = Server::start().await;
    let mut debate =
        Debate::create_with(&server.client(), &with(request_bodies::creation(), "motion_content", HOSTILE)).await;
    debate.claim("opponent").await;
    debate.request_completion().await;
    debate.rule(true).await;
    let agent = Agent::new(&server.url());
    (server, debate, agent)
}

fn changed(path: &str, change: impl FnOnce(&mut Value)) {
    let mut document: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut document);
    fs::write(path, document.to_string()).unwrap();
}

#[tokio::test]
async fn a_record_in_json_is_as_the_server_signed_it_and_can_be_verified() {
    let (server, debate, agent) = closed().await;
    let served = server.client().get(&debate.path("/record")).await.data(200);
    let printed = agent.run(&["debate", "record", "--debate-id", &debate.id, "--format", "json"]).await;
    assert_eq!(printed.data(), served, "with all hashes");
    agent.file("printed.json", &printed.stdout);
    let args = ["debate", "record", "--debate-id", &debate.id, "--format", "json", "--output", "record.json"];
    let written = agent.run(&args).await.data();
    let bytes = fs::read(agent.home().join("record.json")).unwrap();
    assert_eq!((&written["bytes"], &written["debate_id"]), (&bytes.len().into(), &Value::from(&*debate.id)));
    assert_eq!(serde_json::from_slice::<Value>(&bytes).unwrap(), served);

    let key = served["signature"]["public_key"].as_str().unwrap();
    for path in ["printed.json", "record.json"] {
        let run = agent.run(&["debate", "verify-record", path]).await;
        let data = run.data();
        assert_eq!((&data["valid"], &data["key_is"]), (&true.into(), &"the server's".into()), "{path}");
        assert_eq!((&data["debate_id"], &data["head"]), (&served["record"]["debate"]["id"], &served["record"]["head"]));
        assert_eq!(data["public_key"], key);
        assert_eq!(run.document()["metadata"].get("warning"), None);
        let given = agent.run(&["debate", "verify-record", path, "--public-key", key]).await.data();
        assert_eq!(given["key_is"], "given");
    }
}

#[tokio::test]
async fn a_record_is_verified_without_its_server_with_a_warning() {
    let (_server, debate, agent) = closed().await;
    let args = ["debate", "record", "--debate-id", &debate.id, "--format", "json", "--output", "record.json"];
    agent.run(&args).await.data();
    let path = agent.home().join("record.json").to_str().unwrap().to_owned();
    let verify = ["debate", "verify-record", &path];

    let other = Server::start().await;
    let run = Agent::new(&other.url()).run(&verify).await;
    assert_eq!(run.data()["key_is"], "another");
    assert!(run.document()["metadata"]["warning"].as_str().unwrap().contains("anybody"));

    // One that takes connections and never answers: asked once, for two seconds at most.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = { TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap() };
    for address in [silent.local_addr().unwrap(), gone] {
        let start = Instant::now();
        let run = Agent::new(&format!("http://{address}")).run(&verify).await;
        assert_eq!(run.data()["key_is"], "unchecked");
        assert!(run.document()["metadata"]["warning"].as_str().unwrap().contains("anybody"));
        assert!(start.elapsed().as_millis() < 3_500, "{:?}", start.elapsed());
    }
    let run = Agent::new("no url").run(&verify).await;
    assert_eq!(run.data()["key_is"], "unchecked", "an address is not needed");
}

#[tokio::test]
async fn a_record_that_does_not_hold_is_refused() {
    let (server, debate, agent) = closed().await;
    let json = |path: String| async {
        let path = path;
        let args = ["debate", "record", "--debate-id", &debate.id, "--format", "json", "--output", &path, "--force"];
        agent.run(&args).await.data();
        agent.home().join(path).to_str().unwrap().to_owned()
    };
    let path = json("record.json".to_owned()).await;
    let key = server.client().get("/info").await.data(200)["public_key"].as_str().unwrap().to_owned();
    let other_key = "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=";
    agent.run(&["debate", "verify-record", &path, "--public-key", other_key]).await.failure(4, "RECORD_INVALID");
    agent.run(&["debate", "verify-record", &path, "--public-key", "short"]).await.failure(4, "INVALID_INPUT");
    agent.run(&["debate", "verify-record", "missing.json"]).await.failure(4, "FILE_NOT_FOUND");

    type Change = fn(&mut Value);
    let changes: [(&str, Change); 6] = [
        ("outcome", |signed| signed["record"]["outcome"] = "ruled".into()),
        ("hash", |signed| signed["record"]["arguments"][1]["hash"] = "0".repeat(64).into()),
        ("added", |signed| signed["record"]["more"] = 1.into()),
        ("format", |signed| signed["record"]["format"] = "aweave-debate-record/3".into()),
        ("unsigned", |signed| signed["signature"] = Value::Null),
        ("algorithm", |signed| signed["signature"]["algorithm"] = "none".into()),
    ];
    for (name, change) in changes {
        let path = json(format!("{name}.json")).await;
        changed(&path, change);
        agent.run(&["debate", "verify-record", &path]).await.failure(4, "RECORD_INVALID");
        agent.run(&["debate", "verify-record", &path, "--public-key", &key]).await.failure(4, "RECORD_INVALID");
    }
    let not_json = agent.file("text.json", "# A record");
    agent.run(&["debate", "verify-record", &not_json]).await.failure(4, "RECORD_INVALID");
}

#[tokio::test]
async fn a_person_is_told_that_a_file_has_another_form_than_its_name_says_and_which_form_is_verified() {
    let (_server, debate, agent) = closed().await;
    let record = ["debate", "record", "--debate-id", &debate.id, "--output"];
    for (name, form, told) in [
        ("r.json", &[][..], Some("r.json has the record in markdown; --format json --force writes it as json")),
        ("r.html", &[], Some("r.html has the record in markdown; --format html --force writes it as html")),
        ("r.md", &[], None),
        ("r", &[], None),
        ("s.json", &["--format", "json"], None),
        ("t.json", &["--format", "markdown"], None),
    ] {
        let run = agent.run_at_terminal(200, &[&record[..], &[name], form].concat()).await;
        assert_eq!((run.exit, run.stderr.contains("has the record in")), (0, told.is_some()), "{run:?}");
        assert!(run.stderr.contains(told.unwrap_or_default()), "{run:?}");
    }
    // As it is told.
    let again = agent.run(&[&record[..], &["r.html", "--format", "html", "--force"]].concat()).await;
    assert_eq!(again.exit, 0, "{again:?}");
    let page = agent.run(&[&record[..], &["p.html", "--format", "html"]].concat()).await;
    assert!(page.stderr.is_empty(), "{page:?}");
    let quiet = agent.run(&[&record[..], &["q.json"]].concat()).await;
    assert!(quiet.stderr.is_empty(), "{quiet:?}");
    for name in ["r.json", "r.md", "p.html"] {
        let told = agent.run_at_terminal(200, &["debate", "verify-record", name]).await.stderr;
        assert!(told.contains("is no signed record, which is JSON") && !told.contains("Do not rely on it"), "{told}");
        assert!(told.contains("aw debate record --debate-id ID --format json --output signed.json"), "{told}");
        let failure = agent.run(&["debate", "verify-record", name]).await.failure(4, "RECORD_INVALID");
        assert!(failure["error"]["message"].as_str().unwrap().contains("is not JSON"), "{failure}");
    }
}

#[tokio::test]
async fn the_default_is_markdown_in_the_headings_of_madr() {
    let (_server, debate, agent) = closed().await;
    let run = agent.run(&["debate", "record", "--debate-id", &debate.id[..8]]).await;
    assert_eq!(run.exit, 0, "{run:?}");
    let headings: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(
        headings,
        [
            "# Retry budget for the notification relay",
            "## Context and Problem Statement",
            "## Considered Options",
            "## Decision Outcome",
            "### Consequences",
            "## More Information",
            "### Ledger",
            "### Dissent",
            "### Figures",
            "### Head",
            "### Signature",
        ]
    );
    assert!(run.stdout.starts_with("---\nstatus: accepted\ndate: 20"), "{}", run.stdout);
    node::check("lint-markdown.mjs", &run.stdout);
    let as_markdown = agent.run(&["debate", "record", "--debate-id", &debate.id, "--format", "markdown"]).await;
    assert_eq!(as_markdown.stdout, run.stdout);
}

#[tokio::test]
async fn a_page_has_the_transcript_and_neither_scripts_nor_anything_to_load() {
    let (_server, debate, agent) = closed().await;
    let args = ["debate", "record", "--debate-id", &debate.id, "--format", "html"];
    let page = agent.run(&args).await.stdout;
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    for loads in ["<script", "<img", "<link", "<iframe", " src=", "url(", "@import", "href=\"javascript"] {
        assert!(!page.contains(loads), "{loads}");
    }
    assert_eq!(page.matches("<details>").count(), 4);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "the text is shown");

    let written = agent.run(&[&args[..], &["--output", "record.html"]].concat()).await.data();
    assert_eq!(written["path"], "record.html");
    assert_eq!(fs::read_to_string(agent.home().join("record.html")).unwrap(), page);
    // The same again is no fault, and anything else is not replaced.
    agent.run(&[&args[..], &["--output", "record.html"]].concat()).await.data();
    agent.file("record.html", "mine");
    agent.run(&[&args[..], &["--output", "record.html"]].concat()).await.failure(4, "INVALID_INPUT");
    agent.run(&[&args[..], &["--output", "record.html", "--force"]].concat()).await.data();
    assert_eq!(fs::read_to_string(agent.home().join("record.html")).unwrap(), page);
}

#[tokio::test]
async fn a_format_that_a_command_does_not_have_is_refused() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingOpponent).await;
    let record = ["debate", "record", "--debate-id", &debate.id, "--format", "plain"];
    agent.run(&record).await.failure(4, "INVALID_INPUT");
    agent.run(&["debate", "list", "--format", "html"]).await.failure(4, "INVALID_INPUT");
    let unknown = tests::ids::fresh();
    for format in ["json", "html"] {
        let args = ["debate", "record", "--debate-id", &unknown, "--format", format];
        agent.run(&args).await.failure(2, "DEBATE_NOT_FOUND");
    }
    assert_eq!(agent.run(&["debate", "record", "--debate-id", &unknown]).await.exit, 2);
}
