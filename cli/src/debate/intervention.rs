//! `aw debate intervention`: the arbitrator stops the two sides in order to rule.

use clap::Args;

use super::{
    EXAMPLE_FIRST,
    options::{DebateId, RequestId},
    written,
};
use crate::{
    api::types::{self, Role},
    envelope::Answer,
    error::Failure,
    find,
    server::Server,
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate intervention --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --content 'You argue in circles.'")]
pub struct Intervention {
    #[command(flatten)]
    debate_id: DebateId,
    /// Why you step in; may be left out
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    content: String,
    #[command(flatten)]
    request_id: RequestId,
}

impl Intervention {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let debate_id = self.debate_id.read()?;
        let request_id = self.request_id.or_fresh();
        let body =
            types::InterventionSubmit { content: Some(self.content), client_request_id: Some(request_id.clone()) };
        let server = Server::from_env()?;
        let debate_id = find::debate(&server, &debate_id).await?;
        let told = server
            .write(&request_id, || server.api.debate_intervention(&debate_id, &body))
            .await
            .map_err(|failure| written::failure(failure, debate_id, Role::Arbitrator, None))?;
        Ok(written::answer(told, Role::Arbitrator, request_id))
    }
}
