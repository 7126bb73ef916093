//! A network that fails: a way to a port of this machine that can be cut.

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

/// What becomes of what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// It arrives
    Whole,
    /// Nothing goes either way; nobody is told
    Cut,
    /// Only answers go through
    CutOnTheWayThere,
    /// Only questions go through
    CutOnTheWayBack,
    /// Whoever is connected is hung up on, and so is whoever tries to
    HungUp,
}

/// A port that leads to another one.
pub struct Proxy {
    address: SocketAddr,
    network: watch::Sender<Network>,
    task: JoinHandle<()>,
}

impl Proxy {
    /// Leads to that port of this machine.
    pub async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let network = watch::Sender::new(Network::Connected);
        let watched = network.clone();
        let task = tokio::spawn(async move {
            loop {
                let (here, _) = listener.accept().await.expect("the listener lives");
                tokio::spawn(connect(here, port, watched.subscribe()));
            }
        });
        Self { address, network, task }
    }

    /// Where it listens.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Cuts or mends it. What was held back meanwhile arrives when it is mended.
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
    // Whoever goes away on either side ends both ways, as does a network that hangs up.
    let hung_up = {
        let mut network = network.clone();
        async move { drop(network.wait_for(|network| *network == Network::Closed).await) }
    };
    let _ = network.wait_for(|network| matches!(network, Network::Connected | Network::Closed)).await;
    let Ok(there) = TcpStream::connect(("127.0.0.1", port)).await else { return };
    let ((from_here, to_here), (from_there, to_there)) = (here.into_split(), there.into_split());
    let asking = pump(from_here, to_there, network.clone(), |network| {
        matches!(network, Network::Connected | Network::ResponsesHeld)
    });
    let answering =
        pump(from_there, to_here, network, |network| matches!(network, Network::Connected | Network::RequestsHeld));
    tokio::select! {
        () = hung_up => {}
        () = asking => {}
        () = answering => {}
    }
}

async fn pump(
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
        if to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
