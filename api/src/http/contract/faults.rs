//! What a list leaves out, as it cannot be read.

use poem_openapi::Object;
use serde::Serialize;
use serde_with::skip_serializing_none;
use uuid::Uuid;

use crate::app;

/// A row that cannot be read and is left out: what it is of, as far as that can be told.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct Fault {
    /// The debate
    pub debate_id: Option<Uuid>,
    /// The document
    pub document_id: Option<Uuid>,
    /// The `seq` of the argument, if it is one
    pub seq: Option<u64>,
}

impl From<app::Fault> for Fault {
    fn from(app::Fault { debate_id, document_id, seq }: app::Fault) -> Self {
        Self { debate_id: debate_id.map(|id| id.0), document_id: document_id.map(|id| id.0), seq }
    }
}

/// The first of these faults; none if there are none.
pub fn faults(found: Vec<app::Fault>) -> Option<Vec<Fault>> {
    (!found.is_empty()).then(|| found.into_iter().take(app::MAX_FAULTS).map(Into::into).collect())
}
