//! The answer to every write that adds an argument to a debate.

use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::next;
use crate::{
    api::types::{self, Role},
    envelope::Answer,
    error::Failure,
    markdown::{Page, Shown},
    server::Told,
    thrift,
};

/// Tells `role` what was stored under `request_id`, and what comes next.
pub fn answer(told: Told<types::ArgumentSubmitted>, role: Role, request_id: String) -> Answer {
    let Told { mut data, view } = told;
    thrift::cut(&mut data["argument"]);
    let argument = &view.argument;
    let stored = if view.replayed.unwrap_or_default() { "was stored before" } else { "is stored" };
    let step = next::step_after_writing(&view.action, argument.debate_id, role, view.next_argument_id_to_wait);
    let message = format!("{} {stored} as argument {}. {}", argument.type_, argument.seq, step.sentence);
    let mut answer = Answer::new(data, message, show).go_on(step.command);
    answer.metadata.insert("client_request_id".to_owned(), request_id.into());
    answer
}

/// A failure to write to that debate, with what leads `role` on, who answered `target`.
pub fn failure(failure: Failure, debate: Uuid, role: Role, target: Option<Uuid>) -> Failure {
    match failure.code.as_str() {
        // Whatever the caller has not seen comes after what was to be answered, and says whose turn it is.
        "ACTION_NOT_ALLOWED" => failure.go_on(next::wait(debate, role, target)),
        "ARGUMENT_NOT_FOUND" => failure.go_on(next::context(debate, Some(role))),
        _ => failure,
    }
}

#[derive(Deserialize)]
struct Written {
    argument: Shown,
    debate_state: String,
    next_argument_id_to_wait: Uuid,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let written = Written::deserialize(data)?;
    page.heading(
        1,
        &format!("Argument {} of debate {}", written.argument.argument.seq, written.argument.argument.debate_id),
    );
    page.argument(&written.argument, &[]);
    page.paragraph(&format!(
        "State: **{}** · next argument id to wait: `{}`",
        written.debate_state, written.next_argument_id_to_wait
    ));
    Ok(())
}
