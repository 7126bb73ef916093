//! Keeps for the plan of a debate which versions the opponent can have answered, since the highest of them does not say so of the
//! others.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, Statement, prelude::Uuid},
};
use serde_json::{Value, json};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let citing = "SELECT DISTINCT debate_id FROM arguments WHERE citations IS NOT NULL";
        let citing = Statement::from_string(connection.get_database_backend(), citing);
        for row in connection.query_all_raw(citing).await? {
            fill_plan(connection, row.try_get_by_index(0)?).await?;
        }
        Ok(())
    }
}

async fn fill_plan(connection: &impl ConnectionTrait, debate_id: Uuid) -> Result<(), DbErr> {
    let backend = connection.get_database_backend();
    let select = "SELECT role, argument_type, citations FROM arguments WHERE debate_id = $1 \
         AND (citations IS NOT NULL OR (argument_type = 'CLAIM' AND role = 'opponent')) ORDER BY seq";
    let select = Statement::from_sql_and_values(backend, select, [debate_id.into()]);
    let mut cited = Cited::default();
    for row in connection.query_all_raw(select).await? {
        let (role, argument_type): (String, String) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let citations: Option<String> = row.try_get_by_index(2)?;
        // What cannot be read is reported by `verify`.
        let citations = citations.and_then(|json| json.parse().ok()).unwrap_or_default();
        cited.add(&role, &argument_type, &citations);
    }
    let values = [cited.column().into(), debate_id.into()];
    let update = Statement::from_sql_and_values(backend, "UPDATE debates SET plan = $1 WHERE id = $2", values);
    connection.execute_raw(update).await.map(drop)
}

/// The versions of a document that the opponent can have answered, and those that are cited later.
type Versions = (BTreeSet<u64>, BTreeSet<u64>);

/// What arguments cite.
#[derive(Default)]
struct Cited {
    /// The current version of the plan as a citation, and the first one
    plan: Option<(Value, u64)>,
    /// The versions of each document
    documents: BTreeMap<String, Versions>,
}

impl Cited {
    fn add(&mut self, role: &str, argument_type: &str, citations: &Value) {
        let citations = citations.as_array().map_or(&[][..], Vec::as_slice);
        for citation in citations {
            let (seen, unseen) = self.documents.entry(document(citation)).or_default();
            if !seen.contains(&version(citation)) {
                unseen.insert(version(citation));
            }
        }
        let highest_of = |id: String| {
            let of_document = citations.iter().filter(|citation| document(citation) == id);
            of_document.max_by_key(|citation| version(citation)).cloned()
        };
        if let ("proposer", Some(first)) = (role, citations.first()) {
            self.plan = match self.plan.take() {
                None => highest_of(document(first)).map(|current| (current.clone(), version(&current))),
                Some((current, first)) => Some((highest_of(document(&current)).unwrap_or(current), first)),
            };
        }
        if (role, argument_type) == ("opponent", "CLAIM") {
            self.documents.values_mut().for_each(|(seen, unseen)| seen.append(unseen));
        }
    }

    /// The column; none if nothing is cited.
    fn column(mut self) -> Option<String> {
        let column = match self.plan {
            None if self.documents.is_empty() => return None,
            None => {
                json!(self.documents.into_iter().map(|(id, (seen, unseen))| (id, seen, unseen)).collect::<Vec<_>>())
            }
            Some((current, first_version)) => {
                let (seen, unseen) = self.documents.remove(&document(&current)).unwrap_or_default();
                json!({ "current": current, "first_version": first_version, "seen": seen, "unseen": unseen })
            }
        };
        Some(column.to_string())
    }
}

fn document(citation: &Value) -> String {
    citation["document_id"].as_str().unwrap_or_default().to_owned()
}

fn version(citation: &Value) -> u64 {
    citation["version"].as_u64().unwrap_or_default()
}
