//! The timeouts of connections.

use std::time::Duration;

/// How long a client may take to send a request's head. It starts when the connection opens or the last response was sent, so
/// it also closes idle connections.
pub(super) const HEADER_READ_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may read nothing of a response. Longer than a WebSocket takes to close a slow viewer's connection, so
/// that the viewer gets the close code.
pub(super) const WRITE_TIMEOUT: Duration = Duration::from_secs(45);

/// How long the exchange with a rejected connection may take.
pub(super) const REJECT_TIMEOUT: Duration = Duration::from_secs(5);

/// On shutdown, how long a new connection is kept open for its first request, which may have been sent but not yet read.
pub(super) const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_millis(500);

/// On shutdown, how long requests in progress may take to finish.
pub(super) const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(8);
