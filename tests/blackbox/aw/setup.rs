//! `aw setup`.

use std::{collections::BTreeMap, fs, os::unix::fs::symlink, path::Path};

use rstest::rstest;
use serde_json::json;
use sha2::{Digest, Sha256};
use tests::{
    cli::{Agent, Run},
    debate::text,
    server::Server,
};

const NOWHERE: &str = "http://127.0.0.1:1";
const AGENTS: [&str; 7] = ["claude-code", "codex", "gemini", "cursor", "copilot", "opencode", "agents-md"];

/// All files below a folder with their content, and all folders.
pub fn tree(root: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
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
    for folder in [".claude/commands", ".claude/skills/mine/references", ".agents/mine", ".codex/rules", "empty"] {
        fs::create_dir_all(agent.home().join(folder)).unwrap();
    }
    agent.file(".claude/skills/mine/SKILL.md", "---\nname: mine\n---\n");
    agent.file(".codex/rules/default.rules", "prefix_rule(pattern = [\"ls\"], decision = \"allow\")\n");
    agent.file("AGENTS.md", "# Mine\r\n\r\nlast line\r\n");
}

#[tokio::test]
async fn setup_is_idempotent_and_remove_takes_out_what_it_put_in() {
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
    assert_eq!((data["files"].as_array().unwrap().len(), &data["changed"]), (7, &json!(false)));
    assert!(tree(agent.home()).is_empty());
    setup(&agent, &["cursor"]).await.data();
    let before = tree(agent.home());
    let data = setup(&agent, &["cursor", "--remove", "--dry-run"]).await.data();
    assert!(data["files"].as_array().unwrap().iter().all(|file| file["change"] == "remove"), "{data}");
    assert_eq!(tree(agent.home()), before);
}

const SKILL: &str = ".claude/skills/aweave-debate-opponent/SKILL.md";

#[tokio::test]
async fn files_of_the_user_are_never_changed() {
    for (name, content) in [(SKILL, "mine"), (".claude/skills/aweave-debate-proposer/references/general_debate.md", "")]
    {
        let agent = Agent::new(NOWHERE);
        fs::create_dir_all(agent.home().join(name).parent().unwrap()).unwrap();
        agent.file(name, content);
        let before = tree(agent.home());
        let data = setup(&agent, &["claude-code"]).await.data();
        assert_eq!((&data["left"], &data["changed"]), (&json!([name]), &json!(true)));
        let after = tree(agent.home());
        assert_eq!(after[name], before[name]);
        assert_eq!(after.values().flatten().count(), 7, "the others are installed");
        setup(&agent, &["claude-code", "--remove"]).await.data();
        assert_eq!(tree(agent.home()), before);
    }
    // A file that the user changed is kept, the others are removed.
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["claude-code"]).await.data();
    change(&agent, SKILL);
    agent.file(".claude/skills/aweave-debate-proposer/notes.md", "mine, too");
    let data = setup(&agent, &["claude-code", "--remove"]).await.data();
    assert!(data["files"].as_array().unwrap().iter().any(|file| file["reason"].is_string()), "{data}");
    let left: Vec<String> =
        tree(agent.home()).into_iter().filter_map(|(path, content)| content.map(|_| path)).collect();
    assert_eq!(left, [SKILL, ".claude/skills/aweave-debate-proposer/notes.md"]);
}

/// Changes a file as a user does, and returns its new content.
fn change(agent: &Agent, name: &str) -> String {
    let changed = read(agent, name).replace("opponent", "challenger");
    agent.file(name, &changed);
    changed
}

/// A text that `aw` wrote, without its last line, which also says what was there when it was written.
fn unsigned(text: &str) -> &str {
    text.rsplit_once("<!-- written by aw ").expect("a signature").0
}

fn read(agent: &Agent, name: &str) -> String {
    fs::read_to_string(agent.home().join(name)).unwrap()
}

