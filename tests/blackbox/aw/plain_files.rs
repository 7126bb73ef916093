//! Files that are none: pipes, devices and folders. None of them holds a command up.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use rustix::fs::{CWD, Mode, mkfifoat};
use serde_json::json;
use tests::{
    cli::Agent,
    debate::{Debate, text},
    document::Document,
    request_bodies::{creation, with},
    server::{Server, SharedServer},
};

const NOWHERE: &str = "http://127.0.0.1:1";

/// Puts a pipe there, in which nobody writes.
fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

/// Everything below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { [vec![path.clone()], below(&path)].concat() } else { vec![path] })
        .collect()
}

/// An agent that has written once, as the opponent.
async fn after_a_write() -> (SharedServer, Debate, Agent) {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let agent = Agent::new(&server.url());
    submit(&agent, &debate, &["--content", "c"]).await.data();
    (server, debate, agent)
}

async fn submit(agent: &Agent, debate: &Debate, content: &[&str]) -> tests::cli::Run {
    let args = ["debate", "submit", "--debate-id", &debate.id, "--role", "opponent", "--target-id", debate.newest()];
    agent.run(&[&args[..], content].concat()).await
}

#[tokio::test]
async fn no_option_reads_what_is_no_plain_file() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let agent = Agent::new(&server.url());
    pipe(&agent.home().join("pipe"));
    for path in ["pipe", "/dev/zero", "/dev/stdin", "."] {
        for content in [&["--file", path][..], &["--content", "c", "--issue-changes", path]] {
            submit(&agent, &debate, content).await.failure(4, "FILE_NOT_FOUND");
        }
        agent.run(&["debate", "verify-record", path]).await.failure(4, "FILE_NOT_FOUND");
        let named = Agent::new(&server.url()).env("DEBATE_AUTH_TOKEN_FILE", agent.home().join(path).to_str().unwrap());
        named.run(&["debate", "list"]).await.failure(4, "INVALID_INPUT");
    }
    let output = ["debate", "export", "--debate-id", &debate.id, "--output", "pipe"];
    agent.run(&output).await.failure(4, "INVALID_INPUT");
    let run = agent.run(&["debate", "verify-record", "pipe"]).await;
    assert!(text(&run.document()["error"]["message"]).contains("pipe"), "{run:?}");
}

#[tokio::test]
async fn settings_skills_and_rules_that_are_no_plain_files_are_left_and_told() {
    for name in ["claude-code", "codex", "agents-md"] {
        let agent = Agent::new(NOWHERE);
        for path in [
            ".claude/skills/aweave-debate-opponent/SKILL.md",
            ".agents/skills/aweave-debate-opponent/SKILL.md",
            "AGENTS.md",
            ".mcp.json",
            ".codex/config.toml",
            ".aweave/rules.md",
        ] {
            pipe(&agent.home().join(path));
        }
        let left = agent.run(&["setup", name, "--force"]).await.data()["left"].as_array().unwrap().len();
        assert_eq!(left, 1, "{name}");
        agent.run(&["setup", name, "--remove"]).await.data();
        if name != "agents-md" {
            agent.run(&["setup", name, "--mcp"]).await.failure(4, "INVALID_INPUT");
        }
        agent.run(&["doctor"]).await.failure(3, "CONNECTION_ERROR");
        assert_eq!(agent.run(&["debate", "guide", "--role", "opponent"]).await.exit, 0);
    }
}

#[tokio::test]
async fn keys_and_heads_that_are_no_plain_files_hold_no_command_up() {
    let (_server, debate, agent) = after_a_write().await;
    for path in below(&agent.home().join(".aweave")).iter().filter(|path| path.is_file()) {
        fs::remove_file(path).unwrap();
        pipe(path);
    }
    let context = agent.run(&["debate", "get-context", "--debate-id", &debate.id]).await.data();
    assert_eq!(context["debate"]["last_seq"], 2);
    let run = submit(&agent, &debate, &["--content", "c"]).await;
    assert!(text(&run.document()["metadata"]["warning"]).contains("it is not a plain file"), "{run:?}");
    for name in ["server.pid", "server.port", "server.log"] {
        pipe(&agent.home().join(".aweave").join(name));
    }
    for command in ["up", "down"] {
        assert_ne!(agent.run(&[command]).await.exit, 0);
    }
}

