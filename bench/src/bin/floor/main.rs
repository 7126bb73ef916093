//! `floor`: the limit of a durable log that wakes its readers. It takes 1 KiB, has that put on disk, and passes it on to
//! who waits. No HTTP, no JSON, no rules.
//!
//!     floor file FILE         over blocks that are there already: no index, no history
//!     floor sqlite DATABASE   as a turn of a debate, in a database that aweave-server made: what SQLite takes for that
//!
//! It prints the port it listens on. An append is `A`, a topic (four bytes) and 1 KiB, and is answered `K`; a wait is
//! `W`, a topic and how many appends to it were seen (eight bytes), and is answered with the count and the newest 1 KiB.
//! Numbers are little-endian.
//!
//! All is done by one thread, so that nothing is handed over: what has come by then is written and put on disk together.

mod file;
mod sqlite;

use std::{
    cell::RefCell,
    collections::HashMap,
    env,
    io::{self, Write},
    mem,
    net::Ipv4Addr,
    path::Path,
    rc::Rc,
};

use tokio::{
    io::{AsyncReadExt, BufReader},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    runtime,
    sync::Notify,
    task::{LocalSet, spawn_local},
};

const RECORD: usize = 1024;

/// Where appends are put on disk.
trait Disk {
    /// Puts them there together, each a topic and 1 KiB.
    fn store(&mut self, records: &[(u32, [u8; RECORD])]) -> io::Result<()>;
}

struct Append {
    topic: u32,
    record: [u8; RECORD],
    by: Rc<OwnedWriteHalf>,
}

struct Topic {
    count: u64,
    newest: [u8; RECORD],
    waiting: Vec<Rc<OwnedWriteHalf>>,
}

impl Default for Topic {
    fn default() -> Self {
        Self { count: 0, newest: [0; RECORD], waiting: Vec::new() }
    }
}

struct Log {
    disk: Box<dyn Disk>,
    topics: HashMap<u32, Topic>,
}

/// What is still to be written.
#[derive(Default)]
struct Pending {
    appends: RefCell<Vec<Append>>,
    came: Notify,
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let disk: Box<dyn Disk> = match arguments[..] {
        ["file", path] => Box::new(file::Blocks::make(Path::new(path))?),
        ["sqlite", path] => Box::new(sqlite::Turns::open(Path::new(path)).map_err(io::Error::other)?),
        _ => return Err(io::Error::other("usage: floor file FILE, or floor sqlite DATABASE")),
    };
    let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
    LocalSet::new().block_on(&runtime, run(Log { disk, topics: HashMap::new() }))
}

async fn run(log: Log) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    writeln!(io::stdout(), "{}", listener.local_addr()?.port())?;
    let (log, pending) = (Rc::new(RefCell::new(log)), Rc::new(Pending::default()));
    let accept = async {
        loop {
            let (stream, _) = listener.accept().await?;
            // Whoever hangs up ends only his own task.
            spawn_local(serve(stream, log.clone(), pending.clone()));
        }
    };
    let write = async {
        loop {
            pending.came.notified().await;
            let appends = mem::take(&mut *pending.appends.borrow_mut());
            log.borrow_mut().write(appends)?;
        }
    };
    tokio::select! {
        ended = accept => ended,
        ended = write => ended,
    }
}

async fn serve(stream: TcpStream, log: Rc<RefCell<Log>>, pending: Rc<Pending>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (read, write) = stream.into_split();
    let (mut read, write): (BufReader<OwnedReadHalf>, _) = (BufReader::new(read), Rc::new(write));
    loop {
        let (verb, topic) = (read.read_u8().await?, read.read_u32_le().await?);
        match verb {
            b'A' => {
                let mut record = [0; RECORD];
                read.read_exact(&mut record).await?;
                pending.appends.borrow_mut().push(Append { topic, record, by: write.clone() });
                pending.came.notify_one();
            }
            b'W' => {
                let seen = read.read_u64_le().await?;
                log.borrow_mut().wait(topic, seen, &write)?;
            }
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

impl Log {
    fn write(&mut self, appends: Vec<Append>) -> io::Result<()> {
        let records: Vec<_> = appends.iter().map(|append| (append.topic, append.record)).collect();
        self.disk.store(&records)?;
        for append in appends {
            let topic = self.topics.entry(append.topic).or_default();
            (topic.count, topic.newest) = (topic.count + 1, append.record);
            for waiter in mem::take(&mut topic.waiting) {
                // One who has hung up is nobody's loss.
                let _ = topic.answer(&waiter);
            }
            let _ = say(&append.by, b"K");
        }
        Ok(())
    }

    fn wait(&mut self, topic: u32, seen: u64, by: &Rc<OwnedWriteHalf>) -> io::Result<()> {
        let topic = self.topics.entry(topic).or_default();
        if topic.count > seen {
            return topic.answer(by);
        }
        topic.waiting.push(by.clone());
        Ok(())
    }
}

impl Topic {
    fn answer(&self, waiter: &OwnedWriteHalf) -> io::Result<()> {
        let mut answer = [0; 8 + RECORD];
        answer[..8].copy_from_slice(&self.count.to_le_bytes());
        answer[8..].copy_from_slice(&self.newest);
        say(waiter, &answer)
    }
}

/// At once: whoever asks one thing after the other has room for an answer.
fn say(to: &OwnedWriteHalf, answer: &[u8]) -> io::Result<()> {
    let written = to.try_write(answer)?;
    if written == answer.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}
