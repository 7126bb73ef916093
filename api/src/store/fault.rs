//! What is told of a row that cannot be read, beside those that can.

use uuid::Uuid;

use super::error::{InconsistentRow, RowName};

/// The most faults that one answer tells.
pub(super) const MAX_FAULTS: usize = 100;

/// What a row belongs to that was left out, since it cannot be read or does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The debate
    pub debate_id: Option<Uuid>,
    /// The document
    pub document_id: Option<Uuid>,
    /// The `seq` of the argument
    pub seq: Option<u64>,
}

impl From<&InconsistentRow> for Fault {
    fn from(row: &InconsistentRow) -> Self {
        let seq = row.debate().and_then(|(_, seq)| seq).filter(|seq| *seq > 0);
        let document_id = match row.row {
            RowName::Document(id) | RowName::Version(id, _) => Some(id),
            RowName::Debate(..) | RowName::Argument { .. } | RowName::Issue { .. } | RowName::Other(_) => None,
        };
        Self { debate_id: row.debate().map(|(id, _)| id.0), document_id, seq }
    }
}
