//! What a run says while its server is away, and how it goes on.

use tests::{
    cli::Agent,
    ids, polling,
    pty::Person,
    server::{Server, Settings},
};

use super::scripted;

#[tokio::test]
async fn a_server_that_is_killed_while_an_agent_thinks_is_told_with_the_time_and_so_is_its_return() {
    let mut server = Server::with(Settings::new().restartable()).await;
    let log = tempfile::TempDir::new().unwrap();
    let agent = Agent::new(&server.url()).env("AGENT_LOG", log.path().to_str().unwrap());
    let agent = agent.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let (proposer, id) = (scripted("waits", "agent"), ids::fresh());
    let (person, terminal) = Person::at_a_terminal();
    let words = ["debate", "run", "--task", "x", "--quick", "--debate-id", &id];
    let agents = ["--proposer", &proposer, "--opponent", &proposer];
    let running = agent.spawn_on(&[&words[..], &agents].concat(), &terminal);
    let thinks = || person.sees("agent.sh thinks as the proposer").then_some(());
    polling::until("the proposer thinks", thinks).await;
    server.kill();
    let sees = async |text: &str| polling::until(text, || person.sees(text).then_some(())).await;
    sees("; the run waits for the server since ").await;
    // Its answer is sent once the server is there.
    std::fs::write(log.path().join("go-on"), "").unwrap();
    server.restart().await;
    sees("aw: the server answers again, after 0:").await;
    assert_eq!(running.finish().await.data()["debate_state"], "CLOSED");
}

#[tokio::test]
async fn a_run_that_is_interrupted_before_it_starts_names_how_to_go_on_by_whole_ids_only() {
    // It takes connections, and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let agent = Agent::new(&format!("http://{}", silent.local_addr().unwrap()));
    let id = ids::fresh();
    let run = async |named: &str| {
        silent.set_nonblocking(true).unwrap();
        let proposer = scripted("plain", "agent");
        let words = ["debate", "run", "--debate-id", named, "--proposer", &proposer, "--opponent", &proposer];
        let running = agent.spawn(&words);
        let connected = polling::until("it asks", || silent.accept().ok()).await;
        tests::os::terminate(running.pid());
        let next = running.finish().await.failure(143, "INTERRUPTED")["metadata"].get("next").cloned();
        drop(connected);
        next
    };
    let of = |id: &str| Some(serde_json::json!(format!("aw debate run --debate-id {id}")));
    assert_eq!(run(&id[..8]).await, Some(serde_json::json!("aw debate list")));
    // A whole id that this home never ran may be that of a new debate.
    assert_eq!(run(&id).await, Some(serde_json::json!("aw debate run --help")));
    let kept = agent.home().join(".aweave/runs").join(&id);
    std::fs::create_dir_all(&kept).unwrap();
    std::fs::write(kept.join("run.json"), "{\"options\": {\"task\": \"x\"}}").unwrap();
    for named in [&id[..8], &id[..1], &id, &id.to_uppercase()] {
        assert_eq!(run(named).await, of(&id), "{named}");
    }
}
