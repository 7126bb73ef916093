//! `aw debate show`: one argument, whole.

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{EXAMPLE_FIRST, next, options::DebateId};
use crate::{
    envelope::Answer,
    error::Failure,
    find, ids,
    markdown::{Page, Shown},
    server::Server,
};

const ARGUMENT: &str = "--argument-id";

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate show --debate-id 93d81b1a --argument-id '#5'")]
pub struct Show {
    #[command(flatten)]
    debate_id: DebateId,
    /// Id of the argument: whole, its beginning, or '#5' for number 5
    #[arg(long, value_name = "ID")]
    argument_id: String,
}

impl Show {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let (debate_id, argument_id) = (self.debate_id.read()?, ids::argument(ARGUMENT, &self.argument_id)?);
        let server = Server::from_env()?;
        let debate_id = find::debate(&server, &debate_id).await?;
        let told = find::whole_argument(&server, debate_id, ARGUMENT, &argument_id).await?;
        let message = format!("Argument {} of debate {debate_id}", told.view.seq);
        let answer = Answer::new(json!({"argument": told.data}), message, show).go_on(next::context(debate_id, None));
        Ok(if told.view.role == "arbitrator" { answer } else { answer.with_others_text() })
    }
}

#[derive(Deserialize)]
struct Found {
    argument: Shown,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    page.argument(&Found::deserialize(data)?.argument, &[]);
    Ok(())
}
