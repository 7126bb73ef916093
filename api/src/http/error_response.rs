//! Converts errors to error responses.

use super::{
    contract::{self, ErrorResponse},
    error_codes_with_statuses::ErrorCode,
};
use crate::{
    app::{Error, Health, place_of_change},
    domain::{ChangeNotAllowed, DocumentError, time_text},
};

/// After how many seconds clients should retry if the server is unavailable or overloaded.
const RETRY_AFTER_SECONDS: u64 = 1;

impl From<Error> for ErrorResponse {
    fn from(error: Error) -> Self {
        Self::new(ErrorCode::from(&error).status(), error.into())
    }
}

impl From<Error> for contract::Error {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        let base = Self { code: ErrorCode::from(&error).to_string(), message, ..Self::default() };
        let suggest = |suggestion: &str| Some(suggestion.to_owned());
        match error {
            Error::Invalid { field, .. } => Self { field: Some(field), ..base },
            Error::TooLarge { field, limit, actual, .. } => Self {
                field: Some(field),
                limit: Some(limit as u64),
                actual: Some(actual as u64),
                suggestion: suggest(
                    "Shorten or split it. Store long texts as documents and cite their id and version in arguments.",
                ),
                ..base
            },
            Error::NotAllowed(error) => Self {
                current_state: Some(error.current_state.as_str().to_owned()),
                allowed_roles: Some(error.allowed_role.iter().map(|role| role.as_str().to_owned()).collect()),
                suggestion: suggest(error.suggestion),
                ..base
            },
            Error::ChangeNotAllowed { refusal, option, current_state, allowed_role } => Self {
                field: Some(place_of_change(option, refusal.index)),
                current_state: Some(current_state.as_str().to_owned()),
                allowed_roles: Some(allowed_role.iter().map(|role| role.as_str().to_owned()).collect()),
                issue: Some(refusal.issue.map(|(issue, _)| issue.to_string())),
                status: Some(refusal.issue.map(|(_, status)| status.as_str().to_owned())),
                allowed_changes: Some(
                    refusal.allowed_changes.iter().map(|change| change.as_str().to_owned()).collect(),
                ),
                suggestion: Some(change_suggestion(&refusal)),
                ..base
            },
            Error::PlanOutdated { newest, current_state, allowed_role, .. } => Self {
                field: Some("plan.base".to_owned()),
                current_state: Some(current_state.as_str().to_owned()),
                allowed_roles: Some(allowed_role.iter().map(|role| role.as_str().to_owned()).collect()),
                suggestion: Some(format!(
                    "Read version {newest} of the plan, take over what it changed, and say that the plan was made from it."
                )),
                ..base
            },
            Error::IssuesOpen(issues) => Self {
                issues: Some(issues.iter().map(|issue| (&**issue).into()).collect()),
                suggestion: suggest(
                    "Fix them and have the opponent resolve them, or submit an APPEAL that refers them to the arbitrator.",
                ),
                ..base
            },
            Error::SeatTaken(side) => Self {
                role: Some(side.as_str().to_owned()),
                suggestion: suggest(
                    "Write with the key that the first write of this role had. If it is lost, the arbitrator can free the seat: \
                     DELETE /debates/{id}/seats/{role}.",
                ),
                ..base
            },
            Error::DebateNotFound(_) => {
                Self { suggestion: suggest("Check the debate id: GET /debates lists all debates."), ..base }
            }
            Error::ArgumentNotFound(_) => Self {
                suggestion: suggest("Use the id of an argument of this debate: GET /debates/{id} lists them."),
                ..base
            },
            Error::Document(error) => Self {
                suggestion: suggest(match error {
                    DocumentError::NotFound(_) => {
                        "Check the document id: GET /documents lists all documents that are not deleted."
                    }
                    DocumentError::Deleted(_) => "Create another document. The versions of this one can still be read.",
                    DocumentError::VersionNotFound { .. } => "GET /documents/{id}/versions lists the versions.",
                }),
                ..base
            },
            Error::DebateExists(_) => {
                Self { suggestion: suggest("Choose another debate id, or continue the existing debate."), ..base }
            }
            Error::IdempotencyConflict(_) => Self {
                suggestion: suggest(
                    "Use a new client_request_id for new content; the old one can only repeat the old request.",
                ),
                ..base
            },
            Error::Unavailable => Self {
                retry_after: Some(RETRY_AFTER_SECONDS),
                suggestion: suggest("Retry with the same client_request_id: nothing is stored twice."),
                ..base
            },
            Error::CannotStore => Self {
                retry_after: Some(RETRY_AFTER_SECONDS),
                suggestion: suggest(
                    "Retry with the same client_request_id: nothing is stored twice. If it goes on, the disk of the database may be \
                     full or read-only: tell whoever runs the server. GET /health tells since when.",
                ),
                ..base
            },
            Error::ClockOutOfRange => Self {
                retry_after: Some(RETRY_AFTER_SECONDS),
                suggestion: suggest("Tell whoever runs the server to set the clock; it then goes on by itself."),
                ..base
            },
            Error::Unhealthy(Health { reading_failing_since, writing_failing_since }) => {
                let status = |since: Option<_>| Some(if since.is_none() { "ok" } else { "failing" }.to_owned());
                Self {
                    reading: status(reading_failing_since),
                    reading_failing_since: reading_failing_since.map(time_text),
                    writing: status(writing_failing_since),
                    writing_failing_since: writing_failing_since.map(time_text),
                    retry_after: Some(RETRY_AFTER_SECONDS),
                    suggestion: suggest(
                        "Check that the database runs, and that its disk has room and can be written; the server's log has the cause. \
                         The server then goes on by itself.",
                    ),
                    ..base
                }
            }
            Error::Overloaded => {
                Self { retry_after: Some(RETRY_AFTER_SECONDS), suggestion: suggest("Try again later."), ..base }
            }
            Error::HistoryInvalid { debate_id, seq } => Self {
                debate_id: Some(debate_id.0),
                seq,
                suggestion: suggest(
                    "Do not go on with this debate. Whoever runs the server can find all faults with aweave-server verify, and restore \
                     a backup.",
                ),
                ..base
            },
            Error::DocumentInvalid { document_id, version } => Self {
                document_id: Some(document_id.0),
                version,
                suggestion: suggest(
                    "Do not build on this document. Whoever runs the server can find all faults with aweave-server verify, and restore a \
                     backup.",
                ),
                ..base
            },
            Error::Internal => Self { suggestion: suggest("See the server's log for the cause."), ..base },
        }
    }
}

