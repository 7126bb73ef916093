//! The call to make next where the command names none: every answer has one.

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use super::{Defaults, tools::Tool};
use crate::{
    client::types::{DebateType, Role},
    input::ids,
    output::{envelope::Pagination, invocation::Invocation},
};

/// After an answer: the rest of a list, else what the call was about.
pub fn after_success(
    tool: &Tool,
    arguments: &JsonObject,
    defaults: &Defaults,
    fields: &Map<String, Value>,
    pagination: Option<Pagination>,
) -> Value {
    let shown = fields.values().find_map(Value::as_array).map_or(0, Vec::len) as u64;
    if shown > 0 && pagination.is_some_and(|pagination| pagination.has_more) {
        let offset = arguments.get("offset").and_then(Value::as_u64).unwrap_or_default();
        let mut arguments = arguments.clone();
        arguments.insert("offset".to_owned(), (offset + shown).into());
        return json!({"tool": tool.name(), "arguments": arguments});
    }
    let may_open = defaults.role.is_none_or(|role| role == Role::Proposer);
    match (tool.command, debate_of(arguments, defaults)) {
        // What the debate decided, if there is no more to do in it.
        (["debate", "get-context"], Some(debate)) => {
            call(Invocation::new("debate record").text_option("debate-id", debate))
        }
        (["debate", "list"], None) if pagination.is_some_and(|pagination| pagination.total_count == 0) && may_open => {
            let create = Invocation::new("debate create").text_option("title", "<title>");
            call(create.text_option("debate-type", DebateType::CodingPlanDebate).with_text())
        }
        // Which one is for the caller to say: nothing leads to the debate or the document of somebody else.
        (["debate", "list"], None) => context("<debate_id>", arguments, defaults),
        (_, Some(debate)) => context(&debate, arguments, defaults),
        (["docs", "create" | "submit"], None) => {
            let document = fields.get("document_id").and_then(Value::as_str).unwrap_or_default();
            call(Invocation::new("docs get").positional("document-id", document))
        }
        (_, None) => lists(),
    }
}

/// After an error that the same call would meet again. `is_missing` tells whether what the call names does not exist.
pub fn after_failure(tool: &Tool, arguments: &JsonObject, defaults: &Defaults, is_missing: bool) -> Value {
    let document = id_of(arguments, "document_id");
    match (tool.command[0], debate_of(arguments, defaults), document) {
        _ if is_missing => lists(),
        ("debate", Some(debate), _) => context(&debate, arguments, defaults),
        ("docs", _, Some(document)) => call(Invocation::new("docs get").positional("document-id", document)),
        _ => lists(),
    }
}

fn call(command: Invocation) -> Value {
    json!({"tool": command.tool(), "arguments": command.tool_arguments()})
}

fn lists() -> Value {
    call(Invocation::new("debate list"))
}

/// Where the debate stands, and what the caller can do in it.
fn context(debate: &str, arguments: &JsonObject, defaults: &Defaults) -> Value {
    let given = arguments.get("role").and_then(Value::as_str).and_then(|role| role.parse::<Role>().ok());
    let command = Invocation::new("debate get-context").text_option("debate-id", debate);
    call(defaults.role.or(given).into_iter().fold(command, |command, role| command.text_option("role", role)))
}

/// The one debate that a call is about.
fn debate_of(arguments: &JsonObject, defaults: &Defaults) -> Option<String> {
    id_of(arguments, "debate_id").or_else(|| defaults.debate_id.clone())
}

/// An argument of a call that may be an id.
fn id_of(arguments: &JsonObject, name: &str) -> Option<String> {
    let id = arguments.get(name)?.as_str()?;
    ids::parse_ref(name, id).is_ok().then(|| id.to_owned())
}
