//! Usage limits that agent programs tell.

use serde_json::json;
use tests::{debate::text, ids};

use super::{
    User,
    programs::{codex, prints},
    scripted,
};

/// What codex prints at a limit, with what it says.
pub fn at_limit(said: &str) -> String {
    let failed = json!({"type": "turn.failed", "error": {"message": said}});
    format!(
        "{}exit 1\n",
        prints(&[json!({"type": "thread.started"}), json!({"type": "error", "message": said}), failed])
    )
}

#[tokio::test]
async fn a_usage_limit_ends_the_run_at_once_and_another_program_goes_on() {
    let user = User::with_programs().await;
    let id = ids::fresh();
    user.script("codex", &at_limit("You’ve hit your usage limit. Upgrade to Pro, or try again at 3:04 PM."));
    let run = user.run("plain", &["--quick", "--debate-id", &id, "--opponent", "codex"]).await;
    let reached = run.failure(7, "LIMIT_REACHED");
    let message = text(&reached["error"]["message"]);
    assert!(message.contains("codex as the opponent") && message.contains("try again at 3:04 PM"), "{message}");
    assert!(text(&reached["error"]["suggestion"]).contains("--opponent claude-code"), "{reached}");
    assert_eq!(user.count("opponent-1-codex"), 1, "{:?}", user.starts());
    let other = scripted("plain", "agent");
    let data = user.agent.run(&["debate", "run", "--debate-id", &id, "--opponent", &other]).await.data();
    assert_eq!(data["outcome"], "agreed");
    let history = user.history(&id).await;
    let purposes: Vec<_> =
        history[1]["agents"].as_array().unwrap().iter().map(|agent| text(&agent["purpose"])).collect();
    assert_eq!(purposes, ["failed", "turn"]);
}

#[tokio::test]
async fn a_run_waits_until_the_time_that_is_told_where_that_is_wanted() {
    let user = User::with_programs().await;
    let answers = prints(&codex(&[0], &json!({"content": "Nothing is wrong."})));
    let limit = at_limit("You've hit your usage limit. Try again in 0 seconds.");
    user.script("codex", &format!("if [ $start -le 2 ]; then\n{limit}fi\n{answers}"));
    let run = user.run("plain", &["--quick", "--wait-for-limits", "--opponent", "codex"]).await;
    assert_eq!(run.data()["outcome"], "agreed");
    assert_eq!(user.count("opponent-1-codex"), 3, "{:?}", user.starts());
    assert!(run.stderr.contains("codex is at its usage limit") && run.stderr.contains("waits until"), "{}", run.stderr);
    // A time that is not read, or too far away, is not waited for.
    for said in ["You've hit your usage limit.", "You've hit your usage limit. Try again in 8 days."] {
        let user = User::with_programs().await;
        user.script("codex", &at_limit(said));
        let run = user.run("plain", &["--quick", "--wait-for-limits", "--opponent", "codex"]).await;
        run.failure(7, "LIMIT_REACHED");
    }
}

#[tokio::test]
async fn a_limit_that_is_over_and_told_again_is_not_waited_for_without_end() {
    let user = User::with_programs().await;
    user.script("codex", &at_limit("You've hit your usage limit. Your limit resets at 2026-01-31T10:00:00Z."));
    let run = user.run("plain", &["--quick", "--wait-for-limits", "--opponent", "codex"]).await;
    run.failure(7, "LIMIT_REACHED");
    assert_eq!(user.count("opponent-1-codex"), 2, "{:?}", user.starts());
}

