//! `aw debate list`: the list of debates.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{HELP_TEMPLATE, options::named};
use crate::{
    client::{
        Client, Response,
        types::{DebateList, RulingWaitRole, RulingsDue, StateName},
    },
    commands::faults,
    input::{pagination::PaginationOptions, tool_arguments::name_of},
    output::{Failure, Format, Invocation, Output},
};

/// What somebody who has no debate yet can do besides.
const HOW_TO_START: &str = "`aw debate run plan.md` has two agent programs debate a plan.";

/// How a person finds those that are not on this page.
const HOW_TO_FIND: &str = "There are more: `--offset` shows those after these.";

/// The same where some of all debates need a ruling.
const HOW_TO_FIND_RULINGS: &str = "There are more: `--offset` shows those after these, and \
                                   `aw debate wait --role arbitrator --timeout 0` all that need a ruling.";

/// What a person can do about those that stand first.
const HOW_TO_READ: &str = "`aw debate get-context --debate-id ID --role arbitrator` shows what a ruling is asked for; \
                           `aw debate open --debate-id ID` opens it in the browser.";

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate list --state AWAITING_ARBITRATOR --format markdown")]
pub struct List {
    /// Only debates in this state
    #[arg(long, value_parser = named::<StateName>())]
    #[serde(default)]
    #[schemars(description = "", schema_with = "name_of::<StateName>")]
    state: Option<StateName>,
    /// Only debates whose id starts with this text or whose title contains it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    query: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pagination: PaginationOptions,
}

impl List {
    pub async fn run(self, format: Format) -> Result<Output, Failure> {
        let client = Client::from_env()?;
        let PaginationOptions { limit, offset } = self.pagination;
        let Response { data, parsed } = client
            .send::<DebateList, _>(|| {
                client.api.debate_list(None, limit, Some(offset), self.query.as_deref(), self.state)
            })
            .await?;
        faults::warn(&parsed.faults);
        let is_narrowed = offset > 0 || self.state.is_some() || self.query.is_some();
        let none = if is_narrowed { "No debate matches" } else { "There are no debates yet" };
        // Not the debate of somebody else: a next command is run as it is printed.
        let next = parsed.debates.is_empty().then(|| match is_narrowed {
            true => Invocation::new("debate list").into(),
            false => "aw debate generate-id".into(),
        });
        let output = Output::list(data, parsed.debates.len(), offset, parsed.total, none);
        let is_due = parsed.debates.iter().any(|debate| debate.ruling_request.is_some());
        let has_more = output.pagination.is_some_and(|page| page.has_more);
        let hint = match (is_due, has_more) {
            (true, true) => Some(format!("{HOW_TO_READ} {HOW_TO_FIND_RULINGS}").into()),
            (true, false) => Some(HOW_TO_READ.into()),
            (false, true) if matches!(format, Format::Terminal(_)) && some_are_due(&client).await => {
                Some(HOW_TO_FIND_RULINGS.into())
            }
            (false, true) => Some(HOW_TO_FIND.into()),
            (false, false) => (parsed.debates.is_empty() && !is_narrowed).then_some(HOW_TO_START.into()),
        };
        Ok(Output { next, hint, ..output }.with_markdown(|data, md| {
            md.debates("Debates", &DebateList::deserialize(data)?.debates);
            Ok(())
        }))
    }
}

/// Whether any debate needs a ruling; not where that cannot be asked, as the list is what was asked for.
async fn some_are_due(client: &Client) -> bool {
    let asked = client.send_once::<RulingsDue>(client.api.ruling_wait(None, RulingWaitRole::Arbitrator, Some(0)));
    asked.await.is_ok_and(|answer| !answer.parsed.debates.is_empty())
}
