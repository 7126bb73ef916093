//! A log that cannot be written ends nothing.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    process::Command,
};

use rustix::fs::{Mode, OFlags};
use serde_json::Value;
use tempfile::TempDir;
use tests::{
    debate::{Debate, Situation},
    polling,
    report::report_skipped,
    server::{Server, Settings},
    tmpfs::Tmpfs,
};

/// Leads debates to their end at a server with this log, and stops it in order.
async fn goes_on(settings: Settings) {
    let mut server = Server::with(settings.env("RUST_LOG", "debug")).await;
    for _ in 0..3 {
        let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
        assert_eq!(debate.stored().await["debate"]["state"], "CLOSED");
        server.client().get("/nonsense").await.refusal("NOT_FOUND");
    }
    server.client().get("/health").await.data(200);
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_goes_on_where_its_log_is_on_a_full_disk() {
    goes_on(Settings::new().log_to(Path::new("/dev/full"))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_goes_on_where_nobody_reads_the_pipe_of_its_log() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("log");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = rustix::fs::open(&pipe, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()).unwrap();
    // Whoever starts the server can open the pipe only while somebody reads it.
    let server = Server::with(Settings::new().log_to(&pipe).env("RUST_LOG", "debug")).await;
    drop(reader);
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    assert_eq!(debate.stored().await["debate"]["state"], "CLOSED");
    server.client().get("/health").await.data(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_goes_on_with_whole_lines_once_its_disk_has_room_again() {
    let mount = match Tmpfs::of_kibibytes(256) {
        Ok(mount) => mount,
        Err(why) => return report_skipped("a log on a full file system", &why),
    };
    let (log, filler) = (mount.path().join("log"), mount.path().join("filler"));
    let server = Server::with(Settings::new().log_to(&log)).await;
    let mut file = File::create(&filler).unwrap();
    while file.write_all(&[0; 1024]).is_ok() {}
    drop(file);
    let length = || fs::metadata(&log).unwrap().len();
    // The last page of the log has some room left.
    for _ in 0..100 {
        server.client().get("/info").await.data(200);
    }
    let full = length();
    server.client().get("/info").await.data(200);
    assert_eq!(length(), full, "there is no room for a line");
    fs::remove_file(&filler).unwrap();
    server.client().get("/debates").await.data(200);
    polling::until("a line about /debates", || {
        let text = fs::read_to_string(&log).unwrap();
        let is_told =
            |line: &&str| serde_json::from_str::<Value>(line).is_ok_and(|line| line["fields"]["route"] == "/debates");
        text.lines().find(is_told).map(|_| ())
    })
    .await;
}
