//! The flags of `aw debate` that change issues, and `aw debate issues`.

use serde_json::{Value, json};
use tests::{
    cli::{Agent, Run},
    debate::{Debate, text},
    server::Server,
};

/// Submits an argument of the debate with these options and returns the run.
async fn write(agent: &Agent, debate: &mut Debate, verb: &[&str], options: &[&str]) -> Run {
    let target = debate.newest().to_owned();
    let answers = ["--target-id", &target];
    let target: &[&str] = if verb[0] == "ruling" { &[] } else { &answers };
    let head = ["debate", verb[0], "--debate-id", &debate.id];
    let args = [&head[..], &verb[1..], target, &["--content", "As follows."], options].concat();
    let run = agent.run(&args).await;
    if run.exit == 0 {
        debate.arguments.push(text(&run.data()["argument_id"]));
    }
    run
}

const OPPONENT: &[&str] = &["submit", "--role", "opponent"];
const PROPOSER: &[&str] = &["submit", "--role", "proposer"];

fn changed(run: &Run) -> Vec<String> {
    let issues = run.data()["changed_issues"].as_array().unwrap().clone();
    issues
        .iter()
        .map(|issue| format!("{} {} {}", text(&issue["id"]), text(&issue["severity"]), text(&issue["status"])))
        .collect()
}

async fn next(agent: &Agent, debate: &Debate, role: &str) -> String {
    let run = agent.run(&["debate", "get-context", "--debate-id", &debate.id, "--role", role]).await;
    let next = text(&run.document()["metadata"]["next"]);
    next.replace(&format!(" --debate-id {}", debate.id), "").replace(&format!(" --target-id {}", debate.newest()), "")
}

#[tokio::test]
async fn a_debate_with_issues_from_raising_to_completion() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let raise =
        ["--raise", "critical: Lost on restart @ plan 2.1", "--raise", "low: A name: unclear", "--raise", "high: Slow"];
    let run = write(&agent, &mut debate, OPPONENT, &raise).await;
    assert_eq!(changed(&run), ["I1 critical open", "I2 low open", "I3 high open"]);
    let raised = &run.data()["argument"]["issue_changes"];
    assert_eq!((&raised[0]["title"], &raised[0]["location"]), (&json!("Lost on restart"), &json!("plan 2.1")));
    assert_eq!((&raised[1]["title"], &raised[1].get("location")), (&json!("A name: unclear"), &None));

    assert_eq!(
        next(&agent, &debate, "proposer").await,
        "aw debate submit --role proposer --fix I1,I2,I3 --file <path>"
    );
    let completion = write(&agent, &mut debate, &["request-completion"], &[]).await;
    let error = completion.failure(5, "ISSUES_OPEN");
    let blocking = error["content"][0]["data"]["server_error"]["issues"].as_array().unwrap().clone();
    assert_eq!(blocking.iter().map(|issue| text(&issue["id"])).collect::<Vec<_>>(), ["I1", "I3"]);

    let fix = ["--fix", "I1: plan 2.2", "--fix", "I2", "--dispute", "I3: measured, 3 ms"];
    assert_eq!(
        changed(&write(&agent, &mut debate, PROPOSER, &fix).await),
        ["I1 critical fixed", "I2 low fixed", "I3 high disputed"]
    );
    assert_eq!(
        next(&agent, &debate, "opponent").await,
        "aw debate submit --role opponent --resolve I1,I2 --file <path>"
    );
    let settle = ["--resolve", "I1", "--defer", "I2: with the next names", "--reopen", "I3: not at noon"];
    let message = text(&write(&agent, &mut debate, OPPONENT, &settle).await.document()["metadata"]["message"]);
    assert_eq!(message, "CLAIM is stored as argument 4: resolved I1; deferred I2; reopened I3");
    write(&agent, &mut debate, PROPOSER, &["--fix", "I3"]).await.data();
    write(&agent, &mut debate, OPPONENT, &["--reopen", "I3: still"]).await.data();
    assert_eq!(next(&agent, &debate, "proposer").await, "aw debate appeal --refer I3 --file <path>");
    write(&agent, &mut debate, &["appeal"], &["--refer", "I3"]).await.data();
    let run = write(
        &agent,
        &mut debate,
        &["ruling"],
        &["--dismiss", "I3: 3 ms are fine", "--reopen", "I2: now", "--raise", "medium: Say so"],
    )
    .await;
    assert_eq!(changed(&run), ["I2 low open", "I3 high dismissed", "I4 medium open"]);
    write(&agent, &mut debate, PROPOSER, &["--fix", "I4"]).await.data();
    write(&agent, &mut debate, OPPONENT, &["--withdraw", "I4: it is said", "--defer", "I2: later"]).await.data();
    assert_eq!(next(&agent, &debate, "proposer").await, "aw debate request-completion --file <path>");

    let unsettled = agent.run(&["debate", "issues", "--debate-id", &debate.id]).await;
    assert_eq!(unsettled.data()["issues"], json!([]));
    let all = agent.run(&["debate", "issues", "--debate-id", &debate.id, "--all"]).await.data();
    assert_eq!(all["issues"].as_array().unwrap().len(), 4);
    assert_eq!(
        (
            &all["counts"]["resolved"],
            &all["counts"]["withdrawn"],
            &all["counts"]["dismissed"],
            &all["counts"]["deferred"]
        ),
        (&json!(1), &json!(1), &json!(1), &json!(1))
    );
    let some = agent.run(&["debate", "issues", "--debate-id", &debate.id, "--status", "dismissed"]).await.data();
    assert_eq!(some["issues"][0]["id"], "I3");
    let page =
        agent.run(&["debate", "issues", "--debate-id", &debate.id, "--all", "--format", "markdown"]).await.stdout;
    assert!(page.contains("| I3 | high | dismissed |  | Slow |  | 3 ms are fine |"), "{page}");
}

