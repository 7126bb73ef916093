//! `aw debate show` and `aw debate export`.

use std::io::Read;

use rstest::rstest;
use serde_json::json;
use tests::{
    cli::Agent,
    debate::{Debate, Situation, printed, text},
    request_bodies::{self, with},
    server::Server,
};

/// A debate with many long claims, an appeal and its ruling.
async fn ruled(server: &Server, claims: usize) -> Debate {
    let mut debate = Debate::create(&server.client()).await;
    for (number, role) in ["opponent", "proposer"].into_iter().cycle().take(claims).enumerate() {
        let claim = with(
            request_bodies::claim(role, debate.newest()),
            "content",
            format!("Claim {number}: {}", "ệ".repeat(3000)),
        );
        debate.write("arguments", &claim).await;
    }
    let options = json!([{"label": "Per shard", "detail": "as now"}, {"label": "Global"}]);
    debate.write("appeal", &with(request_bodies::answer_to(debate.newest()), "options", options)).await;
    debate.write("ruling", &with(request_bodies::decision(), "chosen_option", 1)).await;
    debate
}

#[tokio::test]
async fn show_prints_a_complete_argument_by_number_or_id() {
    let server = Server::shared().await;
    let debate = ruled(&server, 211).await;
    let agent = Agent::new(&server.url());
    let history: Vec<_> = debate.history().await.into_iter().map(printed).collect();
    // The oldest arguments are on the last of several pages.
    for seq in [1, 2, 3, 120, 212, 213, 214] {
        let stored = &history[seq - 1];
        for name in [format!("#{seq}"), text(&stored["id"])] {
            let run = agent.run(&["debate", "show", "--debate-id", &debate.id, "--argument-id", &name]).await;
            assert_eq!(run.data()["argument"], *stored, "{name}");
        }
    }
}

#[tokio::test]
async fn get_context_names_commands_for_truncated_and_omitted_arguments() {
    let server = Server::shared().await;
    let debate = ruled(&server, 9).await;
    let agent = Agent::new(&server.url());
    let history: Vec<_> = debate.history().await.into_iter().map(printed).collect();
    let run = agent.run(&["debate", "get-context", "--debate-id", &debate.id, "--max-chars", "600"]).await;
    let (data, more) = (run.data(), text(&run.document()["metadata"]["more"]));
    let cut: Vec<_> =
        data["arguments"].as_array().unwrap().iter().filter(|one| one["content_bytes"].is_u64()).collect();
    assert!(!cut.is_empty(), "{data}");
    for argument in cut {
        let shown = agent.shell(&text(&argument["show_command"])).await.data()["argument"].clone();
        assert_eq!(shown, history[argument["seq"].as_u64().unwrap() as usize - 1]);
    }
    assert!(data["omitted"].as_u64().unwrap() > 0, "{data}");
    let run = agent.shell(&more).await;
    let all = run.data();
    assert_eq!((&all["omitted"], &run.document()["metadata"]["more"]), (&json!(0), &json!(null)));
    assert_eq!(all["arguments"].as_array().unwrap()[..], history[1..], "also what the default limit of ten left out");
}

#[rstest]
#[case::only_a_motion(Situation::AwaitingOpponent)]
#[case::closed(Situation::Closed)]
#[tokio::test]
async fn export_prints_a_complete_debate(#[case] situation: Situation) {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), situation).await;
    let run = Agent::new(&server.url()).run(&["debate", "export", "--debate-id", &debate.id]).await;
    let stored = printed(debate.stored().await);
    for field in ["debate", "motion", "arguments"] {
        assert_eq!(run.data()[field], stored[field], "{field}");
    }
}

#[tokio::test]
async fn export_reads_all_pages() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let debate = ruled(&server, 205).await;
    let export = ["debate", "export", "--debate-id", &debate.id];
    assert_eq!(agent.run(&export).await.data()["arguments"], printed(debate.stored().await)["arguments"]);
    let page = agent.run(&[&export[..], &["--format", "markdown"]].concat()).await.stdout;
    for number in [0, 100, 204] {
        assert_eq!(page.matches(&format!("> Claim {number}: ")).count(), 1, "{number}");
    }
    assert!(page.contains("1. **Global** **← chosen**") && page.contains("chooses option 1: **Global**"), "{page}");
}

#[tokio::test]
async fn export_replaces_another_file_only_with_force() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    let export = ["debate", "export", "--debate-id", &debate.id, "--format", "json", "--output", "debate.json"];
    for _ in 0..2 {
        let data = agent.run(&export).await.data();
        let kept = std::fs::read(agent.home().join("debate.json")).unwrap();
        assert_eq!((&data["path"], &data["bytes"]), (&json!("debate.json"), &json!(kept.len())));
        let kept: serde_json::Value = serde_json::from_slice(&kept).unwrap();
        assert_eq!(kept["arguments"], printed(debate.stored().await)["arguments"]);
    }
    agent.file("debate.json", "mine");
    agent.run(&export).await.failure(4, "INVALID_INPUT");
    assert_eq!(std::fs::read(agent.home().join("debate.json")).unwrap(), b"mine");
    // The file is replaced atomically, so a reader of the old file still sees its content.
    let mut old = std::fs::File::open(agent.home().join("debate.json")).unwrap();
    agent.run(&[&export[..], &["--force"]].concat()).await.data();
    let mut read = String::new();
    old.read_to_string(&mut read).unwrap();
    assert_eq!(read, "mine");
    assert_ne!(std::fs::read(agent.home().join("debate.json")).unwrap(), b"mine");
    let kept = agent.home().read_dir().unwrap().map(|entry| entry.unwrap().file_name());
    assert!(kept.into_iter().all(|name| name == "debate.json" || name == ".aweave"), "a temporary file is left");
    let lost = ["debate", "export", "--debate-id", &debate.id, "--output", "missing/debate.json"];
    agent.run(&lost).await.failure(4, "FILE_NOT_FOUND");
}

#[tokio::test]
async fn no_file_is_written_where_a_host_lets_aw_out_of_its_sandbox() {
    let server = Server::shared().await;
    let debate = ruled(&server, 1).await;
    let agent = Agent::new(&server.url());
    let stored = agent.run(&["docs", "create", "--summary", "Plan", "--content", "# Plan"]).await.data();
    let document = text(&stored["document_id"]);
    let agent = agent.env("CODEX_SANDBOX_NETWORK_DISABLED", "1");
    for words in [
        &["debate", "export", "--debate-id", &debate.id, "--output", "out", "--force"][..],
        &["debate", "record", "--debate-id", &debate.id, "--output", "out", "--force", "--format", "json"],
        &["docs", "export", &document, "--output", "out", "--force"],
    ] {
        let document = agent.run(words).await.failure(4, "INVALID_INPUT");
        assert!(text(&document["error"]["message"]).starts_with("out is not written"), "{document}");
        assert!(!agent.home().join("out").exists(), "{words:?}");
    }
    assert_eq!(agent.run(&["debate", "export", "--debate-id", &debate.id]).await.exit, 0, "it is printed");
}
