//! Texts from files.

use std::{
    fs,
    os::unix::fs::symlink,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::fs::{CWD, Mode, RenameFlags, mkfifoat, renameat_with};
use serde_json::{Value, json};
use tempfile::TempDir;
use tests::{cli::Agent, debate::text, mcp::McpClient, server::Server};

fn document(path: &str) -> Value {
    json!({"summary": "S", "path": path})
}

#[tokio::test]
async fn only_files_in_the_folder_of_the_start_and_in_allowed_ones_are_read() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let other = TempDir::new().unwrap();
    let secret = TempDir::new().unwrap();
    for folder in [other.path(), secret.path()] {
        fs::write(folder.join("text.md"), "from elsewhere").unwrap();
    }
    let project = agent.project();
    fs::write(project.join("plan.md"), "from here").unwrap();
    fs::write(project.join(".env"), "hidden").unwrap();
    fs::write(other.path().join(".rules"), "named").unwrap();
    symlink(secret.path().join("text.md"), project.join("link.md")).unwrap();
    symlink(secret.path(), project.join("folder")).unwrap();
    symlink(project.join("plan.md"), project.join("same.md")).unwrap();
    symlink(".env", project.join("shown.md")).unwrap();
    let in_other = other.path().join("text.md").to_str().unwrap().to_owned();
    let in_secret = secret.path().join("text.md").to_str().unwrap().to_owned();

    let mut client = McpClient::start(&agent, &["--allow-path", other.path().to_str().unwrap()]).await;
    let named = other.path().join(".rules").to_str().unwrap().to_owned();
    for (path, expected) in
        [("plan.md", "from here"), ("./same.md", "from here"), (&in_other, "from elsewhere"), (&named, "named")]
    {
        let stored = client.data("docs_create", document(path)).await;
        let read = client.data("docs_get", json!({"document_id": stored["document_id"]})).await;
        assert_eq!(read["content"], expected, "{path}");
    }
    for path in [
        &in_secret,
        "link.md",
        "folder/text.md",
        "../../etc/passwd",
        "/etc/passwd",
        "/dev/zero",
        "/nowhere",
        ".env",
        "shown.md",
        "../.aweave/seats",
    ] {
        let error = client.error("docs_create", document(path)).await;
        assert_eq!(error["code"], "INVALID_INPUT", "{path}: {error}");
    }
    for path in ["missing.md", "."] {
        let error = client.error("docs_create", document(path)).await;
        assert_eq!(error["code"], "FILE_NOT_FOUND", "{path}: {error}");
    }
    fs::write(project.join("binary"), b"a\xff").unwrap();
    assert_eq!(client.error("docs_create", document("binary")).await["code"], "INVALID_INPUT");

    let mut strict = McpClient::start(&agent, &[]).await;
    assert_eq!(strict.error("docs_create", document(&in_other)).await["code"], "INVALID_INPUT");
}

#[tokio::test]
async fn nothing_is_read_from_a_home_folder_or_above_it_unless_it_is_named() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let secret = agent.file("secret.md", "mine");
    for (folder, path) in
        [(agent.home(), "secret.md"), (agent.home().parent().unwrap(), &secret), (Path::new("/"), &secret)]
    {
        let mut client = McpClient::in_folder(&agent, folder, &[]);
        client.initialize("2025-06-18").await;
        let error = client.error("docs_create", document(path)).await;
        assert_eq!(error["code"], "INVALID_INPUT", "{error}");
        assert!(text(&error["suggestion"]).contains("--allow-path"), "{error}");
    }
    let mut client = McpClient::in_folder(&agent, agent.home(), &["--allow-path", "."]);
    client.initialize("2025-06-18").await;
    client.data("docs_create", document("secret.md")).await;
}

#[tokio::test]
async fn a_pipe_holds_up_nothing() {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let pipe = agent.project().join("pipe");
    mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
    let mut client = McpClient::start(&agent, &[]).await;
    assert_eq!(client.error("docs_create", document("pipe")).await["code"], "FILE_NOT_FOUND");
    assert!(client.request("ping", json!({})).await["result"].is_object());
    assert_eq!(client.end().await, Some(0));
}

/// `AWEAVE_FAULTS` multiplies the number of calls.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_swapped_for_a_link_or_a_pipe_again_and_again_is_never_read_from_elsewhere() {
    const CALLS: usize = 30;
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    let outside = TempDir::new().unwrap();
    fs::write(outside.path().join("text.md"), "from elsewhere").unwrap();
    let at = |name: &str| agent.project().join(name);
    fs::create_dir(at("folder")).unwrap();
    for file in ["file.md", "folder/text.md", "other.md"] {
        fs::write(at(file), "from here").unwrap();
    }
    symlink(outside.path().join("text.md"), at("link.md")).unwrap();
    symlink(outside.path(), at("linked")).unwrap();
    mkfifoat(CWD, at("pipe"), Mode::RUSR | Mode::WUSR).unwrap();
    let is_over = AtomicBool::new(false);
    let swaps =
        [("file.md", "link.md"), ("folder", "linked"), ("other.md", "pipe")].map(|(one, other)| (at(one), at(other)));
    let racer = || {
        while !is_over.load(Ordering::Relaxed) {
            for (one, other) in &swaps {
                renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
            }
        }
    };
    let calls = async {
        let mut client = McpClient::start(&agent, &[]).await;
        let (mut read, mut refused) = (0, 0);
        for call in 0..CALLS * tests::random::fault_factor() {
            let path = ["file.md", "folder/text.md", "other.md"][call % 3];
            let id = client.begin_call("docs_create", document(path)).await;
            let answer = client.result(id).await["structuredContent"].clone();
            if answer["error"].is_object() {
                let code = text(&answer["error"]["code"]);
                assert!(["INVALID_INPUT", "FILE_NOT_FOUND"].contains(&code.as_str()), "{answer}");
                refused += 1;
                continue;
            }
            let stored = client.data("docs_get", json!({"document_id": answer["document_id"]})).await;
            assert_eq!(stored["content"], "from here");
            read += 1;
        }
        tests::report::report(&format!("{read} reads, {refused} refused"));
    };
    std::thread::scope(|scope| {
        scope.spawn(racer);
        let calls = || tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(calls));
        let result = catch_unwind(AssertUnwindSafe(calls));
        is_over.store(true, Ordering::Relaxed);
        result.unwrap_or_else(|panic| resume_unwind(panic));
    });
}

#[tokio::test]
async fn a_folder_that_does_not_exist_cannot_be_allowed() {
    let agent = Agent::new("http://127.0.0.1:1");
    agent.run(&["mcp", "--allow-path", "missing"]).await.failure(4, "FILE_NOT_FOUND");
    agent.run(&["mcp", "--debate-id", "nonsense"]).await.failure(4, "INVALID_INPUT");
    agent.run(&["mcp", "--role", "judge"]).await.failure(4, "INVALID_INPUT");
}