#[tokio::test]
async fn a_changed_file_is_left_and_named_and_does_not_hold_up_the_others() {
    const DELETED: &str = ".claude/skills/aweave-debate-opponent/references/general_debate.md";
    const OUTDATED: &str = ".claude/skills/aweave-debate-proposer/SKILL.md";
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["claude-code"]).await.data();
    let mine = change(&agent, SKILL);
    fs::remove_file(agent.home().join(DELETED)).unwrap();
    let run = setup(&agent, &["claude-code", "--language", "vi"]).await;
    assert_eq!(run.data()["left"], json!([SKILL]));
    let warning = text(&run.document()["metadata"]["warning"]);
    assert!(warning.contains(SKILL) && warning.contains("--force"), "{warning}");
    assert_eq!(read(&agent, SKILL), mine);
    assert!(read(&agent, DELETED).contains("# Rules for the opponent of a general debate"));
    assert!(read(&agent, OUTDATED).contains("in Vietnamese"));
    setup(&agent, &["claude-code", "--check"]).await.failure(4, "SETUP_INCOMPLETE");
}

/// Makes a file what an older version of `aw` could have written: with another text, and a checksum that fits.
fn age(agent: &Agent, name: &str) {
    let signed = read(agent, name);
    let (text, line) = signed.split_at(unsigned(&signed).len());
    let text = format!("{text}Words of an older version.\n");
    let fields =
        line.strip_prefix("<!-- written by aw ").and_then(|line| line.split_once("; sum ")).expect("a signature").0;
    let fields = fields.replacen(env!("CARGO_PKG_VERSION"), "0.0.1", 1);
    let sum = format!("{:x}", Sha256::digest(format!("{text}{fields}")));
    agent.file(name, format!("{text}<!-- written by aw {fields}; sum {} -->\n", &sum[..16]));
}

#[tokio::test]
async fn what_an_older_version_wrote_is_brought_up_to_date_beside_a_changed_file_and_rules_of_the_team() {
    const RULES: &str = ".claude/skills/aweave-debate-opponent/references/general_debate.md";
    const OUTDATED: &str = ".claude/skills/aweave-debate-proposer/SKILL.md";
    let agent = Agent::new(NOWHERE);
    fs::create_dir_all(agent.home().join(".aweave/rules")).unwrap();
    agent.file(".aweave/rules/opponent.md", "- Ours.\n");
    setup(&agent, &["claude-code"]).await.data();
    let current = tree(agent.home());
    for name in [RULES, OUTDATED] {
        age(&agent, name);
    }
    let mine = change(&agent, SKILL);
    let run = setup(&agent, &["claude-code", "--check"]).await;
    let message = text(&run.failure(4, "SETUP_INCOMPLETE")["error"]["message"]);
    assert!(message.ends_with("missing files: 0; not current: 2; not as aw wrote them: 1"), "{message}");
    assert_eq!(setup(&agent, &["claude-code"]).await.data()["left"], json!([SKILL]));
    let mut expected = current;
    expected.insert(SKILL.to_owned(), Some(mine.into_bytes()));
    assert!(tree(agent.home()) == expected, "nothing is left of the older version, and nothing else is changed");
}

