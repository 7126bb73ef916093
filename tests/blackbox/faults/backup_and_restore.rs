//! Backups under load, and backup and restore commands that are killed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use fastrand::Rng;
use tempfile::TempDir;
use tests::{
    debate::Debate,
    polling,
    random::{fault_factor, seed},
    report::report,
    request_bodies,
    server::{Server, Settings},
    store::{Backend, Store},
};
use tokio::time::sleep;

use super::{
    invariants::{check_server, check_stored, resend_unacknowledged},
    stored_data::Stored,
    workload::Workload,
    write_log::{Write, WriteLog},
};
use crate::aweave_server::backup_and_restore::{done, restore, restoring, take, taking};

const CLIENTS: usize = 16;

/// The minimum number of writes between two backups.
const BETWEEN: usize = 40;

/// The number of long documents in a store whose backup takes a while.
const LONG_DOCUMENTS: usize = 24;

/// How often the test tries to kill a backup while it copies.
const ATTEMPTS: usize = 20;

/// Backups that were taken under load, and all writes.
///
/// Times are numbers: `2n + 1` while backup `n` is taken, `2n` or less before that.
struct Backups {
    files: Vec<PathBuf>,
    writes: Vec<Write>,
    _folder: TempDir,
}

impl Backups {
    async fn make(count: u64, seed: u64, copy: impl Fn(&Store, &Path)) -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::fresh_on(Backend::Sqlite, folder.path());
        let server = Server::on_store(Settings::new(), &store).await;
        let now = Arc::new(AtomicU64::new(0));
        let clock = now.clone();
        let mut workload =
            Workload::start(&server.client(), CLIENTS, seed, WriteLog::new(move || clock.load(Ordering::SeqCst)));
        let mut files = Vec::new();
        for number in 0..count {
            workload.run_for(BETWEEN).await;
            let file = folder.path().join(format!("{number}.db"));
            now.store(2 * number + 1, Ordering::SeqCst);
            tokio::task::block_in_place(|| copy(&store, &file));
            now.store(2 * number + 2, Ordering::SeqCst);
            files.push(file);
        }
        workload.run_for(BETWEEN).await;
        let writes = workload.end().await;
        assert_eq!(check_server(&server, &writes).await, Ok(()));
        Self { files, writes, _folder: folder }
    }

    /// Checks that a backup has every write acknowledged before it began and none that was sent after it ended.
    async fn check_content(&self, number: usize) -> Result<(), String> {
        let (before, during) = (2 * number as u64, 2 * number as u64 + 1);
        let sent: Vec<Write> = self.writes.iter().filter(|write| write.sent_at <= during).cloned().collect();
        check_stored(&Stored::read_from_sqlite(&self.files[number]).await?, &sent, before)
    }

    /// Restores a backup and starts a server on it.
    async fn restore_and_continue(&self, number: usize) -> Result<(), String> {
        let (before, during) = (2 * number as u64, 2 * number as u64 + 1);
        let folder = TempDir::new().unwrap();
        let store = Store::fresh_on(Backend::Sqlite, folder.path());
        done(restore(&store, &self.files[number]));
        let server = Server::on_store(Settings::new(), &store).await;
        let mut settled = resend_unacknowledged(&server.client(), &self.writes, before).await;
        let meanwhile = self.writes.iter().filter(|write| write.sent_at == during);
        settled.extend(meanwhile.map(|write| Write { acknowledged: None, ..write.clone() }));
        check_server(&server, &settled).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_load_is_consistent_and_a_server_continues_from_it() {
    let (seed, count) = (seed(), 6 * fault_factor());
    let copies = Backups::make(count as u64, seed, |store, file| {
        done(take(store, file, &[]));
    })
    .await;
    for number in 0..count {
        copies
            .check_content(number)
            .await
            .unwrap_or_else(|fault| panic!("backup {number}, AWEAVE_SEED={seed}: {fault}"));
        copies
            .restore_and_continue(number)
            .await
            .unwrap_or_else(|fault| panic!("backup {number}, AWEAVE_SEED={seed}: {fault}"));
    }
    let meanwhile = copies.writes.iter().filter(|write| write.sent_at % 2 == 1).count();
    assert!(meanwhile > 0, "no write fell into a backup, so the test proves nothing");
    report(&format!(
        "{count} backups under {CLIENTS} clients: {} writes, {meanwhile} of them meanwhile, AWEAVE_SEED={seed}",
        copies.writes.len()
    ));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_a_plain_file_copy_under_load_is_inconsistent() {
    let copies = Backups::make(1, seed(), |store, file| {
        fs::copy(store.path(), file).unwrap();
    })
    .await;
    copies.check_content(0).await.expect_err("the plain copy is complete, so the test proves nothing");
}

/// The number of debates in a store. The server is killed afterwards, so that its write-ahead log remains.
async fn count_debates_and_kill(store: &Store) -> u64 {
    let mut server = Server::on_store(Settings::new(), store).await;
    let (fine, said) = server.verify();
    assert!(fine, "{said}");
    let total = server.client().get("/debates").await.data(200)["total"].as_u64().expect("a number");
    // A write that is only in the write-ahead log.
    Debate::create(&server.client()).await;
    server.kill();
    total
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_restore_leaves_the_former_database_or_the_backup() {
    let (seed, kills) = (seed(), 25 * fault_factor());
    let mut random = Rng::with_seed(seed);
    let folder = TempDir::new().unwrap();
    let store = Store::fresh_on(Backend::Sqlite, folder.path());
    let backup = folder.path().join("backup.db");
    count_debates_and_kill(&store).await;
    done(take(&store, &backup, &[]));
    let start = Instant::now();
    done(restore(&store, &backup));
    let mut lasts = start.elapsed();
    let (mut former, mut put_back) = (count_debates_and_kill(&store).await + 1, 0);
    for _ in 0..kills {
        let mut command = restoring(&store, &backup);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // A random moment during the restore or just after it.
        sleep(lasts.mul_f64(1.3 * random.f64())).await;
        child.kill().unwrap();
        let done = child.wait().unwrap().success();
        let there = count_debates_and_kill(&store).await;
        assert!(
            there == 1 || (there == former && !done),
            "{there} debates, where there were {former}, AWEAVE_SEED={seed}"
        );
        put_back += usize::from(there == 1);
        // The machine may be busier or less busy than it was: some kills shall come before the end, and some after it.
        lasts = lasts.mul_f64(if there == 1 { 0.9 } else { 1.1 });
        former = there + 1;
    }
    assert!(
        (1..kills).contains(&put_back),
        "{put_back} of {kills} restores finished before the kill, so the test proves nothing"
    );
    report(&format!(
        "{kills} restores were killed, {put_back} of them after they had replaced the database, AWEAVE_SEED={seed}"
    ));
}

/// The hidden files of a folder.
fn hidden(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with('.')).map(|entry| entry.path()).collect()
}

/// Starts a backup and kills it once it has begun to copy.
async fn kill_during_copy(store: &Store, to: &Path) {
    let folder = to.parent().unwrap();
    for _ in 0..ATTEMPTS {
        let before = hidden(folder);
        let mut command = taking(store, to);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = || (hidden(folder) != before || child.try_wait().unwrap().is_some()).then_some(());
        polling::until("the backup begins to copy", begun).await;
        child.kill().unwrap();
        child.wait().unwrap();
        if hidden(folder).len() > before.len() {
            return;
        }
    }
    panic!("no kill fell into a copy");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_backup_removes_the_unfinished_file_of_a_killed_one_and_nothing_else() {
    let folder = TempDir::new().unwrap();
    let store = Store::fresh_on(Backend::Sqlite, folder.path());
    let mut server = Server::on_store(Settings::new(), &store).await;
    // So much that a kill can fall into the copy.
    for _ in 0..LONG_DOCUMENTS {
        server.client().post("/documents", &request_bodies::document(&"x".repeat(1_000_000))).await.data(201);
    }
    server.kill();
    let backups = folder.path().join("backups");
    fs::create_dir(&backups).unwrap();
    let (to, other) = (backups.join("backup.db"), backups.join("other.db"));
    kill_during_copy(&store, &to).await;
    let is_copy = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "unfinished");
    let copy = hidden(&backups).into_iter().find(is_copy).expect("its copy is left");
    // Whether SQLite left this file depends on when the backup was killed.
    fs::write(format!("{}-journal", copy.display()), "what SQLite has beside it").unwrap();
    let strange = backups.join(".backup.db.notes");
    fs::write(&strange, "not ours").unwrap();
    done(take(&store, &other, &[]));
    assert!(copy.exists(), "a backup of another name removes nothing");
    done(take(&store, &to, &["--force"]));
    assert_eq!(hidden(&backups), [strange], "the copy of the killed backup is still there");
}
