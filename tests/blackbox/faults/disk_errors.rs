//! Disks that are full, read-only or broken for a while: writes are refused and nothing else is affected.

use std::{collections::BTreeMap, fs, io::Write as _, path::Path};

use fastrand::Rng;
use futures_util::future::join_all;
use rustix::io::Errno;
use serde_json::Value;
use tests::{
    api_response::ApiResponse,
    cli::Agent,
    client::Client,
    debate::text,
    fault_injector::{DiskOperation, Fault, FaultInjector},
    ids,
    os::{folder_in_memory, limit_file_size},
    polling::DEADLINE,
    random::{fault_factor, seed},
    report::{report, report_skipped},
    request_bodies::{self, with},
    server::{Server, Settings},
    store::{Backend, Store},
    tmpfs::Tmpfs,
};
use tokio::time::timeout;

use super::{
    invariants::{check_server, resend_unacknowledged},
    write_log::{Write, WriteLog},
};

/// The errors of a full, a read-only and a broken disk.
const FAULTS: [Errno; 3] = [Errno::NOSPC, Errno::ROFS, Errno::IO];

/// A server whose disk fails on demand.
struct Fixture {
    server: Server,
    injector: FaultInjector,
    write_log: WriteLog,
    _home: tempfile::TempDir,
}

impl Fixture {
    async fn start() -> Self {
        let home = tempfile::TempDir::new().unwrap();
        let store = Store::fresh_on(Backend::Sqlite, home.path());
        let injector = FaultInjector::for_store(&store);
        let server = Server::on_store(injector.apply_to(Settings::new().restartable()), &store).await;
        Self { server, injector, write_log: WriteLog::new(|| 0), _home: home }
    }

    /// Sends a write once. It is stored, or refused because of the disk.
    async fn send(&self, path: &str, body: &Value) -> Option<Value> {
        send(&self.server.client(), &self.write_log, path, body).await
    }

    /// Removes the faults, resends the refused writes and checks everything.
    async fn settle(&self) -> Result<Vec<Write>, String> {
        self.injector.set_faults(&[]);
        let settled = resend_unacknowledged(&self.server.client(), &self.write_log.writes(), u64::MAX).await;
        check_server(&self.server, &settled).await.map(|()| settled)
    }
}

async fn send(client: &Client, write_log: &WriteLog, path: &str, body: &Value) -> Option<Value> {
    let number = write_log.sends(path, body);
    let answer = timeout(DEADLINE, client.post(path, body)).await.expect("an answer");
    if answer.status < 300 {
        let data = answer.data_of_any_success();
        write_log.acknowledges(number, data.clone());
        return Some(data);
    }
    is_passing(answer);
    None
}

fn is_passing(answer: ApiResponse) {
    let error = answer.refusal("STORE_UNAVAILABLE");
    assert!(error["retry_after"].as_u64().is_some_and(|seconds| seconds > 0), "{error}");
}

fn fresh(words: usize) -> String {
    format!("{} {}", ids::fresh(), "of the plan ".repeat(words))
}

