//! `aw debate submit`: answers the other side with a claim.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};

use super::{
    EXAMPLE_FIRST,
    options::{DebateId, RequestId, TargetId},
    written,
};
use crate::{
    api::types::{self, Role, Side},
    content::Content,
    envelope::Answer,
    error::Failure,
    find,
    server::Server,
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate submit --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --role opponent \\
    --target-id 1f0c7a52-7a6e-4b62-9d0d-0c6a7a4a5a11 --file claim.md")]
pub struct Submit {
    #[command(flatten)]
    debate_id: DebateId,
    /// Who you are
    #[arg(long, value_parser = side())]
    role: Side,
    #[command(flatten)]
    target_id: TargetId,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    request_id: RequestId,
}

fn side() -> impl TypedValueParser<Value = Side> {
    PossibleValuesParser::new(["proposer", "opponent"]).try_map(|name| name.parse::<Side>())
}

impl Submit {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let (debate_id, target_id, content) = (self.debate_id.read()?, self.target_id.read()?, self.content.read()?);
        let server = Server::from_env()?;
        let debate_id = find::debate(&server, &debate_id).await?;
        let target_id = target_id.find(&server, debate_id).await?;
        let body = types::ArgumentSubmit {
            role: self.role,
            target_id,
            content,
            client_request_id: self.request_id.or_fresh(),
        };
        let role = match self.role {
            Side::Proposer => Role::Proposer,
            Side::Opponent => Role::Opponent,
        };
        let told = server
            .write(&body.client_request_id, || server.api.debate_submit(&debate_id, &body))
            .await
            .map_err(|failure| written::failure(failure, debate_id, role, Some(target_id)))?;
        Ok(written::answer(told, role, body.client_request_id))
    }
}
