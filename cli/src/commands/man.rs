//! `aw man`: the manual pages.

use std::{fs, io, path::PathBuf};

use clap::{Args, Command};
use serde_json::json;

use super::HELP_TEMPLATE;
use crate::output::{Code, Failure, Output, quoting};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw man debate wait | man -l -")]
pub struct Man {
    /// The command to describe [default: aw itself]
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Man {
    /// Whether the page is printed rather than written to a folder.
    pub fn prints_text(&self) -> bool {
        self.output.is_none()
    }

    /// Renders the pages of `definition` and its subcommands.
    pub fn run(self, definition: Command) -> Result<Output, Failure> {
        let Some(folder) = self.output else {
            return render(subcommand(definition, &self.command)?).map(Output::text).map_err(|error| failure(&error));
        };
        let mut pages = Vec::new();
        render_all(definition, &mut pages)
            .and_then(|()| fs::create_dir_all(&folder))
            .map_err(|error| failure(&error))?;
        for (name, page) in &pages {
            fs::write(folder.join(name), page).map_err(|error| failure(&error))?;
        }
        let names: Vec<&String> = pages.iter().map(|(name, _)| name).collect();
        let data = json!({"folder": folder.to_string_lossy(), "pages": names});
        let message = format!("Wrote {} pages to {}", names.len(), folder.display());
        let next = quoting::command(["man", &folder.join("aw.1").to_string_lossy()]);
        Ok(Output::new(data, message).with_next(next))
    }
}

fn subcommand(definition: Command, names: &[String]) -> Result<Command, Failure> {
    names.iter().try_fold(definition, |command, name| {
        command.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::new(Code::InvalidInput, format!("there is no command {}", names.join(" ")))
                .with_suggestion("aw --help lists the commands")
        })
    })
}

fn render_all(command: Command, pages: &mut Vec<(String, String)>) -> io::Result<()> {
    let subcommands: Vec<Command> = command.get_subcommands().cloned().collect();
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    pages.push((format!("{name}.1"), render(command)?));
    subcommands.into_iter().try_for_each(|command| render_all(command, pages))
}

fn render(command: Command) -> io::Result<String> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn failure(error: &io::Error) -> Failure {
    Failure::new(Code::InvalidInput, format!("cannot write the manual: {error}"))
        .with_suggestion("Give --output a folder that you may write to")
}
