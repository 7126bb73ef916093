//! Queries for debates and arguments.
//!
//! A debate's row has the `last_seq` of its arguments, which never change. So arguments up to that `seq`, read after the row,
//! are consistent with it without a transaction.

use std::{collections::HashMap, slice, sync::Arc};

use entity::{argument, debate};
use sea_orm::{ColumnTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr};
use uuid::Uuid;

use super::{
    issues,
    rows::{self, ARGUMENTS},
    select::{ArgumentRow, DebateWithNewest, HistoryCheck, check_chosen, find_arguments, find_debates, find_range},
};
use crate::{
    domain::{Argument, ArgumentId, Debate, DebateId, Hash, IssueCounts, Role},
    store::{
        Commit, Store,
        decoded::Decoded,
        error::{InconsistentRow, RowName, StoreError},
        fault::{Fault, WithId},
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

/// The columns of an argument that a wait needs.
#[derive(FromQueryResult)]
struct SeqAndHash {
    seq: i64,
    hash: Option<Vec<u8>>,
}

impl Store {
    /// The debate, if it exists.
    pub async fn debate(&self, id: DebateId) -> Result<Option<Debate>, StoreError> {
        if let Some(cached) = self.caches.debates.get_current(id) {
            return Ok(Some(cached.debate));
        }
        self.read_debate(id).await
    }

    /// The debate as the database has it now.
    pub(super) async fn read_debate(&self, id: DebateId) -> Result<Option<Debate>, StoreError> {
        let batch_changes = self.caches.debates.batch_changes();
        let row = find_debates().filter(debate::Column::Id.eq(id.0)).into_model().one(&self.read).await?;
        match row.map(DebateWithNewest::checked).transpose() {
            Ok(debate) => {
                debate.iter().for_each(|debate| self.caches.debates.insert_read(debate, batch_changes));
                Ok(debate)
            }
            Err(fault) => {
                self.caches.faulty.note(&fault);
                Err(fault.into())
            }
        }
    }

    /// The arguments of a range, in `seq` order. What the range has beyond the debate's newest argument is left out.
    pub async fn arguments(&self, debate: &Debate, range: Range) -> Result<Vec<Arc<Argument>>, StoreError> {
        let (after, up_to) = Range { up_to: range.up_to.min(debate.last_seq), ..range }.bounds();
        if after >= up_to {
            return Ok(Vec::new());
        }
        let (first, last) = (after.cast_unsigned() + 1, up_to.cast_unsigned());
        if let Some(cached) = self.caches.arguments.get_range(debate, first, last) {
            return Ok(cached);
        }
        let rows = find_range(debate.id, first, last).into_model().all(&self.read).await?;
        let read = rows.len() as u64;
        let arguments = self.checked(debate, rows).await?;
        match (first..).zip(&arguments).find(|(seq, argument)| argument.seq != *seq) {
            None if read == last - first + 1 => {}
            gap => {
                let missing = rows::missing_argument(debate, gap.map_or(first + read, |(seq, _)| seq));
                self.caches.faulty.note(&missing);
                return Err(missing.into());
            }
        }
        arguments.iter().for_each(|argument| self.caches.arguments.insert(debate, argument));
        Ok(arguments)
    }

    /// Checks rows of one debate, which come in `seq` order.
    pub(super) async fn checked(
        &self,
        debate: &Debate,
        rows: Vec<ArgumentRow>,
    ) -> Result<Vec<Arc<Argument>>, StoreError> {
        let arguments = HistoryCheck::new(debate, &self.caches.faulty).all(rows)?;
        let arguments: Vec<_> = arguments.into_iter().map(Arc::new).collect();
        self.check_chosen(debate, &arguments).await?;
        Ok(arguments)
    }

    /// Checks which options the RULINGs among these arguments, which come in `seq` order, chose. APPEALs that are not among them are read.
    async fn check_chosen(&self, debate: &Debate, arguments: &[Arc<Argument>]) -> Result<(), StoreError> {
        let faulty = &self.caches.faulty;
        let among = |seq: u64| Some(&arguments[arguments.binary_search_by_key(&seq, |argument| argument.seq).ok()?]);
        let chosen = || arguments.iter().filter_map(|argument| Some((argument, argument.chosen.as_ref()?.seq)));
        let others: Vec<u64> = chosen().map(|(_, seq)| seq).filter(|seq| among(*seq).is_none()).collect();
        let mut appeals = HashMap::new();
        for others in others.chunks(MAX_IDS) {
            let rows = find_arguments()
                .filter(argument::Column::DebateId.eq(debate.id.0))
                .filter(argument::Column::Seq.is_in(padded(others.to_vec())))
                .order_by_asc(argument::Column::Seq)
                .into_model()
                .all(&self.read)
                .await?;
            let read = HistoryCheck::new(debate, faulty).all(rows)?;
            appeals.extend(read.into_iter().map(|appeal| (appeal.seq, Arc::new(appeal))));
        }
        for (ruling, seq) in chosen() {
            let appeal = among(seq).or_else(|| appeals.get(&seq));
            let checked = match appeal {
                Some(appeal) => check_chosen(ruling, appeal),
                None => Err(rows::missing_argument(debate, seq)),
            };
            if let Err(fault) = checked {
                faulty.note(&fault);
                return Err(fault.into());
            }
        }
        Ok(())
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
            return Ok((motion, self.arguments(debate, Range { after: range.after.max(1), ..range }).await?));
        }
        // The range follows the MOTION, so one query reads both.
        let mut arguments = self.arguments(debate, Range { after: 0, up_to: range.up_to, newest: None }).await?;
        if arguments.first().is_none_or(|first| first.seq != 1) {
            return Err(rows::missing_argument(debate, 1).into());
        }
        let motion = arguments.remove(0);
        Ok((motion, arguments))
    }

    /// The RULINGs of a range, in `seq` order.
    pub async fn rulings(&self, debate: &Debate, range: Range) -> Result<Vec<Arc<Argument>>, StoreError> {
        let (after, up_to) = range.bounds();
        let rows = find_arguments()
            .filter(argument::Column::DebateId.eq(debate.id.0))
            .filter(argument::Column::Seq.gt(after))
            .filter(argument::Column::Seq.lte(up_to))
            // A literal, so that both databases use the index of rulings.
            .filter(Expr::cust("argument_type = 'RULING'"))
            .order_by_asc(argument::Column::Seq)
            .into_model()
            .all(&self.read)
            .await?;
        self.checked(debate, rows).await
    }

    /// The debate's newest argument.
    pub async fn newest(&self, debate: &Debate) -> Result<Arc<Argument>, StoreError> {
        self.argument_at(debate, debate.last_seq).await
    }

    pub(super) async fn argument_at(&self, debate: &Debate, seq: u64) -> Result<Arc<Argument>, StoreError> {
        let range = Range { after: seq - 1, up_to: seq, newest: None };
        self.arguments(debate, range).await?.pop().ok_or_else(|| rows::missing_argument(debate, seq).into())
    }

    /// The newest argument by another role than `role`, if there is one.
    pub async fn newest_not_by(&self, debate: &Debate, role: Role) -> Result<Option<Arc<Argument>>, StoreError> {
        let newest = self.newest(debate).await?;
        if newest.role() != role {
            return Ok(Some(newest));
        }
        let (_, up_to) = Range { after: 0, up_to: debate.last_seq, newest: None }.bounds();
        let rows = find_arguments()
            .filter(argument::Column::DebateId.eq(debate.id.0))
            .filter(argument::Column::Seq.lte(up_to))
            .filter(argument::Column::Role.ne(role.as_str()))
            .order_by_desc(argument::Column::Seq)
            .limit(1)
            .into_model()
            .all(&self.read)
            .await?;
        Ok(self.checked(debate, rows).await?.pop())
    }

    /// The `seq` and the hash of an argument; none if this debate does not have it.
    pub async fn seq_of(&self, debate: DebateId, argument: ArgumentId) -> Result<Option<(u64, Hash)>, StoreError> {
        let row: Option<Decoded<SeqAndHash>> = argument::Entity::find_by_id(argument.0)
            .filter(argument::Column::DebateId.eq(debate.0))
            .select_only()
            .columns([argument::Column::Seq, argument::Column::Hash])
            .into_model()
            .one(&self.read)
            .await?;
        let Some(Decoded(row)) = row else { return Ok(None) };
        let SeqAndHash { seq, hash } = row.map_err(|error| {
            let name = RowName::Argument { id: Some(argument.0), debate: debate.0, seq: 0 };
            InconsistentRow::undecodable(ARGUMENTS, name, &error)
        })?;
        Ok(Some(rows::seq_and_hash(debate, argument, seq, hash)?))
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

    /// These debates, each with its newest argument. Those that do not hold are logged and left out.
    pub(in crate::store) async fn newest_commits(&self, ids: Vec<DebateId>) -> Result<Vec<Arc<Commit>>, StoreError> {
        let mut found = Vec::with_capacity(ids.len());
        for ids in ids.chunks(MAX_IDS) {
            let rows: Vec<WithId<_>> = debate::Entity::find()
                .filter(debate::Column::Id.is_in(padded(ids.iter().map(|id| id.0).collect())))
                .into_model()
                .all(&self.read)
                .await?;
            let debates = rows::page(rows, 0).rows;
            let newest = debates.iter().map(|debate| debate.last_argument_id.0).collect();
            let newest = find_arguments().filter(argument::Column::Id.is_in(padded(newest)));
            let rows: Vec<ArgumentRow> = newest.into_model().all(&self.read).await?;
            let mut rows: HashMap<_, _> = rows.into_iter().map(|row| (row.debate_id(), row)).collect();
            let newest = debates.into_iter().filter_map(|debate| {
                let row = rows.remove(&debate.id)?;
                match HistoryCheck::new(&debate, &self.caches.faulty).next(row) {
                    Ok(argument) => Some((debate, Arc::new(argument))),
                    Err(fault) => {
                        Fault::left_out(&fault);
                        None
                    }
                }
            });
            let newest: Vec<_> = newest.collect();
            let with_issues = newest.iter().filter(|(debate, _)| debate.issue_counts != IssueCounts::default());
            let mut ledgers = issues::ledgers(&self.read, with_issues.map(|(debate, _)| debate.id.0).collect()).await?;
            for (debate, argument) in newest {
                match self.check_chosen(&debate, slice::from_ref(&argument)).await {
                    Err(StoreError::Inconsistent(fault)) => {
                        Fault::left_out(&fault);
                        continue;
                    }
                    checked => checked?,
                }
                let ledger = match ledgers.remove(&debate.id).transpose() {
                    Ok(ledger) => ledger.unwrap_or_default(),
                    Err(fault) => {
                        Fault::left_out(&fault);
                        continue;
                    }
                };
                self.caches.arguments.insert(&debate, &argument);
                found.push(Arc::new(Commit { debate, argument, ledger }));
            }
        }
        Ok(found)
    }
}
