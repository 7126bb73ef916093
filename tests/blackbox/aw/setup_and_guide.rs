//! `aw setup` and `aw debate guide`.

use std::{collections::BTreeMap, fs, os::unix::fs::symlink, path::Path};

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    cli::{Agent, Run},
    debate::text,
};

const NOWHERE: &str = "http://127.0.0.1:1";
const AGENTS: [&str; 6] = ["claude-code", "codex", "gemini", "cursor", "copilot", "agents-md"];

/// All files below a folder with their content, and all folders.
fn tree(root: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                found.insert(name, None);
                open.push(path);
            } else {
                found.insert(name, Some(fs::read(path).unwrap()));
            }
        }
    }
    found
}

async fn setup(agent: &Agent, args: &[&str]) -> Run {
    agent.run(&[&["setup"], args].concat()).await
}

/// Creates files of the user wherever setup may write.
fn lived_in(agent: &Agent) {
    for folder in [".claude/commands", ".claude/skills/mine/references", ".agents", "empty"] {
        fs::create_dir_all(agent.home().join(folder)).unwrap();
    }
    agent.file(".claude/skills/mine/SKILL.md", "---\nname: mine\n---\n");
    agent.file("AGENTS.md", "# Mine\r\n\r\nno line break at the end");
}

#[tokio::test]
async fn setup_is_idempotent_and_remove_restores_the_tree_byte_for_byte() {
    for scope in ["--project", "--user"] {
        for name in AGENTS {
            for is_lived_in in [false, true] {
                if (name, scope) == ("agents-md", "--user") {
                    continue;
                }
                let agent = Agent::new(NOWHERE);
                if is_lived_in {
                    lived_in(&agent);
                }
                let before = tree(agent.home());
                let data = setup(&agent, &[name, scope]).await.data();
                assert_eq!((&data["agent"], &data["changed"]), (&json!(name), &json!(true)));
                let after = tree(agent.home());
                assert_ne!(after, before, "{name}");
                before.iter().filter(|(path, _)| *path != "AGENTS.md").for_each(|(path, content)| {
                    assert_eq!(&after[path], content, "{path} belongs to the user");
                });
                setup(&agent, &[name, scope, "--check"]).await.data();
                assert_eq!(setup(&agent, &[name, scope]).await.data()["changed"], false, "{name}");
                assert_eq!(tree(agent.home()), after, "{name}");
                assert_eq!(setup(&agent, &[name, scope, "--remove"]).await.data()["changed"], true);
                assert_eq!(tree(agent.home()), before, "{name}");
                assert_eq!(setup(&agent, &[name, scope, "--remove"]).await.data()["changed"], false);
            }
        }
    }
}

#[tokio::test]
async fn agents_that_share_files_are_set_up_and_removed_independently() {
    let agent = Agent::new(NOWHERE);
    let skill = || fs::read_to_string(agent.home().join(".agents/skills/aweave-debate-opponent/SKILL.md")).unwrap();
    setup(&agent, &["gemini"]).await.data();
    let only_gemini = tree(agent.home());
    assert!(skill().contains("**Gemini CLI**") && !skill().contains("**Codex**"));
    setup(&agent, &["codex", "--check"]).await.failure(4, "SETUP_INCOMPLETE");
    setup(&agent, &["codex"]).await.data();
    assert!(skill().contains("**Gemini CLI**") && skill().contains("**Codex**"));
    setup(&agent, &["gemini", "--check"]).await.data();
    setup(&agent, &["codex", "--remove"]).await.data();
    assert_eq!(tree(agent.home()), only_gemini);
    setup(&agent, &["gemini", "--remove"]).await.data();
    assert!(tree(agent.home()).is_empty());
}

#[tokio::test]
async fn check_reports_missing_and_outdated_files() {
    let agent = Agent::new(NOWHERE);
    let document = setup(&agent, &["codex", "--check"]).await.failure(4, "SETUP_INCOMPLETE");
    let files = &document["content"][0]["data"]["files"];
    assert!(files.as_array().unwrap().iter().all(|file| file["change"] == "create"), "{files}");
    assert!(tree(agent.home()).is_empty(), "a check changes nothing");
    agent.shell(&text(&document["metadata"]["next"])).await.data();
    setup(&agent, &["codex", "--check"]).await.data();
    // The files differ from those for another language.
    let stale = setup(&agent, &["codex", "--check", "--language", "vi"]).await.failure(4, "SETUP_INCOMPLETE");
    let files = stale["content"][0]["data"]["files"].as_array().unwrap().clone();
    assert!(files.iter().any(|file| file["change"] == "update" && text(&file["path"]).ends_with("SKILL.md")));
}

#[tokio::test]
async fn a_dry_run_changes_nothing() {
    let agent = Agent::new(NOWHERE);
    let data = setup(&agent, &["cursor", "--dry-run"]).await.data();
    assert_eq!((data["files"].as_array().unwrap().len(), &data["changed"]), (6, &json!(false)));
    assert!(tree(agent.home()).is_empty());
    setup(&agent, &["cursor"]).await.data();
    let before = tree(agent.home());
    let data = setup(&agent, &["cursor", "--remove", "--dry-run"]).await.data();
    assert!(data["files"].as_array().unwrap().iter().all(|file| file["change"] == "remove"), "{data}");
    assert_eq!(tree(agent.home()), before);
}

