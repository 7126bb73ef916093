//! The title and the task of a run, and what is refused before anything starts.

use std::{fs, io::Write};

use serde_json::{Value, json};
use tests::{cli::Agent, debate::text, ids, report::report_skipped, tmpfs::Tmpfs};

use super::{
    User,
    proxy::{self, Reply},
};

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
    // A list is a task, too.
    let (debate, motion) = motion(&user, &[&plan, "--task", "- Make it fast", "--title", "- Speed"]).await;
    assert_eq!(debate["title"], "- Speed");
    assert!(text(&motion["content"]).ends_with(" v1\n\n- Make it fast"), "{motion}");
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
async fn a_task_longer_than_an_argument_is_a_document_also_where_the_proposer_writes_the_plan() {
    let user = User::new().await;
    let task = format!("# Cache prices\n\n{}\n", "Every word counts. ".repeat(1000));
    let file = user.agent.file("task.md", &task);
    let agent = super::scripted("plain", "agent");
    let words = ["debate", "run", "--quick", "--task-file", &file, "--proposer", &agent, "--opponent", &agent];
    let data = user.agent.run(&words).await.data();
    let history = user.history(&text(&data["debate_id"])).await;
    let motion = text(&history[0]["content"]);
    let (_, written) = motion.split_once("\n\n").unwrap();
    let document = written.strip_prefix("The plan does it.\n\nTask: doc_id=").unwrap().strip_suffix(" v1").unwrap();
    let stored = user.client.get(&format!("/documents/{document}")).await.data(200);
    assert_eq!(stored["version"]["content"], task.as_str());
    assert!(motion.starts_with(&format!("Plan: doc_id={} v1", text(&data["plan"]["document_id"]))), "{motion}");
    let given = fs::read_to_string(user.log.path().join("proposer-1-agent.task")).unwrap();
    assert_eq!(given, task);
}

/// New debates are refused.
fn motions_refused(first_line: &str) -> Reply {
    if first_line.starts_with("POST /debates HTTP") { Reply::Refused("not today") } else { Reply::PassedOn }
}

