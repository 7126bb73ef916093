//! Responses of the REST API, whose envelope is checked whenever one is received.

use serde_json::Value;

use crate::raw_http::Response;

/// All error codes and their HTTP status.
const CODES: [(&str, u16); 19] = [
    ("INVALID_INPUT", 400),
    ("AUTH_FAILED", 401),
    ("ACTION_NOT_ALLOWED", 403),
    ("FORBIDDEN", 403),
    ("DEBATE_NOT_FOUND", 404),
    ("ARGUMENT_NOT_FOUND", 404),
    ("DOCUMENT_NOT_FOUND", 404),
    ("NOT_FOUND", 404),
    ("METHOD_NOT_ALLOWED", 405),
    ("UNSUPPORTED_MEDIA_TYPE", 415),
    ("DEBATE_EXISTS", 409),
    ("IDEMPOTENCY_CONFLICT", 409),
    ("ISSUES_OPEN", 409),
    ("SEAT_TAKEN", 403),
    ("CONTENT_TOO_LARGE", 413),
    ("HISTORY_INVALID", 500),
    ("INTERNAL_ERROR", 500),
    ("STORE_UNAVAILABLE", 503),
    ("OVERLOADED", 503),
];

/// A response with a valid envelope.
#[derive(Clone, Debug)]
pub struct ApiResponse {
    /// The HTTP status.
    pub status: u16,
    envelope: Value,
    request: String,
}

impl ApiResponse {
    /// Checks the status, media type and envelope of the response to `request`.
    pub fn of(request: String, response: &Response) -> Self {
        let text = String::from_utf8_lossy(&response.body).into_owned();
        let media = response.header("content-type").unwrap_or_default();
        assert_eq!(media, "application/json", "{request}: media type of {} {text}", response.status);
        let envelope: Value =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("{request}: not JSON ({e}): {text}"));
        let answer = Self { status: response.status, envelope, request };
        answer.check();
        answer
    }

    fn check(&self) {
        let about = self.to_string();
        let keys: Vec<&String> = self.envelope.as_object().expect("an envelope is an object").keys().collect();
        let success = self.envelope["success"].as_bool().unwrap_or_else(|| panic!("success is no boolean: {about}"));
        if success {
            assert!((200..300).contains(&self.status), "success with an error's status: {about}");
            assert_eq!(keys, ["success", "data"], "{about}");
            assert!(self.envelope["data"].is_object(), "data is no object: {about}");
        } else {
            assert_eq!(keys, ["success", "error"], "{about}");
            let error = &self.envelope["error"];
            let code = error["code"].as_str().unwrap_or_else(|| panic!("no code: {about}"));
            let known = CODES.iter().find(|(name, _)| *name == code);
            assert_eq!(known.map(|(_, status)| *status), Some(self.status), "status of {code}: {about}");
            assert!(error["message"].as_str().is_some_and(|m| !m.is_empty()), "no message: {about}");
            assert!(error.get("suggestion").is_none_or(Value::is_string), "suggestion is no text: {about}");
        }
    }

    /// The data of a success with this status.
    #[track_caller]
    pub fn data(self, status: u16) -> Value {
        assert!(self.envelope["success"] == true && self.status == status, "expected {status}, got {self}");
        self.envelope["data"].clone()
    }

    /// The data of a success with any status.
    #[track_caller]
    pub fn data_of_any_success(self) -> Value {
        let status = self.status;
        self.data(status)
    }

    /// The error with this code.
    #[track_caller]
    pub fn refusal(self, code: &str) -> Value {
        assert!(self.envelope["error"]["code"] == code, "expected {code}, got {self}");
        self.envelope["error"].clone()
    }

    /// The response body.
    pub fn envelope(&self) -> &Value {
        &self.envelope
    }

    /// The error code, or `ok` for a success.
    pub fn code(&self) -> &str {
        self.envelope["error"]["code"].as_str().unwrap_or("ok")
    }
}

impl std::fmt::Display for ApiResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} -> {} {}", self.request, self.status, self.envelope)
    }
}
