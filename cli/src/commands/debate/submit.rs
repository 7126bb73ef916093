//! `aw debate submit`: answers the other side with a claim.

use clap::Args;

use super::{
    HELP_TEMPLATE,
    add_argument::Destination,
    issue_change_flags::ClaimChanges,
    options::{DebateId, TargetId, named},
    plan_file::ContentWithPlan,
};
use crate::{
    client::types::{ArgumentSubmit, Role, Side},
    input::{agents::Agents, request_id::RequestId},
    output::{
        envelope::Output,
        failure::{Code, Failure},
    },
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate submit --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --role opponent \\
    --target-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11 --file claim.md \\
    --raise 'high: Lost on restart @ plan 2.1' --resolve I1,I4")]
pub struct Submit {
    #[command(flatten)]
    debate_id: DebateId,
    /// Your role
    #[arg(long, value_parser = named::<Side>())]
    role: Side,
    #[command(flatten)]
    target_id: TargetId,
    #[command(flatten)]
    content: ContentWithPlan,
    #[command(flatten)]
    changes: ClaimChanges,
    #[command(flatten)]
    agents: Agents,
    #[command(flatten)]
    request_id: RequestId,
}

impl Submit {
    pub async fn run(self) -> Result<Output, Failure> {
        let issue_changes = self.changes.read()?;
        let content = self.content.read()?;
        if content.has_plan() && self.role != Side::Proposer {
            return Err(Failure::new(Code::InvalidInput, "--plan is for the proposer: the plan is its document")
                .with_suggestion("Say in the claim, or in an issue, what the plan should say"));
        }
        let client = content.client()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        let target_id = self.target_id.resolve(&client, debate_id).await?;
        let agents = self.agents.read()?;
        let request_id = self.request_id.or_new();
        let (side, role) = match self.role {
            Side::Proposer => (Side::Proposer, Role::Proposer),
            Side::Opponent => (Side::Opponent, Role::Opponent),
        };
        let seat = client.seat_key(debate_id, side);
        let request = |target_id, content| {
            let (issue_changes, agents) = (issue_changes.clone(), agents.clone());
            let client_request_id = request_id.clone();
            let body = ArgumentSubmit { role: side, target_id, content, issue_changes, agents, client_request_id };
            let (client, seat) = (&client, seat.as_deref());
            async move { client.api.debate_submit(&debate_id, seat, &body).await }
        };
        let destination = Destination { debate_id, role, target_id: Some(target_id) };
        destination.send_with_plan(&client, content, &request_id, request).await
    }
}
