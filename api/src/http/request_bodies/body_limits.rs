//! How large and how deep a request's body may be, how long its client may take, and how much memory all of them.

use std::{io, time::Duration};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use poem::{
    Body, IntoResponse, Request, RequestBody, Result,
    http::{HeaderValue, header::CONNECTION},
};
use tokio::time::timeout;

use crate::{
    app::Error,
    domain::Unit,
    http::{
        contract::ErrorResponse,
        large_bodies::{Held, Room, SMALL_BYTES},
    },
};

/// The room of all bodies of requests.
#[derive(Debug, Clone, Default)]
pub struct RequestRoom(pub(super) Room);

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

/// Why a body is not read to its end.
enum Unread {
    /// It has at least so many bytes, which are too many
    TooLarge(usize),
    /// There is no room for it
    NoRoom(Error),
    /// Its client failed, or paused for too long
    Failed(io::Error),
}

/// Reads the whole body, which may have as many bytes as `limit`, and takes the room that it needs.
pub(super) async fn read(
    request: &Request,
    body: &mut RequestBody,
    limit: usize,
    room: &Room,
) -> Result<(Vec<u8>, Held)> {
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
    match timeout(BODY_TIMEOUT, collect(body, limit, room.hold(0)?)).await {
        Ok(Ok(read)) => Ok(read),
        Ok(Err(Unread::TooLarge(actual))) => Err(closing(too_large(actual))),
        Ok(Err(Unread::NoRoom(error))) => Err(closing(error)),
        Ok(Err(Unread::Failed(error))) => Err(Error::invalid("body", format!("could not be read: {error}")).into()),
        Err(_) => {
            let seconds = BODY_TIMEOUT.as_secs();
            Err(Error::invalid("body", format!("was not received within {seconds} seconds")).into())
        }
    }
}

fn idle_timeout() -> Unread {
    let seconds = IDLE_TIMEOUT.as_secs();
    Unread::Failed(io::Error::new(io::ErrorKind::TimedOut, format!("nothing was received for {seconds} seconds")))
}

/// Reads a body of at most `limit` bytes. Its room is doubled as it grows.
async fn collect(body: Body, limit: usize, mut held: Held) -> Result<(Vec<u8>, Held), Unread> {
    let mut bytes = Vec::new();
    let mut room_bytes = SMALL_BYTES;
    let mut chunks = body.into_bytes_stream();
    let unread = loop {
        let chunk = match timeout(IDLE_TIMEOUT, chunks.next()).await.map_err(|_| idle_timeout())? {
            Some(chunk) => chunk.map_err(Unread::Failed)?,
            None => return Ok((bytes, held)),
        };
        let actual = bytes.len() + chunk.len();
        if actual > limit {
            break Unread::TooLarge(actual);
        }
        if actual > room_bytes {
            room_bytes = actual.max(2 * room_bytes).min(limit);
            if let Err(error) = held.wait_to_grow(room_bytes).await {
                break Unread::NoRoom(error);
            }
        }
        bytes.extend_from_slice(&chunk);
    };
    // hyper reads the body while it sends the response, until this task drops the rest of it.
    tokio::spawn(timeout(LINGERING_TIMEOUT, discard(chunks, MAX_LINGERING_BYTES)));
    Err(unread)
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

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use tokio::time::sleep;

    use super::*;

    /// Half of the room for bodies.
    const HALF: usize = 48 * 1024 * 1024;

    const CHUNK: usize = 64 * 1024;

    /// A body of so many bytes, after which its client pauses.
    fn paused_after(bytes: usize) -> Body {
        static ZEROS: [u8; CHUNK] = [0; CHUNK];
        let chunks = stream::repeat_with(|| Ok::<_, io::Error>(Bytes::from_static(&ZEROS))).take(bytes / CHUNK);
        Body::from_bytes_stream(chunks.chain(stream::pending()))
    }

    #[tokio::test(start_paused = true)]
    async fn bodies_that_are_not_finished_take_the_room_that_there_is() {
        let room = Room::default();
        let read = |bytes| collect(paused_after(bytes), 2 * HALF, room.hold(0).unwrap());
        let earlier = read(HALF);
        let later = async {
            sleep(Duration::from_secs(1)).await;
            read(2 * HALF).await
        };
        let small = read(CHUNK);
        let (earlier, later, small) = tokio::join!(earlier, later, small);
        assert!(matches!(earlier, Err(Unread::Failed(_))), "it paused for too long");
        assert!(matches!(small, Err(Unread::Failed(_))), "it needs no room");
        assert!(matches!(later, Err(Unread::Failed(_))), "it got the room of the earlier one");
        let _all = room.hold(2 * HALF).unwrap();
        assert!(matches!(read(2 * CHUNK).await, Err(Unread::NoRoom(Error::Overloaded))));
    }
}
