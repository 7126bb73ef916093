//! Appends, kept until they are on disk, and who waits for them.

use std::{cell::RefCell, collections::HashMap, io, mem, rc::Rc};

use tokio::sync::Notify;

use crate::hand::Hand;

pub const RECORD: usize = 1024;

/// A topic, and what is appended to it.
pub type Record = (u32, [u8; RECORD]);

/// Where appends are put on disk.
pub trait Disk: Send {
    /// Puts them there together.
    fn store(&mut self, records: &[Record]) -> io::Result<()>;
}

/// Who does that.
pub enum Storing {
    /// Whoever is asked: until it is done, nobody else is answered
    Here(Box<dyn Disk>),
    /// A thread that does nothing else
    There(Hand),
}

impl Storing {
    async fn store(&mut self, records: Vec<Record>) -> io::Result<()> {
        match self {
            Self::Here(disk) => disk.store(&records),
            Self::There(hand) => hand.store(records).await,
        }
    }
}

/// Tells somebody that his append is on disk.
type Acknowledge = Box<dyn FnOnce()>;

/// Tells somebody how many appends there are, and the newest.
type Wake = Box<dyn FnOnce(u64, &[u8; RECORD])>;

struct Append {
    topic: u32,
    record: [u8; RECORD],
    acknowledge: Acknowledge,
}

struct Topic {
    count: u64,
    newest: [u8; RECORD],
    waiting: Vec<Wake>,
}

impl Default for Topic {
    fn default() -> Self {
        Self { count: 0, newest: [0; RECORD], waiting: Vec::new() }
    }
}

/// Shared by all on the one thread.
#[derive(Clone)]
pub struct Log(Rc<Shared>);

struct Shared {
    topics: RefCell<HashMap<u32, Topic>>,
    /// What is still to be written
    pending: RefCell<Vec<Append>>,
    came: Notify,
}

impl Log {
    pub fn new() -> Self {
        let (topics, pending) = (RefCell::default(), RefCell::default());
        Self(Rc::new(Shared { topics, pending, came: Notify::new() }))
    }

    /// Has it written with whatever else has come by then.
    pub fn append(&self, topic: u32, record: [u8; RECORD], acknowledge: impl FnOnce() + 'static) {
        self.0.pending.borrow_mut().push(Append { topic, record, acknowledge: Box::new(acknowledge) });
        self.0.came.notify_one();
    }

    /// Wakes at once where there are more appends than were seen, and otherwise with the next.
    pub fn wait(&self, topic: u32, seen: u64, wake: impl FnOnce(u64, &[u8; RECORD]) + 'static) {
        let mut topics = self.0.topics.borrow_mut();
        let topic = topics.entry(topic).or_default();
        if topic.count > seen {
            wake(topic.count, &topic.newest);
        } else {
            topic.waiting.push(Box::new(wake));
        }
    }

    /// Writes whatever comes.
    pub async fn write(&self, mut storing: Storing) -> io::Result<()> {
        loop {
            self.0.came.notified().await;
            let appends = mem::take(&mut *self.0.pending.borrow_mut());
            storing.store(appends.iter().map(|append| (append.topic, append.record)).collect()).await?;
            let mut topics = self.0.topics.borrow_mut();
            for Append { topic, record, acknowledge } in appends {
                let topic = topics.entry(topic).or_default();
                (topic.count, topic.newest) = (topic.count + 1, record);
                for wake in mem::take(&mut topic.waiting) {
                    wake(topic.count, &topic.newest);
                }
                acknowledge();
            }
        }
    }
}
