//! `aw docs submit`: adds a version to a document.

use clap::Args;

use super::{
    HELP_TEMPLATE, added_version,
    options::{DocumentId, VersionText},
};
use crate::{
    client::Client,
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs submit 7c9e6679-7425-40de-944b-e07fc1f90ae7 --summary 'Plan: no cache' \\
    --file plan.md")]
pub struct Submit {
    #[command(flatten)]
    document_id: DocumentId,
    #[command(flatten)]
    text: VersionText,
}

impl Submit {
    pub async fn run(self) -> Result<Output, Failure> {
        let (body, request_id) = self.text.read()?;
        let client = Client::for_long_texts()?;
        let document_id = self.document_id.resolve(&client).await?;
        let response = client.write(&request_id, || client.api.document_submit(&document_id, &body)).await?;
        Ok(added_version::output(response.parsed, request_id))
    }
}
