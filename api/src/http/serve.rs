//! The accept loop.
//!
//! Our own, as poem's does not notice that a client has gone, waits for half-sent headers for ever and leaves Nagle's
//! algorithm on.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use hyper::{
    body::{Body, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use poem::{
    Endpoint, IntoResponse, Response,
    http::{HeaderValue, StatusCode, header::CONNECTION, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::{Semaphore, SetOnce},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    contract::ErrorResponse,
    header_limits,
    pace::{Paced, Turn},
    security_headers,
};
use crate::app::Error;

/// How long a connection may be silent between requests. (For the head of one there is less time: see [`super::pace`].)
const IDLE: Duration = Duration::from_secs(75);

/// How many connections are told at once that there is no place for them; further ones are closed without a word.
const TURNED_AWAY: usize = 64;

/// How long one that is turned away may take to ask and to hear it.
const TURNING_AWAY: Duration = Duration::from_secs(5);

/// How many connections may be on their way in, where the system allows as many. A flood of waiters, as after a restart,
/// fits: one that does not is told nothing and tries again only after a second.
const BACKLOG: u32 = 16 * 1024;

/// How long a connection that nothing came over so far is kept open once the server stops.
const FIRST_REQUEST: Duration = Duration::from_millis(500);

/// How long connections may take to end once the server stops.
const GRACE: Duration = Duration::from_secs(8);

/// Takes connections at `address` from now on; they are answered once [`serve`] runs.
///
/// # Errors
/// Where the address is in use or not this machine's.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // The connections of a server that was here before do not keep this one away.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Answers connections with `endpoint` until `stopping` is cancelled, then lets those that are open finish.
///
/// At most `max_connections` are open at once; further ones are told to come back. `open` counts those that are, and what
/// has come of them.
pub async fn serve<E>(
    listener: TcpListener,
    endpoint: E,
    max_connections: usize,
    stopping: CancellationToken,
    open: TaskTracker,
) where
    E: Endpoint<Output = Response> + 'static,
{
    let endpoint = Arc::new(endpoint);
    let places = Arc::new(Semaphore::new(max_connections));
    let turned_away = Arc::new(Semaphore::new(TURNED_AWAY));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stopping.cancelled() => break,
        };
        match accepted {
            Ok((stream, _)) => {
                if let Ok(place) = places.clone().try_acquire_owned() {
                    let answering = answer(stream, endpoint.clone(), stopping.clone());
                    open.spawn(async move {
                        answering.await;
                        drop(place);
                    });
                } else if let Ok(place) = turned_away.clone().try_acquire_owned() {
                    open.spawn(async move {
                        // Whether it is heard is the client's own affair.
                        let _ = timeout(TURNING_AWAY, turn_away(stream)).await;
                        drop(place);
                    });
                }
            }
            Err(error) => {
                // Out of descriptors, most likely: some will come free.
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    open.close();
    if timeout(GRACE, open.wait()).await.is_err() {
        tracing::warn!(connections = open.len(), "some connections did not end in time and are cut");
    }
}

/// Tells one that there is no place for that the server is overloaded, and closes.
async fn turn_away(stream: TcpStream) -> hyper::Result<()> {
    let service = service_fn(|_: hyper::Request<Incoming>| {
        let mut response = security_headers::add(ErrorResponse::from(Error::Overloaded).into_response());
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        std::future::ready(Ok::<_, Infallible>(hyper::Response::from(response)))
    });
    http1::Builder::new().max_buf_size(header_limits::MAX_BYTES).serve_connection(TokioIo::new(stream), service).await
}

async fn answer<E>(stream: TcpStream, endpoint: Arc<E>, stopping: CancellationToken)
where
    E: Endpoint<Output = Response> + 'static,
{
    // An answer goes out whole; waiting for more to send would only delay it.
    if stream.set_nodelay(true).is_err() {
        return;
    }
    let (Ok(local), Ok(remote)) = (stream.local_addr(), stream.peer_addr()) else { return };
    let asked = Arc::new(SetOnce::new());
    let told = asked.clone();
    let turn = Turn::default();
    let paced = Paced::new(stream, turn.clone());
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        // Set by the first request, and left so by the others.
        let _ = told.set(());
        let (endpoint, turn) = (endpoint.clone(), turn.clone());
        let from = (LocalAddr(local.into()), RemoteAddr(remote.into()), Scheme::HTTP);
        turn.heard(request.body().size_hint().exact());
        async move {
            let response = endpoint.get_response((request, from.0, from.1, from.2).into()).await;
            // What follows on a WebSocket is no head.
            if response.status() != StatusCode::SWITCHING_PROTOCOLS {
                turn.answered();
            }
            Ok::<_, Infallible>(hyper::Response::from(response))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .max_headers(header_limits::HYPER_MAX_HEADERS)
        .max_buf_size(header_limits::HYPER_MAX_BYTES)
        .serve_connection(TokioIo::new(paced), service)
        .with_upgrades();
    tokio::pin!(connection);
    // A client that breaks off is nothing to report.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stopping.cancelled() => {}
    }
    tokio::select! {
        _ = connection.as_mut() => return,
        // What a new client asks for may be there already and not looked at.
        _ = timeout(FIRST_REQUEST, asked.wait()) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
