//! Tokens from files appear nowhere else.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use tests::{
    cli::Agent,
    debate::{Debate, Situation},
    server::{Server, Settings},
};

use crate::websocket::viewer::Viewer;

const AGENTS: &str = "canary-of-agents-6b1f";
const JUDGE: &str = "canary-of-judge-93ac";

/// A folder with both tokens in files that end with a newline.
fn token_files() -> (TempDir, [String; 2]) {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, token: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("{token}\n")).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let files = [file("agents", AGENTS), file("judge", JUDGE)];
    (folder, files)
}

fn settings([agents, judge]: &[String; 2]) -> Settings {
    Settings::new().env("DEBATE_AUTH_TOKEN_FILE", agents).env("DEBATE_ARBITRATOR_TOKEN_FILE", judge)
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The files that contain a token or part of one.
fn leaks(paths: &[PathBuf]) -> Vec<&PathBuf> {
    let holds = |bytes: &[u8]| bytes.windows(7).any(|part| part == b"canary-");
    paths.iter().filter(|path| fs::read(path).is_ok_and(|bytes| holds(&bytes))).collect()
}

/// The files in which Linux shows a process's arguments and environment.
fn process_files(pid: u32) -> Vec<PathBuf> {
    ["cmdline", "environ", "comm", "status", "stat"].map(|file| format!("/proc/{pid}/{file}").into()).to_vec()
}

#[tokio::test]
async fn tokens_from_files_appear_nowhere_else() {
    let (_folder, tokens) = token_files();
    let server = Server::with(settings(&tokens).env("RUST_LOG", "trace")).await;
    let (agents, judge) = (server.client().with_token(AGENTS), server.client().with_token(JUDGE));
    let debate = Debate::in_situation(&agents, Situation::AwaitingProposer).await;
    server.client().with_token("canary-of-strangers").get("/debates").await.refusal("AUTH_FAILED");
    let stopped = judge.post(&debate.path("/intervention"), &tests::request_bodies::decision()).await.data(201);
    let seen = tests::debate::text(&stopped["next_argument_id_to_wait"]);
    Viewer::at(&server, &format!("/ws?token={JUDGE}")).await;
    debate.attempt("ruling", &tests::request_bodies::decision()).await.refusal("FORBIDDEN");

    let agent = Agent::new(&server.url()).env("DEBATE_AUTH_TOKEN_FILE", &tokens[0]);
    agent.run(&["debate", "list"]).await.data();
    server.wait_for_connections(0).await;
    let wait = ["debate", "wait", "--debate-id", &debate.id, "--role", "proposer", "--argument-id", &seen];
    let waiting = agent.spawn(&wait);
    // The connection shows that it has read its token.
    server.wait_for_connections(1).await;
    let mut places = [files(server.home()), files(agent.home())].concat();
    places.extend(process_files(server.pid()));
    places.extend(process_files(waiting.pid()));
    assert_eq!(leaks(&places), Vec::<&PathBuf>::new());
    // The search finds a token where there is one.
    assert_eq!(leaks(&[tokens[0].clone().into()]).len(), 1);
    assert!(
        places.iter().any(|place| fs::read(place).is_ok_and(|bytes| bytes.len() > 1_000)),
        "there was much to search"
    );
    judge
        .post(&debate.path("/ruling"), &tests::request_bodies::with(tests::request_bodies::decision(), "close", true))
        .await
        .data(201);
    waiting.finish().await.data();
}
