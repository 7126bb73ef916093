//! `aw debate create`: opens a debate with its motion.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    HELP_TEMPLATE,
    add_argument::{Stored, explain_taken_seat, warn_of_citations},
    markdown::PrintedArgument,
    next_command,
    options::{named, only},
    plan_file::ContentWithPlan,
};
use crate::{
    client::{
        Response,
        types::{Debate, DebateCreate, DebateCreated, DebateType, Role, Side},
    },
    input::{agents::Agents, ids, request_id::RequestId, tool_arguments::name_of},
    output::{Failure, Markdown, Output, truncate},
};

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate create --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --title 'Cache the price list' --debate-type coding_plan_debate \\
    --file motion.md")]
pub struct Create {
    #[arg(id = "role", long = "role", hide = true, value_name = "ROLE", value_parser = only(Role::Proposer))]
    #[serde(skip)]
    _role: Option<Role>,
    /// New id for the debate
    #[schemars(description = "New UUID [default: one is made]", extend("x-new-id" = true))]
    #[arg(long, value_name = "UUID")]
    debate_id: String,
    /// Title of the debate, on one line
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    #[schemars(description = "")]
    title: String,
    /// Type of the debate
    #[arg(long, visible_alias = "type", value_name = "TYPE", value_parser = named::<DebateType>())]
    #[schemars(description = "", schema_with = "name_of::<DebateType>")]
    debate_type: DebateType,
    /// After so many answers of the opponent without a ruling, 1 to 100, you have to appeal or to request completion
    #[arg(long, value_name = "N")]
    max_rounds: Option<u64>,
    #[command(flatten)]
    #[serde(flatten)]
    content: ContentWithPlan,
    #[command(flatten)]
    #[serde(skip)]
    agents: Agents,
    #[command(flatten)]
    #[serde(flatten)]
    request_id: RequestId,
}

impl Create {
    pub async fn run(self) -> Result<Output, Failure> {
        let mut text = self.content.read()?;
        let client = text.client()?;
        let debate_id = ids::parse_uuid("--debate-id", &self.debate_id)?;
        let client_request_id = self.request_id.or_new();
        let agents = self.agents.read()?;
        let plan = text.plan_of_motion(&client).await?;
        let body = DebateCreate {
            debate_id,
            title: self.title,
            debate_type: self.debate_type,
            max_rounds: self.max_rounds,
            motion_content: Some(text.content),
            plan,
            agents,
            client_request_id,
        };
        let seat = client.seat_key(body.debate_id, Side::Proposer);
        let Response { mut data, parsed } = client
            .write::<DebateCreated, _>(&body.client_request_id, || client.api.debate_create(seat.as_deref(), &body))
            .await
            .map_err(|failure| explain_taken_seat(failure, body.debate_id, Side::Proposer))?;
        warn_of_citations(&parsed.unknown_citations, &[]);
        truncate::argument_of(&mut data);
        let data = json!(Stored::new(data, &parsed.argument, &body.client_request_id));
        let created = match parsed.replayed {
            Some(true) => "The debate was created before",
            Some(false) | None => "The debate is created. It is the opponent's turn",
        };
        let next = next_command::wait(parsed.debate.id, Role::Proposer, Some(parsed.argument.id));
        Ok(Output::new(data, created)
            .with_markdown(render)
            .with_next(next)
            .with_metadata("client_request_id", body.client_request_id))
    }
}

/// What is shown of a debate that was created.
#[derive(Deserialize)]
struct Shown {
    debate: Debate,
    argument: PrintedArgument,
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let Shown { debate, argument } = Shown::deserialize(data)?;
    md.debate(&debate);
    md.argument(None, &argument, &[]);
    Ok(())
}
