//! `aw debate …`

mod add_argument;
mod by_hand;
mod create;
mod export;
mod free_seat;
mod generate_id;
mod get_context;
pub mod guide;
pub mod issue_change_flags;
mod issues;
mod list;
mod long_poll;
mod markdown;
pub mod moves;
mod next_command;
mod open;
pub(super) mod options;
mod plan;
mod plan_file;
mod reading;
mod record;
mod ruling_wait;
pub mod run;
mod runs;
mod search;
mod show;
mod verify_record;
mod wait;
mod watch;

use clap::Subcommand;
use schemars::JsonSchema;
use serde::Deserialize;

use super::HELP_TEMPLATE;
use crate::{
    output::{Failure, Output},
    shell_or_mcp::Caller,
};

#[derive(Subcommand, Deserialize, JsonSchema)]
#[serde(tag = "command", content = "arguments", rename_all = "kebab-case")]
pub enum Debate {
    /// Start agent programs turn by turn until a debate is closed
    #[serde(skip)]
    Run(Box<run::Run>),
    /// List what runs keep on this machine, or remove what is old
    #[serde(skip)]
    Runs(runs::Runs),
    /// Open the web app in the browser, where a person watches and decides
    #[serde(skip)]
    Open(open::Open),
    /// Print how to play the sides of a first debate yourself, without agent programs; needs no server
    #[serde(skip)]
    ByHand(by_hand::ByHand),
    /// Print a new id for a debate or a request; needs no server
    #[serde(skip)]
    GenerateId(generate_id::GenerateId),
    /// Open a debate with its MOTION, as the proposer
    Create(create::Create),
    /// Print a debate: its state, its motion and its newest arguments
    GetContext(get_context::GetContext),
    /// Answer the other side with a CLAIM, as the proposer or the opponent
    Submit(moves::Submit),
    /// List the issues of a debate that are not settled, or all of them
    Issues(issues::Issues),
    /// Print the plan: the document that the debate is about
    Plan(plan::PrintPlan),
    /// Wait for an argument by others, a ruling that is due, or the end of the debate
    Wait(wait::Wait),
    /// Print one line for each event that the role must act on, until the debate closes or a signal arrives
    #[serde(skip)]
    Watch(watch::Watch),
    /// Ask the arbitrator to decide with an APPEAL, as the proposer
    Appeal(moves::Appeal),
    /// Ask the arbitrator to close the debate with a RESOLUTION, as the proposer
    RequestCompletion(moves::RequestCompletion),
    /// Decide with a RULING that binds both sides, as the arbitrator
    Ruling(moves::Ruling),
    /// Stop both sides with an INTERVENTION in order to rule, as the arbitrator
    Intervention(moves::Intervention),
    /// Free the seat of a role whose key was lost, as the arbitrator
    #[serde(skip)]
    FreeSeat(free_seat::FreeSeat),
    /// List debates, the last changed first
    List(list::List),
    /// Search rulings, issues and titles of all debates, and arguments if asked
    Search(search::Search),
    /// Print one argument in full
    Show(show::Show),
    /// Print the whole debate with all options and rulings, or write it to a file
    #[serde(skip)]
    Export(export::Export),
    /// Print what a debate decided, as a document that stands by itself, or write it to a file
    #[schemars(description = "Print what a debate decided, as a document that stands by itself")]
    Record(record::Record),
    /// Verify the signature of a record that was printed as JSON; works without a server
    #[serde(skip)]
    VerifyRecord(verify_record::VerifyRecord),
    /// Print instructions for an agent that takes part in a role; needs no server
    #[schemars(description = "Print instructions for an agent that takes part in a role")]
    Guide(guide::Guide),
}

impl Debate {
    pub async fn run(self, caller: Caller) -> Result<Output, Failure> {
        let format = caller.format();
        match self {
            Self::ByHand(command) => Ok(command.run()),
            Self::GenerateId(command) => Ok(command.run()),
            Self::Create(command) => command.run().await,
            Self::GetContext(command) => command.run().await,
            Self::Submit(command) => command.run().await,
            Self::Issues(command) => command.run().await,
            Self::Plan(command) => command.run().await,
            Self::Wait(command) => command.run(caller).await,
            Self::Watch(command) => command.run(format).await,
            Self::Appeal(command) => command.run().await,
            Self::RequestCompletion(command) => command.run().await,
            Self::Ruling(command) => command.run().await,
            Self::Intervention(command) => command.run().await,
            Self::FreeSeat(command) => command.run().await,
            Self::List(command) => command.run(format).await,
            Self::Search(command) => command.run().await,
            Self::Show(command) => command.run().await,
            Self::Export(command) => command.run(format).await,
            Self::Record(command) => command.run(format).await,
            Self::VerifyRecord(command) => command.run().await,
            Self::Guide(command) => command.run().await,
            // Boxed, since its future is larger than those of all others, and without optimisation each caller has room for it on the stack.
            Self::Run(command) => Box::pin(command.run()).await,
            Self::Runs(command) => command.run().await,
            Self::Open(command) => command.run().await,
        }
    }
}
