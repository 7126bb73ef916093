//! The success envelope: `{"success": true, "data": {…}}` (SPEC section 4).

use poem::{IntoResponse, Response, http::header::CONTENT_TYPE};
use poem_openapi::{
    ApiResponse, Object,
    payload::Payload,
    registry::{MetaSchemaRef, Registry},
    types::{ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;

/// What every success looks like.
#[derive(Debug, Object, Serialize)]
struct Success<T: Type + ParseFromJSON + ToJSON + Send + Sync> {
    /// Always true
    success: bool,
    /// What was asked for
    data: T,
}

/// A JSON body in the success envelope.
///
/// It is written by serde straight into bytes; poem-openapi's own payload would build a tree of values first.
#[derive(Debug)]
pub struct Answer<T>(pub T);

impl<T: Type + ParseFromJSON + ToJSON> Payload for Answer<T> {
    const CONTENT_TYPE: &'static str = "application/json";

    fn schema_ref() -> MetaSchemaRef {
        Success::<T>::schema_ref()
    }

    fn register(registry: &mut Registry) {
        Success::<T>::register(registry);
    }
}

impl<T: Type + ParseFromJSON + ToJSON + Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        json_response(&Success { success: true, data: self.0 })
    }
}

/// A response with `body` as JSON.
pub(super) fn json_response(body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => Response::builder().header(CONTENT_TYPE, "application/json").body(bytes),
        Err(error) => {
            // Reached only where a type of the contract refuses to be written, which none does.
            tracing::error!(%error, "an answer could not be written");
            Response::builder().status(poem::http::StatusCode::INTERNAL_SERVER_ERROR).finish()
        }
    }
}

/// The answer to a question.
#[derive(ApiResponse)]
pub enum Found<T: Type + ParseFromJSON + ToJSON + Serialize> {
    /// What was asked for
    #[oai(status = 200)]
    Found(Answer<T>),
}

/// The answer to a write.
#[derive(ApiResponse)]
pub enum Written<T: Type + ParseFromJSON + ToJSON + Serialize> {
    /// It was stored
    #[oai(status = 201)]
    Stored(Answer<T>),
    /// The same request had been taken before: nothing was stored now
    #[oai(status = 200)]
    Replayed(Answer<T>),
}
