//! `aw mcp`: the commands as tools of the Model Context Protocol.

use std::path::PathBuf;

use clap::Args;

use super::{HELP_TEMPLATE, block_on, debate::options::named};
use crate::{
    client::types::Role,
    input::ids,
    mcp::{self, AllowedPaths, Defaults},
    output::{Failure, Output},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw mcp --role opponent --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e")]
pub struct Mcp {
    /// Role of the agent; it then cannot act as another. The tools that rule are for the arbitrator only
    #[arg(long, value_parser = named::<Role>())]
    role: Option<Role>,
    /// The debate of calls that name none: its id, or a unique prefix of it
    #[arg(long, value_name = "ID")]
    debate_id: Option<String>,
    /// Another folder whose files the agent may give as `path`, besides the one in which this is started; may be repeated
    #[arg(long = "allow-path", value_name = "FOLDER")]
    allowed_paths: Vec<PathBuf>,
}

impl Mcp {
    /// Serves until stdin ends. Nothing but the protocol is printed on stdout.
    pub fn run(self) -> Result<Output, Failure> {
        if let Some(id) = &self.debate_id {
            ids::parse_ref("--debate-id", id)?;
        }
        let paths = AllowedPaths::new(&self.allowed_paths)?;
        block_on(mcp::serve(Defaults { role: self.role, debate_id: self.debate_id }, paths))?;
        Ok(Output::text(String::new()))
    }
}
