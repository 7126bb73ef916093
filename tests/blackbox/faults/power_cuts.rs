//! Power cuts: replays the log of a server's writes and syncs up to any moment and checks what is left on the disk.

use std::{collections::HashMap, fs, path::Path, sync::Arc};

use fastrand::Rng;
use tests::{
    fault_injector::{Event, FaultInjector, File, Record, records},
    os,
    random::{fault_factor, seed},
    report::report,
    server::{Server, Settings},
    store::{Backend, Store},
};
use tokio::task::JoinSet;

use super::{
    invariants::{check_server, check_stored, resend_unacknowledged},
    simulated_disk::{Cut, Disk},
    stored_data::Stored,
    workload::Workload,
    write_log::{Write, WriteLog},
};

const CLIENTS: usize = 8;

/// The number of writes in each of the three runs of the recorded server.
const WRITES: usize = 100;

/// The number of power cuts per recording, and after how many of them a server is started on what is left.
fn cuts() -> (usize, usize) {
    if fault_factor() == 1 { (400, 100) } else { (10_000, 1_000) }
}

/// The disk operations of a server and the writes that it acknowledged meanwhile.
struct Recording {
    log: Vec<u8>,
    writes: Vec<Write>,
}

/// Which syncs take effect.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Syncs {
    /// All of them
    All,
    /// Only those of SQLite with `synchronous=NORMAL`, which are at checkpoints
    Normal,
    /// None: the disk reports success without syncing
    None,
}

impl Recording {
    /// Records a server that is restarted once and killed once.
    async fn make(seed: u64) -> Self {
        let home = os::folder_in_memory();
        let store = Store::fresh_on(Backend::Sqlite, home.path());
        let injector = Arc::new(FaultInjector::for_store(&store));
        let mut server = Server::on_store(injector.apply_to(Settings::new().restartable()), &store).await;
        let watched = injector.clone();
        let mut workload =
            Workload::start(&server.client(), CLIENTS, seed, WriteLog::new(move || watched.log_position()));
        workload.run_for(WRITES).await;
        server.terminate();
        server.wait_for_exit().await;
        server.restart().await;
        workload.run_for(WRITES).await;
        server.kill();
        server.restart().await;
        workload.run_for(WRITES).await;
        let recording = Self { writes: workload.end().await, log: injector.log() };
        assert_eq!(check_server(&server, &recording.writes).await, Ok(()));
        recording
    }

    /// The operations, each with the log position at which it ends. Syncs without effect are left out.
    fn steps(&self, syncs: Syncs) -> Vec<(Record<'_>, u64)> {
        let all: Vec<_> = records(&self.log).collect();
        let counts = |at: usize| match syncs {
            Syncs::All => true,
            Syncs::None => all[at].0.file == File::Folder,
            Syncs::Normal => {
                let next = all[at + 1..].iter().find(|(record, _)| record.event != Event::Synced);
                let into_database = next.is_some_and(|(record, _)| record.file == File::Database);
                let of_head = at > 0 && matches!(all[at - 1].0.event, Event::Written { at: 0, .. });
                all[at].0.file != File::Log || into_database || of_head
            }
        };
        let taken = |at: &usize| all[*at].0.event != Event::Synced || counts(*at);
        (0..all.len()).filter(taken).map(|at| all[at]).collect()
    }

    /// Cuts the power at `count` random moments and returns the violations.
    async fn cut(&self, syncs: Syncs, count: usize, by_server: Option<usize>, seed: u64) -> Vec<String> {
        let (steps, mut random) = (self.steps(syncs), Rng::with_seed(seed));
        let mut moments: Vec<usize> = (0..count).map(|_| random.usize(..steps.len())).collect();
        moments.sort_unstable();
        let (mut disk, mut done, mut faults) = (Disk::new(), 0, Vec::new());
        for (number, moment) in moments.into_iter().enumerate() {
            for (step, _) in &steps[done..=moment] {
                disk.apply(*step);
            }
            done = moment + 1;
            let cut = Cut::ALL[random.usize(..Cut::ALL.len())];
            let (left, position) = (disk.after(cut, &mut random), steps[moment].1);
            let mut found = self.check_files(&left, position).await;
            if found.is_ok() && by_server.is_some_and(|each| (number + 1) % each == 0) {
                found = self.check_with_server(&left, position).await;
            }
            if let Err(fault) = found {
                faults.push(format!("{cut:?} after step {moment} of {}, seed {seed}: {fault}", steps.len()));
            }
        }
        faults
    }

