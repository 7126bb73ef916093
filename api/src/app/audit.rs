//! The audit log, target `audit`: a line for everything that only some may do or that takes something away. Lines have ids
//! and no contents.

use super::{App, CorrelationId, Error};
use crate::{
    domain::{ArgumentKind, DocumentId},
    store::{DebateWritten, FreeSeat},
};

impl App {
    /// Runs `work` to its end even if the caller goes away, so that nothing is stored without its line.
    pub(super) async fn audited<T: Send + 'static>(
        &self,
        request: &CorrelationId,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        self.audited.spawn(request.clone().scope(work)).await.unwrap_or_else(|error| {
            tracing::error!(%error, "an audited write failed unexpectedly");
            Err(Error::Internal)
        })
    }
}

/// Logs a RULING or an INTERVENTION, and the closing of the debate.
pub(super) fn argument(written: &DebateWritten, request: &CorrelationId) {
    if written.replayed {
        return;
    }
    let (debate_id, seq) = (written.debate.id, written.argument.seq);
    match written.argument.kind {
        ArgumentKind::Ruling { close, .. } => {
            tracing::info!(target: "audit", %debate_id, seq, request_id = %request, "ruling");
            if close {
                tracing::info!(target: "audit", %debate_id, seq, request_id = %request, "closing");
            }
        }
        ArgumentKind::Intervention => {
            tracing::info!(target: "audit", %debate_id, seq, request_id = %request, "intervention");
        }
        ArgumentKind::Motion
        | ArgumentKind::Claim { .. }
        | ArgumentKind::Appeal { .. }
        | ArgumentKind::Resolution { .. } => {}
    }
}

/// Logs that a seat was freed.
pub(super) fn seat_freed(FreeSeat { debate_id, side }: FreeSeat, request: &CorrelationId) {
    tracing::info!(target: "audit", %debate_id, role = %side, request_id = %request, "seat freed");
}

/// Logs that a document was deleted.
pub(super) fn document_deleted(document_id: DocumentId, request: &CorrelationId) {
    tracing::info!(target: "audit", %document_id, request_id = %request, "document deleted");
}
