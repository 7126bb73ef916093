//! `aw docs get`: what a version says.

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::{
    next,
    options::{DocumentId, TextFormat},
};
use crate::{api::types, envelope::Answer, error::Failure, markdown::Page, server::Server, verb::EXAMPLE_FIRST};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw docs get 7c9e6679-7425-40de-944b-e07fc1f90ae7 --version 2 | less")]
pub struct Get {
    #[command(flatten)]
    document_id: DocumentId,
    /// Which version [default: the newest]
    #[arg(long, value_name = "N")]
    version: Option<u64>,
    #[command(flatten)]
    _format: TextFormat,
}

impl Get {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let document = self.document_id.read()?;
        let server = Server::for_long_texts()?;
        let document_id = document.find(&server).await?;
        let mut told = server
            .call::<types::DocumentWithVersion, _>(|| server.api.document_get(&document_id, self.version))
            .await
            .map_err(|failure| next::failure(failure, document_id))?;
        let (document, version) = (told.view.document, told.view.version);
        let message = format!("Version {} of {}", version.version, document.latest_version);
        Ok(Answer::new(told.data["version"].take(), message, show)
            .about(version.content)
            .go_on(next::after_reading(document_id, version.version, document.latest_version))
            .with_others_text())
    }
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    page.version(&types::DocumentVersion::deserialize(data)?);
    Ok(())
}
