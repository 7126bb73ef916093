//! The machine of a run, and how busy other processes kept it.

use std::{
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use crate::process::{self, TICKS_PER_SECOND};

/// A description of the machine.
#[derive(Serialize, Deserialize)]
pub struct Machine {
    /// The model of the processor
    pub processor: String,
    /// How many cores this process may use
    pub cores: usize,
    /// Memory in GiB
    pub memory_gib: f64,
    /// The operating system
    pub kernel: String,
    /// The file system of the data
    pub file_system: String,
    /// The file system of temporary files, where PostgreSQL's data is
    pub temporary_files: String,
    /// Load averages at the start of the run
    pub load_before: String,
    /// Load averages at its end
    pub load_after: String,
    /// The most cores that other processes kept busy in any of the pauses between rounds
    pub others_busy_cores: f64,
}

/// If other processes kept more cores busy than this, the results are doubtful.
pub const QUIET: f64 = 0.1;

/// How long a pause between rounds is.
const PAUSE: Duration = Duration::from_secs(2);

/// Watches the machine during a run.
pub struct MachineMonitor {
    load: String,
    others: f64,
}

impl MachineMonitor {
    /// Starts watching.
    pub async fn start() -> Result<Self> {
        let mut monitor = Self { load: load()?, others: 0.0 };
        monitor.pause().await?;
        Ok(monitor)
    }

    /// Pauses, and notes how busy other processes are meanwhile.
    pub async fn pause(&mut self) -> Result<()> {
        let (all, own, start) = (busy_seconds()?, process::own_cpu_seconds()?, Instant::now());
        sleep(PAUSE).await;
        let others = (busy_seconds()? - all) - (process::own_cpu_seconds()? - own);
        self.others = self.others.max(others / start.elapsed().as_secs_f64());
        Ok(())
    }

    /// Describes the machine and the file system of the folder with the data.
    pub fn finish(self, data: &Path) -> Result<Machine> {
        let memory_kib: f64 = field("/proc/meminfo", "MemTotal")?.trim_end_matches(" kB").parse()?;
        Ok(Machine {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|_| std::env::consts::ARCH.to_owned()),
            cores: thread::available_parallelism()?.get(),
            memory_gib: memory_kib / 1024.0 / 1024.0,
            kernel: format!("Linux {}", fs::read_to_string("/proc/sys/kernel/osrelease")?.trim()),
            file_system: file_system(data)?,
            temporary_files: file_system(&std::env::temp_dir())?,
            load_before: self.load,
            load_after: load()?,
            others_busy_cores: self.others,
        })
    }
}

/// CPU seconds that all processes of the machine have used.
fn busy_seconds() -> Result<f64> {
    let stat = fs::read_to_string("/proc/stat")?;
    let ticks: Vec<f64> = stat.split_whitespace().skip(1).take(8).map(str::parse).collect::<Result<_, _>>()?;
    let idle: f64 = ticks.iter().skip(3).take(2).sum();
    Ok((ticks.iter().sum::<f64>() - idle) / TICKS_PER_SECOND)
}

fn load() -> Result<String> {
    let load = fs::read_to_string("/proc/loadavg")?;
    Ok(load.split(' ').take(3).collect::<Vec<_>>().join(" "))
}

fn field(file: &str, name: &str) -> Result<String> {
    let text = fs::read_to_string(file)?;
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = fields.find(|(key, _)| key.trim() == name).with_context(|| format!("{file} has no {name}"))?;
    Ok(value.trim().to_owned())
}

/// The type and device of the file system that holds the path.
fn file_system(path: &Path) -> Result<String> {
    let path = path.canonicalize()?;
    let mounts = fs::read_to_string("/proc/mounts")?;
    let mounts = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ');
        let (device, at, kind) = (fields.next()?, fields.next()?, fields.next()?);
        path.starts_with(at).then(|| (at.len(), format!("{kind} on {device}")))
    });
    Ok(mounts.max_by_key(|(depth, _)| *depth).context("no file system holds the path")?.1)
}