#[tokio::test]
async fn force_replaces_a_changed_file_and_keeps_each_former_one() {
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["claude-code"]).await.data();
    let original = read(&agent, SKILL);
    let first = change(&agent, SKILL);
    let before = tree(agent.home());
    let tried = setup(&agent, &["claude-code", "--force", "--dry-run"]).await;
    assert_eq!((&tried.data()["changed"], tree(agent.home())), (&json!(false), before));
    let data = agent.shell(&text(&tried.document()["metadata"]["next"])).await.data();
    assert_eq!((&data["changed"], &data["left"]), (&json!(true), &json!([])));
    assert!(read(&agent, SKILL) == original && read(&agent, &format!("{SKILL}.bak")) == first);
    agent.file(SKILL, "nothing of it is left");
    setup(&agent, &["claude-code", "--force"]).await.data();
    assert!(unsigned(&read(&agent, SKILL)) == unsigned(&original) && read(&agent, &format!("{SKILL}.bak")) == first);
    assert_eq!(read(&agent, &format!("{SKILL}.bak2")), "nothing of it is left");
    setup(&agent, &["claude-code", "--check"]).await.data();
    setup(&agent, &["claude-code", "--force", "--remove"]).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn force_keeps_what_a_file_says_for_another_agent_and_what_is_around_the_block() {
    const SHARED: &str = ".agents/skills/aweave-debate-opponent/SKILL.md";
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["gemini", "--language", "vi"]).await.data();
    setup(&agent, &["codex"]).await.data();
    let original = read(&agent, SHARED);
    change(&agent, SHARED);
    setup(&agent, &["codex", "--force"]).await.data();
    assert_eq!(read(&agent, SHARED), original);

    agent.file("AGENTS.md", "# Mine\n");
    setup(&agent, &["agents-md"]).await.data();
    let whole = read(&agent, "AGENTS.md") + "## More\n";
    let changed = whole.replace("propose a plan", "suggest a plan");
    agent.file("AGENTS.md", &changed);
    assert_eq!(setup(&agent, &["agents-md"]).await.data()["left"], json!(["AGENTS.md"]));
    setup(&agent, &["agents-md", "--force"]).await.data();
    assert_eq!((read(&agent, "AGENTS.md"), read(&agent, "AGENTS.md.bak")), (whole, changed));
    setup(&agent, &["agents-md", "--remove"]).await.data();
    assert_eq!(read(&agent, "AGENTS.md"), "# Mine\n## More\n");
}

#[tokio::test]
async fn the_arbitrators_skill_is_installed_on_request_and_then_kept_current() {
    const ARBITRATOR: [&str; 3] = ["SKILL.md", "references/coding_plan_debate.md", "references/general_debate.md"];
    for (name, skills) in [("claude-code", ".claude/skills"), ("codex", ".agents/skills")] {
        let agent = Agent::new(NOWHERE);
        let ours = ARBITRATOR.map(|file| format!("{skills}/aweave-debate-arbitrator/{file}"));
        setup(&agent, &[name]).await.data();
        let sides = tree(agent.home());
        assert!(!sides.contains_key(&ours[0]), "only on request");
        setup(&agent, &[name, "--role", "arbitrator"]).await.data();
        let all = tree(agent.home());
        ours.iter().for_each(|file| assert!(all[file].is_some(), "{file}"));
        assert!(read(&agent, &ours[0]).starts_with("---\nname: aweave-debate-arbitrator\n"));
        assert!(read(&agent, &ours[1]).contains("# Rules for the arbitrator of a coding plan"));
        fs::remove_file(agent.home().join(&ours[0])).unwrap();
        setup(&agent, &[name, "--check"]).await.failure(4, "SETUP_INCOMPLETE");
        setup(&agent, &[name]).await.data();
        let former = String::from_utf8(all[&ours[0]].clone().unwrap()).unwrap();
        assert!(unsigned(&read(&agent, &ours[0])) == unsigned(&former), "a file that was deleted is written again");
        setup(&agent, &[name, "--role", "arbitrator", "--remove"]).await.data();
        assert_eq!(tree(agent.home()), sides);
        setup(&agent, &[name, "--role", "arbitrator"]).await.data();
        setup(&agent, &[name, "--remove"]).await.data();
        assert!(tree(agent.home()).is_empty());
        setup(&agent, &[name, "--role", "arbitrator"]).await.data();
        assert_eq!(tree(agent.home()).values().flatten().count(), 3, "without those of the sides");
    }
}

