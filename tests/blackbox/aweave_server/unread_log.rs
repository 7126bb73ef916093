//! A log that nobody reads, though its pipe is open, costs lines and nothing else.

use std::{
    fs::File,
    io::{Read, Write},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::fs::{Mode, OFlags};
use serde_json::Value;
use tempfile::TempDir;
use tests::{
    binaries,
    client::Client,
    debate::{Debate, Situation},
    os, polling,
    server::{Server, Settings},
    store::Store,
};

/// How long a command may take that has little to do but to write its log.
const ENDED_WITHIN: Duration = Duration::from_secs(3);

/// How much longer an end may take where nobody reads the log.
const LAST_LINES: Duration = Duration::from_secs(1);

/// How often the time of an end is taken, since a machine that others use holds everything up.
const TRIES: usize = 3;

/// A pipe in a folder, and its end to read.
fn pipe(folder: &Path) -> (std::path::PathBuf, File) {
    let path = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let reader = rustix::fs::open(&path, flags, Mode::empty()).unwrap();
    (path, reader.into())
}

/// Fills a pipe.
fn fill(mut pipe: &File) {
    while pipe.write(&[b'x'; 4096]).is_ok() {}
    while pipe.write(b"x").is_ok() {}
}

/// How long a server takes to end.
async fn end(mut server: Server) -> Duration {
    let start = Instant::now();
    server.terminate();
    assert_eq!(server.wait_for_exit().await.code(), Some(0));
    start.elapsed()
}

/// How long a server takes to end that has answered while nobody read its log.
async fn end_unread() -> Duration {
    let folder = TempDir::new().unwrap();
    let (path, reader) = pipe(folder.path());
    let server = Server::with(Settings::new().log_to(&path).env("RUST_LOG", "debug")).await;
    fill(&reader);
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    assert_eq!(debate.stored().await["debate"]["state"], "CLOSED");
    for _ in 0..300 {
        server.client().get("/info").await.data(200);
    }
    end(server).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_answers_and_ends_while_nobody_reads_its_log() {
    let usual = end(Server::start().await).await;
    let mut took = Vec::new();
    while took.iter().all(|end| *end > usual + LAST_LINES) {
        assert!(took.len() < TRIES, "the end takes {took:?}, and {usual:?} where the log is read");
        took.push(end_unread().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_could_not_be_written_is_written_once_somebody_reads_and_in_order() {
    let folder = TempDir::new().unwrap();
    let (path, mut reader) = pipe(folder.path());
    let server = Server::with(Settings::new().log_to(&path)).await;
    fill(&reader);
    let debate = Debate::in_situation(&server.client(), Situation::Closed).await;
    for _ in 0..50 {
        server.client().get("/info").await.data(200);
    }
    server.client().get("/nonsense").await.refusal("NOT_FOUND");
    let mut text = Vec::new();
    let is_last = |line: &Value| line["fields"]["route"] == "unknown";
    let lines = polling::until("the last request is logged", || {
        // Ends where the pipe is empty for now.
        let _ = reader.read_to_end(&mut text);
        let text = String::from_utf8(text.clone()).unwrap();
        let lines: Vec<Value> =
            text.lines().filter_map(|line| serde_json::from_str(line.trim_start_matches('x')).ok()).collect();
        lines.iter().any(is_last).then_some(lines)
    })
    .await;
    let rulings = lines.iter().filter(|line| line["fields"]["message"] == "ruling").count();
    assert!(rulings > 0 && lines.iter().any(|line| line["fields"]["message"] == "closing"), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line["fields"]["route"] == "/info").count(), 50, "{lines:?}");
    let times: Vec<_> = lines.iter().map(|line| line["timestamp"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    drop(debate);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lines_that_are_lost_are_counted() {
    let server = Server::with(Settings::new().log_to(Path::new("/dev/full"))).await;
    for _ in 0..10 {
        server.client().get("/info").await.data(200);
    }
    let metrics = async || {
        let metrics = server.client().response(&server.client().request("GET", "/metrics")).await.unwrap();
        String::from_utf8(metrics.body).unwrap()
    };
    let lost = |metrics: &str| -> f64 {
        let value = metrics.lines().find_map(|line| line.strip_prefix("aweave_log_lines_lost_total "));
        value.unwrap().parse().unwrap()
    };
    // The thread that writes them may be a little late.
    let start = Instant::now();
    while lost(&metrics().await) < 10.0 {
        assert!(start.elapsed() < polling::DEADLINE, "lines are not counted");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Runs a command whose stdout or stderr is a full pipe.
fn with_full_pipe(arguments: &[&str], store: &Store, is_stdout: bool, port: u16) -> (Child, TempDir, File) {
    let folder = TempDir::new().unwrap();
    let (path, reader) = pipe(folder.path());
    fill(&reader);
    let full = File::options().append(true).open(path).unwrap();
    let mut command = Command::new(binaries::server());
    command.env_clear().env("HOME", folder.path()).env("DEBATE_SERVER_PORT", port.to_string()).envs(store.env());
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if is_stdout {
        command.stdout(full)
    } else {
        command.stderr(full)
    };
    (command.spawn().unwrap(), folder, reader)
}

async fn ended(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    let status = polling::until("the process ends", || child.try_wait().unwrap()).await;
    assert!(start.elapsed() < ENDED_WITHIN, "{:?}", start.elapsed());
    status.code()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_ends_where_nobody_reads_what_it_says() {
    let home = TempDir::new().unwrap();
    let store = Store::fresh(home.path());
    // There is no database yet, and no such option.
    for (arguments, code) in [(&["verify"][..], 1), (&["--nonsense"][..], 2)] {
        let (mut child, _folder, _reader) = with_full_pipe(arguments, &store, false, 0);
        assert_eq!(ended(&mut child).await, Some(code), "{arguments:?}");
    }
    // What is asked for is not dropped, but waiting for whoever reads it can be ended.
    let (mut child, _folder, _reader) = with_full_pipe(&["openapi"], &store, true, 0);
    polling::until("it handles signals", || os::handles_signals(child.id()).then_some(())).await;
    os::terminate(child.id());
    assert_eq!(ended(&mut child).await, Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_starts_and_stops_where_nobody_reads_its_stdout() {
    let home = TempDir::new().unwrap();
    let store = Store::fresh(home.path());
    let port = os::free_port();
    let (mut child, _folder, _reader) = with_full_pipe(&[], &store, true, port);
    let client = Client::new(([127, 0, 0, 1], port).into());
    let start = Instant::now();
    while client.try_send(&client.request("GET", "/health")).await.is_err() {
        assert!(start.elapsed() < polling::DEADLINE, "the server does not listen");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    client.get("/health").await.data(200);
    os::terminate(child.id());
    assert_eq!(ended(&mut child).await, Some(0));
}
