//! How much memory large bodies may take together, so that clients that ask for much and read nothing, or send much and do not
//! finish, cost the server a bounded amount. Those of requests and of answers have a room each.
//!
//! An answer takes its room before it is written, by the sizes of the texts that it will have, and keeps it until it is sent or its
//! connection is closed. The body of a request takes it as it comes in, and keeps it until the request is answered. What finds no room is
//! `OVERLOADED`.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use poem::{
    IntoResponse, Response,
    http::{StatusCode, header::ETAG},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::contract::ErrorResponse;
use crate::{app::Error, domain::Argument};

/// Bodies up to this size need no room.
pub(super) const SMALL_BYTES: usize = 64 * 1024;

/// What all bodies above that may take together in a room, in units: twelve of 8 MiB.
const UNITS: u32 = 96 * 1024;

/// The bytes of a unit.
const UNIT_BYTES: usize = 1024;

/// How long to wait for room: clients that read, or send, give theirs back soon.
const ROOM_TIMEOUT: Duration = Duration::from_secs(10);

/// What an argument takes in an answer besides its content: ids, times, names of fields.
const BYTES_BESIDES_CONTENT: usize = 512;

/// The room for the large bodies of all answers of a server, or of all requests.
#[derive(Debug, Clone)]
pub(super) struct Room {
    held: Arc<Semaphore>,
    /// Of each kind of work
    turns: [Arc<Semaphore>; Work::ALL.len()],
}

/// What takes several times the size of a body while it is done. Of each kind one is done at a time, and waits for no other kind: to
/// compress a debate takes a fraction of the time that its record takes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Work {
    /// To parse the body of a request
    Parsing,
    /// To write a record
    Record,
    /// To write the histories of issues
    Histories,
    /// To compress an answer
    Compression,
}

impl Work {
    const ALL: [Self; 4] = [Self::Parsing, Self::Record, Self::Histories, Self::Compression];
}

/// The room of one body, until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    room: Room,
    permit: OwnedSemaphorePermit,
}

/// The room of an answer that is carried to where its size is known, as data of the response, which must be `Clone`.
#[derive(Clone)]
struct Carried(Arc<Held>);

impl Default for Room {
    fn default() -> Self {
        Self { held: Arc::new(Semaphore::new(UNITS as usize)), turns: Work::ALL.map(|_| Arc::new(Semaphore::new(1))) }
    }
}

impl Room {
    /// Waits until it is the turn of this work.
    pub async fn turn(&self, work: Work) -> Result<OwnedSemaphorePermit, Error> {
        // The semaphore is never closed.
        self.turns[work as usize].clone().acquire_owned().await.map_err(|_| Error::Overloaded)
    }

    /// Takes the room of an answer of about so many bytes.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if there is not as much.
    pub fn hold(&self, bytes: usize) -> Result<Held, Error> {
        let permit = self.held.clone().try_acquire_many_owned(units(bytes)).map_err(|_| Error::Overloaded)?;
        Ok(Held { room: self.clone(), permit })
    }

    /// Takes the room of an answer with these arguments.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if there is not as much.
    pub fn hold_arguments<'a>(&self, arguments: impl IntoIterator<Item = &'a Arc<Argument>>) -> Result<Held, Error> {
        self.hold(bytes_of(arguments))
    }

    /// Waits for the room of an answer of about so many bytes.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if there is not as much in time.
    pub async fn wait_to_hold(&self, bytes: usize) -> Result<Held, Error> {
        let mut held = self.hold(0)?;
        held.wait_to_grow(bytes).await?;
        Ok(held)
    }

    /// The response, which keeps its room until it is sent, or a refusal if there is none. What says that something was stored is not
    /// refused, since its client would take it for not stored: it is little more than what the client has sent.
    pub async fn admit(&self, mut response: Response) -> Response {
        // The files of the web app are part of the program and take no memory of their own. A WebSocket has no body.
        if response.headers().contains_key(ETAG) || response.status() == StatusCode::SWITCHING_PROTOCOLS {
            return response;
        }
        let carried = response.extensions_mut().remove::<Carried>();
        // Bodies are in memory: this does not wait, and cannot fail.
        let Ok(body) = response.take_body().into_bytes().await else {
            return ErrorResponse::from(Error::Internal).into_response();
        };
        let held = match carried.and_then(|Carried(held)| Arc::into_inner(held)) {
            Some(mut held) => held.set(body.len()).map(|()| held),
            None => self.hold(body.len()),
        };
        match held {
            Ok(held) => {
                response.set_body(Bytes::from_owner(HeldBody { body, _held: held }));
                response
            }
            Err(_) if response.status() == StatusCode::CREATED => {
                response.set_body(body);
                response
            }
            Err(error) => ErrorResponse::from(error).into_response(),
        }
    }
}

