//! Converts the citations of arguments to the JSON of their column and back.

use data_encoding::HEXLOWER_PERMISSIVE;
use entity::argument;
use sea_orm::prelude::Uuid;
use serde::{Deserialize, Serialize};

use super::row_errors::bad_argument;
use crate::{
    domain::{Citation, DocumentId, Hash},
    store::error::InconsistentRow,
};

/// A citation in JSON.
#[derive(Serialize, Deserialize)]
pub(super) struct CitationJson {
    document_id: Uuid,
    version: u64,
    /// In hexadecimal
    sha256: String,
}

impl From<&Citation> for CitationJson {
    fn from(Citation { document_id, version, sha256 }: &Citation) -> Self {
        Self { document_id: document_id.0, version: *version, sha256: sha256.to_string() }
    }
}

impl TryFrom<CitationJson> for Citation {
    type Error = String;

    fn try_from(CitationJson { document_id, version, sha256 }: CitationJson) -> Result<Self, String> {
        let sha256 = HEXLOWER_PERMISSIVE.decode(sha256.as_bytes()).ok().and_then(|bytes| Hash::from_bytes(&bytes));
        let sha256 = sha256.ok_or_else(|| "has a sha256 that is not a hash".to_owned())?;
        Ok(Self { document_id: DocumentId(document_id), version, sha256 })
    }
}

/// The column `citations`; none if nothing is cited.
pub(super) fn column(citations: &[Citation]) -> serde_json::Result<Option<String>> {
    if citations.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(&citations.iter().map(CitationJson::from).collect::<Vec<_>>()).map(Some)
}

/// The citations of the column; an error says what is wrong with it.
pub(super) fn parse(column: Option<&str>) -> Result<Vec<Citation>, String> {
    let Some(json) = column else { return Ok(Vec::new()) };
    let citations: Vec<CitationJson> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    citations.into_iter().map(TryInto::try_into).collect()
}

/// The citations of a row of `arguments`.
pub(super) fn citations(row: &argument::Model) -> Result<Vec<Citation>, InconsistentRow> {
    parse(row.citations.as_deref()).map_err(|reason| bad_argument("citations", row, reason))
}
