//! The lines that are not written yet.

use std::{
    collections::VecDeque,
    io::{self, ErrorKind, Write},
    mem,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use crate::prometheus_metrics;

/// The most bytes of lines that wait.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// How long the thread pauses where a pipe is full that does not block, and after it was woken: so that the lines of many requests
/// cost one wake-up.
const PAUSE: Duration = Duration::from_millis(10);

/// Which lines are lost first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Priority {
    /// Lost where there is no room
    Other,
    /// Takes the room of the others, and is lost only where there are none
    Audit,
}

/// Lines in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct LineQueue {
    waiting: Mutex<Waiting>,
    /// That there are lines, or that they are written
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    audit: VecDeque<(u64, Vec<u8>)>,
    others: VecDeque<(u64, Vec<u8>)>,
    bytes: usize,
    pushed: u64,
    is_writing: bool,
}

impl Waiting {
    fn pop(&mut self) -> Option<Vec<u8>> {
        let (audit, other) = (self.audit.front(), self.others.front());
        let is_audit_first = match (audit, other) {
            (Some((audit, _)), Some((other, _))) => audit < other,
            (audit, None) => audit.is_some(),
            (None, Some(_)) => false,
        };
        let (_, line) = if is_audit_first { self.audit.pop_front() } else { self.others.pop_front() }?;
        self.bytes -= line.len();
        Some(line)
    }

    fn is_empty(&self) -> bool {
        self.audit.is_empty() && self.others.is_empty()
    }
}

impl LineQueue {
    /// Adds a line, or drops it or others where there is no room. Never waits for whoever reads them.
    pub fn push(&self, line: Vec<u8>, priority: Priority) {
        let mut waiting = self.waiting();
        let is_first = waiting.is_empty();
        let mut lost = 0;
        if priority == Priority::Audit {
            while waiting.bytes + line.len() > MAX_BYTES
                && let Some((_, other)) = waiting.others.pop_front()
            {
                waiting.bytes -= other.len();
                lost += 1;
            }
        }
        if waiting.bytes + line.len() > MAX_BYTES {
            lost += 1;
        } else {
            waiting.bytes += line.len();
            waiting.pushed += 1;
            let entry = (waiting.pushed, line);
            match priority {
                Priority::Audit => waiting.audit.push_back(entry),
                Priority::Other => waiting.others.push_back(entry),
            }
        }
        drop(waiting);
        if is_first {
            self.changed.notify_all();
        }
        prometheus_metrics::log_lines_lost(lost);
    }

    /// Drops the lines that are not of the audit.
    pub fn drop_others(&self) {
        let mut waiting = self.waiting();
        let dropped: usize = waiting.others.drain(..).map(|(_, line)| line.len()).sum();
        waiting.bytes -= dropped;
        drop(waiting);
        self.changed.notify_all();
    }