#[tokio::test]
async fn a_motion_that_the_server_refuses_leaves_nothing_behind() {
    let User { agent, client, log: _log, server } = User::new().await;
    let agent = agent.env("DEBATE_SERVER_URL", &proxy::before(&server, motions_refused).await);
    let plan = agent.file("plan.md", "# Cache\n");
    let (id, title) = (ids::fresh(), ids::fresh());
    // A document, which is stored before.
    let task = agent.file("task.md", "Every word counts. ".repeat(1000));
    let words = ["debate", "run", &plan, "--task-file", &task, "--title", &title, "--debate-id", &id];
    let words: Vec<&str> = words.into_iter().chain(["--proposer", "command:/bin/false"]).chain(FAILING).collect();
    let refused = agent.run(&words).await.failure(5, "ACTION_NOT_ALLOWED");
    assert_eq!(
        (&refused["error"]["message"], refused["content"][0]["data"].get("debate_id")),
        (&json!("not today"), None)
    );
    assert_eq!(client.get(&format!("/documents?q={title}")).await.data(200)["total"], 0);
    assert!(!agent.home().join(".aweave/runs").join(id).exists());
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
    let body = user.agent.file("body.md", format!("# {title}\n\nStep\u{b}one.\n"));
    let named = user.agent.file("na\u{1b}me.md", "Step one.\n");
    let faulty = format!("{title}\u{7f}b");
    let mut tried = Vec::new();
    for (more, code, problem) in [
        (vec![large.as_str()], "CONTENT_TOO_LARGE", "PLAN has"),
        (vec!["--task-file", &large], "CONTENT_TOO_LARGE", "the task has"),
        (vec![&plan, "--task-file", &large], "CONTENT_TOO_LARGE", "the task has"),
        (vec![&control], "INVALID_INPUT", "the title in PLAN has the control character U+001B at position 36"),
        (vec![&control, "--title", &title], "INVALID_INPUT", "PLAN has the control character U+001B at position 38"),
        (vec![&body], "INVALID_INPUT", "PLAN has the control character U+000B at position 44"),
        (vec![&named], "INVALID_INPUT", "the name of PLAN, which is the title, has the control character U+001B"),
        (vec!["--task-file", &task], "INVALID_INPUT", "the title in the task has the control character U+0000"),
        (vec![&plan, "--task-file", &task], "INVALID_INPUT", "the task has the control character U+0000"),
        (vec![&plan, "--title", &faulty], "INVALID_INPUT", "--title has the control character U+007F"),
    ] {
        let id = ids::fresh();
        let mut words = vec!["debate", "run", "--proposer", "command:/bin/false", "--debate-id", &id];
        words.extend(FAILING.into_iter().chain(more));
        let message = text(&user.agent.run(&words).await.failure(4, code)["error"]["message"]);
        assert!(message.contains(problem), "{message}");
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
    let long = "a".repeat(256);
    for (more, named) in [
        (vec!["missing.md"], "missing.md"),
        (vec!["pipe"], "pipe"),
        (vec!["."], "."),
        (vec!["--task-file", "missing.md"], "missing.md"),
        (vec![&plan, "--folder", "no/such"], "no/such"),
        (vec![&plan, "--folder", "file"], "file"),
        (vec![&plan, "--output", "no/such/a.md"], "no/such/a.md"),
        (vec![&plan, "--record", "file/a.md"], "file/a.md"),
        (vec![&plan, "--output", "new/"], "new/ is the name of a folder"),
        (vec![&plan, "--record", &long], "has a name that is too long"),
        (vec![&plan, "--output", ".", "--force"], "."),
        (vec![&plan, "--output", "-"], "- is not the name of a file"),
        (vec![&plan, "--record", "-", "--force"], "- is not the name of a file"),
    ] {
        let words: Vec<&str> = base.into_iter().chain(FAILING).chain(more).collect();
        let failure = user.agent.run(&words).await.failure(4, "INVALID_INPUT");
        assert!(text(&failure["error"]["message"]).contains(named), "{failure}");
    }
    let words: Vec<&str> = base.into_iter().chain(FAILING).chain([plan.as_str()]).collect();
    let without = |name: &str, value: &str| Agent::new(&user.server.url()).env(name, value);
    let failure = without("HOME", "/dev/null").run(&words).await.failure(4, "INVALID_INPUT");
    assert!(text(&failure["error"]["message"]).contains("/dev/null"), "{failure}");
    assert!(!user.agent.home().join(".aweave").exists());
    fs::create_dir(user.agent.home().join(".aweave")).unwrap();
    fs::write(user.agent.home().join(".aweave/work"), "").unwrap();
    let failure = user.agent.run(&words).await.failure(4, "INVALID_INPUT");
    assert!(text(&failure["error"]["message"]).contains("~/.aweave/work"), "{failure}");
    // What stands in for a folder for temporary files is of no matter, and programs are found without PATH as a shell finds them.
    fs::remove_file(user.agent.home().join(".aweave/work")).unwrap();
    for (variable, value) in [("TMPDIR", ""), ("TMPDIR", "/no/such/folder"), ("PATH", ""), ("PATH", "bin:.")] {
        let user = User::new().await;
        let user = User { agent: user.agent.env(variable, value), ..user };
        user.run("plain", &["--quick"]).await.data();
    }
}

#[tokio::test]
async fn a_full_disk_is_told_before_anything_starts() {
    let home = match Tmpfs::of_kibibytes(1024) {
        Ok(mount) => mount,
        Err(why) => return report_skipped("a home on a full disk", &why),
    };
    let mut file = fs::File::create(home.path().join("filler")).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    let (user, title) = (User::new().await, ids::fresh());
    let user = User { agent: user.agent.env("HOME", home.path().to_str().unwrap()), ..user };
    let plan = user.agent.file("plan.md", "# Cache\n");
    let failure = user.run("plain", &[&plan, "--title", &title]).await.failure(4, "INVALID_INPUT");
    let message = text(&failure["error"]["message"]);
    let folder = home.path().join(".aweave").display().to_string();
    assert!(message.contains("No space left") && message.contains(&folder), "{message}");
    assert_eq!(user.client.get(&format!("/debates?q={title}")).await.data(200)["total"], 0);
    assert_eq!(user.starts(), Vec::<String>::new());
}
