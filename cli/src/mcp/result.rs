//! What a call answers: the data of the command and what to do next, or an error; both as fields and as text.

use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Call, default_next_call, tools};
use crate::{
    client::types::{ErrorCode, Role},
    input::lines::line_end,
    output::{
        ExitStatus, Failure, Output,
        invocation::{Next, TEXT_PLACEHOLDER},
        sanitize,
    },
};

/// A call that is suggested has at most so many bytes of arguments, without its text if that is long.
const MAX_ARGUMENT_BYTES: usize = 2000;

/// An answer has at most so many characters of a document.
const MAX_TEXT_CHARS: usize = 24_000;

/// The answer of a command that succeeded.
pub fn success(output: Output, warning: Option<String>, call: &Call<'_>) -> CallToolResult {
    let mut fields = if let Value::Object(fields) = output.data { fields } else { JsonObject::new() };
    let json = |next: &Next| call_json(next, call.defaults.role);
    let mut also: Vec<Value> = output.also.iter().filter_map(json).collect();
    let next = output.next.as_ref().and_then(json).or_else(|| (!also.is_empty()).then(|| also.remove(0)));
    let next = next.unwrap_or_else(|| default_next_call::after_success(call, &fields, output.pagination));
    also.splice(0..0, output.reading.iter().filter_map(json));
    let added = [
        ("next", Some(next)),
        ("also", (!also.is_empty()).then(|| also.into())),
        ("more", output.more.as_ref().and_then(json)),
        ("total_count", output.pagination.map(|pagination| pagination.total_count.into())),
        ("has_more", output.pagination.map(|pagination| pagination.has_more.into())),
        ("message", Some(output.message.into())),
    ];
    let added = added.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let warning = warning.map(|warning| ("warning".to_owned(), warning.into()));
    for (name, value) in added.chain(output.metadata).chain(warning) {
        fields.entry(name).or_insert(value);
    }
    if call.tool.prints_text() {
        cut_at_a_line(&mut fields, call);
    }
    let fields = Value::from(fields);
    let mut result = CallToolResult::success(vec![ContentBlock::text(sanitize::json(&fields))]);
    result.structured_content = (!call.tool.prints_text()).then_some(fields);
    result
}

/// Cuts a text that is too long for one answer after a line, and adds the call that goes on from there.
fn cut_at_a_line(fields: &mut JsonObject, call: &Call<'_>) {
    let Some(text) = fields.get("content").and_then(Value::as_str) else { return };
    let mut chars = 0;
    let fits = |line: &&str| {
        chars += line.chars().count();
        chars <= MAX_TEXT_CHARS || chars == line.chars().count()
    };
    let kept: Vec<&str> = text.split_inclusive(line_end(text)).take_while(fits).collect();
    let (kept_lines, all_lines) = (kept.len() as u64, text.split_inclusive(line_end(text)).count() as u64);
    if kept_lines == all_lines {
        return;
    }
    let range = fields.get("lines").and_then(Value::as_str).and_then(|range| range.split_once('-'));
    let first: u64 = range.and_then(|(first, _)| first.parse().ok()).unwrap_or(1);
    let kept = kept.concat();
    fields.insert("content".to_owned(), kept.into());
    fields.insert("lines".to_owned(), format!("{first}-{}", first + kept_lines - 1).into());
    fields.entry("total_lines").or_insert(all_lines.into());
    let rest = format!("{}-{}", first + kept_lines, first + all_lines - 1);
    fields.insert("next".to_owned(), call.again_with("lines", rest));
}

/// What is told of a command that failed.
#[derive(Serialize)]
struct ToldError<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'a str>,
    /// What else the server says, unchanged
    #[serde(flatten)]
    sent: JsonObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
    next: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_request_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
}

/// The answer of a command that failed.
pub fn failure(failure: Failure, warning: Option<String>, call: &Call<'_>) -> CallToolResult {
    // Perhaps the server is back, or the token accepted, when it is made again. A write was perhaps stored; the same request
    // id stores it once.
    let may_be_repeated = failure.exit_status() == ExitStatus::Server || failure.is(ErrorCode::AuthFailed);
    let own = failure.next().as_ref().and_then(|next| call_json(next, call.defaults.role));
    let id = failure.client_request_id.as_deref();
    let next = match own {
        own if may_be_repeated && (id.is_some() || own.is_none()) => again(call, id),
        Some(next) => next,
        None => {
            let is_missing = failure.is(ErrorCode::DebateNotFound) || failure.is(ErrorCode::DocumentNotFound);
            default_next_call::after_failure(call, is_missing)
        }
    };
    // What is told of it in other words is left out.
    let told = |field: &str| ["code", "message", "suggestion", "request_id"].contains(&field);
    let sent = failure.server_error.iter().flat_map(|sent| sent.error.clone()).filter(|(field, _)| !told(field));
    let error = ToldError {
        code: &failure.code,
        message: &failure.message,
        suggestion: failure.suggestion.as_deref(),
        sent: sent.collect(),
        request_id: failure.request_id(),
        next,
        client_request_id: id,
        warning,
    };
    let fields = json!({ "error": error });
    let mut result = CallToolResult::error(vec![ContentBlock::text(sanitize::json(&fields))]);
    result.structured_content = Some(fields);
    result
}