    /// Reads the remaining files with SQLite.
    async fn check_files(&self, left: &HashMap<File, Vec<u8>>, position: u64) -> Result<(), String> {
        let folder = os::folder_in_memory();
        let path = folder.path().join("debate.db");
        put(left, &path);
        check_stored(&Stored::read_from_sqlite(&path).await?, &self.writes, position)
    }

    /// Starts a server on the remaining files and resends unacknowledged writes.
    async fn check_with_server(&self, left: &HashMap<File, Vec<u8>>, position: u64) -> Result<(), String> {
        let folder = os::folder_in_memory();
        let path = folder.path().join("data").join("debate.db");
        fs::create_dir(folder.path().join("data")).unwrap();
        put(left, &path);
        let server = Server::on_store(Settings::new(), &Store::at(path)).await;
        let settled = resend_unacknowledged(&server.client(), &self.writes, position).await;
        check_server(&server, &settled).await
    }
}

/// Writes the remaining files. The database file always exists.
fn put(left: &HashMap<File, Vec<u8>>, database: &Path) {
    fs::write(database, []).unwrap();
    for (file, content) in left {
        let name = match file {
            File::Database => "debate.db",
            File::Log => "debate.db-wal",
            File::Journal => "debate.db-journal",
            File::Index | File::Folder | File::ParentFolder => {
                unreachable!("nothing is written down of what is in them")
            }
        };
        fs::write(database.with_file_name(name), content).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn power_cuts_lose_nothing_acknowledged() {
    let (seed, (count, by_server)) = (seed(), cuts());
    let mut rounds = JoinSet::new();
    for round in 0..fault_factor() as u64 {
        if rounds.len() == 2 {
            assert_eq!(rounds.join_next().await.unwrap().unwrap(), Vec::<String>::new());
        }
        let seed = seed.wrapping_add(1_000 * round);
        rounds.spawn(async move {
            let recording = Recording::make(seed).await;
            recording.cut(Syncs::All, count, Some(by_server), seed).await
        });
    }
    while let Some(faults) = rounds.join_next().await {
        assert_eq!(faults.unwrap(), Vec::<String>::new());
    }
    report(&format!("{} power cuts, AWEAVE_SEED={seed}", count * fault_factor()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_database_folder_is_synced_before_the_first_acknowledgement() {
    let recording = Recording::make(seed()).await;
    let mut steps = records(&recording.log).map(|(record, at)| (record.file, record.event, at));
    let made = steps.find(|(file, event, _)| (*file, *event) == (File::ParentFolder, Event::Synced));
    let (_, _, made) = made.expect("the database's folder is never synced");
    let acknowledged =
        recording.writes.iter().filter_map(|write| write.acknowledged.as_ref()).map(|acknowledged| acknowledged.at);
    assert!(
        acknowledged.min().is_some_and(|first| made < first),
        "a write was acknowledged before the folder was synced at {made}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn control_power_cuts_lose_writes_without_full_syncs() {
    const CUTS: usize = 100;
    let seed = seed();
    let recording = Recording::make(seed).await;
    let normal = recording.cut(Syncs::Normal, CUTS, None, seed).await;
    let lost = normal.iter().filter(|fault| fault.contains("lost")).count();
    assert!(lost > 0, "synchronous=NORMAL lost nothing, so the test proves nothing");
    assert_eq!(lost, normal.len(), "it loses only the last writes: {normal:#?}");
    let lying = recording.cut(Syncs::None, CUTS, None, seed).await;
    assert!(!lying.is_empty(), "a disk that does not sync lost nothing, so the test proves nothing");
    report(&format!(
        "of {CUTS} power cuts {lost} lose something with synchronous=NORMAL, and {} with a disk that does not sync",
        lying.len()
    ));
}
