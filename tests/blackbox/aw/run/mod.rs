//! `aw debate run` with scripted agents.

mod code_folder;
mod ended_at_any_moment;
mod ending;
mod going_on;
mod kept_runs;
mod killed_run;
mod late_answers;
mod looks;
mod programs;
mod proxy;
mod server_away;
mod server_started;
mod signals;
mod starts;
mod task;
mod terminal;
mod usage_limits;
mod written_files;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::{
    binaries,
    cli::{Agent, Run},
    client::Client,
    debate::{Debate, text},
    fixtures, ids, polling,
    server::{Server, SharedServer},
};

/// A user who runs debates: a home, a folder with code, and a log of what the agents were asked.
struct User {
    agent: Agent,
    client: Client,
    log: TempDir,
    server: SharedServer,
}

impl User {
    async fn new() -> Self {
        let server = Server::shared().await;
        let log = TempDir::new().unwrap();
        let agent = Agent::new(&server.url())
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("AGENT_LOG", log.path().to_str().unwrap())
            .env("AW", binaries::aw().to_str().unwrap());
        Self { agent, client: server.client(), log, server }
    }

    /// Runs a debate about a task with agents in these modes.
    async fn run(&self, mode: &str, more: &[&str]) -> Run {
        self.agent.run(&self.words(mode, more)).await
    }

