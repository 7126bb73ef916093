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

use clap::Subcommand;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::HELP_TEMPLATE;
use crate::output::{Failure, Output};

#[derive(Subcommand, Deserialize, JsonSchema)]
#[serde(tag = "command", content = "arguments", rename_all = "kebab-case")]
pub enum Docs {
    /// Create a document with its first version
    Create(add_version::Create),
    /// Add a version to a document; earlier versions stay unchanged
    #[schemars(description = "Add a version to a document")]
    Submit(add_version::Submit),
    /// Print a version of a document: only its text, byte by byte, unless another format is requested
    #[schemars(description = "Print a version of a document")]
    Get(get::Get),
    /// List documents, the last changed first; deleted documents are left out
    #[serde(skip)]
    List(list::List),
    /// List the versions of a document without their texts, the newest first
    #[serde(skip)]
    History(history::History),
    /// Show what changed between two versions of a document, as a unified diff
    Diff(diff::Diff),
    /// Write a version of a document to a file, as a whole or not at all
    #[serde(skip)]
    Export(export::Export),
    /// Delete a document: lists leave it out and it takes no new version, but it can still be read by its id
    #[serde(skip)]
    Delete(delete::Delete),
}

impl Docs {
    pub async fn run(self) -> Result<Output, Failure> {
        match self {
            Self::Create(command) => command.run().await,
            Self::Submit(command) => command.run().await,
            Self::Get(command) => command.run().await,
            Self::List(command) => command.run().await,
            Self::History(command) => command.run().await,
            Self::Diff(command) => command.run().await,
            Self::Export(command) => command.run().await,
            Self::Delete(command) => command.run().await,
        }
    }
}

/// How an argument cites a version of a document.
pub(super) fn citation(document: Uuid, version: u64) -> String {
    format!("doc_id={document} v{version}")
}
