//! The RULINGs of a debate, and what made each of them due.

use chrono::{DateTime, Utc};

use super::Entry;
use crate::domain::{
    argument::{AppealOption, ArgumentKind, ArgumentType, ChosenOption},
    issue::IssueChange,
    replay::ReplayError,
    text::Content,
};

/// A RULING, and what made it due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedRuling {
    /// Its `seq`
    pub seq: u64,
    /// What made it due: an APPEAL, a RESOLUTION or an INTERVENTION
    pub on: ArgumentType,
    /// The `seq` of what made it due
    pub on_seq: u64,
    /// The options of the newest APPEAL since the RULING before; empty without such an APPEAL, and if it has none
    pub options: Vec<AppealOption>,
    /// The index of the chosen option, from 0
    pub chosen_option: Option<usize>,
    /// The chosen option
    pub chosen: Option<ChosenOption>,
    /// Its text
    pub content: Content,
    /// Whether it closed the debate
    pub close: bool,
    /// The changes of issues that it carries
    pub issue_changes: Vec<IssueChange>,
    /// When it was stored
    pub created_at: DateTime<Utc>,
}

/// What waits for a RULING.
struct Pending {
    on: ArgumentType,
    on_seq: u64,
    options: Vec<AppealOption>,
}

/// All RULINGs, in `seq` order.
pub(super) fn rulings(entries: &[Entry]) -> Result<Vec<RecordedRuling>, ReplayError> {
    let mut rulings = Vec::new();
    let mut pending: Option<Pending> = None;
    for entry in entries {
        match &entry.kind {
            ArgumentKind::Motion | ArgumentKind::Claim { .. } => {}
            ArgumentKind::Intervention | ArgumentKind::Resolution { .. } => {
                pending.get_or_insert_with(|| due(entry));
            }
            ArgumentKind::Appeal { options, .. } => {
                pending.get_or_insert_with(|| due(entry)).options.clone_from(options);
            }
            ArgumentKind::Ruling { close, chosen_option } => {
                let (Some(Pending { on, on_seq, options }), Some(content)) = (pending.take(), &entry.ruling) else {
                    return Err(ReplayError { seq: entry.seq, reason: "is a RULING that nobody asked for" });
                };
                rulings.push(RecordedRuling {
                    seq: entry.seq,
                    on,
                    on_seq,
                    options,
                    chosen_option: *chosen_option,
                    chosen: entry.chosen.clone(),
                    content: content.clone(),
                    close: *close,
                    issue_changes: entry.issue_changes.clone(),
                    created_at: entry.created_at,
                });
            }
        }
    }
    Ok(rulings)
}

/// What the first argument since the last RULING that makes one due leads to. A late delivery comes after its INTERVENTION.
fn due(entry: &Entry) -> Pending {
    Pending { on: entry.kind.argument_type(), on_seq: entry.seq, options: Vec::new() }
}
