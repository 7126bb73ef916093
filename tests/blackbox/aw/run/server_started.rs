//! A run where no server answers.

use serde_json::json;
use tests::{cli::Agent, debate::text, os};

use super::scripted;
use crate::aw::up::DownAtEnd;

#[tokio::test]
async fn a_server_that_the_run_starts_is_told_and_stays() {
    let log = tempfile::TempDir::new().unwrap();
    let agent = Agent::new(&format!("http://127.0.0.1:{}", os::free_port()))
        .env("AGENT_LOG", log.path().to_str().unwrap())
        .env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let _down = DownAtEnd::of(&agent);
    let scripted = scripted("plain", "agent");
    let words = ["debate", "run", "--quick", "--task", "x", "--proposer", &scripted, "--opponent", &scripted];
    let told = "a server was started, which stays; `aw down` stops it";
    let run = agent.run(&words).await;
    let data = run.data();
    assert_eq!((&data["server_started"], &data["debate_state"]), (&json!(true), &json!("CLOSED")));
    assert_eq!(run.stderr.matches(told).count(), 1, "{}", run.stderr);
    // It is there for whoever comes next, to whom nothing was started.
    let run = agent.run(&["debate", "run", "--debate-id", &text(&data["debate_id"])]).await;
    assert_eq!(run.data()["server_started"], false);
    assert!(!run.stderr.contains(told), "{}", run.stderr);
}

#[tokio::test]
async fn a_person_is_told_once_of_a_server_that_the_run_starts_however_the_run_ends() {
    for (mode, exit) in [("plain", 0), ("fails", 3)] {
        let log = tempfile::TempDir::new().unwrap();
        let agent = Agent::new(&format!("http://127.0.0.1:{}", os::free_port()))
            .env("AGENT_LOG", log.path().to_str().unwrap())
            .env("PATH", "/usr/local/bin:/usr/bin:/bin");
        let _down = DownAtEnd::of(&agent);
        let scripted = scripted(mode, "agent");
        let sides = ["--proposer", &scripted, "--opponent", &scripted];
        let words = [&["debate", "run", "--quick", "--retry-seconds", "0", "--task", "x"], &sides[..]].concat();
        let run = agent.run_at_terminal(100, &words).await;
        let told = format!("{}{}", run.stdout, run.stderr);
        assert_eq!((run.exit, told.matches("a server was started").count()), (exit, 1), "{run:?}");
    }
}
