//! `aw debate get-context`: the debate so far.

use clap::Args;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{
    HELP_TEMPLATE,
    markdown::printed_arguments,
    next_command,
    options::{DebateId, named},
    reading,
};
use crate::{
    client::{
        Client, Response,
        types::{Argument, DebateContext, Info, Role, Turn},
    },
    output::{envelope::Output, failure::Failure, invocation::Invocation, markdown::Markdown, truncate},
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
    #[arg(long, value_parser = named::<Role>())]
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
            .await
            .map_err(|failure| next_command::until_opened(failure, debate_id, self.role))?;
        let DebateContext { debate, motion, arguments, omitted, turns, .. } = parsed;
        let last_shown = arguments.last().unwrap_or(&motion);
        // With --limit 0 the motion is the last that is shown, though it need not be the newest.
        let newest_id = (last_shown.seq == debate.last_seq).then_some(last_shown.id);
        let mut step = next_command::step_of_others(debate_id, &turns, newest_id);
        let turn = self.role.and_then(|role| Some((role, turns.iter().find(|turn| turn.role == role.to_string())?)));
        let mut more = None;
        if let Some(context) = data.as_object_mut() {
            // Where the limit left something out, the command for the rest asks for all arguments.
            let all = (omitted > 0).then_some(debate.last_seq);
            more = self.truncate(&client, context, debate_id, all).await;
            if let Some((role, Turn { action, moves, .. })) = turn {
                context.insert("action".to_owned(), action.as_str().into());
                step = match newest_id {
                    Some(newest) => next_command::Turn { debate: debate_id, role, action, moves, newest }.step(),
                    None => step.with_next(next_command::ask(debate_id, role, None)),
                };
            }
        }
        let reading = match turn {
            Some((Role::Arbitrator, turn)) => reading::before_ruling(&debate, &turn.moves),
            Some((role, turn)) if turn.action != next_command::CLOSED => {
                let shown: Vec<&Argument> = [&motion].into_iter().chain(&arguments).collect();
                let own = shown.iter().rposition(|argument| argument.role == role.to_string()).map_or(0, |own| own + 1);
                reading::before_answering(debate.plan.as_ref(), role, &shown[own..])
            }
            Some(_) | None => Vec::new(),
        };
        let message = format!(
            "{}: {}. The newest of those shown is argument {} of {}, `{}`",
            debate.state, step.sentence, last_shown.seq, debate.last_seq, last_shown.id
        );
        Ok(Output::new(data, message)
            .with_markdown(render)
            .with_step(step)
            .with_reading(reading)
            .with_more(more)
            .with_caution())
    }

    /// Truncates the contents, and adds the commands that print truncated ones. Returns the command that prints what was left
    /// out, of `all` arguments if the server left some out.
    async fn truncate(
        &self,
        client: &Client,
        context: &mut Map<String, Value>,
        debate_id: Uuid,
        all: Option<u64>,
    ) -> Option<Invocation> {
        let all_chars = truncate::context(context, self.max_chars);
        let arguments = context.get_mut("arguments").and_then(Value::as_array_mut);
        for argument in arguments.into_iter().flatten().filter_map(Value::as_object_mut) {
            if let (Some(_), Some(seq)) = (argument.get("content_bytes"), argument.get("seq").and_then(Value::as_u64)) {
                argument.insert("show_command".to_owned(), next_command::show(debate_id, seq).to_string().into());
            }
        }
        if context.get("omitted").and_then(Value::as_u64).unwrap_or_default() == 0 {
            return None;
        }
        let chars = match all {
            Some(all) => {
                // What the server left out has at most so many characters.
                let info = client.send::<Info, _>(|| client.api.info()).await.ok()?;
                usize::try_from(all * info.parsed.limits.max_content_bytes).unwrap_or(all_chars)
            }
            None => all_chars,
        };
        let limit = all.unwrap_or(self.limit.into());
        Some(next_command::whole_context(debate_id, limit, chars))
    }
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    md.debate(&data["debate"])?;
    let list = |name: &str| data[name].as_array().into_iter().flatten();
    let arguments = [&data["motion"]].into_iter().chain(list("earlier_rulings")).chain(list("arguments"));
    let arguments = printed_arguments(arguments)?;
    for (index, argument) in arguments.iter().enumerate() {
        md.argument(argument, &arguments);
        if let (0, Some(omitted @ 1..)) = (index, data["omitted"].as_u64()) {
            md.paragraph(&format!("… {} omitted", next_command::count(omitted, "older argument")));
        }
    }
    if data["issues"].as_array().is_some_and(|issues| !issues.is_empty()) {
        md.heading(2, "Issues that are not settled");
        md.issues(&data["issues"])?;
    }
    Ok(())
}
