//! Servers that are killed under load.

use std::time::Duration;

use fastrand::Rng;
use tests::{
    random::{fault_factor, seed},
    report::report,
    server::{Server, Settings},
};
use tokio::time::sleep;

use super::{invariants::check_server, workload::Workload, write_log::WriteLog};

const CLIENTS: usize = 64;

/// The minimum number of acknowledged writes between two crashes.
const BETWEEN: usize = 100;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn crashes_under_load_lose_no_acknowledged_write_and_store_none_twice() {
    let (seed, crashes) = (seed(), 10 * fault_factor());
    let mut random = Rng::with_seed(seed);
    let mut server = Server::with(Settings::new().restartable()).await;
    let mut workload = Workload::start(&server.client(), CLIENTS, seed, WriteLog::new(|| 0));
    for _ in 0..crashes {
        workload.run_for(BETWEEN).await;
        // A random moment within a batch.
        sleep(Duration::from_micros(random.u64(..20_000))).await;
        server.kill();
        server.restart().await;
    }
    let unknown = workload.unknown();
    let writes = workload.end().await;
    assert_eq!(check_server(&server, &writes).await, Ok(()));
    assert!(unknown > 0, "no crash interrupted a write, so the test proves nothing");
    report(&format!(
        "{crashes} crashes under {CLIENTS} clients: {} writes, {unknown} requests without a response, AWEAVE_SEED={seed}",
        writes.len()
    ));
}

/// Deliberate damage to a database, and parts of the messages that may report it.
const DAMAGE: [(&str, &[&str]); 10] = [
    (
        "DELETE FROM document_versions WHERE version = (SELECT max(version) FROM document_versions); \
         UPDATE documents SET latest_version = (SELECT max(version) FROM document_versions WHERE document_id = id)",
        &["lost"],
    ),
    ("UPDATE document_versions SET content = content || '.'", &["nobody wrote"]),
    ("UPDATE document_versions SET summary = summary || '.'", &["was acknowledged as"]),
    (
        "UPDATE document_versions SET content = (SELECT max(content) FROM document_versions)",
        &["was acknowledged as", "there twice"],
    ),
    ("UPDATE arguments SET content = (SELECT max(content) FROM arguments)", &["HISTORY_INVALID"]),
    ("UPDATE issues SET title = title || '.' WHERE number = 1", &["are stored as"]),
    ("UPDATE arguments SET issue_changes = NULL WHERE seq = 2", &["HISTORY_INVALID"]),
    ("UPDATE arguments SET citations = NULL", &["HISTORY_INVALID"]),
    ("UPDATE document_versions SET sha256 = (SELECT max(sha256) FROM document_versions)", &["was acknowledged as"]),
    ("UPDATE document_versions SET metadata = '{\"turn\":9}' WHERE version > 1", &["was acknowledged as"]),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_damaged_data_is_detected() {
    for (sql, said) in DAMAGE {
        let mut server = Server::with(Settings::new().restartable()).await;
        let mut workload = Workload::start(&server.client(), 4, seed(), WriteLog::new(|| 0));
        workload.run_for(60).await;
        let writes = workload.end().await;
        assert_eq!(check_server(&server, &writes).await, Ok(()));
        server.kill();
        server.store().run(sql);
        server.restart().await;
        let found = check_server(&server, &writes).await.expect_err(sql);
        assert!(said.iter().any(|said| found.contains(said)), "{sql}: {found}");
    }
}
