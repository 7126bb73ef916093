//! What a run does with what a killed one kept.

use std::fs;

use serde_json::{Value, json};
use tests::{debate::text, ids};

use super::User;

#[tokio::test]
async fn a_run_that_goes_on_ends_only_what_the_killed_one_started_and_tells_numbers_out_of_range() {
    let user = User::new().await;
    let id = ids::fresh();
    let words = user.words("plain", &["--task", "x", "--debate-id", &id, "--max-tokens", "100"]);
    user.agent.run(&words).await.failure(7, "LIMIT_REACHED");
    let path = user.agent.home().join(format!(".aweave/runs/{id}/run.json"));
    let kept: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let go_on = async |state: &Value| {
        fs::write(&path, state.to_string()).unwrap();
        // So that it stores nothing.
        let failing = ["debate", "run", "--debate-id", &id, "--opponent", "command:/bin/false", "--retry-seconds", "0"];
        user.agent.run(&failing).await
    };
    let running = |started: Value| {
        let mut state = kept.clone();
        state["running"] = json!([{"started": started, "folder": "/nowhere/aw-run-x"}]);
        state
    };
    // A process that the run did not start, by its number; with all that identifies it it would be the run's.
    let mut other = tokio::process::Command::new("/bin/sleep").arg("300").kill_on_drop(true).spawn().unwrap();
    let pid = other.id().unwrap();
    let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let start_time: u64 = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(19).unwrap().parse().unwrap();
    for started in [
        json!({"pid": pid, "start_time": start_time + 1, "boot_id": boot_id.trim()}),
        json!({"pid": pid, "start_time": start_time, "boot_id": "11111111-2222-3333-4444-555555555555"}),
        json!({"pid": pid, "start_time": null, "boot_id": null}),
        json!({"pid": pid}),
        json!({"pid": -i64::from(pid), "start_time": start_time, "boot_id": boot_id.trim()}),
    ] {
        let run = go_on(&running(started.clone())).await;
        assert!(run.stderr.contains("nothing was ended"), "{started}: {}", run.stderr);
        run.failure(3, "AGENT_FAILED");
        assert!(other.try_wait().unwrap().is_none(), "{started}");
    }
    let own = json!({"pid": pid, "start_time": start_time, "boot_id": boot_id.trim()});
    go_on(&running(own)).await.failure(3, "AGENT_FAILED");
    assert!(!other.wait().await.unwrap().success());

    // Every field with what is not its own.
    let wrong =
        [json!("x"), json!(-1), json!(u64::MAX), json!(1e300), json!(null), json!([1]), json!({"a": 1}), json!(true)];
    let fields = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let tokens = ["options", "unnamed", "known"];
    let mut states = Vec::new();
    for field in fields(&kept) {
        for value in &wrong {
            let mut state = kept.clone();
            state[&field] = value.clone();
            states.push(state);
        }
        if !tokens.contains(&field.as_str()) {
            let mut state = kept.clone();
            state.as_object_mut().unwrap().remove(&field);
            states.push(state);
        }
    }
    for field in fields(&kept["options"]) {
        for value in &wrong {
            let mut state = kept.clone();
            state["options"][&field] = value.clone();
            states.push(state);
        }
    }
    for state in states {
        fs::write(&path, state.to_string()).unwrap();
        let run = user.agent.run(&["debate", "run", "--debate-id", &id, "--max-tokens", "1", "--dry-run"]).await;
        assert!(!run.stderr.contains("panicked") && [0, 3, 4].contains(&run.exit), "{state}: {run:?}");
    }
    for (field, value) in [("seconds", json!(u64::MAX)), ("starts", json!(u64::MAX)), ("seconds", json!(-1))] {
        let mut state = kept.clone();
        state[field] = value;
        let failure = go_on(&state).await.failure(3, "INTERNAL_ERROR");
        assert!(text(&failure["error"]["message"]).contains("run.json"), "{failure}");
    }
    fs::write(&path, kept.to_string()).unwrap();
}
