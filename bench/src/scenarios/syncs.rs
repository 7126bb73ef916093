//! How many fdatasync calls a submit costs, counted by strace. strace slows the server down, so no times are measured.

use std::{fs, path::Path, time::Duration};

use anyhow::{Result, ensure};

use super::submit::{DEBATES, append_concurrently, create_logs};
use crate::{
    environment::Environment,
    results::{Recorder, Unit},
    subjects::{
        Subject,
        aweave::{Aweave, Launch},
    },
};

/// Measures a server with one debate and with 64.
pub async fn measure(environment: &Environment, aweave: Aweave, recorder: &mut Recorder) -> Result<()> {
    for debates in [1, DEBATES] {
        let folder = environment.temporary_folder()?;
        let strace_output = folder.path().join("strace");
        let server = Launch::new(environment, aweave).strace_output(&strace_output).start().await?;
        let appenders = create_logs(&server, debates).await?;
        // Creating the debates has called fdatasync, too.
        let before = count_syncs(&strace_output)?;
        let submits = append_concurrently(appenders, Duration::ZERO, environment.form.append).await?.acknowledged;
        let syncs = count_syncs(&strace_output)? - before;
        ensure!(syncs > 0, "strace saw no fdatasync");
        let value = syncs as f64 / submits as f64;
        recorder.add(aweave.name(), "fdatasync a submit", debates as u64, Unit::Count, value);
    }
    Ok(())
}

/// strace splits a call that another thread interrupts into two lines; only the first has the name before a parenthesis.
fn count_syncs(strace_output: &Path) -> Result<usize> {
    Ok(fs::read_to_string(strace_output)?.lines().filter(|line| line.contains("sync(")).count())
}
