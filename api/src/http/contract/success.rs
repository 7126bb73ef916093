//! Responses to successful requests: `{"success": true, "data": {…}}`.

use std::io::{self, BufWriter};

use poem::{IntoResponse, Response, http::header::CONTENT_TYPE};
use poem_openapi::{
    ApiResponse, Object,
    payload::Payload,
    registry::{MetaSchemaRef, Registry},
    types::{ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

use crate::http::large_bodies::SMALL_BYTES;

/// The body of every successful response.
#[derive(Debug, Object, Serialize)]
struct Success<T: Type + ParseFromJSON + ToJSON + Send + Sync> {
    /// Always true
    success: bool,
    /// The result of the operation
    data: T,
}

/// A response body `{"success": true, "data": …}`.
///
/// It is serialised by serde, since the JSON payload of poem-openapi builds a `serde_json::Value` first.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: Type + ParseFromJSON + ToJSON> Payload for Json<T> {
    const CONTENT_TYPE: &'static str = "application/json";

    fn schema_ref() -> MetaSchemaRef {
        Success::<T>::schema_ref()
    }

    fn register(registry: &mut Registry) {
        Success::<T>::register(registry);
    }
}

impl<T: Type + ParseFromJSON + ToJSON + Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        json_response(&Success { success: true, data: self.0 })
    }
}

/// `body` as JSON. serde_json writes many short pieces, for each of which a `Vec` calls a function and `BufWriter` does not.
fn to_vec(body: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut writer = BufWriter::new(Vec::new());
    serde_json::to_writer(&mut writer, body)?;
    let mut bytes = writer.into_inner()?;
    if bytes.len() > SMALL_BYTES {
        // A large body may wait for a slow client.
        bytes.shrink_to_fit();
    }
    Ok(bytes)
}

/// A response with `body` as JSON.
pub(super) fn json_response(body: &impl Serialize) -> Response {
    match to_vec(body) {
        Ok(bytes) => Response::builder().header(CONTENT_TYPE, "application/json").body(bytes),
        Err(error) => {
            // No type of the API can fail to serialise.
            tracing::error!(%error, "a response could not be serialised");
            Response::builder().status(poem::http::StatusCode::INTERNAL_SERVER_ERROR).finish()
        }
    }
}

/// The response to a read.
#[derive(ApiResponse)]
pub enum OkResponse<T: Type + ParseFromJSON + ToJSON + Serialize> {
    /// The result
    #[oai(status = 200)]
    Ok(Json<T>),
}

/// The response to a write.
#[derive(ApiResponse)]
pub enum WriteResponse<T: Type + ParseFromJSON + ToJSON + Serialize> {
    /// Stored
    #[oai(status = 201)]
    Created(Json<T>),
    /// Nothing was stored now: the same request was stored before, or a RULING was a `dry_run`
    #[oai(status = 200)]
    Replayed(Json<T>),
}
