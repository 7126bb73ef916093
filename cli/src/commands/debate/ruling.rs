//! `aw debate ruling`: the arbitrator decides.

use clap::Args;

use super::{
    HELP_TEMPLATE,
    add_argument::Destination,
    issue_change_flags::RulingChanges,
    options::{DebateId, only},
};
use crate::{
    client::{
        Client,
        types::{Role, RulingSubmit},
    },
    input::{agents::Agents, content::Content, request_id::RequestId},
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate ruling --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --choose 0 \\
    --content 'Cache in memory: the list is small and rebuilt at start.'")]
pub struct Ruling {
    #[command(flatten)]
    debate_id: DebateId,
    #[arg(id = "role", long = "role", hide = true, value_name = "ROLE", value_parser = only(Role::Arbitrator))]
    _role: Option<Role>,
    #[command(flatten)]
    content: Content,
    /// Close the debate; without it the proposer aligns with the ruling and the debate continues
    #[arg(long)]
    close: bool,
    /// Index of the chosen option of the appeal, counted from 0
    #[arg(long, value_name = "N")]
    choose: Option<u32>,
    #[command(flatten)]
    changes: RulingChanges,
    #[command(flatten)]
    agents: Agents,
    #[command(flatten)]
    request_id: RequestId,
}

impl Ruling {
    pub async fn run(self) -> Result<Output, Failure> {
        let request_id = self.request_id.or_new();
        let body = RulingSubmit {
            content: self.content.read()?,
            close: Some(self.close),
            chosen_option: self.choose,
            issue_changes: self.changes.read()?,
            agents: self.agents.read()?,
            client_request_id: Some(request_id.clone()),
        };
        let client = Client::from_env()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        let output = Destination { debate_id, role: Role::Arbitrator, target_id: None }
            .send(&client, &request_id, || client.api.debate_ruling(&debate_id, &body))
            .await?;
        Ok(output.with_metadata("closed", self.close))
    }
}
