//! The error codes of the server, each with its HTTP status.

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
        /// Too many connections, waits or large answers
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
}

impl From<&Error> for ErrorCode {
    fn from(error: &Error) -> Self {
        match error {
            Error::Invalid { .. } => Self::InvalidInput,
            Error::TooLarge { .. } => Self::ContentTooLarge,
            Error::NotAllowed(_) | Error::ChangeNotAllowed { .. } | Error::PlanOutdated { .. } => {
                Self::ActionNotAllowed
            }
            Error::IssuesOpen(_) => Self::IssuesOpen,
            Error::DebateNotFound(_) => Self::DebateNotFound,
            Error::ArgumentNotFound(_) => Self::ArgumentNotFound,
            Error::Document(_) => Self::DocumentNotFound,
            Error::DebateExists(_) => Self::DebateExists,
            Error::SeatTaken(_) => Self::SeatTaken,
            Error::IdempotencyConflict(_) => Self::IdempotencyConflict,
            Error::Unavailable | Error::CannotStore | Error::ClockOutOfRange | Error::Unhealthy(_) => {
                Self::StoreUnavailable
            }
            Error::Overloaded => Self::Overloaded,
            Error::HistoryInvalid { .. } | Error::DocumentInvalid { .. } => Self::HistoryInvalid,
            Error::Internal => Self::InternalError,
        }
    }
}
