//! `aw debate get-context`: the debate so far.

use clap::Args;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{
    HELP_TEMPLATE,
    markdown::printed_arguments,
    next_command::{self, Step},
    options::{DebateId, role},
};
use crate::{
    client::{
        Client, Response,
        types::{DebateContext, Role},
    },
    output::{envelope::Output, failure::Failure, markdown::Markdown, truncate},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate get-context --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --role opponent")]
pub struct GetContext {
    #[command(flatten)]
    debate_id: DebateId,
    /// Your role; the answer then says what you have to do
    #[arg(long, value_parser = role())]
    role: Option<Role>,
    /// How many of the newest arguments to read besides the motion
    #[arg(long, short, visible_alias = "argument-limit", value_name = "N", default_value_t = 10)]
    limit: u32,
    /// How many characters of contents to print. The oldest contents are truncated first, then left out and counted in
    /// "omitted"; the motion and the newest argument are always printed in full
    #[arg(long, value_name = "N", default_value_t = 24_000)]
    max_chars: usize,
}

impl GetContext {
    pub async fn run(self) -> Result<Output, Failure> {
        let client = Client::from_env()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        let Response { mut data, parsed } = client
            .send::<DebateContext, _>(|| client.api.debate_get_context(&debate_id, None, None, Some(self.limit.into())))
            .await?;
        let DebateContext { debate, motion, arguments, omitted, turns, .. } = parsed;
        let last_shown = arguments.last().unwrap_or(&motion);
        // With --limit 0 the motion is the last that is shown, though it need not be the newest.
        let newest_id = (last_shown.seq == debate.last_seq).then_some(last_shown.id);
        let mut step = Step {
            sentence: next_command::turn(&debate.state).to_owned(),
            command: next_command::wait_as_next_role(debate_id, &debate.state, newest_id),
        };
        if let Some(context) = data.as_object_mut() {
            // Where the limit left something out, the command for the rest asks for all arguments.
            let all = (omitted > 0).then_some(debate.last_seq);
            self.truncate(context, debate_id, all);
            let turn =
                self.role.and_then(|role| Some((role, turns.iter().find(|turn| turn.role == role.to_string())?)));
            if let Some((role, turn)) = turn {
                let action = turn.action.as_str();
                context.insert("action".to_owned(), action.into());
                step = match newest_id {
                    Some(newest) => next_command::step(action, debate_id, role, newest, newest),
                    None => Step { command: next_command::wait(debate_id, role, None) + " --timeout 0", ..step },
                };
            }
        }
        let message = format!(
            "{}: {}. The newest of those shown is argument {} of {}, `{}`",
            debate.state, step.sentence, last_shown.seq, debate.last_seq, last_shown.id
        );
        Ok(Output::new(data, message).with_markdown(render).with_next(step.command).with_caution())
    }

    /// Truncates the contents, and adds the commands that print what is missing.
    fn truncate(&self, context: &mut Map<String, Value>, debate_id: Uuid, all: Option<u64>) {
        let all_chars = truncate::context(context, self.max_chars);
        if context.get("omitted").and_then(Value::as_u64).unwrap_or_default() > 0 {
            let limit = all.unwrap_or(self.limit.into());
            // What the server left out has at most so many characters under its default limit.
            let chars = all.map_or(all_chars, |all| usize::try_from(all * 10_240).unwrap_or(all_chars));
            let command = format!("aw debate get-context --debate-id {debate_id} --limit {limit} --max-chars {chars}");
            context.insert("omitted_command".to_owned(), command.into());
        }
        let arguments = context.get_mut("arguments").and_then(Value::as_array_mut);
        for argument in arguments.into_iter().flatten().filter_map(Value::as_object_mut) {
            if let (Some(_), Some(seq)) = (argument.get("content_bytes"), argument.get("seq").and_then(Value::as_u64)) {
                argument.insert("show_command".to_owned(), next_command::show(debate_id, seq).into());
            }
        }
    }
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    md.debate(&data["debate"])?;
    let list = |name: &str| data[name].as_array().into_iter().flatten();
    let arguments = [&data["motion"]].into_iter().chain(list("earlier_rulings")).chain(list("arguments"));
    let arguments = printed_arguments(arguments)?;
    for (index, argument) in arguments.iter().enumerate() {
        md.argument(argument, &arguments);
        if let (0, Some(command)) = (index, data["omitted_command"].as_str()) {
            md.paragraph(&format!("… {} older arguments omitted: `{command}`", data["omitted"]));
        }
    }
    Ok(())
}
