//! The list of tools: which commands they are.

use std::sync::LazyLock;

use rmcp::model::JsonObject;
use schemars::{Schema, generate::SchemaSettings, transform::RecursiveTransform};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Defaults, arguments, prompts};
use crate::{
    client::types::Role,
    commands::{debate::Debate, docs::Docs},
    output::{Failure, Output, failure::on_one_line},
    shell_or_mcp::Caller,
};

/// The command of a call.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolCommand {
    Debate(Box<Debate>),
    Docs(Docs),
}

impl ToolCommand {
    /// Runs it on the present runtime.
    pub async fn run(self, defaults: &Defaults) -> Result<Output, Failure> {
        match self {
            Self::Debate(debate) => {
                // The guides are those with tools here.
                if let Debate::Guide(guide) = &*debate {
                    return prompts::answer(guide, defaults);
                }
                debate.run(Caller::Tool).await
            }
            Self::Docs(docs) => docs.run().await,
        }
    }
}

/// The schemas of the commands, as they are derived from their types: for each group a list, whose entries have one command each.
static SCHEMAS: LazyLock<Value> = LazyLock::new(|| {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut generator = settings.with_transform(RecursiveTransform(in_short)).into_generator();
    json!({"debate": generator.root_schema_for::<Debate>(), "docs": generator.root_schema_for::<Docs>()})
});

/// An argument that may be left out is never null in what clients see, and what is said of it is one line.
fn in_short(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = on_one_line(text);
    }
    if let Some(Value::Array(types)) = schema.get("type")
        && let Some(first) = types.first().cloned()
    {
        schema.insert("type".to_owned(), first);
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

/// All tools. The arbitrator's are only for an arbitrator.
const TOOLS: &[Tool] = &[
    writes(["debate", "create"], Some(Role::Proposer), "once your plan or question is written"),
    reads(["debate", "get-context"], "first in a session"),
    writes(["debate", "submit"], None, "when your action is respond or align_to_ruling"),
    reads(["debate", "wait"], "when it is not your turn"),
    reads(["debate", "issues"], "before you answer, or ask to finish"),
    reads(["debate", "plan"], "before you answer or rule"),
    writes(["debate", "appeal"], Some(Role::Proposer), "when the two sides cannot agree"),
    writes(["debate", "request-completion"], Some(Role::Proposer), "when nothing is open"),
    reads(["debate", "guide"], "before your first call"),
    reads(["debate", "list"], "to find an id"),
    reads(["debate", "search"], "before a motion or a first claim"),
    reads(["debate", "show"], "where the text of an argument was cut"),
    reads(["debate", "record"], "after the end"),
    writes(["debate", "ruling"], Some(Role::Arbitrator), "when your action is rule"),
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

    /// The command with these arguments.
    pub fn command(&self, arguments: JsonObject) -> Result<ToolCommand, Failure> {
        let [group, verb] = self.command;
        serde_json::from_value(json!({group: {"command": verb, "arguments": arguments}}))
            .map_err(|error| arguments::invalid(error.to_string()))
    }

    fn schema(&self) -> &'static Value {
        let [group, verb] = self.command;
        let mut commands = SCHEMAS[group]["oneOf"].as_array().into_iter().flatten();
        commands.find(|command| command["properties"]["command"]["const"] == verb).unwrap_or(&Value::Null)
    }

    /// What the command does, in one sentence.
    pub fn about(&self) -> &'static str {
        self.schema()["description"].as_str().unwrap_or_default()
    }

    /// The schemas of its arguments, with the keywords of `input::tool_arguments`.
    pub fn properties(&self) -> &'static JsonObject {
        static NONE: LazyLock<JsonObject> = LazyLock::new(JsonObject::new);
        self.schema()["properties"]["arguments"]["properties"].as_object().unwrap_or(&NONE)
    }

    /// The arguments that the command has to have.
    pub fn required(&self) -> impl Iterator<Item = &'static str> {
        let required = self.schema()["properties"]["arguments"]["required"].as_array();
        required.into_iter().flatten().filter_map(Value::as_str)
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
            assert!(!tool.about().is_empty() && tool.schema()["properties"]["arguments"].is_object(), "{tool:?}");
            assert_eq!(of_command(tool.command[0], tool.command[1]), Some(tool));
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
