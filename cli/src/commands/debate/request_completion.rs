//! `aw debate request-completion`: asks the arbitrator to close the debate.

use clap::Args;

use super::{
    HELP_TEMPLATE,
    add_argument::Destination,
    options::{DebateId, TargetId, only},
    plan_file::ContentWithPlan,
};
use crate::{
    client::types::{ResolutionSubmit, Role, Side},
    input::{agents::Agents, request_id::RequestId},
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate request-completion --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --target-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11 \\
    --content 'All points are agreed: …'")]
pub struct RequestCompletion {
    #[command(flatten)]
    debate_id: DebateId,
    #[arg(id = "role", long = "role", hide = true, value_name = "ROLE", value_parser = only(Role::Proposer))]
    _role: Option<Role>,
    #[command(flatten)]
    target_id: TargetId,
    #[command(flatten)]
    content: ContentWithPlan,
    #[command(flatten)]
    agents: Agents,
    #[command(flatten)]
    request_id: RequestId,
}

impl RequestCompletion {
    pub async fn run(self) -> Result<Output, Failure> {
        let content = self.content.read()?;
        let client = content.client()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        let target_id = self.target_id.resolve(&client, debate_id).await?;
        let agents = self.agents.read()?;
        let request_id = self.request_id.or_new();
        let seat = client.seat_key(debate_id, Side::Proposer);
        let request = |target_id, content| {
            let (agents, client_request_id) = (agents.clone(), request_id.clone());
            let body = ResolutionSubmit { target_id, content, agents, client_request_id };
            let (client, seat) = (&client, seat.as_deref());
            async move { client.api.debate_request_completion(&debate_id, seat, &body).await }
        };
        let destination = Destination { debate_id, role: Role::Proposer, target_id: Some(target_id) };
        destination.send_with_plan(&client, content, &request_id, request).await
    }
}
