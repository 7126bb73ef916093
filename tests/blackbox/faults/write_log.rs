//! Records the writes that clients sent and what was acknowledged.

use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::Value;

/// A write.
#[derive(Clone, Debug)]
pub struct Write {
    /// The path it was sent to
    pub path: String,
    /// The body
    pub body: Value,
    /// The position in the disk's log when it was sent
    pub sent_at: u64,
    /// The acknowledgement
    pub acknowledged: Option<Acknowledged>,
}

/// An acknowledged write.
#[derive(Clone, Debug)]
pub struct Acknowledged {
    /// The data of the response
    pub data: Value,
    /// The position in the disk's log when the response had arrived
    pub at: u64,
}

impl Write {
    /// The content, which is unique.
    pub fn content(&self) -> &str {
        let field = if self.path == "/debates" { "motion_content" } else { "content" };
        self.body[field].as_str().expect("a text")
    }

    /// The path of the debate or document.
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

    /// The acknowledgement, if it arrived by this position.
    pub fn acknowledged_by(&self, position: u64) -> Option<&Acknowledged> {
        self.acknowledged.as_ref().filter(|acknowledged| acknowledged.at <= position)
    }
}

/// The writes of all clients.
pub struct WriteLog {
    writes: Mutex<Vec<Write>>,
    acknowledged: AtomicUsize,
    unknown: AtomicUsize,
    position: Box<dyn Fn() -> u64 + Send + Sync>,
}

impl WriteLog {
    /// A log that asks `position` for the current position in the disk's log.
    pub fn new(position: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self { writes: Mutex::default(), acknowledged: 0.into(), unknown: 0.into(), position: Box::new(position) }
    }

    /// Records a write that is about to be sent and returns its number.
    pub fn sends(&self, path: &str, body: &Value) -> usize {
        let sent_at = (self.position)();
        let mut writes = self.writes.lock().unwrap();
        writes.push(Write { path: path.to_owned(), body: body.clone(), sent_at, acknowledged: None });
        writes.len() - 1
    }

    /// Records an acknowledgement.
    pub fn acknowledges(&self, number: usize, data: Value) {
        let at = (self.position)();
        self.writes.lock().unwrap()[number].acknowledged = Some(Acknowledged { data, at });
        self.acknowledged.fetch_add(1, Ordering::Relaxed);
    }

    /// Records a request whose outcome is unknown.
    pub fn is_left_unknown(&self) {
        self.unknown.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of acknowledged writes.
    pub fn acknowledged(&self) -> usize {
        self.acknowledged.load(Ordering::Relaxed)
    }

    /// The number of requests whose outcome is unknown.
    pub fn unknown(&self) -> usize {
        self.unknown.load(Ordering::Relaxed)
    }

    /// All writes so far.
    pub fn writes(&self) -> Vec<Write> {
        self.writes.lock().unwrap().clone()
    }
}
