//! `aw docs create`: stores a long text to cite.

use clap::Args;

use super::{options::Text, written};
use crate::{envelope::Answer, error::Failure, server::Server, verb::EXAMPLE_FIRST};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw docs create --summary 'Plan: cache the price list' --file plan.md")]
pub struct Create {
    #[command(flatten)]
    text: Text,
}

impl Create {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let (body, request_id) = self.text.read()?;
        let server = Server::for_long_texts()?;
        let told = server.write(&request_id, || server.api.document_create(&body)).await?;
        Ok(written::answer(told, request_id))
    }
}
