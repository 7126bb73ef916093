//! Queries for what arguments cite.

use std::collections::HashSet;

use sea_orm::{ConnectionTrait, FromQueryResult, Statement};
use uuid::Uuid;

use super::{json_list, rows::ARGUMENTS};
use crate::{
    domain::{Argument, ArgumentKind, Citation, CitedVersion, DebateId, unseen_citations},
    store::{
        Store,
        decoded::Decoded,
        error::{InconsistentRow, RowName, StoreError},
    },
};

/// What the arguments cite up to and including the opponent's newest CLAIM before a `seq`; nothing without such a CLAIM.
const SEEN_BY_OPPONENT: &str = "SELECT id, debate_id, seq, citations FROM arguments WHERE debate_id = $1 AND citations IS NOT NULL AND seq <= \
     (SELECT seq FROM arguments WHERE debate_id = $2 AND seq < $3 AND argument_type = 'CLAIM' AND role = 'opponent' \
     ORDER BY seq DESC LIMIT 1)";

/// An argument that cites something.
#[derive(FromQueryResult)]
struct CitingRow {
    id: Uuid,
    debate_id: Uuid,
    seq: i64,
    citations: Option<String>,
}

impl Store {
    /// The versions that a RESOLUTION cites and that no argument up to and including the opponent's newest CLAIM cites; none
    /// for other arguments. It asks the database only if the RESOLUTION cites something.
    pub(in crate::store) async fn unseen_citations(
        &self,
        argument: &Argument,
    ) -> Result<Option<Vec<CitedVersion>>, StoreError> {
        match argument.kind {
            ArgumentKind::Resolution { .. } => {}
            ArgumentKind::Motion
            | ArgumentKind::Claim { .. }
            | ArgumentKind::Appeal { .. }
            | ArgumentKind::Intervention
            | ArgumentKind::Ruling { .. } => return Ok(None),
        }
        if argument.citations.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let id = argument.debate_id.0;
        let values = [id.into(), id.into(), argument.seq.cast_signed().into()];
        let seen = self.citing(argument.debate_id, SEEN_BY_OPPONENT, values).await?;
        Ok(Some(unseen_citations(&argument.citations, &seen)))
    }

    /// What the arguments cite that a query finds.
    async fn citing<const N: usize>(
        &self,
        debate: DebateId,
        query: &str,
        values: [sea_orm::Value; N],
    ) -> Result<HashSet<CitedVersion>, StoreError> {
        let select = Statement::from_sql_and_values(self.read.get_database_backend(), query, values);
        let mut cited = HashSet::new();
        for Decoded(row) in Decoded::<CitingRow>::find_by_statement(select).all(&self.read).await? {
            let row =
                row.map_err(|error| InconsistentRow::undecodable(ARGUMENTS, RowName::Debate(debate.0, None), &error))?;
            let name = || RowName::Argument { id: Some(row.id), debate: row.debate_id, seq: row.seq };
            let bad = |reason: serde_json::Error| InconsistentRow::new(ARGUMENTS, "citations", name(), reason);
            let citations: Vec<Citation> = json_list::parse(row.citations.as_deref()).map_err(bad)?;
            cited.extend(citations.iter().map(Citation::cited));
        }
        Ok(cited)
    }
}

#[cfg(test)]
mod tests;
