//! Queries for issues.

use std::{collections::HashMap, sync::Arc};

use entity::{argument, debate, issue};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, Statement,
    sea_query::Expr,
};
use uuid::Uuid;

use super::{
    debate_cache::CachedDebate,
    issue_rows::{self, ISSUES},
    rows,
};
use crate::{
    domain::{Argument, Debate, DebateId, Issue, Ledger},
    store::{
        Store,
        error::{InconsistentRow, StoreError},
        padded_ids::padded,
    },
};

impl Store {
    /// A debate with all of its issues, both as of the same argument.
    pub async fn debate_and_issues(&self, id: DebateId) -> Result<Option<(Debate, Ledger)>, StoreError> {
        if let Some(CachedDebate { debate, ledger: Some(ledger) }) = self.caches.debates.get_current(id) {
            return Ok(Some((debate, ledger)));
        }
        let Some(mut debate) = self.debate(id).await? else { return Ok(None) };
        loop {
            if debate.issue_counts == Default::default() {
                return Ok(Some((debate, Ledger::default())));
            }
            let (issues, last_seq) = self.issues_and_last_seq(id).await?;
            if last_seq.is_none_or(|last_seq| last_seq == debate.last_seq) {
                return Ok(Some((debate, Ledger::from_store(issues))));
            }
            // An argument was added since the debate was read.
            let Some(row) = debate::Entity::find_by_id(id.0).one(&self.read).await? else { return Ok(None) };
            debate = rows::debate(row)?;
        }
    }

    /// The issues of a debate, and the `last_seq` that the debate has with them; none if there are no issues.
    async fn issues_and_last_seq(&self, id: DebateId) -> Result<(Vec<Issue>, Option<u64>), StoreError> {
        let backend = self.read.get_database_backend();
        let text = "SELECT issues.*, debates.last_seq FROM issues JOIN debates ON debates.id = issues.debate_id \
                    WHERE issues.debate_id = $1 ORDER BY issues.number";
        let select = Statement::from_sql_and_values(backend, text, [id.0.into()]);
        let (mut issues, mut last_seq) = (Vec::new(), None);
        for row in self.read.query_all_raw(select).await? {
            last_seq = Some(row.try_get::<i64>("", "last_seq")?.cast_unsigned());
            issues.push(issue_rows::issue(issue::Model::from_query_result(&row, "")?)?);
        }
        Ok((issues, last_seq))
    }

    /// The issues of a debate as they are now.
    pub async fn issues(&self, id: DebateId) -> Result<Ledger, StoreError> {
        Ok(ledgers(&self.read, vec![id.0]).await?.remove(&id).unwrap_or_default())
    }

    /// The arguments up to `last_seq` that carry changes of issues, in `seq` order.
    pub async fn arguments_with_changes(&self, id: DebateId, last_seq: u64) -> Result<Vec<Arc<Argument>>, StoreError> {
        let rows = argument::Entity::find()
            .filter(argument::Column::DebateId.eq(id.0))
            .filter(argument::Column::Seq.lte(last_seq.cast_signed()))
            // Written out, so that both databases use the index of these arguments.
            .filter(Expr::cust("issue_changes IS NOT NULL"))
            .order_by_asc(argument::Column::Seq)
            .all(&self.read)
            .await?;
        rows.into_iter().map(|row| Ok(Arc::new(rows::argument(row)?))).collect()
    }
}

/// The issues of these debates; debates without issues are left out.
pub(super) async fn ledgers(
    connection: &impl ConnectionTrait,
    ids: Vec<Uuid>,
) -> Result<HashMap<DebateId, Ledger>, StoreError> {
    let mut issues: HashMap<DebateId, Vec<Issue>> = HashMap::new();
    if !ids.is_empty() {
        for row in find_issues(connection, ids).await? {
            let debate_id = row.debate_id;
            let issues = issues.entry(DebateId(debate_id)).or_default();
            let issue = issue_rows::issue(row)?;
            if issue.number.index() != issues.len() {
                let reason = "does not follow the number before it";
                let row = format!("{} (debate {debate_id}, seq {})", issue.number, issue.changed_seq);
                return Err(InconsistentRow::new(ISSUES, "number", row, reason).into());
            }
            issues.push(issue);
        }
    }
    Ok(issues.into_iter().map(|(id, issues)| (id, Ledger::from_store(issues))).collect())
}

async fn find_issues(connection: &impl ConnectionTrait, ids: Vec<Uuid>) -> Result<Vec<issue::Model>, DbErr> {
    issue::Entity::find()
        .filter(issue::Column::DebateId.is_in(padded(ids)))
        .order_by_asc(issue::Column::DebateId)
        .order_by_asc(issue::Column::Number)
        .all(connection)
        .await
}