    fn words<'w>(&self, mode: &str, more: &[&'w str]) -> Vec<&'w str> {
        let agent: &'static str = Box::leak(scripted(mode, "agent").into_boxed_str());
        let mut words = vec!["debate", "run", "--retry-seconds", "0"];
        if !more.contains(&"--proposer") {
            words.extend(["--proposer", agent]);
        }
        if !more.contains(&"--opponent") {
            words.extend(["--opponent", agent]);
        }
        if !more.iter().any(|word| word.ends_with("/plan.md") || *word == "--task") {
            words.extend(["--task", "Make it fast\nand keep it simple"]);
        }
        words.extend(more);
        words
    }

    /// What a role was asked in a turn.
    fn prompt(&self, role_turn_name: &str) -> String {
        let path = self.log.path().join(format!("{role_turn_name}.prompt"));
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The starts in order.
    fn starts(&self) -> Vec<String> {
        let text = fs::read_to_string(self.log.path().join("starts")).unwrap_or_default();
        text.lines().map(|line| line.trim_end_matches("-agent").to_owned()).collect()
    }

    /// The folders that were made for starts and are there.
    fn work_folders(&self) -> Vec<String> {
        let names = fs::read_dir(self.agent.home().join(".aweave/work")).into_iter().flatten().flatten();
        names.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    async fn history(&self, debate: &str) -> Vec<Value> {
        let debate = self.client.get(&format!("/debates/{debate}")).await.data(200);
        let rest = debate["arguments"].as_array().unwrap().iter();
        [&debate["motion"]].into_iter().chain(rest).cloned().collect()
    }
}

fn scripted(mode: &str, name: &str) -> String {
    format!("command:{} {mode} {name}", fixtures::path("agent.sh").display())
}

fn kinds(history: &[Value]) -> Vec<String> {
    history.iter().map(|argument| format!("{} {}", text(&argument["role"]), text(&argument["type"]))).collect()
}

const WHOLE: [&str; 6] = [
    "proposer MOTION",
    "opponent CLAIM",
    "proposer CLAIM",
    "opponent CLAIM",
    "proposer RESOLUTION",
    "arbitrator RULING",
];

#[tokio::test]
async fn a_run_leads_from_a_task_to_a_closed_debate() {
    let user = User::new().await;
    let run = user.run("plain", &["--output", "better.md", "--record", "record.md"]).await;
    let data = run.data();
    let id = text(&data["debate_id"]);
    assert_eq!((&data["debate_state"], &data["outcome"]), (&json!("CLOSED"), &json!("agreed")), "{run:?}");
    assert_eq!((&data["rounds"], &data["plan"]["version"]), (&json!(2), &json!(2)));
    let issue = |id: &str, severity: &str, title: &str| json!({"id": id, "severity": severity, "title": title, "status": "resolved"});
    assert_eq!(data["issues"], json!([issue("I1", "high", "Lost on restart"), issue("I2", "low", "No test")]));
    assert_eq!(data["plan_lines"], json!({"before": 3, "after": 4}));
    let history = user.history(&id).await;
    assert_eq!(kinds(&history), WHOLE);
    assert_eq!(user.starts(), ["proposer-1", "opponent-1", "proposer-2", "reader-2", "opponent-2"]);
    let read = |name: &str| fs::read_to_string(user.agent.home().join(name)).unwrap();
    assert_eq!(read("better.md"), "# Plan\n\nStep one.\nStep 2.\n");
    assert!(read("record.md").contains("# Make it fast"));
    // What every start used stands behind the argument that it was for.
    let purposes = |seq: usize| {
        let agents = history[seq - 1]["agents"].as_array().cloned().unwrap_or_default();
        agents.iter().map(|agent| text(&agent["purpose"])).collect::<Vec<_>>()
    };
    assert_eq!([purposes(1), purposes(2), purposes(4)], [vec!["turn"], vec!["turn"], vec!["reading", "turn"]]);
    assert_eq!(history[1]["agents"][0]["program"], "agent.sh");
    assert_eq!(history[1]["agents"][0]["input_tokens"], 1000);
    assert_eq!(
        text(&history[5]["content"]).split(" Closed").next().unwrap(),
        "Agreed: the proposer asks to finish, and the opponent has seen this version of the plan."
    );
    // What was asked and said can be read afterwards, by the user only.
    let folder = user.agent.home().join(".aweave/runs").join(&id);
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
    let asked = fs::read_to_string(folder.join("starts/0002-opponent.prompt.md")).unwrap();
    assert!(asked.contains("Make it fast\nand keep it simple"));
    // The link comes first.
    assert!(run.stderr.lines().next().unwrap().ends_with(&format!("/d/{id}")), "{}", run.stderr);
}

#[tokio::test]
async fn an_agent_knows_its_role_and_folder_and_nothing_of_the_users_settings() {
    let user = User::new().await;
    let data = user.run("plain", &[]).await.data();
    let env = fs::read_to_string(user.log.path().join("opponent-2-agent.env")).unwrap();
    let has = |line: String| env.lines().any(|other| other == line);
    assert!(has("AW_ROLE=opponent".to_owned()) && has("AW_TURN=2".to_owned()), "{env}");
    assert!(has(format!("AW_DEBATE_ID={}", text(&data["debate_id"]))));
    assert!(has(format!("AW_FOLDER={}", fs::canonicalize(user.agent.home()).unwrap().display())));
    assert!(!env.contains("DEBATE_SERVER_URL"), "{env}");
    let reader = fs::read_to_string(user.log.path().join("reader-2-agent.env")).unwrap();
    assert!(!reader.contains("AW_DEBATE_ID"), "{reader}");
    // The folders are gone, and what a role noted is carried along.
    let work = env.lines().find_map(|line| line.strip_prefix("PWD=")).unwrap();
    assert!(!Path::new(work).exists(), "{work}");
    let notes = user.agent.home().join(".aweave/runs").join(text(&data["debate_id"])).join("notes/proposer.md");
    assert_eq!(fs::read_to_string(notes).unwrap(), "noted in turn 2\n");
}

#[tokio::test]
async fn a_plan_is_debated_and_replaced_in_place() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache the prices\n\nKeep them.\n");
    let also = |run: &Run| run.document()["metadata"]["also"].to_string();
    let run = user.run("plain", &[&plan, "--in-place"]).await;
    let data = run.data();
    assert!(!also(&run).contains("aw debate plan"), "{run:?}");
    assert_eq!(fs::read_to_string(&plan).unwrap(), "# Cache the prices\n\nKeep them.\nStep 2.\n");
    let history = user.history(&text(&data["debate_id"])).await;
    assert!(text(&history[0]["content"]).ends_with("\n\nCache the prices"), "{}", history[0]["content"]);
    assert_eq!(user.starts(), ["opponent-1", "proposer-2", "reader-2", "opponent-2"]);
    // The command that prints the plan is told where no file has it, whatever other files there are.
    let recorded = user.run("plain", &["--quick", "--record", "r.md"]).await;
    assert!(also(&recorded).contains("aw debate plan --debate-id"), "{recorded:?}");
}

#[tokio::test]
async fn a_plan_that_somebody_changed_meanwhile_is_left() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache the prices\n\nKeep them.\n");
    let reached = user.run("plain", &[&plan, "--in-place", "--max-tokens", "100"]).await.failure(7, "LIMIT_REACHED");
    let first = &reached["content"][0]["data"];
    fs::write(&plan, "# Mine\n").unwrap();
    fs::write(format!("{plan}.new"), "Mine, too.\n").unwrap();
    let more = ["debate", "run", "--debate-id", &text(&first["debate_id"]), "--max-tokens", "100000"];
    let run = user.agent.run(&more).await;
    assert_eq!(fs::read_to_string(&plan).unwrap(), "# Mine\n");
    assert_eq!(fs::read_to_string(format!("{plan}.new")).unwrap(), "Mine, too.\n");
    let beside = format!("{plan}.new.2");
    assert_eq!(fs::read_to_string(&beside).unwrap(), "# Cache the prices\n\nKeep them.\nStep 2.\n");
    assert!(run.stderr.contains(&beside), "{}", run.stderr);
    assert_eq!(run.data()["plan_lines"], json!({"before": 3, "after": 4}));
}

