//! Appends, kept until they are on disk, and who waits for them.

use std::{cell::RefCell, collections::HashMap, io, mem, rc::Rc};

use tokio::sync::Notify;

pub const RECORD: usize = 1024;

/// Where appends are put on disk.
pub trait Disk {
    /// Puts them there together, each a topic and 1 KiB.
    fn store(&mut self, records: &[(u32, [u8; RECORD])]) -> io::Result<()>;
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
    pub async fn write(&self, disk: &mut dyn Disk) -> io::Result<()> {
        loop {
            self.0.came.notified().await;
            let appends = mem::take(&mut *self.0.pending.borrow_mut());
            let records: Vec<_> = appends.iter().map(|append| (append.topic, append.record)).collect();
            disk.store(&records)?;
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
