//! How large and how deep a request's body may be, and how long its client may take.

use std::{io, time::Duration};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use poem::{
    Body, IntoResponse, Request, RequestBody, Result,
    http::{HeaderValue, header::CONNECTION},
};
use tokio::time::timeout;

use crate::{app::Error, domain::Unit, http::contract::ErrorResponse};

/// How long a client may take to send the whole body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may pause while it sends the body.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// How deep objects and arrays may be nested; metadata may use 100 levels of these.
pub(super) const MAX_DEPTH: usize = 128;

/// How many bytes a body may have in addition to its largest field and to changes of issues: title, options, agents, metadata,
/// ids.
pub(super) const OTHER_FIELDS_BYTES: usize = 144 * 1024;

/// How many bytes of a body that is too large are read and discarded, since many clients read the response only after they
/// have sent the body. If the body is larger than this, the connection is closed.
const MAX_DISCARDED_BYTES: usize = 256 * 1024 * 1024;

/// How many more bytes of a body of unknown size are discarded after it passed its limit and was answered. A client that is
/// nearly done then gets the response instead of a reset connection.
const MAX_LINGERING_BYTES: usize = 1024 * 1024;

/// How long these are waited for.
const LINGERING_TIMEOUT: Duration = Duration::from_secs(2);

/// Reads the whole body, which may have as many bytes as `limit`.
pub(super) async fn read(request: &Request, body: &mut RequestBody, limit: usize) -> Result<Vec<u8>> {
    let declared = request.header("content-length").and_then(|length| length.parse::<usize>().ok());
    let too_large = |actual| Error::TooLarge { field: "body".to_owned(), limit, actual, unit: Unit::Bytes };
    let body = match declared {
        Some(declared) if declared > MAX_DISCARDED_BYTES.max(limit) => return Err(too_large(declared).into()),
        // The response should tell the size. If the client stops sending, it is known all the same.
        Some(declared) if declared > limit => {
            let _ = timeout(BODY_TIMEOUT, discard(body.take()?.into_bytes_stream(), declared)).await;
            return Err(too_large(declared).into());
        }
        Some(_) | None => body.take()?,
    };
    match timeout(BODY_TIMEOUT, collect(body, limit)).await {
        Ok(Ok(Ok(bytes))) => Ok(bytes),
        Ok(Ok(Err(actual))) => Err(closing(too_large(actual))),
        Ok(Err(error)) => Err(Error::invalid("body", format!("could not be read: {error}")).into()),
        Err(_) => {
            let seconds = BODY_TIMEOUT.as_secs();
            Err(Error::invalid("body", format!("was not received within {seconds} seconds")).into())
        }
    }
}

fn idle_timeout() -> io::Error {
    let seconds = IDLE_TIMEOUT.as_secs();
    io::Error::new(io::ErrorKind::TimedOut, format!("nothing was received for {seconds} seconds"))
}

/// Reads a body. Returns the number of bytes so far as an error once there are more than `limit`.
async fn collect(body: Body, limit: usize) -> io::Result<Result<Vec<u8>, usize>> {
    let mut bytes = Vec::new();
    let mut chunks = body.into_bytes_stream();
    while let Some(chunk) = timeout(IDLE_TIMEOUT, chunks.next()).await.map_err(|_| idle_timeout())? {
        let chunk = chunk?;
        let actual = bytes.len() + chunk.len();
        if actual > limit {
            // hyper reads the body while it sends the response, until this task drops the rest of it.
            tokio::spawn(timeout(LINGERING_TIMEOUT, discard(chunks, MAX_LINGERING_BYTES)));
            return Ok(Err(actual));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Ok(bytes))
}

/// Reads and discards the rest of a body, at most about `max` bytes of it.
async fn discard(mut chunks: impl Stream<Item = io::Result<Bytes>> + Unpin, max: usize) {
    let mut discarded = 0;
    while discarded < max
        && let Ok(Some(Ok(chunk))) = timeout(IDLE_TIMEOUT, chunks.next()).await
    {
        discarded += chunk.len();
    }
}

/// The response to a request whose body is not read to its end, so that the connection cannot be used again.
fn closing(error: Error) -> poem::Error {
    let mut response = ErrorResponse::from(error).into_response();
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    poem::Error::from_response(response)
}

/// Whether objects and arrays in this JSON are nested deeper than `max` levels.
pub(super) fn is_deeper_than(max: usize, bytes: &[u8]) -> bool {
    let (mut level, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => level += 1,
            b'}' | b']' if !in_string => level = level.saturating_sub(1),
            _ => {}
        }
        if level > max {
            return true;
        }
    }
    false
}
