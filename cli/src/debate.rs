//! `aw debate …`: one file per verb.

mod appeal;
mod create;
mod export;
mod generate_id;
mod get_context;
mod guide;
mod intervention;
mod list;
mod next;
mod open;
mod options;
mod request_completion;
mod ruling;
mod show;
mod submit;
mod wait;
mod watch;
mod written;

use clap::{Args, Subcommand};

use crate::{
    envelope::{Answer, Format},
    error::Failure,
    verb::{EXAMPLE_FIRST, online},
};

/// Debates: open one, take part in one, decide one
#[derive(Args)]
#[command(
    help_template = EXAMPLE_FIRST,
    before_help = "\
Example:
  aw debate list --format markdown",
    subcommand_required = true,
    arg_required_else_help = false
)]
pub struct Debate {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    GenerateId(generate_id::GenerateId),
    Create(create::Create),
    GetContext(get_context::GetContext),
    Submit(submit::Submit),
    Wait(wait::Wait),
    Watch(watch::Watch),
    Appeal(appeal::Appeal),
    RequestCompletion(request_completion::RequestCompletion),
    Ruling(ruling::Ruling),
    Intervention(intervention::Intervention),
    List(list::List),
    Show(show::Show),
    Export(export::Export),
    Guide(guide::Guide),
    Open(open::Open),
}

impl Debate {
    /// Whether the verb may print a text and nothing else.
    pub fn is_about_a_text(&self) -> bool {
        matches!(self.verb, Verb::Guide(_))
    }

    /// Runs the verb. Only those that talk to the server pay for what that needs.
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        match self.verb {
            Verb::GenerateId(verb) => Ok(verb.run()),
            Verb::Create(verb) => online(verb.run()),
            Verb::GetContext(verb) => online(verb.run()),
            Verb::Submit(verb) => online(verb.run()),
            Verb::Wait(verb) => online(verb.run(format)),
            Verb::Watch(verb) => online(verb.run(format)),
            Verb::Appeal(verb) => online(verb.run()),
            Verb::RequestCompletion(verb) => online(verb.run()),
            Verb::Ruling(verb) => online(verb.run()),
            Verb::Intervention(verb) => online(verb.run()),
            Verb::List(verb) => online(verb.run()),
            Verb::Show(verb) => online(verb.run()),
            Verb::Export(verb) => online(verb.run(format)),
            Verb::Guide(verb) => verb.run(),
            Verb::Open(verb) => online(verb.run()),
        }
    }
}
