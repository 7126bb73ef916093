//! How often something is put on disk for each submit, counted by strace; times mean nothing here.

use std::{fs, path::Path, time::Duration};

use anyhow::{Result, ensure};

use super::{
    load::{drive, open},
    submit::DEBATES,
};
use crate::{
    peers::{
        Peer,
        ours::{Launch, OnSqlite},
    },
    record::{Recorder, Unit},
    setup::Setup,
};

/// The name among the figures.
pub const NAME: &str = "syncs";

/// Measures this server on SQLite.
pub async fn measure(setup: &Setup, figures: &mut Recorder<'_>) -> Result<()> {
    for debates in [1, DEBATES] {
        let folder = setup.folder()?;
        let trace = folder.path().join("trace");
        let server = Launch::new(setup).traced(&trace).start().await?;
        // What opening the debates puts on disk is no submit's.
        let debating = open(&server, debates).await?;
        let before = count(&trace)?;
        let submits = drive(debating, Duration::ZERO, setup.form.append).await?.acknowledged;
        let syncs = count(&trace)? - before;
        ensure!(syncs > 0, "strace saw nothing put on disk");
        figures.add(OnSqlite.name(), "fdatasync a submit", debates as u64, Unit::Count, syncs as f64 / submits as f64);
    }
    Ok(())
}

/// A call that another thread's cuts in two has its name before a bracket only once.
fn count(trace: &Path) -> Result<usize> {
    Ok(fs::read_to_string(trace)?.lines().filter(|line| line.contains("sync(")).count())
}
