//! Request bodies. Unknown fields are ignored, duplicate fields are an error.

use poem_openapi::Object;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    agent::Agent,
    document::JsonObject,
    issue_change_submit::{IssueChangeSubmit, MAX_CHANGES_BYTES, NoIssueChanges},
    objects::objects,
};
use crate::domain::{DebateType, Limits, Metadata, Side, Summary, TextRule, Title};

/// A body with length limits. A text over its limit is reported before anything else that is wrong with the body.
pub trait HasLimits {
    /// How many bytes the changes of issues may have
    const MAX_CHANGES_BYTES: usize = 0;

    /// The fields that have a length limit, with their rules.
    fn rules(_limits: &Limits) -> Vec<(&'static str, TextRule)> {
        Vec::new()
    }

    /// The maximum size of the largest field in bytes.
    fn max_field_bytes(limits: &Limits) -> usize {
        limits.max_content_bytes
    }
}

macro_rules! has_limits {
    ($($body:ty: $max_changes_bytes:expr, $field:literal $rule:expr $(, $other:literal $other_rule:expr)?;)+) => {$(
        impl HasLimits for $body {
            const MAX_CHANGES_BYTES: usize = $max_changes_bytes;

            fn rules(limits: &Limits) -> Vec<(&'static str, TextRule)> {
                vec![($field, $rule(limits)) $(, ($other, $other_rule(limits)))?]
            }
        }
    )+};
}

has_limits! {
    DebateCreate: 0, "title" |_: &Limits| Title::RULE, "motion_content" Limits::content;
    ArgumentSubmit: MAX_CHANGES_BYTES, "content" Limits::content;
    AppealSubmit: MAX_CHANGES_BYTES, "content" Limits::content;
    ResolutionSubmit: 0, "content" Limits::content;
    RulingSubmit: MAX_CHANGES_BYTES, "content" Limits::content;
    InterventionSubmit: 0, "content" Limits::intervention;
}

/// A debate to be created.
#[derive(Debug, Object, Deserialize)]
pub struct DebateCreate {
    /// The debate's id, a UUID chosen by the proposer
    pub debate_id: Uuid,
    /// The title, 1 to 200 characters
    pub title: String,
    /// The type of the debate
    pub debate_type: DebateType,
    /// The content of the MOTION, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit
    pub motion_content: String,
    /// After so many CLAIMs of the opponent without a RULING, 1 to 100, the proposer has to submit an APPEAL or a
    /// RESOLUTION; no limit if absent
    pub max_rounds: Option<u64>,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
    #[oai(skip)]
    #[serde(default)]
    pub issue_changes: NoIssueChanges,
}

/// A CLAIM to be added.
#[derive(Debug, Object, Deserialize)]
pub struct ArgumentSubmit {
    /// The side that makes the CLAIM
    pub role: Side,
    /// The id of the argument that it answers
    pub target_id: Uuid,
    /// The text, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit
    pub content: String,
    /// The changes of issues that it carries, at most 50
    #[serde(default, deserialize_with = "objects")]
    pub issue_changes: Option<Vec<IssueChangeSubmit>>,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
}

/// One of the options that an APPEAL offers to the arbitrator.
#[derive(Debug, Object, Deserialize)]
pub struct AppealOptionSubmit {
    /// The short name of the option; must not be empty
    pub label: String,
    /// An explanation of the option
    pub detail: Option<String>,
    /// True if the arbitrator describes the choice in the content of the RULING
    pub free_form: Option<bool>,
}

/// An APPEAL to be added: it asks the arbitrator to decide a point.
#[derive(Debug, Object, Deserialize)]
pub struct AppealSubmit {
    /// The id of the argument that it is about
    pub target_id: Uuid,
    /// The question with its context, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit
    pub content: String,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
    /// The options for the arbitrator; "Something else" is added unless one is `free_form`
    #[serde(default, deserialize_with = "objects")]
    pub options: Option<Vec<AppealOptionSubmit>>,
    /// The changes of issues that it carries, at most 50: `refer`
    #[serde(default, deserialize_with = "objects")]
    pub issue_changes: Option<Vec<IssueChangeSubmit>>,
}

/// A RESOLUTION to be added: it asks the arbitrator to close the debate.
#[derive(Debug, Object, Deserialize)]
pub struct ResolutionSubmit {
    /// The id of the argument that it answers
    pub target_id: Uuid,
    /// What was agreed, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit
    pub content: String,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
    #[oai(skip)]
    #[serde(default)]
    pub issue_changes: NoIssueChanges,
}

/// A RULING to be added: it decides, and may close the debate.
#[derive(Debug, Object, Deserialize)]
pub struct RulingSubmit {
    /// The decision, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit
    pub content: String,
    /// Whether to close the debate; false by default
    pub close: Option<bool>,
    /// The index of the chosen option of the APPEAL, from 0
    pub chosen_option: Option<u32>,
    /// The changes of issues that it carries, at most 50
    #[serde(default, deserialize_with = "objects")]
    pub issue_changes: Option<Vec<IssueChangeSubmit>>,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: Option<String>,
}

/// An INTERVENTION to be added: it stops both sides until a ruling.
#[derive(Debug, Object, Deserialize)]
pub struct InterventionSubmit {
    /// The reason, 0 to 10,240 bytes of UTF-8 by default (`GET /info` has the limit); empty if absent
    pub content: Option<String>,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: Option<String>,
    #[oai(skip)]
    #[serde(default)]
    pub issue_changes: NoIssueChanges,
}

/// A version of a document to be stored.
#[derive(Debug, Object, Deserialize)]
pub struct DocumentSubmit {
    /// A short description, 0 to 500 characters
    pub summary: String,
    /// The text, 0 to 1,048,576 bytes of UTF-8 by default; `GET /info` has the limit
    pub content: String,
    /// Any JSON object to store with the version, at most 65,536 bytes; empty if absent
    pub metadata: Option<JsonObject>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: Option<String>,
}

impl HasLimits for DocumentSubmit {
    fn rules(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("summary", Summary::RULE), ("content", limits.document()), ("metadata", Metadata::RULE)]
    }

    fn max_field_bytes(limits: &Limits) -> usize {
        limits.max_document_bytes.max(Metadata::RULE.limit)
    }
}
