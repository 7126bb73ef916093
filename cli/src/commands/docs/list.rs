//! `aw docs list`: the list of documents.

use clap::Args;
use serde::Deserialize;

use super::{HELP_TEMPLATE, next_command};
use crate::{
    client::{
        Client, Response,
        types::{Document, DocumentList},
    },
    commands::faults,
    input::{ids, pagination::PaginationOptions, resolve_id},
    output::{Failure, Invocation, Output},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs list --query 'price list' --format markdown")]
pub struct List {
    /// Only documents whose id starts with this text or whose latest summary contains it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    query: Option<String>,
    /// Only documents that this debate cites: its id, or a unique prefix of it
    #[arg(long, value_name = "ID")]
    debate_id: Option<String>,
    #[command(flatten)]
    pagination: PaginationOptions,
}

/// What is shown of the list.
#[derive(Deserialize)]
struct Shown {
    documents: Vec<Document>,
}

impl List {
    pub async fn run(self) -> Result<Output, Failure> {
        let client = Client::from_env()?;
        let PaginationOptions { limit, offset } = self.pagination;
        let debate_id = match ids::parse_optional(ids::parse_ref, "--debate-id", self.debate_id.as_deref())? {
            Some(id) => Some(resolve_id::debate(&client, &id).await?),
            None => None,
        };
        let Response { data, parsed } = client
            .send::<DocumentList, _>(|| {
                let query = self.query.as_deref();
                client.api.document_list(debate_id.as_ref(), limit, Some(offset), query)
            })
            .await?;
        faults::warn(&parsed.faults);
        // Not the document of somebody else: a next command is run as it is printed.
        let is_narrowed = offset > 0 || self.query.is_some() || debate_id.is_some();
        let none = if is_narrowed { "No document matches" } else { "There are no documents yet" };
        let next = parsed.documents.is_empty().then(|| match is_narrowed {
            true => Invocation::new("docs list").into(),
            false => next_command::create().into(),
        });
        let output = Output::list(data, parsed.documents.len(), offset, parsed.total, none);
        Ok(Output { next, ..output }.with_markdown(|data, md| {
            md.list("Documents", &Shown::deserialize(data)?.documents, |md, document| md.document(2, document));
            Ok(())
        }))
    }
}
