//! `aw docs history`: the versions of a document.

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::{
    next,
    options::{self, DocumentId},
};
use crate::{
    api::types,
    envelope::{Answer, Paging},
    error::Failure,
    markdown::Page,
    server::Server,
    verb::EXAMPLE_FIRST,
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw docs history 7c9e6679-7425-40de-944b-e07fc1f90ae7 --format markdown")]
pub struct History {
    #[command(flatten)]
    document_id: DocumentId,
    #[command(flatten)]
    page: options::Page,
}

impl History {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let document = self.document_id.read()?;
        let server = Server::from_env()?;
        let document_id = document.find(&server).await?;
        let told = server
            .call::<types::DocumentHistory, _>(|| {
                server.api.document_history(&document_id, self.page.limit(), Some(self.page.offset.into()))
            })
            .await?;
        let (paging, message) = Paging::of(told.view.versions.len(), self.page.offset, told.view.total);
        let newest = told.view.versions.first().map_or(told.view.document.latest_version, |newest| newest.version);
        let next = match newest {
            1 => next::get(document_id, Some(1)),
            _ => next::changed_by(document_id, newest),
        };
        Ok(Answer { paging: Some(paging), ..Answer::new(told.data, message, show).go_on(next) })
    }
}

#[derive(Deserialize)]
struct Versions {
    document: types::Document,
    versions: Vec<types::DocumentVersionEntry>,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let shown = Versions::deserialize(data)?;
    page.document(1, &shown.document);
    page.heading(2, "Versions");
    shown.versions.iter().for_each(|version| page.version_in_list(version));
    Ok(())
}
