//! A TCP proxy that simulates network failures.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinHandle,
};

/// What the proxy does with the traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// Forwards it
    Connected,
    /// Holds it back in both directions, without closing connections
    BothHeld,
    /// Holds back what clients send
    RequestsHeld,
    /// Holds back what the server sends
    ResponsesHeld,
    /// Closes all connections, including new ones
    Closed,
    /// Forwards it, but LISTEN names another channel, as if a pooler dropped notifications
    NoNotifications,
}

/// What a server listens to, and a channel of the same length that nobody notifies.
const LISTEN: (&[u8], &[u8]) = (b"LISTEN \"aweave_debates\"", b"LISTEN \"aweave_nothing\"");

/// A proxy for one local port.
pub struct Proxy {
    address: SocketAddr,
    network: watch::Sender<Network>,
    task: JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy for this local port.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let network = watch::Sender::new(Network::Connected);
        let watched = network.clone();
        let task = tokio::spawn(async move {
            loop {
                let (here, _) = listener.accept().await.expect("accepting works");
                tokio::spawn(connect(here, port, watched.subscribe()));
            }
        });
        Self { address, network, task }
    }

    /// The port that the proxy listens on.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Changes the network's behaviour. Held data is delivered once the network forwards again.
    pub fn set(&self, network: Network) {
        self.network.send_replace(network);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
        self.network.send_replace(Network::Closed);
    }
}

async fn connect(here: TcpStream, port: u16, mut network: watch::Receiver<Network>) {
    // The connection ends when either side closes it or the network becomes `Closed`.
    let closed = {
        let mut network = network.clone();
        async move { drop(network.wait_for(|network| *network == Network::Closed).await) }
    };
    let _ = network
        .wait_for(|network| matches!(network, Network::Connected | Network::Closed | Network::NoNotifications))
        .await;
    let Ok(there) = TcpStream::connect(("127.0.0.1", port)).await else { return };
    let ((from_here, to_here), (from_there, to_there)) = (here.into_split(), there.into_split());
    let requests = forward(from_here, to_there, network.clone(), |network| {
        matches!(network, Network::Connected | Network::ResponsesHeld | Network::NoNotifications)
    });
    let responses = forward(from_there, to_here, network, |network| {
        matches!(network, Network::Connected | Network::RequestsHeld | Network::NoNotifications)
    });
    tokio::select! {
        () = closed => {}
        () = requests => {}
        () = responses => {}
    }
}

async fn forward(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut network: watch::Receiver<Network>,
    passes: impl Fn(Network) -> bool,
) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let Ok(read @ 1..) = from.read(&mut bytes).await else { return };
        if network.wait_for(|network| passes(*network)).await.is_err() {
            return;
        }
        if *network.borrow() == Network::NoNotifications
            && let Some(at) = bytes[..read].windows(LISTEN.0.len()).position(|part| part == LISTEN.0)
        {
            bytes[at..at + LISTEN.1.len()].copy_from_slice(LISTEN.1);
        }
        if to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
