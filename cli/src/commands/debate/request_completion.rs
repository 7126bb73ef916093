//! `aw debate request-completion`: asks the arbitrator to close the debate.

use clap::Args;
use serde_json::json;

use super::{HELP_TEMPLATE, add_argument::Answer, options::only};
use crate::{
    client::types::{Role, Side},
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate request-completion --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --target-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11 \\
    --content 'All points are agreed: …'")]
pub struct RequestCompletion {
    #[arg(id = "role", long = "role", hide = true, value_name = "ROLE", value_parser = only(Role::Proposer))]
    _role: Option<Role>,
    #[command(flatten)]
    answer: Answer,
}

impl RequestCompletion {
    pub async fn run(self) -> Result<Output, Failure> {
        self.answer.send(Side::Proposer, json!({"move": "RESOLUTION"})).await
    }
}
