//! `aw debate create`: opens a debate with its motion.

use clap::{Args, builder::PossibleValuesParser, builder::TypedValueParser};
use serde::Deserialize;
use serde_json::Value;

use super::{EXAMPLE_FIRST, next, options::RequestId};
use crate::{
    api::types::{self, DebateType, Role},
    content::Content,
    envelope::Answer,
    error::Failure,
    ids,
    markdown::{Page, Shown},
    server::Server,
    thrift,
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate create --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --title 'Cache the price list' --debate-type coding_plan_debate \\
    --file motion.md")]
pub struct Create {
    /// Id of the debate, a new one
    #[arg(long, value_name = "UUID")]
    debate_id: String,
    /// What the debate is about, in one line
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    title: String,
    /// What kind of debate it is
    #[arg(long, visible_alias = "type", value_name = "TYPE", value_parser = debate_type())]
    debate_type: DebateType,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    request_id: RequestId,
}

/// Reads a type of debate.
pub fn debate_type() -> impl TypedValueParser<Value = DebateType> {
    PossibleValuesParser::new(["coding_plan_debate", "general_debate"]).try_map(|name| name.parse::<DebateType>())
}

impl Create {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let body = types::DebateCreate {
            debate_id: ids::read("--debate-id", &self.debate_id)?,
            title: self.title,
            debate_type: self.debate_type,
            motion_content: self.content.read()?,
            client_request_id: self.request_id.or_fresh(),
        };
        let server = Server::from_env()?;
        let told = server
            .write::<types::DebateCreated, _>(&body.client_request_id, || server.api.debate_create(&body))
            .await?;
        let mut data = told.data;
        thrift::cut(&mut data["argument"]);
        let created = if told.view.replayed.unwrap_or_default() { "was created before" } else { "is created" };
        let types::DebateCreated { debate, argument, .. } = told.view;
        let step = next::step_after_writing("wait_for_opponent", debate.id, Role::Proposer, argument.id);
        let message = format!("The debate {created}. {}", step.sentence);
        let mut answer = Answer::new(data, message, show).go_on(step.command);
        answer.metadata.insert("client_request_id".to_owned(), body.client_request_id.into());
        Ok(answer)
    }
}

#[derive(Deserialize)]
struct Created {
    debate: types::Debate,
    argument: Shown,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let created = Created::deserialize(data)?;
    page.debate(&created.debate);
    page.argument(&created.argument, &[]);
    Ok(())
}
