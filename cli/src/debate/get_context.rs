//! `aw debate get-context`: the debate so far.

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::{EXAMPLE_FIRST, next, options::DebateId};
use crate::{
    api::types,
    envelope::Answer,
    error::Failure,
    markdown::{Page, Shown},
    server::Server,
    thrift,
};

/// Read a debate: its state, its motion and its newest arguments
#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate get-context --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --limit 20")]
pub struct GetContext {
    #[command(flatten)]
    debate_id: DebateId,
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
        let told = server
            .call::<types::DebateContext, _>(|| {
                server.api.debate_get_context(&debate_id, None, None, Some(self.limit.into()))
            })
            .await?;
        let mut data = told.data;
        if let Some(context) = data.as_object_mut() {
            thrift::fit(context, self.max_chars);
        }
        let types::DebateContext { debate, motion, arguments } = told.view;
        let newest = arguments.last().unwrap_or(&motion);
        let turn = next::turn(&debate.state);
        let message = format!(
            "{}: {turn}. The newest of those shown is argument {} of {}, `{}`",
            debate.state, newest.seq, debate.last_seq, newest.id
        );
        Ok(Answer::new(data, message, show))
    }
}

#[derive(Deserialize)]
struct Context {
    debate: types::Debate,
    motion: Shown,
    arguments: Vec<Shown>,
    omitted: usize,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let Context { debate, motion, mut arguments, omitted } = Context::deserialize(data)?;
    page.debate(&debate);
    arguments.insert(0, motion);
    for (index, argument) in arguments.iter().enumerate() {
        page.argument(argument, &arguments);
        if index == 0 && omitted > 0 {
            page.paragraph(&format!("… {omitted} older left out: `--max-chars` shows more"));
        }
    }
    Ok(())
}
