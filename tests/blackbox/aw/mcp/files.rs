//! Texts from files.

use std::{fs, os::unix::fs::symlink};

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::{cli::Agent, mcp::McpClient, server::Server};

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
    agent.file("plan.md", "from here");
    symlink(secret.path().join("text.md"), agent.home().join("link.md")).unwrap();
    symlink(secret.path(), agent.home().join("folder")).unwrap();
    symlink(agent.home().join("plan.md"), agent.home().join("same.md")).unwrap();
    let in_other = other.path().join("text.md").to_str().unwrap().to_owned();
    let in_secret = secret.path().join("text.md").to_str().unwrap().to_owned();

    let mut client = McpClient::start(&agent, &["--allow-path", other.path().to_str().unwrap()]).await;
    for (path, expected) in [("plan.md", "from here"), ("./same.md", "from here"), (&in_other, "from elsewhere")] {
        let stored = client.data("docs_create", document(path)).await;
        let read = client.data("docs_get", json!({"document_id": stored["document_id"]})).await;
        assert_eq!(read["content"], expected, "{path}");
    }
    for path in [&in_secret, "link.md", "folder/text.md", "../../etc/passwd", "/etc/passwd", "/dev/zero", "/nowhere"] {
        let error = client.error("docs_create", document(path)).await;
        assert_eq!(error["code"], "INVALID_INPUT", "{path}: {error}");
    }
    for path in ["missing.md", "."] {
        let error = client.error("docs_create", document(path)).await;
        assert_eq!(error["code"], "FILE_NOT_FOUND", "{path}: {error}");
    }
    fs::write(agent.home().join("binary"), b"a\xff").unwrap();
    assert_eq!(client.error("docs_create", document("binary")).await["code"], "INVALID_INPUT");

    let mut strict = McpClient::start(&agent, &[]).await;
    assert_eq!(strict.error("docs_create", document(&in_other)).await["code"], "INVALID_INPUT");
}

#[tokio::test]
async fn a_folder_that_does_not_exist_cannot_be_allowed() {
    let agent = Agent::new("http://127.0.0.1:1");
    agent.run(&["mcp", "--allow-path", "missing"]).await.failure(4, "FILE_NOT_FOUND");
    agent.run(&["mcp", "--debate-id", "nonsense"]).await.failure(4, "INVALID_INPUT");
    agent.run(&["mcp", "--role", "judge"]).await.failure(4, "INVALID_INPUT");
}
