//! `aw debate intervention`: the arbitrator stops both sides in order to rule.

use clap::Args;

use super::{
    HELP_TEMPLATE,
    add_argument::Destination,
    options::{DebateId, only},
};
use crate::{
    client::{
        Client,
        types::{InterventionSubmit, Role},
    },
    input::{agents::Agents, content::OptionalContent, request_id::RequestId},
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate intervention --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --content 'You argue in circles.'")]
pub struct Intervention {
    #[command(flatten)]
    debate_id: DebateId,
    #[arg(id = "role", long = "role", hide = true, value_name = "ROLE", value_parser = only(Role::Arbitrator))]
    _role: Option<Role>,
    #[command(flatten)]
    content: OptionalContent,
    #[command(flatten)]
    agents: Agents,
    #[command(flatten)]
    request_id: RequestId,
}

impl Intervention {
    pub async fn run(self) -> Result<Output, Failure> {
        let request_id = self.request_id.or_new();
        let content = Some(self.content.read()?);
        let body =
            InterventionSubmit { content, agents: self.agents.read()?, client_request_id: Some(request_id.clone()) };
        let client = Client::from_env()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        Destination { debate_id, role: Role::Arbitrator, target_id: None }
            .send(&client, &request_id, || client.api.debate_intervention(&debate_id, &body))
            .await
    }
}
