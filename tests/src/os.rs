//! Queries and settings of the operating system: processes, signals, limits and ports.

use std::{fs, net::TcpListener, path::Path};

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit, setrlimit};
use tempfile::TempDir;

/// Raises the soft limit of open files to the hard limit, for this process and the servers it starts.
pub fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).expect("soft <= hard");
}

/// The limit of open files; `None` if there is none.
pub fn file_limit() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Limits the size to which a process may write a file, in bytes; none is no limit.
pub fn limit_file_size(pid: u32, bytes: Option<u64>) {
    let pid = Pid::from_raw(pid.cast_signed()).expect("a process");
    let before = prlimit(Some(pid), Resource::Fsize, Rlimit { current: bytes, maximum: None });
    before.expect("a limit may be lowered and raised again");
}

/// A temporary folder in memory where the system has `/dev/shm`.
pub fn folder_in_memory() -> TempDir {
    const MEMORY: &str = "/dev/shm";
    let folder = if Path::new(MEMORY).is_dir() { TempDir::new_in(MEMORY) } else { TempDir::new() };
    folder.expect("a temporary folder")
}

/// The private resident memory of a process, in bytes.
pub fn resident_memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process exists");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("Linux reports RssAnon");
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kibibytes * 1024
}

/// How many sockets a process has open.
pub fn open_sockets(pid: u32) -> usize {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).expect("the process exists");
    let targets = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    targets.filter(|target| target.to_string_lossy().starts_with("socket:")).count()
}

/// How many connections to this local port are established.
pub fn open_connections(port: u16) -> usize {
    const ESTABLISHED: &str = "01";
    let table = fs::read_to_string("/proc/net/tcp").expect("Linux lists connections");
    let own = format!(":{port:04X}");
    let open = table.lines().filter(|line| {
        let mut fields = line.split_whitespace().skip(1);
        fields.next().is_some_and(|local| local.ends_with(&own)) && fields.nth(1) == Some(ESTABLISHED)
    });
    open.count()
}

/// Whether the process has installed handlers for SIGTERM and SIGINT.
pub fn handles_signals(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process exists");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("Linux reports SigCgt");
    let caught = u64::from_str_radix(caught.trim(), 16).expect("a mask");
    [Signal::TERM, Signal::INT].iter().all(|signal| caught >> (signal.as_raw() - 1) & 1 == 1)
}

/// Sends SIGTERM.
pub fn terminate(pid: u32) {
    signal(pid, Signal::TERM);
}

/// Sends SIGINT.
pub fn interrupt(pid: u32) {
    signal(pid, Signal::INT);
}

fn signal(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(pid.try_into().expect("pids are small")).expect("pids are not 0");
    kill_process(pid, signal).expect("the process exists");
}

/// A free port below the ephemeral range, so that no outgoing connection takes it while a server restarts.
pub fn free_port() -> u16 {
    const RANGE: std::ops::Range<u32> = 15_000..30_000;
    let start = std::process::id().wrapping_mul(101);
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    loop {
        let step = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        assert!(step < 10_000, "no free port in {RANGE:?}");
        let offset = start.wrapping_add(step) % (RANGE.end - RANGE.start);
        let port = u16::try_from(RANGE.start + offset).expect("ports fit into 16 bits");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
