//! What the system tells of processes, where it has `/proc`.

use std::{
    fs, io,
    path::Path,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, getpid, kill_process};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use crate::files;

/// The most that is read of a file below /proc.
const MAX_BYTES: u64 = 64 * 1024;

/// The most that is read of the variables of a process: more than systems let one have.
const MAX_VARIABLES_BYTES: u64 = 16 * 1024 * 1024;

/// How long a process that a killed run left may take to end by itself.
const END_TIMEOUT: Duration = Duration::from_secs(1);

/// A process that was started, by which a later run recognises it. Nothing else has the same three values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    pub pid: i32,
    /// When it was started, in clock ticks since the system was; none where the system does not tell
    pub start_time: Option<u64>,
    /// Which start of the system that was; none where the system does not tell
    pub boot_id: Option<String>,
}

/// Why a process was not ended: there is none with its number any more.
const GONE: &str = "is gone, so that nothing was ended";

/// Or it cannot be told whether the process with its number is the one.
const NOT_KNOWN: &str = "is not known to be the one that was started, so that nothing was ended";

impl Started {
    pub fn of(pid: i32) -> Self {
        Self { pid, start_time: Stat::of(pid).map(|stat| stat.start_time), boot_id: boot_id() }
    }

    /// Ends it with everything that descends from it, if all three values are still those of a process. The error says why not.
    pub async fn end(&self) -> Result<(), &'static str> {
        let pid = Some(self.pid).filter(|pid| *pid > 1).and_then(Pid::from_raw).ok_or(NOT_KNOWN)?;
        let now = Self::of(self.pid);
        let is_told = self.start_time.is_some() && self.boot_id.is_some();
        if is_told && self.boot_id == now.boot_id && now.start_time.is_none() {
            return Err(GONE);
        }
        if !is_told || *self != now {
            return Err(NOT_KNOWN);
        }
        // Its run is gone, so that it is ending what it started.
        let _ = kill_process(pid, Signal::TERM);
        let deadline = Instant::now() + END_TIMEOUT;
        while *self == Self::of(self.pid) {
            if Instant::now() > deadline {
                let left = descendants(pid);
                [pid].into_iter().chain(left).for_each(|pid| {
                    let _ = kill_process(pid, Signal::KILL);
                });
                break;
            }
            sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }
}

/// The children of this process that it does not know from before: what programs left whose small process was killed, where this
/// process gets the children of those.
#[derive(Debug)]
pub struct Orphans {
    known: Vec<Pid>,
    /// Whether this process gets what anybody leaves, as the first one of a container does
    gets_all: bool,
}

impl Orphans {
    /// From now on this process gets the children of its children that end before these.
    pub fn adopt() -> Self {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(Some(getpid()));
        Self { known: children(getpid()), gets_all: getpid().is_init() }
    }

    fn has(&self, pid: Pid) -> bool {
        !self.known.contains(&pid) && (!self.gets_all || is_of_a_run(pid))
    }

    /// Kills all of them, but for those in `others`, with what descends from them.
    pub async fn end(&self, others: impl Fn() -> Vec<Pid>) {
        let deadline = Instant::now() + END_TIMEOUT;
        loop {
            let mut orphans = children(getpid());
            orphans.retain(|pid| self.has(*pid) && !others().contains(pid));
            if orphans.is_empty() || Instant::now() > deadline {
                return;
            }
            let left = orphans.iter().flat_map(|pid| descendants(*pid)).collect::<Vec<_>>();
            orphans.into_iter().chain(left).for_each(|pid| {
                let _ = kill_process(pid, Signal::KILL);
            });
            sleep(Duration::from_millis(10)).await;
        }
    }
}

/// Whether a process has the variable by which a run tells a program what it is started for.
fn is_of_a_run(pid: Pid) -> bool {
    let path = format!("/proc/{}/environ", pid.as_raw_pid());
    let variables = files::read(Path::new(&path), MAX_VARIABLES_BYTES).unwrap_or_default();
    variables.split(|byte| *byte == 0).any(|variable| variable.starts_with(b"AW_ROLE="))
}

/// All processes with their parents, as far as the system tells.
fn parents() -> Vec<(i32, i32)> {
    let pids = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| Some((pid, Stat::of(pid)?.parent))).collect()
}

