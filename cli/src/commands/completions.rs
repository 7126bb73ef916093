//! `aw completions`: the completion script for a shell.

use clap::{Args, Command};
use clap_complete::Shell;

use super::HELP_TEMPLATE;
use crate::output::Output;

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw completions bash > ~/.local/share/bash-completion/completions/aw")]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(self, command: &mut Command) -> Output {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, command, "aw", &mut script);
        Output::text(String::from_utf8_lossy(&script).into_owned())
    }
}