#[tokio::test]
async fn allowed_tools_are_written_into_the_skill_and_stay_until_taken_back() {
    const LINE: &str = "\nallowed-tools: Read, Grep, Bash(aw *)\n";
    const PROPOSER: &str = ".claude/skills/aweave-debate-proposer/SKILL.md";
    let agent = Agent::new(NOWHERE);
    let tools = ["--role", "opponent", "--allowed-tools", "Read, Grep, Bash(aw *)"];
    setup(&agent, &["claude-code"]).await.data();
    let before = tree(agent.home());
    let data = setup(&agent, &[&["claude-code"], &tools[..]].concat()).await.data();
    assert_eq!(data["allowed_tools"], "Read, Grep, Bash(aw *)");
    let (front, _) = read(&agent, SKILL).split_once("---\n\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert!(front.contains(LINE), "{front}");
    assert!(!read(&agent, PROPOSER).contains("allowed-tools"), "they are those of one role");
    setup(&agent, &["claude-code", "--check"]).await.data();
    setup(&agent, &["claude-code", "--language", "vi"]).await.data();
    assert!(read(&agent, SKILL).contains(LINE));
    setup(&agent, &["claude-code", "--language", "vi", "--allowed-tools", ""]).await.data();
    assert!(!read(&agent, SKILL).contains("allowed-tools:"));
    setup(&agent, &["claude-code", "--remove"]).await.data();
    setup(&agent, &["claude-code"]).await.data();
    assert_eq!(tree(agent.home()), before);
}

#[tokio::test]
async fn skills_and_rules_are_installed_where_a_variable_has_moved_them() {
    for (name, variable, path) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", "skills/aweave-debate-proposer/SKILL.md"),
        ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "rules/aweave-debate.rules"),
        ("gemini", "GEMINI_CLI_HOME", ".agents/skills/aweave-debate-proposer/SKILL.md"),
        ("copilot", "COPILOT_HOME", "skills/aweave-debate-proposer/SKILL.md"),
    ] {
        let elsewhere = tempfile::tempdir().unwrap();
        let agent = Agent::new(NOWHERE).env(variable, elsewhere.path().to_str().unwrap());
        setup(&agent, &[name, "--user", "--allowed-tools", "Read"]).await.data();
        assert!(elsewhere.path().join(path).exists(), "{path}");
        assert!(!agent.home().join(".claude").exists() && !agent.home().join(".codex").exists());
        assert_eq!(agent.home().join(".agents").exists(), name == "codex", "{name}");
        setup(&agent, &[name, "--user", "--check"]).await.data();
        setup(&agent, &[name, "--user", "--remove"]).await.data();
        assert!(tree(elsewhere.path()).is_empty(), "{name}");
    }
}

#[tokio::test]
async fn files_whose_line_breaks_git_changed_are_as_aw_wrote_them() {
    for (name, path, role) in [("agents-md", "AGENTS.md", "proposer"), ("claude-code", SKILL, "opponent")] {
        let agent = Agent::new(NOWHERE);
        if name == "agents-md" {
            agent.file(path, "# Mine\n");
        }
        setup(&agent, &[name, "--role", role]).await.data();
        agent.file(path, read(&agent, path).replace('\n', "\r\n"));
        let crlf = read(&agent, path);
        setup(&agent, &[name, "--check", "--role", role]).await.data();
        assert_eq!(setup(&agent, &[name, "--role", role]).await.data()["changed"], false);
        assert_eq!(read(&agent, path), crlf);
        // What is brought up to date keeps them.
        setup(&agent, &[name, "--role", role, "--language", "vi"]).await.data();
        let updated = read(&agent, path);
        assert!(updated != crlf && updated.matches('\n').count() == updated.matches("\r\n").count(), "{updated}");
        let removed = setup(&agent, &[name, "--remove"]).await;
        assert_eq!((&removed.data()["changed"], removed.document()["metadata"].get("warning")), (&json!(true), None));
        if name == "agents-md" {
            assert_eq!(read(&agent, path), "# Mine\r\n");
        }
    }
    // A block gets the line breaks of its file, and every byte of the rest stays.
    for content in
        ["# Mine\r\n", "# Mine\r\ntext\r\n", "", "\n", "# Mine", "# Mine\r", "# Mine\r\n\r\ntext", "# Mine\ntext "]
    {
        let agent = Agent::new(NOWHERE);
        agent.file("AGENTS.md", content);
        setup(&agent, &["agents-md"]).await.data();
        let text = read(&agent, "AGENTS.md");
        assert!(!content.contains("\r\n") || text.matches('\n').count() == text.matches("\r\n").count(), "{text}");
        setup(&agent, &["agents-md", "--remove"]).await.data();
        assert_eq!(read(&agent, "AGENTS.md"), content);
    }
}

