//! `aw docs`.

use std::{fs, path::Path};

use rstest::rstest;
use serde_json::{Value, json};
use tests::{
    binaries,
    cli::{Agent, Run},
    debate::text,
    document::Document,
    ids,
    request_bodies::{self, with},
    server::{Server, Settings, SharedServer},
};

use crate::schema_checks;

/// A server that this test shares with others. It has other documents.
async fn shared_server_and_agent() -> (SharedServer, Agent) {
    let server = Server::shared().await;
    let agent = Agent::new(&server.url());
    (server, agent)
}

async fn server_and_agent() -> (Server, Agent) {
    let server = Server::start().await;
    let agent = Agent::new(&server.url());
    (server, agent)
}

/// A document with two versions.
async fn two_versions(server: &Server) -> Document {
    let document = Document::create_with(&server.client(), &request_bodies::document("one\ntwo\nthree\n")).await;
    document.submit(&with(request_bodies::document("one\n2\nthree"), "summary", "Plan: two")).await;
    document
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

/// Expects a failure with an empty stdout, which is reserved for the document.
#[track_caller]
fn refused_bare(run: &Run, exit: i32, code: &str) {
    assert_eq!((run.exit, run.stdout.as_str()), (exit, ""), "{run:?}");
    assert!(run.stderr.contains(code), "{run:?}");
}

fn of_the_project(name: &str) -> Vec<u8> {
    fs::read(binaries::workspace().join(name)).unwrap()
}

fn every_plane() -> Vec<u8> {
    // Plane 14 starts with tag characters, which are not allowed.
    let letters = (0..=16).filter_map(|plane| char::from_u32(plane * 0x1_0000 + 0x0141));
    letters.collect::<String>().into_bytes()
}

#[rstest]
#[case::readme(of_the_project("README.md"))]
#[case::architecture(of_the_project("ARCHITECTURE.md"))]
#[case::contract(of_the_project("openapi.json"))]
#[case::crlf(b"a\r\nb\r\n\r\n".to_vec())]
#[case::mixed_line_ends(b"a\rb\nc\r\n".to_vec())]
#[case::no_final_newline(b"a\nb".to_vec())]
#[case::blank(b" \n\t\n".to_vec())]
#[case::empty(Vec::new())]
#[case::byte_order_mark("\u{feff}a".into())]
#[case::every_plane(every_plane())]
#[tokio::test]
async fn a_document_is_stored_and_exported_byte_for_byte(#[case] bytes: Vec<u8>) {
    let (_server, agent) = shared_server_and_agent().await;
    let path = agent.file("given.md", &bytes);
    let created = agent.run(&["docs", "create", "--summary", "s", "--file", &path]).await.data();
    let id = text(&created["document_id"]);
    let submit = ["docs", "submit", &id, "--summary", "s", "--stdin"];
    let submitted = agent.run_with_input(&submit, &bytes).await.data();
    assert_eq!((&submitted["document_id"], &submitted["version"]), (&json!(id), &json!(2)));
    assert_eq!(submitted["sha256"], created["sha256"]);
    for version in ["1", "2"] {
        let run = agent.run(&["docs", "get", &id, "--version", version]).await;
        assert!(run.exit == 0 && run.stdout.as_bytes() == bytes && run.stderr.is_empty(), "{run:?}");
        let out = format!("out-{version}.md");
        let export = ["docs", "export", &id, "--version", version, "--output", &out];
        let data = agent.run(&export).await.data();
        assert_eq!((&data["path"], &data["bytes"]), (&json!(out), &json!(bytes.len())));
        assert!(fs::read(agent.home().join(out)).unwrap() == bytes);
    }
}

#[tokio::test]
async fn the_output_of_get_can_be_submitted() {
    let (server, agent) = shared_server_and_agent().await;
    let document = two_versions(&server).await;
    let id = &document.id;
    let line = format!("aw docs get {id} --version 1 | aw docs submit {id} --summary back --stdin");
    assert_eq!(agent.shell(&line).await.data()["version"], 3);
    assert_eq!(document.newest().await["content"], "one\ntwo\nthree\n");
}

#[tokio::test]
async fn create_and_submit_print_id_and_version_without_the_content() {
    let (server, agent) = server_and_agent().await;
    let long = "x".repeat(100_000);
    let path = agent.file("long.md", &long);
    let args = ["docs", "create", "--summary", "Đề xuất", "-f", &path, "--client-request-id", "r1"];
    let document = agent.run(&args).await.document();
    let data = &document["content"][0]["data"];
    schema_checks::is_id(&data["document_id"]);
    assert_eq!((&data["version"], &document["metadata"]["client_request_id"]), (&json!(1), &json!("r1")));
    let stored = server.client().get(&format!("/documents/{}", text(&data["document_id"]))).await.data(200);
    assert_eq!((&stored["version"]["summary"], &stored["version"]["content"]), (&json!("Đề xuất"), &json!(long)));
    let again = agent.run(&args).await.data();
    assert_eq!((&again["document_id"], &again["replayed"]), (&data["document_id"], &json!(true)));
    assert!(document.to_string().len() < 1_000, "{document}");
}

#[tokio::test]
async fn metadata_is_sent_unchanged() {
    let (server, agent) = shared_server_and_agent().await;
    let metadata = r#"{ "z": 1.50, "a": 123456789012345678901234567890 }"#;
    let args = ["docs", "create", "--summary", "s", "--content", "c", "--metadata", metadata];
    let id = text(&agent.run(&args).await.data()["document_id"]);
    let client = server.client();
    let stored = client.response(&client.request("GET", &format!("/documents/{id}"))).await.unwrap();
    assert!(String::from_utf8(stored.body).unwrap().contains(metadata));
}

#[tokio::test]
async fn get_prints_the_version_as_json() {
    let (server, agent) = shared_server_and_agent().await;
    let document = two_versions(&server).await;
    let json = agent.run(&["docs", "get", &document.id, "--format", "json"]).await.data();
    schema_checks::is_version(&json);
    assert_eq!(json, document.newest().await);
    // Global options are also accepted before the command.
    assert_eq!(agent.run(&["--format", "json", "docs", "get", &document.id]).await.data(), json);
    let markdown = agent.run(&["docs", "get", &document.id, "--format", "markdown"]).await.stdout;
    assert!(markdown.starts_with("# Plan: two\n") && markdown.contains("\n```\none\n2\nthree\n```\n"), "{markdown}");
}

#[tokio::test]
async fn list_and_history_print_totals() {
    let (server, agent) = server_and_agent().await;
    let document = two_versions(&server).await;
    Document::create(&server.client()).await;
    let paging = |run: &Run| (run.document()["total_count"].clone(), run.document()["has_more"].clone());
    let list = agent.run(&["docs", "list", "--limit", "1"]).await;
    assert_eq!(paging(&list), (json!(2), json!(true)));
    list.data()["documents"].as_array().unwrap().iter().for_each(schema_checks::is_document);
    let list = agent.run(&["docs", "list", "--query", "PLAN: TWO"]).await;
    assert_eq!(
        (paging(&list), list.data()["documents"][0]["id"].clone()),
        ((json!(1), json!(false)), json!(document.id))
    );
    let history = agent.run(&["docs", "history", &document.id, "--limit", "1", "--offset", "1"]).await;
    assert_eq!(paging(&history), (json!(2), json!(false)));
    let data = history.data();
    schema_checks::is_document(&data["document"]);
    schema_checks::is_version_entry(&data["versions"][0]);
    assert_eq!(data["versions"][0]["version"], 1);
}

#[tokio::test]
async fn diff_prints_a_unified_diff() {
    let (server, agent) = shared_server_and_agent().await;
    let document = two_versions(&server).await;
    let id = &document.id;
    let expected = format!(
        "--- {id} v1\n+++ {id} v2\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+three\n\\ No newline at end of file\n"
    );
    let run = agent.run(&["docs", "diff", id]).await;
    assert_eq!((run.exit, run.stdout.as_str()), (0, expected.as_str()), "{run:?}");
    let data = agent.run(&["docs", "diff", id, "--format", "json"]).await.data();
    assert_eq!(data, json!({"document_id": id, "from": 1, "to": 2, "diff": expected}));
    let back = agent.run(&["docs", "diff", id, "--from", "2", "--to", "1"]).await;
    assert!(back.stdout.starts_with(&format!("--- {id} v2\n+++ {id} v1\n")), "{back:?}");
    let same = agent.run(&["docs", "diff", id, "--from", "2", "--to", "2"]).await;
    assert_eq!((same.exit, same.stdout.as_str()), (0, ""), "{same:?}");
    let markdown = agent.run(&["docs", "diff", id, "--format", "markdown"]).await.stdout;
    assert!(markdown.contains("\n-two\n"), "{markdown}");
}

#[tokio::test]
async fn diff_needs_two_versions() {
    let (server, agent) = shared_server_and_agent().await;
    let document = Document::create(&server.client()).await;
    refused_bare(&agent.run(&["docs", "diff", &document.id]).await, 4, "INVALID_INPUT");
    refused_bare(&agent.run(&["docs", "diff", &document.id, "--from", "2"]).await, 2, "DOCUMENT_NOT_FOUND");
    let run = agent.run(&["docs", "diff", &document.id, "--format", "json"]).await;
    run.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn delete_removes_a_document_from_the_list() {
    let (server, agent) = server_and_agent().await;
    let document = two_versions(&server).await;
    for _ in 0..2 {
        let data = agent.run(&["docs", "delete", &document.id]).await.data();
        schema_checks::is_time(&data["document"]["deleted_at"]);
    }
    assert_eq!(agent.run(&["docs", "list"]).await.data()["documents"], json!([]));
    assert_eq!(agent.run(&["docs", "get", &document.id]).await.stdout, "one\n2\nthree");
    let run = agent.run(&["docs", "submit", &document.id, "--summary", "s", "--content", "c"]).await;
    run.failure(2, "DOCUMENT_NOT_FOUND");
}

#[tokio::test]
async fn export_overwrites_only_with_force() {
    let (server, agent) = shared_server_and_agent().await;
    let document = two_versions(&server).await;
    let path = agent.file("plan.md", "mine");
    let export = ["docs", "export", &document.id, "--output", &path];
    let refused = agent.run(&export).await.failure(4, "INVALID_INPUT");
    assert!(text(&refused["error"]["suggestion"]).contains("--force"), "{refused}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
    let data = agent.run(&[&export[..], &["--force", "--version", "1"]].concat()).await.data();
    assert_eq!(
        data,
        json!({"document_id": document.id, "version": 1, "path": path, "bytes": "one\ntwo\nthree\n".len()})
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
    assert_eq!(names(agent.home()), ["plan.md"], "no half-written file is left");
}

#[tokio::test]
async fn one_of_several_concurrent_exports_to_a_path_succeeds() {
    let (server, agent) = shared_server_and_agent().await;
    let document = two_versions(&server).await;
    let export = ["docs", "export", &document.id, "--output", "plan.md"];
    let running: Vec<_> = (0..4).map(|_| agent.spawn(&export)).collect();
    let mut exits = Vec::new();
    for run in running {
        exits.push(run.finish().await.exit);
    }
    exits.sort_unstable();
    assert_eq!(exits, [0, 4, 4, 4]);
    assert_eq!(names(agent.home()), ["plan.md"]);
}

#[tokio::test]
async fn a_failed_export_leaves_no_files() {
    let (server, agent) = shared_server_and_agent().await;
    let document = two_versions(&server).await;
    fs::create_dir(agent.home().join("folder")).unwrap();
    let unknown = ids::fresh();
    for (id, path, more, exit, code) in [
        (document.id.as_str(), "missing/plan.md", &[][..], 4, "FILE_NOT_FOUND"),
        (&document.id, "folder", &["--force"], 4, "INVALID_INPUT"),
        (&document.id, "plan.md", &["--version", "3"], 2, "DOCUMENT_NOT_FOUND"),
        (&document.id, "plan.md", &["--version", "0"], 4, "INVALID_INPUT"),
        (&unknown, "plan.md", &[], 2, "DOCUMENT_NOT_FOUND"),
        ("nonsense", "plan.md", &[], 4, "INVALID_INPUT"),
    ] {
        let args = [&["docs", "export", id, "--output", path], more].concat();
        let failure = agent.run(&args).await.failure(exit, code);
        assert_eq!(names(agent.home()), ["folder"], "{failure}");
        assert_eq!(names(&agent.home().join("folder")), [""; 0], "{failure}");
    }
}

#[tokio::test]
async fn get_reports_errors_on_stderr_when_stdout_is_for_the_content() {
    let (server, agent) = shared_server_and_agent().await;
    let document = two_versions(&server).await;
    refused_bare(&agent.run(&["docs", "get", &document.id, "--version", "3"]).await, 2, "DOCUMENT_NOT_FOUND");
    refused_bare(&agent.run(&["docs", "get", &ids::fresh()]).await, 2, "DOCUMENT_NOT_FOUND");
    refused_bare(&agent.run(&["docs", "get", "nonsense"]).await, 4, "INVALID_INPUT");
    let run = agent.run(&["docs", "get", &ids::fresh(), "--format", "json"]).await;
    run.failure(2, "DOCUMENT_NOT_FOUND");
    // Usage errors are reported as JSON in every format.
    agent.run(&["docs", "get"]).await.failure(4, "INVALID_INPUT");
    agent.run(&["docs", "get", &document.id, "--version", "two"]).await.failure(4, "INVALID_INPUT");
}

#[tokio::test]
async fn get_reports_an_unavailable_server_on_stderr() {
    let agent = Agent::new("http://127.0.0.1:1");
    refused_bare(&agent.run(&["docs", "get", &ids::fresh()]).await, 3, "CONNECTION_ERROR");
}

#[tokio::test]
async fn invalid_documents_are_refused_and_not_stored() {
    let (server, agent) = server_and_agent().await;
    let document = Document::create(&server.client()).await;
    let binary = agent.file("binary", b"text\xff\xfe");
    let bell = agent.file("bell", "a\u{7}");
    let over = agent.file("over", "x".repeat(1_048_577));
    let far_over = agent.file("far-over", "x".repeat(20_000_000));
    let missing = agent.home().join("missing").to_str().unwrap().to_owned();
    let folder = agent.home().to_str().unwrap().to_owned();
    let summary = "ệ".repeat(501);
    let metadata = json!({"a": "x".repeat(65_529)}).to_string();
    let ok = ["--summary", "s", "--content", "c"];
    let file = |path| ["--summary", "s", "--file", path];
    let cases: [(Vec<&str>, &str, &str); 17] = [
        (file(&missing).to_vec(), "FILE_NOT_FOUND", "missing"),
        (file(&folder).to_vec(), "FILE_NOT_FOUND", &folder),
        (file(&binary).to_vec(), "INVALID_INPUT", "byte 4"),
        (file(&bell).to_vec(), "INVALID_INPUT", "U+0007 at position 1"),
        (file(&over).to_vec(), "CONTENT_TOO_LARGE", "1048577"),
        (file(&far_over).to_vec(), "CONTENT_TOO_LARGE", "body"),
        (vec!["--summary", &summary, "--content", "c"], "CONTENT_TOO_LARGE", "501"),
        (vec!["--summary", "\u{1b}", "--content", "c"], "INVALID_INPUT", "U+001B at position 0"),
        ([&ok[..], &["--metadata", "[]"]].concat(), "INVALID_INPUT", "metadata"),
        ([&ok[..], &["--metadata", "1"]].concat(), "INVALID_INPUT", "metadata"),
        ([&ok[..], &["--metadata", "{"]].concat(), "INVALID_INPUT", "--metadata"),
        ([&ok[..], &["--metadata", ""]].concat(), "INVALID_INPUT", "--metadata"),
        ([&ok[..], &["--metadata", r#"{"a":"\u0000"}"#]].concat(), "INVALID_INPUT", "U+0000"),
        ([&ok[..], &["--metadata", &metadata]].concat(), "CONTENT_TOO_LARGE", "metadata"),
        ([&ok[..], &["--client-request-id", "a b"]].concat(), "INVALID_INPUT", "client_request_id"),
        (vec!["--content", "c"], "INVALID_INPUT", "--summary"),
        (vec!["--summary", "s"], "INVALID_INPUT", "--file"),
    ];
    for (given, code, named) in cases {
        for verb in [&["docs", "create"][..], &["docs", "submit", &document.id]] {
            let failure = agent.run(&[verb, &given].concat()).await.failure(4, code);
            assert!(text(&failure["error"]["message"]).contains(named), "{named} is not named: {failure}");
        }
    }
    let unknown = ids::fresh();
    let submit = |id| [&["docs", "submit", id], &ok[..]].concat();
    agent.run(&submit(&unknown)).await.failure(2, "DOCUMENT_NOT_FOUND");
    agent.run(&submit("nonsense")).await.failure(4, "INVALID_INPUT");
    assert_eq!(server.client().get("/documents").await.data(200)["total"], 1);
    assert_eq!(document.history("").await.data(200)["total"], 1);
}

#[tokio::test]
async fn a_document_of_ten_mib_is_stored_if_the_server_allows_it() {
    let server = Server::with(Settings::new().env("DEBATE_MAX_DOCUMENT_BYTES", "10485760")).await;
    let agent = Agent::new(&server.url());
    let content = "0123456789abcde\n".repeat(655_360);
    let path = agent.file("long.md", &content);
    let id = text(&agent.run(&["docs", "create", "--summary", "s", "--file", &path]).await.data()["document_id"]);
    assert!(agent.run(&["docs", "get", &id]).await.stdout == content);
    agent.run(&["docs", "export", &id, "--output", "out.md"]).await.data();
    assert!(fs::read_to_string(agent.home().join("out.md")).unwrap() == content);
}

#[tokio::test]
async fn a_request_id_cannot_be_used_for_another_document() {
    let (server, agent) = server_and_agent().await;
    let create = |content| ["docs", "create", "--summary", "s", "--content", content, "--client-request-id", "r1"];
    agent.run(&create("one")).await.data();
    agent.run(&create("two")).await.failure(4, "IDEMPOTENCY_CONFLICT");
    let documents: Value = server.client().get("/documents").await.data(200);
    assert_eq!(documents["total"], 1);
}
