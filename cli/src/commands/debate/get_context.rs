//! `aw debate get-context`: the debate so far.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{
    HELP_TEMPLATE,
    markdown::PrintedArgument,
    next_command::{self, Step},
    options::{DebateId, named},
    reading,
};
use crate::{
    client::{
        Response,
        types::{Argument, Debate, DebateContext, Issue, Role, Turn},
    },
    input::tool_arguments::name_of,
    output::{Failure, Markdown, Output, truncate},
};

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate get-context --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --role opponent")]
pub struct GetContext {
    #[command(flatten)]
    #[serde(flatten)]
    debate_id: DebateId,
    /// Your role; the answer then says what you have to do
    #[arg(long, value_parser = named::<Role>())]
    #[serde(default)]
    #[schemars(description = "", schema_with = "name_of::<Role>")]
    role: Option<Role>,
    /// How many of the newest arguments to read besides the motion
    #[arg(long, short, visible_alias = "argument-limit", value_name = "N", default_value_t = default_limit())]
    #[serde(default = "default_limit")]
    limit: u32,
    /// How many characters of contents to print. The oldest contents are truncated first, then left out and counted in
    /// "omitted"; the motion and the newest argument are always printed in full
    #[arg(long, value_name = "N", default_value_t = default_max_chars())]
    #[serde(default = "default_max_chars")]
    #[schemars(description = "How many characters of contents to print")]
    max_chars: usize,
}

fn default_limit() -> u32 {
    10
}

fn default_max_chars() -> usize {
    24_000
}

impl GetContext {
    pub async fn run(self) -> Result<Output, Failure> {
        let (client, debate_id) = self.debate_id.connect().await?;
        let Response { mut data, parsed } = client
            .send::<DebateContext, _>(|| {
                client.api.debate_get_context(&debate_id, None, None, Some(self.limit.into()), None, None)
            })
            .await
            .map_err(|failure| next_command::until_opened(failure, debate_id, self.role))?;
        let DebateContext { debate, motion, arguments, turns, .. } = parsed;
        let last_shown = arguments.last().unwrap_or(&motion);
        // With --limit 0 the motion is the last that is shown, though it need not be the newest.
        let newest_id = (last_shown.seq == debate.last_seq).then_some(last_shown.id);
        let mut step = next_command::step_of_others(debate_id, &turns, newest_id);
        let turn = self.role.and_then(|role| Some((role, turns.iter().find(|turn| turn.role == role.to_string())?)));
        let mut more = None;
        if let Some(context) = data.as_object_mut() {
            let omitted = truncate::context(context, self.max_chars);
            next_command::add_show_commands(debate_id, context.get_mut("arguments"));
            more = (omitted > 0).then(|| next_command::whole_context(debate_id, debate.last_seq));
            if let Some((role, Turn { action, moves, .. })) = turn {
                context.insert("action".to_owned(), action.as_str().into());
                step = match newest_id {
                    Some(newest) => next_command::Turn { debate: debate_id, role, action, moves, newest }.step(),
                    None => Step::to(step.sentence, Some(next_command::ask(debate_id, role, None))),
                };
            }
        }
        let shown: Vec<&Argument> = [&motion].into_iter().chain(&arguments).collect();
        let is_all = shown.len() as u64 == debate.last_seq;
        let reading = match turn {
            Some((Role::Arbitrator, _)) => match reading::since_last_ruling(&shown) {
                Some(since) => reading::before_ruling(&debate, since),
                None if is_all || debate.ruling_request.is_none() => reading::before_ruling(&debate, &shown),
                None => reading::search_before_ruling(&client, debate_id).await,
            },
            Some((role, turn)) if !next_command::is_closed(&turn.action) => {
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
}

/// What is shown of a debate.
#[derive(Deserialize)]
struct Shown {
    debate: Debate,
    motion: PrintedArgument,
    earlier_rulings: Vec<PrintedArgument>,
    arguments: Vec<PrintedArgument>,
    omitted: u64,
    issues: Vec<Issue>,
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let Shown { debate, motion, earlier_rulings, arguments, omitted, issues } = Shown::deserialize(data)?;
    md.debate(&debate);
    // Rulings are shown although they are among them.
    let omitted = omitted.saturating_sub(earlier_rulings.len() as u64);
    let arguments: Vec<_> = [motion].into_iter().chain(earlier_rulings).chain(arguments).collect();
    for (index, argument) in arguments.iter().enumerate() {
        md.argument(None, argument, &arguments);
        if index == 0 && omitted > 0 {
            md.paragraph(&format!("… {} omitted", next_command::count(omitted, "older argument")));
        }
    }
    md.unsettled_issues(&issues);
    Ok(())
}
