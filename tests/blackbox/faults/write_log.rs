//! What was asked of a server, and what was acknowledged.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::Value;

/// One write.
#[derive(Clone, Debug)]
pub struct Write {
    /// Where it was sent
    pub path: String,
    /// What was sent
    pub body: Value,
    /// Where the disk's log ended when it was sent
    pub sent_at: u64,
    /// What was acknowledged
    pub acknowledged: Option<Acknowledged>,
}

/// What a server promised.
#[derive(Clone, Debug)]
pub struct Acknowledged {
    /// The answer's data
    pub data: Value,
    /// Where the disk's log ended when the answer was there
    pub at: u64,
}

impl Write {
    /// The text that it brings, which no other write has.
    pub fn content(&self) -> &str {
        let field = if self.path == "/debates" { "motion_content" } else { "content" };
        self.body[field].as_str().expect("a text")
    }

    /// What it is about: the path of a debate or of a document.
    pub fn about(&self) -> Option<String> {
        let made = |what: &str, path: &str| {
            let id = self.acknowledged.as_ref()?.data[what]["id"].as_str()?.to_owned();
            Some(format!("{path}/{id}"))
        };
        match self.path.as_str() {
            "/debates" => Some(format!("/debates/{}", self.body["debate_id"].as_str()?)),
            "/documents" => made("document", "/documents"),
            below => below.rsplit_once('/').map(|(about, _)| about.to_owned()),
        }
    }

    /// Whether it was acknowledged while the log was no longer than this.
    pub fn acknowledged_by(&self, position: u64) -> Option<&Acknowledged> {
        self.acknowledged.as_ref().filter(|acknowledged| acknowledged.at <= position)
    }
}

/// All writes, as many clients make them.
pub struct WriteLog {
    writes: Mutex<Vec<Write>>,
    acknowledged: AtomicUsize,
    unknown: AtomicUsize,
    position: Box<dyn Fn() -> u64 + Send + Sync>,
}

impl WriteLog {
    /// One that asks for the length of the disk's log there.
    pub fn new(position: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self { writes: Mutex::default(), acknowledged: 0.into(), unknown: 0.into(), position: Box::new(position) }
    }

    /// Notes down that this is about to be sent, and gives its number.
    pub fn sends(&self, path: &str, body: &Value) -> usize {
        let sent_at = (self.position)();
        let mut writes = self.writes.lock().unwrap();
        writes.push(Write { path: path.to_owned(), body: body.clone(), sent_at, acknowledged: None });
        writes.len() - 1
    }

    /// Notes down an answer that has just come.
    pub fn acknowledges(&self, number: usize, data: Value) {
        let at = (self.position)();
        self.writes.lock().unwrap()[number].acknowledged = Some(Acknowledged { data, at });
        self.acknowledged.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes down that nobody said what became of a write.
    pub fn is_left_unknown(&self) {
        self.unknown.fetch_add(1, Ordering::Relaxed);
    }

    /// How many writes are acknowledged.
    pub fn acknowledged(&self) -> usize {
        self.acknowledged.load(Ordering::Relaxed)
    }

    /// How often nobody said what became of a write.
    pub fn unknown(&self) -> usize {
        self.unknown.load(Ordering::Relaxed)
    }

    /// All writes so far.
    pub fn writes(&self) -> Vec<Write> {
        self.writes.lock().unwrap().clone()
    }
}
