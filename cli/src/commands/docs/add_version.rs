//! `aw docs create` and `aw docs submit`: add a version to a document, the first of a new one or the next.

use std::ops::Not;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::{
    HELP_TEMPLATE, citation, next_command,
    options::{DocumentId, VersionText},
};
use crate::{
    client::{
        Client,
        types::{DocumentSubmitted, DocumentVersion},
    },
    output::{Failure, Next, Output},
};

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs create --summary 'Plan: cache the price list' --file plan.md")]
pub struct Create {
    #[command(flatten)]
    #[serde(flatten)]
    text: VersionText,
}

impl Create {
    pub async fn run(self) -> Result<Output, Failure> {
        let (body, request_id) = self.text.read()?;
        let client = Client::for_long_texts()?;
        let response = client.write(&request_id, || client.api.document_create(&body)).await?;
        Ok(stored(response.parsed, request_id))
    }
}

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs submit 7c9e6679-7425-40de-944b-e07fc1f90ae7 \\
    --summary 'Plan: no cache' --file plan.md")]
pub struct Submit {
    #[command(flatten)]
    #[serde(flatten)]
    document_id: DocumentId,
    #[command(flatten)]
    #[serde(flatten)]
    text: VersionText,
}

impl Submit {
    pub async fn run(self) -> Result<Output, Failure> {
        let (body, request_id) = self.text.read()?;
        let client = Client::for_long_texts()?;
        let document_id = self.document_id.resolve(&client).await?;
        let response = client.write(&request_id, || client.api.document_submit(&document_id, &body)).await?;
        Ok(stored(response.parsed, request_id))
    }
}

/// What is told of a version that was stored.
#[derive(Serialize)]
struct Stored {
    document_id: Uuid,
    version: u64,
    sha256: String,
    #[serde(skip_serializing_if = "Not::not")]
    replayed: bool,
}

/// Reports the stored version. Its text is left out, since the author has it.
fn stored(submitted: DocumentSubmitted, request_id: String) -> Output {
    let DocumentVersion { document_id, version, sha256, .. } = submitted.version;
    let replayed = submitted.replayed.unwrap_or_default();
    let is_stored = if replayed { "was stored before" } else { "is stored" };
    // The first version is often stored before there is a debate.
    let place = if version == 1 { "Cite it in the motion or" } else { "Go on in the debate, and cite it" };
    let message = format!("Version {version} {is_stored}. {place} in your argument");
    Output::new(json!(Stored { document_id, version, sha256, replayed }), message)
        .with_next(Next::Citation(citation(document_id, version)))
        .with_also([next_command::changes_of(document_id, version)])
        .with_metadata("client_request_id", request_id)
}
