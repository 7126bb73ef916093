//! Why a command failed: the error code, the message, and the exit status.

use std::fmt;

use serde::{
    Deserialize, Serialize,
    de::{IntoDeserializer, value},
};
use serde_json::{Map, Value, json};

use super::{exit_status::ExitStatus, invocation::Next, markdown::Render, reader};
use crate::client::types::{self, ErrorCode};

/// The error codes of the command line itself. Codes of the server are passed on unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// Wrong usage, or a value that cannot be sent
    InvalidInput,
    /// A file that cannot be read or written
    FileNotFound,
    /// A text that is too large to send
    ContentTooLarge,
    /// No answer, or an answer that is not in the API's format
    ConnectionError,
    /// Something on this machine that the command needs does not work
    InternalError,
    /// No debate has an id with this prefix
    DebateNotFound,
    /// No argument of the debate has this id, prefix or number
    ArgumentNotFound,
    /// No document has an id with this prefix
    DocumentNotFound,
    /// A record whose signature or format does not hold
    RecordInvalid,
    /// The files for an agent are missing or not current
    SetupIncomplete,
    /// Something that is not for whoever asks, or not now
    ActionNotAllowed,
    /// The token does not permit it
    Forbidden,
    /// The seat of a role belongs to the holder of another key
    SeatTaken,
    /// An agent program failed, or its answers are of no use
    AgentFailed,
    /// A run has reached one of its limits
    LimitReached,
    /// A ruling is due, and there is nobody to ask
    RulingDue,
    /// A signal ended a run
    Interrupted,
    /// A run ended as it should, and a file that it was asked for cannot be written
    FileNotWritten,
}

impl Code {
    /// The code with this name, if it is one of the command line.
    pub fn named(name: &str) -> Option<Self> {
        Self::deserialize(IntoDeserializer::<value::Error>::into_deserializer(name)).ok()
    }
}

/// An error that the server sent.
#[derive(Debug, Clone, Default)]
pub struct ServerError {
    /// The error object, unchanged
    pub error: Map<String, Value>,
    /// If the server failed: the id under which its log has the request
    pub request_id: Option<String>,
}

/// A command that failed. Optional parts are boxed, since this is the error type of nearly every function.
#[derive(Debug, Clone, Default)]
pub struct Failure {
    /// A [`Code`], or the code that the server sent
    pub code: String,
    /// What is wrong
    pub message: String,
    /// What to do about it
    pub suggestion: Option<Box<str>>,
    /// What the server answered
    pub server_error: Option<Box<ServerError>>,
    /// More fields to print beside `server_error`
    pub data: Option<Box<Map<String, Value>>>,
    /// Renders `data` as markdown; without it markdown leaves `data` out
    pub render: Option<Render>,
    /// The request id of the write that failed
    pub client_request_id: Option<Box<str>>,
    /// The command to run next
    pub next: Option<Box<Next>>,
}

impl Failure {
    /// An error that the command line found itself.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let code = json!(code).as_str().unwrap_or_default().to_owned();
        Self { code, message: message.into(), ..Self::default() }
    }

    /// Something that is not for whoever asks, or not now.
    pub fn not_allowed(message: impl Into<String>) -> Self {
        Self::new(Code::ActionNotAllowed, message)
    }

    /// An error that the server sent; with the id under which its log has the request, if the server failed.
    ///
    /// # Errors
    /// What is wrong with it, if it is no error of the contract.
    pub fn from_server(error: Map<String, Value>, request_id: Option<String>) -> serde_json::Result<Self> {
        let types::Error { code, message, suggestion, .. } = types::Error::deserialize(&error)?;
        Ok(Self {
            suggestion: suggestion_in_commands(&code).or(suggestion).map(Into::into),
            code,
            message,
            server_error: Some(Box::new(ServerError { error, request_id })),
            ..Self::default()
        })
    }

    /// What the server says of it, as the contract types it; none if it is no error of the server.
    pub fn refusal(&self) -> Option<types::Error> {
        types::Error::deserialize(&self.server_error.as_ref()?.error).ok()
    }

    /// Whether it has this code of the contract; the command line's own failures have the same where they mean the same.
    pub fn is(&self, code: ErrorCode) -> bool {
        self.code == code.to_string()
    }

    /// Whether it has this code of the command line.
    pub fn is_own(&self, code: Code) -> bool {
        Code::named(&self.code) == Some(code)
    }

    /// The command to run next: the one that was set, else the usual one for the error code.
    pub fn next(&self) -> Option<Next> {
        let is_of_settings = self.is_own(Code::ConnectionError) || self.is(ErrorCode::AuthFailed);
        self.next.as_deref().cloned().or_else(|| is_of_settings.then(|| "aw doctor".into()))
    }

    /// The failure without a next command that a text cannot show, so that the usual one takes its place.
    pub fn for_a_text(self) -> Self {
        let next = self.next.filter(|next| next.in_text().is_some());
        Self { next, ..self }
    }

    /// Sets `data` to the fields of a JSON object.
    pub fn with_data(self, data: Value) -> Self {
        if let Value::Object(fields) = data { Self { data: Some(Box::new(fields)), ..self } } else { self }
    }

    /// Sets how `data` is rendered as markdown.
    pub fn with_markdown(self, render: Render) -> Self {
        Self { render: Some(render), ..self }
    }

    /// Sets the command to run next.
    pub fn with_next(self, next: impl Into<Next>) -> Self {
        Self { next: Some(Box::new(next.into())), ..self }
    }

    /// Sets what to do about the error.
    pub fn with_suggestion(self, suggestion: impl Into<Box<str>>) -> Self {
        Self { suggestion: Some(suggestion.into()), ..self }
    }

    /// If the server failed: the id under which its log has the request.
    pub fn request_id(&self) -> Option<&str> {
        self.server_error.as_ref()?.request_id.as_deref()
    }

    /// The exit status of a command that failed so.
    pub fn exit_status(&self) -> ExitStatus {
        let status = ExitStatus::of_code(&self.code);
        let signal = self.data.as_ref().and_then(|data| data.get("signal")?.as_str());
        match signal {
            Some(signal) if status == ExitStatus::Interrupted => ExitStatus::of_signal(signal),
            Some(_) | None => status,
        }
    }
}

/// What to do about an error of the server, where its own suggestion speaks of HTTP.
fn suggestion_in_commands(code: &str) -> Option<String> {
    let command = reader::command;
    match code.parse() {
        Ok(ErrorCode::DebateNotFound) => Some(format!(
            "Check the debate id; {} lists the debates, and {} {} waits until this one is opened",
            command("debate list"),
            command("debate wait"),
            reader::option("--until-opened")
        )),
        Ok(ErrorCode::ArgumentNotFound) => {
            Some(format!("Check the id of the argument; {} prints the arguments", command("debate get-context")))
        }
        Ok(ErrorCode::DocumentNotFound) => Some("Check the id and the version, as an argument cites them".to_owned()),
        Ok(_) | Err(_) => None,
    }
}

/// What clap says is wrong: the first paragraph of its text.
pub fn clap_message(text: &str) -> String {
    let message = on_one_line(text.split("\n\n").next().unwrap_or_default());
    message.strip_prefix("error: ").map_or(message.clone(), str::to_owned)
}

/// A text of several lines, on one.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The failure on one line, for stderr.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        if let Some(suggestion) = &self.suggestion {
            write!(f, ". {suggestion}")?;
        }
        if let Some(id) = self.request_id() {
            write!(f, ". In the server's log it is request {id}")?;
        }
        self.next().and_then(|next| next.in_text()).map_or(Ok(()), |next| write!(f, ". Next: {next}"))
    }
}