/// Creates a debate with a claim and a document with a second version, as far as the disk allows.
async fn script(fixture: &Fixture) {
    let opening = with(request_bodies::creation(), "motion_content", fresh(3));
    let opened = fixture.send("/debates", &opening).await;
    let document = fixture.send("/documents", &request_bodies::document(&fresh(300))).await;
    if let Some(opened) = opened {
        let claim = with(request_bodies::claim("opponent", &text(&opened["argument"]["id"])), "content", fresh(30));
        fixture.send(&format!("/debates/{}/arguments", text(&opened["debate"]["id"])), &claim).await;
    }
    if let Some(document) = document {
        let path = format!("/documents/{}/versions", text(&document["document"]["id"]));
        fixture.send(&path, &request_bodies::document(&fresh(300))).await;
    }
    // Reads succeed or are refused because of the disk.
    for path in ["/debates", "/documents", "/health", "/search?q=plan&kind=argument"] {
        let answer = fixture.server.client().get(path).await;
        if answer.status != 200 {
            is_passing(answer);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_disk_operation_refuses_writes_and_harms_nothing_else() {
    let (seed, mut fixture) = (seed(), Fixture::start().await);
    let (mut random, mut tried) = (Rng::with_seed(seed), BTreeMap::new());
    for operation in DiskOperation::ALL {
        for errno in FAULTS {
            for skipped in 0.. {
                let times = if random.bool() { 1 } else { random.u64(2..200) };
                let before = fixture.injector.injected_failures();
                fixture.injector.set_faults(&[Fault::Fail { operation, errno, skipped, times }]);
                script(&fixture).await;
                if fixture.injector.injected_failures() == before {
                    break;
                }
                *tried.entry(format!("{operation:?}")).or_insert(0) += 1;
                // Short runs stop here: most of what matters happens at the first operations.
                if fault_factor() == 1 && skipped >= 8 {
                    break;
                }
                fixture.injector.set_faults(&[]);
            }
        }
        fixture.settle().await.unwrap_or_else(|fault| panic!("{operation:?}: {fault}"));
    }
    fixture.settle().await.unwrap();
    fixture.server.kill();
    fixture.server.restart().await;
    let settled = fixture.settle().await.unwrap();
    assert!(tried.get("Write").is_some_and(|writes| *writes > 5), "{tried:?}");
    report(&format!("calls that failed: {tried:?}; {} writes, AWEAVE_SEED={seed}", settled.len()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_recovers_from_a_failing_disk_without_a_restart() {
    for errno in FAULTS {
        let fixture = Fixture::start().await;
        script(&fixture).await;
        let stored = fixture.write_log.acknowledged();
        fixture.injector.set_faults(&Fault::fail_all(
            &[DiskOperation::Open, DiskOperation::Write, DiskOperation::Truncate, DiskOperation::Sync],
            errno,
        ));
        for _ in 0..5 {
            script(&fixture).await;
        }
        assert_eq!(
            fixture.write_log.acknowledged(),
            stored,
            "{errno}: something was stored on a disk that takes nothing"
        );
        let settled = fixture.settle().await.unwrap();
        assert!(settled.len() >= stored + 10, "{errno}: {} writes", settled.len());
    }
}

/// Fills the file system.
fn fill(path: &Path) {
    let mut filler = fs::File::create(path).expect("a file");
    while filler.write_all(&[0; 4096]).is_ok() {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_recovers_from_a_full_file_system_without_a_restart() {
    let mount = match Tmpfs::of_kibibytes(16 * 1024) {
        Ok(mount) => mount,
        Err(why) => return report_skipped("a file system that is really full", &why),
    };
    let server = Server::on_store(Settings::new(), &Store::fresh_on(Backend::Sqlite, mount.path())).await;
    let write_log = WriteLog::new(|| 0);
    let large = || request_bodies::document(&fresh(4_000));
    for stored in 1..=3 {
        let mut refused = 0;
        let opening = with(request_bodies::creation(), "motion_content", format!("An unusual motion {}", ids::fresh()));
        send(&server.client(), &write_log, "/debates", &opening).await.expect("there is room");
        fill(&mount.path().join("filler"));
        // The write-ahead log may have room for some writes.
        for _ in 0..200 {
            refused += usize::from(send(&server.client(), &write_log, "/documents", &large()).await.is_none());
            if refused == 5 {
                break;
            }
        }
        assert_eq!(refused, 5, "a full file system refuses writes");
        // Reads go on working.
        server.client().get("/documents").await.data(200);
        let found = server.client().get("/search?q=unusual+motion&kind=argument").await.data(200);
        assert_eq!((&found["total"], &found["complete"]), (&Value::from(stored), &Value::from(true)), "{found}");
        fs::remove_file(mount.path().join("filler")).expect("the file exists");
        let settled = resend_unacknowledged(&server.client(), &write_log.writes(), u64::MAX).await;
        assert_eq!(check_server(&server, &settled).await, Ok(()));
    }
}

#[tokio::test]
async fn a_limit_on_the_size_of_files_is_as_a_full_disk() {
    let folder = folder_in_memory();
    let server = Server::on_store(Settings::new(), &Store::fresh_on(Backend::Sqlite, folder.path())).await;
    let write_log = WriteLog::new(|| 0);
    let write = async || {
        let document = request_bodies::document(&fresh(4_000));
        send(&server.client(), &write_log, "/documents", &document).await
    };
    write().await.expect("there is no limit yet");
    limit_file_size(server.pid(), Some(64 * 1024));
    let mut is_refused = false;
    for _ in 0..200 {
        is_refused |= write().await.is_none();
    }
    assert!(is_refused, "64 KiB have no room for 200 documents");
    server.client().get("/documents").await.data(200);
    limit_file_size(server.pid(), None);
    let settled = resend_unacknowledged(&server.client(), &write_log.writes(), u64::MAX).await;
    assert_eq!(check_server(&server, &settled).await, Ok(()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_small_file_system_that_fills_under_load_is_told_by_everything_and_recovers_without_a_write() {
    let mount = match Tmpfs::of_kibibytes(6 * 1024) {
        Ok(mount) => mount,
        Err(why) => return report_skipped("a file system of 6 MB that fills", &why),
    };
    let mut server = Server::on_store(Settings::new(), &Store::fresh_on(Backend::Sqlite, mount.path())).await;
    let (client, write_log) = (server.client(), WriteLog::new(|| 0));
    let filler = mount.path().join("filler");
    fs::write(&filler, vec![0; 3 * 1024 * 1024]).expect("there is room");
    let health = client.get("/health").await.data(200);
    assert_eq!((&health["reading"], &health["writing"]), (&Value::from("ok"), &Value::from("ok")));
    let writers = (0..4).map(|_| async {
        let mut refused = 0;
        while refused < 3 {
            let document = request_bodies::document(&fresh(2_000));
            refused += usize::from(send(&client, &write_log, "/documents", &document).await.is_none());
        }
    });
    timeout(DEADLINE, join_all(writers)).await.expect("6 MB are soon full");

    let refused =
        client.post("/documents", &request_bodies::document(&fresh(4_000))).await.refusal("STORE_UNAVAILABLE");
    assert!(text(&refused["message"]).contains("nothing can be stored"), "{refused}");
    for hidden in ["SQLite", "database or disk", "tmp", "I/O"] {
        assert!(!refused.to_string().contains(hidden), "{refused}");
    }
    for _ in 0..5 {
        let error = client.get("/health").await.refusal("STORE_UNAVAILABLE");
        assert_eq!((&error["reading"], &error["writing"]), (&Value::from("ok"), &Value::from("failing")), "{error}");
        assert!(text(&error["writing_failing_since"]).ends_with('Z'), "{error}");
    }
    let doctor = Agent::new(&server.url()).run(&["doctor"]).await.failure(3, "STORE_UNAVAILABLE");
    assert!(doctor.to_string().contains("nothing can be stored since"), "{doctor}");
    client.get("/documents").await.data(200);

    fs::remove_file(&filler).expect("the file exists");
    client.get("/health").await.data(200);
    let settled = resend_unacknowledged(&client, &write_log.writes(), u64::MAX).await;
    assert_eq!(check_server(&server, &settled).await, Ok(()));
    client.get("/health").await.data(200);
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0), "it is the same process all the time");
}
