//! `aw down`: stops the server that `aw up` started.

use clap::Args;
use rustix::process::Pid;
use serde_json::json;

use super::{HELP_TEMPLATE, background_server::BackgroundServer};
use crate::output::{Failure, Output};

#[derive(Args)]
#[command(
    help_template = HELP_TEMPLATE,
    before_help = "\
Example:
  aw down",
    after_help = "\
The server has up to 10 seconds to end after SIGTERM. Debates stay.
A server that something else started, such as systemd or a terminal, keeps running."
)]
pub struct Down {
    /// Remove the server's log, too, as before uninstalling
    #[arg(long)]
    remove_log: bool,
}

impl Down {
    pub fn run(self) -> Result<Output, Failure> {
        let server = BackgroundServer::lock()?;
        let running = server.running()?;
        if let Some(running) = running {
            server.stop(running)?;
        }
        server.remove_files();
        if self.remove_log {
            server.remove_log()?;
        }
        let mut message = match running {
            Some(running) => format!("Stopped aweave-server, process {}", running.pid),
            None => "There is nothing to stop: no server that `aw up` started is running".to_owned(),
        };
        if self.remove_log {
            message += ". Its log is removed";
        }
        let pid = running.map(|running| Pid::as_raw(Some(running.pid)));
        Ok(Output::new(json!({"stopped": running.is_some(), "pid": pid}), message)
            .with_markdown(|_, _| Ok(()))
            .with_next("aw up"))
    }
}
