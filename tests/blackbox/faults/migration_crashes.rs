//! Servers that crash while they migrate a database.

use std::fs;

use fastrand::Rng;
use serde_json::Value;
use tempfile::TempDir;
use tests::{
    debate::{Debate, SITUATIONS},
    document::Document,
    fault_injector::{DiskOperation, Fault, FaultInjector},
    random::{fault_factor, seed},
    report::report,
    server::{Server, Settings},
    store::{Backend, Store},
};

use crate::aweave_server::backup_and_restore::{
    WITHOUT_AGENTS, WITHOUT_CHOSEN_LABELS, WITHOUT_CITATIONS, WITHOUT_DEFERRED_ISSUES, WITHOUT_HASHES, WITHOUT_ISSUES,
    WITHOUT_METADATA_HASHES, WITHOUT_PLAN, WITHOUT_RULING_SINCE, WITHOUT_SEARCH_TEXTS, WITHOUT_SEATS,
    WITHOUT_SEEN_VERSIONS, WITHOUT_TITLES, WITHOUT_WEBHOOKS, all,
};

/// Reverts the migration that added the index of rulings.
const WITHOUT_RULINGS_INDEX: &str =
    "DROP INDEX arguments_rulings; DELETE FROM seaql_migrations WHERE version LIKE 'm0006%'";

/// Reverts the migration that added the title index and the totals.
const WITHOUT_TOTALS: &str = "DROP TRIGGER debate_titles_insert; DROP TABLE debate_titles; DROP TABLE debate_totals; \
                              DELETE FROM seaql_migrations WHERE version LIKE 'm0005%'";

/// Reverts the migration that added the index of debates without hashes.
const WITHOUT_INDEX: &str = "DROP INDEX debates_unsealed_idx; DELETE FROM seaql_migrations WHERE version LIKE 'm0004%'";

/// Reverts the migration that added documents, in a database without hashes.
const WITHOUT_DOCUMENTS: &str =
    "DROP TABLE document_versions; DROP TABLE documents; DELETE FROM seaql_migrations WHERE version LIKE 'm0002%'";

/// The disk operations of a migration.
const STEPS: [DiskOperation; 5] =
    [DiskOperation::Open, DiskOperation::Write, DiskOperation::Truncate, DiskOperation::Sync, DiskOperation::Unlink];

/// Database files in each earlier schema, and `None` for no file.
async fn older() -> Vec<Option<Vec<u8>>> {
    let folder = TempDir::new().unwrap();
    let store = Store::fresh_on(Backend::Sqlite, folder.path());
    let mut server = Server::on_store(Settings::new(), &store).await;
    for situation in SITUATIONS {
        Debate::in_situation(&server.client(), situation).await;
    }
    Document::create(&server.client()).await;
    server.terminate();
    server.wait_for_exit().await;
    let mut older = vec![None];
    let migrations = [
        WITHOUT_CHOSEN_LABELS,
        WITHOUT_RULING_SINCE,
        WITHOUT_SEEN_VERSIONS,
        WITHOUT_SEARCH_TEXTS,
        WITHOUT_DEFERRED_ISSUES,
        WITHOUT_METADATA_HASHES,
        WITHOUT_AGENTS,
        WITHOUT_PLAN,
        WITHOUT_WEBHOOKS,
        WITHOUT_SEATS,
        WITHOUT_CITATIONS,
        WITHOUT_TITLES,
        WITHOUT_ISSUES,
        WITHOUT_RULINGS_INDEX,
        WITHOUT_TOTALS,
        WITHOUT_INDEX,
        WITHOUT_HASHES,
        WITHOUT_DOCUMENTS,
    ];
    for sql in migrations {
        store.run(sql);
        older.push(Some(fs::read(store.path()).unwrap()));
    }
    older
}

/// A store with this database file.
fn store_with(folder: &TempDir, content: Option<&Vec<u8>>) -> Store {
    let store = Store::fresh_on(Backend::Sqlite, folder.path());
    if let Some(content) = content {
        fs::create_dir(store.path().parent().unwrap()).unwrap();
        fs::write(store.path(), content).unwrap();
    }
    store
}

/// Starts a server on the store, checks it and returns all data.
async fn start_and_read_all(store: &Store) -> Vec<Value> {
    let server = Server::on_store(Settings::new(), store).await;
    let data = all(&server.client()).await;
    let (fine, said) = server.verify();
    assert!(fine, "{said}");
    Debate::create(&server.client()).await;
    data
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_during_a_migration_loses_nothing() {
    let (seed, mut deaths) = (seed(), 0);
    let mut random = Rng::with_seed(seed);
    for content in older().await {
        let expected = start_and_read_all(&store_with(&TempDir::new().unwrap(), content.as_ref())).await;
        let debates = expected[0]["total"].as_u64().expect("a number");
        assert_eq!(debates, if content.is_some() { SITUATIONS.len() as u64 } else { 0 });
        for operation in STEPS {
            let mut skipped = 0;
            loop {
                let folder = TempDir::new().unwrap();
                let store = store_with(&folder, content.as_ref());
                let injector = FaultInjector::for_store(&store);
                injector.set_faults(&[Fault::Crash { operation, skipped }]);
                drop(Server::try_start(&injector.apply_to(Settings::new()), &store).await);
                if injector.injected_failures() == 0 {
                    break;
                }
                deaths += 1;
                assert_eq!(start_and_read_all(&store).await, expected, "{operation:?} {skipped}, AWEAVE_SEED={seed}");
                // Short runs skip some operations.
                skipped += if fault_factor() == 1 { random.u64(1..24) } else { 1 };
            }
        }
    }
    assert!(deaths > 20, "only {deaths} crashes, so the test proves nothing");
    report(&format!("a server died at {deaths} steps of upgrades, AWEAVE_SEED={seed}"));
}
