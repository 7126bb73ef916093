//! Queries for debates and arguments.
//!
//! A debate's row has the `last_seq` of its arguments, which never change. So arguments up to that `seq`, read after the row,
//! are consistent with it without a transaction.

use std::{collections::HashMap, sync::Arc};

use entity::{argument, debate};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr};
use uuid::Uuid;

use super::{issues, rows};
use crate::{
    domain::{Argument, ArgumentId, Debate, DebateId, Hash, Role},
    store::{
        Commit, Store,
        error::StoreError,
        padded_ids::{MAX_IDS, padded},
    },
};

/// A range of the arguments of a debate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Only arguments after this `seq`
    pub after: u64,
    /// Only arguments up to and including this `seq`
    pub up_to: u64,
    /// At most this many, the newest ones; all of them if none
    pub newest: Option<u64>,
}

impl Range {
    /// The bounds as (after, up to). Since `seq` has no gaps, the newest arguments follow from their number.
    fn bounds(self) -> (i64, i64) {
        let after = self.newest.map_or(self.after, |newest| self.after.max(self.up_to.saturating_sub(newest)));
        let bound = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
        (bound(after), bound(self.up_to))
    }
}

impl Store {
    /// The debate, if it exists.
    pub async fn debate(&self, id: DebateId) -> Result<Option<Debate>, StoreError> {
        if let Some(cached) = self.caches.debates.get_current(id) {
            return Ok(Some(cached.debate));
        }
        let row = debate::Entity::find_by_id(id.0).one(&self.read).await?;
        Ok(row.map(rows::debate).transpose()?)
    }

    /// The arguments of a range, in `seq` order.
    pub async fn arguments(&self, id: DebateId, range: Range) -> Result<Vec<Arc<Argument>>, StoreError> {
        let (after, up_to) = range.bounds();
        if after >= up_to {
            return Ok(Vec::new());
        }
        let (first, last) = (after.cast_unsigned() + 1, up_to.cast_unsigned());
        if let Some(cached) = self.caches.arguments.get_range(id, first, last) {
            return Ok(cached);
        }
        let rows = argument::Entity::find()
            .filter(argument::Column::DebateId.eq(id.0))
            .filter(argument::Column::Seq.gt(after))
            .filter(argument::Column::Seq.lte(up_to))
            .order_by_asc(argument::Column::Seq)
            .all(&self.read)
            .await?;
        let read = |row| {
            let argument = Arc::new(rows::argument(row)?);
            self.caches.arguments.insert(&argument);
            Ok(argument)
        };
        rows.into_iter().map(read).collect()
    }

    /// The MOTION, and the arguments of a range after it in `seq` order.
    pub async fn motion_and(
        &self,
        debate: &Debate,
        range: Range,
    ) -> Result<(Arc<Argument>, Vec<Arc<Argument>>), StoreError> {
        let (after, _) = range.bounds();
        if after > 1 || range.up_to <= 1 {
            let motion = self.argument_at(debate, 1).await?;
            return Ok((motion, self.arguments(debate.id, Range { after: range.after.max(1), ..range }).await?));
        }
        // The range follows the MOTION, so one query reads both.
        let mut arguments = self.arguments(debate.id, Range { after: 0, up_to: range.up_to, newest: None }).await?;
        if arguments.first().is_none_or(|first| first.seq != 1) {
            return Err(rows::missing_argument(debate, 1).into());
        }
        let motion = arguments.remove(0);
        Ok((motion, arguments))
    }

    /// The RULINGs of a range, in `seq` order.
    pub async fn rulings(&self, id: DebateId, range: Range) -> Result<Vec<Arc<Argument>>, StoreError> {
        let (after, up_to) = range.bounds();
        let rows = argument::Entity::find()
            .filter(argument::Column::DebateId.eq(id.0))
            .filter(argument::Column::Seq.gt(after))
            .filter(argument::Column::Seq.lte(up_to))
            // A literal, so that both databases use the index of rulings.
            .filter(Expr::cust("argument_type = 'RULING'"))
            .order_by_asc(argument::Column::Seq)
            .all(&self.read)
            .await?;
        rows.into_iter().map(|row| Ok(Arc::new(rows::argument(row)?))).collect()
    }

    /// The debate's newest argument.
    pub async fn newest(&self, debate: &Debate) -> Result<Arc<Argument>, StoreError> {
        self.argument_at(debate, debate.last_seq).await
    }

