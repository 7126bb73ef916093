//! The RULINGs of a debate, and what made each of them due.

use std::iter;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::Entry;
use crate::domain::{
    argument::{AppealOption, ArgumentKind, ArgumentType, ChosenOption},
    issue::IssueChange,
    text::Content,
    time_text::serialize_time,
};

/// A RULING, and what made it due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedRuling {
    /// Its `seq`
    pub seq: u64,
    /// What made it due: an APPEAL, a RESOLUTION or an INTERVENTION
    pub on: ArgumentType,
    /// The `seq` of what made it due
    pub on_seq: u64,
    /// The options of the newest APPEAL since the RULING before; none without such an APPEAL, and if it has none
    pub options: Option<Vec<AppealOption>>,
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
    #[serde(serialize_with = "serialize_time")]
    pub created_at: DateTime<Utc>,
}

/// All RULINGs, in `seq` order.
pub(super) fn rulings(entries: &[Entry]) -> Vec<RecordedRuling> {
    let before = iter::once(None).chain(entries.iter().map(Some));
    entries.iter().zip(before).filter_map(|(entry, before)| ruling(entry, before)).collect()
}

/// What an argument decides, if it is a RULING. Nothing is stored between an APPEAL and its RULING.
fn ruling(entry: &Entry, before: Option<&Entry>) -> Option<RecordedRuling> {
    let ArgumentKind::Ruling { close, chosen_option } = entry.kind else { return None };
    let due = entry.waited_for.ruling?;
    Some(RecordedRuling {
        seq: entry.seq,
        on: due.on,
        on_seq: due.seq,
        options: before.map(|before| before.kind.options().to_vec()).filter(|options| !options.is_empty()),
        chosen_option,
        chosen: entry.chosen.clone(),
        content: entry.ruling.clone()?,
        close,
        issue_changes: entry.issue_changes.clone(),
        created_at: entry.created_at,
    })
}
