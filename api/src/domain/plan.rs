//! Which version of which document is the plan of a debate. It follows from what the arguments cite, in `seq` order.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    argument::ArgumentKind,
    citation::Citation,
    id::DocumentId,
    role::{Role, Side},
};

/// The plan of a debate: the document that the debate is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The document, the version that is the plan now, and its hash
    #[serde(flatten)]
    pub citation: Citation,
    /// The version with which the debate began
    pub first_version: u64,
    /// The newest version that the opponent can have answered; none if there is no such version
    pub seen_version: Option<u64>,
    /// Whether the opponent can have answered the version that is the plan now
    pub seen: bool,
}

/// What the arguments of a debate have cited, as far as the plan follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanCitations {
    /// The proposer has cited no document. Any that another role has cited may become the plan
    ByOthers(BTreeMap<DocumentId, CitedVersions>),
    /// The proposer has cited a document, which is the plan for good
    Plan {
        /// The highest version of it that the newest argument of the proposer cites that cites it
        current: Citation,
        /// The highest version of it that the first argument of the proposer cites that cites any document
        first_version: u64,
        /// Which versions of it are cited
        cited: CitedVersions,
    },
}

/// Which versions of a document are cited. There is at least one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CitedVersions {
    /// Those that an argument up to and including the opponent's newest CLAIM cites
    pub seen: BTreeSet<u64>,
    /// Those that only later arguments cite
    pub unseen: BTreeSet<u64>,
}

impl Default for PlanCitations {
    fn default() -> Self {
        Self::ByOthers(BTreeMap::new())
    }
}

impl PlanCitations {
    /// What is cited after an argument of this kind with these citations.
    #[must_use]
    pub fn after(mut self, kind: &ArgumentKind, citations: &[Citation]) -> Self {
        if let (Self::ByOthers(documents), Role::Proposer, Some(first)) = (&self, kind.role(), citations.first()) {
            let cited = documents.get(&first.document_id).cloned().unwrap_or_default();
            let first_version = highest_of(first.document_id, citations).unwrap_or(*first).version;
            self = Self::Plan { current: *first, first_version, cited };
        }
        let is_claim_of_opponent = matches!(kind, ArgumentKind::Claim { by: Side::Opponent, .. });
        match &mut self {
            Self::ByOthers(documents) => {
                for citation in citations {
                    documents.entry(citation.document_id).or_default().cite(citation.version);
                }
                if is_claim_of_opponent {
                    documents.values_mut().for_each(CitedVersions::see);
                }
            }
            Self::Plan { current, cited, .. } => {
                let document_id = current.document_id;
                let of_plan = citations.iter().filter(|citation| citation.document_id == document_id);
                of_plan.for_each(|citation| cited.cite(citation.version));
                if let (Some(highest), Role::Proposer) = (highest_of(document_id, citations), kind.role()) {
                    *current = highest;
                }
                if is_claim_of_opponent {
                    cited.see();
                }
            }
        }
        self
    }

    /// The plan; none if the proposer has cited no document.
    pub fn plan(&self) -> Option<Plan> {
        match self {
            Self::ByOthers(_) => None,
            Self::Plan { current, first_version, cited } => Some(Plan {
                citation: *current,
                first_version: *first_version,
                seen_version: cited.seen.last().copied(),
                seen: cited.seen.contains(&current.version),
            }),
        }
    }
}

impl CitedVersions {
    fn cite(&mut self, version: u64) {
        if !self.seen.contains(&version) {
            self.unseen.insert(version);
        }
    }

    fn see(&mut self) {
        self.seen.append(&mut self.unseen);
    }
}

/// The citation of the highest version of a document.
fn highest_of(document_id: DocumentId, citations: &[Citation]) -> Option<Citation> {
    let of_document = citations.iter().filter(|citation| citation.document_id == document_id);
    of_document.max_by_key(|citation| citation.version).copied()
}

#[cfg(test)]
mod tests;
