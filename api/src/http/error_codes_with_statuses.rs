//! The error codes of the server, each with its HTTP status and its meaning.

use poem::http::StatusCode;

use crate::{app::Error, domain::string_enum};

string_enum! {
    /// The code of an error response. Codes never change their meaning.
    ErrorCode {
        /// The input is not as described
        InvalidInput = "INVALID_INPUT",
        /// The token is missing or wrong
        AuthFailed = "AUTH_FAILED",
        /// State or role forbids the argument
        ActionNotAllowed = "ACTION_NOT_ALLOWED",
        /// Host, Origin or the token's role forbids the request
        Forbidden = "FORBIDDEN",
        /// No such debate
        DebateNotFound = "DEBATE_NOT_FOUND",
        /// No such argument
        ArgumentNotFound = "ARGUMENT_NOT_FOUND",
        /// No such document
        DocumentNotFound = "DOCUMENT_NOT_FOUND",
        /// No such path
        NotFound = "NOT_FOUND",
        /// The path has no such method
        MethodNotAllowed = "METHOD_NOT_ALLOWED",
        /// The debate id is taken
        DebateExists = "DEBATE_EXISTS",
        /// The request id is taken
        IdempotencyConflict = "IDEMPOTENCY_CONFLICT",
        /// Issues block completion
        IssuesOpen = "ISSUES_OPEN",
        /// Another key has the seat
        SeatTaken = "SEAT_TAKEN",
        /// A text or the request is over a limit
        ContentTooLarge = "CONTENT_TOO_LARGE",
        /// The body is not declared as JSON
        UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE",
        /// What is stored of the debate does not hold
        HistoryInvalid = "HISTORY_INVALID",
        /// A bug in the server
        InternalError = "INTERNAL_ERROR",
        /// The database cannot answer
        StoreUnavailable = "STORE_UNAVAILABLE",
        /// Too many connections or waits
        Overloaded = "OVERLOADED",
    }
}

impl ErrorCode {
    /// The HTTP status of a response with this code.
    pub fn status(self) -> StatusCode {
        match self {
            Self::InvalidInput => StatusCode::BAD_REQUEST,
            Self::AuthFailed => StatusCode::UNAUTHORIZED,
            Self::ActionNotAllowed | Self::Forbidden | Self::SeatTaken => StatusCode::FORBIDDEN,
            Self::DebateNotFound | Self::ArgumentNotFound | Self::DocumentNotFound | Self::NotFound => {
                StatusCode::NOT_FOUND
            }
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::DebateExists | Self::IdempotencyConflict | Self::IssuesOpen => StatusCode::CONFLICT,
            Self::ContentTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::HistoryInvalid | Self::InternalError => StatusCode::INTERNAL_SERVER_ERROR,
            Self::StoreUnavailable | Self::Overloaded => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// When the server sends the code, as `docs/reference.md` says it.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::InvalidInput => "The body, the query or an id is not as described; `field` names it.",
            Self::AuthFailed => "The token is missing or wrong.",
            Self::ActionNotAllowed => {
                "The state of the debate or the role forbids it; has `current_state` and `allowed_roles`. If it is a change of an \
                 issue that is forbidden, also `issue`, `status` and `allowed_changes`."
            }
            Self::Forbidden => "The Host header, the Origin header or the token's role forbids it.",
            Self::DebateNotFound => "There is no such debate.",
            Self::ArgumentNotFound => "There is no such argument in this debate.",
            Self::DocumentNotFound => {
                "There is no such document or version, or the document is deleted and takes no new version."
            }
            Self::NotFound => "There is no such path.",
            Self::MethodNotAllowed => "The path does not support this method.",
            Self::DebateExists => "The debate id is in use under another request id.",
            Self::IdempotencyConflict => "The request id was used before with another payload.",
            Self::IssuesOpen => {
                "A RESOLUTION while issues that are critical or high are not settled; has these in `issues`."
            }
            Self::SeatTaken => {
                "The role of this debate belongs to the holder of a key, and another key or none was sent; has `role`."
            }
            Self::ContentTooLarge => "A text, the body or the headers are over a limit; has `limit` and `actual`.",
            Self::UnsupportedMediaType => "The body is not declared as `application/json`.",
            Self::HistoryInvalid => {
                "What is stored of the debate is not what was written: somebody changed the database, or it is damaged. Has \
                 `debate_id` and, where it is an argument, `seq`. Nothing of it is served, and it takes no writes; other debates are \
                 not affected."
            }
            Self::InternalError => "A bug in the server; its log has the cause.",
            Self::StoreUnavailable => {
                "The database cannot answer now, or nothing can be stored. Retry after `retry_after` seconds with the same `client_request_id`."
            }
            Self::Overloaded => {
                "There are more connections or waits than the server is set to hold; has `retry_after`."
            }
        }
    }
}

impl From<&Error> for ErrorCode {
    fn from(error: &Error) -> Self {
        match error {
            Error::Invalid { .. } => Self::InvalidInput,
            Error::TooLarge { .. } => Self::ContentTooLarge,
            Error::NotAllowed(_) | Error::ChangeNotAllowed { .. } => Self::ActionNotAllowed,
            Error::IssuesOpen(_) => Self::IssuesOpen,
            Error::DebateNotFound(_) => Self::DebateNotFound,
            Error::ArgumentNotFound(_) => Self::ArgumentNotFound,
            Error::Document(_) => Self::DocumentNotFound,
            Error::DebateExists(_) => Self::DebateExists,
            Error::SeatTaken(_) => Self::SeatTaken,
            Error::IdempotencyConflict(_) => Self::IdempotencyConflict,
            Error::Unavailable | Error::CannotStore | Error::Unhealthy(_) => Self::StoreUnavailable,
            Error::Overloaded => Self::Overloaded,
            Error::HistoryInvalid { .. } => Self::HistoryInvalid,
            Error::Internal => Self::InternalError,
        }
    }
}
