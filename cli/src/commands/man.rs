//! `aw man`: the manual pages.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::{Args, Command};
use serde_json::json;

use super::HELP_TEMPLATE;
use crate::output::{Code, Failure, Output, atomic_file, quoting};

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
        fs::create_dir_all(&folder).map_err(|error| failure(&error))?;
        let pages = write_all(&definition, &folder)?;
        let data = json!({"folder": folder.to_string_lossy(), "pages": pages});
        let message = format!("Wrote {} pages to {}", pages.len(), folder.display());
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

/// Writes the pages of a command and its subcommands, and returns the names of their files.
fn write_all(command: &Command, folder: &Path) -> Result<Vec<String>, Failure> {
    let name = clap_mangen::Man::new(command.clone()).get_filename();
    let page = render(command.clone()).map_err(|error| failure(&error))?;
    atomic_file::write(&folder.join(&name), page.as_bytes(), true)?;
    let mut names = vec![name];
    for subcommand in command.get_subcommands() {
        names.extend(write_all(subcommand, folder)?);
    }
    Ok(names)
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
