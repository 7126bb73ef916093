//! Warnings about what an argument cites.

use crate::{client::types::CitedVersion, output::warning};

/// Warns of versions that do not exist, and of those that the opponent cannot have agreed to.
pub fn warn(unknown: &[CitedVersion], unseen: &[CitedVersion]) {
    if !unknown.is_empty() {
        warning::add(format!(
            "what the argument cites does not exist: {}; cite versions as aw docs submit prints them",
            list(unknown)
        ));
    }
    if !unseen.is_empty() {
        warning::add(format!(
            "no argument up to the opponent's newest CLAIM cites {}, so the opponent cannot have agreed to it",
            list(unseen)
        ));
    }
}

fn list(cited: &[CitedVersion]) -> String {
    let citation = |CitedVersion { document_id, version }: &CitedVersion| format!("doc_id={document_id} v{version}");
    cited.iter().map(citation).collect::<Vec<_>>().join(", ")
}
