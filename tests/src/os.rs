//! What the operating system tells of a process, and asks of this one.

use std::{fs, net::TcpListener, path::Path};

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use tempfile::TempDir;

/// Lets this process, and the servers it starts, open as many files as the machine allows.
pub fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).expect("soft <= hard");
}

/// How many files this process may have open, `None` for any number.
pub fn file_limit() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// A temporary folder that costs no disk, where the machine has such a place.
pub fn folder_in_memory() -> TempDir {
    const MEMORY: &str = "/dev/shm";
    let folder = if Path::new(MEMORY).is_dir() { TempDir::new_in(MEMORY) } else { TempDir::new() };
    folder.expect("a temporary folder")
}

/// How many bytes of memory the process has to itself.
pub fn memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process lives");
    let told = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("Linux tells its memory");
    let kibibytes: u64 = told.trim().trim_end_matches(" kB").parse().expect("a number");
    kibibytes * 1024
}

/// How many sockets the process has open.
pub fn open_sockets(pid: u32) -> usize {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).expect("the process lives and is ours");
    let targets = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    targets.filter(|target| target.to_string_lossy().starts_with("socket:")).count()
}

/// How many connections to that port of this machine are open on the server's side.
pub fn open_connections(port: u16) -> usize {
    const ESTABLISHED: &str = "01";
    let table = fs::read_to_string("/proc/net/tcp").expect("Linux tells its connections");
    let own = format!(":{port:04X}");
    let open = table.lines().filter(|line| {
        let mut fields = line.split_whitespace().skip(1);
        fields.next().is_some_and(|local| local.ends_with(&own)) && fields.nth(1) == Some(ESTABLISHED)
    });
    open.count()
}

/// Whether the process has taken it upon itself to deal with being asked to end and with being interrupted.
pub fn handles_signals(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process lives");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("Linux tells what it catches");
    let caught = u64::from_str_radix(caught.trim(), 16).expect("a mask");
    [Signal::TERM, Signal::INT].iter().all(|signal| caught >> (signal.as_raw() - 1) & 1 == 1)
}

/// Asks the process to end.
pub fn terminate(pid: u32) {
    signal(pid, Signal::TERM);
}

/// Interrupts the process as Ctrl-C does.
pub fn interrupt(pid: u32) {
    signal(pid, Signal::INT);
}

fn signal(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(pid.try_into().expect("pids are small")).expect("pids are not 0");
    kill_process(pid, signal).expect("the process lives and is ours");
}

/// A free port that stays free while a server is down: below the range from which outgoing connections take theirs.
pub fn quiet_port() -> u16 {
    const RANGE: std::ops::Range<u32> = 15_000..30_000;
    let start = std::process::id().wrapping_mul(101);
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    loop {
        let step = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        assert!(step < 10_000, "no free port in {RANGE:?}");
        let offset = start.wrapping_add(step) % (RANGE.end - RANGE.start);
        let port = u16::try_from(RANGE.start + offset).expect("the range is one of ports");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
