//! `aw docs get`: prints a version.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    HELP_TEMPLATE, next_command,
    options::{DocumentId, TextFormat, fetch_version},
};
use crate::input::lines::Lines;
use crate::{
    client::{Client, Response, types::DocumentVersion},
    output::{Failure, Output},
};

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs get 7c9e6679-7425-40de-944b-e07fc1f90ae7 --version 2 | less")]
pub struct Get {
    #[command(flatten)]
    #[serde(flatten)]
    document_id: DocumentId,
    /// The version [default: the newest]
    #[arg(long, value_name = "N")]
    version: Option<u64>,
    #[command(flatten)]
    #[serde(flatten)]
    lines: Lines,
    #[command(flatten)]
    #[serde(skip)]
    _format: TextFormat,
}

impl Get {
    pub async fn run(self) -> Result<Output, Failure> {
        let client = Client::for_long_texts()?;
        let document_id = self.document_id.resolve(&client).await?;
        print_version(&client, document_id, self.version, &self.lines).await
    }
}

/// The output of a version, by default the newest, or of some of its lines.
pub async fn print_version(
    client: &Client,
    document_id: Uuid,
    version: Option<u64>,
    lines: &Lines,
) -> Result<Output, Failure> {
    let Response { mut data, parsed } = fetch_version(client, document_id, version).await?;
    let (version, latest) = (parsed.version, parsed.document.latest_version);
    let mut data = data["version"].take();
    let content = lines.cut(version.content, &mut data);
    Ok(Output::new(data, format!("Version {} of {latest}", version.version))
        .with_markdown(|data, md| {
            md.document_version(&DocumentVersion::deserialize(data)?);
            Ok(())
        })
        .with_text(content)
        .with_next(next_command::after_reading(document_id, version.version, latest))
        .with_caution())
}
