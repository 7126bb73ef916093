//! `aw debate search`: what was decided and said about something, in all debates.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{HELP_TEMPLATE, markdown::state_in_words, options::named};
use crate::{
    client::{
        Client, Response,
        types::{SearchHit, SearchKind, SearchResult},
    },
    input::{pagination::PaginationOptions, tool_arguments::names_of},
    output::{Failure, Output, markdown::time, reader::option},
};

/// What is said of an answer that is not complete.
const NOT_COMPLETE: &str = "Not all texts were looked at: there may be more hits than are counted here. Search for longer words, \
     for more of them, or for fewer kinds of text.";

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate search 'retry budget' --format markdown
  aw debate search '\"retry budget\" shard'")]
pub struct Search {
    /// The words that a text must have, in either case; what stands in double quotes is one word
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    #[schemars(description = "The words that a text must have, in either case")]
    text: String,
    /// Only this kind of text; may be repeated [default: ruling, issue, title]
    #[arg(long, value_parser = named::<SearchKind>())]
    #[serde(default)]
    #[schemars(description = "Only this kind of text", schema_with = "names_of::<SearchKind>")]
    kind: Vec<SearchKind>,
    #[command(flatten)]
    #[serde(flatten)]
    pagination: PaginationOptions,
}

impl Search {
    pub async fn run(self) -> Result<Output, Failure> {
        let client = Client::from_env()?;
        let PaginationOptions { limit, offset } = self.pagination;
        let kinds = (!self.kind.is_empty()).then_some(&self.kind);
        let Response { data, parsed } =
            client.send::<SearchResult, _>(|| client.api.debate_search(kinds, limit, Some(offset), &self.text)).await?;
        let none = if self.kind.is_empty() {
            format!("No ruling, issue or title has these words; {} looks at arguments", option("--kind"))
        } else {
            "No text of these kinds has these words".to_owned()
        };
        let mut found = Output::list(data, parsed.hits.len(), offset, parsed.total, &none);
        if !parsed.complete {
            found.message = format!("{}. {NOT_COMPLETE}", found.message);
        }
        Ok(found.with_markdown(|data, md| {
            md.list("Found", &SearchResult::deserialize(data)?.hits, |md, hit| {
                let SearchHit { kind, debate_id, debate_title, debate_state, seq, created_at, text, issue, .. } =
                    hit.clone();
                let of_issue = issue.map(|issue| format!(" {issue}")).unwrap_or_default();
                md.heading(2, &format!("{kind}{of_issue}: {debate_title}"));
                let state = if md.is_for_a_person() { state_in_words(&debate_state) } else { &debate_state };
                md.item(&format!("debate={debate_id} #{seq}, {state}, {}", time(&created_at)));
                md.quote(&text);
            });
            Ok(())
        }))
    }
}
