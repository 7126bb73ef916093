//! `aw debate list`: which debates there are.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use serde::Deserialize;
use serde_json::Value;

use super::{EXAMPLE_FIRST, next};
use crate::{
    api::types::{self, StateName},
    envelope::{Answer, Paging},
    error::Failure,
    markdown::Page,
    server::Server,
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate list --state AWAITING_ARBITRATOR --format markdown")]
pub struct List {
    /// Only those in this state
    #[arg(long, value_parser = state())]
    state: Option<StateName>,
    /// Only those whose id starts with this text, or whose title holds it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    query: Option<String>,
    /// How many at most, 1 to 200 [default: 50]
    #[arg(long, short, value_name = "N")]
    limit: Option<u32>,
    /// How many to skip
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u32,
}

fn state() -> impl TypedValueParser<Value = StateName> {
    PossibleValuesParser::new([
        "AWAITING_OPPONENT",
        "AWAITING_PROPOSER",
        "AWAITING_ARBITRATOR",
        "INTERVENTION_PENDING",
        "CLOSED",
    ])
    .try_map(|name| name.parse::<StateName>())
}

impl List {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let server = Server::from_env()?;
        let told = server
            .call::<types::DebateList, _>(|| {
                let limit = self.limit.map(Into::into);
                server.api.debate_list(limit, Some(self.offset.into()), self.query.as_deref(), self.state)
            })
            .await?;
        let (paging, message) = Paging::of(told.view.debates.len(), self.offset, told.view.total);
        let next = match told.view.debates.first() {
            Some(newest) => next::context(newest.id, None),
            None => "aw debate generate-id".to_owned(),
        };
        Ok(Answer { paging: Some(paging), ..Answer::new(told.data, message, show).go_on(next) })
    }
}

#[derive(Deserialize)]
struct Debates {
    debates: Vec<types::Debate>,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    page.heading(1, "Debates");
    for debate in Debates::deserialize(data)?.debates {
        page.debate_in_list(&debate);
    }
    Ok(())
}