#[tokio::test]
async fn a_flag_that_is_not_of_its_form_is_refused_with_the_form_and_nothing_is_stored() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    for (flag, value, form) in [
        ("--raise", "Lost on restart", "'high: Title @ src/worker.rs:41'"),
        ("--resolve", "I1,I2: both", "'I2: note'"),
        ("--reopen", "I1", "'I3: note'"),
        ("--defer", "I1", "'I3: note'"),
        ("--regrade", "I1: low", "'I4 low'"),
    ] {
        let error = write(&agent, &mut debate, OPPONENT, &[flag, value]).await.failure(4, "INVALID_INPUT");
        let message = text(&error["error"]["message"]);
        assert!(message.contains(form) && message.contains(flag), "{message}");
    }
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
}

#[tokio::test]
async fn a_flag_of_the_other_side_is_refused_by_the_server() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    write(&agent, &mut debate, OPPONENT, &["--raise", "low: One"]).await.data();
    let error = write(&agent, &mut debate, PROPOSER, &["--resolve", "I1"]).await.failure(5, "ACTION_NOT_ALLOWED");
    let server_error = &error["content"][0]["data"]["server_error"];
    assert_eq!((&server_error["issue"], &server_error["allowed_changes"]), (&json!("I1"), &json!(["fix", "dispute"])));
    let issues = json!(format!("aw debate issues --debate-id {}", debate.id));
    assert_eq!(error["metadata"]["next"], issues, "a wait would not end: it is the proposer's turn");
}

