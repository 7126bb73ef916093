//! What the contract has a server answer, and whether one did.

use serde_json::{Map, Value};
use tests::api_response::ApiResponse;

/// An answer as the contract has it.
pub type Expected = Result<Success, Refusal>;

/// A success.
#[derive(Debug)]
pub struct Success {
    /// Its status
    pub status: u16,
    /// All that it says
    pub data: Value,
}

/// A refusal.
#[derive(Debug)]
pub struct Refusal {
    /// Its code
    pub code: &'static str,
    /// What it tells in fields of its own
    pub fields: Map<String, Value>,
    /// Texts that have to be found in it: all those of one fault, whichever of several that may be
    pub names: Vec<Vec<String>>,
}

/// What every refusal may have besides.
const WORDS: [&str; 4] = ["code", "message", "suggestion", "field"];

impl Success {
    /// The answer to a question.
    pub fn found(data: Value) -> Self {
        Self { status: 200, data }
    }

    /// What a write is answered that had been values before.
    pub fn repeated(mut data: Value) -> Self {
        data["replayed"] = true.into();
        Self { status: 200, data }
    }

    /// What a write is answered that is stored now.
    pub fn stored(data: Value) -> Self {
        Self { status: 201, data }
    }
}

impl Refusal {
    /// One that tells nothing but its code.
    pub fn of(code: &'static str) -> Self {
        Self { code, fields: Map::new(), names: Vec::new() }
    }

    /// One that names what is wrong.
    pub fn naming(code: &'static str, names: Vec<Vec<String>>) -> Self {
        Self { names, ..Self::of(code) }
    }

    /// One that tells more.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.to_owned(), value.into());
        self
    }
}

/// What kind of answer it is: how a success came about, or why it is none.
pub fn outcome(answer: &ApiResponse) -> &str {
    match (answer.status, &answer.envelope()["data"]["replayed"]) {
        (201, _) => "stored",
        (200, Value::Bool(true)) => "repeated",
        (200, _) => "told",
        _ => answer.code(),
    }
}

/// Holds an answer against what it has to be.
///
/// # Errors
/// Both, where they differ.
pub fn compare(reply: &Expected, answer: &ApiResponse) -> Result<(), String> {
    let same = match reply {
        Ok(told) => answer.status == told.status && answer.envelope()["data"] == told.data,
        Err(refusal) => answer.code() == refusal.code && tells(&answer.envelope()["error"], refusal),
    };
    if same { Ok(()) } else { Err(format!("expected {reply:?}\n     got {answer}")) }
}

fn tells(error: &Value, refusal: &Refusal) -> bool {
    let Some(told) = error.as_object() else { return false };
    let mut rest = told.iter().filter(|(name, _)| !WORDS.contains(&name.as_str()));
    let all = refusal.fields.iter().all(|(name, value)| told.get(name) == Some(value));
    let text = error.to_string();
    let named = refusal.names.is_empty()
        || refusal.names.iter().any(|fault| fault.iter().all(|name| text.contains(name.as_str())));
    let leads_on = refusal.code != "ACTION_NOT_ALLOWED" || error["suggestion"].is_string();
    all && rest.all(|(name, _)| refusal.fields.contains_key(name)) && named && leads_on
}
