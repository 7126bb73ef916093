//! Error responses: `{"success": false, "error": {…}}`.

use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse, Object,
    payload::Payload,
    registry::{MetaSchemaRef, Registry},
    types::Type,
};
use serde::Serialize;
use serde_with::skip_serializing_none;
use uuid::Uuid;

use super::{debate::serialize_inner, issue::BlockingIssue, success::json_response};

/// An error: what is wrong, where, and what to do next. It may have more fields than these.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, Object, Serialize)]
pub struct Error {
    /// The error code, for programs. Codes never change.
    pub code: String,
    /// What is wrong, for people
    pub message: String,
    /// What to do next
    pub suggestion: Option<String>,
    /// With `INVALID_INPUT` and `CONTENT_TOO_LARGE`, and with `ACTION_NOT_ALLOWED` about a plan or a change: the name of the field or parameter
    pub field: Option<String>,
    /// With `ACTION_NOT_ALLOWED`: the state of the debate
    pub current_state: Option<String>,
    /// With `ACTION_NOT_ALLOWED`: the role whose turn it is; empty if the debate is closed
    pub allowed_roles: Option<Vec<String>>,
    /// With `ACTION_NOT_ALLOWED` about a change of an issue: the issue; null for `raise`
    #[serde(serialize_with = "serialize_inner")]
    pub issue: Option<Option<String>>,
    /// With `ACTION_NOT_ALLOWED` about a change of an issue: the status of the issue; null for `raise`
    #[serde(serialize_with = "serialize_inner")]
    pub status: Option<Option<String>>,
    /// With `ACTION_NOT_ALLOWED` about a change of an issue: what the role may make of it in an argument of this type
    pub allowed_changes: Option<Vec<String>>,
    /// With `ISSUES_OPEN`: the issues that are critical or high and not settled
    pub issues: Option<Vec<BlockingIssue>>,
    /// With `SEAT_TAKEN`: the role whose seat belongs to the holder of another key
    pub role: Option<String>,
    /// Of `/health`: whether the store can be read: `ok` or `failing`
    pub reading: Option<String>,
    /// Of `/health`: since when reading has failed, in RFC 3339
    pub reading_failing_since: Option<String>,
    /// Of `/health`: whether something could be stored when that was last tried: `ok` or `failing`
    pub writing: Option<String>,
    /// Of `/health`: since when writing has failed, in RFC 3339
    pub writing_failing_since: Option<String>,
    /// With `HISTORY_INVALID`: the debate
    pub debate_id: Option<Uuid>,
    /// With `HISTORY_INVALID`: the `seq` of the argument, if it is one
    pub seq: Option<u64>,
    /// With `HISTORY_INVALID`: the document, if it is one
    pub document_id: Option<Uuid>,
    /// With `HISTORY_INVALID`: the number of the version, if it is one
    pub version: Option<u64>,
    /// With `CONTENT_TOO_LARGE`: the maximum length
    pub limit: Option<u64>,
    /// With `CONTENT_TOO_LARGE`: the actual length
    pub actual: Option<u64>,
    /// With `STORE_UNAVAILABLE` and `OVERLOADED`: the number of seconds after which to try again
    pub retry_after: Option<u64>,
}

/// The body of every error response.
#[derive(Debug, Clone, Object, Serialize)]
struct Failed {
    /// Always false
    success: bool,
    /// The error
    error: Box<Error>,
}

/// A response body `{"success": false, "error": …}`.
#[derive(Debug)]
pub struct ErrorBody(Box<Error>);

impl Payload for ErrorBody {
    const CONTENT_TYPE: &'static str = "application/json";

    fn schema_ref() -> MetaSchemaRef {
        Failed::schema_ref()
    }

    fn register(registry: &mut Registry) {
        Failed::register(registry);
    }
}

impl IntoResponse for ErrorBody {
    fn into_response(self) -> Response {
        json_response(&Failed { success: false, error: self.0 })
    }
}

/// The response to a request that failed.
#[derive(Debug, ApiResponse)]
pub enum ErrorResponse {
    /// The request is wrong
    #[oai(status_range = "4XX")]
    Client(StatusCode, ErrorBody),
    /// The server cannot handle the request now
    #[oai(status_range = "5XX")]
    Server(StatusCode, ErrorBody),
}

impl ErrorResponse {
    /// A response with `status` and `error`.
    pub fn new(status: StatusCode, error: Error) -> Self {
        let body = ErrorBody(Box::new(error));
        if status.is_server_error() { Self::Server(status, body) } else { Self::Client(status, body) }
    }
}
