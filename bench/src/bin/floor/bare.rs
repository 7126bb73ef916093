//! A few bytes over a socket: an append is `A`, a topic (four bytes) and 1 KiB, and is answered `K`; a wait is `W`, a topic and
//! how many appends to it were seen (eight bytes), and is answered with the count and the newest 1 KiB. Numbers are
//! little-endian.

use std::{io, rc::Rc};

use tokio::{
    io::{AsyncReadExt, BufReader},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

use crate::log::{Log, RECORD};

pub async fn serve(stream: TcpStream, log: Log) -> io::Result<()> {
    let (read, write) = stream.into_split();
    let (mut read, write): (BufReader<OwnedReadHalf>, _) = (BufReader::new(read), Rc::new(write));
    loop {
        let (verb, topic, to) = (read.read_u8().await?, read.read_u32_le().await?, write.clone());
        match verb {
            b'A' => {
                let mut record = [0; RECORD];
                read.read_exact(&mut record).await?;
                log.append(topic, record, move || say(&to, b"K"));
            }
            b'W' => {
                let seen = read.read_u64_le().await?;
                log.wait(topic, seen, move |count, newest| {
                    let mut answer = [0; 8 + RECORD];
                    answer[..8].copy_from_slice(&count.to_le_bytes());
                    answer[8..].copy_from_slice(newest);
                    say(&to, &answer);
                });
            }
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// At once: whoever asks one thing after the other has room for an answer, and one who has hung up is nobody's loss.
fn say(to: &OwnedWriteHalf, answer: &[u8]) {
    let _ = to.try_write(answer);
}
