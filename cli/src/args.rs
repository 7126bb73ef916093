//! The command line as a whole.

use clap::{Command, CommandFactory, Parser, Subcommand, error::ErrorKind};
use serde_json::json;

use crate::{
    contract,
    debate::Debate,
    deferred::Deferred,
    docs::Docs,
    doctor::Doctor,
    envelope::{Answer, Format},
    error::{Code, Failure},
    setup::Setup,
    shells::{Completions, Manual},
};

/// Debates between AI agents, decided by an arbitrator
#[derive(Parser)]
#[command(
    name = "aw",
    version,
    help_template = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}",
    max_term_width = 100,
    before_help = "\
Example:
  ID=$(aw debate generate-id | jq -r '.content[0].data.id')
  aw debate create --debate-id $ID --title 'Cache the price list' \\
    --debate-type coding_plan_debate --file motion.md
  aw debate wait --debate-id $ID --role proposer",
    after_help = "\
Every command prints one JSON document on stdout: {\"success\", \"content\": [{\"type\", \"data\"}], …}.
Progress goes to stderr.

Exit status:
  0  success; also a wait that ran out of time
  2  no such debate, argument or document
  3  the server is away or failed, or what answers is not the server
  4  wrong usage, wrong input, a file that cannot be read, a text that is too large
  5  not allowed in this state or role
  6  the token is missing or wrong, or does not allow this

Environment:
  DEBATE_SERVER_URL       where the server is [default: http://127.0.0.1:3456]
  DEBATE_AUTH_TOKEN       the token, if the server wants one
  DEBATE_AUTH_TOKEN_FILE  a file with the token, in place of it
  DEBATE_WAIT_DEADLINE    how many seconds a wait lasts [default: 300]",
    subcommand_required = true,
    arg_required_else_help = false
)]
pub struct CommandLine {
    /// How the answer is written, errors too: one line of JSON for programs, or markdown for people
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT", display_order = 100)]
    pub format: Format,
    /// With --version: as a JSON document, with the version of the contract
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    area: Area,
}

/// The version as a document.
pub fn version() -> Answer {
    let data = json!({"version": env!("CARGO_PKG_VERSION"), "contract": contract::VERSION});
    Answer::new(data, concat!("aw ", env!("CARGO_PKG_VERSION")), |_, _| Ok(())).go_on("aw doctor")
}

#[derive(Subcommand)]
enum Area {
    /// Debates: open one, take part in one, decide one
    Debate(Deferred<Debate>),
    /// Documents: long texts in versions, for arguments to cite
    Docs(Deferred<Docs>),
    /// Teach an agent how to take part in debates
    Setup(Deferred<Setup>),
    /// Check the server, the token, what is installed for agents, and how long a command may take here
    Doctor(Deferred<Doctor>),
    /// Print the completions for a shell
    Completions(Deferred<Completions>),
    /// Print the manual page of a command, or write those of all
    Man(Deferred<Manual>),
}

impl CommandLine {
    /// Every command with all its options, to be told about.
    pub fn defined() -> Command {
        let mut commands = Self::command().disable_help_subcommand(true);
        commands.build();
        commands
    }

    /// The same, unless it wants the bare text of what is about none.
    pub fn fitting(self) -> Result<Self, clap::Error> {
        if self.format != Format::Plain || self.area.is_about_a_text() {
            return Ok(self);
        }
        Err(Self::command()
            .error(ErrorKind::InvalidValue, "'--format plain' is for commands that are about a text only"))
    }

    /// Does what it says.
    pub fn run(self) -> Result<Answer, Failure> {
        if self.json {
            return Err(Failure::new(Code::InvalidInput, "--json goes with --version; every answer is JSON anyhow")
                .suggest("Leave --json out"));
        }
        match self.area {
            Area::Debate(Deferred(debate)) => debate.run(self.format),
            Area::Docs(Deferred(docs)) => docs.run(),
            Area::Setup(Deferred(setup)) => setup.run(),
            Area::Doctor(Deferred(doctor)) => doctor.run(),
            Area::Completions(Deferred(completions)) => Ok(completions.run()),
            Area::Man(Deferred(manual)) => manual.run(),
        }
    }
}

impl Area {
    fn is_about_a_text(&self) -> bool {
        match self {
            Self::Debate(Deferred(debate)) => debate.is_about_a_text(),
            Self::Docs(Deferred(docs)) => docs.is_about_a_text(),
            Self::Man(Deferred(manual)) => manual.is_about_a_text(),
            Self::Completions(_) => true,
            Self::Setup(_) | Self::Doctor(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Args;

    use super::*;

    /// Every help text as it is printed 100 columns wide. A change of the command line shows up here, and has to be
    /// meant.
    #[test]
    fn the_help_of_every_command_is_as_agreed() {
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
    fn every_verb_starts_its_help_with_an_example_of_itself() {
        let mut command = CommandLine::defined();
        for area in ["debate", "docs"] {
            let verbs = command.find_subcommand_mut(area).unwrap().get_subcommands_mut();
            for verb in verbs.filter(|verb| verb.get_name() != "help") {
                let help = verb.render_help().to_string();
                let example = help.lines().skip_while(|line| *line != "Example:").nth(1).unwrap_or_default();
                assert!(example.contains(&format!("aw {area} {}", verb.get_name())), "{help}");
            }
        }
    }

    #[test]
    fn a_command_has_no_options_before_it_is_meant() {
        let (areas, verbs) = (CommandLine::command(), Debate::augment_args(Command::new("debate")));
        for command in areas.get_subcommands().chain(verbs.get_subcommands()) {
            let (options, verbs) = (command.get_arguments().count(), command.get_subcommands().count());
            assert_eq!((options, verbs), (0, 0), "{}", command.get_name());
        }
    }

    #[test]
    fn clap_finds_nothing_wrong_with_the_definitions() {
        CommandLine::command().debug_assert();
    }
}
