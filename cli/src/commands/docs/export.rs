//! `aw docs export`: writes a version to a file.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::{
    HELP_TEMPLATE, next_command,
    options::{DocumentId, fetch_version},
};
use crate::{
    client::{Client, types::DocumentVersion},
    output::{Failure, Output, atomic_file},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs export 7c9e6679-7425-40de-944b-e07fc1f90ae7 --output plan.md")]
pub struct Export {
    #[command(flatten)]
    document_id: DocumentId,
    /// The file to write
    #[arg(long, short, value_name = "PATH")]
    output: PathBuf,
    /// The version [default: the newest]
    #[arg(long, value_name = "N")]
    version: Option<u64>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

impl Export {
    pub async fn run(self) -> Result<Output, Failure> {
        let client = Client::for_long_texts()?;
        let document_id = self.document_id.resolve(&client).await?;
        write_version(&client, document_id, self.version, &self.output, self.force).await
    }
}

/// What is told of a version that was written.
#[derive(Serialize)]
struct Written {
    document_id: Uuid,
    version: u64,
    path: String,
    bytes: usize,
}

/// Writes a version, by default the newest, to a file.
pub async fn write_version(
    client: &Client,
    document_id: Uuid,
    version: Option<u64>,
    path: &Path,
    force: bool,
) -> Result<Output, Failure> {
    let response = fetch_version(client, document_id, version).await?.parsed;
    let DocumentVersion { version, content, .. } = response.version;
    atomic_file::write(path, content.as_bytes(), force)?;
    let path = path.display().to_string();
    let message = format!("Version {version} is in {path}");
    let data = Written { document_id, version, path, bytes: content.len() };
    let next = next_command::after_reading(document_id, version, response.document.latest_version);
    Ok(Output::new(json!(data), message).with_next(next))
}