const RULES: &str = ".codex/rules/aweave-debate.rules";

#[tokio::test]
async fn codex_gets_rules_for_commands_in_the_users_home_only() {
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["codex", "--project"]).await.data();
    assert!(!agent.home().join(".codex").exists(), "rules of a project are not read");
    setup(&agent, &["codex", "--project", "--remove"]).await.data();
    for name in AGENTS.into_iter().filter(|name| !["codex", "agents-md"].contains(name)) {
        setup(&agent, &[name, "--user"]).await.data();
        assert!(!agent.home().join(".codex").exists(), "{name}");
    }
    setup(&agent, &["codex", "--user"]).await.data();
    let rules = read(&agent, RULES);
    assert!(rules.contains("\"submit\"") && rules.contains("decision = \"allow\""), "{rules}");
    let refused = rules.split("prefix_rule(").find(|rule| rule.contains("\"forbidden\"")).unwrap();
    for verb in ["ruling", "intervention", "free-seat"] {
        assert!(refused.contains(&format!("\"{verb}\"")), "{refused}");
    }
    // Every line that is not a rule is a comment.
    assert!(rules.lines().last().unwrap().starts_with("# <!-- written by aw "), "{rules}");
    setup(&agent, &["codex", "--user", "--check"]).await.data();
    // They stay as long as a role does, and a changed one is left.
    setup(&agent, &["codex", "--user", "--role", "opponent", "--remove"]).await.data();
    assert!(agent.home().join(RULES).exists());
    agent.file(RULES, rules.replace("\"forbidden\"", "\"prompt\""));
    let left = setup(&agent, &["codex", "--user", "--remove"]).await.data()["left"].clone();
    assert!(left.to_string().contains(RULES), "{left}");
    agent.file(RULES, rules);
    setup(&agent, &["codex", "--user", "--remove"]).await.data();
    assert!(!agent.home().join(".codex").exists());
}

#[tokio::test]
async fn a_skill_that_names_tools_is_allowed_in_the_settings_and_nothing_else_is_changed() {
    const SETTINGS: &str = ".claude/settings.json";
    let rules = |agent: &Agent| {
        let settings: serde_json::Value = serde_json::from_str(&read(agent, SETTINGS)).unwrap();
        settings["permissions"]["allow"].clone()
    };
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["claude-code"]).await.data();
    let plain = tree(agent.home());
    assert!(!plain.contains_key(SETTINGS), "a skill without tools needs no permission");
    setup(&agent, &["claude-code", "--allowed-tools", "Read"]).await.data();
    assert_eq!(rules(&agent), json!(["Skill(aweave-debate-proposer)", "Skill(aweave-debate-opponent)"]));
    setup(&agent, &["claude-code", "--check"]).await.data();
    setup(&agent, &["claude-code", "--allowed-tools", ""]).await.data();
    assert!(!agent.home().join(SETTINGS).exists(), "nothing needs it any more");

    let mine = "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"allow\": [\n      \"Read\"\n    ]\n  }\n}\n";
    agent.file(SETTINGS, mine);
    setup(&agent, &["claude-code", "--role", "opponent", "--allowed-tools", "Read"]).await.data();
    assert_eq!(rules(&agent), json!(["Read", "Skill(aweave-debate-opponent)"]));
    setup(&agent, &["claude-code", "--remove"]).await.data();
    let said = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap().to_string();
    assert_eq!(said(&read(&agent, SETTINGS)), said(mine), "in the same order");
    // What cannot be read stays, and is told.
    agent.file(SETTINGS, "{ oops");
    let data = setup(&agent, &["claude-code", "--allowed-tools", "Read"]).await.data();
    assert_eq!((&data["left"], read(&agent, SETTINGS).as_str()), (&json!([SETTINGS]), "{ oops"));
}