#[tokio::test]
async fn files_of_the_user_are_never_changed() {
    const SKILL: &str = ".claude/skills/aweave-debate-opponent/SKILL.md";
    for (name, content) in [(SKILL, "mine"), (".claude/skills/aweave-debate-proposer/references/general_debate.md", "")]
    {
        let agent = Agent::new(NOWHERE);
        fs::create_dir_all(agent.home().join(name).parent().unwrap()).unwrap();
        agent.file(name, content);
        let before = tree(agent.home());
        let document = setup(&agent, &["claude-code"]).await.failure(4, "INVALID_INPUT");
        assert!(text(&document["error"]["message"]).contains(name), "{document}");
        setup(&agent, &["claude-code", "--remove"]).await.data();
        assert_eq!(tree(agent.home()), before);
    }
    // A file that the user changed is kept, the others are removed.
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["claude-code"]).await.data();
    let mine = fs::read_to_string(agent.home().join(SKILL)).unwrap().replace("opponent", "challenger");
    agent.file(SKILL, &mine);
    agent.file(".claude/skills/aweave-debate-proposer/notes.md", "mine, too");
    setup(&agent, &["claude-code"]).await.failure(4, "INVALID_INPUT");
    let data = setup(&agent, &["claude-code", "--remove"]).await.data();
    assert!(data["files"].as_array().unwrap().iter().any(|file| file["reason"].is_string()), "{data}");
    let left: Vec<String> =
        tree(agent.home()).into_iter().filter_map(|(path, content)| content.map(|_| path)).collect();
    assert_eq!(left, [SKILL, ".claude/skills/aweave-debate-proposer/notes.md"]);
}

#[tokio::test]
async fn the_block_in_a_file_of_the_user_can_be_anywhere() {
    for content in ["", "\n", "# Mine\n", "# Mine\n\n", "# Mine", "\r\n\r\n"] {
        let agent = Agent::new(NOWHERE);
        agent.file("AGENTS.md", content);
        setup(&agent, &["agents-md", "--language", "tiếng Việt"]).await.data();
        let with_block = fs::read_to_string(agent.home().join("AGENTS.md")).unwrap();
        assert!(with_block.starts_with(content) && with_block.contains("--language 'tiếng Việt'"), "{with_block}");
        assert!(with_block.contains("aw debate guide --role opponent"), "{with_block}");
        // The user adds text below the block. Another language changes only the block.
        agent.file("AGENTS.md", with_block + "## More\n");
        setup(&agent, &["agents-md", "--language", "en"]).await.data();
        setup(&agent, &["agents-md", "--check"]).await.data();
        setup(&agent, &["agents-md", "--remove"]).await.data();
        assert_eq!(fs::read_to_string(agent.home().join("AGENTS.md")).unwrap(), format!("{content}## More\n"));
    }
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["agents-md"]).await.data();
    let broken = fs::read_to_string(agent.home().join("AGENTS.md")).unwrap().replace("general", "particular");
    agent.file("AGENTS.md", &broken);
    setup(&agent, &["agents-md"]).await.failure(4, "INVALID_INPUT");
    setup(&agent, &["agents-md", "--remove"]).await.data();
    assert_eq!(fs::read_to_string(agent.home().join("AGENTS.md")).unwrap(), broken);
}

#[tokio::test]
async fn a_symbolic_link_stays_a_link() {
    let agent = Agent::new(NOWHERE);
    agent.file("CLAUDE.md", "# Mine\n");
    symlink("CLAUDE.md", agent.home().join("AGENTS.md")).unwrap();
    setup(&agent, &["agents-md"]).await.data();
    assert!(agent.home().join("AGENTS.md").is_symlink());
    setup(&agent, &["agents-md", "--remove"]).await.data();
    assert_eq!(fs::read_to_string(agent.home().join("CLAUDE.md")).unwrap(), "# Mine\n");
}

#[tokio::test]
async fn an_unwritable_folder_is_reported_and_left_unchanged() {
    let agent = Agent::new(NOWHERE);
    fs::create_dir_all(agent.home().join(".claude/skills")).unwrap();
    // Even root cannot create a folder inside a file.
    agent.file(".claude/skills/aweave-debate-opponent", "a file");
    let before = tree(agent.home());
    let document = setup(&agent, &["claude-code"]).await.failure(4, "INVALID_INPUT");
    assert!(text(&document["error"]["message"]).contains("aweave-debate-opponent"), "{document}");
    assert_eq!(tree(agent.home()), before);
}

#[rstest]
#[case::unknown_agent(&["emacs"])]
#[case::no_agent(&[])]
#[case::both_scopes(&["codex", "--project", "--user"])]
#[case::two_wishes(&["codex", "--check", "--remove"])]
#[case::no_language(&["codex", "--language", "x\n## Obey"])]
#[case::a_project_file_in_the_home(&["agents-md", "--user"])]
#[tokio::test]
async fn invalid_options_are_refused(#[case] args: &[&str]) {
    let agent = Agent::new(NOWHERE);
    setup(&agent, args).await.failure(4, "INVALID_INPUT");
    assert!(tree(agent.home()).is_empty());
}

#[tokio::test]
async fn a_guide_is_text_and_needs_no_server() {
    let agent = Agent::new(NOWHERE);
    let guide = ["debate", "guide", "--role", "opponent"];
    let whole = agent.run(&guide).await;
    assert!(whole.exit == 0 && whole.stdout.starts_with("# You are the opponent\n"), "{whole:?}");
    assert!(serde_json::from_str::<Value>(&whole.stdout).is_err());
    for host in AGENTS {
        let args = [&guide[..], &["--host", host, "--type", "general_debate", "--language", "vi"]].concat();
        let narrow = agent.run(&args).await.stdout;
        assert!(narrow.contains("in Vietnamese") && narrow.contains("# Rules for the opponent of a general debate"));
        assert!(narrow.contains("--timeout ") && !narrow.contains("coding plan"), "{narrow}");
    }
    agent.run(&["debate", "guide"]).await.failure(4, "INVALID_INPUT");
}
