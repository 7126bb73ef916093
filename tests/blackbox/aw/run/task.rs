//! The title and the task of a run, and what is refused before anything starts.

use std::fs;

use serde_json::Value;
use tests::{cli::Agent, debate::text, ids};

use super::User;

/// What a start of the opponent says that fails at once, so that only the MOTION is sent.
const FAILING: [&str; 4] = ["--opponent", "command:/bin/false", "--retry-seconds", "0"];

async fn motion(user: &User, more: &[&str]) -> (Value, Value) {
    let id = ids::fresh();
    let mut words = vec!["debate", "run", "--proposer", "command:/bin/false", "--debate-id", &id];
    words.extend(FAILING.into_iter().chain(more.iter().copied()));
    user.agent.run(&words).await.failure(3, "AGENT_FAILED");
    let data = user.client.get(&format!("/debates/{id}")).await.data(200);
    (data["debate"].clone(), data["motion"].clone())
}

#[tokio::test]
async fn the_title_is_that_of_the_plan_and_the_task_is_the_title_unless_it_is_given() {
    let user = User::new().await;
    user.agent.shell("mkdir add-cache").await;
    let plain = user.agent.file("notes.md", "No heading.\n");
    let common = user.agent.file("add-cache/proposal.md", "## Why\n\nIt is slow.\n");
    let titled = user.agent.file("titled.md", "\u{feff}---\n# owner: us\ntitle: 'Price cache'\n---\n\n# Cache\n");
    for (plan, title) in [(plain, "notes.md"), (common, "add-cache/proposal.md"), (titled, "Price cache")] {
        let (debate, motion) = motion(&user, &[&plan]).await;
        assert_eq!(debate["title"], title);
        assert!(text(&motion["content"]).ends_with(&format!(" v1\n\n{title}")), "{motion}");
    }
    let plan = user.agent.file("plan.md", "# Cache\n");
    let (debate, motion) = motion(&user, &[&plan, "--task", "Make it fast", "--title", "Speed"]).await;
    assert_eq!(debate["title"], "Speed");
    assert!(text(&motion["content"]).ends_with(" v1\n\nMake it fast"), "{motion}");
}

#[tokio::test]
async fn a_task_longer_than_an_argument_is_a_document_and_stands_in_the_folder() {
    let user = User::new().await;
    let task = format!("# Cache prices\n\n{}\n", "Every word counts. ".repeat(1000));
    let (plan, file) = (user.agent.file("plan.md", "# Cache\n"), user.agent.file("task.md", &task));
    let id = ids::fresh();
    let words = ["debate", "run", "--debate-id", &id, &plan, "--task-file", &file, "--retry-seconds", "0"];
    let agent = super::scripted("plain", "agent");
    let words: Vec<&str> = words.into_iter().chain(["--proposer", &agent, "--opponent", &agent]).collect();
    let data = user.agent.run(&words).await.data();
    let history = user.history(&id).await;
    let motion = text(&history[0]["content"]);
    let lines: Vec<_> = motion.lines().collect();
    assert!(lines.len() == 4 && lines[0].starts_with("Plan: doc_id=") && lines[1..3] == ["", "Cache"], "{motion}");
    let document = lines[3].strip_prefix("Task: doc_id=").unwrap().strip_suffix(" v1").unwrap();
    let stored = user.client.get(&format!("/documents/{document}")).await.data(200);
    assert_eq!(stored["version"]["content"], task.as_str());
    assert_ne!(data["plan"]["document_id"], document);
    let in_folder = |start: &str| fs::read_to_string(user.log.path().join(format!("{start}-agent.task"))).ok();
    for start in ["opponent-1", "proposer-2", "opponent-2"] {
        assert_eq!(in_folder(start).as_deref(), Some(task.as_str()), "{start}");
        let prompt = user.prompt(&format!("{start}-agent"));
        assert!(prompt.contains("`task.md`") && !prompt.contains("Every word counts"), "{prompt}");
    }
    assert_eq!(in_folder("reader-2"), None);
}

#[tokio::test]
async fn what_the_server_would_refuse_is_refused_with_its_code_and_leaves_nothing() {
    let user = User::new().await;
    // Other tests store documents meanwhile; none has this in its title.
    let title = ids::fresh();
    let plan = user.agent.file("plan.md", format!("# {title}\n"));
    let large = user.agent.file("large.md", format!("# {title}\n{}", "x".repeat(1_048_577)));
    let control = user.agent.file("control.md", format!("# {title}\u{1b}[2J\n"));
    let task = user.agent.file("task.md", format!("{title}\u{0}it fast"));
    let faulty = format!("{title}\u{7f}b");
    let mut tried = Vec::new();
    for (more, code) in [
        (vec![large.as_str()], "CONTENT_TOO_LARGE"),
        (vec!["--task-file", &large], "CONTENT_TOO_LARGE"),
        (vec![&plan, "--task-file", &large], "CONTENT_TOO_LARGE"),
        (vec![&control], "INVALID_INPUT"),
        (vec!["--task-file", &task], "INVALID_INPUT"),
        (vec![&plan, "--title", &faulty], "INVALID_INPUT"),
    ] {
        let id = ids::fresh();
        let mut words = vec!["debate", "run", "--proposer", "command:/bin/false", "--debate-id", &id];
        words.extend(FAILING.into_iter().chain(more));
        user.agent.run(&words).await.failure(4, code);
        user.client.get(&format!("/debates/{id}")).await.refusal("DEBATE_NOT_FOUND");
        tried.push(id);
    }
    assert_eq!(user.client.get(&format!("/documents?q={title}")).await.data(200)["total"], 0);
    for id in tried {
        assert!(!user.agent.home().join(".aweave/runs").join(id).exists());
    }
}

#[tokio::test]
async fn a_path_that_cannot_be_used_is_named_before_anything_starts() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache\n");
    user.agent.file("file", "");
    user.agent.shell("mkfifo pipe").await;
    let base = ["debate", "run", "--proposer", "command:/bin/false"];
    for (more, named) in [
        (vec!["missing.md"], "missing.md"),
        (vec!["pipe"], "pipe"),
        (vec!["."], "."),
        (vec!["--task-file", "missing.md"], "missing.md"),
        (vec![&plan, "--folder", "no/such"], "no/such"),
        (vec![&plan, "--folder", "file"], "file"),
        (vec![&plan, "--output", "no/such/a.md"], "no/such/a.md"),
        (vec![&plan, "--record", "file/a.md"], "file/a.md"),
        (vec![&plan, "--output", ".", "--force"], "."),
    ] {
        let words: Vec<&str> = base.into_iter().chain(FAILING).chain(more).collect();
        let failure = user.agent.run(&words).await.failure(4, "INVALID_INPUT");
        assert!(text(&failure["error"]["message"]).contains(named), "{failure}");
    }
    let words: Vec<&str> = base.into_iter().chain(FAILING).chain([plan.as_str()]).collect();
    let without = |name: &str, value: &str| Agent::new(&user.server.url()).env(name, value);
    for (name, value) in [("TMPDIR", "/no/such/folder"), ("HOME", "/dev/null")] {
        let failure = without(name, value).run(&words).await.failure(4, "INVALID_INPUT");
        assert!(text(&failure["error"]["message"]).contains(value), "{failure}");
    }
    assert!(!user.agent.home().join(".aweave").exists());
}
