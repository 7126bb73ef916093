//! `aw debate guide`: tells an agent how to take part.

use clap::Args;

use super::{EXAMPLE_FIRST, create::debate_type, options::role};
use crate::{
    api::types::{DebateType, Role},
    envelope::Answer,
    error::Failure,
    guide::{self, Host, Language},
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate guide --role opponent --debate-type coding_plan_debate")]
pub struct Guide {
    /// Who is to take part
    #[arg(long, value_parser = role())]
    role: Role,
    /// What kind of debate: with the rules for that [default: without]
    #[arg(long, visible_alias = "type", value_name = "TYPE", value_parser = debate_type())]
    debate_type: Option<DebateType>,
    /// What the agent runs in: how to wait there [default: in each]
    #[arg(long, value_enum)]
    host: Option<Host>,
    /// The language to argue in, such as Vietnamese or vi
    #[arg(long)]
    language: Option<String>,
}

impl Guide {
    /// Runs the command.
    pub fn run(self) -> Result<Answer, Failure> {
        let language = self.language.as_deref().map(Language::parse).transpose()?;
        let hosts = self.host.map_or_else(|| Host::ALL.to_vec(), |host| vec![host]);
        Ok(Answer::text(guide::whole(self.role, self.debate_type, &hosts, language.as_ref())))
    }
}
