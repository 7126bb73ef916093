//! `aweave-server copy` between SQLite and PostgreSQL.

use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;
use tests::{
    binaries,
    debate::{Debate, SITUATIONS},
    document::Document,
    request_bodies,
    server::{Server, Settings},
    store::{Backend, Store},
};

fn copy(from: &str, to: &str) -> Output {
    let mut command = Command::new(binaries::server());
    command.args(["copy", "--from", from, "--to", to]).env_clear().output().expect("the server's binary runs")
}

#[track_caller]
fn copied(from: &str, to: &str) -> String {
    let output = copy(from, to);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && output.stdout.is_empty(), "{said}");
    said
}

#[track_caller]
fn refused(from: &str, to: &str) -> String {
    let output = copy(from, to);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code().is_some_and(|code| code != 0) && !said.contains("panicked"), "{said}");
    said
}

fn fresh(backend: Backend) -> (Store, TempDir) {
    let folder = TempDir::new().unwrap();
    (Store::fresh_on(backend, folder.path()), folder)
}

async fn serve(store: &Store) -> Server {
    let settings = Settings::new().args(&["--database-url", &store.url()]);
    Server::on_store(settings, &fresh(Backend::Sqlite).0).await
}

async fn end(mut server: Server) {
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
}

/// The paths and data of all responses to compare.
type Stored = Vec<(String, Value)>;

/// A database with debates in every situation and a document.
async fn filled(backend: Backend) -> (Store, TempDir, Stored) {
    let (store, folder) = fresh(backend);
    let server = serve(&store).await;
    let client = server.client();
    let mut paths = vec!["/debates".to_owned(), "/documents".to_owned()];
    for situation in SITUATIONS {
        paths.push(Debate::in_situation(&client, situation).await.path(""));
    }
    let debate = Debate::with_issues(&client).await;
    paths.extend([debate.path(""), debate.path("/issues?history=true")]);
    let document = Document::create(&client).await;
    document.submit(&request_bodies::document("Two.\n")).await;
    paths.extend([document.path("?version=1"), document.path("?version=2"), document.path("/versions")]);
    let mut stored = Vec::new();
    for path in paths {
        let data = client.get(&path).await.data(200);
        stored.push((path, data));
    }
    end(server).await;
    (store, folder, stored)
}

async fn holds(store: &Store, expected: &Stored) {
    let server = serve(store).await;
    for (path, data) in expected {
        assert_eq!(server.client().get(path).await.data(200), *data, "{path}");
    }
    end(server).await;
}

#[tokio::test]
async fn copying_to_postgresql_and_back_preserves_all_data() {
    let (first, _first_folder, stored) = filled(Backend::Sqlite).await;
    let (second, _second_folder) = fresh(Backend::Postgres);
    let (third, _third_folder) = fresh(Backend::Sqlite);
    let said = copied(&first.url(), &second.url());
    let all = format!("in order: {} debates with ", SITUATIONS.len() + 1);
    assert!(said.contains(&all) && said.ends_with("1 document with 2 versions\n"), "{said}");
    holds(&second, &stored).await;
    copied(&second.url(), &third.url());
    holds(&third, &stored).await;
}

#[tokio::test]
async fn an_interrupted_copy_can_be_resumed() {
    let (source, _source_folder, stored) = filled(Backend::Sqlite).await;
    let (target, _target_folder) = fresh(Backend::Postgres);
    copied(&source.url(), &target.url());
    // An interrupted copy leaves only the first rows.
    let database = target.database();
    database.run("DELETE FROM arguments WHERE id > (SELECT id FROM arguments ORDER BY id OFFSET 7 LIMIT 1)");
    copied(&source.url(), &target.url());
    database.run("DELETE FROM issues; DELETE FROM arguments; DELETE FROM debates; DELETE FROM document_versions WHERE version = 2");
    copied(&source.url(), &target.url());
    // A copy of a complete target changes nothing.
    copied(&source.url(), &target.url());
    holds(&target, &stored).await;
}

#[tokio::test]
async fn a_target_with_other_debates_is_refused_and_left_unchanged() {
    let (source, _source_folder, _) = filled(Backend::Sqlite).await;
    let (target, _target_folder, stored) = filled(Backend::Postgres).await;
    let said = refused(&source.url(), &target.url());
    assert!(said.contains("table debates"), "{said}");
    holds(&target, &stored).await;
    // One different row is enough.
    let (target, _target_folder) = fresh(Backend::Postgres);
    copied(&source.url(), &target.url());
    target.database().run("UPDATE arguments SET content = 'something else' WHERE seq = 1");
    assert!(refused(&source.url(), &target.url()).contains("table arguments"));
}

#[tokio::test]
async fn copy_refuses_a_history_that_does_not_lead_to_its_state() {
    let (source, _source_folder, _) = filled(Backend::Postgres).await;
    source.database().run("UPDATE debates SET state = 'CLOSED', state_detail = NULL, option_count = NULL");
    let said = refused(&source.url(), &fresh(Backend::Postgres).0.url());
    assert!(said.contains("table debates, column state"), "{said}");
}

#[tokio::test]
async fn copy_refuses_a_file_in_use_and_does_not_create_a_missing_one() {
    let (source, _source_folder) = fresh(Backend::Sqlite);
    let (target, _target_folder) = fresh(Backend::Postgres);
    let said = refused(&source.url(), &target.url());
    assert!(said.contains("there is no database") && !source.path().exists(), "{said}");
    let server = serve(&source).await;
    let said = refused(&source.url(), &target.url());
    assert!(said.contains("in use by another aweave-server"), "{said}");
    drop(server);
}
