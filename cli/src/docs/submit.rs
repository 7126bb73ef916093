//! `aw docs submit`: adds a version to a document.

use clap::Args;

use super::{
    options::{DocumentId, Text},
    written,
};
use crate::{envelope::Answer, error::Failure, server::Server, verb::EXAMPLE_FIRST};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw docs submit 7c9e6679-7425-40de-944b-e07fc1f90ae7 --summary 'Plan: no cache' \\
    --file plan.md")]
pub struct Submit {
    #[command(flatten)]
    document_id: DocumentId,
    #[command(flatten)]
    text: Text,
}

impl Submit {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let document = self.document_id.read()?;
        let (body, request_id) = self.text.read()?;
        let server = Server::for_long_texts()?;
        let document_id = document.find(&server).await?;
        let told = server.write(&request_id, || server.api.document_submit(&document_id, &body)).await?;
        Ok(written::answer(told, request_id))
    }
}
