//! `aw debate get-context`: the debate so far.

use clap::Args;
use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{
    EXAMPLE_FIRST, next,
    options::{DebateId, role},
};
use crate::{
    api::types::{self, Role},
    envelope::Answer,
    error::Failure,
    find,
    markdown::{Page, Shown},
    server::Server,
    thrift,
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate get-context --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --role opponent")]
pub struct GetContext {
    #[command(flatten)]
    debate_id: DebateId,
    /// Who you are: the answer then says what is yours to do
    #[arg(long, value_parser = role())]
    role: Option<Role>,
    /// How many of the newest arguments to read besides the motion
    #[arg(long, short, visible_alias = "argument-limit", value_name = "N", default_value_t = 10)]
    limit: u32,
    /// How many characters of contents to print: older ones are cut, then left out and counted in "omitted"; the motion
    /// and the newest argument come whole in any case
    #[arg(long, value_name = "N", default_value_t = 24_000)]
    max_chars: usize,
}

impl GetContext {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let debate_id = self.debate_id.read()?;
        let server = Server::from_env()?;
        let debate_id = find::debate(&server, &debate_id).await?;
        let told = server
            .call::<types::DebateContext, _>(|| {
                server.api.debate_get_context(&debate_id, None, None, Some(self.limit.into()))
            })
            .await?;
        let types::DebateContext { debate, motion, arguments } = told.view;
        let newest = arguments.last().unwrap_or(&motion);
        let shown = (newest.seq == debate.last_seq).then_some(newest.id);
        let mut data = told.data;
        let mut step = next::Step {
            sentence: next::turn(&debate.state).to_owned(),
            command: next::ask(debate_id, &debate.state, shown),
        };
        if let Some(context) = data.as_object_mut() {
            self.spare(context, debate_id);
            if let Some(role) = self.role {
                let action = next::action(&debate.state, role, &newest.type_);
                context.insert("action".to_owned(), action.into());
                step = match shown {
                    Some(newest) => next::step(action, debate_id, role, newest, newest),
                    None => next::Step { command: next::wait(debate_id, role, None) + " --timeout 0", ..step },
                };
            }
        }
        let message = format!(
            "{}: {}. The newest of those shown is argument {} of {}, `{}`",
            debate.state, step.sentence, newest.seq, debate.last_seq, newest.id
        );
        Ok(Answer::new(data, message, show).go_on(step.command).with_others_text())
    }

    /// Cuts what is too much, and names beside it the command that shows it.
    fn spare(&self, context: &mut Map<String, Value>, debate_id: Uuid) {
        let whole = thrift::fit(context, self.max_chars);
        if context.get("omitted").and_then(Value::as_u64).unwrap_or_default() > 0 {
            let limit = self.limit;
            let command = format!("aw debate get-context --debate-id {debate_id} --limit {limit} --max-chars {whole}");
            context.insert("omitted_command".to_owned(), command.into());
        }
        let arguments = context.get_mut("arguments").and_then(Value::as_array_mut);
        for argument in arguments.into_iter().flatten().filter_map(Value::as_object_mut) {
            if let (Some(_), Some(seq)) = (argument.get("content_bytes"), argument.get("seq").and_then(Value::as_u64)) {
                argument.insert("show_command".to_owned(), next::show(debate_id, seq).into());
            }
        }
    }
}

#[derive(Deserialize)]
struct Context {
    debate: types::Debate,
    motion: Shown,
    arguments: Vec<Shown>,
    omitted: usize,
    omitted_command: Option<String>,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let Context { debate, motion, mut arguments, omitted, omitted_command } = Context::deserialize(data)?;
    page.debate(&debate);
    arguments.insert(0, motion);
    for (index, argument) in arguments.iter().enumerate() {
        page.argument(argument, &arguments);
        if let (0, Some(command)) = (index, &omitted_command) {
            page.paragraph(&format!("… {omitted} older left out: `{command}`"));
        }
    }
    Ok(())
}