impl Held {
    /// Changes the room to that of an answer of so many bytes.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if there is not as much.
    pub fn set(&mut self, bytes: usize) -> Result<(), Error> {
        let (now, needed) = (self.permit.num_permits(), units(bytes) as usize);
        if needed > now {
            let more = u32::try_from(needed - now).unwrap_or(u32::MAX);
            let more = self.room.held.clone().try_acquire_many_owned(more).map_err(|_| Error::Overloaded)?;
            self.permit.merge(more);
        } else {
            drop(self.permit.split(now - needed));
        }
        Ok(())
    }

    /// Waits for the room of a body that has grown to so many bytes.
    ///
    /// # Errors
    /// [`Error::Overloaded`] if there is not as much in time.
    pub async fn wait_to_grow(&mut self, bytes: usize) -> Result<(), Error> {
        let more = units(bytes).saturating_sub(u32::try_from(self.permit.num_permits()).unwrap_or(u32::MAX));
        match timeout(ROOM_TIMEOUT, self.room.held.clone().acquire_many_owned(more)).await {
            Ok(Ok(more)) => {
                self.permit.merge(more);
                Ok(())
            }
            // The semaphore is never closed.
            Ok(Err(_)) | Err(_) => Err(Error::Overloaded),
        }
    }

    /// Whether a body of so many bytes fits into it.
    pub fn fits(&self, bytes: usize) -> bool {
        units(bytes) as usize <= self.permit.num_permits()
    }

    /// The response with its room.
    pub fn carried_by(self, mut response: Response) -> Response {
        response.set_data(Carried(Arc::new(self)));
        response
    }
}

/// About how many bytes an answer with these arguments has.
pub(super) fn bytes_of<'a>(arguments: impl IntoIterator<Item = &'a Arc<Argument>>) -> usize {
    arguments.into_iter().map(|argument| argument.text_bytes() + BYTES_BESIDES_CONTENT).sum()
}

/// The units of a body of so many bytes: none if it is small, all if it has more than that.
fn units(bytes: usize) -> u32 {
    if bytes <= SMALL_BYTES { 0 } else { u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(UNITS).min(UNITS) }
}

/// A body with its room.
struct HeldBody {
    body: Bytes,
    _held: Held,
}

impl AsRef<[u8]> for HeldBody {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: usize = UNITS as usize;

    const HALF: usize = ALL * UNIT_BYTES / 2;

    fn available(room: &Room) -> usize {
        room.held.available_permits()
    }

    #[tokio::test]
    async fn a_body_keeps_its_room_until_it_is_dropped() {
        let room = Room::default();
        let first = room.admit(Response::builder().body("x".repeat(HALF))).await;
        let held = room.hold(HALF / 2).unwrap();
        let second = room.admit(held.carried_by(Response::builder().body("x".repeat(HALF)))).await;
        assert_eq!((second.status(), available(&room)), (StatusCode::OK, 0));
        // A refusal takes as much as any other answer.
        for status in [StatusCode::OK, StatusCode::CONFLICT, StatusCode::INTERNAL_SERVER_ERROR] {
            let large = Response::builder().status(status).body("x".repeat(SMALL_BYTES + 1));
            assert_eq!(room.admit(large).await.status(), StatusCode::SERVICE_UNAVAILABLE, "{status}");
        }
        let written = Response::builder().status(StatusCode::CREATED).body("x".repeat(SMALL_BYTES + 1));
        assert_eq!(room.admit(written).await.status(), StatusCode::CREATED, "it is stored");
        let small = room.admit(Response::builder().body("x".repeat(SMALL_BYTES))).await;
        assert_eq!(small.status(), StatusCode::OK);
        let body = first.into_body().into_bytes().await.unwrap();
        assert_eq!((body.len(), available(&room)), (HALF, 0));
        drop((body, second));
        assert_eq!(available(&room), ALL);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_may_wait_for_its_room_for_a_while() {
        let room = Room::default();
        let first = room.hold(HALF + UNIT_BYTES).unwrap();
        assert!(room.wait_to_hold(HALF).await.is_err());
        let (waited, ()) = tokio::join!(room.wait_to_hold(HALF), async {
            tokio::time::sleep(ROOM_TIMEOUT / 2).await;
            drop(first);
        });
        assert_eq!((waited.is_ok(), available(&room)), (true, ALL / 2));
    }

    #[test]
    fn the_room_of_an_answer_follows_its_size() {
        let room = Room::default();
        let mut held = room.hold(HALF).unwrap();
        assert!(room.hold(HALF + UNIT_BYTES).is_err());
        held.set(SMALL_BYTES).unwrap();
        assert_eq!(available(&room), ALL, "a small answer needs none");
        held.set(3 * HALF).unwrap();
        assert_eq!(available(&room), 0, "what is larger than all room has it alone");
        assert!(room.hold(SMALL_BYTES + 1).is_err() && room.hold(SMALL_BYTES).is_ok());
        drop(held);
        assert_eq!(available(&room), ALL);
    }
}
