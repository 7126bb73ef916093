//! The machine that is measured on, and how busy others kept it.

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

/// What the machine is.
#[derive(Serialize, Deserialize)]
pub struct Machine {
    /// Its processor
    pub processor: String,
    /// How many cores this process may use
    pub cores: usize,
    /// Its memory in GiB
    pub memory_gib: f64,
    /// Its operating system
    pub kernel: String,
    /// What the data was written to
    pub file_system: String,
    /// What PostgreSQL's data was written to: it lies among the temporary files
    pub temporary_files: String,
    /// Load averages when the run began
    pub load_before: String,
    /// Load averages when it ended
    pub load_after: String,
    /// How many cores others kept busy, at most, of the times that were looked at between rounds
    pub others_busy_cores: f64,
}

/// Over so many cores kept busy by others, figures are doubtful.
pub const QUIET: f64 = 0.1;

/// How long others are watched at a time.
const LOOK: Duration = Duration::from_secs(2);

/// Watches the machine during a run.
pub struct Watch {
    load: String,
    others: f64,
}

impl Watch {
    /// From now on.
    pub async fn start() -> Result<Self> {
        let mut watch = Self { load: load()?, others: 0.0 };
        watch.look().await?;
        Ok(watch)
    }

    /// Looks how busy others are while nothing is measured.
    pub async fn look(&mut self) -> Result<()> {
        let (all, own, start) = (busy_seconds()?, process::own_cpu_seconds()?, Instant::now());
        sleep(LOOK).await;
        let others = (busy_seconds()? - all) - (process::own_cpu_seconds()? - own);
        self.others = self.others.max(others / start.elapsed().as_secs_f64());
        Ok(())
    }

    /// Tells of the machine, and of what the data was written to.
    pub fn end(self, written_to: &Path) -> Result<Machine> {
        let memory_kib: f64 = field("/proc/meminfo", "MemTotal")?.trim_end_matches(" kB").parse()?;
        Ok(Machine {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|_| std::env::consts::ARCH.to_owned()),
            cores: thread::available_parallelism()?.get(),
            memory_gib: memory_kib / 1024.0 / 1024.0,
            kernel: format!("Linux {}", fs::read_to_string("/proc/sys/kernel/osrelease")?.trim()),
            file_system: file_system(written_to)?,
            temporary_files: file_system(&std::env::temp_dir())?,
            load_before: self.load,
            load_after: load()?,
            others_busy_cores: self.others,
        })
    }
}

/// CPU seconds that were used on this machine so far.
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

/// The kind of file system that a path is on, and of what device.
fn file_system(path: &Path) -> Result<String> {
    let path = path.canonicalize()?;
    let mounts = fs::read_to_string("/proc/mounts")?;
    let mounts = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ');
        let (device, at, kind) = (fields.next()?, fields.next()?, fields.next()?);
        path.starts_with(at).then(|| (at.len(), format!("{kind} on {device}")))
    });
    Ok(mounts.max_by_key(|(depth, _)| *depth).context("every path is on some file system")?.1)
}
