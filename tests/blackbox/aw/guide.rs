//! `aw debate guide`.

use std::{
    fs,
    os::unix::fs::{chown, symlink},
};

use rstest::rstest;
use serde_json::Value;
use tests::{
    cli::Agent,
    debate::text,
    report::report_skipped,
    server::{Server, Settings},
};

const NOWHERE: &str = "http://127.0.0.1:1";
const AGENTS: [&str; 7] = ["claude-code", "codex", "gemini", "cursor", "copilot", "opencode", "agents-md"];
const TYPES: [&str; 2] = ["coding_plan_debate", "general_debate"];

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
    // Without --host it is the one that runs the command.
    let narrow = Agent::new(NOWHERE).env("CODEX_CI", "1").run(&guide).await.stdout;
    assert!(
        narrow.contains("**Codex**") && !narrow.contains("**Claude Code**") && whole.stdout.contains("**Claude Code**")
    );
    agent.run(&["debate", "guide"]).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn a_guide_names_the_limit_of_the_server_that_answers() {
    let server = Server::with(Settings::new().args(&["--max-content-bytes", "5000"])).await;
    for (url, limit) in [
        (server.url(), "up to 5000 bytes"),
        (NOWHERE.to_owned(), "up to 10,240 bytes unless the server says otherwise"),
    ] {
        for role in ["proposer", "opponent"] {
            let guide = Agent::new(&url).run(&["debate", "guide", "--role", role]).await.stdout;
            assert!(guide.contains(limit), "{role}: {guide}");
        }
    }
}

#[tokio::test]
async fn a_guide_with_its_rules_has_at_most_7000_bytes() {
    let agent = Agent::new(NOWHERE);
    for role in ["proposer", "opponent", "arbitrator"] {
        for debate_type in TYPES {
            for language in ["en", "Vietnamese", "tiếng Việt", &"中文".repeat(6), &"ä".repeat(20)] {
                let args = ["debate", "guide", "--role", role, "--debate-type", debate_type, "--language", language];
                let guide = agent.run(&args).await.stdout;
                assert!(
                    (3_000..=7_000).contains(&guide.len()),
                    "{role} {debate_type} {language}: {} bytes",
                    guide.len()
                );
            }
        }
    }
}

#[rstest]
#[case::proposer("proposer", &[
    "--fix 'I1: ", "--dispute 'I2: ", "--refer I2,I3", "--issue-changes PATH", "aw debate issues --debate-id ID", "`stalled`",
    "`ISSUES_OPEN`", "`SEAT_TAKEN`", "goes straight into `create`", "final reading", "no history, argument numbers or names",
    "rewrites its place", "smallest change", "adds a state, mode or policy", "not reversed without a ruling",
    "add no condition", "overview and conventions", "take out those that you did not", "cannot be corrected",
    "--plan plan.md", "aw debate search '", "longer than its first version", "easy to undo", "What you need and nobody",
])]
#[case::opponent("opponent", &[
    "--raise 'high: Title @ src/worker.rs:41'", "--resolve I1,I4", "--withdraw 'I2: ", "--reopen 'I3: ", "--regrade 'I4 low: ",
    "--issue-changes PATH", "aw debate issues --debate-id ID", "`stalled`", "`SEAT_TAKEN`", "--role opponent --until-opened",
    "before you read the plan", "--defer 'I5: ", "aw debate search '", "What you need and nobody", "not the best one thinkable", "From your third claim on", "can be left out", "from its first line", "--role opponent --final-reading",
    "Nothing is open, the final reading is done", "without one do it yourself", "the claim that resolves the last", "take out what is not mended",
    "overview and conventions",
])]
#[case::arbitrator("arbitrator", &[
    "--uphold 'I2: ", "--dismiss 'I3: ", "--raise 'high: ", "--regrade 'I4 low: ", "--defer 'I5: ", "--reopen 'I5: ", "aw debate search TEXT", "--issue-changes PATH", "--choose N",
    "--role arbitrator --until-opened", "debates that your user named", "adds no condition", "ask your user",
    "whatever is argued until then", "wait again for all that are not closed",
])]
#[tokio::test]
async fn a_guide_tells_what_its_role_needs(#[case] role: &str, #[case] needed: &[&str]) {
    let agent = Agent::new(NOWHERE);
    let common = [
        "--format markdown",
        "`metadata.next`",
        "`metadata.also`",
        "get-context --debate-id ID",
        "**Tell your user**",
        "three waits in a row that timed out or failed",
        "aw debate plan --debate-id ID --since",
        "`debate.debate_type`",
        "`.aweave/rules.md`",
    ];
    for debate_type in TYPES {
        let guide = agent.run(&["debate", "guide", "--role", role]).await.stdout;
        let rules = agent.run(&["debate", "guide", "--role", role, "--type", debate_type, "--rules-only"]).await.stdout;
        assert!(rules.starts_with(&format!("# Rules for the {role} of a ")), "{rules}");
        let both = (guide + &rules).replace("in a\nrow", "in a row").replace("three\nwaits", "three waits");
        for words in common.iter().chain(needed) {
            assert!(both.contains(words), "{words} in {both}");
        }
    }
}

