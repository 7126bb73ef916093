//! Compresses large JSON responses for clients that accept gzip, as browsers do. `aw` does not, so it pays nothing.

use std::io::Write;

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use poem::{
    Request, Response,
    http::{
        HeaderValue,
        header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY},
    },
};
use tokio::{sync::OwnedSemaphorePermit, task::spawn_blocking};

use super::large_bodies::{Room, SMALL_BYTES, Work};

/// Smaller bodies take hardly more packets uncompressed.
const MIN_BYTES: usize = 2048;

/// Whether the client accepts gzip.
pub(super) fn accepts_gzip(request: &Request) -> bool {
    request.header(ACCEPT_ENCODING).is_some_and(|accepted| {
        accepted.split(',').any(|one| {
            let mut parts = one.split(';').map(str::trim);
            parts.next() == Some("gzip") && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        })
    })
}

/// The response to a client that accepts gzip, compressed if that is worth it.
pub(super) async fn gzip(mut response: Response, room: &Room) -> Response {
    let headers = response.headers();
    let is_json =
        headers.get(CONTENT_TYPE).is_some_and(|media_type| media_type.as_bytes().starts_with(b"application/json"));
    if !is_json || headers.contains_key(CONTENT_ENCODING) {
        return response;
    }
    // The body of JSON is in memory: this does not wait, and cannot fail.
    let Ok(plain) = response.take_body().into_bytes().await else { return response };
    let compressed = match plain.len() {
        short if short < MIN_BYTES => None,
        long if long > SMALL_BYTES => match room.turn(Work::Compression).await {
            Ok(turn) => compressed(plain.clone(), Some(turn)).await,
            Err(_) => None,
        },
        _ => compressed(plain.clone(), None).await,
    };
    match compressed {
        Some(bytes) => {
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            response.headers_mut().append(VARY, HeaderValue::from_static("Accept-Encoding"));
            response.set_body(bytes);
        }
        None => response.set_body(plain),
    }
    response
}

/// On a thread of its own, since a page of long arguments takes milliseconds, which keeps its turn although its client may leave. None if
/// it fails.
async fn compressed(plain: Bytes, turn: Option<OwnedSemaphorePermit>) -> Option<Vec<u8>> {
    spawn_blocking(move || {
        let _turn = turn;
        let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 3), Compression::new(4));
        encoder.write_all(&plain).and_then(|()| encoder.finish()).ok()
    })
    .await
    .ok()
    .flatten()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn json(body: &str) -> Response {
        Response::builder().header(CONTENT_TYPE, "application/json; charset=utf-8").body(body.to_owned())
    }

    #[tokio::test]
    async fn a_large_body_is_compressed() {
        let body = format!("\"{}\"", "long ".repeat(1000));
        let response = gzip(json(&body), &Room::default()).await;
        assert_eq!(response.header(CONTENT_ENCODING), Some("gzip"));
        assert_eq!(response.header(VARY), Some("Accept-Encoding"));
        let bytes = response.into_body().into_bytes().await.unwrap();
        assert!(bytes.len() < body.len() / 10);
        let mut plain = String::new();
        GzDecoder::new(&bytes[..]).read_to_string(&mut plain).unwrap();
        assert_eq!(plain, body);
    }

    #[tokio::test]
    async fn a_small_body_and_other_types_are_left() {
        let response = gzip(json("\"short\""), &Room::default()).await;
        assert_eq!(response.header(CONTENT_ENCODING), None);
        assert_eq!(response.into_body().into_string().await.unwrap(), "\"short\"");
        let response =
            gzip(Response::builder().header(CONTENT_TYPE, "text/html").body("x".repeat(5000)), &Room::default()).await;
        assert_eq!(response.header(CONTENT_ENCODING), None);
    }

    #[test]
    fn a_client_may_refuse_gzip() {
        let accepts = |value: &str| accepts_gzip(&Request::builder().header(ACCEPT_ENCODING, value).finish());
        assert!(accepts("gzip, deflate, br"));
        assert!(accepts("br;q=1, gzip;q=0.5"));
        assert!(!accepts("gzip;q=0, br"));
        assert!(!accepts("identity"));
        assert!(!accepts_gzip(&Request::builder().finish()));
    }
}
