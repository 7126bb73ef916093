//! `aw debate ruling`: the arbitrator decides.

use clap::Args;

use super::{HELP_TEMPLATE, add_argument::Decision, issue_change_flags::RulingChanges};
use crate::{
    client::{Client, types::RulingSubmit},
    input::content::Content,
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate ruling --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --choose 0 \\
    --content 'Cache in memory: the list is small and rebuilt at start.'")]
pub struct Ruling {
    #[command(flatten)]
    decision: Decision,
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
}

impl Ruling {
    pub async fn run(self) -> Result<Output, Failure> {
        let (content, issue_changes) = (self.content.read()?, self.changes.read()?);
        let (close, chosen_option) = (Some(self.close), self.choose);
        let request = async |client: &Client, debate, agents, client_request_id| {
            let (content, issue_changes) = (content.clone(), issue_changes.clone());
            let body = RulingSubmit { content, close, chosen_option, issue_changes, agents, client_request_id };
            client.api.debate_ruling(&debate, &body).await
        };
        Ok(self.decision.send(request).await?.with_metadata("closed", self.close))
    }
}
