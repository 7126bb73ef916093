//! A connection whose client has to keep pace: half a head, or an answer that nobody takes, holds no place for long.
//!
//! hyper has one limit for a head and for the silence before it, which a client that is kept alive may make long use of.

use std::{
    future::Future,
    io::{self, IoSlice},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};

/// How long a client may take over a request's head: from the first byte on, and for the first head from the start.
const HEAD: Duration = Duration::from_secs(7);

/// How long a client may take nothing of what it is sent. A viewer that is let go for its slowness hears so before.
const STALL: Duration = Duration::from_secs(45);

/// Whose turn it is to speak on a connection: the client's until a head is complete, then ours until it is answered.
///
/// Turns are counted, from the client's first, which is 0.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn(Arc<AtomicU64>);

impl Turn {
    /// A head is complete, or has been answered.
    pub fn pass(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A connection that fails with [`io::ErrorKind::TimedOut`] where its client does not keep pace.
#[derive(Debug)]
pub(super) struct Paced {
    stream: TcpStream,
    turn: Turn,
    /// The turn that `head` is about
    seen: u64,
    /// When the head has to be there, while one is on its way
    head: Option<Pin<Box<Sleep>>>,
    /// When something has to be taken, while nothing is
    stall: Option<Pin<Box<Sleep>>>,
}

impl Paced {
    /// `turn` has to be passed when a head is complete and when it is answered.
    pub fn new(stream: TcpStream, turn: Turn) -> Self {
        Self { stream, turn, seen: 0, head: Some(Box::pin(sleep(HEAD))), stall: None }
    }

    /// Lets a write wait only as long as something is taken now and then.
    fn watch<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stall = None;
            return written;
        }
        let stall = self.stall.get_or_insert_with(|| Box::pin(sleep(STALL)));
        ready!(stall.as_mut().poll(cx));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Paced {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let turn = this.turn.count();
        if turn != this.seen {
            (this.seen, this.head) = (turn, None);
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
        let is_clients = turn.is_multiple_of(2);
        if is_clients && this.head.is_none() && buffer.filled().len() > before {
            this.head = Some(Box::pin(sleep(HEAD)));
        }
        // Asked also where bytes go on coming, one by one.
        match this.head.as_mut().map(|head| head.as_mut().poll(cx)) {
            Some(Poll::Ready(())) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Some(Poll::Pending) | None => read,
        }
    }
}

impl AsyncWrite for Paced {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.watch(written, cx)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(cx, slices);
        this.watch(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    async fn pair() -> (Paced, Turn, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let turn = Turn::default();
        // From here on time passes where nobody has anything else to do.
        tokio::time::pause();
        (Paced::new(stream, turn.clone()), turn, client)
    }

    #[tokio::test]
    async fn what_nobody_takes_is_given_up() {
        let (mut paced, _turn, client) = pair().await;
        let start = tokio::time::Instant::now();
        let endless = async { while paced.write_all(&[0; 64 * 1024]).await.is_ok() {} };
        endless.await;
        assert!(start.elapsed() >= STALL, "{:?}", start.elapsed());
        drop(client);
    }

    #[tokio::test]
    async fn a_head_has_its_time_and_an_answer_takes_any() {
        let (mut paced, turn, mut client) = pair().await;
        let mut byte = [0];
        for first in [true, false] {
            client.write_all(b"x").await.unwrap();
            paced.read_exact(&mut byte).await.unwrap();
            turn.pass();
            // While it is ours to speak, and while nothing of another head has come, only the wait itself ends.
            let silence = tokio::time::timeout(3 * HEAD, paced.read_exact(&mut byte)).await;
            assert!(silence.is_err(), "during the answer, {first}");
            turn.pass();
            let silence = tokio::time::timeout(3 * HEAD, paced.read_exact(&mut byte)).await;
            assert!(silence.is_err(), "after it, {first}");
        }
        client.write_all(b"x").await.unwrap();
        let start = tokio::time::Instant::now();
        paced.read_exact(&mut byte).await.unwrap();
        let given_up = paced.read_exact(&mut byte).await.unwrap_err();
        assert_eq!(given_up.kind(), io::ErrorKind::TimedOut);
        assert!(start.elapsed() >= HEAD && start.elapsed() < 2 * HEAD, "{:?}", start.elapsed());
    }
}
