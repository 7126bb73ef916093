//! `aw debate list`: which debates there are.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use serde::Deserialize;
use serde_json::Value;

use super::EXAMPLE_FIRST;
use crate::{
    api::types::{self, StateName},
    envelope::{Answer, Paging},
    error::Failure,
    markdown::Page,
    server::Server,
};

/// List debates, the one changed last first
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
        Ok(answer(told.data, &told.view, self.offset))
    }
}

fn answer(data: Value, list: &types::DebateList, offset: u32) -> Answer {
    let shown = list.debates.len() as u64;
    let total_count = list.total;
    let upto = u64::from(offset) + shown;
    let message = match shown {
        0 => format!("None shown of {total_count}"),
        _ => format!("{} to {upto} of {total_count}", u64::from(offset) + 1),
    };
    let mut answer = Answer::new(data, message, show);
    answer.paging = Some(Paging { total_count, has_more: upto < total_count });
    answer
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn paging(shown: usize, offset: u32, total: u64) -> (Paging, String) {
        let debate = json!({
            "id": "93d81b1a-0e66-4510-abfd-aa33b26cb82e", "title": "T", "debate_type": "general_debate",
            "state": "CLOSED", "created_at": "2026-01-31T10:00:00Z", "updated_at": "2026-01-31T10:00:00Z", "last_seq": 1,
        });
        let data = json!({"debates": vec![debate; shown], "total": total});
        let list = serde_json::from_value(data.clone()).unwrap();
        let answer = answer(data, &list, offset);
        (answer.paging.unwrap(), answer.message)
    }

    #[test]
    fn there_is_more_as_long_as_the_last_one_is_not_shown() {
        let at = |has_more| Paging { total_count: 5, has_more };
        assert_eq!(paging(2, 0, 5), (at(true), "1 to 2 of 5".to_owned()));
        assert_eq!(paging(2, 3, 5), (at(false), "4 to 5 of 5".to_owned()));
        assert_eq!(paging(0, 9, 5), (at(false), "None shown of 5".to_owned()));
    }
}
