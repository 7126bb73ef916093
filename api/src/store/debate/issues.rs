//! Queries for issues.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use entity::{argument, issue};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QueryResult, Statement,
    sea_query::Expr,
};
use uuid::Uuid;

use super::{
    debate_cache::CachedDebate,
    issue_rows::{self, ISSUES},
    rows::{DEBATES, debate_name},
    select::find_arguments,
};
use crate::{
    domain::{Argument, Debate, DebateId, Issue, IssueCounts, Ledger},
    store::{
        Store,
        error::{InconsistentRow, RowName, StoreError},
        padded_ids::padded,
    },
};

impl Store {
    /// A debate with all of its issues, both as of the same argument.
    pub async fn debate_and_issues(&self, id: DebateId) -> Result<Option<(Debate, Ledger)>, StoreError> {
        if let Some(CachedDebate { debate, ledger: Some(ledger), .. }) = self.caches.debates.get_current(id) {
            return Ok(Some((debate, ledger)));
        }
        let Some(mut debate) = self.debate(id).await? else { return Ok(None) };
        loop {
            if debate.issue_counts == Default::default() {
                return Ok(Some((debate, Ledger::default())));
            }
            let (issues, last_seq) = self.issues_and_last_seq(id).await?;
            if last_seq.is_none_or(|last_seq| last_seq == debate.last_seq) {
                if IssueCounts::of(&issues) != debate.issue_counts {
                    let reason = "are not those of the stored issues";
                    return Err(InconsistentRow::new(DEBATES, "issue_counts", debate_name(&debate), reason).into());
                }
                return Ok(Some((debate, Ledger::from_store(issues))));
            }
            // An argument was added since the debate was read.
            let Some(now) = self.read_debate(id).await? else { return Ok(None) };
            debate = now;
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
            let name = |error| InconsistentRow::undecodable(DEBATES, RowName::Debate(id.0, None), &error);
            last_seq = Some(row.try_get::<i64>("", "last_seq").map_err(name)?.cast_unsigned());
            issues.push(IssueRow::from_query_result(&row, "")?.issue()?);
        }
        Ok((issues, last_seq))
    }

    /// The issues of a debate as they are now.
    pub async fn issues(&self, id: DebateId) -> Result<Ledger, StoreError> {
        Ok(ledgers(&self.read, vec![id.0]).await?.remove(&id).transpose()?.unwrap_or_default())
    }

    /// The arguments that carry changes of issues, and those that cite something, in `seq` order.
    pub async fn arguments_for_histories(&self, debate: &Debate) -> Result<Vec<Arc<Argument>>, StoreError> {
        let mut found = BTreeMap::new();
        // Written out, and one after the other, so that both databases use the indices of these arguments.
        for condition in ["issue_changes IS NOT NULL", "citations IS NOT NULL"] {
            let rows = find_arguments()
                .filter(argument::Column::DebateId.eq(debate.id.0))
                .filter(argument::Column::Seq.lte(debate.last_seq.cast_signed()))
                .filter(Expr::cust(condition))
                .order_by_asc(argument::Column::Seq)
                .into_model()
                .all(&self.read)
                .await?;
            found.extend(self.checked(debate, rows).await?.into_iter().map(|argument| (argument.seq, argument)));
        }
        Ok(found.into_values().collect())
    }
}

/// A row of `issues`, as far as it can be decoded.
pub(in crate::store) struct IssueRow {
    debate_id: Uuid,
    number: Option<i32>,
    row: Result<issue::Model, DbErr>,
}

impl FromQueryResult for IssueRow {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        Ok(Self {
            debate_id: row.try_get(prefix, "debate_id")?,
            number: row.try_get(prefix, "number").ok(),
            row: issue::Model::from_query_result(row, prefix),
        })
    }
}

impl IssueRow {
    /// The number in the row, if that can be decoded.
    pub fn number(&self) -> Option<i32> {
        self.number
    }

    /// The issue.
    pub fn issue(self) -> Result<Issue, InconsistentRow> {
        let name = RowName::Issue { number: self.number, debate: self.debate_id, seq: 0 };
        issue_rows::issue(self.row.map_err(|error| InconsistentRow::undecodable(ISSUES, name, &error))?)
    }
}

/// The issues of debates, or what is wrong with them.
pub(super) type Ledgers = HashMap<DebateId, Result<Ledger, InconsistentRow>>;

/// The issues of these debates; debates without issues are left out.
pub(super) async fn ledgers(connection: &impl ConnectionTrait, ids: Vec<Uuid>) -> Result<Ledgers, StoreError> {
    let mut issues: HashMap<DebateId, Vec<IssueRow>> = HashMap::new();
    if !ids.is_empty() {
        for row in find_issues(connection, ids).await? {
            issues.entry(DebateId(row.debate_id)).or_default().push(row);
        }
    }
    Ok(issues.into_iter().map(|(id, issues)| (id, ledger(id, issues))).collect())
}

fn ledger(id: DebateId, rows: Vec<IssueRow>) -> Result<Ledger, InconsistentRow> {
    let mut issues = Vec::with_capacity(rows.len());
    for row in rows {
        let issue = row.issue()?;
        if issue.number.index() != issues.len() {
            let (number, seq) = (Some(issue.number.get().cast_signed()), issue.changed_seq.cast_signed());
            let name = RowName::Issue { number, debate: id.0, seq };
            return Err(InconsistentRow::new(ISSUES, "number", name, "does not follow the number before it"));
        }
        issues.push(issue);
    }
    Ok(Ledger::from_store(issues))
}

/// The rows of `issues` of these debates, by debate and number.
pub(in crate::store) async fn find_issues(
    connection: &impl ConnectionTrait,
    ids: Vec<Uuid>,
) -> Result<Vec<IssueRow>, DbErr> {
    issue::Entity::find()
        .filter(issue::Column::DebateId.is_in(padded(ids)))
        .order_by_asc(issue::Column::DebateId)
        .order_by_asc(issue::Column::Number)
        .into_model()
        .all(connection)
        .await
}
