//! The answer to every write that adds an argument to a debate.

use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::next;
use crate::{
    api::types::{self, Role},
    envelope::Answer,
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
    let next = next::step_after_writing(&view.action, argument.debate_id, role, view.next_argument_id_to_wait);
    let message = format!("{} {stored} as argument {}. {next}", argument.type_, argument.seq);
    let mut answer = Answer::new(data, message, show);
    answer.metadata.insert("client_request_id".to_owned(), request_id.into());
    answer
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
