//! `aw completions`: the completion script for a shell.

use std::fmt::Write as _;

use clap::{Arg, Args, Command, ValueHint, builder::PossibleValuesParser};
use clap_complete::Shell;

use super::{HELP_TEMPLATE, debate::run::program::Program};
use crate::{hosts::Host, output::Output};

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
    pub fn run(self, command: &Command) -> Output {
        let mut command = with_hints(command.clone());
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "aw", &mut script);
        let mut script = String::from_utf8_lossy(&script).into_owned();
        if self.shell == Shell::Fish {
            script += &fish_positionals(&command);
        }
        Output::text(script)
    }
}

/// With what the names of values say of them: without it bash divides the names of files at blanks, and offers files for folders.
fn with_hints(command: Command) -> Command {
    command.mut_args(with_hint).mut_subcommands(with_hints)
}

fn with_hint(argument: Arg) -> Arg {
    let name = argument.get_value_names().and_then(<[_]>::first).map(|name| name.as_str());
    match name {
        Some("PATH" | "PLAN") => argument.value_hint(ValueHint::FilePath),
        Some("FOLDER") => argument.value_hint(ValueHint::DirPath),
        // Which programs `run` starts; what else may be given there has no end.
        Some("AGENT") if argument.get_possible_values().is_empty() => {
            let programs: Vec<_> = Program::known().map(|program| program.name()).collect();
            let names = Host::ALL.into_iter().map(Host::name);
            argument
                .value_parser(PossibleValuesParser::new(names.filter(|name| programs.iter().any(|one| one == name))))
        }
        _ => argument,
    }
}

/// The values of the positional arguments of `aw` commands, which the script for fish leaves out.
fn fish_positionals(command: &Command) -> String {
    let mut lines = String::new();
    for command in command.get_subcommands() {
        let values = command.get_positionals().flat_map(Arg::get_possible_values);
        let values: Vec<_> = values.map(|value| value.get_name().to_owned()).collect();
        if !values.is_empty() {
            let (name, values) = (command.get_name(), values.join(" "));
            let _ = writeln!(lines, "complete -c aw -n \"__fish_aw_using_subcommand {name}\" -f -a \"{values}\"");
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::CommandLine;

    fn all(command: &Command) -> Vec<&Arg> {
        command.get_arguments().chain(command.get_subcommands().flat_map(all)).collect()
    }

    #[test]
    fn values_are_completed_as_what_their_names_say() {
        let command = with_hints(CommandLine::definition());
        for (name, hint, least) in [("PATH", ValueHint::FilePath, 20), ("FOLDER", ValueHint::DirPath, 2)] {
            let named = |argument: &&Arg| argument.get_value_names().is_some_and(|names| names[0] == name);
            let hints: Vec<_> = all(&command).into_iter().filter(named).map(Arg::get_value_hint).collect();
            assert!(hints.len() >= least && hints.iter().all(|one| *one == hint), "{name}: {hints:?}");
        }
    }

    #[test]
    fn every_shell_offers_the_values_of_options_and_of_setup() {
        for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
            let script = Completions { shell }.run(&CommandLine::definition()).text.unwrap();
            // Of --state, --role, --status, --kind, --host, setup, completions and --proposer.
            for value in ["AWAITING_OPPONENT", "arbitrator", "withdrawn", "ruling", "agents-md", "powershell"] {
                assert!(script.contains(value), "{shell}: {value}");
            }
            let of_agents = script.lines().filter(|line| line.contains("claude-code") || line.contains("agents-md"));
            assert!(of_agents.count() >= 3, "{shell}: --host, setup and --proposer");
        }
    }
}
