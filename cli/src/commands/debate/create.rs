//! `aw debate create`: opens a debate with its motion.

use clap::Args;
use serde_json::Value;

use super::{HELP_TEMPLATE, markdown::printed_arguments, next_command, options::debate_type};
use crate::{
    client::{
        Client, Response,
        types::{DebateCreate, DebateCreated, DebateType, Role},
    },
    input::{content::Content, ids, request_id::RequestId},
    output::{envelope::Output, failure::Failure, markdown::Markdown, truncate},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate create --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --title 'Cache the price list' --debate-type coding_plan_debate \\
    --file motion.md")]
pub struct Create {
    /// New id for the debate
    #[arg(long, value_name = "UUID")]
    debate_id: String,
    /// Title of the debate, on one line
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    title: String,
    /// Type of the debate
    #[arg(long, visible_alias = "type", value_name = "TYPE", value_parser = debate_type())]
    debate_type: DebateType,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    request_id: RequestId,
}

impl Create {
    pub async fn run(self) -> Result<Output, Failure> {
        let body = DebateCreate {
            debate_id: ids::parse_uuid("--debate-id", &self.debate_id)?,
            title: self.title,
            debate_type: self.debate_type,
            motion_content: self.content.read()?,
            client_request_id: self.request_id.or_new(),
        };
        let client = Client::from_env()?;
        let Response { mut data, parsed } =
            client.write::<DebateCreated, _>(&body.client_request_id, || client.api.debate_create(&body)).await?;
        truncate::argument(&mut data["argument"]);
        let created = if parsed.replayed.unwrap_or_default() { "was created before" } else { "is created" };
        let step =
            next_command::step_after_writing("wait_for_opponent", parsed.debate.id, Role::Proposer, parsed.argument.id);
        Ok(Output::new(data, format!("The debate {created}. {}", step.sentence))
            .with_markdown(render)
            .with_next(step.command)
            .with_metadata("client_request_id", body.client_request_id))
    }
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    md.debate(&data["debate"])?;
    for argument in &printed_arguments([&data["argument"]])? {
        md.argument(argument, &[]);
    }
    Ok(())
}
