//! `aw docs delete`: removes a document from the lists.

use clap::Args;
use serde::Deserialize;

use super::{HELP_TEMPLATE, options::DocumentId};
use crate::{
    client::{Client, types::DocumentDeleted},
    output::{Failure, Output},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs delete 7c9e6679-7425-40de-944b-e07fc1f90ae7")]
pub struct Delete {
    #[command(flatten)]
    document_id: DocumentId,
}

impl Delete {
    pub async fn run(self) -> Result<Output, Failure> {
        let client = Client::from_env()?;
        let document_id = self.document_id.resolve(&client).await?;
        let response = client.send::<DocumentDeleted, _>(|| client.api.document_delete(&document_id)).await?;
        Ok(Output::new(response.data, "The document is deleted; it can still be read by its id")
            .with_markdown(|data, md| {
                md.document(1, &DocumentDeleted::deserialize(data)?.document);
                Ok(())
            })
            .with_whole_ids())
    }
}