#[tokio::test]
async fn a_reviewer_or_reader_at_its_limit_is_left_out_unless_all_are() {
    let user = User::with_programs().await;
    user.script("codex", &at_limit("Quota exceeded. Check your plan and billing details."));
    let run = user.run("plain", &["--opponent", &scripted("plain", "agent"), "--opponent", "codex"]).await;
    assert_eq!(run.data()["outcome"], "agreed");
    assert!(run.stderr.contains("codex is left out: codex as the reviewer is at its usage limit"), "{}", run.stderr);
    assert!(run.stderr.contains("the final reading of codex is left out"), "{}", run.stderr);
    let user = User::with_programs().await;
    user.script("codex", &at_limit("Quota exceeded. Check your plan and billing details."));
    let id = ids::fresh();
    let failing = scripted("reviewer-fails", "ada");
    let more = ["--debate-id", &id, "--opponent", &failing, "--opponent", "codex"];
    let reached = user.run("plain", &more).await.failure(7, "LIMIT_REACHED");
    assert!(text(&reached["error"]["message"]).contains("codex as the reviewer"), "{reached}");
    // Others go on, and reviews that were made stay.
    let (bob, cyd) = (scripted("plain", "bob"), scripted("plain", "cyd"));
    user.agent.run(&["debate", "run", "--debate-id", &id, "--opponent", &bob, "--opponent", &cyd]).await.data();
    assert!(user.prompt("opponent-1-bob").contains("finding-of-cyd"));
}

#[tokio::test]
async fn reviews_stay_when_other_opponents_are_named() {
    let user = User::with_programs().await;
    let id = ids::fresh();
    let reviews = prints(&codex(&[0], &json!({"content": "found-by-codex"})));
    let limit = at_limit("You've hit your usage limit.");
    user.script("codex", &format!("if [ $AW_ROLE = opponent ]; then\n{limit}fi\n{reviews}"));
    let ada = scripted("plain", "ada");
    let more = ["--debate-id", &id, "--opponent", "codex", "--opponent", &ada];
    user.run("plain", &more).await.failure(7, "LIMIT_REACHED");
    user.agent.run(&["debate", "run", "--debate-id", &id, "--opponent", &scripted("plain", "bob")]).await.data();
    let prompt = user.prompt("opponent-1-bob");
    assert!(prompt.contains("found-by-codex") && prompt.contains("finding-of-ada"), "{prompt}");
    assert_eq!((user.count("reviewer-1-ada"), user.count("reviewer-1-bob")), (1, 0));
}

#[tokio::test]
async fn a_limit_that_a_program_waits_for_without_a_word_is_told_at_the_end_of_its_turn() {
    let limit = r#"level=ERROR message="stream error" error.error="AI_APICallError: Rate limit exceeded. Please try again later.""#;
    let other = r#"level=ERROR message="cannot read a file""#;
    for (lines, status, code) in [([other, limit], 7, "LIMIT_REACHED"), ([limit, other], 3, "AGENT_FAILED")] {
        let user = User::with_programs().await;
        user.script("opencode", &format!("cat >&2 <<'END'\n{}\nEND\nsleep 300\n", lines.join("\n")));
        let more = ["--quick", "--turn-minutes", "0.05", "--opponent", "opencode"];
        user.run("plain", &more).await.failure(status, code);
        assert_eq!(user.count("opponent-1-opencode"), 1, "{:?}", user.starts());
    }
}

#[tokio::test]
async fn what_only_looks_like_a_limit_is_a_failure() {
    let user = User::with_programs().await;
    let warning = "warning: inotify: watch limit reached, falling back to polling";
    user.script("claude", &format!("echo '{warning}' >&2; echo 'TypeError: x' >&2; exit 1"));
    user.run("plain", &["--quick", "--opponent", "claude-code"]).await.failure(3, "AGENT_FAILED");
    assert_eq!(user.count("opponent-1-claude"), 2, "{:?}", user.starts());
    // Told with status 0 it is one.
    let said = json!({"type": "result", "subtype": "success", "is_error": false, "result": "You've hit your limit · resets 8pm (UTC)"});
    user.script("claude", &prints(&[said]));
    user.run("plain", &["--quick", "--opponent", "claude-code"]).await.failure(7, "LIMIT_REACHED");
    assert_eq!(user.count("opponent-1-claude"), 3, "{:?}", user.starts());
}
