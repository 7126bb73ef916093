//! `aw docs list`: the list of documents.

use clap::Args;

use super::{HELP_TEMPLATE, next_command};
use crate::{
    client::{Client, Response, types::DocumentList},
    input::pagination::PaginationOptions,
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs list --query 'price list' --format markdown")]
pub struct List {
    /// Only documents whose id starts with this text or whose latest summary contains it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    query: Option<String>,
    #[command(flatten)]
    pagination: PaginationOptions,
}

impl List {
    pub async fn run(self) -> Result<Output, Failure> {
        let client = Client::from_env()?;
        let (limit, offset) = (self.pagination.limit(), self.pagination.offset);
        let Response { data, parsed } = client
            .send::<DocumentList, _>(|| client.api.document_list(limit, Some(offset.into()), self.query.as_deref()))
            .await?;
        let next = match parsed.documents.first() {
            Some(first) => next_command::get(first.id, None),
            None if parsed.total > 0 || self.query.is_some() => next_command::LIST.to_owned(),
            None => next_command::CREATE.to_owned(),
        };
        let output = Output::list(data, parsed.documents.len(), offset, parsed.total);
        Ok(output.with_next(next).with_markdown(|data, md| {
            md.heading(1, "Documents");
            data["documents"].as_array().into_iter().flatten().try_for_each(|document| md.document(2, document))
        }))
    }
}
