//! What a folder that was cloned cannot have `aw` do: run something, or write elsewhere.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;
use tests::{cli::Agent, debate::text, server::Server};

const NOWHERE: &str = "http://127.0.0.1:1";
const FOREIGN: &str = "export SECRET=1\n";

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// A file of the user that no project has any business with.
fn private_file(folder: &TempDir) -> std::path::PathBuf {
    let path = folder.path().join("bashrc");
    fs::write(&path, FOREIGN).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    path
}

fn parent(agent: &Agent, path: &str) -> std::path::PathBuf {
    let path = agent.home().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    path
}

#[tokio::test]
async fn setup_writes_and_reads_nothing_through_a_link_that_leads_out_of_the_folder() {
    const SKILL: &str = ".claude/skills/aweave-debate-opponent/SKILL.md";
    for scope in ["--project", "--user"] {
        for force in [false, true] {
            for (name, link) in [
                ("claude-code", SKILL),
                ("claude-code", ".claude"),
                ("codex", ".agents/skills"),
                ("agents-md", "AGENTS.md"),
            ] {
                if (name, scope) == ("agents-md", "--user") {
                    continue;
                }
                let agent = Agent::new(NOWHERE);
                let outside = TempDir::new().unwrap();
                let file = private_file(&outside);
                let is_file = link.ends_with(".md");
                symlink(if is_file { &file } else { outside.path() }, parent(&agent, link)).unwrap();
                let options: &[&str] = if force { &["--force"] } else { &[] };
                let run = agent.run(&[&["setup", name, scope], options].concat()).await;
                let left = run.data()["left"].as_array().unwrap().len();
                assert!(left > 0, "{link} {scope}: {run:?}");
                let warning = text(&run.document()["metadata"]["warning"]);
                assert!(warning.contains(&format!("{link} is a link that leads out of this folder")), "{warning}");
                assert!(!warning.contains("--force"), "{warning}");
                assert_eq!(fs::read_to_string(&file).unwrap(), FOREIGN);
                assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "{link} {scope}");
                assert!(!agent.home().join(format!("{link}.bak")).exists());
                agent.run(&["setup", name, scope, "--remove"]).await.data();
                assert_eq!(fs::read_to_string(&file).unwrap(), FOREIGN);
            }
        }
    }
}

#[rstest]
#[case("claude-code", ".mcp.json", "{\"mcpServers\": {}}")]
#[case("codex", ".codex/config.toml", "a = 1\n")]
#[case("gemini", ".gemini/settings.json", "{}")]
#[case("cursor", ".cursor/mcp.json", "{}")]
#[tokio::test]
async fn settings_behind_a_link_that_leads_out_of_the_folder_stay_as_they_are(
    #[case] name: &str,
    #[case] path: &str,
    #[case] content: &str,
) {
    let agent = Agent::new(NOWHERE);
    let outside = TempDir::new().unwrap();
    let target = outside.path().join("settings");
    for is_there in [false, true] {
        if is_there {
            fs::write(&target, content).unwrap();
        }
        let link = parent(&agent, path);
        symlink(&target, &link).unwrap();
        for options in [&[][..], &["--remove"], &["--check"]] {
            let run = agent.run(&[&["setup", name, "--mcp"], options].concat()).await;
            let message = text(&run.failure(4, "INVALID_INPUT")["error"]["message"]);
            assert!(message.contains(path) && message.contains("is a link"), "{message}");
        }
        assert_eq!(fs::read_to_string(&target).ok().as_deref(), is_there.then_some(content));
        fs::remove_file(link).unwrap();
    }
}

