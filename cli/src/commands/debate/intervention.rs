//! `aw debate intervention`: the arbitrator stops both sides in order to rule.

use clap::Args;

use super::{HELP_TEMPLATE, add_argument::Decision};
use crate::{
    client::{Client, types::InterventionSubmit},
    input::content::OptionalContent,
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate intervention --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --content 'You argue in circles.'")]
pub struct Intervention {
    #[command(flatten)]
    decision: Decision,
    #[command(flatten)]
    content: OptionalContent,
}

impl Intervention {
    pub async fn run(self) -> Result<Output, Failure> {
        let content = Some(self.content.read()?);
        let request = async |client: &Client, debate, agents, client_request_id| {
            let body = InterventionSubmit { content: content.clone(), agents, client_request_id };
            client.api.debate_intervention(&debate, &body).await
        };
        self.decision.send(request).await
    }
}
