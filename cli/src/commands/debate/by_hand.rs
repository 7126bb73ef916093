//! `aw debate by-hand`: a first debate without agent programs, step by step.

use clap::Args;

use super::HELP_TEMPLATE;
use crate::output::Output;

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate by-hand")]
pub struct ByHand {}

impl ByHand {
    pub fn run(self) -> Output {
        Output::markdown(include_str!("../../../../docs/by-hand.md").to_owned())
    }
}
