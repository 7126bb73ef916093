//! Answers of the server that come late: what a run sent is its own, also where it does not learn so in time.

use std::time::Duration;

use serde_json::json;
use tests::{debate::text, ids, polling};
use tokio::time::{sleep, timeout};

use super::{
    User, WHOLE, kinds,
    proxy::{self, Fate},
    scripted,
};

/// Rulings are answered after those who wait were told that the debate is closed.
fn rulings_late(first_line: &str) -> Fate {
    match first_line.starts_with("POST ") && first_line.contains("/ruling ") {
        true => Fate::AnsweredLate(Duration::from_secs(3)),
        false => Fate::PassedOn,
    }
}

/// A user before whose server rulings are answered late.
async fn user() -> User {
    let User { agent, client, log, server } = User::new().await;
    let agent = agent.env("DEBATE_SERVER_URL", &proxy::before(&server, rulings_late).await);
    User { agent, client, log, server }
}

#[tokio::test]
async fn a_ruling_of_the_run_is_not_taken_for_one_of_somebody_else() {
    let user = user().await;
    let closing = scripted("closes", "judge");
    for more in [vec![], vec!["--arbitrator", &closing]] {
        let run = user.run("plain", &more).await;
        let data = run.data();
        let history = user.history(&text(&data["debate_id"])).await;
        assert_eq!(kinds(&history), WHOLE);
        assert_eq!(data["ruled_by_others"], json!([]), "{more:?}: {}", run.stderr);
    }
}

#[tokio::test]
async fn a_ruling_of_a_run_that_is_interrupted_before_it_is_answered_is_its_own() {
    let user = user().await;
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
