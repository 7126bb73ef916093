//! A signal is heard within a second, whatever a run does.

use std::{
    fs,
    time::{Duration, Instant},
};

use tests::{cli::Running, ids, os, polling, pty::Person};

use super::{User, scripted, usage_limits::at_limit};

/// How long a run may take to end after a signal.
const LIMIT: Duration = Duration::from_secs(1);

/// How often it is tried, since a machine that others use holds everything up.
const TRIES: usize = 3;

/// Ends a run that has come to some point, and fails if that takes too long, or comes after that point, each time.
async fn ends_at_once(what: &str, begin: impl AsyncFn() -> (User, Running), was_there: impl Fn(&User) -> bool) {
    let mut took = Vec::new();
    while took.len() < TRIES {
        let (user, running) = begin().await;
        let asked = Instant::now();
        os::terminate(running.pid());
        running.finish().await.failure(143, "INTERRUPTED");
        let (time, was_there) = (asked.elapsed(), was_there(&user));
        if was_there && time < LIMIT {
            return;
        }
        took.push((time, was_there));
    }
    panic!("a signal during {what} is heard late, or comes after it (false): {took:?}");
}

#[tokio::test]
async fn a_signal_is_heard_while_a_large_plan_is_compared() {
    let begin = async || {
        let user = User::new().await;
        let lines = (0..60_000).map(|line| format!("Step {}.\n", line * 7 % 60_013));
        let plan = user.agent.file("plan.md", lines.collect::<String>());
        // A line an event, which is told at once.
        let user = User { agent: user.agent.env("TERM", "dumb"), ..user };
        let (person, terminal) = Person::at_a_terminal();
        let running = user.agent.spawn_on(&user.words("rewrites", &[&plan, "--quick"]), &terminal);
        // Next, what changed is worked out for the opponent.
        let thinks = || person.sees("round 2: agent.sh thinks as the opponent").then_some(());
        polling::until("the second round begins", thinks).await;
        (user, running)
    };
    ends_at_once("a comparison", begin, |user| !user.starts().contains(&"opponent-2".to_owned())).await;
}

#[tokio::test]
async fn a_signal_is_heard_while_the_code_is_looked_at() {
    let begin = async || {
        let user = User::new().await;
        fs::create_dir(user.agent.home().join("code")).unwrap();
        // They take many seconds to read.
        let patterns = (0..60_000).map(|number| format!("*a{number}*?b\n"));
        user.agent.file("code/.gitignore", patterns.collect::<String>());
        let id = ids::fresh();
        let running = user.agent.spawn(&user.words("plain", &["--folder", "code", "--debate-id", &id]));
        // It is kept right before.
        let prompt = user.agent.home().join(format!(".aweave/runs/{id}/starts/0001-proposer.prompt.md"));
        polling::until("the first start is prepared", || prompt.exists().then_some(())).await;
        (user, running)
    };
    ends_at_once("a walk", begin, |user| user.starts().is_empty()).await;
}

#[tokio::test]
async fn a_signal_is_heard_while_a_usage_limit_is_waited_for() {
    let begin = async || {
        let user = User::with_programs().await;
        user.script("codex", &at_limit("You've hit your usage limit. Try again in 50 minutes."));
        let (person, terminal) = Person::at_a_terminal();
        let words = user.words("plain", &["--quick", "--wait-for-limits", "--opponent", "codex"]);
        let running = user.agent.spawn_on(&words, &terminal);
        polling::until("it waits", || person.sees("the run waits until").then_some(())).await;
        (user, running)
    };
    ends_at_once("a wait for a limit", begin, |user| user.count("opponent-1-codex") == 1).await;
}

#[tokio::test]
async fn a_signal_is_heard_while_reviewers_work() {
    let begin = async || {
        let user = User::new().await;
        let opponents = ["ada", "bob"].map(|name| scripted("slow-review", name));
        let words = user.words("plain", &["--opponent", &opponents[0], "--opponent", &opponents[1]]);
        let running = user.agent.spawn(&words);
        polling::until("one reviews", || user.log.path().join("slow").exists().then_some(())).await;
        (user, running)
    };
    ends_at_once("a review", begin, |user| user.count("opponent-1-ada") == 0).await;
}

#[tokio::test]
async fn a_signal_is_heard_while_a_long_answer_is_read() {
    let begin = async || {
        let user = User::new().await;
        let id = ids::fresh();
        let running = user.agent.spawn(&user.words("nests-without-end", &["--debate-id", &id]));
        // It is kept right before.
        let message = user.agent.home().join(format!(".aweave/runs/{id}/starts/0002-opponent.message.md"));
        polling::until("the opponent has answered", || message.exists().then_some(())).await;
        (user, running)
    };
    ends_at_once("reading an answer", begin, |user| user.count("opponent-1") == 1).await;
}
