//! The output format of commands.

use rstest::rstest;
use serde_json::json;
use tests::{
    cli::Agent,
    debate::{Debate, Situation},
    ids,
    server::Server,
};

use crate::schema_checks;

#[tokio::test]
async fn a_success_has_a_message_and_one_block() {
    let server = Server::shared().await;
    let run = Agent::new(&server.url()).run(&["debate", "list"]).await;
    let document = run.document();
    assert_eq!((&document["success"], run.exit), (&json!(true), 0));
    assert!(document["metadata"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{document}");
}

#[tokio::test]
async fn a_write_echoes_its_request_id_which_is_a_fresh_uuid_by_default() {
    let server = Server::shared().await;
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingOpponent).await;
    let agent = Agent::new(&server.url());
    let step_in = agent.run(&["debate", "intervention", "--debate-id", &debate.id]).await.document();
    let rule = agent.run(&["debate", "ruling", "--debate-id", &debate.id, "--content", "Go on."]).await.document();
    schema_checks::is_id(&step_in["metadata"]["client_request_id"]);
    schema_checks::is_id(&rule["metadata"]["client_request_id"]);
    assert_ne!(step_in["metadata"]["client_request_id"], rule["metadata"]["client_request_id"]);
}

#[rstest]
#[case::fits(200, false)]
#[case::does_not_fit(201, true)]
#[case::long(2_500, true)]
#[tokio::test]
async fn a_written_text_is_shown_truncated_to_200_characters_with_its_size(
    #[case] characters: usize,
    #[case] cut: bool,
) {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let agent = Agent::new(&server.url());
    let content = "ệ🙂a".repeat(characters).chars().take(characters).collect::<String>();
    let args = ["debate", "submit", "--debate-id", &debate.id, "--role", "opponent", "--target-id", debate.newest()];
    let argument = agent.run(&[&args[..], &["--content", &content]].concat()).await.data()["argument"].clone();
    if cut {
        let kept: String = content.chars().take(200).chain(['…']).collect();
        assert_eq!((&argument["content"], &argument["content_bytes"]), (&json!(kept), &json!(content.len())));
    } else {
        assert_eq!(argument["content"], content);
    }
    assert_eq!(debate.stored().await["arguments"][0]["content"], content, "what is stored is whole");
}

#[tokio::test]
async fn a_motion_is_shown_truncated_too() {
    let server = Server::shared().await;
    let content = "x".repeat(300);
    let args = ["debate", "create", "--debate-id", &ids::fresh(), "--title", "t", "--type", "general_debate"];
    let data = Agent::new(&server.url()).run(&[&args[..], &["--content", &content]].concat()).await.data();
    assert_eq!(data["argument"]["content"], format!("{}…", &content[..200]));
    assert_eq!(data["argument"]["content_bytes"], 300);
}

#[tokio::test]
async fn texts_of_others_are_shown_in_full() {
    let server = Server::shared().await;
    let long = "x".repeat(5_000);
    let creation = tests::request_bodies::with(tests::request_bodies::creation(), "motion_content", long.as_str());
    let debate = Debate::create_with(&server.client(), &creation).await;
    let wait = ["debate", "wait", "--debate-id", &debate.id, "--role", "opponent"];
    assert_eq!(Agent::new(&server.url()).run(&wait).await.data()["argument"]["content"], long);
}

#[tokio::test]
async fn markdown_output_has_the_same_facts() {
    let server = Server::start().await;
    let debate = Debate::in_situation(&server.client(), Situation::AwaitingProposer).await;
    let agent = Agent::new(&server.url());
    let is_text = |stdout: &str, words: &[&str]| {
        assert!(serde_json::from_str::<serde_json::Value>(stdout).is_err(), "that is JSON: {stdout}");
        words.iter().for_each(|word| assert!(stdout.contains(word), "{word} is missing: {stdout}"));
    };
    let context = agent.run(&["debate", "get-context", "--debate-id", &debate.id, "--format", "markdown"]).await;
    assert_eq!(context.exit, 0);
    let motion = debate.stored().await["motion"]["content"].as_str().unwrap().to_owned();
    is_text(&context.stdout, &[&debate.id, debate.newest(), "AWAITING_PROPOSER", &motion]);
    let list = agent.run(&["debate", "list", "--format", "markdown"]).await;
    is_text(&list.stdout, &[&debate.id, "Retry budget for the notification relay"]);
    let wait = ["debate", "wait", "--debate-id", &debate.id, "--role", "proposer", "--format", "markdown"];
    is_text(&agent.run(&wait).await.stdout, &["AWAITING_PROPOSER", debate.newest()]);
    let late = [&wait[..], &["--argument-id", debate.newest(), "--timeout", "0"]].concat();
    is_text(&agent.run(&late).await.stdout, &["timeout", "aw debate wait"]);
    let unknown = ids::fresh();
    let failed = agent.run(&["debate", "get-context", "--debate-id", &unknown, "--format", "markdown"]).await;
    assert_eq!(failed.exit, 2);
    is_text(&failed.stdout, &["DEBATE_NOT_FOUND"]);
}

#[tokio::test]
async fn a_help_text_that_cannot_be_written_exits_3() {
    let agent = Agent::new("http://127.0.0.1:1");
    for line in ["aw --help", "aw --version", "aw debate --help", "aw debate wait -h", "aw --version --json"] {
        let run = agent.shell(&format!("{line} > /dev/full")).await;
        assert_eq!(run.exit, 3, "{run:?}");
        assert!(run.stderr.contains("cannot write to stdout"), "{run:?}");
        // Whoever closes a pipe has read enough.
        let run = agent.shell(&format!("{{ {line}; echo $? >&2; }} | head -0")).await;
        assert_eq!(run.stderr, "0\n", "{run:?}");
    }
}

#[tokio::test]
async fn help_and_version_are_text_and_exit_0() {
    let agent = Agent::new("http://127.0.0.1:1");
    for (args, words) in [
        (&["--help"][..], &["debate"][..]),
        (&["--version"], &["aw "]),
        (&["debate", "--help"], &["generate-id", "get-context", "request-completion"]),
        (&["debate", "wait", "--help"], &["--timeout", "--argument-id"]),
        (&["debate", "get-context", "--help"], &["--limit", "--max-chars"]),
    ] {
        let run = agent.run(args).await;
        assert_eq!(run.exit, 0, "{run:?}");
        words.iter().for_each(|word| assert!(run.stdout.contains(word), "{word} is missing: {run:?}"));
    }
}
