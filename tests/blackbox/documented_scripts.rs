//! The commands in README.md and docs/by-hand.md run as they stand there, in a fresh home, but those that the page says are not.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use tests::{
    binaries,
    cli::Agent,
    report::report_skipped,
    server::Server,
    usual_port::{self, UsualPort},
};

/// A comment that begins so stands before commands that are not run, and says why.
const NOT_RUN: &str = "<!-- not run: ";

/// The commands of a page, and whether they are run.
fn commands(page: &str) -> Vec<(bool, String)> {
    let mut found: Vec<(bool, String)> = Vec::new();
    let (mut is_run, mut is_command) = (true, false);
    for line in page.lines() {
        match line.strip_prefix("    ") {
            Some(command) => {
                if !is_command {
                    found.push((is_run, String::new()));
                }
                if let Some((_, block)) = found.last_mut() {
                    *block += &format!("{command}\n");
                }
                (is_run, is_command) = (is_run, true);
            }
            None if line.starts_with(NOT_RUN) => (is_run, is_command) = (false, false),
            None if line.is_empty() => is_command = false,
            None => (is_run, is_command) = (true, false),
        }
    }
    found
}

fn page(name: &str) -> String {
    fs::read_to_string(binaries::workspace().join(name)).unwrap()
}

/// What the lines begin with that somebody who is alone leaves out.
const WAIT: &str = "aw debate wait";

/// The lines of all commands that are run.
fn lines(page: &str) -> Vec<String> {
    let run = commands(page).into_iter().filter(|(is_run, _)| *is_run).map(|(_, commands)| commands);
    run.collect::<String>().lines().map(str::to_owned).collect()
}

/// The script of all commands that are run. A wait is started beside what comes after it, and has to end, too.
fn script(page: &str) -> String {
    let mut script = "set -e\n".to_owned();
    for line in lines(page) {
        let is_wait = line.starts_with(WAIT);
        script += &if is_wait { format!("{line} & waits=\"$waits $!\"\n") } else { format!("{line}\n") };
    }
    script + "for wait in $waits; do wait $wait; done\n"
}

/// The script of somebody who is alone, in one terminal.
fn script_alone(page: &str) -> String {
    let lines = lines(page).into_iter().filter(|line| !line.starts_with(WAIT));
    lines.fold("set -e\n".to_owned(), |script, line| format!("{script}{line}\n"))
}

#[test]
fn what_is_not_run_is_told_apart() {
    let page = "Text\n\n    a \\\n      b\n    c\n\n<!-- not run: no -->\n\n    d\n\n    e\n\nText\n\n    f\n";
    let told: Vec<_> = commands(page);
    let expected = [(true, "a \\\n  b\nc\n"), (false, "d\n"), (false, "e\n"), (true, "f\n")];
    assert_eq!(told, expected.map(|(is_run, text)| (is_run, text.to_owned())));
}

/// Answers as claude does.
const CLAUDE: &str = r#"#!/bin/sh
case $1 in
  auth) exit 0 ;;
  --version) echo '9.9.9 (Claude Code)'; exit 0 ;;
esac
cat > /dev/null
case "$AW_ROLE-$AW_TURN" in
  opponent-1) changes='{"change":"raise","severity":"high","title":"Lost on restart"}' ;;
  opponent-*) changes='{"change":"resolve","issue":"I1"}' ;;
  *) echo 'Step two.' >> plan.md; changes='{"change":"fix","issue":"I1"}' ;;
esac
answer="{\"content\":\"Looked at.\",\"issue_changes\":[$changes]}"
printf '{"type":"result","subtype":"success","is_error":false,"result":"","structured_output":%s,"total_cost_usd":0.01,"usage":{"input_tokens":10,"output_tokens":5}}\n' "$answer"
"#;

#[tokio::test]
async fn the_lines_of_the_readme_run_in_a_fresh_home() {
    let Some(_port) = UsualPort::take() else {
        return report_skipped("README", usual_port::TAKEN);
    };
    let bin = binaries::aw().parent().unwrap().display();
    let agent = Agent::new("");
    let programs = agent.home().join("programs");
    fs::create_dir(&programs).unwrap();
    let claude = programs.join("claude");
    fs::write(&claude, CLAUDE).unwrap();
    fs::set_permissions(&claude, fs::Permissions::from_mode(0o755)).unwrap();
    agent.file("plan.md", "# Cache the price list\n\nStep one.\n");
    let path = format!("PATH={}:{bin}:/usr/bin:/bin", programs.display());
    let run = agent.shell(&format!("export {path}\n{}", script(&page("README.md")))).await;
    let down = agent.run(&["down"]).await;
    assert_eq!((run.exit, down.exit), (0, 0), "{run:?}");
    assert!(fs::read_to_string(agent.home().join("better.md")).unwrap().contains("Step two."), "{run:?}");
    assert!(Path::new(&agent.home().join(".claude/skills/aweave-debate-run/SKILL.md")).exists());
}

#[tokio::test]
async fn a_debate_by_hand_runs_as_it_is_written() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    let run = agent.shell(&script(&page("docs/by-hand.md"))).await;
    assert_eq!(run.exit, 0, "{run:?}");
    let record = fs::read_to_string(agent.home().join("decision.md")).unwrap();
    assert!(record.contains("Never stale: invalidate on change."), "{record}");
}

#[tokio::test]
async fn whoever_is_alone_leaves_the_waits_out() {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    // As `aw` prints the page, for whoever has no folder of documents.
    let page = agent.run(&["debate", "by-hand"]).await.stdout;
    assert_eq!(page, self::page("docs/by-hand.md"));
    assert!(!page.contains("docs/"), "{page}");
    assert!(page.contains(&format!("leave out the lines that begin with `{WAIT}`")), "{page}");
    let script = script_alone(&page);
    assert!(!script.contains(WAIT), "{script}");
    let run = agent.shell(&script).await;
    assert_eq!(run.exit, 0, "{run:?}");
    let record = fs::read_to_string(agent.home().join("decision.md")).unwrap();
    assert!(record.contains("Never stale: invalidate on change."), "{record}");
}
