//! What went wrong, in the contract's words, and the exit status that goes with it.

use std::{fmt, process::ExitCode};

use serde_json::{Map, Value};

use crate::envelope::Show;

/// The codes that the command line itself gives. Those of the server are passed on as they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Wrong usage, or a value that cannot be sent
    InvalidInput,
    /// A file that cannot be read
    FileNotFound,
    /// A text so large that it is not even sent
    ContentTooLarge,
    /// No answer, or none that the contract knows
    ConnectionError,
    /// The command line cannot do its work on this machine
    InternalError,
    /// No debate whose id begins as was given
    DebateNotFound,
    /// No argument of the debate that is named as was given
    ArgumentNotFound,
    /// No document whose id begins as was given
    DocumentNotFound,
    /// What an agent needs is not installed, or not as it should be
    SetupIncomplete,
}

impl Code {
    fn name(self) -> &'static str {
        match self {
            Self::InvalidInput => "INVALID_INPUT",
            Self::FileNotFound => "FILE_NOT_FOUND",
            Self::ContentTooLarge => "CONTENT_TOO_LARGE",
            Self::ConnectionError => "CONNECTION_ERROR",
            Self::InternalError => "INTERNAL_ERROR",
            Self::DebateNotFound => "DEBATE_NOT_FOUND",
            Self::ArgumentNotFound => "ARGUMENT_NOT_FOUND",
            Self::DocumentNotFound => "DOCUMENT_NOT_FOUND",
            Self::SetupIncomplete => "SETUP_INCOMPLETE",
        }
    }
}

/// A command that did not succeed. It is on the way of every result, so it is kept small.
#[derive(Debug, Clone)]
pub struct Failure {
    /// One of the contract's codes, or whatever else the server said
    pub code: String,
    /// What happened
    pub message: String,
    /// What to do about it
    pub suggestion: Option<Box<str>>,
    /// The server's error object untouched; nothing when the server did not say a word
    pub server_error: Option<Box<Map<String, Value>>>,
    /// What else there is to tell, beside the server's error
    pub data: Option<Box<Map<String, Value>>>,
    /// How that is shown to people; nothing where they need not see it
    pub show: Option<Show>,
    /// The id under which the same write can be sent again without being stored twice
    pub client_request_id: Option<Box<str>>,
    /// The command that leads on from here, where there is one
    pub next: Option<Box<str>>,
}

impl Failure {
    /// A failure found by the command line itself.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code: code.name().to_owned(),
            message: message.into(),
            suggestion: None,
            server_error: None,
            data: None,
            show: None,
            client_request_id: None,
            next: None,
        }
    }

    /// A refusal by the server.
    pub fn refused(error: Map<String, Value>) -> Self {
        let text = |field: &str| error.get(field).and_then(Value::as_str);
        Self {
            code: text("code").unwrap_or_default().to_owned(),
            message: text("message").unwrap_or_default().to_owned(),
            suggestion: text("suggestion").map(Into::into),
            server_error: Some(Box::new(error)),
            data: None,
            show: None,
            client_request_id: None,
            next: None,
        }
    }

    /// The command to run next: the one that was found, else the one that helps against any failure of that code.
    pub fn next(&self) -> Option<&str> {
        let of_the_code = match self.code.as_str() {
            "DEBATE_NOT_FOUND" => Some("aw debate list"),
            "DOCUMENT_NOT_FOUND" => Some("aw docs list"),
            "CONNECTION_ERROR" | "AUTH_FAILED" => Some("aw doctor"),
            _ => None,
        };
        self.next.as_deref().or(of_the_code)
    }

    /// The same, with more to tell.
    pub fn with_data(self, data: Value) -> Self {
        if let Value::Object(fields) = data { Self { data: Some(Box::new(fields)), ..self } } else { self }
    }

    /// The same, with more to tell, to people as well.
    pub fn with_data_for_all(self, data: Value, show: Show) -> Self {
        Self { show: Some(show), ..self.with_data(data) }
    }

    /// The same, with the command that leads on.
    pub fn go_on(self, next: impl Into<Box<str>>) -> Self {
        Self { next: Some(next.into()), ..self }
    }

    /// The same, with what to do about it.
    pub fn suggest(self, suggestion: impl Into<Box<str>>) -> Self {
        Self { suggestion: Some(suggestion.into()), ..self }
    }

    /// The status that the process ends with.
    pub fn exit(&self) -> Exit {
        match self.code.as_str() {
            "DEBATE_NOT_FOUND" | "ARGUMENT_NOT_FOUND" | "DOCUMENT_NOT_FOUND" => Exit::NotFound,
            "INVALID_INPUT"
            | "FILE_NOT_FOUND"
            | "CONTENT_TOO_LARGE"
            | "UNSUPPORTED_MEDIA_TYPE"
            | "IDEMPOTENCY_CONFLICT"
            | "DEBATE_EXISTS"
            | "SETUP_INCOMPLETE" => Exit::Input,
            "ACTION_NOT_ALLOWED" => Exit::NotAllowed,
            "AUTH_FAILED" | "FORBIDDEN" => Exit::Forbidden,
            _ => Exit::Server,
        }
    }
}

/// What there is to say on one line.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        if let Some(suggestion) = &self.suggestion {
            write!(f, ". {suggestion}")?;
        }
        self.next().map_or(Ok(()), |next| write!(f, ". Next: {next}"))
    }
}

/// The statuses that scripts branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It worked; a wait that ran out of time did, too
    Success = 0,
    /// There is no such debate, argument or document
    NotFound = 2,
    /// The server is away, broken or not the right one
    Server = 3,
    /// What was given is wrong
    Input = 4,
    /// Not in this state, or not in this role
    NotAllowed = 5,
    /// Not with this token
    Forbidden = 6,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_contract_has_its_exit_status() {
        let table = [
            (Exit::NotFound, &["DEBATE_NOT_FOUND", "ARGUMENT_NOT_FOUND", "DOCUMENT_NOT_FOUND"][..]),
            (
                Exit::Server,
                &["CONNECTION_ERROR", "INTERNAL_ERROR", "STORE_UNAVAILABLE", "OVERLOADED", "NOT_FOUND", "NEW_ONE", ""],
            ),
            (
                Exit::Input,
                &[
                    "INVALID_INPUT",
                    "FILE_NOT_FOUND",
                    "CONTENT_TOO_LARGE",
                    "UNSUPPORTED_MEDIA_TYPE",
                    "IDEMPOTENCY_CONFLICT",
                    "DEBATE_EXISTS",
                    "SETUP_INCOMPLETE",
                ],
            ),
            (Exit::NotAllowed, &["ACTION_NOT_ALLOWED"]),
            (Exit::Forbidden, &["AUTH_FAILED", "FORBIDDEN"]),
        ];
        for (exit, codes) in table {
            for code in codes {
                let error = Map::from_iter([("code".to_owned(), Value::from(*code))]);
                assert_eq!(Failure::refused(error).exit(), exit, "{code}");
            }
        }
        assert_eq!(Exit::Forbidden as u8, 6);
    }
}
