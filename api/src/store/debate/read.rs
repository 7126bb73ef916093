//! What is read. A debate's row tells how far its arguments go; those never change, so what is read after it is of one
//! moment with it.

use std::{collections::HashMap, sync::Arc};

use entity::{argument, debate};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::rows;
use crate::{
    domain::{Argument, ArgumentId, Debate, DebateId, Hash, Role},
    store::{
        Commit, Store,
        error::StoreError,
        sets::{self, padded},
    },
};

/// A stretch of a debate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Only what comes after this `seq`
    pub after: u64,
    /// Only what comes up to this `seq`
    pub up_to: u64,
    /// Of those the newest so many; all where it is none
    pub newest: Option<u64>,
}

impl Range {
    /// The stretch as `seq` after and up to. As there are no gaps, the newest can be counted instead of sorted out.
    fn bounds(self) -> (i64, i64) {
        let after = self.newest.map_or(self.after, |newest| self.after.max(self.up_to.saturating_sub(newest)));
        let bound = |seq: u64| i64::try_from(seq).unwrap_or(i64::MAX);
        (bound(after), bound(self.up_to))
    }
}

impl Store {
    /// The debate, if there is one.
    pub async fn debate(&self, id: DebateId) -> Result<Option<Debate>, StoreError> {
        if let Some(debate) = self.memory.debate(id) {
            return Ok(Some(debate));
        }
        let row = debate::Entity::find_by_id(id.0).one(&self.read).await?;
        Ok(row.map(rows::debate).transpose()?)
    }

    /// The arguments of a stretch, in `seq` order.
    pub async fn arguments(&self, id: DebateId, range: Range) -> Result<Vec<Arc<Argument>>, StoreError> {
        let (after, up_to) = range.bounds();
        if after >= up_to {
            return Ok(Vec::new());
        }
        if let Some(recent) = self.memory.arguments(id, after.cast_unsigned() + 1, up_to.cast_unsigned()) {
            return Ok(recent);
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
            self.memory.keep(&argument);
            Ok(argument)
        };
        rows.into_iter().map(read).collect()
    }

    /// The MOTION and the arguments of a stretch after it, in `seq` order.
    pub async fn motion_and(
        &self,
        debate: &Debate,
        range: Range,
    ) -> Result<(Arc<Argument>, Vec<Arc<Argument>>), StoreError> {
        let (after, _) = range.bounds();
        if after > 1 || range.up_to <= 1 {
            let motion = self.at(debate, 1).await?;
            return Ok((motion, self.arguments(debate.id, Range { after: range.after.max(1), ..range }).await?));
        }
        // The stretch begins right behind the motion: one statement reads both.
        let mut arguments = self.arguments(debate.id, Range { after: 0, up_to: range.up_to, newest: None }).await?;
        if arguments.first().is_none_or(|first| first.seq != 1) {
            return Err(rows::missing_argument(debate, 1).into());
        }
        let motion = arguments.remove(0);
        Ok((motion, arguments))
    }

    /// The debate's newest argument.
    pub async fn newest(&self, debate: &Debate) -> Result<Arc<Argument>, StoreError> {
        self.at(debate, debate.last_seq).await
    }

    async fn at(&self, debate: &Debate, seq: u64) -> Result<Arc<Argument>, StoreError> {
        let range = Range { after: seq - 1, up_to: seq, newest: None };
        self.arguments(debate.id, range).await?.pop().ok_or_else(|| rows::missing_argument(debate, seq).into())
    }

    /// The newest argument that `role` did not write, if there is one.
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

    /// Where an argument stands in a debate, and its hash; none where it is not of this debate.
    pub async fn seq_of(&self, debate: DebateId, argument: ArgumentId) -> Result<Option<(u64, Hash)>, StoreError> {
        let place: Option<(i64, Option<Vec<u8>>)> = argument::Entity::find_by_id(argument.0)
            .filter(argument::Column::DebateId.eq(debate.0))
            .select_only()
            .columns([argument::Column::Seq, argument::Column::Hash])
            .into_tuple()
            .one(&self.read)
            .await?;
        Ok(place.map(|(seq, hash)| rows::place(argument, seq, hash)).transpose()?)
    }

    /// How far these debates have come.
    pub(in crate::store) async fn last_seqs(&self, ids: Vec<DebateId>) -> Result<Vec<(DebateId, u64)>, StoreError> {
        let mut found = Vec::with_capacity(ids.len());
        for ids in ids.chunks(sets::MOST) {
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

    /// These debates, each with its newest argument. A row that cannot be is left to whoever asks for it alone.
    pub(in crate::store) async fn newest_of(&self, ids: Vec<DebateId>) -> Result<Vec<Arc<Commit>>, StoreError> {
        let mut found = Vec::with_capacity(ids.len());
        for ids in ids.chunks(sets::MOST) {
            let debates = debate::Entity::find()
                .filter(debate::Column::Id.is_in(padded(ids.iter().map(|id| id.0).collect())))
                .all(&self.read)
                .await?;
            let newest = debates.iter().map(|debate| debate.last_argument_id).collect();
            let arguments =
                argument::Entity::find().filter(argument::Column::Id.is_in(padded(newest))).all(&self.read).await?;
            let mut arguments: HashMap<_, _> = arguments.into_iter().map(|row| (row.id, row)).collect();
            for row in debates {
                let Some(newest) = arguments.remove(&row.last_argument_id) else { continue };
                match (rows::debate(row), rows::argument(newest)) {
                    (Ok(debate), Ok(argument)) => {
                        let argument = Arc::new(argument);
                        self.memory.keep(&argument);
                        found.push(Arc::new(Commit { debate, argument }));
                    }
                    (Err(row), _) | (_, Err(row)) => tracing::error!(%row, "the store holds an impossible row"),
                }
            }
        }
        Ok(found)
    }
}
