//! Answers of the server that come late: what a run sent is its own, also where it does not learn so in time.

use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use tests::{debate::text, ids, polling};
use tokio::time::{sleep, timeout};

use super::{
    User, WHOLE, kinds,
    proxy::{self, Reply},
    scripted,
};

fn is_ruling(first_line: &str) -> bool {
    first_line.starts_with("POST ") && first_line.contains("/ruling ")
}

/// Rulings are answered after those who wait were told that the debate is closed.
fn rulings_late(first_line: &str) -> Reply {
    if is_ruling(first_line) { Reply::AnsweredLate(Duration::from_secs(3)) } else { Reply::PassedOn }
}

/// Each second answer to a ruling is lost.
fn rulings_lost(first_line: &str) -> Reply {
    static IS_LOST: AtomicBool = AtomicBool::new(false);
    let is_lost = is_ruling(first_line) && !IS_LOST.fetch_xor(true, Ordering::SeqCst);
    if is_lost { Reply::Unanswered } else { Reply::PassedOn }
}

/// Whether [`first_ruling_held`] has seen one.
static WAS_HELD: AtomicBool = AtomicBool::new(false);

/// The first ruling reaches nobody.
fn first_ruling_held(first_line: &str) -> Reply {
    let is_held = is_ruling(first_line) && !WAS_HELD.swap(true, Ordering::SeqCst);
    if is_held { Reply::Held } else { Reply::PassedOn }
}

/// A user whose requests are answered so.
async fn user(reply: fn(&str) -> Reply) -> User {
    let User { agent, client, log, server } = User::new().await;
    let agent = agent.env("DEBATE_SERVER_URL", &proxy::before(&server, reply).await);
    User { agent, client, log, server }
}

#[tokio::test]
async fn a_ruling_of_the_run_is_not_taken_for_one_of_somebody_else() {
    let closing = scripted("closes", "judge");
    for reply in [rulings_late as fn(&str) -> Reply, rulings_lost] {
        let user = user(reply).await;
        for more in [vec![], vec!["--arbitrator", &closing]] {
            let run = user.run("plain", &more).await;
            let data = run.data();
            assert_eq!(kinds(&user.history(&text(&data["debate_id"])).await), WHOLE);
            assert_eq!(data["ruled_by_others"], json!([]), "{more:?}: {}", run.stderr);
        }
    }
}

#[tokio::test]
async fn a_ruling_of_a_run_that_is_interrupted_before_it_is_answered_is_its_own() {
    let user = user(rulings_late).await;
    let id = ids::fresh();
    let running = user.agent.spawn(&user.words("plain", &["--task", "x", "--quick", "--debate-id", &id]));
    let path = format!("/debates/{id}");
    let is_closed = async || {
        let debate = user.client.get(&path).await;
        debate.status == 200 && debate.data(200)["debate"]["state"] == "CLOSED"
    };
    timeout(polling::DEADLINE, async {
        while !is_closed().await {
            sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
    user.agent.shell(&format!("kill -INT {}", running.pid())).await;
    let run = running.finish().await;
    assert_eq!(run.data()["ruled_by_others"], json!([]), "{}", run.stderr);
    assert!(!run.stderr.contains("somebody else ruled"), "{}", run.stderr);
}

#[tokio::test]
async fn a_ruling_of_somebody_else_in_the_same_words_is_not_taken_for_one_of_the_run() {
    let user = user(first_ruling_held).await;
    let id = ids::fresh();
    let running = user.agent.spawn(&user.words("plain", &["--task", "x", "--quick", "--debate-id", &id]));
    polling::until("the run rules", || WAS_HELD.load(Ordering::SeqCst).then_some(())).await;
    let kept = fs::read(user.agent.home().join(format!(".aweave/runs/{id}/run.json"))).unwrap();
    let kept: Value = serde_json::from_slice(&kept).unwrap();
    let own = &kept["pending"]["answer"]["content"];
    let ruling = json!({"content": own, "close": true, "client_request_id": "another"});
    let ruling = user.client.post(&format!("/debates/{id}/ruling"), &ruling).await.data(201);
    user.agent.shell(&format!("kill -INT {}", running.pid())).await;
    let run = running.finish().await;
    assert_eq!(run.data()["ruled_by_others"], json!([ruling["argument"]["seq"]]), "{}", run.stderr);
}