#[tokio::test]
async fn the_brief_of_the_final_reading_tells_of_the_plan_and_nothing_of_the_debate() {
    let agent = Agent::new(NOWHERE);
    fs::create_dir_all(agent.home().join(".aweave")).unwrap();
    agent.file(".aweave/rules.md", "Nothing of the debate comes from here, either.");
    let run = agent.run(&["debate", "guide", "--role", "opponent", "--final-reading"]).await;
    let chars = run.stdout.chars().count();
    assert!(run.exit == 0 && (600..=4_000).contains(&chars), "{chars}: {run:?}");
    for word in ["debate", "proposer", "opponent", "arbitrator", "motion", "ruling"] {
        assert!(!run.stdout.to_lowercase().contains(word), "{word} in {}", run.stdout);
    }
    for words in ["whole plan from its first line", "contradict", "lead nowhere", "no test", "left out", "are not so"] {
        assert!(run.stdout.contains(words), "{words} in {}", run.stdout);
    }
    for role in ["proposer", "arbitrator"] {
        let document =
            agent.run(&["debate", "guide", "--role", role, "--final-reading"]).await.failure(4, "INVALID_INPUT");
        let message = text(&document["error"]["message"]);
        assert!(message.contains("--final-reading is for the opponent"), "{message}");
    }
}

/// An agent whose home has these files.
fn with_rules(files: &[(&str, &str)]) -> Agent {
    let agent = Agent::new(NOWHERE);
    for (name, content) in files {
        fs::create_dir_all(agent.home().join(name).parent().unwrap()).unwrap();
        agent.file(name, content);
    }
    agent
}

/// The guide after the texts of `aw`, printed in a folder below the home.
async fn team_rules(agent: &Agent, folder: &str, options: &str) -> String {
    fs::create_dir_all(agent.home().join(folder)).unwrap();
    let guide = agent.shell(&format!("cd {folder} && aw debate guide --role opponent {options}")).await.stdout;
    guide.split_once("\n# Rules of your team: ").map(|(_, rules)| rules.to_owned()).unwrap_or_default()
}

#[tokio::test]
async fn rules_only_says_on_stderr_that_a_team_has_none() {
    let rules = ["debate", "guide", "--role", "opponent", "--type", "general_debate", "--rules-only"];
    let none = with_rules(&[(".aweave/rules/proposer.md", "for another role")]).run(&rules).await;
    assert!(none.stderr.contains("your team has no rules for this") && !none.stdout.contains("team"), "{none:?}");
    let some = with_rules(&[(".aweave/rules.md", "for all")]).run(&rules).await;
    assert!(some.stderr.is_empty() && some.stdout.contains("for all"), "{some:?}");
}

#[tokio::test]
async fn the_rules_of_the_team_follow_ours_each_under_the_name_of_its_file() {
    let agent = with_rules(&[
        (".aweave/rules.md", "for all\n"),
        (".aweave/rules/opponent.md", "for the role"),
        (".aweave/rules/general_debate.md", "for the type"),
        (".aweave/rules/opponent-general_debate.md", "for both"),
        (".aweave/rules/proposer.md", "for another role"),
        (".aweave/rules/coding_plan_debate.md", "for another type"),
        (".aweave/rules/opponent-coding_plan_debate.md", " \n"),
    ]);
    let all = ".aweave/rules.md\n\nfor all\n\n# Rules of your team: .aweave/rules/opponent.md\n\nfor the role\n";
    let of_type = "\n# Rules of your team: .aweave/rules/general_debate.md\n\nfor the type\n\n\
                   # Rules of your team: .aweave/rules/opponent-general_debate.md\n\nfor both\n";
    for folder in [".", "src/deep"] {
        assert_eq!(team_rules(&agent, folder, "").await, all);
        for options in ["--type general_debate", "--type general_debate --rules-only"] {
            assert_eq!(team_rules(&agent, folder, options).await, format!("{all}{of_type}"), "{options}");
        }
    }
    let files = fs::read_dir(agent.home().join(".aweave")).unwrap().count();
    assert_eq!(files, 2, "nothing is written there");
}

#[tokio::test]
async fn the_nearest_folder_with_rules_counts_alone() {
    let agent = with_rules(&[
        (".aweave/rules.md", "outer"),
        (".aweave/rules/opponent.md", "outer, too"),
        ("project/.aweave/rules/proposer.md", "of a project"),
        ("project/inner/.aweave/rules.md", "inner"),
        ("empty/.aweave/heads/file", "no rules"),
    ]);
    assert_eq!(team_rules(&agent, "project/inner/src", "").await, ".aweave/rules.md\n\ninner\n");
    assert_eq!(team_rules(&agent, "project/src", "").await, "", "this project has rules, none of them for this role");
    assert!(team_rules(&agent, "empty", "").await.starts_with(".aweave/rules.md\n\nouter\n"));
}