#[tokio::test]
async fn quick_is_one_opponent_who_reads_the_plan_itself() {
    let user = User::new().await;
    user.run("plain", &["--quick"]).await.data();
    assert_eq!(user.starts(), ["proposer-1", "opponent-1", "proposer-2", "opponent-2"]);
    assert!(user.prompt("opponent-2-agent").contains("# Final reading"));
    assert!(!user.prompt("opponent-1-agent").contains("# Final reading"));
}

#[tokio::test]
async fn sealed_reviewers_know_nothing_of_each_other_and_the_opponent_gets_all_findings() {
    let user = User::new().await;
    let opponents = [scripted("plain", "ada"), scripted("reviewer-fails", "bob"), scripted("plain", "cyd")];
    let more: Vec<&str> = opponents.iter().flat_map(|opponent| ["--opponent", opponent]).collect();
    let run = user.run("plain", &more).await;
    run.data();
    for name in ["ada", "cyd"] {
        let prompt = user.prompt(&format!("reviewer-1-{name}"));
        assert!(!prompt.contains("finding-of-"), "{prompt}");
        assert!(prompt.contains("Make it fast") && !prompt.contains("You are the opponent"), "{prompt}");
    }
    let merged = user.prompt("opponent-1-ada");
    assert!(merged.contains("finding-of-ada") && merged.contains("finding-of-cyd"), "{merged}");
    for name in ["reviewer ada", "agent.sh", "scripted", "input_tokens"] {
        assert!(!merged.contains(name), "{name} tells who found it: {merged}");
    }
    let left_out = "aw: agent.sh is left out: agent.sh as the reviewer: it ended with status 7";
    assert!(run.stderr.contains(left_out) && !run.stderr.contains("command:"), "{}", run.stderr);
    // The last one named reads the plan.
    let reading = user.prompt("reader-2-cyd");
    assert!(!reading.contains("Make it fast") && !reading.contains("Lost on restart"), "{reading}");
    assert!(user.prompt("opponent-2-ada").contains("found-by-the-reader"));
}

#[tokio::test]
async fn where_every_reviewer_failed_going_on_starts_them_again() {
    let user = User::new().await;
    let (id, failing) = (ids::fresh(), ["x", "y"].map(|name| scripted("reviewer-fails", name)));
    let more = ["--debate-id", &id, "--opponent", &failing[0], "--opponent", &failing[1]];
    user.run("plain", &more).await.failure(3, "AGENT_FAILED");
    let working = ["x", "y"].map(|name| scripted("plain", name));
    let again = ["debate", "run", "--debate-id", &id, "--opponent", &working[0], "--opponent", &working[1]];
    user.agent.run(&again).await.data();
    assert!(user.prompt("opponent-1-x").contains("finding-of-x"));
}

#[tokio::test]
async fn a_reviewer_knows_nothing_of_another_one_after_a_kill_either() {
    let user = User::new().await;
    let (id, opponents) = (ids::fresh(), [scripted("notes", "ada"), scripted("slow-review", "bob")]);
    let mut more = vec!["--task", "x", "--debate-id", &id];
    more.extend(opponents.iter().flat_map(|opponent| ["--opponent", opponent]));
    let running = user.agent.spawn(&user.words("plain", &more));
    let has_answered = || {
        let kept = fs::read_to_string(user.agent.home().join(format!(".aweave/runs/{id}/run.json"))).ok()?;
        (kept.contains("finding-of-ada") && user.log.path().join("slow").exists()).then_some(())
    };
    polling::until("one has answered and the other one thinks", has_answered).await;
    user.agent.shell(&format!("kill -9 {}", running.pid())).await;
    drop(running);
    user.agent.run(&["debate", "run", "--debate-id", &id]).await.data();
    assert!(!user.log.path().join("reviewer-1-bob.notes").exists(), "bob has the notes of ada");
    // Not any three letters, which an id may have, too.
    assert!(!user.prompt("reviewer-1-bob").contains("-ada"));
    assert_eq!(user.starts().iter().filter(|start| start.starts_with("reviewer-1-ada")).count(), 1);
}

