//! `aw completions`: the completion script for a shell.

use clap::{Arg, Args, Command, ValueHint};
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
        clap_complete::generate(self.shell, &mut with_hints(command.clone()), "aw", &mut script);
        Output::text(String::from_utf8_lossy(&script).into_owned())
    }
}

/// With what the names of values say of them: without it bash divides the names of files at blanks, and offers files for folders.
fn with_hints(command: Command) -> Command {
    command.mut_args(with_hint).mut_subcommands(with_hints)
}

fn with_hint(argument: Arg) -> Arg {
    let hint = match argument.get_value_names().and_then(<[_]>::first).map(|name| name.as_str()) {
        Some("PATH") => ValueHint::FilePath,
        Some("FOLDER") => ValueHint::DirPath,
        _ => return argument,
    };
    argument.value_hint(hint)
}
