//! `aw docs delete`: takes a document from the lists.

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::{next, options::DocumentId};
use crate::{api::types, envelope::Answer, error::Failure, markdown::Page, server::Server, verb::EXAMPLE_FIRST};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw docs delete 7c9e6679-7425-40de-944b-e07fc1f90ae7")]
pub struct Delete {
    #[command(flatten)]
    document_id: DocumentId,
}

impl Delete {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let document = self.document_id.read()?;
        let server = Server::from_env()?;
        let document_id = document.find(&server).await?;
        let told = server.call::<types::DocumentDeleted, _>(|| server.api.document_delete(&document_id)).await?;
        let message = "The document is deleted; whoever knows its id can still read it";
        Ok(Answer::new(told.data, message, show).go_on(next::LIST))
    }
}

#[derive(Deserialize)]
struct Deleted {
    document: types::Document,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    page.document(1, &Deleted::deserialize(data)?.document);
    Ok(())
}
