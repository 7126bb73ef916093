//! `floor`: the limit of a durable log that wakes its readers. It takes 1 KiB, writes it into a file that was written
//! over before, has that put on disk, and passes it on to who waits. No HTTP, no JSON, no index, no history.
//!
//!     floor FILE
//!
//! It prints the port it listens on. An append is `A`, a topic (four bytes) and 1 KiB, and is answered `K`; a wait is
//! `W`, a topic and how many appends to it were seen (eight bytes), and is answered with the count and the newest 1 KiB.
//! Numbers are little-endian.

use std::{
    collections::HashMap,
    env,
    fs::File,
    io::{self, Read, Write},
    mem,
    net::{Ipv4Addr, TcpListener, TcpStream},
    os::unix::fs::FileExt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
};

const RECORD: usize = 1024;

/// Begun from the start again when it is full: the size of the file must not change, nor where its blocks lie.
const FILE_BYTES: u64 = 64 << 20;

struct Append {
    topic: u32,
    record: [u8; RECORD],
    by: Arc<TcpStream>,
}

struct Topic {
    count: u64,
    newest: [u8; RECORD],
    waiting: Vec<Arc<TcpStream>>,
}

impl Default for Topic {
    fn default() -> Self {
        Self { count: 0, newest: [0; RECORD], waiting: Vec::new() }
    }
}

struct Log {
    /// What came while the file was being written
    pending: Mutex<Vec<Append>>,
    /// With where to write next
    file: Mutex<(File, u64)>,
    topics: Mutex<HashMap<u32, Topic>>,
}

fn main() -> io::Result<()> {
    let path = env::args_os().nth(1).ok_or_else(|| io::Error::other("usage: floor FILE"))?;
    let mut file = File::options().write(true).create(true).truncate(true).open(path)?;
    let zeros = vec![0; 1 << 20];
    for _ in 0..FILE_BYTES >> 20 {
        file.write_all(&zeros)?;
    }
    file.sync_all()?;
    let log = Arc::new(Log { pending: Mutex::default(), file: Mutex::new((file, 0)), topics: Mutex::default() });
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    writeln!(io::stdout(), "{}", listener.local_addr()?.port())?;
    for stream in listener.incoming() {
        let (stream, log) = (stream?, log.clone());
        // Whoever hangs up ends only his own thread.
        thread::spawn(move || serve(stream, &log));
    }
    Ok(())
}

fn serve(stream: TcpStream, log: &Log) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let stream = Arc::new(stream);
    let mut head = [0; 5];
    loop {
        (&*stream).read_exact(&mut head)?;
        let [verb, topic @ ..] = head;
        let topic = u32::from_le_bytes(topic);
        match verb {
            b'A' => {
                let mut record = [0; RECORD];
                (&*stream).read_exact(&mut record)?;
                lock(&log.pending).push(Append { topic, record, by: stream.clone() });
                log.write()?;
            }
            b'W' => {
                let mut seen = [0; 8];
                (&*stream).read_exact(&mut seen)?;
                log.wait(topic, u64::from_le_bytes(seen), &stream)?;
            }
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

impl Log {
    /// Whoever gets hold of the file writes for all that came meanwhile; the others find their work done.
    fn write(&self) -> io::Result<()> {
        let mut file = lock(&self.file);
        let appends = mem::take(&mut *lock(&self.pending));
        if appends.is_empty() {
            return Ok(());
        }
        let records: Vec<u8> = appends.iter().flat_map(|append| append.record).collect();
        if file.1 + records.len() as u64 > FILE_BYTES {
            file.1 = 0;
        }
        file.0.write_all_at(&records, file.1)?;
        file.0.sync_data()?;
        file.1 += records.len() as u64;
        drop(file);
        for append in appends {
            let (count, waiting) = self.publish(append.topic, &append.record);
            for waiter in waiting {
                // One who has hung up is nobody's loss.
                let _ = answer(&waiter, count, &append.record);
            }
            let _ = (&*append.by).write_all(b"K");
        }
        Ok(())
    }

    fn publish(&self, topic: u32, record: &[u8; RECORD]) -> (u64, Vec<Arc<TcpStream>>) {
        let mut topics = lock(&self.topics);
        let topic = topics.entry(topic).or_default();
        topic.count += 1;
        topic.newest = *record;
        (topic.count, mem::take(&mut topic.waiting))
    }

    fn wait(&self, topic: u32, seen: u64, stream: &Arc<TcpStream>) -> io::Result<()> {
        let mut topics = lock(&self.topics);
        let topic = topics.entry(topic).or_default();
        if topic.count > seen {
            return answer(stream, topic.count, &topic.newest);
        }
        topic.waiting.push(stream.clone());
        Ok(())
    }
}

fn answer(mut stream: &TcpStream, count: u64, record: &[u8; RECORD]) -> io::Result<()> {
    let mut all = [0; 8 + RECORD];
    all[..8].copy_from_slice(&count.to_le_bytes());
    all[8..].copy_from_slice(record);
    stream.write_all(&all)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