fn children(parent: Pid) -> Vec<Pid> {
    let children = parents().into_iter().filter(|(_, of)| *of == parent.as_raw_pid());
    children.filter_map(|(pid, _)| Pid::from_raw(pid)).collect()
}

/// What descends from a process, as far as the system tells.
pub fn descendants(ancestor: Pid) -> Vec<Pid> {
    let parents = parents();
    let mut found = vec![ancestor.as_raw_pid()];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    found.into_iter().skip(1).filter_map(Pid::from_raw).collect()
}

struct Stat {
    parent: i32,
    start_time: u64,
}

impl Stat {
    /// None if there is no such process, or it has ended and is only not reaped.
    fn of(pid: i32) -> Option<Self> {
        let stat = proc(&format!("{pid}/stat")).ok()?;
        // The name of the program, in parentheses, may contain anything.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        fields.next().filter(|state| !["Z", "X"].contains(state))?;
        Some(Self { parent: fields.next()?.parse().ok()?, start_time: fields.nth(17)?.parse().ok()? })
    }
}

fn boot_id() -> Option<String> {
    Some(proc("sys/kernel/random/boot_id").ok()?.trim().to_owned())
}

fn proc(name: &str) -> io::Result<String> {
    files::read_text(&Path::new("/proc").join(name), MAX_BYTES)
}

#[cfg(test)]
mod tests {
    use std::{
        process::{Child, Command},
        thread,
    };

    use super::*;

    fn sleeping() -> (Child, Started) {
        let child = Command::new("/bin/sleep").arg("300").spawn().unwrap();
        let started = Started::of(child.id().cast_signed());
        (child, started)
    }

    #[tokio::test]
    async fn only_the_process_of_which_all_values_agree_is_ended() {
        let (mut child, started) = sleeping();
        let (start_time, boot_id) = (started.start_time, started.boot_id.clone());
        for other in [
            Started { start_time: start_time.map(|time| time + 1), ..started.clone() },
            Started { start_time: None, ..started.clone() },
            Started { boot_id: boot_id.map(|id| id.to_uppercase() + "0"), ..started.clone() },
            Started { boot_id: None, ..started.clone() },
            Started { start_time: None, boot_id: None, ..started.clone() },
            Started { pid: std::process::id().cast_signed(), ..started.clone() },
            Started { pid: -started.pid, ..started.clone() },
            Started { pid: 0, ..started.clone() },
            Started { pid: 1, ..started.clone() },
            Started { pid: i32::MIN, ..started.clone() },
        ] {
            assert!(other.end().await.is_err(), "{other:?}");
            assert!(child.try_wait().unwrap().is_none(), "{other:?}");
        }
        assert_eq!(started.end().await, Ok(()));
        child.wait().unwrap();
        assert_eq!(started.end().await, Err(GONE));
    }

    #[test]
    fn what_a_run_did_not_start_is_left_where_this_process_gets_what_anybody_leaves() {
        let sleeping = |role: Option<&str>| {
            let mut command = Command::new("/bin/sleep");
            command.arg("300").env_remove("AW_ROLE").envs(role.map(|role| ("AW_ROLE", role)));
            command.spawn().unwrap()
        };
        let mut children = [sleeping(Some("proposer")), sleeping(None)];
        let pids = [&children[0], &children[1]].map(Pid::from_child);
        let has = |known: Vec<Pid>, gets_all: bool| pids.map(|pid| Orphans { known: known.clone(), gets_all }.has(pid));
        // What a process was given is there a moment after it began.
        let deadline = Instant::now() + Duration::from_secs(20);
        while has(Vec::new(), true) != [true, false] && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(has(Vec::new(), true), [true, false]);
        assert_eq!(has(Vec::new(), false), [true, true]);
        assert_eq!([true, false].map(|gets_all| has(pids.to_vec(), gets_all)), [[false; 2]; 2]);
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    #[test]
    fn descendants_are_found_through_those_between() {
        let script = "/bin/sh -c '/bin/sleep 300; :' & echo; wait";
        let mut shell = Command::new("/bin/sh").args(["-c", script]).spawn().unwrap();
        let pid = Pid::from_child(&shell);
        let deadline = Instant::now() + Duration::from_secs(20);
        while descendants(pid).len() < 2 && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        let found = descendants(pid);
        assert_eq!(found.len(), 2);
        found.into_iter().for_each(|pid| kill_process(pid, Signal::KILL).unwrap());
        shell.wait().unwrap();
    }
}
