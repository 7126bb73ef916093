//! Who looked at nothing has not reviewed; what is said to be fixed, and a plan that is not there.

use std::fs;

use serde_json::{Value, json};
use tests::debate::text;

use super::{
    User,
    programs::{codex, prints},
    scripted,
};

/// What an opponent does: its first claim raises an issue, its second one resolves it. Each after commands with these statuses.
fn opponent(first: &[i32], second: &[i32]) -> String {
    let raise = json!({"change": "raise", "severity": "high", "title": "Lost on restart"});
    let raises = json!({"content": "One fault.", "issue_changes": [raise]});
    let resolves = json!({"content": "Fixed.", "issue_changes": [{"change": "resolve", "issue": "I1"}]});
    format!(
        "if [ $AW_TURN = 1 ]; then\n{}else\n{}fi\n",
        prints(&codex(first, &raises)),
        prints(&codex(second, &resolves))
    )
}

#[tokio::test]
async fn an_opponent_that_saw_nothing_is_asked_once_more_and_then_nothing_is_closed_by_the_run() {
    for (first, told) in [(&[][..], "it looked at nothing"), (&[1, 1, 127], "all 3 calls of its tools failed")] {
        let user = User::with_programs().await;
        user.script("codex", &opponent(first, first));
        let run = user.run("plain", &["--quick", "--opponent", "codex"]).await;
        let due = run.failure(7, "RULING_DUE");
        assert_eq!((user.count("opponent-1-codex"), user.count("opponent-2-codex")), (2, 1), "{:?}", user.starts());
        assert!(user.prompt("opponent-1-codex").contains(told), "{}", user.prompt("opponent-1-codex"));
        assert!(
            run.stderr.contains("codex is asked once more") && run.stderr.contains("is kept, though"),
            "{}",
            run.stderr
        );
        for prompt in ["proposer-2-agent", "opponent-2-codex"] {
            assert!(user.prompt(prompt).contains("The opponent looked at nothing"), "{}", user.prompt(prompt));
        }
        assert!(text(&due["metadata"]["warning"]).contains(told), "{due}");
        let id = text(&due["content"][0]["data"]["debate_id"]);
        let history = user.history(&id).await;
        let calls: Vec<_> =
            history[1]["agents"].as_array().unwrap().iter().map(|agent| agent["calls"].as_u64()).collect();
        assert_eq!(calls, [Some(first.len() as u64); 2]);
        // Whoever goes on is told so, too, and closes nothing either.
        let again = user.agent.run(&["debate", "run", "--debate-id", &id]).await;
        again.failure(7, "RULING_DUE");
    }
}

#[tokio::test]
async fn a_later_claim_that_looked_at_something_lets_the_run_close() {
    let user = User::with_programs().await;
    user.script("codex", &opponent(&[1], &[1, 0]));
    let data = user.run("plain", &["--quick", "--opponent", "codex"]).await.data();
    assert_eq!(data["outcome"], "agreed");
    // One that looks when it is asked once more is as any other.
    let user = User::with_programs().await;
    let (blind, sees) = (opponent(&[1], &[1]), opponent(&[0], &[1]));
    user.script("codex", &format!("if [ $AW_TURN$start = 11 ]; then\n{blind}else\n{sees}fi\n"));
    let data = user.run("plain", &["--quick", "--opponent", "codex"]).await.data();
    assert_eq!((&data["outcome"], user.count("opponent-1-codex")), (&json!("agreed"), 2));
}

#[tokio::test]
async fn a_reviewer_or_reader_that_saw_nothing_is_left_out() {
    let user = User::with_programs().await;
    user.script("codex", &prints(&codex(&[1], &json!({"content": "I read it; nothing to raise."}))));
    let more = ["--opponent", &scripted("plain", "agent"), "--opponent", "codex"];
    let run = user.run("plain", &more).await;
    assert_eq!(run.data()["outcome"], "agreed");
    assert_eq!((user.count("reviewer-1-codex"), user.count("reader-2-codex")), (2, 2), "{:?}", user.starts());
    assert!(run.stderr.contains("codex is left out: "), "{}", run.stderr);
    assert!(run.stderr.contains("the final reading of codex is left out: "), "{}", run.stderr);
    assert!(!user.prompt("opponent-1-agent").contains("nothing to raise"));
}

#[tokio::test]
async fn a_denied_edit_of_the_plan_is_told_once_and_a_fix_without_a_change_of_the_plan_is_told_to_the_opponent() {
    let user = User::with_programs().await;
    let plan = user.agent.file("plan.md", "# Cache the prices\n\nKeep them.\n");
    let fixes = json!({"content": "Fixed.", "issue_changes": [{"change": "fix", "issue": "I1"}, {"change": "fix", "issue": "I2"}]});
    let denied = json!({"tool_name": "Edit", "tool_use_id": "1", "tool_input": {"file_path": "/x/plan.md"}});
    let result = json!({"type": "result", "subtype": "success", "is_error": false, "structured_output": fixes, "permission_denials": [denied]});
    user.script("claude", &prints(&[result]));
    let run = user.run("plain", &[&plan, "--proposer", "claude-code"]).await;
    assert_eq!(user.count("proposer-2-claude"), 2, "{:?}", user.starts());
    assert!(user.prompt("proposer-2-claude").contains("an edit of plan.md was not permitted"));
    assert!(run.stderr.contains("claude-code was told so, and again"), "{}", run.stderr);
    let id = text(&run.document()["content"][0]["data"]["debate_id"]);
    let issues = user.client.get(&format!("/debates/{id}/issues?history=true")).await.data(200);
    let fix =
        |issue: &Value| issue["history"].as_array().unwrap().iter().find(|entry| entry["change"] == "fix").cloned();
    assert_eq!(fix(&issues["issues"][0]).unwrap()["unchanged"], true, "{issues}");
    assert!(user.prompt("opponent-2-agent").contains("fix by the proposer without a change of the plan"));
}

