//! `aw debate show`: one argument in full.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    HELP_TEMPLATE,
    markdown::PrintedArgument,
    next_command,
    options::{ARGUMENT_ID, DebateId},
};
use crate::{
    client::types::Role,
    input::{ids, resolve_id},
    output::{Failure, Output},
};

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate show --debate-id 93d81b1a --argument-id '#5'")]
pub struct Show {
    #[command(flatten)]
    #[serde(flatten)]
    debate_id: DebateId,
    /// Id of the argument: whole, a unique prefix, or '#5' for number 5
    #[arg(long, value_name = "ID")]
    argument_id: String,
}

/// What is shown of it.
#[derive(Deserialize)]
struct Shown {
    argument: PrintedArgument,
}

impl Show {
    pub async fn run(self) -> Result<Output, Failure> {
        let argument_id = ids::parse_argument_ref(ARGUMENT_ID, &self.argument_id)?;
        let (client, debate_id) = self.debate_id.connect().await?;
        let argument = resolve_id::fetch_argument(&client, debate_id, ARGUMENT_ID, &argument_id).await?;
        let message = format!("Argument {} of debate {debate_id}", argument.parsed.seq);
        let output = Output::new(json!({"argument": argument.data}), message)
            .with_markdown(|data, md| {
                md.argument(None, &Shown::deserialize(data)?.argument, &[]);
                Ok(())
            })
            .with_next(next_command::context(debate_id, None));
        Ok(if argument.parsed.role == Role::Arbitrator.to_string() { output } else { output.with_caution() })
    }
}
