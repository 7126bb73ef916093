//! The list of tools: which commands they are.

use clap::{CommandFactory, Parser};

use crate::{
    client::types::Role,
    commands::{debate::Debate, docs::Docs},
    output::{Failure, Output},
    shell_or_mcp::Caller,
};

/// The command of a call, as clap parses it.
#[derive(Parser)]
#[command(name = "aw", disable_help_subcommand = true)]
pub enum ToolCommand {
    #[command(subcommand)]
    Debate(Box<Debate>),
    #[command(subcommand)]
    Docs(Docs),
}

impl ToolCommand {
    /// Runs it on the present runtime.
    pub async fn run(self) -> Result<Output, Failure> {
        match self {
            Self::Debate(debate) => debate.run(Caller::Tool).await,
            Self::Docs(docs) => docs.run().await,
        }
    }
}

/// A command that is a tool, too.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// The words of the command
    pub command: [&'static str; 2],
    /// When to use it
    pub use_it: &'static str,
    /// Whose tool it is; `None` if the argument `role` says so, or if it does not matter
    pub role: Option<Role>,
    /// Whether it changes nothing
    pub only_reads: bool,
}

const fn reads(command: [&'static str; 2], use_it: &'static str) -> Tool {
    Tool { command, use_it, role: None, only_reads: true }
}

const fn writes(command: [&'static str; 2], role: Option<Role>, use_it: &'static str) -> Tool {
    Tool { command, use_it, role, only_reads: false }
}

/// The command that prints the guides, which are those with tools here.
pub const GUIDE: [&str; 2] = ["debate", "guide"];

/// The command that asks for a decision.
pub const APPEAL: [&str; 2] = ["debate", "appeal"];

/// The command that decides.
pub const RULING: [&str; 2] = ["debate", "ruling"];

/// All tools. The arbitrator's are only for an arbitrator.
const TOOLS: &[Tool] = &[
    writes(["debate", "create"], Some(Role::Proposer), "once your plan or question is written"),
    reads(["debate", "get-context"], "first in a session"),
    writes(["debate", "submit"], None, "when your action is respond or align_to_ruling"),
    reads(["debate", "wait"], "when it is not your turn"),
    reads(["debate", "issues"], "before you answer, or ask to finish"),
    reads(["debate", "plan"], "before you answer or rule"),
    writes(APPEAL, Some(Role::Proposer), "when the two sides cannot agree"),
    writes(["debate", "request-completion"], Some(Role::Proposer), "when nothing is open"),
    reads(GUIDE, "before your first call"),
    reads(["debate", "list"], "to find an id"),
    reads(["debate", "search"], "before a motion or a first claim"),
    reads(["debate", "show"], "where the text of an argument was cut"),
    reads(["debate", "record"], "after the end"),
    writes(RULING, Some(Role::Arbitrator), "when your action is rule"),
    writes(["debate", "intervention"], Some(Role::Arbitrator), "when you want to rule unasked"),
    writes(["docs", "create"], None, "before you cite a plan or long text"),
    writes(["docs", "submit"], None, "when you revise a document"),
    reads(["docs", "get"], "when an argument cites a document"),
    reads(["docs", "diff"], "when a document was revised"),
];

/// The tools for this role.
pub fn for_role(role: Option<Role>) -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter().filter(move |tool| tool.role != Some(Role::Arbitrator) || role == Some(Role::Arbitrator))
}

/// The tool that is the command with these words, whoever may use it.
pub fn of_command(group: &str, verb: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.command == [group, verb])
}

impl Tool {
    /// The name of the tool.
    pub fn name(&self) -> String {
        self.command.join("_").replace('-', "_")
    }

    /// The definition of the command.
    pub fn definition(&self) -> clap::Command {
        let subcommand = |command: clap::Command, word| command.find_subcommand(word).cloned().unwrap_or(command);
        self.command.iter().fold(ToolCommand::command(), subcommand)
    }

    /// Whether its answer is mainly one long text, which comes once: as text and without fields.
    pub fn prints_text(&self) -> bool {
        matches!(self.command, ["docs", "get" | "diff"] | ["debate", "plan"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_a_command() {
        for tool in TOOLS {
            assert_eq!(tool.definition().get_name(), tool.command[1], "{tool:?}");
            assert_eq!(of_command(tool.command[0], tool.command[1]), Some(tool));
            // A text that names one is not taken for one that names the other.
            let is_start = |other: &&Tool| other.name() != tool.name() && other.name().starts_with(&tool.name());
            assert_eq!(TOOLS.iter().find(is_start), None, "{tool:?}");
        }
    }

    #[test]
    fn only_an_arbitrator_rules() {
        let names = |role| for_role(role).map(Tool::name).collect::<Vec<_>>();
        for role in [None, Some(Role::Proposer), Some(Role::Opponent)] {
            assert!(!names(role).iter().any(|name| name == "debate_ruling" || name == "debate_intervention"));
        }
        assert!(names(Some(Role::Arbitrator)).contains(&"debate_ruling".to_owned()));
        assert_eq!(names(Some(Role::Arbitrator)).len(), names(None).len() + 2);
    }
}
