//! Tells on stderr how a run goes on: live on a terminal, a line for each event otherwise.

use std::{
    cell::RefCell,
    env,
    io::{self, IsTerminal},
    time::Duration,
};

use tokio::{
    task::JoinHandle,
    time::{Instant, MissedTickBehavior, interval},
};

use super::server_contact::minutes;
use crate::output::{format_choice::is_for_a_person, terminal, warning};

/// How often the line that is live is drawn, which also brings it back below an event.
const TICK: Duration = Duration::from_millis(200);

/// Whether a person reads both how the run goes on and what it tells at its end, where the same need not stand twice.
pub fn is_told_on_one_screen() -> bool {
    is_for_a_person(&io::stderr()) && is_for_a_person(&io::stdout())
}

pub struct Progress {
    /// Whether stderr is a terminal that can draw a line anew
    is_live: bool,
    is_for_a_person: bool,
    /// What draws the line that is live, while there is one
    line: RefCell<Option<JoinHandle<()>>>,
}

impl Progress {
    pub fn new() -> Self {
        let can_draw = env::var_os("TERM").is_none_or(|terminal| terminal != "dumb");
        Self {
            is_live: io::stderr().is_terminal() && can_draw,
            is_for_a_person: is_for_a_person(&io::stderr()),
            line: RefCell::default(),
        }
    }

    /// Whether a person reads it as it comes, who is told nothing twice, and some things that nobody else is told.
    pub fn is_for_a_person(&self) -> bool {
        self.is_for_a_person
    }

    /// Something happened.
    pub fn event(&self, text: &str) {
        self.clear();
        if self.is_live { terminal::note_in_lines(text) } else { terminal::note(text) }
    }

    /// Shows a text of several lines as it is.
    pub fn show(&self, text: &str) {
        self.clear();
        terminal::show(text);
    }

    /// Something is to be told at the end, too.
    pub fn warning(&self, text: String) {
        self.clear();
        warning::add(text);
    }

    /// Somebody thinks, from now on.
    pub fn thinking(&self, text: &str) {
        if self.is_live { self.draw(text) } else { terminal::note(text) }
    }

    /// Something that was told as an event goes on, from now on.
    pub fn still(&self, text: &str) {
        if self.is_live {
            self.draw(text);
        }
    }

    fn draw(&self, text: &str) {
        self.idle();
        let (text, since) = (text.to_owned(), Instant::now());
        self.line.replace(Some(tokio::spawn(async move {
            let mut ticks = interval(TICK);
            // After the run was stopped for a while it is drawn once.
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                ticks.tick().await;
                terminal::draw_line(&format!("{text} {}", minutes(since.elapsed())));
            }
        })));
    }

    /// Ends the line that says who thinks, and for how long.
    pub fn idle(&self) {
        self.clear();
        if let Some(line) = self.line.take() {
            line.abort();
        }
    }

    /// Takes the line that is live away, until it is drawn again.
    fn clear(&self) {
        if self.line.borrow().is_some() {
            terminal::draw_line("");
        }
    }
}
