//! `lower_bound FILE`: the least that a durable log with waiting readers can cost. It takes 1 KiB over a bare socket, writes it to
//! a preallocated file, calls `fdatasync` and passes it on to the readers. No HTTP, no JSON, no rules.
//!
//! It prints the port that it listens on. An append is `A`, a topic (4 bytes) and 1 KiB, and is answered with `K`. A wait is
//! `W`, a topic and the number of records seen (8 bytes), and is answered with the number of records and the newest one.
//! Numbers are little-endian. One thread does everything: appends that arrive during a write are written together.

use std::{
    cell::RefCell,
    collections::HashMap,
    env,
    fs::File,
    io::{self, Write},
    mem,
    net::Ipv4Addr,
    os::unix::fs::FileExt,
    path::Path,
    rc::Rc,
};

use tokio::{
    io::{AsyncReadExt, BufReader},
    net::{TcpListener, TcpStream, tcp::OwnedWriteHalf},
    runtime,
    sync::Notify,
    task::{LocalSet, spawn_local},
};

const RECORD_BYTES: usize = 1024;

/// The file is overwritten from its start when it is full, so that neither its size nor its blocks ever change.
const FILE_BYTES: u64 = 64 << 20;

type Record = [u8; RECORD_BYTES];

fn main() -> io::Result<()> {
    let path = env::args().nth(1).ok_or_else(|| io::Error::other("usage: lower_bound FILE"))?;
    let file = PreallocatedFile::create(Path::new(&path))?;
    let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
    LocalSet::new().block_on(&runtime, serve(file))
}

async fn serve(file: PreallocatedFile) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    writeln!(io::stdout(), "{}", listener.local_addr()?.port())?;
    let log = Rc::new(Log::default());
    let accept = async {
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            spawn_local(serve_connection(stream, log.clone()));
        }
    };
    tokio::select! {
        ended = accept => ended,
        ended = log.write_to(file) => ended,
    }
}

async fn serve_connection(stream: TcpStream, log: Rc<Log>) -> io::Result<()> {
    let (read, write) = stream.into_split();
    let (mut read, write) = (BufReader::new(read), Rc::new(write));
    loop {
        let (verb, topic, client) = (read.read_u8().await?, read.read_u32_le().await?, write.clone());
        match verb {
            b'A' => {
                let mut record = [0; RECORD_BYTES];
                read.read_exact(&mut record).await?;
                log.append(Append { topic, record, client });
            }
            b'W' => log.wait(topic, read.read_u64_le().await?, client),
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

struct PreallocatedFile {
    file: File,
    offset: u64,
}

impl PreallocatedFile {
    fn create(path: &Path) -> io::Result<Self> {
        let mut file = File::options().write(true).create(true).truncate(true).open(path)?;
        let zeros = vec![0; 1 << 20];
        for _ in 0..FILE_BYTES >> 20 {
            file.write_all(&zeros)?;
        }
        file.sync_all()?;
        Ok(Self { file, offset: 0 })
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.offset + bytes.len() as u64 > FILE_BYTES {
            self.offset = 0;
        }
        self.file.write_all_at(bytes, self.offset)?;
        self.file.sync_data()?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}

type Client = Rc<OwnedWriteHalf>;

struct Append {
    topic: u32,
    record: Record,
    client: Client,
}

struct Topic {
    count: u64,
    newest: Record,
    waiting: Vec<Client>,
}

impl Default for Topic {
    fn default() -> Self {
        Self { count: 0, newest: [0; RECORD_BYTES], waiting: Vec::new() }
    }
}

impl Topic {
    fn send_newest(&self, client: &OwnedWriteHalf) {
        let mut response = [0; 8 + RECORD_BYTES];
        response[..8].copy_from_slice(&self.count.to_le_bytes());
        response[8..].copy_from_slice(&self.newest);
        send(client, &response);
    }
}

/// Does not wait: a client sends one request at a time, so its socket has room for the response.
fn send(client: &OwnedWriteHalf, response: &[u8]) {
    let _ = client.try_write(response);
}

/// The topics, and the appends that are not written yet.
#[derive(Default)]
struct Log {
    topics: RefCell<HashMap<u32, Topic>>,
    pending: RefCell<Vec<Append>>,
    arrived: Notify,
}

impl Log {
    fn append(&self, append: Append) {
        self.pending.borrow_mut().push(append);
        self.arrived.notify_one();
    }

    fn wait(&self, topic: u32, seen: u64, client: Client) {
        let mut topics = self.topics.borrow_mut();
        let topic = topics.entry(topic).or_default();
        if topic.count > seen {
            topic.send_newest(&client);
        } else {
            topic.waiting.push(client);
        }
    }

    async fn write_to(&self, mut file: PreallocatedFile) -> io::Result<()> {
        loop {
            self.arrived.notified().await;
            let appends = mem::take(&mut *self.pending.borrow_mut());
            file.append(&appends.iter().flat_map(|append| append.record).collect::<Vec<_>>())?;
            let mut topics = self.topics.borrow_mut();
            for Append { topic, record, client } in appends {
                let topic = topics.entry(topic).or_default();
                (topic.count, topic.newest) = (topic.count + 1, record);
                for waiting in mem::take(&mut topic.waiting) {
                    topic.send_newest(&waiting);
                }
                send(&client, b"K");
            }
        }
    }
}
