//! Servers that die while they bring a database up to date.

use std::fs;

use fastrand::Rng;
use serde_json::Value;
use tempfile::TempDir;
use tests::{
    random::{fault_factor, seed}, report::report,
    debate::{Debate, SITUATIONS},
    document::Document,
    fault_injector::{DiskOperation, Fault, FaultInjector},
    server::{Server, Settings},
    store::{Backend, Store},
};

use crate::aweave_server::backup_and_restore::{WITHOUT_HASHES, all};

/// Makes of a database what it was before titles had an index and debates were counted along.
const WITHOUT_TOTALS: &str = "DROP TRIGGER debate_titles_insert; DROP TABLE debate_titles; DROP TABLE debate_totals; \
                              DELETE FROM seaql_migrations WHERE version LIKE 'm0005%'";

/// Makes of a database what it was before debates without hashes were found at once.
const WITHOUT_INDEX: &str = "DROP INDEX debates_unsealed_idx; DELETE FROM seaql_migrations WHERE version LIKE 'm0004%'";

/// Makes of a database without hashes what it was before there were documents.
const WITHOUT_DOCUMENTS: &str =
    "DROP TABLE document_versions; DROP TABLE documents; DELETE FROM seaql_migrations WHERE version LIKE 'm0002%'";

/// What is done to a disk while a schema changes.
const STEPS: [Call; 5] = [DiskOperation::Open, DiskOperation::Write, DiskOperation::Truncate, DiskOperation::Sync, DiskOperation::Unlink];

/// The file of a database that older servers wrote, in each of the schemas that there were; none where they wrote nothing.
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
    for sql in [WITHOUT_TOTALS, WITHOUT_INDEX, WITHOUT_HASHES, WITHOUT_DOCUMENTS] {
        store.run(sql);
        older.push(Some(fs::read(store.path()).unwrap()));
    }
    older
}

/// A store with that in it.
fn store_with(folder: &TempDir, content: Option<&Vec<u8>>) -> Store {
    let store = Store::fresh_on(Backend::Sqlite, folder.path());
    if let Some(content) = content {
        fs::create_dir(store.path().parent().unwrap()).unwrap();
        fs::write(store.path(), content).unwrap();
    }
    store
}

/// What a server tells that starts on it and is well.
async fn told(store: &Store) -> Vec<Value> {
    let server = Server::on_store(Settings::new(), store).await;
    let told = all(&server.client()).await;
    let (fine, said) = server.verify();
    assert!(fine, "{said}");
    Debate::create(&server.client()).await;
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_dies_at_any_step_of_an_upgrade_has_lost_nothing_at_its_next_start() {
    let (seed, mut deaths) = (seed(), 0);
    let mut random = Rng::with_seed(seed);
    for content in older().await {
        let expected = told(&store_with(&TempDir::new().unwrap(), content.as_ref())).await;
        let debates = expected[0]["total"].as_u64().expect("a number");
        assert_eq!(debates, if content.is_some() { SITUATIONS.len() as u64 } else { 0 });
        for call in STEPS {
            let mut skipped = 0;
            loop {
                let folder = TempDir::new().unwrap();
                let store = store_with(&folder, content.as_ref());
                let injector = FaultInjector::for_store(&store);
                injector.set_faults(&[Fault::Crash { call, skipped }]);
                drop(Server::try_start(&injector.apply_to(Settings::new()), &store).await);
                if injector.failures() == 0 {
                    break;
                }
                deaths += 1;
                assert_eq!(told(&store).await, expected, "{call:?} {skipped}, AWEAVE_SEED={seed}");
                // Short runs try some of them.
                skipped += if fault_factor() == 1 { random.u64(1..12) } else { 1 };
            }
        }
    }
    assert!(deaths > 20, "{deaths} deaths are too few to have tested anything");
    report(&format!("a server died at {deaths} steps of upgrades, AWEAVE_SEED={seed}"));
}
