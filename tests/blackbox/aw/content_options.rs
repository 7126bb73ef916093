//! `--file`, `--content` and `--stdin`.

use std::process::Stdio;

use rstest::rstest;
use tests::{
    binaries,
    cli::Agent,
    debate::{Debate, Situation},
    fixtures,
    server::{Server, SharedServer},
};
use tokio::process::Command;

struct Fixture {
    agent: Agent,
    debate: Debate,
    server: SharedServer,
}

impl Fixture {
    async fn start() -> Self {
        let server = Server::shared().await;
        let debate = Debate::create(&server.client()).await;
        Self { agent: Agent::new(&server.url()), debate, server }
    }

    fn submit<'a>(&'a self, content: &[&'a str]) -> Vec<&'a str> {
        let args = ["debate", "submit", "--debate-id", &self.debate.id, "--role", "opponent"];
        [&args[..], &["--target-id", self.debate.newest()], content].concat()
    }

    async fn stored_content(&self) -> String {
        tests::debate::text(&self.debate.stored().await["arguments"][0]["content"])
    }
}

#[rstest]
#[tokio::test]
async fn a_file_is_sent_byte_for_byte(#[values("--file", "-f")] flag: &str) {
    let fixture = Fixture::start().await;
    let path = fixtures::path("02-opponent-claim.md");
    let path = path.to_str().unwrap();
    fixture.agent.run(&fixture.submit(&[flag, path])).await.data();
    assert_eq!(fixture.stored_content().await, fixtures::read("02-opponent-claim.md"));
}

#[tokio::test]
async fn byte_order_marks_line_ends_and_trailing_blanks_are_kept() {
    let fixture = Fixture::start().await;
    let content = "\u{FEFF}dòng một\r\ndòng hai  \n\n\t";
    let path = fixture.agent.file("claim.md", content);
    fixture.agent.run(&fixture.submit(&["--file", &path])).await.data();
    assert_eq!(fixture.stored_content().await, content);
}

#[tokio::test]
async fn a_content_argument_is_sent_unchanged() {
    for content in ["Không 🙂\n", "- a list\n- of two", "--content", "$HOME `x` \"q\" 'q' \\", "@file"] {
        let fixture = Fixture::start().await;
        fixture.agent.run(&fixture.submit(&["--content", content])).await.data();
        assert_eq!(fixture.stored_content().await, content);
    }
}

#[tokio::test]
async fn standard_input_is_sent_byte_for_byte() {
    let fixture = Fixture::start().await;
    let content = "từ ống dẫn\r\n🙂\n";
    fixture.agent.run_with_input(&fixture.submit(&["--stdin"]), content.as_bytes()).await.data();
    assert_eq!(fixture.stored_content().await, content);
}

#[rstest]
#[case(&["--file", "-"])]
#[case(&["-f-"])]
#[case(&["--content", "-"])]
#[tokio::test]
async fn a_hyphen_in_place_of_a_path_or_text_is_standard_input(#[case] given: &[&str]) {
    let fixture = Fixture::start().await;
    fixture.agent.run_with_input(&fixture.submit(given), b"from a pipe").await.data();
    assert_eq!(fixture.stored_content().await, "from a pipe");
    let changes = r#"[{"change": "raise", "severity": "low", "title": "A"}]"#.as_bytes();
    let second = Fixture::start().await;
    let raised = second.submit(&["--content", "x", "--issue-changes", "-"]);
    assert_eq!(second.agent.run_with_input(&raised, changes).await.data()["changed_issues"][0]["title"], "A");
}

#[tokio::test]
async fn standard_input_is_only_read_with_stdin() {
    let fixture = Fixture::start().await;
    let mut command = Command::new(binaries::aw());
    command.args(fixture.submit(&["--content", "from the command line"])).stdin(Stdio::piped()).stdout(Stdio::null());
    command.env("DEBATE_SERVER_URL", fixture.server.url()).kill_on_drop(true);
    let mut child = command.spawn().unwrap();
    // A command that reads stdin would hang here.
    let silent = child.stdin.take().unwrap();
    let status = tokio::time::timeout(tests::polling::DEADLINE, child.wait()).await;
    assert!(status.expect("it does not wait for input").unwrap().success());
    drop(silent);
    assert_eq!(fixture.stored_content().await, "from the command line");
}

#[tokio::test]
async fn no_content_or_several_are_a_usage_error() {
    let fixture = Fixture::start().await;
    let path = fixture.agent.file("claim.md", "x");
    for content in [
        &[][..],
        &["--file", &path, "--content", "x"],
        &["--content", "x", "--stdin"],
        &["--file", &path, "--stdin"],
        &["--file", &path, "--content", "x", "--stdin"],
    ] {
        fixture.agent.run(&fixture.submit(content)).await.failure(4, "INVALID_INPUT");
    }
    let create = ["debate", "create", "--debate-id", &fixture.debate.id, "--title", "t", "--type", "general_debate"];
    fixture.agent.run(&create).await.failure(4, "INVALID_INPUT");
    assert_eq!(fixture.debate.stored().await["debate"]["last_seq"], 1);
}

#[tokio::test]
async fn an_unreadable_file_is_reported_by_its_path() {
    let fixture = Fixture::start().await;
    let missing = fixture.agent.home().join("không có.md");
    let document = fixture.agent.run(&fixture.submit(&["--file", missing.to_str().unwrap()])).await;
    let document = document.failure(4, "FILE_NOT_FOUND");
    assert!(document["error"]["message"].as_str().unwrap().contains("không có.md"), "{document}");
    let folder = fixture.agent.run(&fixture.submit(&["--file", "/"])).await;
    assert_eq!((folder.exit, &folder.document()["success"]), (4, &false.into()));
}

#[tokio::test]
async fn content_that_is_not_utf_8_is_refused_before_it_is_sent() {
    let fixture = Fixture::start().await;
    let path = fixture.agent.file("claim.md", b"caf\xE9");
    fixture.agent.run(&fixture.submit(&["--file", &path])).await.failure(4, "INVALID_INPUT");
    fixture.agent.run_with_input(&fixture.submit(&["--stdin"]), b"\xFF\xFE").await.failure(4, "INVALID_INPUT");
    assert_eq!(fixture.debate.stored().await["debate"]["last_seq"], 1);
}

#[tokio::test]
async fn every_command_takes_content_in_all_three_ways() {
    for (verb, situation) in [
        ("appeal", Situation::AwaitingProposer),
        ("request-completion", Situation::AwaitingProposer),
        ("ruling", Situation::Appealed),
    ] {
        for way in ["--file", "--content", "--stdin"] {
            let server = Server::shared().await;
            let debate = Debate::in_situation(&server.client(), situation).await;
            let agent = Agent::new(&server.url());
            let path = agent.file("text.md", "như nhau");
            let mut args = vec!["debate", verb, "--debate-id", &debate.id, way];
            match way {
                "--file" => args.push(&path),
                "--content" => args.push("như nhau"),
                _ => {}
            }
            if verb != "ruling" {
                args.extend(["--target-id", debate.newest()]);
            }
            let data = agent.run_with_input(&args, "như nhau".as_bytes()).await.data();
            assert_eq!(data["argument"]["content"], "như nhau", "{verb} {way}");
        }
    }
}
