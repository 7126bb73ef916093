//! Which version of which document is the plan.

use crate::domain::{
    argument::{ArgumentKind, ArgumentType},
    citation::Citation,
    document::VersionEntry,
    role::{Role, Side},
    text::Summary,
};

use super::Entry;

/// The version of the document that the sides agreed on, or that the proposer cited last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The document, the version and the hash of its content
    pub citation: Citation,
    /// The summary of the version
    pub summary: Summary,
    /// Whether an argument up to the opponent's newest CLAIM cites it. Otherwise the opponent cannot have agreed to it
    pub seen_by_opponent: bool,
}

/// The citations of which the newest is the plan: those of the newest RESOLUTION, or, where it has none, those of the
/// proposer's newest argument that has some.
pub fn plan_candidates(entries: &[Entry]) -> &[Citation] {
    let resolution = entries.iter().rev().find(|entry| entry.kind.argument_type() == ArgumentType::Resolution);
    let of_resolution = resolution.map(|entry| &entry.citations[..]).filter(|citations| !citations.is_empty());
    let newest = || entries.iter().rev().find(|entry| entry.role() == Role::Proposer && !entry.citations.is_empty());
    of_resolution.or_else(|| newest().map(|entry| &entry.citations[..])).unwrap_or_default()
}

/// The plan, if a version of a document is one.
pub(super) fn plan(entries: &[Entry], versions: &[VersionEntry]) -> Option<Plan> {
    let candidates = plan_candidates(entries);
    let made = |citation: &Citation| {
        versions
            .iter()
            .find(|version| (version.document_id, version.version) == (citation.document_id, citation.version))
    };
    // Whatever the clock said, a version was made after the lower ones of its document.
    let is_newest_of_its_document = |citation: &&Citation| {
        !candidates.iter().any(|other| other.document_id == citation.document_id && other.version > citation.version)
    };
    // Of versions that were made at the same time, `max_by_key` returns the last.
    let (citation, version) = candidates
        .iter()
        .filter(is_newest_of_its_document)
        .filter_map(|citation| Some((citation, made(citation)?)))
        .max_by_key(|(_, version)| version.created_at)?;
    Some(Plan {
        citation: *citation,
        summary: version.summary.clone(),
        seen_by_opponent: is_seen_by_opponent(entries, citation),
    })
}

fn is_seen_by_opponent(entries: &[Entry], plan: &Citation) -> bool {
    let newest_claim =
        entries.iter().rposition(|entry| matches!(entry.kind, ArgumentKind::Claim { by: Side::Opponent, .. }));
    let seen = newest_claim.map_or(&[][..], |newest| &entries[..=newest]);
    let is_plan = |citation: &Citation| (citation.document_id, citation.version) == (plan.document_id, plan.version);
    seen.iter().any(|entry| entry.citations.iter().any(is_plan))
}
