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

/// Documents: long texts in versions, for arguments to cite
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

#[derive(Subcommand)]
enum Verb {
    Create(create::Create),
    Submit(submit::Submit),
    Get(get::Get),
    List(list::List),
    History(history::History),
    Diff(diff::Diff),
    Export(export::Export),
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
            Verb::Create(verb) => online(verb.run()),
            Verb::Submit(verb) => online(verb.run()),
            Verb::Get(verb) => online(verb.run()),
            Verb::List(verb) => online(verb.run()),
            Verb::History(verb) => online(verb.run()),
            Verb::Diff(verb) => online(verb.run()),
            Verb::Export(verb) => online(verb.run()),
            Verb::Delete(verb) => online(verb.run()),
        }
    }
}
