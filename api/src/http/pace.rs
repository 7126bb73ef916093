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

use super::surplus::Surplus;

/// How long a client may take over a request's head: from the first byte on, or from the answer before where that byte came
/// earlier; for the first head from the start.
const HEAD: Duration = Duration::from_secs(7);

/// How long a client may take nothing of what it is sent. A viewer that is let go for its slowness hears so before.
const STALL: Duration = Duration::from_secs(45);

/// Whose turn it is to speak on a connection: the client's until a head is complete, then ours until it is answered.
///
/// Turns are counted, from the client's first, which is 0.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn(Arc<Exchange>);

#[derive(Debug, Default)]
struct Exchange {
    count: AtomicU64,
    /// How long the body is that belongs to the newest head
    body: AtomicU64,
}

impl Turn {
    /// How long a body is that nobody has counted.
    const UNCOUNTED: u64 = u64::MAX;

    /// A head is complete, which is followed by a body of that length.
    pub fn heard(&self, body: Option<u64>) {
        self.0.body.store(body.unwrap_or(Self::UNCOUNTED), Ordering::Relaxed);
        self.0.count.fetch_add(1, Ordering::Relaxed);
    }

    /// It has been answered.
    pub fn answered(&self) {
        self.0.count.fetch_add(1, Ordering::Relaxed);
    }

    fn count(&self) -> u64 {
        self.0.count.load(Ordering::Relaxed)
    }

    fn body(&self) -> Option<u64> {
        Some(self.0.body.load(Ordering::Relaxed)).filter(|body| *body != Self::UNCOUNTED)
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
    /// What of a further head has come before its turn
    surplus: Surplus,
    /// When something has to be taken, while nothing is
    stall: Option<Pin<Box<Sleep>>>,
}

impl Paced {
    /// `turn` has to be told when a head is complete and when it is answered.
    pub fn new(stream: TcpStream, turn: Turn) -> Self {
        Self { stream, turn, seen: 0, head: Some(Box::pin(sleep(HEAD))), surplus: Surplus::NOTHING, stall: None }
    }

    /// Whose turn it is may be another's since the last look.
    fn look(&mut self, turn: u64) {
        if turn == self.seen {
            return;
        }
        let is_clients = turn.is_multiple_of(2);
        // Of several that were answered in between, the bytes can no longer be told apart.
        let is_of_one = turn - self.seen <= if is_clients && self.seen.is_multiple_of(2) { 2 } else { 1 };
        let body = self.turn.body().filter(|_| is_of_one);
        let has_begun = (is_clients || !is_of_one) && self.surplus.answered(body);
        self.head = (is_clients && has_begun).then(|| Box::pin(sleep(HEAD)));
        self.seen = turn;
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
        this.look(turn);
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
        let came = &buffer.filled()[before..];
        this.surplus.read(came);
        let is_clients = turn.is_multiple_of(2);
        if is_clients && this.head.is_none() && !came.is_empty() {
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
            client.write_all(b"\r\n\r\n").await.unwrap();
            paced.read_exact(&mut [0; 4]).await.unwrap();
            turn.heard(Some(0));
            // While it is ours to speak, and while nothing of another head has come, only the wait itself ends.
            let silence = tokio::time::timeout(3 * HEAD, paced.read_exact(&mut byte)).await;
            assert!(silence.is_err(), "during the answer, {first}");
            turn.answered();
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
    /// How long the client has after a request that came as `bytes` and was answered: at once, or after a look at what
    /// else may come.
    async fn time_after(bytes: &[u8], is_looked_at: bool) -> Option<Duration> {
        let (mut paced, turn, mut client) = pair().await;
        client.write_all(bytes).await.unwrap();
        paced.read_exact(&mut vec![0; bytes.len()]).await.unwrap();
        turn.heard(Some(0));
        let mut byte = [0];
        if is_looked_at {
            assert!(tokio::time::timeout(3 * HEAD, paced.read_exact(&mut byte)).await.is_err());
        }
        turn.answered();
        let start = tokio::time::Instant::now();
        let read = tokio::time::timeout(3 * HEAD, paced.read_exact(&mut byte)).await.ok()?;
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::TimedOut);
        Some(start.elapsed())
    }

    #[tokio::test]
    async fn after_an_answer_given_at_once_there_is_time() {
        assert_eq!(time_after(b"\r\n\r\n", false).await, None);
    }

    #[tokio::test]
    async fn what_came_of_a_further_head_has_the_time_of_one() {
        let time = time_after(b"\r\n\r\nGET ", true).await.unwrap();
        assert!(time >= HEAD && time < 2 * HEAD, "{time:?}");
    }

    #[tokio::test]
    async fn what_came_of_a_further_head_has_the_time_of_one_after_an_answer_given_at_once() {
        let time = time_after(b"\r\n\r\nGET ", false).await.unwrap();
        assert!(time >= HEAD && time < 2 * HEAD, "{time:?}");
    }
}
