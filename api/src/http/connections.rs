//! Accepts connections and serves HTTP/1.1 on them with hyper.
//!
//! poem's own server is not used: it does not notice that a client disconnected, waits for an incomplete request head for
//! ever, and leaves Nagle's algorithm on.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use poem::{
    Endpoint, IntoResponse, Request, Response,
    http::{HeaderValue, StatusCode, header::CONNECTION, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::{Semaphore, SetOnce},
    time::{sleep, timeout},
};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use super::{
    clock_guard::{self, while_in_range},
    connection_timeouts::{
        FIRST_REQUEST_TIMEOUT, HEADER_READ_TIMEOUT, REJECT_TIMEOUT, SHUTDOWN_TIMEOUT, WRITE_TIMEOUT,
    },
    contract::ErrorResponse,
    header_size,
    request_log::LoggedRequest,
    security_headers,
};
use crate::app::Error;

/// How many connections above the limit get an `OVERLOADED` response at once, fewer if the limit is low. Further ones are closed without
/// a response.
const MAX_REJECTING: usize = 64;

/// The listen backlog, which the operating system may cap. It is large enough for all waiters to reconnect at once after a
/// restart: a client that finds the backlog full only tries again after a second.
const BACKLOG: u32 = 16 * 1024;

/// What all requests need.
#[derive(Debug, Clone, Copy)]
pub struct RequestContext {
    /// A new id for a request that has none
    pub random_id: fn() -> Uuid,
    /// Whether the clock shows a time from 1970 to 9999: hyper panics where it does not
    pub is_clock_in_range: fn() -> bool,
}

/// Why a connection is closed without an answer: as an error of an endpoint, and as data of the response that is then not sent.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the connection is closed")]
pub(super) struct CloseConnection;

impl From<CloseConnection> for poem::Error {
    fn from(close: CloseConnection) -> Self {
        let mut error = Self::from_status(StatusCode::UNAUTHORIZED);
        error.set_data(close);
        error
    }
}

/// Binds `address` and lets clients connect; they are served once [`serve`] runs.
///
/// # Errors
/// If the address is in use or does not belong to this machine.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A restarted server must be able to bind while connections of the previous process are in TIME_WAIT.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves connections with `endpoint` until `shutdown` is cancelled, then waits up to 8 s for open ones to finish.
///
/// At most `max_connections` are served at once; clients above that get `OVERLOADED`. `connections` tracks the tasks that
/// serve them, including WebSockets that the endpoint spawns. Requests without an id of their own get one from `requests`.
pub async fn serve<E>(
    listener: TcpListener,
    endpoint: E,
    requests: RequestContext,
    max_connections: usize,
    shutdown: CancellationToken,
    connections: TaskTracker,
) where
    E: Endpoint<Output = Response> + 'static,
{
    let endpoint = Arc::new(endpoint);
    let serving = Arc::new(Semaphore::new(max_connections));
    let rejecting = Arc::new(Semaphore::new(MAX_REJECTING.min((max_connections / 4).max(8))));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.cancelled() => break,
        };
        match accepted {
            Ok((stream, _)) if !(requests.is_clock_in_range)() => {
                if let Ok(permit) = rejecting.clone().try_acquire_owned() {
                    connections.spawn(async move {
                        // Errors are ignored: the connection is closed either way.
                        let _ = timeout(REJECT_TIMEOUT, clock_guard::refuse(stream)).await;
                        drop(permit);
                    });
                }
            }
            Ok((stream, _)) => {
                if let Ok(permit) = serving.clone().try_acquire_owned() {
                    let connection = serve_connection(stream, endpoint.clone(), requests, shutdown.clone());
                    connections.spawn(async move {
                        connection.await;
                        drop(permit);
                    });
                } else if let Ok(permit) = rejecting.clone().try_acquire_owned() {
                    connections.spawn(async move {
                        // Errors are ignored: the connection is closed either way.
                        let _ = timeout(REJECT_TIMEOUT, reject(stream, requests)).await;
                        drop(permit);
                    });
                }
            }
            Err(error) => {
                // Most likely the process is out of file descriptors. Pause, since accepting again at once would spin.
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    connections.close();
    if timeout(SHUTDOWN_TIMEOUT, connections.wait()).await.is_err() {
        tracing::warn!(connections = connections.len(), "some connections did not end in time and are closed");
    }
}

/// Responds to the first request with `OVERLOADED` and closes the connection.
async fn reject(stream: TcpStream, requests: RequestContext) -> hyper::Result<()> {
    let service = service_fn(|request: hyper::Request<Incoming>| {
        let logged = LoggedRequest::new(request.method(), request.uri().path(), request.headers(), requests.random_id);
        let mut response = security_headers::add(ErrorResponse::from(Error::Overloaded).into_response());
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        std::future::ready(Ok::<_, Infallible>(hyper::Response::from(logged.answered(response))))
    });
    http1::Builder::new().max_buf_size(header_size::MAX_BYTES).serve_connection(TokioIo::new(stream), service).await
}

async fn serve_connection<E>(stream: TcpStream, endpoint: Arc<E>, requests: RequestContext, shutdown: CancellationToken)
where
    E: Endpoint<Output = Response> + 'static,
{
    // hyper writes a response in one piece, so Nagle's algorithm would only delay it.
    if stream.set_nodelay(true).is_err() {
        return;
    }
    let (Ok(local), Ok(remote)) = (stream.local_addr(), stream.peer_addr()) else { return };
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(WRITE_TIMEOUT));

    let requested = Arc::new(SetOnce::new());
    let service = service_fn({
        let requested = requested.clone();
        move |request: hyper::Request<Incoming>| {
            // Fails for every request but the first, for which it is set.
            let _ = requested.set(());
            let endpoint = endpoint.clone();
            let logged =
                LoggedRequest::new(request.method(), request.uri().path(), request.headers(), requests.random_id);
            let mut request: Request =
                (request, LocalAddr(local.into()), RemoteAddr(remote.into()), Scheme::HTTP).into();
            let id = logged.id().clone();
            request.set_data(id.clone());
            id.scope(async move {
                let response = endpoint.get_response(request).await;
                if response.data::<CloseConnection>().is_some() {
                    logged.not_answered();
                    return Err(CloseConnection);
                }
                Ok(hyper::Response::from(logged.answered(response)))
            })
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_READ_TIMEOUT)
        .max_headers(header_size::HYPER_MAX_HEADERS)
        .max_buf_size(header_size::HYPER_MAX_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .with_upgrades();
    tokio::pin!(connection);
    let is_in_range = requests.is_clock_in_range;
    // A connection that ends with an error is not logged: clients disconnect at any time.
    tokio::select! {
        _ = while_in_range(is_in_range, connection.as_mut()) => return,
        () = shutdown.cancelled() => {}
    }
    tokio::select! {
        _ = while_in_range(is_in_range, connection.as_mut()) => return,
        _ = timeout(FIRST_REQUEST_TIMEOUT, requested.wait()) => connection.as_mut().graceful_shutdown(),
    }
    let _ = while_in_range(is_in_range, connection).await;
}