/// The same call, with the request id that it had.
fn again(call: &Call<'_>, request_id: Option<&str>) -> Value {
    let mut arguments = call.arguments.clone();
    arguments.extend(request_id.map(|id| ("client_request_id".to_owned(), id.into())));
    if json!(arguments).to_string().len() > MAX_ARGUMENT_BYTES && arguments.contains_key("content") {
        arguments.insert("content".to_owned(), TEXT_PLACEHOLDER.into());
    }
    json!({"tool": call.tool.name(), "arguments": arguments})
}

/// What to do next as a call, if there is a tool for it.
fn call_json(next: &Next, role: Option<Role>) -> Option<Value> {
    match next {
        Next::Command(command) => {
            let tool = command.tool();
            let is_known = tools::for_role(role).any(|one| one.name() == tool);
            is_known.then(|| json!({"tool": tool, "arguments": command.tool_arguments()}))
        }
        Next::Line(_) | Next::Citation(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Defaults, *};
    use crate::output::{Code, Invocation};

    fn fields(result: &CallToolResult) -> Value {
        let text = serde_json::to_value(&result.content).unwrap()[0]["text"].as_str().unwrap().to_owned();
        let fields = result.structured_content.clone().unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), fields);
        fields
    }

    #[test]
    fn an_answer_has_the_data_and_what_to_do_next() {
        let data = json!({"status": "timeout", "message": "own"});
        let output = Output::new(data, "Nothing new")
            .with_next(Invocation::new("debate wait").text_option("debate-id", "X").shell_option("timeout", 5))
            .with_also([Next::from("aw debate export"), Invocation::new("debate list").into()])
            .with_caution();
        let tool = tools::of_command("debate", "wait").unwrap();
        let call = Call { tool, arguments: JsonObject::new(), defaults: &Defaults::default() };
        let fields = fields(&success(output, Some("odd".to_owned()), &call));
        assert_eq!(fields["status"], "timeout");
        assert_eq!(fields["next"], json!({"tool": "debate_wait", "arguments": {"debate_id": "X"}}));
        assert_eq!(fields["also"], json!([{"tool": "debate_list", "arguments": {}}]));
        assert_eq!(fields["message"], "own", "the command's data comes first");
        assert_eq!(fields["warning"], "odd");
        assert!(fields["caution"].is_string());
    }

    #[test]
    fn a_long_text_comes_in_parts_that_are_the_whole() {
        let long = format!("{}\n{}\r\n\n{}", "ệ".repeat(20_000), "b".repeat(30_000), "line\n".repeat(6_000));
        let tool = tools::of_command("docs", "get").unwrap();
        let lines: Vec<&str> = long.split_inclusive('\n').collect();
        let (mut arguments, mut read) =
            (JsonObject::from_iter([("document_id".to_owned(), json!("X"))]), String::new());
        for _ in 0..20 {
            let range = arguments.get("lines").map(|range| range.as_str().unwrap().to_owned());
            let data = match range.as_deref().and_then(|range| range.split_once('-')) {
                Some((first, last)) => {
                    let part = lines[first.parse::<usize>().unwrap() - 1..last.parse().unwrap()].concat();
                    json!({"content": part, "lines": range, "total_lines": lines.len()})
                }
                None => json!({"content": long}),
            };
            let answer =
                success(Output::new(data, ""), None, &Call { tool, arguments, defaults: &Defaults::default() });
            assert_eq!(answer.structured_content, None, "a text comes once");
            let text = serde_json::to_value(&answer.content).unwrap()[0]["text"].as_str().unwrap().to_owned();
            let fields: Value = serde_json::from_str(&text).unwrap();
            read += fields["content"].as_str().unwrap();
            let next = &fields["next"];
            if next["tool"] != "docs_get" {
                break;
            }
            assert_eq!(fields["total_lines"], lines.len());
            arguments = next["arguments"].as_object().unwrap().clone();
        }
        assert!(read == long, "{} of {} bytes", read.len(), long.len());
    }

    #[test]
    fn a_write_that_may_be_stored_is_repeated_under_its_request_id() {
        let tool = tools::of_command("docs", "create").unwrap();
        let away = |arguments: Value| {
            let failure_of = Failure::new(Code::ConnectionError, "away");
            let failure_of = Failure { client_request_id: Some("r1".into()), ..failure_of };
            let Value::Object(arguments) = arguments else { panic!("not an object") };
            let call = Call { tool, arguments, defaults: &Defaults::default() };
            fields(&failure(failure_of, None, &call))["error"]["next"].clone()
        };
        let arguments = json!({"summary": "S", "content": "short", "client_request_id": "r1"});
        assert_eq!(
            away(json!({"summary": "S", "content": "short"})),
            json!({"tool": "docs_create", "arguments": arguments})
        );
        assert_eq!(away(json!({"content": "x".repeat(3000)}))["arguments"]["content"], "<content>");
    }
}
