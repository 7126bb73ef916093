//! Reads what a start prints while it prints it, and keeps no more than is needed.

use std::path::Path;

use serde_json::Value;

use super::{agent_program::ReadEvents, said::Said};
use crate::commands::debate::run::{
    child_process::{MAX_BYTES, Sink, Text, TooMuch},
    clean_text::{with_valid_escapes, without_escapes},
    error_text::last_line,
    json_objects::{self, Syntax},
    tail::Tail,
};

/// What a start prints on stdout.
pub enum Output {
    /// Lines, of which those that are JSON are events
    Events(Box<Events>),
    Text(Text),
}

/// The events of a start, and the end of everything.
pub struct Events {
    reader: Box<dyn ReadEvents>,
    /// The line that has not ended yet
    line: Vec<u8>,
    is_too_long: bool,
    /// The end of the lines that are no events
    other: Tail,
    /// The end of all of it
    all: Tail,
}

impl Output {
    /// For a program that prints events.
    pub fn of_events(reader: Box<dyn ReadEvents>) -> Self {
        let (other, all) = (Tail::default(), Tail::default());
        Self::Events(Box::new(Events { reader, line: Vec::new(), is_too_long: false, other, all }))
    }

    /// What it said, and what is kept of what it printed.
    pub fn finish(self, work: &Path) -> (Said, Vec<u8>) {
        match self {
            Self::Events(events) => events.finish(work),
            Self::Text(text) => (Said { text: Some(text.to_string()), ..Said::default() }, Tail::of(&text.0)),
        }
    }
}

impl Sink for Output {
    fn take(&mut self, bytes: &[u8]) -> Result<(), TooMuch> {
        match self {
            Self::Events(events) => events.take(bytes),
            Self::Text(text) => return text.take(bytes),
        }
        Ok(())
    }

    fn told_end(&self) -> bool {
        match self {
            Self::Events(events) => events.reader.told_end(),
            Self::Text(_) => false,
        }
    }
}

impl Events {
    fn take(&mut self, bytes: &[u8]) {
        self.all.add(bytes);
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            // A line that is too long is no event.
            if self.is_too_long || self.line.len() + part.len() > MAX_BYTES {
                self.is_too_long = true;
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(part);
            }
            if part.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        self.is_too_long = false;
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        match json(&text) {
            Some(Value::Array(events)) => events.iter().for_each(|event| self.reader.event(event)),
            Some(event @ Value::Object(_)) => self.reader.event(&event),
            Some(_) | None => self.other.add(&line),
        }
    }

    fn finish(mut self, work: &Path) -> (Said, Vec<u8>) {
        self.end_line();
        let other = without_escapes(&String::from_utf8_lossy(&self.other.bytes()));
        // An event may stand behind something else in its line, or take several lines.
        for (_, object) in json_objects::find(&other, None, Syntax::Json).objects {
            self.reader.event(&Value::Object(object));
        }
        let mut said = self.reader.finish(work);
        if said.text.is_none() && said.failure.is_none() {
            // Some print what is wrong as plain text.
            said.failure = last_line(&other);
        }
        (said, self.all.bytes())
    }
}

/// The value of a line that is nothing but JSON.
fn json(line: &str) -> Option<Value> {
    let clean = without_escapes(line);
    let clean = clean.trim();
    let begins = clean.starts_with(['{', '[']);
    begins.then(|| serde_json::from_str(clean).or_else(|_| serde_json::from_str(&with_valid_escapes(clean))).ok())?
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Says the names of all events.
    #[derive(Default)]
    struct Names(Vec<String>);

    impl ReadEvents for Names {
        fn event(&mut self, event: &Value) {
            self.0.extend(event["type"].as_str().map(str::to_owned));
        }

        fn told_end(&self) -> bool {
            false
        }

        fn finish(self: Box<Self>, _work: &Path) -> Said {
            Said { text: Some(self.0.join(" ")).filter(|names| !names.is_empty()), ..Said::default() }
        }
    }

    fn read(parts: &[&[u8]]) -> (Said, Vec<u8>) {
        let mut output = Output::of_events(Box::<Names>::default());
        parts.iter().for_each(|part| assert!(output.take(part).is_ok()));
        output.finish(Path::new("/"))
    }

    fn names(text: &str) -> Option<String> {
        read(&[text.as_bytes()]).0.text
    }

    #[test]
    fn events_are_read_however_they_are_printed() {
        for (text, expected) in [
            ("{\"type\": \"a\"}\n{\"type\": \"b\"}\n", "a b"),
            ("Loaded 3 notes\n{\"type\": \"a\"}", "a"),
            ("[{\"type\": \"a\"}, {\"type\": \"b\"}]\n", "a b"),
            ("\u{1b}]0;x\u{7}\u{feff}{\"type\": \"a\"}\r\n", "a"),
            ("{\n  \"type\": \"a\"\n}\n", "a"),
            ("[\n  {\"type\": \"a\"},\n  {\n  \"type\": \"b\"\n}\n]\n", "a b"),
            ("note: {\"type\": \"a\"}\n", "a"),
            ("{\"type\": \"a\", \"text\": \"\\ud83d\"}\n", "a"),
        ] {
            let found = names(text);
            let mut found: Vec<_> = found.as_deref().unwrap_or_default().split(' ').collect();
            found.sort_unstable();
            assert_eq!(found.join(" "), expected, "{text:?}");
        }
        let parts: [&[u8]; 3] = [b"{\"ty", b"pe\": \"a\"}", b"\n{\"type\": \"b\"}"];
        assert_eq!(read(&parts).0.text.as_deref(), Some("a b"));
        let (said, _) = read(&[b"Invalid API key \xb7 log in\n\n"]);
        assert!(said.failure.unwrap().starts_with("Invalid API key"));
    }

    #[test]
    fn much_is_read_and_little_is_kept() {
        let mut output = Output::of_events(Box::<Names>::default());
        let large = format!("{}\n", json!({"type": "large", "text": "x".repeat(480_000)}));
        for _ in 0..20 {
            assert!(output.take(large.as_bytes()).is_ok());
        }
        // A line that is too long is no event, and the next one is.
        for _ in 0..9 {
            assert!(output.take("{".repeat(1 << 20).as_bytes()).is_ok());
        }
        assert!(output.take(b"\n{\"type\": \"last\"}\n").is_ok());
        let (said, kept) = output.finish(Path::new("/"));
        assert_eq!(said.text.unwrap(), format!("{}last", "large ".repeat(20)));
        assert_eq!(kept.len(), 64 * 1024);
        let mut text = Output::Text(Text::default());
        assert!(text.take(&vec![b'y'; MAX_BYTES]).is_ok());
        assert!(text.take(b"y").is_err());
    }
}