#[tokio::test]
async fn progress_says_that_a_fix_changes_nothing_in_the_plan() {
    let user = User::new().await;
    let run = user.run("says-nothing-of-the-plan", &["--quick"]).await;
    assert!(run.stderr.contains("without a change of the plan"), "{}", run.stderr);
}

#[tokio::test]
async fn a_plan_that_is_gone_or_empty_is_asked_for_again() {
    for (mode, told) in [
        ("empties", "plan.md is empty"),
        ("diffs", "plan.md is a diff, and the plan belongs there"),
        ("removes-plan", "plan.md is gone"),
        ("links-plan", "and the plan belongs there; it is there again as it was"),
    ] {
        let user = User::new().await;
        let data = user.run(mode, &["--quick", "--output", "better.md"]).await.data();
        assert_eq!(data["outcome"], "agreed");
        assert!(user.prompt("proposer-2-agent").contains(told), "{}", user.prompt("proposer-2-agent"));
        let written = fs::read_to_string(user.agent.home().join("better.md")).unwrap();
        assert_eq!(written, "# Plan\n\nStep one.\nStep 2.\n", "{mode}");
    }
}

#[tokio::test]
async fn a_plan_that_lost_most_of_its_lines_is_told() {
    let user = User::new().await;
    let plan = user.agent.file("long.md", format!("# Plan\n{}", "Step.\n".repeat(20)));
    let run = user.run("cuts", &[&plan, "--quick"]).await;
    let told = "aw: agent.sh as the proposer cut the plan: plan.md has 2 lines, and had 21";
    assert!(run.data()["outcome"] == "agreed" && run.stderr.contains(told), "{}", run.stderr);
}

#[tokio::test]
async fn what_becomes_of_the_copies_of_the_plan_that_others_than_the_proposer_have_is_nothing_to_a_run() {
    let user = User::new().await;
    let run = user.run("spoils-copies", &[]).await;
    assert_eq!(run.data()["outcome"], "agreed");
    assert_eq!(user.starts(), ["proposer-1", "opponent-1", "proposer-2", "reader-2", "opponent-2"], "{run:?}");
}

#[tokio::test]
async fn a_working_folder_that_is_removed_is_told_and_made_anew() {
    let user = User::new().await;
    let run = user.run("removes-folder", &["--quick", "--output", "better.md"]).await;
    assert_eq!(run.data()["outcome"], "agreed");
    let prompt = user.prompt("proposer-2-agent");
    assert!(prompt.contains("your working folder is gone, and plan.md with it; it is there again"), "{prompt}");
    assert!(run.stderr.contains("agent.sh as the proposer removed its working folder"), "{}", run.stderr);
    let written = fs::read_to_string(user.agent.home().join("better.md")).unwrap();
    assert_eq!(written, "# Plan\n\nStep one.\nStep 2.\n");
    // A start that fails is told as it failed, and the next one finds its folder.
    let user = User::new().await;
    let run = user.run("fails-without-folder", &["--quick"]).await;
    assert_eq!(run.data()["outcome"], "agreed");
    assert!(run.stderr.contains("agent.sh: it ended with status 7"), "{}", run.stderr);
}

#[tokio::test]
async fn what_a_command_says_of_its_start_and_cannot_be_is_left_out_and_told() {
    let user = User::new().await;
    let run = user.run("says-what-cannot-be", &["--quick", "--max-tokens", "100000"]).await;
    let data = run.data();
    assert_eq!(user.starts(), ["proposer-1", "opponent-1"]);
    for told in ["agents[0].input_tokens is -5", "agents[0].output_tokens is 1e+300", "agents[0].failed_calls is \"0\""]
    {
        assert!(run.stderr.contains(told), "{told}: {}", run.stderr);
    }
    let history = user.history(&text(&data["debate_id"])).await;
    let agent = &history[1]["agents"][0];
    assert_eq!((&agent["model"], &agent["calls"], agent.get("input_tokens")), (&json!("scripted"), &json!(2), None));
}

#[tokio::test]
async fn long_notes_are_cut_to_their_end() {
    let user = User::new().await;
    let run = user.run("long-notes", &["--quick"]).await;
    let id = text(&run.data()["debate_id"]);
    assert!(run.stderr.contains("as the opponent is cut to its last MiB"), "{}", run.stderr);
    let notes = user.agent.home().join(".aweave/runs").join(id).join("notes/opponent.md");
    let notes = fs::read_to_string(notes).unwrap();
    assert!(notes.len() > (1 << 20) - 200 && notes.len() <= 1 << 20 && notes.ends_with("the end\n"), "{}", notes.len());
}
