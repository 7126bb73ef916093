//! `bench report`: what was measured, as a page with plots.

use anyhow::Result;
use clap::Args;

/// Write bench/RESULTS.md and its plots from what was measured last
#[derive(Args)]
pub struct Options {}

impl Options {
    /// Writes.
    pub fn run(self) -> Result<()> {
        Ok(())
    }
}
