//! `aw debate guide`: instructions for an agent that takes part.

use std::time::Duration;

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::timeout;

use super::{HELP_TEMPLATE, options::named};
use crate::{
    client::{
        Client,
        types::{DebateType, Info, Role},
    },
    guides::{self, Language, team_rules},
    hosts::Host,
    input::tool_arguments::name_of,
    output::{Code, Failure, Output, terminal},
};

/// How long the server may take to tell its limit; the guide is complete without it.
const TIMEOUT: Duration = Duration::from_secs(1);

/// What the guides say of the length of an argument.
const LIMIT: &str = "10,240 bytes unless the server says otherwise";

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate guide --role opponent --debate-type coding_plan_debate")]
pub struct Guide {
    /// Role of the agent
    #[arg(long, value_parser = named::<Role>())]
    #[schemars(description = "", schema_with = "name_of::<Role>")]
    pub role: Role,
    /// Type of the debate, to include its rules [default: without rules]
    #[arg(long, visible_alias = "type", value_name = "TYPE", value_parser = named::<DebateType>())]
    #[serde(default)]
    #[schemars(description = "", schema_with = "name_of::<DebateType>")]
    pub debate_type: Option<DebateType>,
    /// Program that the agent runs in, to explain how to wait there [default: the one that runs this, else all]
    #[arg(long, value_enum)]
    #[serde(skip)]
    host: Option<Host>,
    /// Language of the debate, such as Vietnamese or vi
    #[arg(long)]
    #[schemars(description = "")]
    pub language: Option<String>,
    /// Print only the rules of the debate type, and those of your team
    #[arg(long, requires = "debate_type")]
    #[serde(skip)]
    rules_only: bool,
    /// Print the opponent's brief for somebody who reads the final plan and nothing of the debate
    #[arg(long, conflicts_with = "rules_only")]
    #[serde(skip)]
    final_reading: bool,
    /// Print only how to wait in the program that the agent runs in
    #[arg(long, conflicts_with_all = ["rules_only", "final_reading"])]
    #[serde(skip)]
    waiting: bool,
}

impl Guide {
    pub async fn run(self) -> Result<Output, Failure> {
        let language = self.language.as_deref().map(Language::parse).transpose()?;
        if self.final_reading {
            if self.role == Role::Opponent {
                return Ok(Output::text(guides::final_reading(guides::Reader::Commands, language.as_ref())));
            }
            let message = format!("--final-reading is for the opponent: the {} has no final reading", self.role);
            return Err(Failure::new(Code::InvalidInput, message)
                .with_suggestion("Use --role opponent, whose final reading it is, or leave --final-reading out"));
        }
        let hosts = self.host.or_else(Host::current).map_or_else(|| Host::ALL.to_vec(), |host| vec![host]);
        if self.waiting {
            return Ok(Output::text(guides::waiting_section(&hosts)));
        }
        let ours = match self.debate_type {
            Some(debate_type) if self.rules_only => guides::rules(self.role, debate_type).to_owned(),
            debate_type => with_limit(guides::complete(self.role, debate_type, &hosts, language.as_ref())).await,
        };
        let team = team_rules::sections(self.role, self.debate_type);
        if self.rules_only && team.is_empty() {
            // Whoever asks for rules only wants to know; the text stays what an agent has to read.
            terminal::note("your team has no rules for this in .aweave/rules.md or .aweave/rules/, here or above");
        }
        Ok(Output::text(ours + &team))
    }
}

/// A guide with the limit of the server, if there is one that answers.
async fn with_limit(guide: String) -> String {
    let Ok(client) = Client::with_timeout(TIMEOUT) else { return guide };
    match timeout(TIMEOUT, client.send_once::<Info>(client.api.info())).await {
        Ok(Ok(info)) => guide.replace(LIMIT, &format!("{} bytes", info.parsed.limits.max_content_bytes)),
        Ok(Err(_)) | Err(_) => guide,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guides_of_both_sides_name_the_limit() {
        for role in [Role::Proposer, Role::Opponent] {
            assert!(guides::complete(role, None, &[], None).contains(LIMIT), "{role}");
        }
    }
}