#[tokio::test]
async fn a_link_within_the_folder_is_followed_and_settings_stay_behind_it() {
    let agent = Agent::new(NOWHERE);
    fs::create_dir_all(agent.home().join("shared/claude")).unwrap();
    agent.file("shared/mcp.json", "{}");
    symlink("shared/claude", agent.home().join(".claude")).unwrap();
    symlink("shared/mcp.json", agent.home().join(".mcp.json")).unwrap();
    assert_eq!(agent.run(&["setup", "claude-code"]).await.data()["left"], json!([]));
    agent.run(&["setup", "claude-code", "--mcp"]).await.data();
    assert!(agent.home().join("shared/claude/skills/aweave-debate-opponent/SKILL.md").is_file());
    assert!(agent.home().join(".mcp.json").is_symlink());
    assert!(fs::read_to_string(agent.home().join("shared/mcp.json")).unwrap().contains("aweave-debate"));
}

#[tokio::test]
async fn a_former_file_is_kept_for_those_only_who_could_read_it() {
    const SKILL: &str = ".claude/skills/aweave-debate-opponent/SKILL.md";
    let agent = Agent::new(NOWHERE);
    for (number, wanted) in [(String::new(), 0o600), ("2".to_owned(), 0o664)] {
        fs::write(parent(&agent, SKILL), "mine").unwrap();
        fs::set_permissions(agent.home().join(SKILL), Permissions::from_mode(wanted)).unwrap();
        agent.run(&["setup", "claude-code", "--force"]).await.data();
        let kept = agent.home().join(format!("{SKILL}.bak{number}"));
        assert_eq!((fs::read_to_string(&kept).unwrap().as_str(), mode(&kept)), ("mine", wanted));
        assert_eq!(mode(&agent.home().join(SKILL)), wanted);
    }
}

#[tokio::test]
async fn doctor_runs_nothing_that_settings_name_and_tells_what_they_name() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url()).env("PATH", "bin:/usr/bin:/bin");
    let ran = agent.home().join("ran");
    fs::create_dir(agent.home().join("bin")).unwrap();
    for program in ["aw", "bin/aw", "bin/claude", "bin/codex", "tool"] {
        agent.file(program, format!("#!/bin/sh\ntouch {}\n", ran.display()));
        fs::set_permissions(agent.home().join(program), Permissions::from_mode(0o755)).unwrap();
    }
    for (path, content) in [
        (".mcp.json", r#"{"mcpServers": {"aweave-debate": {"command": "./aw", "args": ["mcp"]}}}"#),
        (".codex/config.toml", "[mcp_servers.aweave-debate]\ncommand = \"aw\"\nargs = [\"mcp\"]\n"),
        (".gemini/settings.json", r#"{"mcpServers": {"aweave-debate": {"command": "./tool", "args": ["\u001b[2J"]}}}"#),
        (".cursor/mcp.json", r#"{"mcpServers": {"aweave-debate": {"command": "/nowhere/aw", "args": ["mcp"]}}}"#),
        ("opencode.json", r#"{"mcp": {"aweave-debate": {"command": ["sh", "-c", "touch ran"]}}}"#),
    ] {
        fs::write(parent(&agent, path), content).unwrap();
    }
    let run = agent.run(&["doctor"]).await;
    assert!(!ran.exists(), "{run:?}");
    let checks = run.data()["checks"].clone();
    let check = checks.as_array().unwrap().iter().find(|check| check["name"] == "mcp").unwrap().clone();
    assert_eq!(check["status"], "warning", "{check}");
    let detail = text(&check["detail"]);
    for part in [
        "starts `./aw mcp`, which is not this `aw mcp`, but ",
        "starts `aw mcp`, which is not this `aw mcp`, but ",
        "starts `./tool ",
        "starts `/nowhere/aw mcp`, which is not found",
        "starts `sh -c touch ran`, which is not this `aw mcp`, but ",
    ] {
        assert!(detail.contains(part), "{part}: {detail}");
    }
    assert!(!run.stdout.contains("\\u001b"), "{detail}");
    let own = agent.env("PATH", tests::binaries::aw().parent().unwrap().to_str().unwrap());
    own.file(".mcp.json", r#"{"mcpServers": {"aweave-debate": {"command": "aw", "args": ["mcp"]}}}"#);
    let checks: Value = own.run(&["doctor"]).await.data()["checks"].clone();
    assert!(checks.to_string().contains("starts `aw mcp`, which is this program"), "{checks}");
}
