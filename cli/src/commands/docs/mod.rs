//! `aw docs …`

mod add_version;
mod delete;
pub(super) mod diff;
pub(super) mod export;
pub(super) mod get;
mod history;
mod list;
mod markdown;
pub(super) mod next_command;
pub(super) mod options;

use clap::{Args, Subcommand};

use super::HELP_TEMPLATE;
use crate::output::{Failure, Output};

#[derive(Args)]
#[command(
    help_template = HELP_TEMPLATE,
    before_help = "\
Example:
  aw docs create --summary 'Plan: cache the price list' --file plan.md",
    subcommand_required = true,
    arg_required_else_help = false
)]
pub struct Docs {
    #[command(subcommand)]
    command: DocsCommand,
}

#[derive(Subcommand)]
enum DocsCommand {
    /// Create a document with its first version
    Create(add_version::Create),
    /// Add a version to a document; earlier versions stay unchanged
    Submit(add_version::Submit),
    /// Print a version of a document: only its text, byte by byte, unless another format is requested
    Get(get::Get),
    /// List documents, the last changed first; deleted documents are left out
    List(list::List),
    /// List the versions of a document without their texts, the newest first
    History(history::History),
    /// Show what changed between two versions of a document, as a unified diff
    Diff(diff::Diff),
    /// Write a version of a document to a file, as a whole or not at all
    Export(export::Export),
    /// Delete a document: lists leave it out and it takes no new version, but it can still be read by its id
    Delete(delete::Delete),
}

impl Docs {
    /// Whether the output can be a single text without an envelope.
    pub fn prints_text(&self) -> bool {
        matches!(self.command, DocsCommand::Get(_) | DocsCommand::Diff(_))
    }

    pub async fn run(self) -> Result<Output, Failure> {
        match self.command {
            DocsCommand::Create(command) => command.run().await,
            DocsCommand::Submit(command) => command.run().await,
            DocsCommand::Get(command) => command.run().await,
            DocsCommand::List(command) => command.run().await,
            DocsCommand::History(command) => command.run().await,
            DocsCommand::Diff(command) => command.run().await,
            DocsCommand::Export(command) => command.run().await,
            DocsCommand::Delete(command) => command.run().await,
        }
    }
}
