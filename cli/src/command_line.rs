//! The command line as clap parses it: the global options and the top-level commands.

use std::io;

use clap::{Command, CommandFactory, Parser, Subcommand, error::ErrorKind};
use serde_json::json;

use crate::{
    client::{compatibility, settings::DEFAULT_WAIT_SECONDS},
    commands::{
        HELP_TEMPLATE, block_on, completions::Completions, debate::Debate, docs::Docs, doctor::Doctor, down::Down,
        man::Man, mcp::Mcp, setup::Setup, up::Up,
    },
    output::{Failure, Format, Output},
    shell_or_mcp::Caller,
};

/// Debates between AI agents, decided by an arbitrator
#[derive(Parser)]
#[command(
    name = "aw",
    version,
    help_template = HELP_TEMPLATE,
    max_term_width = 100,
    before_help = "\
Example:
  aw debate run plan.md --quick --output better.md",
    after_help = format!("\
Every command prints one JSON document on stdout:
{{\"success\", \"content\": [{{\"type\", \"data\"}}], …}}.
At a terminal a person gets it as text, and errors on stderr. Progress messages
go to stderr.

Exit status:
  0  success; also a wait that timed out
  2  no such debate, argument or document
  3  the server cannot be reached or failed, or the address is not that of an
     aweave server
  4  wrong usage, invalid input, an unreadable file, a text that is too large,
     or a record that is not valid
  5  not allowed in this state or for this role
  6  the token is missing, wrong, or does not permit this, or the seat of the
     role is another's
  7  a run stopped at one of its limits or before a ruling, and can go on

Environment:
  DEBATE_SERVER_URL       address of the server [default: http://127.0.0.1:3456]
  DEBATE_AUTH_TOKEN       token, if the server requires one
  DEBATE_AUTH_TOKEN_FILE  file that holds the token, in its place
  DEBATE_WAIT_DEADLINE    number of seconds that a wait lasts [default: {DEFAULT_WAIT_SECONDS}]
  DEBATE_SEATS_DIR        folder with the keys of your seats
                          [default: ~/.aweave/seats]
  AW_FORMAT               json or markdown, for commands whose default is JSON;
                          --format wins
  NO_COLOR                if it is set, text at a terminal has no colours"),
    subcommand_required = true,
    arg_required_else_help = false
)]
pub struct CommandLine {
    /// Output format, for errors too: one line of JSON for programs, or markdown for people [default: json; at a terminal, text]
    // Without a default here: some commands have one of their own, and the others ask the terminal.
    #[arg(long, global = true, value_enum, value_name = "FORMAT", display_order = 100)]
    format: Option<Format>,
    /// With --version: print a JSON document, which also names the API version
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Commands,
}

/// The output of `aw --version --json`.
pub fn version() -> Output {
    let data = json!({"version": env!("CARGO_PKG_VERSION"), "contract": compatibility::API_VERSION});
    Output::new(data, concat!("aw ", env!("CARGO_PKG_VERSION"))).with_next("aw doctor")
}

/// Prints the help of `aw`.
pub fn print_help() -> io::Result<()> {
    CommandLine::command().print_help()
}

#[derive(Subcommand)]
enum Commands {
    /// Start a server in the background, unless one answers, and open the web app
    Up(Up),
    /// Stop the server that `aw up` started
    Down(Down),
    /// Open debates, take part in them, and decide them
    #[command(subcommand, help_template = HELP_TEMPLATE, arg_required_else_help = false, before_help = "\
Example:
  aw debate list --format markdown")]
    Debate(Box<Debate>),
    /// Store long texts as documents with versions, which arguments can cite
    #[command(subcommand, help_template = HELP_TEMPLATE, arg_required_else_help = false, before_help = "\
Example:
  aw docs create --summary 'Plan: cache the price list' --file plan.md")]
    Docs(Docs),
    /// Serve the commands as tools of the Model Context Protocol, over stdin and stdout, to an agent without a shell
    Mcp(Mcp),
    /// Teach an agent how to take part in debates
    Setup(Setup),
    /// Check the server, the token, the files installed for agents, and how long a command may run here
    Doctor(Doctor),
    /// Print the completion script for a shell
    Completions(Completions),
    /// Print the manual page of a command, or write the pages of all commands
    Man(Man),
}

impl CommandLine {
    /// The definition of every command, with the propagated global options.
    pub fn definition() -> Command {
        let mut command = Self::command().disable_help_subcommand(true);
        command.build();
        command
    }

    /// Refuses `--json` and a format that the command does not have: `plain` is for a single text, `html` for a record.
    pub fn check_format(self) -> Result<Self, clap::Error> {
        let refused = match self.format {
            _ if self.json => "'--json' is only for '--version': all other output is JSON anyway",
            None => return Ok(self),
            Some(format) if self.command.prints(format) => return Ok(self),
            Some(Format::Html) => "'--format html' is only for aw debate record",
            Some(Format::Plain | Format::Json | Format::Markdown | Format::Terminal(_)) => {
                "'--format plain' is only for commands that print a single text"
            }
        };
        Err(Self::command().error(ErrorKind::InvalidValue, refused))
    }

    /// The format that `--format` says, else the command's own; none if that is the usual one. Texts and streams have the same
    /// form everywhere.
    pub fn format(&self) -> Option<Format> {
        self.format.or_else(|| self.command.has_its_own_form().then_some(Format::Json))
    }

    /// Runs the command, whose output will be printed in this format.
    pub fn run(self, format: Format) -> Result<Output, Failure> {
        match self.command {
            Commands::Up(up) => up.run(),
            Commands::Down(down) => down.run(),
            Commands::Debate(debate) => block_on(debate.run(Caller::Shell(format))),
            Commands::Docs(docs) => block_on(docs.run()),
            Commands::Mcp(mcp) => mcp.run(),
            Commands::Setup(setup) => setup.run(),
            Commands::Doctor(doctor) => doctor.run(),
            Commands::Completions(completions) => Ok(completions.run(&Self::command())),
            Commands::Man(man) => man.run(Self::definition()),
        }
    }
}

impl Commands {
    /// Whether it prints a text, or a line for each event.
    fn has_its_own_form(&self) -> bool {
        match self {
            Self::Completions(_) | Self::Mcp(_) => true,
            Self::Man(man) => man.prints_text(),
            Self::Debate(debate) => matches!(**debate, Debate::ByHand(_) | Debate::Guide(_) | Debate::Watch(_)),
            Self::Up(_) | Self::Down(_) | Self::Docs(_) | Self::Setup(_) | Self::Doctor(_) => false,
        }
    }

    /// Whether the output can be in this format: `plain` is a single text without an envelope, `html` a page.
    fn prints(&self, format: Format) -> bool {
        match (format, self) {
            (Format::Json | Format::Markdown | Format::Terminal(_), _) | (Format::Plain, Self::Completions(_)) => true,
            (Format::Plain, Self::Debate(debate)) => {
                matches!(**debate, Debate::ByHand(_) | Debate::Guide(_) | Debate::Plan(_))
            }
            (Format::Plain, Self::Docs(docs)) => matches!(docs, Docs::Get(_) | Docs::Diff(_)),
            (Format::Plain, Self::Man(man)) => man.prints_text(),
            (Format::Html, Self::Debate(debate)) => matches!(**debate, Debate::Record(_)),
            (Format::Plain | Format::Html, _) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every help text, 100 columns wide, so that a change of the command line shows up in a diff.
    #[test]
    fn help_texts_match_the_snapshot() {
        let mut command = CommandLine::command().term_width(100).disable_help_subcommand(true);
        command.build();
        let mut texts = Vec::new();
        collect(&mut command, &mut texts);
        insta::assert_snapshot!(texts.join("\n"));
    }

    fn collect(command: &mut Command, texts: &mut Vec<String>) {
        let name = command.get_bin_name().unwrap_or("aw").to_owned();
        texts.push(format!("════ {name} --help ════\n{}", command.render_help()));
        command.get_subcommands_mut().for_each(|command| collect(command, texts));
    }

    #[test]
    fn every_example_can_be_copied_from_a_narrow_terminal() {
        let mut texts = Vec::new();
        collect(&mut CommandLine::definition(), &mut texts);
        let example = |text: &str| {
            let lines = text.lines().skip_while(|line| !line.starts_with("Example"));
            lines.take_while(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        let examples: Vec<String> = texts.iter().flat_map(|text| example(text)).collect();
        assert!(examples.len() > 50, "{examples:?}");
        let long: Vec<_> = examples.iter().filter(|line| line.len() >= 80).collect();
        assert!(long.is_empty(), "{long:?}");
    }

    #[test]
    fn every_help_text_starts_with_an_example_of_its_command() {
        let mut command = CommandLine::definition();
        for group in ["debate", "docs"] {
            let commands = command.find_subcommand_mut(group).unwrap().get_subcommands_mut();
            for subcommand in commands.filter(|subcommand| subcommand.get_name() != "help") {
                let help = subcommand.render_help().to_string();
                let example = help.lines().skip_while(|line| *line != "Example:").nth(1).unwrap_or_default();
                assert!(example.contains(&format!("aw {group} {}", subcommand.get_name())), "{help}");
            }
        }
    }

    #[test]
    fn clap_accepts_the_definitions() {
        CommandLine::command().debug_assert();
    }
}
