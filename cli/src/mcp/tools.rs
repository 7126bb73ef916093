//! The list of tools: which commands they are, and what their answers have.

use rmcp::model::{Tool as ToolDescription, ToolAnnotations};

use super::{Defaults, schema, wording};
use crate::{client::types::Role, command_line::CommandLine};

/// A command that is a tool, too.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// The words of the command
    pub command: [&'static str; 2],
    /// Whose tool it is; `None` if the argument `role` says so, or if it does not matter
    pub role: Option<Role>,
    /// Whether it changes nothing
    pub only_reads: bool,
    /// The fields that every answer has
    pub required: &'static [&'static str],
    /// Other fields
    pub optional: &'static [&'static str],
}

const WRITTEN: &[&str] = &["argument", "debate_state", "action", "next_argument_id_to_wait"];
const WRITTEN_TOO: &[&str] = &["allowed", "changed_issues"];
const NEWS: &[&str] = &[
    "action",
    "debate_state",
    "argument",
    "earlier",
    "issues",
    "allowed",
    "next_argument_id_to_wait",
    "debates",
    "last_argument_id",
    "last_seen_seq",
    "waiting",
];
const VERSION_STORED: &[&str] = &["document_id", "version"];

const fn reads(command: [&'static str; 2], required: &'static [&'static str]) -> Tool {
    Tool { command, role: None, only_reads: true, required, optional: &[] }
}

const fn writes(command: [&'static str; 2], role: Option<Role>, required: &'static [&'static str]) -> Tool {
    Tool { command, role, only_reads: false, required, optional: &[] }
}

const fn argues(verb: &'static str, role: Option<Role>) -> Tool {
    Tool { optional: WRITTEN_TOO, ..writes(["debate", verb], role, WRITTEN) }
}

/// All tools. The arbitrator's are only for an arbitrator.
const TOOLS: &[Tool] = &[
    writes(["debate", "create"], Some(Role::Proposer), &["debate", "argument"]),
    Tool {
        optional: &["omitted", "earlier_rulings", "action"],
        ..reads(["debate", "get-context"], &["debate", "motion", "arguments", "turns", "issues"])
    },
    argues("submit", None),
    Tool { optional: NEWS, ..reads(["debate", "wait"], &["status"]) },
    reads(["debate", "issues"], &["issues", "counts"]),
    argues("appeal", Some(Role::Proposer)),
    argues("request-completion", Some(Role::Proposer)),
    reads(["debate", "list"], &["debates"]),
    reads(["debate", "show"], &["argument"]),
    reads(["debate", "record"], &["record", "signature"]),
    argues("ruling", Some(Role::Arbitrator)),
    argues("intervention", Some(Role::Arbitrator)),
    writes(["docs", "create"], None, VERSION_STORED),
    writes(["docs", "submit"], None, VERSION_STORED),
    reads(["docs", "get"], &["document_id", "version", "summary", "content", "metadata", "created_at"]),
    reads(["docs", "list"], &["documents"]),
    reads(["docs", "history"], &["document", "versions"]),
    reads(["docs", "diff"], &["document_id", "from", "to", "diff"]),
];

/// The tools for this role.
pub fn for_role(role: Option<Role>) -> impl Iterator<Item = &'static Tool> {
    TOOLS.iter().filter(move |tool| tool.role != Some(Role::Arbitrator) || role == Some(Role::Arbitrator))
}

/// The names of the tools that every debating role has.
pub fn debating_tools() -> Vec<String> {
    for_role(None).map(Tool::name).collect()
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
        let mut command = CommandLine::definition();
        for word in self.command {
            if let Some(subcommand) = command.find_subcommand(word) {
                command = subcommand.clone();
            }
        }
        command
    }

    /// What `tools/list` says of it.
    pub fn describe(&self, defaults: &Defaults) -> ToolDescription {
        let definition = self.definition();
        let about = definition.get_about().map(ToString::to_string).unwrap_or_default();
        let annotations = if self.only_reads {
            ToolAnnotations::new().read_only(true)
        } else {
            ToolAnnotations::new().destructive(false)
        };
        ToolDescription::new(self.name(), wording::in_prose(&about), schema::input(self, &definition, defaults))
            .with_raw_output_schema(schema::output(self).into())
            .with_annotations(annotations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_a_command_and_says_what_it_does() {
        for tool in TOOLS {
            assert_eq!(tool.definition().get_name(), tool.command[1], "{tool:?}");
            assert_eq!(of_command(tool.command[0], tool.command[1]), Some(tool));
            let description = tool.describe(&Defaults::default());
            assert!(!description.description.unwrap().is_empty());
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

    /// A host puts the list into the context of every conversation.
    #[test]
    fn the_list_of_tools_is_short() {
        for role in [None, Some(Role::Proposer), Some(Role::Opponent)] {
            let defaults = Defaults { role, debate_id: None };
            let tools: Vec<_> = for_role(role).map(|tool| tool.describe(&defaults)).collect();
            let bytes = serde_json::json!({ "tools": tools }).to_string().len();
            assert!(bytes <= 16_000, "{role:?}: {bytes} bytes");
        }
    }

    #[test]
    fn the_tools_match_their_snapshot() {
        let tools: Vec<_> = for_role(Some(Role::Arbitrator)).map(|tool| tool.describe(&Defaults::default())).collect();
        insta::assert_json_snapshot!(tools);
    }
}
