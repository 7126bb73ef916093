//! `aw debate plan`: prints the plan of a debate, or what changed in it.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error};
use uuid::Uuid;

use super::{HELP_TEMPLATE, next_command, options::DebateId};
use crate::{
    client::{
        Client,
        types::{DebateContext, Plan},
    },
    commands::docs::{diff::print_changes, export::write_version, get::print_version, options::TextFormat},
    input::lines::Lines,
    output::{Code, Failure, Output, reader::option},
};

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate plan --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --since seen")]
pub struct PrintPlan {
    #[command(flatten)]
    #[serde(flatten)]
    debate_id: DebateId,
    /// The version [default: the one that the proposer cited last]
    #[arg(long, value_name = "N")]
    version: Option<u64>,
    /// Print what changed since version N, since the first one (first), or since the one that the opponent saw (seen)
    #[arg(long, value_name = "N|first|seen", value_parser = parse_since, conflicts_with_all = ["output", "lines"])]
    #[serde(default, deserialize_with = "since_of_text")]
    #[schemars(with = "Option<String>", extend("x-not-with" = "lines"))]
    since: Option<Since>,
    #[command(flatten)]
    #[serde(flatten)]
    lines: Lines,
    /// Write it to this file, byte by byte
    #[arg(long, short, value_name = "PATH", conflicts_with = "lines")]
    #[serde(skip)]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    #[serde(skip)]
    force: bool,
    #[command(flatten)]
    #[serde(skip)]
    _format: TextFormat,
}

/// Since when to print changes.
#[derive(Clone, Copy)]
enum Since {
    Version(u64),
    First,
    Seen,
}

fn parse_since(text: &str) -> Result<Since, &'static str> {
    match text {
        "first" => Ok(Since::First),
        "seen" => Ok(Since::Seen),
        number => number.parse().map(Since::Version).map_err(|_| "not the number of a version, first or seen"),
    }
}

fn since_of_text<'de, D: Deserializer<'de>>(text: D) -> Result<Option<Since>, D::Error> {
    parse_since(&String::deserialize(text)?).map(Some).map_err(|wrong| D::Error::custom(format!("since is {wrong}")))
}

impl PrintPlan {
    pub async fn run(self) -> Result<Output, Failure> {
        let client = Client::for_long_texts()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        let context = || client.api.debate_get_context(&debate_id, None, None, Some(0), None, None);
        let plan = client.send::<DebateContext, _>(context).await?.parsed.debate.plan;
        let Plan { document_id, version, first_version, seen_version, .. } = plan.ok_or_else(|| no_plan(debate_id))?;
        let version = Some(self.version.unwrap_or(version));
        let since = match self.since {
            Some(Since::Version(since)) => Some(since),
            Some(Since::First) => Some(first_version),
            Some(Since::Seen) => Some(seen_version.ok_or_else(|| unseen(debate_id))?),
            None => None,
        };
        match (since, self.output) {
            (Some(since), _) => print_changes(&client, document_id, Some(since), version).await,
            (None, Some(path)) => Ok(write_version(&client, document_id, version, &path, self.force).await?.in_json()),
            (None, None) => print_version(&client, document_id, version, &self.lines).await,
        }
    }
}

fn no_plan(debate_id: Uuid) -> Failure {
    Failure::new(
        Code::DocumentNotFound,
        format!("the debate {debate_id} has no plan: its proposer has cited no document"),
    )
    .with_suggestion(format!("Read the arguments; the proposer makes a plan with {}", option("--plan")))
    .with_next(next_command::context(debate_id, None))
}

fn unseen(debate_id: Uuid) -> Failure {
    Failure::new(Code::DocumentNotFound, "the opponent has seen no version of the plan yet")
        .with_suggestion("Read the plan as a whole")
        .with_next(next_command::of_debate("debate plan", debate_id))
}