#[tokio::test]
async fn changes_are_read_from_a_file_in_place_of_the_flags() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    let quoted = "It's \"quoted\" & $HOME @ the end";
    let list = json!([{"change": "raise", "severity": "low", "title": quoted, "location": null, "note": "`seen`"}]);
    let path = agent.file("changes.json", list.to_string());
    let run = write(&agent, &mut debate, OPPONENT, &["--issue-changes", &path]).await;
    let issue = run.data()["changed_issues"][0].clone();
    assert_eq!((&issue["title"], &issue["location"], &issue["note"]), (&json!(quoted), &Value::Null, &json!("`seen`")));
    let both = write(&agent, &mut debate, PROPOSER, &["--issue-changes", &path, "--fix", "I1"]).await;
    both.failure(4, "INVALID_INPUT");
    write(&agent, &mut debate, PROPOSER, &["--issue-changes", "none.json"]).await.failure(4, "FILE_NOT_FOUND");
    let wrong = agent.file("wrong.json", "{\"change\": \"fix\"}");
    write(&agent, &mut debate, PROPOSER, &["--issue-changes", &wrong]).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn after_the_last_round_next_leads_to_an_appeal() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let id = tests::ids::fresh();
    let create =
        ["debate", "create", "--debate-id", &id, "--title", "T", "--debate-type", "general_debate", "--content", "M"];
    let created = agent.run(&[&create[..], &["--max-rounds", "1"]].concat()).await.data();
    assert_eq!((&created["debate"]["max_rounds"], &created["debate"]["rounds"]), (&json!(1), &json!(0)));
    let target = text(&created["argument_id"]);
    let claim =
        ["debate", "submit", "--debate-id", &id, "--role", "opponent", "--target-id", &target, "--content", "C"];
    agent.run(&[&claim[..], &["--raise", "high: One"]].concat()).await.data();
    let run = agent.run(&["debate", "get-context", "--debate-id", &id, "--role", "proposer"]).await;
    let next = text(&run.document()["metadata"]["next"]);
    assert!(next.starts_with("aw debate appeal ") && next.contains(" --refer I1 "), "{next}");
    agent.run(&[&create[..], &["--max-rounds", "101"]].concat()).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn an_appeal_says_what_its_options_decide_and_a_ruling_that_leaves_it_is_warned() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let mut debate = Debate::create(&server.client()).await;
    write(&agent, &mut debate, OPPONENT, &["--raise", "high: Slow", "--raise", "low: A name"]).await;
    let appeal = |effects: &[&'static str]| {
        let options = ["--refer", "I1", "--option", "Leave it: cheap", "--option", "Mend it"];
        let effects = effects.iter().flat_map(|effect| ["--effect", effect]);
        options.into_iter().chain(effects).collect::<Vec<_>>()
    };
    for (effect, says) in [
        ("2: dismiss I1", "names option 2"),
        ("dismiss I1", "is not of the form"),
        ("0: dismiss", "is not of the form"),
    ] {
        let run = write(&agent, &mut debate, &["appeal"], &appeal(&[effect])).await;
        let error = run.failure(4, "INVALID_INPUT");
        assert!(error["error"]["message"].as_str().unwrap().contains(says), "{error}");
    }
    let run = write(&agent, &mut debate, &["appeal"], &appeal(&["0: raise I1"])).await;
    assert!(
        run.failure(4, "INVALID_INPUT")["error"]["message"].as_str().unwrap().contains("options[0].issue_changes[0]")
    );
    let run = write(&agent, &mut debate, &["appeal"], &appeal(&["0: fix I1"])).await;
    run.failure(5, "ACTION_NOT_ALLOWED");

    let effects = ["0: dismiss I1, regrade I2 high: rare: but so", "1: uphold I1"];
    let run = write(&agent, &mut debate, &["appeal"], &appeal(&effects)).await;
    let decided = json!([
        {"change": "dismiss", "issue": "I1"},
        {"change": "regrade", "issue": "I2", "severity": "high", "note": "rare: but so"},
    ]);
    assert_eq!(run.data()["argument"]["options"][0]["issue_changes"], decided);
    for command in [&["get-context"][..], &["wait", "--role", "arbitrator", "--timeout", "0"]] {
        let args = [&["debate"][..], command, &["--debate-id", &debate.id, "--format", "markdown"]].concat();
        let printed = agent.run(&args).await.stdout;
        for line in [
            "0. **Leave it**: cheap; decides: dismiss I1; regrade I2 high: rare: but so",
            "1. **Mend it**; decides: uphold I1",
        ] {
            assert!(printed.contains(line), "{line}: {printed}");
        }
    }
    let warned = async |more: &[&str]| {
        let head = ["debate", "ruling", "--debate-id", &debate.id, "--choose", "0", "--content", "So.", "--dry-run"];
        agent.run(&[&head[..], more].concat()).await.document()["metadata"]["warning"].clone()
    };
    assert_eq!(warned(&[]).await, Value::Null);
    assert_eq!(warned(&["--dismiss", "I1", "--regrade", "I2 high"]).await, Value::Null, "the same but for a note");
    let warning = warned(&["--uphold", "I1", "--regrade", "I2 high"]).await;
    assert!(warning.as_str().unwrap().ends_with("decides: dismiss I1"), "{warning}");
    let none = agent.file("none.json", "[]");
    let warning = warned(&["--issue-changes", &none]).await;
    assert!(warning.as_str().unwrap().ends_with("decides: dismiss I1, regrade I2"), "{warning}");
    let run = write(&agent, &mut debate, &["ruling"], &["--choose", "0"]).await;
    assert_eq!(changed(&run), ["I1 high dismissed", "I2 high open"]);
}
