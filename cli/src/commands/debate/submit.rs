//! `aw debate submit`: answers the other side with a claim.

use clap::Args;
use serde_json::json;

use super::{HELP_TEMPLATE, add_argument::Answer, issue_change_flags::ClaimChanges, options::named};
use crate::{
    client::types::Side,
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
    /// Your role
    #[arg(long, value_parser = named::<Side>())]
    role: Side,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    changes: ClaimChanges,
}

impl Submit {
    pub async fn run(self) -> Result<Output, Failure> {
        if self.answer.content.has_plan() && self.role != Side::Proposer {
            return Err(Failure::new(Code::InvalidInput, "--plan is for the proposer: the plan is its document")
                .with_suggestion("Say in the claim, or in an issue, what the plan should say"));
        }
        let body = json!({"move": "CLAIM", "role": self.role, "issue_changes": self.changes.read()?});
        self.answer.send(self.role, body).await
    }
}
