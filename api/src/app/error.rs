//! Errors of use cases, without HTTP.

use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};

use super::CorrelationId;
use crate::{
    domain::{
        ArgumentId, ChangeError, ChangeNotAllowed, DebateId, DocumentError, DocumentId, Issue, MAX_ISSUES,
        MetadataError, NotAllowed, PlanRefusal, RequestId, Role, Side, StateName, SubmitError, TextError, Unit,
    },
    prometheus_metrics,
    store::{Health, StoreError, WriteError},
};

/// Why a use case failed. Nothing was stored, except that a write that fails with [`Error::CannotStore`] may or may not be
/// stored.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An input field is invalid.
    #[error("{field} {message}")]
    Invalid {
        /// The name of the field or parameter
        field: String,
        /// What is wrong with it, to be read after the name
        message: String,
    },
    /// A text or a body is longer than its limit.
    #[error("{field} is too long: {actual} {}, the limit is {limit}", unit.name())]
    TooLarge {
        /// The name of the field
        field: String,
        /// The maximum length
        limit: usize,
        /// The actual length
        actual: usize,
        /// The unit of both
        unit: Unit,
    },
    /// The state of the debate or the role forbids it.
    #[error("{} may not submit {} while the debate is {}", .0.role, .0.attempted, .0.current_state)]
    NotAllowed(NotAllowed),
    /// Role, argument type or the status of the issue forbids a change of an issue.
    #[error("{}: {} may not {} {} in {}", place_of_change(*.option, .refusal.index), .refusal.role, .refusal.change, issue_and_obstacle(.refusal), .refusal.argument_type)]
    ChangeNotAllowed {
        /// The change
        refusal: ChangeNotAllowed,
        /// The number of the option, from 0, if it is a change that an option of an APPEAL decides
        option: Option<usize>,
        /// The state of the debate
        current_state: StateName,
        /// The role whose turn it is
        allowed_role: Option<Role>,
    },
    /// The plan's document has a newer version than the one that the plan was made from.
    #[error("plan.base is {base}, but the newest version of the plan's document is {newest}")]
    PlanOutdated {
        /// The version that it was made from
        base: u64,
        /// The newest version
        newest: u64,
        /// The state of the debate
        current_state: StateName,
        /// The role whose turn it is
        allowed_role: Option<Role>,
    },
    /// Issues keep the proposer from requesting completion.
    #[error("{}: the debate cannot be completed", blocking(.0))]
    IssuesOpen(Vec<Arc<Issue>>),
    /// The seat of this side belongs to the holder of another key.
    #[error("the seat of the {0} in this debate is taken by the holder of another key")]
    SeatTaken(Side),
    /// No debate has this id.
    #[error("there is no debate {0}")]
    DebateNotFound(DebateId),
    /// The debate has no argument with this id.
    #[error("this debate has no argument {0}")]
    ArgumentNotFound(ArgumentId),
    /// A document or a version does not exist, or the document was deleted.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// Another request has used the debate id.
    #[error("the debate {0} already exists and was created by another request")]
    DebateExists(DebateId),
    /// The request id was used with another payload.
    #[error("the request id {} was used before with another payload", .0.as_str())]
    IdempotencyConflict(RequestId),
    /// The store cannot answer now.
    #[error("the store cannot answer now")]
    Unavailable,
    /// The store cannot take a write now.
    #[error("nothing can be stored now")]
    CannotStore,
    /// The clock shows no time that can be stored.
    #[error("the clock of the server's machine shows a time before 1970 or after 9999")]
    ClockOutOfRange,
    /// The last attempts to read or write failed.
    #[error("{}", unhealthy(.0))]
    Unhealthy(Health),
    /// The server has reached its limit of connections, of waits, or of what large answers may take together.
    #[error("the server has reached its limit of connections, waits or large answers")]
    Overloaded,
    /// What is stored of a debate is not what was written.
    #[error("what is stored of the debate {debate_id} does not hold{}: it was changed or is damaged", at(*seq))]
    HistoryInvalid {
        /// The debate
        debate_id: DebateId,
        /// The `seq` of the argument, if it is one
        seq: Option<u64>,
    },
    /// What is stored of a document is not what was written.
    #[error("what is stored of the document {document_id} does not hold{}: it was changed or is damaged", at_version(*version))]
    DocumentInvalid {
        /// The document
        document_id: DocumentId,
        /// The number of the version, if it is one
        version: Option<u64>,
    },
    /// An error in the server; the log has the details.
    #[error("the server failed because of an internal error")]
    Internal,
}

/// Where a change of issues stands in a body. `option` is the number of the option that decides it, if one does.
pub fn place_of_change(option: Option<usize>, index: usize) -> String {
    match option {
        Some(option) => format!("options[{option}].issue_changes[{index}]"),
        None => format!("issue_changes[{index}]"),
    }
}

fn issue_and_obstacle(refusal: &ChangeNotAllowed) -> String {
    match (refusal.issue, refusal.too_severe) {
        (Some((issue, _)), Some(severity)) => format!("{issue}, which is {severity},"),
        (Some((issue, status)), None) => format!("{issue}, which is {status},"),
        (None, _) => "an issue".to_owned(),
    }
}

fn at(seq: Option<u64>) -> String {
    seq.map_or_else(String::new, |seq| format!(" at seq {seq}"))
}