#[tokio::test]
async fn each_role_is_told_what_changed_in_the_plan_since_it_saw_it() {
    let user = User::new().await;
    user.run("plain", &[]).await.data();
    let diff = |start: &str| fs::read_to_string(user.log.path().join(format!("{start}-agent.diff"))).unwrap();
    assert!(diff("opponent-2").contains("+Step 2."), "{}", diff("opponent-2"));
    for start in ["opponent-1", "proposer-2", "reader-2"] {
        assert_eq!(diff(start), "", "{start}");
    }
}

#[tokio::test]
async fn what_is_settled_is_asked_to_be_finished_without_a_start_until_a_ruling_sends_it_back() {
    let user = User::new().await;
    let data = user.run("asks", &["--arbitrator", &scripted("asks", "agent")]).await.data();
    let history = user.history(&text(&data["debate_id"])).await;
    assert_eq!(
        kinds(&history)[3..],
        [
            "arbitrator RULING",
            "proposer RESOLUTION",
            "arbitrator RULING",
            "proposer CLAIM",
            "opponent CLAIM",
            "proposer RESOLUTION",
            "arbitrator RULING"
        ]
    );
    let of_proposer: Vec<_> = user.starts().into_iter().filter(|start| start.starts_with("proposer")).collect();
    assert_eq!(of_proposer, ["proposer-1", "proposer-2", "proposer-4"]);
    // How long the plan was and is.
    let prompt = user.prompt("opponent-2-agent");
    assert!(prompt.contains("The plan had 18 bytes in its first version, and has 28 now."), "{prompt}");
}

#[tokio::test]
async fn a_reading_that_fails_is_left_out() {
    let user = User::new().await;
    let run = user.run("reader-fails", &[]).await;
    run.data();
    assert!(run.stderr.contains("the final reading of agent.sh is left out: "), "{}", run.stderr);
}

#[tokio::test]
async fn an_appeal_without_a_terminal_ends_the_run_which_goes_on_after_the_ruling() {
    let user = User::new().await;
    let run = user.run("appeals", &[]).await;
    let due = run.failure(7, "RULING_DUE");
    let id = text(&due["content"][0]["data"]["debate_id"]);
    assert_eq!(due["metadata"]["next"], format!("aw debate run --debate-id {id}"));
    let path = format!("/debates/{id}/ruling");
    user.client.post(&path, &json!({"content": "On disk.", "chosen_option": 0})).await.data(201);
    let data = user.agent.run(&["debate", "run", "--debate-id", &id]).await.data();
    assert_eq!(data["outcome"], "agreed");
    let prompt = user.prompt("proposer-3-agent");
    assert!(prompt.contains("On disk.\nThe option that it chose: Disk\n"), "{prompt}");
    // With a closed debate it only writes what it is asked for.
    let starts = user.starts();
    user.agent.run(&["debate", "run", "--debate-id", &id, "--output", "again.md"]).await.data();
    assert_eq!(user.starts(), starts);
    assert!(user.agent.home().join("again.md").is_file());
}

#[tokio::test]
async fn an_agent_may_rule() {
    let user = User::new().await;
    // Of a request to finish that the sides agree on it names no move, so that it makes the first, which closes.
    let data = user.run("appeals", &["--arbitrator", &scripted("plain", "judge")]).await.data();
    assert_eq!((&data["debate_state"], &data["outcome"]), (&json!("CLOSED"), &json!("agreed")), "{data}");
    let history = user.history(&text(&data["debate_id"])).await;
    assert_eq!((&history[3]["type"], &history[3]["chosen_option"]), (&json!("RULING"), &json!(1)), "{history:?}");
    assert_eq!(history[3]["agents"][0]["purpose"], "turn");
}

#[tokio::test]
async fn who_chooses_where_there_are_no_options_rules_in_its_own_words() {
    let user = User::new().await;
    let data = user.run("asks", &["--arbitrator", &scripted("chooses", "judge")]).await.data();
    let history = user.history(&text(&data["debate_id"])).await;
    assert_eq!((&history[3]["content"], &history[3]["chosen_option"]), (&json!("Neither counts."), &Value::Null));
    assert_eq!(user.starts().iter().filter(|start| start.starts_with("arbitrator-1")).count(), 1);
}

#[tokio::test]
async fn a_request_to_finish_with_a_plan_that_the_opponent_has_not_seen_is_for_a_person() {
    let user = User::new().await;
    let run = user.run("asks-to-finish-unseen", &["--opponent", &scripted("quiet", "agent")]).await;
    let code = text(&run.document()["error"]["code"]);
    assert!(code == "RULING_DUE" || code == "AGENT_FAILED", "{run:?}");
}

