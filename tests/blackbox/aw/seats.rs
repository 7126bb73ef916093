//! The keys of seats that `aw` keeps.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use tests::{cli::Agent, ids, server::Server};

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Opens a debate and returns its id and the id of the motion.
async fn create(agent: &Agent) -> (String, String) {
    let id = ids::fresh();
    let args = ["debate", "create", "--debate-id", &id, "--title", "T", "--type", "general_debate", "--content", "M"];
    let data = agent.run(&args).await.data();
    (id, data["argument_id"].as_str().unwrap().to_owned())
}

fn submit<'a>(debate: &'a str, role: &'a str, target: &'a str) -> [&'a str; 10] {
    ["debate", "submit", "--debate-id", debate, "--role", role, "--target-id", target, "--content", "C"]
}

#[tokio::test]
async fn agents_with_homes_of_their_own_cannot_write_as_each_other() {
    let server = Server::shared().await;
    let (proposer, opponent) = (Agent::new(&server.url()), Agent::new(&server.url()));
    let (debate, motion) = create(&proposer).await;
    let claim = opponent.run(&submit(&debate, "opponent", &motion)).await.data();
    let target = claim["argument_id"].as_str().unwrap().to_owned();
    let refused = opponent.run(&submit(&debate, "proposer", &target)).await.failure(6, "SEAT_TAKEN");
    let suggestion = refused["error"]["suggestion"].as_str().unwrap();
    assert!(suggestion.contains(&format!("aw debate free-seat --debate-id {debate} --role proposer")), "{suggestion}");
    assert_eq!(refused["content"][0]["data"]["server_error"]["role"], "proposer");
    proposer.run(&submit(&debate, "proposer", &target)).await.data();

    let folder = proposer.home().join(".aweave").join("seats");
    let kept = files(&folder);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!((mode(&folder), mode(&kept[0])), (0o700, 0o600));
}

#[tokio::test]
async fn a_seat_whose_key_was_lost_is_freed_and_taken_again() {
    let server = Server::shared().await;
    let (proposer, opponent) = (Agent::new(&server.url()), Agent::new(&server.url()));
    let (debate, motion) = create(&proposer).await;
    let first = opponent.run(&submit(&debate, "opponent", &motion)).await.data();
    fs::remove_dir_all(proposer.home().join(".aweave").join("seats")).unwrap();
    let target = first["argument_id"].as_str().unwrap().to_owned();
    proposer.run(&submit(&debate, "proposer", &target)).await.failure(6, "SEAT_TAKEN");
    let freed = opponent.run(&["debate", "free-seat", "--debate-id", &debate, "--role", "proposer"]).await.data();
    assert_eq!(freed["debate"]["seats"], serde_json::json!({ "proposer": false, "opponent": true }));
    proposer.run(&submit(&debate, "proposer", &target)).await.data();
    opponent
        .run(&["debate", "free-seat", "--debate-id", &debate, "--role", "arbitrator"])
        .await
        .failure(4, "INVALID_INPUT");
    let unknown = ids::fresh();
    let missing = opponent.run(&["debate", "free-seat", "--debate-id", &unknown, "--role", "opponent"]).await;
    missing.failure(2, "DEBATE_NOT_FOUND");
}

#[tokio::test]
async fn the_folder_of_the_keys_can_be_chosen() {
    let server = Server::shared().await;
    let shared = tempfile::TempDir::new().unwrap();
    let folder = shared.path().join("keys");
    let at = |agent: Agent| agent.env("DEBATE_SEATS_DIR", folder.to_str().unwrap());
    let (one, other) = (at(Agent::new(&server.url())), at(Agent::new(&server.url())));
    let (debate, motion) = create(&one).await;
    let claim = one.run(&submit(&debate, "opponent", &motion)).await.data();
    // Whoever shares the folder shares the keys.
    other.run(&submit(&debate, "proposer", claim["argument_id"].as_str().unwrap())).await.data();
    assert_eq!(files(&folder).len(), 2);
    assert!(!one.home().join(".aweave").join("seats").exists());
}

#[tokio::test]
async fn a_key_that_cannot_be_kept_is_not_sent() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let file = agent.file("taken", "");
    let agent = agent.env("DEBATE_SEATS_DIR", &file);
    let id = ids::fresh();
    let args = ["debate", "create", "--debate-id", &id, "--title", "T", "--type", "general_debate", "--content", "M"];
    let run = agent.run(&args).await;
    assert_eq!(run.data()["debate"]["seats"]["proposer"], false);
    let document = run.document();
    let warning = document["metadata"]["warning"].as_str().unwrap();
    assert!(warning.contains("proposer") && warning.contains(&file), "{warning}");
}

#[tokio::test]
async fn a_file_that_holds_no_key_is_named_also_where_the_write_is_refused() {
    let server = Server::shared().await;
    let (proposer, opponent) = (Agent::new(&server.url()), Agent::new(&server.url()));
    let (debate, motion) = create(&proposer).await;
    let claim = opponent.run(&submit(&debate, "opponent", &motion)).await.data();
    let kept = files(&proposer.home().join(".aweave").join("seats")).remove(0);
    fs::write(&kept, "no key").unwrap();
    let answer = submit(&debate, "proposer", claim["argument_id"].as_str().unwrap());
    let refused = proposer.run(&answer).await.failure(6, "SEAT_TAKEN");
    let warning = refused["metadata"]["warning"].as_str().unwrap();
    assert!(warning.contains(kept.to_str().unwrap()), "{warning}");
    let in_markdown = proposer.run(&[&answer[..], &["--format", "markdown"]].concat()).await;
    assert!(in_markdown.stdout.contains(kept.to_str().unwrap()), "{}", in_markdown.stdout);
    assert_eq!(fs::read_to_string(&kept).unwrap(), "no key", "it is left as it is");
}

#[tokio::test]
async fn of_several_first_writes_of_a_home_all_have_the_same_key() {
    let server = Server::shared().await;
    let (proposer, opponent) = (Agent::new(&server.url()), Agent::new(&server.url()));
    let (debate, motion) = create(&proposer).await;
    let args = submit(&debate, "opponent", &motion);
    let running: Vec<_> = (0..8).map(|_| opponent.spawn(&args)).collect();
    let mut stored = 0;
    for run in running {
        let run = run.finish().await;
        if run.exit == 0 {
            stored += 1;
        } else {
            run.failure(5, "ACTION_NOT_ALLOWED");
        }
    }
    assert_eq!(stored, 1);
    assert_eq!(files(&opponent.home().join(".aweave").join("seats")).len(), 1);
}
