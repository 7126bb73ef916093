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
    deferred::Deferred,
    envelope::{Answer, Format},
    error::Failure,
    verb::{EXAMPLE_FIRST, online},
};

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
    /// Make an id for a new debate or a request; no server is needed
    GenerateId(Deferred<generate_id::GenerateId>),
    /// Open a debate with its MOTION, as the proposer
    Create(Deferred<create::Create>),
    /// Read a debate: its state, its motion and its newest arguments
    GetContext(Deferred<get_context::GetContext>),
    /// Answer the other side with a CLAIM, as the proposer or the opponent
    Submit(Deferred<submit::Submit>),
    /// Wait for an argument of the others, a ruling that is due, or the end of the debate
    Wait(Deferred<wait::Wait>),
    /// Print one line for each event that a role must act on, until the debate closes or a signal comes
    Watch(Deferred<watch::Watch>),
    /// Ask the arbitrator to decide with an APPEAL, as the proposer
    Appeal(Deferred<appeal::Appeal>),
    /// Ask the arbitrator to close the debate with a RESOLUTION, as the proposer
    RequestCompletion(Deferred<request_completion::RequestCompletion>),
    /// Decide with a RULING that binds both sides, as the arbitrator
    Ruling(Deferred<ruling::Ruling>),
    /// Stop the two sides with an INTERVENTION in order to rule, as the arbitrator
    Intervention(Deferred<intervention::Intervention>),
    /// List debates, the one changed last first
    List(Deferred<list::List>),
    /// Show one argument whole
    Show(Deferred<show::Show>),
    /// Print the whole debate, options and rulings included, or keep it in a file
    Export(Deferred<export::Export>),
    /// Tell how to take part in a role, as text for the agent that does; no server is needed
    Guide(Deferred<guide::Guide>),
    /// Show the web app in the browser, where a person watches and decides
    Open(Deferred<open::Open>),
}

impl Debate {
    /// Whether the verb may print a text and nothing else.
    pub fn is_about_a_text(&self) -> bool {
        matches!(self.verb, Verb::Guide(_))
    }

    /// Runs the verb. Only those that talk to the server pay for what that needs.
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        match self.verb {
            Verb::GenerateId(Deferred(verb)) => Ok(verb.run()),
            Verb::Create(Deferred(verb)) => online(|| verb.run()),
            Verb::GetContext(Deferred(verb)) => online(|| verb.run()),
            Verb::Submit(Deferred(verb)) => online(|| verb.run()),
            Verb::Wait(Deferred(verb)) => online(|| verb.run(format)),
            Verb::Watch(Deferred(verb)) => online(|| verb.run(format)),
            Verb::Appeal(Deferred(verb)) => online(|| verb.run()),
            Verb::RequestCompletion(Deferred(verb)) => online(|| verb.run()),
            Verb::Ruling(Deferred(verb)) => online(|| verb.run()),
            Verb::Intervention(Deferred(verb)) => online(|| verb.run()),
            Verb::List(Deferred(verb)) => online(|| verb.run()),
            Verb::Show(Deferred(verb)) => online(|| verb.run()),
            Verb::Export(Deferred(verb)) => online(|| verb.run(format)),
            Verb::Guide(Deferred(verb)) => verb.run(),
            Verb::Open(Deferred(verb)) => online(|| verb.run()),
        }
    }
}
