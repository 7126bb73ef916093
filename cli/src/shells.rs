//! `aw completions` and `aw man`: what shells and people learn from the definitions of the commands.

use std::{fs, io, path::PathBuf};

use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use serde_json::json;

use crate::{
    args::CommandLine,
    envelope::Answer,
    error::{Code, Failure},
    shell,
    verb::EXAMPLE_FIRST,
};

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw completions bash > ~/.local/share/bash-completion/completions/aw")]
pub struct Completions {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Runs the command.
    pub fn run(self) -> Answer {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut CommandLine::command(), "aw", &mut text);
        Answer::text(String::from_utf8_lossy(&text).into_owned())
    }
}

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw man debate wait | man -l -")]
pub struct Manual {
    /// Which command [default: aw itself]
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Manual {
    /// Whether it is printed, not written.
    pub fn is_about_a_text(&self) -> bool {
        self.output.is_none()
    }

    /// Runs the command.
    pub fn run(self) -> Result<Answer, Failure> {
        let all = CommandLine::defined();
        let Some(folder) = self.output else {
            return page(named(all, &self.command)?).map(Answer::text).map_err(|error| unwritten(&error));
        };
        let mut pages = Vec::new();
        collect(all, &mut pages).and_then(|()| fs::create_dir_all(&folder)).map_err(|error| unwritten(&error))?;
        for (name, page) in &pages {
            fs::write(folder.join(name), page).map_err(|error| unwritten(&error))?;
        }
        let names: Vec<&String> = pages.iter().map(|(name, _)| name).collect();
        let data = json!({"folder": folder.to_string_lossy(), "pages": names});
        let first = folder.join(pages.first().map_or("aw.1", |(name, _)| name)).to_string_lossy().into_owned();
        Ok(Answer::new(data, format!("{} pages are in {}", names.len(), folder.display()), |_, _| Ok(()))
            .go_on(shell::command(["man", &first])))
    }
}

fn named(all: Command, words: &[String]) -> Result<Command, Failure> {
    words.iter().try_fold(all, |command, word| {
        command.find_subcommand(word).cloned().ok_or_else(|| {
            Failure::new(Code::InvalidInput, format!("there is no command {}", words.join(" ")))
                .suggest("aw --help lists the commands")
        })
    })
}

fn collect(command: Command, pages: &mut Vec<(String, String)>) -> io::Result<()> {
    let below: Vec<Command> = command.get_subcommands().cloned().collect();
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    pages.push((format!("{name}.1"), page(command)?));
    below.into_iter().try_for_each(|command| collect(command, pages))
}

fn page(command: Command) -> io::Result<String> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn unwritten(error: &io::Error) -> Failure {
    Failure::new(Code::InvalidInput, format!("cannot write the manual: {error}"))
        .suggest("Give --output a folder that you may write to")
}
