//! The call to make next where the command names none: every answer has one.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::Call;
use crate::{
    client::types::{DebateType, Role},
    input::ids,
    output::{Invocation, envelope::Pagination},
};

/// After an answer: the rest of a list, else what the call was about.
pub fn after_success(call: &Call<'_>, fields: &JsonObject, pagination: Option<Pagination>) -> Value {
    let shown = fields.values().find_map(Value::as_array).map_or(0, Vec::len) as u64;
    if shown > 0 && pagination.is_some_and(|pagination| pagination.has_more) {
        let offset = call.arguments.get("offset").and_then(Value::as_u64).unwrap_or_default();
        return call.again_with("offset", offset.saturating_add(shown));
    }
    let may_open = call.defaults.role.is_none_or(|role| role == Role::Proposer);
    match (call.tool.command, debate_of(call)) {
        // What the debate decided, if there is no more to do in it.
        (["debate", "get-context"], Some(debate)) => {
            json(Invocation::new("debate record").text_option("debate-id", debate))
        }
        (["debate", "list"], None) if pagination.is_some_and(|pagination| pagination.total_count == 0) && may_open => {
            let create = Invocation::new("debate create").text_option("title", "<title>");
            json(create.text_option("debate-type", DebateType::CodingPlanDebate).with_text())
        }
        // Which one is for the caller to say: nothing leads to the debate or the document of somebody else.
        (["debate", "list"], None) => context("<debate_id>", call),
        (_, Some(debate)) => context(&debate, call),
        (["docs", "create" | "submit"], None) => {
            let document = fields.get("document_id").and_then(Value::as_str).unwrap_or_default();
            json(Invocation::new("docs get").positional("document-id", document))
        }
        (_, None) => lists(),
    }
}

/// After an error that the same call would meet again. `is_missing` tells whether what the call names does not exist.
pub fn after_failure(call: &Call<'_>, is_missing: bool) -> Value {
    match (call.tool.command[0], debate_of(call), id_of(call, "document_id")) {
        _ if is_missing => lists(),
        ("debate", Some(debate), _) => context(&debate, call),
        ("docs", _, Some(document)) => json(Invocation::new("docs get").positional("document-id", document)),
        _ => lists(),
    }
}

fn json(command: Invocation) -> Value {
    json!({"tool": command.tool(), "arguments": command.tool_arguments()})
}

fn lists() -> Value {
    json(Invocation::new("debate list"))
}

/// Where the debate stands, and what the caller can do in it.
fn context(debate: &str, call: &Call<'_>) -> Value {
    let given = call.arguments.get("role").and_then(Value::as_str).and_then(|role| role.parse::<Role>().ok());
    let command = Invocation::new("debate get-context").text_option("debate-id", debate);
    json(call.defaults.role.or(given).into_iter().fold(command, |command, role| command.text_option("role", role)))
}

/// The one debate that a call is about.
fn debate_of(call: &Call<'_>) -> Option<String> {
    id_of(call, "debate_id").or_else(|| call.defaults.debate_id.clone())
}

/// An argument of a call that may be an id.
fn id_of(call: &Call<'_>, name: &str) -> Option<String> {
    let id = call.arguments.get(name)?.as_str()?;
    ids::parse_ref(name, id).is_ok().then(|| id.to_owned())
}
