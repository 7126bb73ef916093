//! `aw docs create`: creates a document.

use clap::Args;

use super::{HELP_TEMPLATE, added_version, options::VersionText};
use crate::{
    client::Client,
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs create --summary 'Plan: cache the price list' --file plan.md")]
pub struct Create {
    #[command(flatten)]
    text: VersionText,
}

impl Create {
    pub async fn run(self) -> Result<Output, Failure> {
        let (body, request_id) = self.text.read()?;
        let client = Client::for_long_texts()?;
        let response = client.write(&request_id, || client.api.document_create(&body)).await?;
        Ok(added_version::output(response.parsed, request_id))
    }
}
