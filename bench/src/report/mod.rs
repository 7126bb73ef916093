//! `bench report`: the results of a run as a page, beside what is promised and beside a former build.

mod page;
mod performance_targets;
mod summary;

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use crate::{environment, progress::report, results::Run};
use summary::Summaries;

/// Write bench/RESULTS.md from the results of a run
#[derive(Args)]
pub struct Options {
    /// The results to read [default: bench/out/run.json]
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    /// The page to write [default: bench/RESULTS.md]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Options {
    /// Writes the page.
    pub fn run(self) -> Result<()> {
        let input = self.run.unwrap_or_else(|| environment::out().join("run.json"));
        let json = fs::read(&input).with_context(|| format!("no {}; run: bench run", input.display()))?;
        let run: Run = serde_json::from_slice(&json).with_context(|| format!("cannot read {}", input.display()))?;
        let output = self.output.unwrap_or_else(|| environment::project().join("bench/RESULTS.md"));
        let page = page::page(&run, &Summaries::new(&run.samples, &run.programs));
        fs::write(&output, page).with_context(|| format!("cannot write {}", output.display()))?;
        report(format_args!("wrote {}", output.display()));
        Ok(())
    }
}
