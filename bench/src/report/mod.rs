//! `bench report`: what was measured, held against what is promised, as a page with plots.

mod page;
mod plots;
mod promises;
mod summary;

use std::{fs, path::PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use crate::{progress::tell, record::Run, setup};
use summary::Figures;

/// Write bench/RESULTS.md and its plots from what was measured last
#[derive(Args)]
pub struct Options {
    /// What bench run has kept [default: bench/out/run.json]
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
}

impl Options {
    /// Writes.
    pub fn run(self) -> Result<()> {
        let path = self.run.unwrap_or_else(|| setup::out().join("run.json"));
        let kept = fs::read(&path).with_context(|| format!("no {}; run: bench run", path.display()))?;
        let run: Run = serde_json::from_slice(&kept).with_context(|| format!("{} is no run", path.display()))?;
        let figures = Figures::of(&run.samples, &run.subjects);
        let folder = setup::project().join("bench");
        plots::load(&figures, &folder.join(page::LOAD_PLOT))?;
        plots::growth(&figures, &folder.join(page::GROWTH_PLOT))?;
        fs::write(folder.join("RESULTS.md"), page::page(&run, &figures))?;
        tell("wrote bench/RESULTS.md");
        Ok(())
    }
}
