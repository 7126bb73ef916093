//! `aw debate …`

mod appeal;
mod create;
mod export;
mod generate_id;
mod get_context;
mod guide;
mod intervention;
mod issue_changes;
mod issues;
mod list;
mod markdown;
mod next_command;
mod open;
pub(super) mod options;
mod request_completion;
mod ruling;
mod ruling_wait;
mod show;
mod submission;
mod submit;
mod wait;
mod watch;

use clap::{Args, Subcommand};

use super::{HELP_TEMPLATE, block_on};
use crate::output::{
    envelope::{Format, Output},
    failure::Failure,
};

#[derive(Args)]
#[command(
    help_template = HELP_TEMPLATE,
    before_help = "\
Example:
  aw debate list --format markdown",
    subcommand_required = true,
    arg_required_else_help = false
)]
pub struct Debate {
    #[command(subcommand)]
    command: DebateCommand,
}

#[derive(Subcommand)]
enum DebateCommand {
    /// Print a new id for a debate or a request; needs no server
    GenerateId(generate_id::GenerateId),
    /// Open a debate with its MOTION, as the proposer
    Create(create::Create),
    /// Print a debate: its state, its motion and its newest arguments
    GetContext(get_context::GetContext),
    /// Answer the other side with a CLAIM, as the proposer or the opponent
    Submit(submit::Submit),
    /// List the issues of a debate that are not settled, or all of them
    Issues(issues::Issues),
    /// Wait for an argument by others, a ruling that is due, or the end of the debate
    Wait(wait::Wait),
    /// Print one line for each event that the role must act on, until the debate closes or a signal arrives
    Watch(watch::Watch),
    /// Ask the arbitrator to decide with an APPEAL, as the proposer
    Appeal(appeal::Appeal),
    /// Ask the arbitrator to close the debate with a RESOLUTION, as the proposer
    RequestCompletion(request_completion::RequestCompletion),
    /// Decide with a RULING that binds both sides, as the arbitrator
    Ruling(ruling::Ruling),
    /// Stop both sides with an INTERVENTION in order to rule, as the arbitrator
    Intervention(intervention::Intervention),
    /// List debates, the last changed first
    List(list::List),
    /// Print one argument in full
    Show(show::Show),
    /// Print the whole debate with all options and rulings, or write it to a file
    Export(export::Export),
    /// Print instructions for an agent that takes part in a role; needs no server
    Guide(guide::Guide),
    /// Open the web app in the browser, where a person watches and decides
    Open(open::Open),
}

impl Debate {
    /// Whether the output can be a single text without an envelope.
    pub fn prints_text(&self) -> bool {
        matches!(self.command, DebateCommand::Guide(_))
    }

    pub fn run(self, format: Format) -> Result<Output, Failure> {
        match self.command {
            DebateCommand::GenerateId(command) => Ok(command.run()),
            DebateCommand::Create(command) => block_on(command.run()),
            DebateCommand::GetContext(command) => block_on(command.run()),
            DebateCommand::Submit(command) => block_on(command.run()),
            DebateCommand::Issues(command) => block_on(command.run()),
            DebateCommand::Wait(command) => block_on(command.run(format)),
            DebateCommand::Watch(command) => block_on(command.run(format)),
            DebateCommand::Appeal(command) => block_on(command.run()),
            DebateCommand::RequestCompletion(command) => block_on(command.run()),
            DebateCommand::Ruling(command) => block_on(command.run()),
            DebateCommand::Intervention(command) => block_on(command.run()),
            DebateCommand::List(command) => block_on(command.run()),
            DebateCommand::Show(command) => block_on(command.run()),
            DebateCommand::Export(command) => block_on(command.run(format)),
            DebateCommand::Guide(command) => command.run(),
            DebateCommand::Open(command) => block_on(command.run()),
        }
    }
}
