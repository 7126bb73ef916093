//! Converts what the plan of a debate follows from to the JSON of its column and back.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::json;

use crate::domain::{Citation, CitedVersions, DocumentId, PlanCitations};

/// The JSON of the column `plan`.
#[derive(Deserialize)]
#[serde(untagged)]
enum PlanJson {
    Plan {
        current: Citation,
        first_version: u64,
        seen: BTreeSet<u64>,
        unseen: BTreeSet<u64>,
    },
    /// Each document with the versions that the opponent can have answered, and those that are cited later
    ByOthers(Vec<(DocumentId, BTreeSet<u64>, BTreeSet<u64>)>),
}

/// The column `plan`; none if nothing is cited.
pub(super) fn column(citations: &PlanCitations) -> Option<String> {
    let json = match citations {
        PlanCitations::ByOthers(documents) if documents.is_empty() => return None,
        PlanCitations::ByOthers(documents) => {
            let documents = documents.iter().map(|(id, CitedVersions { seen, unseen })| (id, seen, unseen));
            json!(documents.collect::<Vec<_>>())
        }
        PlanCitations::Plan { current, first_version, cited: CitedVersions { seen, unseen } } => json!({
            "current": current, "first_version": first_version, "seen": seen, "unseen": unseen,
        }),
    };
    Some(json.to_string())
}

/// What the column says; an error says what is wrong with it.
pub(super) fn parse(column: Option<&str>) -> serde_json::Result<PlanCitations> {
    let Some(json) = column else { return Ok(PlanCitations::default()) };
    Ok(match serde_json::from_str(json)? {
        PlanJson::Plan { current, first_version, seen, unseen } => {
            PlanCitations::Plan { current, first_version, cited: CitedVersions { seen, unseen } }
        }
        PlanJson::ByOthers(documents) => {
            let document = |(id, seen, unseen)| (id, CitedVersions { seen, unseen });
            PlanCitations::ByOthers(documents.into_iter().map(document).collect())
        }
    })
}
