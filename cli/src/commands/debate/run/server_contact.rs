//! Whether the server answers, which is told when it changes.

use std::{
    cell::Cell,
    time::{Duration, Instant},
};

use jiff::Zoned;

/// Whether the server answers.
#[derive(Default)]
pub struct ServerContact {
    /// Since when it does not
    away: Cell<Option<Instant>>,
}

impl ServerContact {
    pub fn is_away(&self) -> bool {
        self.away.get().is_some()
    }

    /// It answered. Returns what to tell, if it did not before.
    pub fn answered(&self) -> Option<String> {
        self.away.take().map(|since| format!("the server answers again, after {}", minutes(since.elapsed())))
    }

    /// It did not answer. Returns what to tell, if it did before. `problem` says what came in place of an answer.
    pub fn failed(&self, problem: &str, now: &Zoned) -> Option<String> {
        if self.away.get().is_some() {
            return None;
        }
        self.away.set(Some(Instant::now()));
        Some(format!("{problem}; the run waits for the server since {}", now.strftime("%H:%M:%S")))
    }
}

/// A time in minutes and seconds.
pub fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_away_is_told_once_and_so_is_its_return() {
        let (contact, now) = (ServerContact::default(), "2026-07-30T14:05:06+02:00[Europe/Berlin]".parse().unwrap());
        assert_eq!(contact.answered(), None);
        let told = contact.failed("no answer", &now);
        assert_eq!(told.as_deref(), Some("no answer; the run waits for the server since 14:05:06"));
        assert!(contact.is_away());
        assert_eq!(contact.failed("no answer", &now), None);
        assert_eq!(contact.answered().as_deref(), Some("the server answers again, after 0:00"));
        assert_eq!(contact.answered(), None);
        assert!(contact.failed("no answer", &now).is_some());
        assert_eq!(minutes(Duration::from_secs(3_661)), "61:01");
    }
}
