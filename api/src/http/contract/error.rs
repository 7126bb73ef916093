//! The failure envelope: `{"success": false, "error": {…}}` (SPEC section 4).

use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse, Object,
    payload::Payload,
    registry::{MetaSchemaRef, Registry},
    types::Type,
};
use serde::Serialize;

use super::answer::json_response;

/// What went wrong, where, and what to do next.
#[derive(Debug, Clone, Default, Object, Serialize)]
#[oai(rename = "Error")]
pub struct ErrorView {
    /// What it is, for programs; never changes
    pub code: String,
    /// What it is, for people
    pub message: String,
    /// What to do next
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// With `INVALID_INPUT` and `CONTENT_TOO_LARGE`: which field or parameter
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// With `ACTION_NOT_ALLOWED`: where the debate stands
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_state: Option<String>,
    /// With `ACTION_NOT_ALLOWED`: whose turn it is; empty once the debate is closed
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_roles: Option<Vec<String>>,
    /// With `CONTENT_TOO_LARGE`: the most that is taken
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// With `CONTENT_TOO_LARGE`: how much it was
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<u64>,
    /// With `STORE_UNAVAILABLE` and `OVERLOADED`: try again after this many seconds
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

/// What every failure looks like.
#[derive(Debug, Clone, Object, Serialize)]
struct Failed {
    /// Always false
    success: bool,
    /// What went wrong
    error: Box<ErrorView>,
}

/// A JSON body in the failure envelope.
#[derive(Debug)]
pub struct Fault(Box<ErrorView>);

impl Payload for Fault {
    const CONTENT_TYPE: &'static str = "application/json";

    fn schema_ref() -> MetaSchemaRef {
        Failed::schema_ref()
    }

    fn register(registry: &mut Registry) {
        Failed::register(registry);
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        json_response(&Failed { success: false, error: self.0 })
    }
}

/// Every answer that is not a success.
#[derive(Debug, ApiResponse)]
pub enum Failure {
    /// The request cannot be met as it is
    #[oai(status_range = "4XX")]
    Client(StatusCode, Fault),
    /// The server cannot meet it now
    #[oai(status_range = "5XX")]
    Server(StatusCode, Fault),
}

impl Failure {
    /// The answer that tells `error` with `status`.
    pub fn new(status: StatusCode, error: ErrorView) -> Self {
        let fault = Fault(Box::new(error));
        if status.is_server_error() { Self::Server(status, fault) } else { Self::Client(status, fault) }
    }
}
