//! `aw docs …`: one file per verb.

mod create;
mod delete;
mod diff;
mod export;
mod get;
mod history;
mod list;
mod next;
mod options;
mod page;
mod submit;
mod written;

use clap::{Args, Subcommand};

use crate::{
    envelope::Answer,
    error::Failure,
    verb::{EXAMPLE_FIRST, online},
};

#[derive(Args)]
#[command(
    help_template = EXAMPLE_FIRST,
    before_help = "\
Example:
  aw docs create --summary 'Plan: cache the price list' --file plan.md",
    subcommand_required = true,
    arg_required_else_help = false
)]
pub struct Docs {
    #[command(subcommand)]
    verb: Verb,
}

// Defined together, not one by one: a verb with a format of its own has to have it before the common one is handed down.
#[derive(Subcommand)]
enum Verb {
    /// Create a document with its first version
    Create(create::Create),
    /// Add a version to a document; the earlier ones stay as they are
    Submit(submit::Submit),
    /// Print a version of a document: its bare text, byte by byte, unless another format is asked for
    Get(get::Get),
    /// List documents, the one changed last first; deleted ones are left out
    List(list::List),
    /// List the versions of a document without their texts, the newest first
    History(history::History),
    /// Show what changed from one version of a document to another, as a unified diff
    Diff(diff::Diff),
    /// Write a version of a document into a file, whole or not at all
    Export(export::Export),
    /// Delete a document: it is gone from lists and takes no new version, but whoever knows its id can still read it
    Delete(delete::Delete),
}

impl Docs {
    /// Whether the verb may print a text and nothing else.
    pub fn is_about_a_text(&self) -> bool {
        matches!(self.verb, Verb::Get(_) | Verb::Diff(_))
    }

    /// Runs the verb.
    pub fn run(self) -> Result<Answer, Failure> {
        match self.verb {
            Verb::Create(verb) => online(|| verb.run()),
            Verb::Submit(verb) => online(|| verb.run()),
            Verb::Get(verb) => online(|| verb.run()),
            Verb::List(verb) => online(|| verb.run()),
            Verb::History(verb) => online(|| verb.run()),
            Verb::Diff(verb) => online(|| verb.run()),
            Verb::Export(verb) => online(|| verb.run()),
            Verb::Delete(verb) => online(|| verb.run()),
        }
    }
}
