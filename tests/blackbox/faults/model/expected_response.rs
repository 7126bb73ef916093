//! Expected responses and their comparison with real ones.

use serde_json::{Map, Value};
use tests::api_response::ApiResponse;

/// The response that the model expects.
pub type Expected = Result<Success, Refusal>;

/// A success.
#[derive(Debug)]
pub struct Success {
    /// The HTTP status
    pub status: u16,
    /// The data
    pub data: Value,
}

/// A refusal.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// The code
    pub code: &'static str,
    /// Additional fields of the error
    pub fields: Map<String, Value>,
    /// Texts that must occur in the error: all those of one fault, whichever of several the server reports
    pub names: Vec<Vec<String>>,
}

/// The fields of the error that are not compared.
const STANDARD_FIELDS: [&str; 4] = ["code", "message", "suggestion", "field"];

impl Success {
    /// The response to a read.
    pub fn found(data: Value) -> Self {
        Self { status: 200, data }
    }

    /// The response to a repeated write.
    pub fn repeated(mut data: Value) -> Self {
        data["replayed"] = true.into();
        Self { status: 200, data }
    }

    /// The response to a stored write.
    pub fn stored(data: Value) -> Self {
        Self { status: 201, data }
    }
}

impl Refusal {
    /// A refusal with this code only.
    pub fn of(code: &'static str) -> Self {
        Self { code, fields: Map::new(), names: Vec::new() }
    }

    /// A refusal that names its reason.
    pub fn naming(code: &'static str, names: Vec<Vec<String>>) -> Self {
        Self { names, ..Self::of(code) }
    }

    /// A refusal with an additional field.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.to_owned(), value.into());
        self
    }
}

/// The outcome: how a write was stored, or the code of a refusal.
pub fn outcome(answer: &ApiResponse) -> &str {
    match (answer.status, &answer.envelope()["data"]["replayed"]) {
        (201, _) => "stored",
        (200, Value::Bool(true)) => "repeated",
        (200, _) => "read",
        _ => answer.code(),
    }
}

/// Compares a real response with the expected one.
///
/// # Errors
/// A description of both if they differ.
pub fn compare(reply: &Expected, answer: &ApiResponse) -> Result<(), String> {
    let mut data = answer.envelope()["data"].clone();
    if let Some(fields) = data.as_object_mut() {
        // Which other roles wait depends on the time.
        fields.remove("waiting");
    }
    let same = match reply {
        Ok(success) => answer.status == success.status && data == success.data,
        Err(refusal) => answer.code() == refusal.code && matches(&answer.envelope()["error"], refusal),
    };
    if same { Ok(()) } else { Err(format!("expected {reply:?}\n     got {answer}")) }
}

fn matches(error: &Value, refusal: &Refusal) -> bool {
    let Some(fields) = error.as_object() else { return false };
    let mut rest = fields.iter().filter(|(name, _)| !STANDARD_FIELDS.contains(&name.as_str()));
    let all = refusal.fields.iter().all(|(name, value)| fields.get(name) == Some(value));
    let text = error.to_string();
    let named = refusal.names.is_empty()
        || refusal.names.iter().any(|fault| fault.iter().all(|name| text.contains(name.as_str())));
    let has_suggestion =
        refusal.code != "ACTION_NOT_ALLOWED" || error["suggestion"].as_str().is_some_and(|text| !text.is_empty());
    all && rest.all(|(name, _)| refusal.fields.contains_key(name)) && named && has_suggestion
}