    async fn argument_at(&self, debate: &Debate, seq: u64) -> Result<Arc<Argument>, StoreError> {
        let range = Range { after: seq - 1, up_to: seq, newest: None };
        self.arguments(debate.id, range).await?.pop().ok_or_else(|| rows::missing_argument(debate, seq).into())
    }

    /// The newest argument by another role than `role`, if there is one.
    pub async fn newest_not_by(&self, debate: &Debate, role: Role) -> Result<Option<Arc<Argument>>, StoreError> {
        let newest = self.newest(debate).await?;
        if newest.role() != role {
            return Ok(Some(newest));
        }
        let (_, up_to) = Range { after: 0, up_to: debate.last_seq, newest: None }.bounds();
        let row = argument::Entity::find()
            .filter(argument::Column::DebateId.eq(debate.id.0))
            .filter(argument::Column::Seq.lte(up_to))
            .filter(argument::Column::Role.ne(role.as_str()))
            .order_by_desc(argument::Column::Seq)
            .limit(1)
            .one(&self.read)
            .await?;
        Ok(row.map(rows::argument).transpose()?.map(Arc::new))
    }

    /// The `seq` and the hash of an argument; none if this debate does not have it.
    pub async fn seq_of(&self, debate: DebateId, argument: ArgumentId) -> Result<Option<(u64, Hash)>, StoreError> {
        let row: Option<(i64, Option<Vec<u8>>)> = argument::Entity::find_by_id(argument.0)
            .filter(argument::Column::DebateId.eq(debate.0))
            .select_only()
            .columns([argument::Column::Seq, argument::Column::Hash])
            .into_tuple()
            .one(&self.read)
            .await?;
        Ok(row.map(|(seq, hash)| rows::seq_and_hash(argument, seq, hash)).transpose()?)
    }

    /// The `last_seq` of these debates.
    pub(in crate::store) async fn last_seqs(&self, ids: Vec<DebateId>) -> Result<Vec<(DebateId, u64)>, StoreError> {
        let mut found = Vec::with_capacity(ids.len());
        for ids in ids.chunks(MAX_IDS) {
            let rows: Vec<(Uuid, i64)> = debate::Entity::find()
                .filter(debate::Column::Id.is_in(padded(ids.iter().map(|id| id.0).collect())))
                .select_only()
                .columns([debate::Column::Id, debate::Column::LastSeq])
                .into_tuple()
                .all(&self.read)
                .await?;
            found.extend(rows.into_iter().map(|(id, seq)| (DebateId(id), seq.cast_unsigned())));
        }
        Ok(found)
    }

    /// These debates, each with its newest argument. Impossible rows are logged and left out.
    pub(in crate::store) async fn newest_commits(&self, ids: Vec<DebateId>) -> Result<Vec<Arc<Commit>>, StoreError> {
        let mut found = Vec::with_capacity(ids.len());
        for ids in ids.chunks(MAX_IDS) {
            let debates = debate::Entity::find()
                .filter(debate::Column::Id.is_in(padded(ids.iter().map(|id| id.0).collect())))
                .all(&self.read)
                .await?;
            let newest = debates.iter().map(|debate| debate.last_argument_id).collect();
            let arguments =
                argument::Entity::find().filter(argument::Column::Id.is_in(padded(newest))).all(&self.read).await?;
            let with_issues = debates.iter().filter(|row| row.issue_counts.is_some()).map(|row| row.id);
            let mut ledgers = issues::ledgers(&self.read, with_issues.collect()).await?;
            let mut arguments: HashMap<_, _> = arguments.into_iter().map(|row| (row.id, row)).collect();
            for row in debates {
                let Some(newest) = arguments.remove(&row.last_argument_id) else { continue };
                match (rows::debate(row), rows::argument(newest)) {
                    (Ok(debate), Ok(argument)) => {
                        let argument = Arc::new(argument);
                        self.caches.arguments.insert(&argument);
                        let ledger = ledgers.remove(&debate.id).unwrap_or_default();
                        found.push(Arc::new(Commit { debate, argument, ledger }));
                    }
                    (Err(row), _) | (_, Err(row)) => tracing::error!(%row, "the database has an impossible row"),
                }
            }
        }
        Ok(found)
    }
}
