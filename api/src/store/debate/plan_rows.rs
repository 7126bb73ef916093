//! Converts what the plan of a debate follows from to the JSON of its column and back.

use sea_orm::prelude::Uuid;
use serde::Deserialize;
use serde_json::json;

use super::citation_rows::CitationJson;
use crate::domain::{CitedVersions, DocumentId, PlanCitations};

/// The JSON of the column `plan`.
#[derive(Deserialize)]
#[serde(untagged)]
enum PlanJson {
    Plan {
        current: CitationJson,
        first_version: u64,
        highest: u64,
        seen: Option<u64>,
    },
    /// Each document with the highest version that is cited, and the highest that the opponent can have answered
    ByOthers(Vec<(Uuid, u64, Option<u64>)>),
}

/// The column `plan`; none if nothing is cited.
pub(super) fn column(citations: &PlanCitations) -> Option<String> {
    let json = match citations {
        PlanCitations::ByOthers(documents) if documents.is_empty() => return None,
        PlanCitations::ByOthers(documents) => {
            let documents = documents.iter().map(|(id, CitedVersions { highest, seen })| (id.0, *highest, *seen));
            json!(documents.collect::<Vec<_>>())
        }
        PlanCitations::Plan { current, first_version, cited: CitedVersions { highest, seen } } => json!({
            "current": CitationJson::from(current), "first_version": first_version, "highest": highest, "seen": seen,
        }),
    };
    Some(json.to_string())
}

/// What the column says; an error says what is wrong with it.
pub(super) fn parse(column: Option<&str>) -> Result<PlanCitations, String> {
    let Some(json) = column else { return Ok(PlanCitations::default()) };
    Ok(match serde_json::from_str(json).map_err(|error| error.to_string())? {
        PlanJson::Plan { current, first_version, highest, seen } => {
            let cited = CitedVersions { highest, seen };
            PlanCitations::Plan { current: current.try_into()?, first_version, cited }
        }
        PlanJson::ByOthers(documents) => {
            let document = |(id, highest, seen)| (DocumentId(id), CitedVersions { highest, seen });
            PlanCitations::ByOthers(documents.into_iter().map(document).collect())
        }
    })
}
