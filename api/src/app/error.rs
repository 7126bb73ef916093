//! Why a use case could not be carried out, without any HTTP in it.

use crate::{
    domain::{ArgumentId, DebateId, MetadataFault, Missing, NotAllowed, Refusal, RequestId, TextFault, Unit},
    store::{StoreError, WriteError},
};

/// Why a use case could not be carried out. Nothing was stored, save that [`Error::Unavailable`] leaves a write's
/// outcome open.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is not as described.
    #[error("{field} {message}")]
    Invalid {
        /// Which field or parameter
        field: String,
        /// What is wrong with it, to be read after its name
        message: String,
    },
    /// A text or a body is over its limit.
    #[error("{field} is too long: {actual} {}, at most {limit} are taken", unit.name())]
    TooLarge {
        /// Which field
        field: String,
        /// The most that is taken
        limit: usize,
        /// How much it is
        actual: usize,
        /// What both count
        unit: Unit,
    },
    /// State or role forbids it.
    #[error("{} may not submit {} while the debate is {}", .0.role, .0.attempted, .0.current_state)]
    NotAllowed(NotAllowed),
    /// No such debate.
    #[error("there is no debate {0}")]
    DebateNotFound(DebateId),
    /// No such argument in this debate.
    #[error("this debate has no argument {0}")]
    ArgumentNotFound(ArgumentId),
    /// No such document, no such version of it, or no more versions of it.
    #[error(transparent)]
    DocumentMissing(#[from] Missing),
    /// The debate id is in use under another request id.
    #[error("there is a debate {0} already, opened by another request")]
    DebateExists(DebateId),
    /// The request id is in use with another payload.
    #[error("the request id {} was used before with another payload", .0.as_str())]
    IdempotencyConflict(RequestId),
    /// The store cannot answer now.
    #[error("the store cannot answer now")]
    Unavailable,
    /// More is asked of the server than it is set to hold.
    #[error("the server holds as many connections or waits as it is set to")]
    Overloaded,
    /// Something that should not be; the log has it.
    #[error("the server could not do it, through no fault of the request")]
    Internal,
}

impl Error {
    /// An invalid field.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), message: message.into() }
    }

    /// A text that is not taken as `field`.
    pub fn text(field: &str, fault: TextFault) -> Self {
        match fault {
            TextFault::TooLarge { limit, actual, unit } => {
                Self::TooLarge { field: field.to_owned(), limit, actual, unit }
            }
            fault @ (TextFault::Empty | TextFault::Forbidden { .. }) => Self::invalid(field, fault.to_string()),
        }
    }

    /// Metadata that is not taken as `field`.
    pub fn metadata(field: &str, fault: MetadataFault) -> Self {
        match fault {
            MetadataFault::Size(fault) => Self::text(field, fault),
            MetadataFault::NotAnObject => Self::invalid(field, "is not a JSON object"),
            MetadataFault::Inside { path, reason } => {
                let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
                Self::invalid(format!("{field}{dot}{path}"), format!("is not as it should be: {reason}"))
            }
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(source) => {
                tracing::warn!(error = %source, "the store cannot answer");
                Self::Unavailable
            }
            StoreError::Inconsistent(row) => {
                tracing::error!(%row, "the store holds an impossible row");
                Self::Internal
            }
            StoreError::Unexpected(source) => {
                tracing::error!(error = %source, "the store failed");
                Self::Internal
            }
        }
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Refused(Refusal::NotAllowed(refusal)) => Self::NotAllowed(refusal),
            WriteError::Refused(Refusal::TargetUnknown(id)) => Self::ArgumentNotFound(id),
            WriteError::Refused(Refusal::OptionUnknown { chosen, options }) => {
                let there = match options {
                    0 => "there are no options to choose from: leave it out".to_owned(),
                    1 => "the only option is 0".to_owned(),
                    more => format!("the options are 0 to {}", more - 1),
                };
                Self::invalid("chosen_option", format!("is {chosen}, but {there}"))
            }
            WriteError::DebateNotFound(id) => Self::DebateNotFound(id),
            WriteError::DocumentMissing(missing) => Self::DocumentMissing(missing),
            WriteError::DebateExists(id) => Self::DebateExists(id),
            WriteError::IdempotencyConflict(id) => Self::IdempotencyConflict(id),
            WriteError::Store(error) => error.into(),
        }
    }
}