fn change_suggestion(refusal: &ChangeNotAllowed) -> String {
    let (role, argument_type) = (refusal.role, refusal.argument_type);
    let allowed: Vec<_> = refusal.allowed_changes.iter().map(|change| change.as_str()).collect();
    match (refusal.issue, allowed.as_slice()) {
        (Some((issue, _)), []) => {
            format!("{role} cannot change {issue} in {argument_type} as it stands: leave it out.")
        }
        (Some((issue, _)), allowed) => {
            format!("What {role} may make of {issue} in {argument_type} is: {}.", allowed.join(", "))
        }
        (None, _) => format!(
            "Issues are raised by the opponent in a CLAIM and by the arbitrator in a RULING, not by {role} in {argument_type}."
        ),
    }
}

/// Why a request is rejected before a use case runs.
#[derive(Debug)]
pub(super) enum Rejection {
    /// The Host or Origin header, or what a browser says of the page, is not allowed
    ForbiddenOrigin(String),
    /// The token is missing or wrong
    AuthFailed(&'static str),
    /// The token does not give the arbitrator's permission
    ArbitratorOnly,
    /// The code of a sign-in link is wrong, used or expired
    InvalidSignInCode,
    /// The body is not declared as JSON
    UnsupportedMediaType,
    /// The request has too many headers
    TooManyHeaders {
        /// The maximum number
        limit: usize,
        /// The actual number
        actual: usize,
    },
    /// The request line and the headers are too large
    HeadersTooLarge {
        /// The maximum size in bytes
        limit: usize,
        /// The actual size in bytes
        actual: usize,
    },
}

impl Rejection {
    fn code(&self) -> ErrorCode {
        match self {
            Self::ForbiddenOrigin(_) | Self::ArbitratorOnly => ErrorCode::Forbidden,
            Self::AuthFailed(_) | Self::InvalidSignInCode => ErrorCode::AuthFailed,
            Self::UnsupportedMediaType => ErrorCode::UnsupportedMediaType,
            Self::TooManyHeaders { .. } | Self::HeadersTooLarge { .. } => ErrorCode::ContentTooLarge,
        }
    }
}

impl From<Rejection> for contract::Error {
    fn from(rejection: Rejection) -> Self {
        let code = rejection.code();
        let error = |message: String, suggestion: &str| Self {
            code: code.to_string(),
            message,
            suggestion: Some(suggestion.to_owned()),
            ..Self::default()
        };
        match rejection {
            Rejection::ForbiddenOrigin(message) => {
                error(message, "Use the server's loopback address and port, or start the server with --allowed-host.")
            }
            Rejection::AuthFailed(message) => error(
                message.to_owned(),
                "Send Authorization: Bearer <token>; aw takes it from DEBATE_AUTH_TOKEN or DEBATE_AUTH_TOKEN_FILE.",
            ),
            Rejection::ArbitratorOnly => error(
                "only the arbitrator may rule, intervene or free a seat, and this is not the arbitrator's token"
                    .to_owned(),
                "Ask the arbitrator: an agent submits an APPEAL and waits for the RULING.",
            ),
            Rejection::InvalidSignInCode => error(
                "this sign-in link was used before, has expired, or is from another server".to_owned(),
                "Sign in with the token, or restart the server for another link.",
            ),
            Rejection::UnsupportedMediaType => error(
                "the body must be declared as application/json".to_owned(),
                "Send Content-Type: application/json.",
            ),
            Rejection::TooManyHeaders { limit, actual } => Self {
                limit: Some(limit as u64),
                actual: Some(actual as u64),
                ..error(format!("the request has {actual} headers, the limit is {limit}"), "Send fewer headers.")
            },
            Rejection::HeadersTooLarge { limit, actual } => Self {
                limit: Some(limit as u64),
                actual: Some(actual as u64),
                ..error(
                    format!("the request line and the headers have {actual} bytes, the limit is {limit}"),
                    "Shorten the query or the headers.",
                )
            },
        }
    }
}

impl From<Rejection> for ErrorResponse {
    fn from(rejection: Rejection) -> Self {
        Self::new(rejection.code().status(), rejection.into())
    }
}

impl From<Rejection> for poem::Error {
    fn from(rejection: Rejection) -> Self {
        ErrorResponse::from(rejection).into()
    }
}

impl From<Error> for poem::Error {
    fn from(error: Error) -> Self {
        ErrorResponse::from(error).into()
    }
}
