//! `aw docs export`: a version as a file.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{next, options::DocumentId};
use crate::{api::types, envelope::Answer, error::Failure, file, markdown::Page, server::Server, verb::EXAMPLE_FIRST};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw docs export 7c9e6679-7425-40de-944b-e07fc1f90ae7 --output plan.md")]
pub struct Export {
    #[command(flatten)]
    document_id: DocumentId,
    /// The file to write
    #[arg(long, short, value_name = "PATH")]
    output: PathBuf,
    /// Which version [default: the newest]
    #[arg(long, value_name = "N")]
    version: Option<u64>,
    /// Overwrite a file that is there
    #[arg(long)]
    force: bool,
}

impl Export {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let document = self.document_id.read()?;
        let server = Server::for_long_texts()?;
        let document_id = document.find(&server).await?;
        let told = server
            .call::<types::DocumentWithVersion, _>(|| server.api.document_get(&document_id, self.version))
            .await
            .map_err(|failure| next::failure(failure, document_id))?;
        let types::DocumentVersion { version, content, .. } = told.view.version;
        let next = next::after_reading(document_id, version, told.view.document.latest_version);
        file::write(&self.output, content.as_bytes(), self.force)?;
        let path = self.output.display().to_string();
        let message = format!("Version {version} is in {path}");
        let data = json!({"document_id": document_id, "version": version, "path": path, "bytes": content.len()});
        Ok(Answer::new(data, message, show).go_on(next))
    }
}

#[derive(Deserialize)]
struct Exported {
    path: String,
    bytes: u64,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let exported = Exported::deserialize(data)?;
    page.heading(1, &exported.path);
    page.item(&format!("{} bytes", exported.bytes));
    Ok(())
}