#[tokio::test]
async fn the_rules_of_the_team_are_bounded_and_safe_in_a_terminal() {
    let agent = with_rules(&[(".aweave/rules.md", "a\u{1b}[2Jb\u{202e}c\r\nd\u{9b}")]);
    assert_eq!(team_rules(&agent, ".", "").await, ".aweave/rules.md\n\na\\u{1b}[2Jb\\u{202e}c\nd\\u{9b}\n");
    agent.file(".aweave/rules.md", "x".repeat(100_000));
    let rules = team_rules(&agent, ".", "").await;
    assert!(rules.len() < 20_000 && rules.contains("only its first"), "{}", rules.len());
    agent.file(".aweave/rules.md", "\u{feff}marked\n");
    assert_eq!(team_rules(&agent, ".", "").await, ".aweave/rules.md\n\nmarked\n");
    agent.file(".aweave/rules.md", b"not \xff UTF-8");
    assert!(team_rules(&agent, ".", "").await.contains("not \u{fffd} UTF-8"));
    // A pipe that nobody writes to must not hold the guide.
    fs::remove_file(agent.home().join(".aweave/rules.md")).unwrap();
    let made = agent.shell("mkfifo .aweave/rules.md").await;
    assert_eq!((made.exit, team_rules(&agent, ".", "").await), (0, String::new()));
}

#[tokio::test]
async fn a_link_is_followed_unless_it_leads_out_of_the_project() {
    let agent = with_rules(&[
        ("secret", "a key"),
        ("project/AGENTS.md", "ours, by a link"),
        ("project/.aweave/rules/general_debate.md", "ours"),
        ("elsewhere/rules.md", "a key, too"),
    ]);
    let link = |target: &str, name: &str| symlink(target, agent.home().join("project").join(name)).unwrap();
    link("../AGENTS.md", ".aweave/rules.md");
    for outside in ["../../../secret", "/proc/self/environ", "missing"] {
        link(outside, ".aweave/rules/opponent.md");
        let run =
            agent.shell("cd project && AWEAVE_KEY=hidden aw debate guide --role opponent --type general_debate").await;
        for words in ["ours, by a link", "ours\n"] {
            assert!(run.stdout.contains(words), "{run:?}");
        }
        assert!(!run.stdout.contains("a key") && !run.stdout.contains("hidden"), "{run:?}");
        assert!(run.stderr.contains(".aweave/rules/opponent.md is not read"), "{run:?}");
        fs::remove_file(agent.home().join("project/.aweave/rules/opponent.md")).unwrap();
    }
    // The folder of the rules may be the link.
    fs::rename(agent.home().join("project/.aweave/rules"), agent.home().join("project/rules")).unwrap();
    link("../../elsewhere", ".aweave/rules");
    fs::write(agent.home().join("elsewhere/opponent.md"), "a key, too").unwrap();
    let run = agent.shell("cd project && aw debate guide --role opponent").await;
    assert!(run.stdout.contains("ours, by a link") && !run.stdout.contains("a key"), "{run:?}");
}

#[tokio::test]
async fn files_of_another_user_are_not_read() {
    let agent = with_rules(&[(".aweave/rules.md", "mine"), ("below/.aweave/rules.md", "planted")]);
    let planted = agent.home().join("below/.aweave/rules.md");
    if chown(&planted, Some(12_345), None).is_err() {
        return report_skipped("a file of another user", "only root can give one away");
    }
    assert_eq!(team_rules(&agent, "below", "").await, ".aweave/rules.md\n\nmine\n");
    // Beside a file of one's own it is left out, and said so.
    fs::create_dir_all(agent.home().join("below/.aweave/rules")).unwrap();
    agent.file("below/.aweave/rules/opponent.md", "mine, below");
    assert_eq!(team_rules(&agent, "below", "").await, ".aweave/rules/opponent.md\n\nmine, below\n");
    let run = agent.shell("cd below && aw debate guide --role opponent").await;
    assert!(run.stderr.contains(".aweave/rules.md belongs to another user"), "{run:?}");
}

#[tokio::test]
async fn rules_on_the_way_up_that_are_not_read_are_told() {
    let agent = with_rules(&[(".aweave/rules.md", "mine"), ("below/.aweave/heads/file", "no rules")]);
    symlink("rules.md", agent.home().join("below/.aweave/rules.md")).unwrap();
    // A link to itself counts as rules of one's own, so that nothing above it is taken for them.
    let run = agent.shell("cd below && aw debate guide --role opponent").await;
    assert!(run.stderr.contains("below/.aweave/rules.md is not read: "), "{run:?}");
    assert_eq!(run.exit, 0, "{run:?}");
    let planted = agent.home().join("below/.aweave/rules.md");
    fs::remove_file(&planted).unwrap();
    agent.file("below/.aweave/rules.md", "planted");
    if chown(&planted, Some(12_345), None).is_err() {
        return report_skipped("a file of another user", "only root can give one away");
    }
    let run = agent.shell("mkdir -p below/src && cd below/src && aw debate guide --role opponent").await;
    assert!(run.stderr.contains("below/.aweave/rules.md belongs to another user and is not read"), "{run:?}");
    assert!(run.stdout.ends_with(".aweave/rules.md\n\nmine\n"), "{run:?}");
}
