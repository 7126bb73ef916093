//! What a list or a search leaves out.

use poem_openapi::Object;
use serde::Serialize;
use uuid::Uuid;

use crate::app;

/// A stored row that was left out, since it cannot be read or does not hold. Asking for the debate or the document by its id tells more.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Fault {
    /// The debate that the row belongs to
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debate_id: Option<Uuid>,
    /// The document that the row belongs to
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_id: Option<Uuid>,
    /// The `seq` of the argument
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
}

impl From<app::Fault> for Fault {
    fn from(app::Fault { debate_id, document_id, seq }: app::Fault) -> Self {
        Self { debate_id, document_id, seq }
    }
}

/// The faults of a list, which has none of them if there are none.
pub fn faults(faults: Vec<app::Fault>) -> Option<Vec<Fault>> {
    (!faults.is_empty()).then(|| faults.into_iter().map(Into::into).collect())
}
