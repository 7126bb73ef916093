//! `aw docs list`: which documents there are.

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::{next, options};
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
  aw docs list --query 'price list' --format markdown")]
pub struct List {
    /// Only those whose id starts with this text, or whose latest summary holds it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    query: Option<String>,
    #[command(flatten)]
    page: options::Page,
}

impl List {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let server = Server::from_env()?;
        let told = server
            .call::<types::DocumentList, _>(|| {
                server.api.document_list(self.page.limit(), Some(self.page.offset.into()), self.query.as_deref())
            })
            .await?;
        let (paging, message) = Paging::of(told.view.documents.len(), self.page.offset, told.view.total);
        let next = match told.view.documents.first() {
            Some(newest) => next::get(newest.id, None),
            None if told.view.total > 0 || self.query.is_some() => next::LIST.to_owned(),
            None => next::CREATE.to_owned(),
        };
        Ok(Answer { paging: Some(paging), ..Answer::new(told.data, message, show).go_on(next) })
    }
}

#[derive(Deserialize)]
struct Documents {
    documents: Vec<types::Document>,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    page.heading(1, "Documents");
    for document in Documents::deserialize(data)?.documents {
        page.document(2, &document);
    }
    Ok(())
}