    /// Waits until all lines are written or lost, for at most this time. Returns whether they are.
    pub fn wait_until_written(&self, at_most: Duration) -> bool {
        let is_unwritten = |waiting: &mut Waiting| waiting.is_writing || !waiting.is_empty();
        let waited = self.changed.wait_timeout_while(self.waiting(), at_most, is_unwritten);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Writes lines as they come, for ever.
    pub fn write_to(&self, log: &mut impl Write) {
        let mut writer = LineWriter { log, rest: Vec::new() };
        loop {
            if writer.write(self.next()).is_err() {
                prometheus_metrics::log_lines_lost(1);
            }
        }
    }

    fn next(&self) -> Vec<u8> {
        let mut waiting = self.waiting();
        loop {
            if let Some(line) = waiting.pop() {
                waiting.is_writing = true;
                return line;
            }
            if waiting.is_writing {
                waiting.is_writing = false;
                self.changed.notify_all();
            }
            drop(
                self.changed.wait_while(waiting, |waiting| waiting.is_empty()).unwrap_or_else(PoisonError::into_inner),
            );
            thread::sleep(PAUSE);
            waiting = self.waiting();
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // Nothing can fail while it is locked.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes whole lines. Of a line of which only a part could be written, the rest is written before the next one.
struct LineWriter<'w, W> {
    log: &'w mut W,
    rest: Vec<u8>,
}

impl<W: Write> LineWriter<'_, W> {
    /// Writes a line, or at least its beginning.
    fn write(&mut self, line: Vec<u8>) -> io::Result<()> {
        let mut rest = mem::take(&mut self.rest);
        let before = self.write_from(&mut rest);
        self.rest = rest;
        before?;
        let (length, mut rest) = (line.len(), line);
        let written = self.write_from(&mut rest);
        if rest.len() < length {
            self.rest = rest;
            return Ok(());
        }
        written
    }

    /// Writes bytes and removes those that are written.
    fn write_from(&mut self, bytes: &mut Vec<u8>) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.log.write(bytes) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => drop(bytes.drain(..written)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(PAUSE),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<u8> {
        format!("{text}\n").into_bytes()
    }

    fn texts(queue: &LineQueue) -> Vec<String> {
        let lines = std::iter::from_fn(|| queue.waiting().pop());
        lines.map(|line| String::from_utf8(line).unwrap().trim().to_owned()).collect()
    }

    #[test]
    fn lines_come_in_their_order() {
        let queue = LineQueue::default();
        for (text, priority) in
            [("1", Priority::Other), ("2", Priority::Audit), ("3", Priority::Audit), ("4", Priority::Other)]
        {
            queue.push(line(text), priority);
        }
        assert_eq!(texts(&queue), ["1", "2", "3", "4"]);
        assert_eq!(queue.waiting().bytes, 0);
    }

    #[test]
    fn where_there_is_no_room_lines_of_the_audit_are_lost_last() {
        let long = "x".repeat(MAX_BYTES / 4 - 1);
        let queue = LineQueue::default();
        for _ in 0..6 {
            queue.push(line(&long), Priority::Other);
        }
        assert_eq!(queue.waiting().others.len(), 4, "the others are dropped");
        for number in 0..3 {
            queue.push(line(&format!("{number}{}", &long[1..])), Priority::Audit);
        }
        let counts = |waiting: &Waiting| (waiting.audit.len(), waiting.others.len());
        assert_eq!(counts(&queue.waiting()), (3, 1));
        for number in 3..6 {
            queue.push(line(&format!("{number}{}", &long[1..])), Priority::Audit);
        }
        let kept: Vec<_> = texts(&queue).iter().map(|text| text[..1].to_owned()).collect();
        assert_eq!(kept, ["0", "1", "2", "3"]);
    }

    #[test]
    fn lines_that_nobody_writes_keep_the_end_waiting_for_so_long_only() {
        let queue = LineQueue::default();
        assert!(queue.wait_until_written(Duration::ZERO));
        queue.push(line("other"), Priority::Other);
        assert!(!queue.wait_until_written(Duration::from_millis(1)));
        queue.drop_others();
        assert!(queue.wait_until_written(Duration::ZERO));
    }

    /// A file with room for so many more bytes.
    struct Disk {
        room: usize,
        written: Vec<u8>,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let fits = bytes.len().min(self.room);
            if fits == 0 {
                return Err(ErrorKind::StorageFull.into());
            }
            self.room -= fits;
            self.written.extend(&bytes[..fits]);
            Ok(fits)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_that_did_not_fit_is_whole_once_there_is_room_again() {
        let mut disk = Disk { room: 6, written: Vec::new() };
        let mut writer = LineWriter { log: &mut disk, rest: Vec::new() };
        assert!(writer.write(line("one")).is_ok());
        assert!(writer.write(line("two")).is_ok(), "begun");
        assert!(writer.write(line("lost")).is_err());
        writer.log.room = 100;
        assert!(writer.write(line("three")).is_ok());
        assert_eq!(String::from_utf8(disk.written).unwrap(), "one\ntwo\nthree\n");
    }
}