#[tokio::test]
async fn a_host_without_a_setting_for_tools_is_set_up_all_the_same() {
    for name in AGENTS.into_iter().filter(|name| *name != "claude-code") {
        let agent = Agent::new(NOWHERE);
        let run = setup(&agent, &[name, "--allowed-tools", "Read"]).await;
        assert_eq!((&run.data()["changed"], &run.data()["allowed_tools"]), (&json!(true), &json!(null)));
        let warning = text(&run.document()["metadata"]["warning"]);
        assert!(warning.contains(name) && warning.contains("--allowed-tools"), "{warning}");
        let with_tools = tree(agent.home());
        setup(&agent, &[name, "--remove"]).await.data();
        setup(&agent, &[name]).await.data();
        assert_eq!(tree(agent.home()), with_tools, "{name}");
    }
}

#[tokio::test]
async fn a_skill_and_its_rules_have_at_most_7000_bytes() {
    for name in AGENTS.into_iter().filter(|name| *name != "agents-md") {
        let skills = if name == "claude-code" { ".claude/skills" } else { ".agents/skills" };
        let agent = Agent::new(NOWHERE);
        setup(&agent, &[name]).await.data();
        setup(&agent, &[name, "--role", "arbitrator"]).await.data();
        for role in ["proposer", "opponent", "arbitrator"] {
            let folder = format!("{skills}/aweave-debate-{role}");
            let skill = read(&agent, &format!("{folder}/SKILL.md"));
            assert!(skill.contains("`.aweave/rules.md`") && skill.contains("`.aweave/rules/`"), "{skill}");
            for debate_type in ["coding_plan_debate", "general_debate"] {
                let bytes = skill.len() + read(&agent, &format!("{folder}/references/{debate_type}.md")).len();
                assert!(bytes <= 7_000, "{name} {role} {debate_type}: {bytes}");
            }
        }
    }
}

