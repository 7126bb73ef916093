//! Tells on stderr how a run goes on: live on a terminal, a line for each event otherwise.

use std::{
    io::{self, IsTerminal},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::{sanitize, terminal, warning};

/// How often the line that is live is drawn.
const TICK: Duration = Duration::from_millis(200);

pub struct Progress {
    live: Option<ProgressBar>,
}

impl Progress {
    pub fn new() -> Self {
        let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
        let bar = || ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Self { live: io::stderr().is_terminal().then(bar) }
    }

    /// Something happened.
    pub fn event(&self, text: &str) {
        match &self.live {
            Some(bar) => bar.suspend(|| terminal::note(text)),
            None => terminal::note(text),
        }
    }

    /// Shows a text of several lines as it is.
    pub fn show(&self, text: &str) {
        match &self.live {
            Some(bar) => bar.suspend(|| terminal::show(text)),
            None => terminal::show(text),
        }
    }

    /// Something is to be told at the end, too.
    pub fn warning(&self, text: String) {
        match &self.live {
            Some(bar) => bar.suspend(|| warning::add(text)),
            None => warning::add(text),
        }
    }

    /// Somebody thinks, from now on.
    pub fn thinking(&self, text: &str) {
        let Some(bar) = &self.live else { return terminal::note(text) };
        bar.reset();
        bar.set_message(sanitize::line(text));
        bar.enable_steady_tick(TICK);
    }

    /// Nobody thinks any more.
    pub fn idle(&self) {
        if let Some(bar) = &self.live {
            bar.disable_steady_tick();
            bar.finish_and_clear();
        }
    }
}
