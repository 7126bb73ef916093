//! Since when a side whose turn it is has neither written nor waited.

use std::time::Duration;

use crate::{
    app::App,
    domain::{Debate, SILENT_AFTER, Waiting, unheard},
};

/// Whether the side whose turn it is keeps the debate waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// It is nobody's turn, or the side waits or has been heard of lately; ask again after this time, if any
    None(Option<Duration>),
    /// Nothing has been heard of it since then
    Since(Waiting),
}

impl App {
    /// Whether a side of this debate is silent, while these wait.
    pub fn debate_silence(&self, debate: &Debate, waiting: &[Waiting]) -> Silence {
        let Some(unheard) = unheard(debate, waiting, |role| self.notifier.last_waited(debate.id, role)) else {
            return Silence::None(None);
        };
        let left = SILENT_AFTER - ((self.now)() - unheard.since);
        match left.to_std() {
            Ok(left) if !left.is_zero() => Silence::None(Some(left)),
            Ok(_) | Err(_) => Silence::Since(unheard),
        }
    }
}