#[tokio::test]
async fn a_skill_that_hosts_share_has_at_most_7000_bytes_and_says_how_to_wait_in_each() {
    let agent = Agent::new(NOWHERE);
    for host in AGENTS {
        setup(&agent, &[host, "--user", "--language", &"ä".repeat(20)]).await;
        setup(&agent, &[host, "--user", "--role", "arbitrator"]).await;
    }
    for role in ["proposer", "opponent", "arbitrator"] {
        let folder = agent.home().join(format!(".agents/skills/aweave-debate-{role}"));
        let skill = fs::read_to_string(folder.join("SKILL.md")).unwrap();
        for rules in fs::read_dir(folder.join("references")).unwrap() {
            let bytes = skill.len() as u64 + rules.unwrap().metadata().unwrap().len();
            assert!(bytes <= 7_000, "{role}: {bytes}");
        }
        let how = format!("aw debate guide --role {role} --waiting");
        assert!(skill.contains(&how), "{skill}");
        for (host, says) in [("codex", "yield_time_ms"), ("copilot", "initial_wait"), ("gemini", "--quiet")] {
            let waiting = agent.shell(&format!("{how} --host {host}")).await.stdout;
            assert!(waiting.contains(says) && waiting.len() < 400, "{waiting}");
        }
        let of_host =
            Agent::new(NOWHERE).env("CODEX_CI", "1").run(&["debate", "guide", "--role", role, "--waiting"]).await;
        assert!(of_host.stdout.contains("yield_time_ms") && !of_host.stdout.contains("OpenCode"), "{of_host:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_looked_at_does_not_count_as_missing() {
    // As a folder that may not be entered, but also for who may enter all.
    let agent = Agent::new(NOWHERE).env("CLAUDE_CONFIG_DIR", &format!("/{}", "x/".repeat(3_000)));
    for option in ["--remove", "--dry-run"] {
        let run = setup(&agent, &["claude-code", "--user", option]).await;
        let files = run.data()["files"].as_array().unwrap().clone();
        assert!(!files.is_empty() && files.iter().all(|file| file["reason"].is_string()), "{run:?}");
        assert_eq!(run.document()["metadata"]["message"], "Nothing was changed", "{option}");
    }
}

#[tokio::test]
async fn several_blocks_or_one_without_its_end_are_named_and_left() {
    let server = Server::shared().await;
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["agents-md"]).await.data();
    let block = read(&agent, "AGENTS.md");
    let (body, _) = block.trim_end().rsplit_once('\n').unwrap();
    for content in [
        format!("# Mine\n\n{block}\n{block}## More\n"),
        format!("<<<<<<< HEAD\n{block}=======\n{block}>>>>>>> other\n"),
        format!("# Mine\n\n{body}\n## More\n"),
        // Without its first line, and without the break of the last one.
        format!("# Mine\n\n{}", block.split_once('\n').unwrap().1),
        format!("{body}\n{}", block.trim_end()),
    ] {
        agent.file("AGENTS.md", &content);
        for option in [None, Some("--force"), Some("--remove")] {
            let words: Vec<&str> = ["agents-md"].into_iter().chain(option).collect();
            let run = setup(&agent, &words).await;
            assert_eq!(
                (&run.data()["left"], &run.data()["changed"]),
                (&json!(["AGENTS.md"]), &json!(false)),
                "{option:?}"
            );
            assert!(text(&run.document()["metadata"]["warning"]).contains("several blocks"), "{run:?}");
            assert_eq!(read(&agent, "AGENTS.md"), content);
        }
        // What is proposed helps, so it is not --force, which replaces nothing here.
        for command in ["aw setup agents-md --check", "DEBATE_SERVER_URL=$SERVER aw doctor"] {
            let command = command.replace("$SERVER", &server.url());
            let failure = agent.shell(&command).await.failure(4, "SETUP_INCOMPLETE");
            let suggestion = text(&failure["error"]["suggestion"]);
            assert!(suggestion.ends_with("Then run `aw setup agents-md --project`"), "{command}: {suggestion}");
            assert!(!suggestion.contains("--force"), "{command}: {suggestion}");
            assert_eq!(failure["metadata"]["next"], "aw setup agents-md --project --check", "{command}");
        }
        let told = setup(&agent, &["agents-md", "--check", "--format", "markdown"]).await.stdout;
        assert!(told.contains("- left: `AGENTS.md` (it has several blocks"), "{told}");
    }
    // A last line without its break is whole.
    agent.file("AGENTS.md", format!("# Mine\n\n{}", block.trim_end()));
    setup(&agent, &["agents-md", "--check"]).await.data();
    setup(&agent, &["agents-md", "--remove"]).await.data();
    assert_eq!(read(&agent, "AGENTS.md"), "# Mine\n");
    agent.file("AGENTS.md", "# Mine\n");
    setup(&agent, &["agents-md"]).await.data();
    setup(&agent, &["agents-md", "--remove"]).await.data();
    assert_eq!(read(&agent, "AGENTS.md"), "# Mine\n");
}

#[tokio::test]
async fn the_block_in_a_file_of_the_user_can_be_anywhere() {
    for content in ["", "\n", "# Mine\n", "# Mine\n\n", "# Mine", "\r\n\r\n"] {
        let agent = Agent::new(NOWHERE);
        agent.file("AGENTS.md", content);
        setup(&agent, &["agents-md", "--language", "tiếng Việt"]).await.data();
        let with_block = fs::read_to_string(agent.home().join("AGENTS.md")).unwrap();
        assert!(with_block.starts_with(content) && with_block.contains("--language 'tiếng Việt'"), "{with_block}");
        for role in ["proposer", "opponent", "arbitrator"] {
            assert!(with_block.contains(&format!("aw debate guide --role {role} --host agents-md")), "{with_block}");
        }
        assert!(with_block.contains("debate.debate_type"), "nobody has to tell it: {with_block}");
        // The user adds text below the block. Another language changes only the block.
        agent.file("AGENTS.md", with_block + "## More\n");
        setup(&agent, &["agents-md", "--language", "en"]).await.data();
        setup(&agent, &["agents-md", "--check"]).await.data();
        setup(&agent, &["agents-md", "--remove"]).await.data();
        // What the user added stays on a line of its own.
        let kept = if content == "# Mine" { "# Mine\n" } else { content };
        assert_eq!(fs::read_to_string(agent.home().join("AGENTS.md")).unwrap(), format!("{kept}## More\n"));
    }
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["agents-md"]).await.data();
    let broken = fs::read_to_string(agent.home().join("AGENTS.md")).unwrap().replace("the type", "any type");
    agent.file("AGENTS.md", &broken);
    assert_eq!(setup(&agent, &["agents-md"]).await.data()["changed"], false);
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
async fn an_unwritable_folder_is_reported_and_the_same_command_goes_on_from_there() {
    let agent = Agent::new(NOWHERE);
    fs::create_dir_all(agent.home().join(".claude/skills")).unwrap();
    // Even root cannot create a folder inside a file.
    agent.file(".claude/skills/aweave-debate-opponent", "a file");
    let document = setup(&agent, &["claude-code"]).await.failure(4, "INVALID_INPUT");
    let error = &document["error"];
    assert!(text(&error["message"]).contains("aweave-debate-opponent"), "{document}");
    assert!(text(&error["suggestion"]).contains("where a folder has to be"), "{document}");
    assert_eq!(read(&agent, ".claude/skills/aweave-debate-opponent"), "a file");
    // It does not hold up the others.
    for skill in ["proposer", "run"] {
        assert!(agent.home().join(format!(".claude/skills/aweave-debate-{skill}/SKILL.md")).exists(), "{skill}");
    }
    fs::remove_file(agent.home().join(".claude/skills/aweave-debate-opponent")).unwrap();
    setup(&agent, &["claude-code"]).await.data();
    setup(&agent, &["claude-code", "--check"]).await.data();
}

#[rstest]
#[case::unknown_agent(&["emacs"])]
#[case::no_agent(&[])]
#[case::both_scopes(&["codex", "--project", "--user"])]
#[case::two_wishes(&["codex", "--check", "--remove"])]
#[case::no_language(&["codex", "--language", "x\n## Obey"])]
#[case::no_role(&["codex", "--role", "judge"])]
#[case::no_tools(&["claude-code", "--allowed-tools", "Read\nname: other"])]
#[case::a_project_file_in_the_home(&["agents-md", "--user"])]
#[tokio::test]
async fn invalid_options_are_refused(#[case] args: &[&str]) {
    let agent = Agent::new(NOWHERE);
    setup(&agent, args).await.failure(4, "INVALID_INPUT");
    assert!(tree(agent.home()).is_empty());
}

#[tokio::test]
async fn a_person_who_removed_it_is_not_told_to_set_it_up_again() {
    let agent = Agent::new(NOWHERE);
    setup(&agent, &["codex", "--user"]).await.data();
    let dry = agent.run_at_terminal(100, &["setup", "codex", "--user", "--remove", "--dry-run"]).await.stdout;
    assert!(dry.contains("aw setup codex --user --remove"), "{dry}");
    let removed = agent.run_at_terminal(100, &["setup", "codex", "--user", "--remove"]).await.stdout;
    assert!(removed.contains("Removed what was installed") && !removed.contains("Next:"), "{removed}");
}
