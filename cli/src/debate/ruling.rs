//! `aw debate ruling`: the arbitrator decides.

use clap::Args;

use super::{
    EXAMPLE_FIRST,
    options::{DebateId, RequestId},
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
  aw debate ruling --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --choose 0 \\
    --content 'Cache in memory: the list is small and rebuilt at start.'")]
pub struct Ruling {
    #[command(flatten)]
    debate_id: DebateId,
    #[command(flatten)]
    content: Content,
    /// Close the debate; without it the proposer aligns and the debate goes on
    #[arg(long)]
    close: bool,
    /// Which option of the appeal is chosen, counted from 0
    #[arg(long, value_name = "N")]
    choose: Option<u32>,
    #[command(flatten)]
    request_id: RequestId,
}

impl Ruling {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let debate_id = self.debate_id.read()?;
        let request_id = self.request_id.or_fresh();
        let body = types::RulingSubmit {
            content: self.content.read()?,
            close: Some(self.close),
            chosen_option: self.choose,
            client_request_id: Some(request_id.clone()),
        };
        let server = Server::from_env()?;
        let debate_id = find::debate(&server, &debate_id).await?;
        let told = server
            .write(&request_id, || server.api.debate_ruling(&debate_id, &body))
            .await
            .map_err(|failure| written::failure(failure, debate_id, Role::Arbitrator, None))?;
        let mut answer = written::answer(told, Role::Arbitrator, request_id);
        answer.metadata.insert("closed".to_owned(), self.close.into());
        Ok(answer)
    }
}
