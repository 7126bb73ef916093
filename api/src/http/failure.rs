//! The one place that turns errors into answers (SPEC section 4).

use poem::{
    IntoResponse, Response,
    error::{MethodNotAllowedError, NotFoundError},
    http::StatusCode,
};

use super::contract::{ErrorView, Failure};
use crate::{
    app::Error,
    domain::{Missing, NotAllowed},
};

/// When to try again, in seconds, where the server cannot say better.
const RETRY_AFTER: u64 = 1;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (status, _) = kind(&error);
        Self::new(status, view(error))
    }
}

/// How an error is told, over HTTP and WebSocket alike.
pub(super) fn view(error: Error) -> ErrorView {
    let message = error.to_string();
    let (_, code) = kind(&error);
    let told = ErrorView { code: code.to_owned(), message, ..ErrorView::default() };
    let suggest = |suggestion: &str| Some(suggestion.to_owned());
    match error {
        Error::Invalid { field, .. } => ErrorView { field: Some(field), ..told },
        Error::TooLarge { field, limit, actual, .. } => ErrorView {
            field: Some(field),
            limit: Some(limit as u64),
            actual: Some(actual as u64),
            suggestion: suggest(
                "Shorten or split it; long texts go into documents, which arguments cite by id and version.",
            ),
            ..told
        },
        Error::NotAllowed(refusal) => ErrorView { ..refused(refusal, told) },
        Error::DebateNotFound(_) => {
            ErrorView { suggestion: suggest("Check the debate id: GET /debates lists all."), ..told }
        }
        Error::ArgumentNotFound(_) => ErrorView {
            suggestion: suggest("Give the id of an argument of this debate: GET /debates/{id} lists them."),
            ..told
        },
        Error::DocumentMissing(missing) => ErrorView {
            suggestion: suggest(match missing {
                Missing::Document(_) => "Check the document id: GET /documents lists all that are not deleted.",
                Missing::Deleted(_) => "Create another document; what this one says can still be read.",
                Missing::Version { .. } => "GET /documents/{id}/versions lists its versions.",
            }),
            ..told
        },
        Error::DebateExists(_) => {
            ErrorView { suggestion: suggest("Choose another debate id, or go on in the debate that is there."), ..told }
        }
        Error::IdempotencyConflict(_) => ErrorView {
            suggestion: suggest(
                "Use a fresh client_request_id for new content; the old one only repeats the old request.",
            ),
            ..told
        },
        Error::Unavailable => ErrorView {
            retry_after: Some(RETRY_AFTER),
            suggestion: suggest(
                "Try again with the same client_request_id: what was stored is told then, and nothing is stored twice.",
            ),
            ..told
        },
        Error::Overloaded => {
            ErrorView { retry_after: Some(RETRY_AFTER), suggestion: suggest("Try again later."), ..told }
        }
        Error::Internal => ErrorView { suggestion: suggest("The server's log has the cause."), ..told },
    }
}

fn kind(error: &Error) -> (StatusCode, &'static str) {
    match error {
        Error::Invalid { .. } => (StatusCode::BAD_REQUEST, "INVALID_INPUT"),
        Error::TooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "CONTENT_TOO_LARGE"),
        Error::NotAllowed(_) => (StatusCode::FORBIDDEN, "ACTION_NOT_ALLOWED"),
        Error::DebateNotFound(_) => (StatusCode::NOT_FOUND, "DEBATE_NOT_FOUND"),
        Error::ArgumentNotFound(_) => (StatusCode::NOT_FOUND, "ARGUMENT_NOT_FOUND"),
        Error::DocumentMissing(_) => (StatusCode::NOT_FOUND, "DOCUMENT_NOT_FOUND"),
        Error::DebateExists(_) => (StatusCode::CONFLICT, "DEBATE_EXISTS"),
        Error::IdempotencyConflict(_) => (StatusCode::CONFLICT, "IDEMPOTENCY_CONFLICT"),
        Error::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "STORE_UNAVAILABLE"),
        Error::Overloaded => (StatusCode::SERVICE_UNAVAILABLE, "OVERLOADED"),
        Error::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_ERROR"),
    }
}

fn refused(refusal: NotAllowed, told: ErrorView) -> ErrorView {
    ErrorView {
        current_state: Some(refusal.current_state.as_str().to_owned()),
        allowed_roles: Some(refusal.allowed_roles.iter().map(|role| role.as_str().to_owned()).collect()),
        suggestion: Some(refusal.suggestion.to_owned()),
        ..told
    }
}

