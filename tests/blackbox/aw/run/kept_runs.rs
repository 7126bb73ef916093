//! `aw debate runs`.

use serde_json::json;
use tests::{cli::Agent, debate::text, ids, polling};

use super::User;

#[tokio::test]
async fn runs_are_listed_and_those_that_are_old_and_over_are_removed() {
    let user = User::new().await;
    assert_eq!(user.agent.run(&["debate", "runs"]).await.data(), json!({"runs": []}));
    let closed = text(&user.run("plain", &["--task", "Closed"]).await.data()["debate_id"]);
    let open = user.run("plain", &["--task", "Open", "--max-tokens", "100"]).await.failure(7, "LIMIT_REACHED");
    let open = text(&open["content"][0]["data"]["debate_id"]);
    let live = ids::fresh();
    let running = user.agent.spawn(&user.words("slow", &["--task", "Live", "--debate-id", &live]));
    let thinks = || {
        let starts = user.starts();
        (starts.iter().filter(|start| *start == "opponent-1").count() == 2).then_some(())
    };
    polling::until("the opponent thinks", thinks).await;
    let unknown = ids::fresh();
    user.agent.shell(&format!("cp -r .aweave/runs/{closed} .aweave/runs/{unknown}; mkdir .aweave/runs/other")).await;
    let list = user.agent.run(&["debate", "runs"]).await.data();
    let of = |id: &str| {
        let runs = list["runs"].as_array().unwrap();
        runs.iter().find(|run| run["debate_id"] == id).unwrap_or_else(|| panic!("{id}: {list}")).clone()
    };
    assert_eq!(list["runs"].as_array().unwrap().len(), 4);
    for (id, title, is_live) in [(&closed, "Closed", false), (&open, "Open", false), (&live, "Live", true)] {
        let run = of(id);
        assert_eq!((&run["title"], &run["live"]), (&json!(title), &json!(is_live)), "{run}");
        assert!(run["bytes"].as_u64().unwrap() > 1000 && text(&run["updated_at"]).ends_with('Z'), "{run}");
        assert_eq!(run.as_object().unwrap().len(), 5);
    }
    let markdown = user.agent.run(&["debate", "runs", "--format", "markdown"]).await;
    assert!(markdown.stdout.contains(&closed) && markdown.stdout.contains("runs"), "{markdown:?}");

    // Nothing is that old.
    let none = user.agent.run(&["debate", "runs", "--remove-older-than", "1"]).await.data();
    assert_eq!(none["removed"], json!([]));
    user.agent.shell("touch -d '10 days ago' .aweave/runs/*/run.json").await;
    let removed = user.agent.run(&["debate", "runs", "--remove-older-than", "9"]).await.data();
    let mut ids: Vec<_> = removed["removed"].as_array().unwrap().iter().map(text).collect();
    ids.sort();
    let mut expected = vec![closed.clone(), unknown];
    expected.sort();
    assert_eq!(ids, expected);
    assert_eq!(removed["runs"].as_array().unwrap().len(), 2);
    assert!(!user.agent.home().join(".aweave/runs").join(&closed).exists());
    user.agent.shell(&format!("kill {}", running.pid())).await;
    running.finish().await.failure(143, "INTERRUPTED");

    // Where the server does not tell, nothing is removed; an agent of a run sees none.
    let away = "DEBATE_SERVER_URL=http://127.0.0.1:9 aw debate runs --remove-older-than 0";
    user.agent.shell(away).await.failure(3, "CONNECTION_ERROR");
    assert!(user.agent.home().join(".aweave/runs").join(&open).exists());
    let agent = Agent::new(&user.server.url()).env("AW_ROLE", "opponent");
    agent.run(&["debate", "runs"]).await.failure(5, "ACTION_NOT_ALLOWED");
    // One whose variables are gone writes nothing either in the folder that was made for it.
    let (folder, id) = ("work/aw-run-1/below", ids::fresh());
    let create = format!("aw debate create --debate-id {id} --title T --debate-type general_debate --content x");
    let write = format!("mkdir -p {folder} && cd {folder} && {create}");
    let refused = user.agent.shell(&write).await.failure(5, "ACTION_NOT_ALLOWED");
    assert!(text(&refused["error"]["message"]).contains("aw-run-1/below was made for an agent"), "{refused}");
}

#[tokio::test]
async fn a_home_in_which_nothing_can_be_kept_is_told() {
    let agent = Agent::new("http://127.0.0.1:9");
    std::fs::write(agent.home().join(".aweave"), "").unwrap();
    let failure = agent.run(&["debate", "runs"]).await.failure(4, "INVALID_INPUT");
    assert!(text(&failure["error"]["message"]).contains(".aweave/runs"), "{failure}");
}