fn at_version(version: Option<u64>) -> String {
    version.map_or_else(String::new, |version| format!(" at version {version}"))
}

fn blocking(issues: &[Arc<Issue>]) -> String {
    match issues {
        [issue] => format!("{} is {} and not settled", issue.number, issue.severity),
        more => {
            let numbers: Vec<_> = more.iter().map(|issue| issue.number.to_string()).collect();
            format!("{} are critical or high and not settled", numbers.join(", "))
        }
    }
}

fn unhealthy(health: &Health) -> String {
    let since = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Secs, true);
    match (health.reading_failing_since, health.writing_failing_since) {
        (Some(reading), _) => format!("the store has not answered since {}", since(reading)),
        (None, Some(writing)) => {
            format!("nothing can be stored since {}; what is stored can be read", since(writing))
        }
        (None, None) => "the store works".to_owned(),
    }
}

impl Error {
    /// An error about an input field.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), message: message.into() }
    }

    /// An error about the text of `field`.
    pub fn text(field: &str, error: TextError) -> Self {
        match error {
            TextError::TooLarge { limit, actual, unit } => {
                Self::TooLarge { field: field.to_owned(), limit, actual, unit }
            }
            error @ (TextError::Empty | TextError::Forbidden { .. }) => Self::invalid(field, error.to_string()),
        }
    }

    /// An error about the metadata in `field`.
    pub fn metadata(field: &str, error: MetadataError) -> Self {
        match error {
            MetadataError::Size(error) => Self::text(field, error),
            MetadataError::NotAnObject => Self::invalid(field, "is not a JSON object"),
            MetadataError::Inside { path, reason } => {
                let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
                Self::invalid(format!("{field}{dot}{path}"), format!("is invalid: {reason}"))
            }
        }
    }
}

impl Error {
    /// The error of a read of what the debate's record shows: a row that cannot be is the debate's fault, too.
    pub fn of_record(debate_id: DebateId, error: StoreError) -> Self {
        match error {
            StoreError::Inconsistent(row) => {
                tracing::error!(%row, request_id = CorrelationId::current(), "the database has an inconsistent row");
                prometheus_metrics::history_fault();
                Self::HistoryInvalid { debate_id, seq: None }
            }
            StoreError::Unavailable(_) | StoreError::Unexpected(_) => error.into(),
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let request_id = CorrelationId::current();
        match error {
            StoreError::Unavailable(source) => {
                tracing::warn!(error = %source, request_id, "the store cannot answer");
                Self::Unavailable
            }
            StoreError::Inconsistent(row) => {
                tracing::error!(%row, request_id, "the database has an inconsistent row");
                let error = match (row.debate(), row.document()) {
                    (Some((debate_id, seq)), _) => Self::HistoryInvalid { debate_id, seq },
                    (None, Some((document_id, version))) => Self::DocumentInvalid { document_id, version },
                    (None, None) => return Self::Internal,
                };
                prometheus_metrics::history_fault();
                error
            }
            StoreError::Unexpected(source) => {
                tracing::error!(error = %source, request_id, "the store failed");
                Self::Internal
            }
        }
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Refused(SubmitError::NotAllowed(error)) => Self::NotAllowed(error),
            WriteError::Refused(SubmitError::TargetNotFound(id)) => Self::ArgumentNotFound(id),
            WriteError::Refused(SubmitError::OptionNotFound { chosen, options }) => {
                let available = match options {
                    0 => "there are no options to choose from: omit it".to_owned(),
                    1 => "the only option is 0".to_owned(),
                    more => format!("the options are 0 to {}", more - 1),
                };
                Self::invalid("chosen_option", format!("is {chosen}, but {available}"))
            }
            WriteError::Refused(SubmitError::Change { error, option, current_state, allowed_role }) => match error {
                ChangeError::IssueNotFound { index, issue } => Self::invalid(
                    format!("{}.issue", place_of_change(option, index)),
                    format!("is {issue}, which this debate does not have"),
                ),
                ChangeError::TooManyIssues { index } => Self::invalid(
                    place_of_change(option, index),
                    format!("raises another issue, but the debate has {MAX_ISSUES}, which is the limit"),
                ),
                ChangeError::NotAllowed(refusal) => {
                    Self::ChangeNotAllowed { refusal, option, current_state, allowed_role }
                }
            },
            WriteError::Refused(SubmitError::Plan { refusal, current_state, allowed_role }) => match refusal {
                PlanRefusal::Document(error) => Self::Document(error),
                PlanRefusal::Outdated { base, newest } => {
                    Self::PlanOutdated { base, newest, current_state, allowed_role }
                }
                PlanRefusal::RequestIdTaken(id) => Self::IdempotencyConflict(id),
            },
            WriteError::Refused(SubmitError::IssuesOpen(issues)) => Self::IssuesOpen(issues),
            WriteError::DebateNotFound(id) => Self::DebateNotFound(id),
            WriteError::SeatTaken(side) => Self::SeatTaken(side),
            WriteError::DocumentMissing(error) => Self::Document(error),
            WriteError::DebateExists(id) => Self::DebateExists(id),
            WriteError::IdempotencyConflict(id) => Self::IdempotencyConflict(id),
            WriteError::Store(error) => {
                let is_unavailable = matches!(error, StoreError::Unavailable(_));
                // Converted in any case: that logs it.
                let error = error.into();
                if is_unavailable { Self::CannotStore } else { error }
            }
        }
    }
}