/// What the edge refuses before a use case is asked.
#[derive(Debug)]
pub(super) enum Refused {
    /// Host or Origin is not ours
    Stranger(String),
    /// The token is missing or wrong
    NoToken(&'static str),
    /// The token is right, but not for this
    WrongRole,
    /// The code of a sign-in link is none that signs in
    StaleLink,
    /// The body is not declared to be JSON
    MediaType,
    /// The request has more headers than are taken
    Headers {
        /// How many are
        limit: usize,
        /// How many it has
        actual: usize,
    },
    /// The request line and the headers are longer than what is taken, in bytes
    Head {
        /// How much is
        limit: usize,
        /// How long they are
        actual: usize,
    },
}

/// How a refusal at the edge is told.
pub(super) fn refused_view(refused: Refused) -> ErrorView {
    tell(refused).1
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        let (status, told) = tell(refused);
        Self::new(status, told)
    }
}

fn tell(refused: Refused) -> (StatusCode, ErrorView) {
    let size = match refused {
        Refused::Headers { limit, actual } | Refused::Head { limit, actual } => Some((limit as u64, actual as u64)),
        Refused::Stranger(_) | Refused::NoToken(_) | Refused::WrongRole | Refused::StaleLink | Refused::MediaType => {
            None
        }
    };
    let (status, code, message, suggestion) = match refused {
        Refused::Stranger(message) => (
            StatusCode::FORBIDDEN,
            "FORBIDDEN",
            message,
            "Address the server by its loopback address and port, or let it be started with --allowed-host.",
        ),
        Refused::NoToken(message) => (
            StatusCode::UNAUTHORIZED,
            "AUTH_FAILED",
            message.to_owned(),
            "Send Authorization: Bearer <token>; aw takes it from DEBATE_AUTH_TOKEN or DEBATE_AUTH_TOKEN_FILE.",
        ),
        Refused::WrongRole => (
            StatusCode::FORBIDDEN,
            "FORBIDDEN",
            "only the arbitrator may rule or step in, and this token is not the arbitrator's".to_owned(),
            "Ask the arbitrator: an agent submits an APPEAL and waits for the RULING.",
        ),
        Refused::StaleLink => (
            StatusCode::UNAUTHORIZED,
            "AUTH_FAILED",
            "this sign-in link has been used, is too old, or is not one of this server's".to_owned(),
            "Sign in with the token, or start the server again for another link.",
        ),
        Refused::MediaType => (
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "UNSUPPORTED_MEDIA_TYPE",
            "the body must be declared as application/json".to_owned(),
            "Send Content-Type: application/json.",
        ),
        Refused::Headers { limit, actual } => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "CONTENT_TOO_LARGE",
            format!("the request has {actual} headers, and at most {limit} are taken"),
            "Send fewer headers.",
        ),
        Refused::Head { limit, actual } => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "CONTENT_TOO_LARGE",
            format!("the request line and the headers take {actual} bytes, and at most {limit} are taken"),
            "Shorten the query or the headers.",
        ),
    };
    let (limit, actual) = size.unzip();
    let suggestion = Some(suggestion.to_owned());
    (status, ErrorView { code: code.to_owned(), message, suggestion, limit, actual, ..ErrorView::default() })
}

impl From<Refused> for poem::Error {
    fn from(refused: Refused) -> Self {
        Failure::from(refused).into()
    }
}

impl From<Error> for poem::Error {
    fn from(error: Error) -> Self {
        Failure::from(error).into()
    }
}

/// Puts what poem itself refuses into the envelope; what already is an answer goes through.
pub(super) fn from_poem(error: poem::Error) -> Response {
    if error.is_from_response() {
        return error.into_response();
    }
    let told = |code: &str, message: &str, suggestion: &str| ErrorView {
        code: code.to_owned(),
        message: message.to_owned(),
        suggestion: Some(suggestion.to_owned()),
        ..ErrorView::default()
    };
    let failure = if error.is::<NotFoundError>() {
        let told = told("NOT_FOUND", "there is nothing at this path", "GET /openapi.json tells every path.");
        Failure::new(StatusCode::NOT_FOUND, told)
    } else if error.is::<MethodNotAllowedError>() {
        let told = told(
            "METHOD_NOT_ALLOWED",
            "this path is there, but not for this method",
            "GET /openapi.json tells the methods of every path.",
        );
        Failure::new(StatusCode::METHOD_NOT_ALLOWED, told)
    } else if error.status().is_client_error() {
        Error::invalid("request", format!("is not as it should be: {error}")).into()
    } else {
        tracing::error!(%error, "a request failed in an unforeseen way");
        Error::Internal.into()
    };
    failure.into_response()
}
