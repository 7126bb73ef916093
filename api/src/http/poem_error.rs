//! Converts errors of poem itself to error responses.

use poem::{
    IntoResponse, Response,
    error::{MethodNotAllowedError, NotFoundError},
    http::{HeaderValue, header::ALLOW},
};

use super::{
    connections::CloseConnection,
    contract::{self, ErrorResponse},
    error_codes_with_statuses::ErrorCode,
    route_template,
};
use crate::app::{CorrelationId, Error};

/// Converts an error of poem itself about a request for `path`. An error that already is a response is returned as it is.
pub(super) fn response(error: poem::Error, path: &str) -> Response {
    if error.is_from_response() || error.data::<CloseConnection>().is_some() {
        return error.into_response();
    }
    let refused = |code: ErrorCode, message: &str, suggestion: &str| {
        let error = contract::Error {
            code: code.to_string(),
            message: message.to_owned(),
            suggestion: Some(suggestion.to_owned()),
            ..contract::Error::default()
        };
        ErrorResponse::new(code.status(), error)
    };
    let response = if error.is::<NotFoundError>() {
        refused(ErrorCode::NotFound, "there is nothing at this path", "GET /openapi.json lists all paths.")
    } else if error.is::<MethodNotAllowedError>() {
        let allowed = route_template::methods(path);
        let message = format!("this path does not support this method, but {allowed}");
        let suggestion = "GET /openapi.json lists the methods of all paths.";
        let mut response = refused(ErrorCode::MethodNotAllowed, &message, suggestion).into_response();
        if let Ok(allowed) = HeaderValue::from_str(&allowed) {
            response.headers_mut().insert(ALLOW, allowed);
        }
        return response;
    } else if error.status().is_client_error() {
        Error::invalid("request", format!("is invalid: {error}")).into()
    } else {
        tracing::error!(%error, request_id = CorrelationId::current(), "a request failed unexpectedly");
        Error::Internal.into()
    };
    response.into_response()
}
