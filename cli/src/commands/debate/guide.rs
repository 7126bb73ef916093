//! `aw debate guide`: instructions for an agent that takes part.

use clap::Args;

use super::{
    HELP_TEMPLATE,
    options::{debate_type, role},
};
use crate::{
    client::types::{DebateType, Role},
    guides::{self, Host, Language},
    output::{envelope::Output, failure::Failure},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate guide --role opponent --debate-type coding_plan_debate")]
pub struct Guide {
    /// Role of the agent
    #[arg(long, value_parser = role())]
    role: Role,
    /// Type of the debate, to include its rules [default: without rules]
    #[arg(long, visible_alias = "type", value_name = "TYPE", value_parser = debate_type())]
    debate_type: Option<DebateType>,
    /// Program that the agent runs in, to explain how to wait there [default: all]
    #[arg(long, value_enum)]
    host: Option<Host>,
    /// Language of the debate, such as Vietnamese or vi
    #[arg(long)]
    language: Option<String>,
}

impl Guide {
    pub fn run(self) -> Result<Output, Failure> {
        let language = self.language.as_deref().map(Language::parse).transpose()?;
        let hosts = self.host.map_or_else(|| Host::ALL.to_vec(), |host| vec![host]);
        Ok(Output::text(guides::complete(self.role, self.debate_type, &hosts, language.as_ref())))
    }
}