#[tokio::test]
async fn a_failed_program_is_started_once_more() {
    let user = User::new().await;
    let data = user.run("fails-once", &[]).await.data();
    assert_eq!(user.starts().iter().filter(|start| *start == "opponent-1").count(), 2);
    let history = user.history(&text(&data["debate_id"])).await;
    let purposes: Vec<_> =
        history[1]["agents"].as_array().unwrap().iter().map(|agent| text(&agent["purpose"])).collect();
    assert_eq!(purposes, ["failed", "turn"]);
    let user = User::new().await;
    let failure = user.run("fails", &[]).await.failure(3, "AGENT_FAILED");
    let message = text(&failure["error"]["message"]);
    let told = "agent.sh as the opponent: it ended with status 7; the end of its stderr: no more credit of mine";
    assert_eq!(message, told);
    assert!(text(&failure["metadata"]["next"]).starts_with("aw debate run --debate-id "));
}

#[tokio::test]
async fn an_answer_that_is_none_is_told_to_the_agent_twice_at_most() {
    let user = User::new().await;
    user.run("corrected", &[]).await.data();
    assert_eq!(user.starts().iter().filter(|start| *start == "opponent-1").count(), 2);
    let prompt = user.prompt("opponent-1-agent");
    assert!(prompt.contains("what a right answer looks like") && prompt.contains(r#"{"change": "raise","#), "{prompt}");
    let user = User::new().await;
    user.run("wrong-move", &[]).await.data();
    assert!(user.prompt("opponent-1-agent").contains(r#"APPEAL is no move of the opponent now; these are: ["CLAIM"]"#));
    let user = User::new().await;
    let failure = user.run("garbage", &[]).await.failure(3, "AGENT_FAILED");
    assert!(text(&failure["error"]["message"]).contains("no JSON object"), "{failure}");
    assert_eq!(user.starts().iter().filter(|start| *start == "opponent-1").count(), 3);
}

#[tokio::test]
async fn a_program_that_takes_too_long_prints_for_ever_or_has_no_credit_ends_the_run() {
    let user = User::new().await;
    let slow = user.run("slow", &["--turn-minutes", "0.05"]).await.failure(3, "AGENT_FAILED");
    assert!(text(&slow["error"]["message"]).contains("took too long"), "{slow}");
    assert_eq!(user.starts().iter().filter(|start| *start == "opponent-1").count(), 1);
    let endless = user.run("endless", &[]).await.failure(3, "AGENT_FAILED");
    assert!(text(&endless["error"]["message"]).contains("printed more than"), "{endless}");
    let limit = user.run("usage-limit", &[]).await.failure(7, "LIMIT_REACHED");
    assert!(text(&limit["error"]["message"]).starts_with("agent.sh as the opponent is at its usage limit"), "{limit}");
}

#[tokio::test]
async fn children_that_a_program_leaves_are_ended() {
    let user = User::new().await;
    user.run("children", &[]).await.data();
    let child = fs::read_to_string(user.log.path().join("child")).unwrap();
    let stat = PathBuf::from(format!("/proc/{}/stat", child.trim()));
    let is_alive = || fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    polling::until("the child is ended", || (!is_alive()).then_some(())).await;
}

#[tokio::test]
async fn texts_cannot_break_out_of_their_marks_or_answer_for_others() {
    let user = User::new().await;
    // The proposer forges a ruling; the opponent prints what it was asked and answers after that.
    let run = user.run("hostile", &["--opponent", &scripted("echoes", "agent")]).await;
    let data = run.document()["content"][0]["data"].clone();
    let history = user.history(&text(&data["debate_id"])).await;
    assert_eq!(history[1]["content"], "Two faults.");
    let prompt = user.prompt("opponent-1-agent");
    let mark = prompt
        .split("with the mark ")
        .nth(1)
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .trim_end_matches('.')
        .to_owned();
    let mut is_inside = false;
    for line in prompt.lines().filter(|line| !line.contains("with the mark")) {
        if line.contains(&mark) {
            is_inside = line.contains("begins");
        }
        assert!(!line.contains("\"Closed.\"") || is_inside, "{line}");
    }
}

#[tokio::test]
async fn an_agent_neither_writes_nor_starts_a_run() {
    let user = User::new().await;
    user.run("nested", &[]).await.data();
    for file in ["nested-run", "nested-submit", "nested-seat", "nested-document"] {
        let printed = fs::read_to_string(user.log.path().join(file)).unwrap();
        assert!(printed.contains("ACTION_NOT_ALLOWED"), "{file}: {printed}");
    }
}

#[tokio::test]
async fn limits_end_the_run_and_leave_the_debate_open() {
    for limit in [["--max-tokens", "200"], ["--max-cost", "0.015"], ["--max-minutes", "0.0001"]] {
        let user = User::new().await;
        let run = user.run("plain", &limit).await;
        run.failure(7, "LIMIT_REACHED");
    }
    let user = User::new().await;
    let reached = user.run("plain", &["--max-tokens", "200"]).await.failure(7, "LIMIT_REACHED");
    assert_eq!(user.starts(), ["proposer-1", "opponent-1"]);
    let id = text(&reached["content"][0]["data"]["debate_id"]);
    // The minutes of the whole run are those of all its starts.
    let run_json = user.agent.home().join(format!(".aweave/runs/{id}/run.json"));
    let mut kept: Value = serde_json::from_str(&fs::read_to_string(&run_json).unwrap()).unwrap();
    assert!(kept["seconds"].is_u64(), "{kept}");
    kept["seconds"] = 300.into();
    fs::write(&run_json, kept.to_string()).unwrap();
    let more = ["debate", "run", "--debate-id", &id, "--max-tokens", "100000", "--max-minutes", "4"];
    let data = user.agent.run(&more).await.data();
    assert_eq!(data["debate_state"], "CLOSED");
    assert!((5.0..6.0).contains(&data["minutes"].as_f64().unwrap()), "{}", data["minutes"]);
}

#[tokio::test]
async fn what_failed_is_told_where_the_minutes_end_before_it_is_started_once_more() {
    let user = User::new().await;
    let fails = user.agent.file("fails.sh", "cat > /dev/null; echo 'no disk' >&2; exit 1\n");
    let fails = format!("command:sh {fails}");
    let words = ["--task", "x", "--proposer", &fails, "--opponent", &fails, "--max-minutes", "0.5"];
    let reached = user.agent.run(&[&["debate", "run"][..], &words].concat()).await.failure(7, "LIMIT_REACHED");
    assert!(text(&reached["error"]["message"]).contains("no disk"), "{reached}");
}

#[tokio::test]
async fn what_would_fail_later_is_told_before_anything_starts() {
    let user = User::new().await;
    user.agent.file("there.md", "x");
    for (more, code, exit) in [
        (vec!["--output", "there.md"], "INVALID_INPUT", 4),
        (vec!["--record", "no/such/record.md"], "INVALID_INPUT", 4),
        (vec!["--output", ".", "--force"], "INVALID_INPUT", 4),
        (vec!["--in-place"], "INVALID_INPUT", 4),
        (vec!["--opponent", "command:/no/such/program"], "INVALID_INPUT", 4),
        (vec!["--opponent", "gemini"], "INVALID_INPUT", 4),
        (vec!["--folder", "/no/such/folder"], "INVALID_INPUT", 4),
        (vec!["--rounds", "1"], "INVALID_INPUT", 4),
        (vec!["--max-minutes", "0"], "INVALID_INPUT", 4),
    ] {
        user.run("plain", &more).await.failure(exit, code);
    }
    user.agent.run(&["debate", "run"]).await.failure(4, "INVALID_INPUT");
    let none = user.agent.run(&["debate", "run", "--task", "x"]).await.failure(4, "INVALID_INPUT");
    assert!(text(&none["error"]["message"]).contains("none of claude-code, codex and gemini"), "{none}");
    let script = format!("command:{}", user.agent.file("agent.sh", "echo"));
    let refused = user.run("plain", &["--opponent", &script]).await.failure(4, "INVALID_INPUT");
    assert!(text(&refused["error"]["message"]).contains("is no file that may be executed"), "{refused}");
    assert_eq!(user.starts(), Vec::<String>::new());
    // The seats of a debate that others opened are theirs.
    let other = Agent::new(&user.server.url());
    let id = ids::fresh();
    let create =
        ["debate", "create", "--debate-id", &id, "--title", "T", "--debate-type", "general_debate", "--content", "m"];
    other.run(&create).await.data();
    user.run("plain", &["--debate-id", &id, "--task", "x"]).await.failure(6, "SEAT_TAKEN");
}

#[tokio::test]
async fn where_no_program_is_ready_the_error_says_for_which_side_and_what_leads_on() {
    let user = User::new().await;
    let bin = user.agent.home().join("bin");
    fs::create_dir(&bin).unwrap();
    let refused = async |more: &str| {
        let line =
            format!("PATH={}:/usr/bin:/bin {} debate run --task x {more}", bin.display(), binaries::aw().display());
        let error = user.agent.shell(&line).await.failure(4, "INVALID_INPUT")["error"].clone();
        [text(&error["message"]), text(&error["suggestion"])]
    };
    let [message, how] = refused("").await;
    assert_eq!(message, "none of claude-code, codex and gemini is installed");
    for part in
        ["`npm install --global` (@anthropic-ai/claude-code, ", "--proposer and --opponent: ", "`aw debate by-hand`"]
    {
        assert!(how.contains(part), "{part}: {how}");
    }
    for (given, missing) in [("--proposer", "opponent"), ("--opponent", "proposer")] {
        let [message, how] = refused(&format!("{given} command:true")).await;
        assert!(
            message.starts_with(&format!("there is no program for the {missing}: none of claude-code")),
            "{message}"
        );
        assert!(how.contains(&format!("with --{missing}: ")) && !how.contains(given), "{how}");
    }
    let claude = bin.join("claude");
    fs::write(&claude, "#!/bin/sh\n[ \"$1\" = --version ] && echo 1.2.3\n").unwrap();
    fs::set_permissions(&claude, fs::Permissions::from_mode(0o755)).unwrap();
    let [message, how] = refused("").await;
    assert_eq!(message, "none of claude-code, codex and gemini is ready: claude-code is not logged in");
    assert!(how.starts_with("Log in with `claude auth login`, or name programs"), "{how}");
    let [_, how] = refused("--proposer command:true --opponent claude-code").await;
    assert!(how.starts_with("Log in with `claude auth login`, or"), "{how}");
}

#[tokio::test]
async fn both_sides_are_those_of_the_known_programs_that_are_logged_in() {
    let user = User::new().await;
    let bin = user.agent.home().join("bin");
    fs::create_dir(&bin).unwrap();
    let install = |name: &str, logged_in: bool| {
        let script =
            format!("#!/bin/sh\n[ \"$1\" = --version ] && echo '{name} 1.2.3' || exit {}\n", u8::from(!logged_in));
        fs::write(bin.join(name), script).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    let sides = async |more: &[&str]| {
        let path = format!("{}:/usr/bin:/bin", bin.display());
        let line = format!("PATH={path} {} debate run --dry-run --task x {}", binaries::aw().display(), more.join(" "));
        let run = user.agent.shell(&line).await;
        let data = run.data();
        let program = |agent: &Value| {
            let path = text(&agent["command_line"][0]);
            path.rsplit('/').next().unwrap_or_default().to_owned()
        };
        let sides: Vec<_> = data["agents"].as_array().unwrap().iter().map(program).collect();
        (sides.join(" "), run.stderr.contains("plays both sides"))
    };
    install("claude", true);
    install("codex", false);
    assert_eq!(sides(&[]).await, ("claude claude".to_owned(), true));
    install("codex", true);
    assert_eq!(sides(&[]).await, ("claude codex".to_owned(), false));
    // The other side is of the other family, whatever model is named.
    assert_eq!(sides(&["--proposer", "claude-code:opus"]).await, ("claude codex".to_owned(), false));
    assert_eq!(sides(&["--opponent", "claude-code"]).await, ("codex claude".to_owned(), false));
}

#[tokio::test]
async fn an_argument_that_the_run_did_not_send_ends_it() {
    let user = User::new().await;
    let reached = user.run("plain", &["--max-tokens", "100"]).await.failure(7, "LIMIT_REACHED");
    let id = text(&reached["content"][0]["data"]["debate_id"]);
    let history = user.history(&id).await;
    let target = text(&history[0]["id"]);
    let raise = json!([{"change": "raise", "severity": "high", "title": "Lost on restart"}]);
    let claim = json!({"role": "opponent", "target_id": target, "content": "I am it.", "client_request_id": ids::fresh(), "issue_changes": raise});
    user.client.post(&format!("/debates/{id}/arguments"), &claim).await.data(201);
    let run = user.agent.run(&["debate", "run", "--debate-id", &id, "--max-tokens", "100000"]).await;
    let failure = run.failure(5, "ACTION_NOT_ALLOWED");
    assert!(text(&failure["error"]["message"]).contains("argument 2 as the opponent"), "{failure}");
    let told = &failure["content"][0]["data"];
    assert_eq!((&told["seq"], &told["role"], &told["agents"]), (&json!(2), &json!("opponent"), &json!([])));
    assert_eq!(failure["metadata"]["next"], format!("aw debate run --debate-id {id} --take-over"));
    // It goes on from there, and is not asked again.
    let data =
        user.agent.run(&["debate", "run", "--debate-id", &id, "--max-tokens", "100000", "--take-over"]).await.data();
    assert_eq!(data["debate_state"], "CLOSED");
    user.agent.run(&["debate", "run", "--debate-id", &id]).await.data();
}

#[tokio::test]
async fn a_dry_run_starts_nothing() {
    let user = User::new().await;
    let data = user.run("plain", &["--dry-run"]).await.data();
    assert_eq!(user.starts(), Vec::<String>::new());
    let roles = |list: &Value| list.as_array().unwrap().iter().map(|one| text(&one["role"])).collect::<Vec<_>>();
    assert_eq!(roles(&data["agents"]), ["proposer", "opponent"]);
    assert_eq!(roles(&data["prompts"]), ["proposer", "opponent", "reader"]);
    assert!(!user.agent.home().join(".aweave/runs").read_dir().is_ok_and(|mut runs| runs.next().is_some()));
}

#[tokio::test]
async fn a_debate_that_somebody_closes_ends_the_run_and_its_program() {
    let user = User::new().await;
    let id = ids::fresh();
    let words = user.words("slow", &["--task", "x", "--debate-id", &id]);
    let running = user.agent.spawn(&words);
    polling::until("the opponent thinks", || user.starts().contains(&"opponent-1".to_owned()).then_some(())).await;
    let mut debate =
        Debate::opened(&user.client, &json!({"debate": {"id": id}, "argument": user.history(&id).await[0]}));
    debate.intervene().await;
    debate.rule(true).await;
    let data = running.finish().await.data();
    assert_eq!((&data["debate_state"], &data["outcome"]), (&json!("CLOSED"), &json!("ruled")));
}

#[tokio::test]
async fn a_second_run_of_a_debate_is_refused() {
    let user = User::new().await;
    let id = ids::fresh();
    let words = user.words("slow", &["--task", "x", "--debate-id", &id]);
    let running = user.agent.spawn(&words);
    polling::until("the opponent thinks", || user.starts().contains(&"opponent-1".to_owned()).then_some(())).await;
    user.agent.run(&["debate", "run", "--debate-id", &id]).await.failure(5, "ACTION_NOT_ALLOWED");
    user.agent.shell(&format!("kill {}", running.pid())).await;
    running.finish().await.failure(143, "INTERRUPTED");
}

#[tokio::test]
async fn a_ruling_that_the_run_did_not_send_is_told() {
    let user = User::new().await;
    let own = user.run("plain", &[]).await;
    assert!(own.data()["ruled_by_others"] == json!([]) && !own.stderr.contains("somebody else ruled"), "{own:?}");
    let id = ids::fresh();
    let words = user.words("slow", &["--task", "x", "--debate-id", &id]);
    let running = user.agent.spawn(&words);
    fs::remove_file(user.log.path().join("starts")).unwrap();
    polling::until("the opponent thinks", || user.starts().contains(&"opponent-1".to_owned()).then_some(())).await;
    let mut debate =
        Debate::opened(&user.client, &json!({"debate": {"id": id}, "argument": user.history(&id).await[0]}));
    debate.intervene().await;
    debate.rule(true).await;
    let run = running.finish().await;
    assert_eq!(run.data()["ruled_by_others"], json!([2, 3]));
    assert!(run.stderr.contains("somebody else ruled, not this run: argument 2, 3"), "{}", run.stderr);
}

#[tokio::test]
async fn what_a_refused_answer_made_of_the_plan_is_kept() {
    let user = User::new().await;
    let failure = user.run("useless-answer", &["--quick"]).await.failure(3, "AGENT_FAILED");
    let id = text(&failure["content"][0]["data"]["debate_id"]);
    let starts = user.agent.home().join(".aweave/runs").join(id).join("starts");
    let kept = fs::read_to_string(starts.join("0005-proposer.plan.md")).unwrap();
    assert!(kept.ends_with("Hours of work.\n"), "{kept}");
    let read = |end: &str| fs::read_to_string(starts.join(format!("0005-proposer.{end}"))).unwrap();
    assert_eq!(["message.md", "stdout", "stderr"].map(read), ["It is done.\n", "It is done.\n", ""]);
    assert!(read("prompt.md").contains("could not be taken"));
    assert!(text(&failure["error"]["suggestion"]).ends_with(&starts.display().to_string()), "{failure}");
}

#[tokio::test]
async fn an_answer_that_leaves_no_doubt_costs_no_second_start() {
    let user = User::new().await;
    let data = user.run("loosely-written", &["--quick"]).await.data();
    assert_eq!(data["issues"][0]["status"], "resolved", "{data}");
    assert_eq!(user.starts(), ["proposer-1", "opponent-1", "proposer-2", "opponent-2"]);
}