#[tokio::test]
async fn a_key_that_others_may_write_is_not_used() {
    let (_server, debate, agent) = after_a_write().await;
    let seats = below(&agent.home().join(".aweave/seats"));
    let [key] = seats.as_slice() else { panic!("{seats:?}") };
    fs::set_permissions(key, Permissions::from_mode(0o666)).unwrap();
    let run = submit(&agent, &debate, &["--content", "c"]).await;
    let document = run.failure(6, "SEAT_TAKEN");
    let warning = text(&document["metadata"]["warning"]);
    assert!(warning.contains("others may write it (mode 666)") && warning.contains("chmod 600"), "{warning}");
}

#[tokio::test]
async fn only_its_user_may_read_what_aw_keeps_whichever_command_makes_it() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    for command in ["aw debate get-context --debate-id $ID", "aw debate intervention --debate-id $ID --content c"] {
        let agent = Agent::new(&server.url()).env("ID", &debate.id);
        agent.shell(&format!("umask 0; {command}")).await.data();
        let kept = agent.home().join(".aweave");
        let all = [vec![kept.clone()], below(&kept)].concat();
        assert!(all.len() >= 3, "{all:?}");
        for path in all {
            let expected = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode(&path), expected, "{command}: {}", path.display());
        }
    }
}

#[tokio::test]
async fn a_record_is_verified_in_the_form_in_which_the_server_answers_with_it() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let agent = Agent::new(&server.url());
    let served = server.client().get(&debate.path("/record")).await.data(200);
    for (name, document) in [("record.json", served.clone()), ("answer.json", json!({"success": true, "data": served}))]
    {
        agent.file(name, document.to_string());
        assert_eq!(agent.run(&["debate", "verify-record", name]).await.data()["key_is"], "the server's");
    }
    let mut forged = served.clone();
    forged["record"]["debate"]["title"] = "Another".into();
    forged["content"] = json!([{"type": "json", "data": served}]);
    agent.file("forged.json", forged.to_string());
    agent.run(&["debate", "verify-record", "forged.json"]).await.failure(4, "RECORD_INVALID");
}

#[tokio::test]
async fn a_link_is_replaced_by_a_file_that_has_nothing_of_its_target() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let document = Document::create(&server.client()).await;
    let body = with(creation(), "motion_content", format!("doc_id={} v1", document.id));
    let debate = Debate::create_with(&server.client(), &body).await;
    let usual = mode(Path::new(&agent.file("usual", "")));
    let record = ["debate", "record", "--debate-id", &debate.id];
    for command in [
        &record[..],
        &[&record[..], &["--format", "json"]].concat(),
        &["debate", "export", "--debate-id", &debate.id],
        &["debate", "plan", "--debate-id", &debate.id],
        &["docs", "export", &document.id],
    ] {
        for private in [0o600, 0o444, 0o755] {
            let [target, file] = ["target", "file"].map(|name| PathBuf::from(agent.file(name, "former")));
            for path in [&target, &file] {
                fs::set_permissions(path, Permissions::from_mode(private)).unwrap();
            }
            let link = agent.home().join("link");
            symlink("target", &link).unwrap();
            for path in ["link", "file"] {
                let run = agent.run(&[command, &["--output", path, "--force"]].concat()).await;
                assert_eq!(run.exit, 0, "{run:?}");
                assert!(fs::symlink_metadata(agent.home().join(path)).unwrap().is_file());
                assert_eq!(mode(&agent.home().join(path)), if path == "link" { usual } else { private }, "{command:?}");
            }
            assert_eq!((fs::read_to_string(&target).unwrap().as_str(), mode(&target)), ("former", private));
            [link, target, file].iter().for_each(|path| fs::remove_file(path).unwrap());
        }
    }
    // Nor is a page of the manual written into where a link leads, or into a pipe.
    let folder = agent.home().join("man");
    fs::create_dir(&folder).unwrap();
    symlink(agent.file("kept", "former"), folder.join("aw.1")).unwrap();
    agent.run(&["man", "--output", "man"]).await.data();
    assert!(fs::read(agent.home().join("kept")).unwrap() == b"former" && folder.join("aw-debate.1").is_file());
    fs::remove_file(folder.join("aw.1")).unwrap();
    pipe(&folder.join("aw.1"));
    agent.run(&["man", "--output", "man"]).await.failure(4, "INVALID_INPUT");
}
