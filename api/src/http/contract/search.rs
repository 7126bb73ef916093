//! What a search finds.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use super::{debate::serialize_time, plain_string::PlainString};
use crate::{
    app::{self, Hit},
    domain::{SearchKind, StateName},
};

/// A page of what was found.
#[derive(Debug, Clone, Object, Serialize)]
pub struct SearchResult {
    /// Newest first
    pub hits: Vec<SearchHit>,
    /// How many hits there are on all pages
    pub total: u64,
}

/// A text that was found.
#[derive(Debug, Clone, Object, Serialize)]
pub struct SearchHit {
    /// What was found: `ruling`, `issue`, `title` or `argument`
    pub kind: PlainString<SearchKind>,
    /// The debate
    pub debate_id: Uuid,
    /// The title of the debate
    pub debate_title: String,
    /// The state of the debate, as it is now
    pub debate_state: PlainString<StateName>,
    /// The `seq` of the argument that has the text; the MOTION has the title
    pub seq: u64,
    /// The id of the issue that the text is about, or null
    pub issue: Option<String>,
    /// The text; at most 300 characters around the first match
    pub text: String,
    /// When the argument was written
    #[serde(serialize_with = "serialize_time")]
    pub created_at: DateTime<Utc>,
}

impl From<app::SearchResult> for SearchResult {
    fn from(app::SearchResult { hits, total }: app::SearchResult) -> Self {
        Self { hits: hits.into_iter().map(Into::into).collect(), total }
    }
}

impl From<Hit> for SearchHit {
    fn from(Hit { debate, argument, found }: Hit) -> Self {
        Self {
            kind: found.kind.into(),
            debate_id: debate.id.0,
            debate_state: debate.state.name().into(),
            debate_title: debate.title.into_string(),
            seq: argument.seq,
            issue: found.issue.map(|issue| issue.to_string()),
            text: found.text,
            created_at: argument.created_at,
        }
    }
}
