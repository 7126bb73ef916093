//! When a debate ends, and what it brings back besides the plan.

use serde_json::json;
use tests::{debate::text, ids};

use super::{User, WHOLE, kinds};

#[tokio::test]
async fn a_sound_plan_is_done_after_one_start_and_its_small_issues_are_notes() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache the prices\n\nKeep them.\n");
    let run = user.run("sound", &[&plan, "--quick"]).await;
    let data = run.data();
    assert_eq!(user.starts(), ["opponent-1"]);
    assert_eq!((&data["debate_state"], &data["issues"]), (&json!("CLOSED"), &json!([])));
    let notes = ["Name the table", "No test", "The cache is per process"];
    assert_eq!(data["notes"], json!(notes));
    assert_eq!(data["decisions"], json!(["Old rows stay; the other way costs a migration"]));
    let history = user.history(&text(&data["debate_id"])).await;
    assert_eq!(kinds(&history), ["proposer MOTION", "opponent CLAIM", "proposer RESOLUTION", "arbitrator RULING"]);
    let resolution = text(&history[2]["content"]);
    let lists = format!(
        "\n\n## Decided for you\n\n- Old rows stay; the other way costs a migration\n\n## Notes for whoever implements it\n\n- {}",
        notes.join("\n- ")
    );
    assert!(resolution.starts_with("No issue was raised.") && resolution.ends_with(&lists), "{resolution}");
    assert!(user.prompt("opponent-1-agent").contains("Raise only what blocks"));
    assert_eq!(data["plan_lines"], json!({"before": 3, "after": 3}));
    assert!(run.stderr.contains("Name the table"), "{}", run.stderr);
}

#[tokio::test]
async fn the_record_has_the_lists_of_the_request_to_finish_in_its_decision() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache the prices\n\nKeep them.\n");
    let data = user.run("sound", &[&plan, "--quick"]).await.data();
    let id = text(&data["debate_id"]);
    let resolution = text(&user.history(&id).await[2]["content"]);
    // Whatever the run calls them.
    let (_, lists) = resolution.split_once("\n\n## ").unwrap();
    let listed: String = format!("## {lists}")
        .lines()
        .map(|line| match line.strip_prefix("## ") {
            Some(heading) => format!("> **{heading}**\n"),
            None => format!("> {line}").trim_end().to_owned() + "\n",
        })
        .collect();
    let items = data["decisions"].as_array().unwrap().iter().chain(data["notes"].as_array().unwrap());
    assert!(
        items.clone().count() == 4 && items.into_iter().all(|item| listed.contains(&format!("> - {}\n", text(item))))
    );
    let record = user.agent.run(&["debate", "record", "--debate-id", &id, "--format", "markdown"]).await.stdout;
    assert!(record.contains(&format!("The request to finish in argument 3 lists:\n\n{listed}")), "{record}");
}

#[tokio::test]
async fn from_the_second_claim_on_only_what_blocks_is_raised() {
    let user = User::new().await;
    let data = user.run("late-issues", &[]).await.data();
    let history = user.history(&text(&data["debate_id"])).await;
    assert_eq!(kinds(&history), WHOLE);
    assert_eq!(data["notes"], json!(["Typo in step 2"]));
    assert_eq!(data["issues"].as_array().unwrap().len(), 2);
    assert_eq!(data["issues"][1]["status"], "deferred");
    assert!(text(&history[4]["content"]).ends_with("## Notes for whoever implements it\n\n- Typo in step 2"));
    // The first claim may raise everything, and is told so.
    let [first, second] = [1, 2].map(|turn| user.prompt(&format!("opponent-{turn}-agent")));
    assert!(first.contains("Say first what can be left out") && !first.contains("Raise only what blocks"), "{first}");
    assert!(second.contains("Raise only what blocks"), "{second}");
    let proposer = user.prompt("proposer-2-agent");
    assert!(proposer.contains("The plan has 18 bytes.") && proposer.contains("Mend by taking away"), "{proposer}");
}

#[tokio::test]
async fn notes_that_do_not_fit_into_the_request_to_finish_are_counted() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache the prices\n");
    let run = user.run("many-notes", &[&plan, "--quick"]).await;
    let data = run.data();
    let count = |name: &str| data[name].as_array().unwrap().len();
    assert_eq!((count("decisions"), count("notes")), (10, 30));
    assert!(run.stderr.contains("12 decisions were given; the first 10 are kept"), "{}", run.stderr);
    let history = user.history(&text(&data["debate_id"])).await;
    let resolution = text(&history[2]["content"]);
    assert!(resolution.len() <= 10_240, "{}", resolution.len());
    let shown = resolution.matches("\n- ").count();
    let left: usize = resolution.split("for more: ").nth(1).unwrap().trim_end_matches('.').parse().unwrap();
    assert!(shown < 40 && shown + left == 40, "{shown} {left}");
}

#[tokio::test]
async fn the_lists_leave_room_for_the_line_that_cites_a_changed_plan() {
    let user = User::new().await;
    let plan = user.agent.file("plan.md", "# Cache the prices\n");
    let run = user.run("long-lists", &[&plan]).await;
    // The opponent has not seen the plan, so that a person has to rule.
    run.failure(7, "RULING_DUE");
    assert_eq!(user.starts(), ["opponent-1", "proposer-2"], "{run:?}");
    let id = run.stderr.lines().next().unwrap().rsplit('/').next().unwrap().to_owned();
    let resolution = text(&user.history(&id).await[2]["content"]);
    assert!((10_000..=10_240).contains(&resolution.len()) && resolution.contains("\n- d-0"), "{resolution}");
}

#[tokio::test]
async fn a_limit_of_the_size_of_files_is_an_error_with_a_way_to_go_on() {
    let user = User::new().await;
    let id = ids::fresh();
    let words = user.words("plain", &["--quick", "--debate-id", &id]);
    let line = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let run = user.agent.shell(&format!("ulimit -f 1; aw {line}")).await.document();
    assert_eq!(run["success"], false, "{run}");
    assert!(text(&run["error"]["message"]).contains("File too large"), "{run}");
    assert_eq!(user.run("plain", &["--quick", "--debate-id", &id]).await.data()["outcome"], "agreed");
}
