//! `aw docs history`: the versions of a document.

use clap::Args;
use serde::Deserialize;

use super::{HELP_TEMPLATE, next_command, options::DocumentId};
use crate::{
    client::{Client, Response, types::DocumentHistory},
    commands::faults,
    input::pagination::PaginationOptions,
    output::{Failure, Output},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs history 7c9e6679-7425-40de-944b-e07fc1f90ae7 --format markdown")]
pub struct History {
    #[command(flatten)]
    document_id: DocumentId,
    #[command(flatten)]
    pagination: PaginationOptions,
}

impl History {
    pub async fn run(self) -> Result<Output, Failure> {
        let client = Client::from_env()?;
        let document_id = self.document_id.resolve(&client).await?;
        let PaginationOptions { limit, offset } = self.pagination;
        let Response { data, parsed } = client
            .send::<DocumentHistory, _>(|| client.api.document_history(&document_id, limit, Some(offset)))
            .await?;
        faults::warn(&parsed.faults);
        let next = match parsed.versions.first().map_or(parsed.document.latest_version, |newest| newest.version) {
            1 => next_command::get(document_id, Some(1)),
            newest => next_command::changes_of(document_id, newest),
        };
        let output = Output::list(data, parsed.versions.len(), offset, parsed.total, "There are no versions");
        Ok(output.with_next(next).with_markdown(|data, md| {
            let DocumentHistory { document, versions, .. } = DocumentHistory::deserialize(data)?;
            md.document(1, &document);
            md.heading(2, "Versions");
            versions.iter().for_each(|version| md.document_version_entry(version));
            Ok(())
        }))
    }
}
