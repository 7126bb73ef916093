//! What a search finds.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use super::faults::{Fault, faults};
use crate::{
    app::{Found, Hit},
    domain::{SearchKind, StateName, serialize_time},
};

/// A page of what was found.
#[derive(Debug, Clone, Object, Serialize)]
pub struct SearchResult {
    /// Newest first
    pub hits: Vec<SearchHit>,
    /// How many hits there are on all pages, without those that cannot be read
    pub total: u64,
    /// Whether all texts were looked at. If not, the hits are the newest of those that were, and `total` is what was counted: a search
    /// ends after two seconds, and one for words of one or two characters alone looks at the newest 10,000 texts
    pub complete: bool,
    /// What was left out, since it cannot be read; at most 100, and absent if there is none
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faults: Option<Vec<Fault>>,
}

/// A text that was found.
#[derive(Debug, Clone, Object, Serialize)]
pub struct SearchHit {
    /// What was found: `ruling`, `issue`, `title` or `argument`
    pub kind: SearchKind,
    /// The debate
    pub debate_id: Uuid,
    /// The title of the debate
    pub debate_title: String,
    /// The state of the debate, as it is now
    pub debate_state: StateName,
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

impl From<Found> for SearchResult {
    fn from(Found { hits, total, is_complete, faults: left_out }: Found) -> Self {
        Self {
            hits: hits.into_iter().map(Into::into).collect(),
            total,
            complete: is_complete,
            faults: faults(left_out),
        }
    }
}

impl From<Hit> for SearchHit {
    fn from(Hit { debate, argument, found }: Hit) -> Self {
        Self {
            kind: found.kind,
            debate_id: debate.id.0,
            debate_state: debate.state.name(),
            debate_title: debate.title.into_string(),
            seq: argument.seq,
            issue: found.issue.map(|issue| issue.to_string()),
            text: found.text,
            created_at: argument.created_at,
        }
    }
}
