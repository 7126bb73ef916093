//! `aw debate request-completion`: asks the arbitrator to close the debate.

use clap::Args;

use super::{
    EXAMPLE_FIRST,
    options::{DebateId, RequestId, TargetId},
    written,
};
use crate::{
    api::types::{self, Role},
    content::Content,
    envelope::Answer,
    error::Failure,
    find,
    server::Server,
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate request-completion --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --target-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11 \\
    --content 'All points are agreed: …'")]
pub struct RequestCompletion {
    #[command(flatten)]
    debate_id: DebateId,
    #[command(flatten)]
    target_id: TargetId,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    request_id: RequestId,
}

impl RequestCompletion {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let (debate_id, target_id, content) = (self.debate_id.read()?, self.target_id.read()?, self.content.read()?);
        let server = Server::from_env()?;
        let debate_id = find::debate(&server, &debate_id).await?;
        let target_id = target_id.find(&server, debate_id).await?;
        let body = types::ResolutionSubmit { target_id, content, client_request_id: self.request_id.or_fresh() };
        let told = server
            .write(&body.client_request_id, || server.api.debate_request_completion(&debate_id, &body))
            .await
            .map_err(|failure| written::failure(failure, debate_id, Role::Proposer, Some(target_id)))?;
        Ok(written::answer(told, Role::Proposer, body.client_request_id))
    }
}
