//! The only way from rows to the debates and arguments that are served: each is checked against the hash chain.
//!
//! The hash of an argument is worked out anew from its row and the stored hash before it, which comes with the row. The hash
//! before the MOTION is worked out from the debate, so that its title and its other fixed fields are checked with it; the hash
//! of the newest argument has to be the debate's head.

use entity::{argument, debate};
use sea_orm::{
    ColumnTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QueryResult, QuerySelect, Select,
    prelude::Uuid,
    sea_query::{CaseStatement, Expr},
};

use super::{
    all_caches::FaultyDebates,
    rows::{self, ARGUMENTS, DEBATES},
};
use crate::{
    domain::{Argument, Debate, DebateId, Hash},
    store::error::{InconsistentRow, RowName},
};

/// SQL for the hash of the newest argument of a row of `debates`.
const NEWEST_HASH: &str =
    "(SELECT hash FROM arguments WHERE arguments.debate_id = debates.id AND arguments.seq = debates.last_seq)";

/// SQL for the hash before a row of `arguments`.
pub(super) const PREVIOUS_HASH: &str = "(SELECT previous.hash FROM arguments AS previous \
     WHERE previous.debate_id = arguments.debate_id AND previous.seq = arguments.seq - 1)";

/// The name of the column with [`PREVIOUS_HASH`].
pub(super) const PREVIOUS: &str = "previous_hash";

/// The name of the column with [`NEWEST_HASH`].
const NEWEST: &str = "newest_hash";

/// A row of `debates`, as far as it can be decoded.
pub(super) struct DebateRow {
    id: Uuid,
    row: Result<debate::Model, DbErr>,
}

impl FromQueryResult for DebateRow {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        Ok(Self { id: row.try_get(prefix, "id")?, row: debate::Model::from_query_result(row, prefix) })
    }
}

impl DebateRow {
    /// The debate that it is.
    pub fn id(&self) -> DebateId {
        DebateId(self.id)
    }

    /// The debate, whose head nobody has compared with the newest argument.
    pub fn debate(self) -> Result<Debate, InconsistentRow> {
        let name = RowName::Debate(self.id, None);
        rows::debate(self.row.map_err(|error| InconsistentRow::undecodable(DEBATES, name, &error))?)
    }
}

/// A row of `debates` with the stored hash of its newest argument.
pub(super) struct DebateWithNewest {
    row: DebateRow,
    newest: Result<Option<Vec<u8>>, DbErr>,
}

impl FromQueryResult for DebateWithNewest {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        Ok(Self { row: DebateRow::from_query_result(row, prefix)?, newest: row.try_get(prefix, NEWEST) })
    }
}

impl DebateWithNewest {
    /// The debate, whose head is the hash of its newest argument.
    pub fn checked(self) -> Result<Debate, InconsistentRow> {
        let debate = self.row.debate()?;
        let newest = self.newest.map_err(|error| {
            let (id, seq) = (debate.id.0, debate.last_seq.cast_signed());
            InconsistentRow::undecodable(ARGUMENTS, RowName::Argument { id: None, debate: id, seq }, &error)
        });
        match newest? {
            None => Err(rows::missing_argument(&debate, debate.last_seq)),
            Some(hash) if hash != debate.head.as_bytes() => Err(bad_head(&debate)),
            Some(_) => Ok(debate),
        }
    }
}

/// The debates, to be filtered and read as [`DebateWithNewest`].
///
/// With a lock this does not work: PostgreSQL looks the hash up before it waits for the lock, and the row up after.
pub(super) fn find_debates() -> Select<debate::Entity> {
    debate::Entity::find().column_as(Expr::cust(NEWEST_HASH), NEWEST)
}

/// A row of `arguments` with the stored hash before it, if that is needed.
pub(super) struct ArgumentRow {
    debate_id: Uuid,
    row: Result<(argument::Model, Option<Vec<u8>>), Undecodable>,
}

/// Why a row cannot be decoded, and its `seq` if that can.
struct Undecodable {
    seq: Option<i64>,
    error: DbErr,
}

impl FromQueryResult for ArgumentRow {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        let decode = || Ok((argument::Model::from_query_result(row, prefix)?, row.try_get(prefix, PREVIOUS)?));
        match decode() {
            Ok((argument, previous)) => Ok(Self { debate_id: argument.debate_id, row: Ok((argument, previous)) }),
            Err(error) => Ok(Self {
                debate_id: row.try_get(prefix, "debate_id")?,
                row: Err(Undecodable { seq: row.try_get(prefix, "seq").ok(), error }),
            }),
        }
    }
}

impl ArgumentRow {
    /// The debate that it belongs to.
    pub fn debate_id(&self) -> DebateId {
        DebateId(self.debate_id)
    }
}

/// The arguments, to be filtered and read as [`ArgumentRow`]s.
pub(super) fn find_arguments() -> Select<argument::Entity> {
    argument::Entity::find().column_as(Expr::cust(PREVIOUS_HASH), PREVIOUS)
}

/// The arguments of a debate from `first` to `last`, in order. Only the first comes with the hash before it: the others follow
/// on one another.
pub(super) fn find_range(id: DebateId, first: u64, last: u64) -> Select<argument::Entity> {
    let (first, last) = (first.cast_signed(), last.cast_signed());
    let before_first = CaseStatement::new().case(argument::Column::Seq.eq(first), Expr::cust(PREVIOUS_HASH));
    argument::Entity::find()
        .column_as(Expr::expr(before_first), PREVIOUS)
        .filter(argument::Column::DebateId.eq(id.0))
        .filter(argument::Column::Seq.between(first, last))
        .order_by_asc(argument::Column::Seq)
}

/// Checks arguments of one debate, in `seq` order. What no hash covers, [`check_chosen`] does.
pub(super) struct HistoryCheck<'c> {
    debate: &'c Debate,
    faulty: &'c FaultyDebates,
    last: Option<(u64, Hash)>,
}

impl<'c> HistoryCheck<'c> {
    /// A check of arguments that `debate` counts. Faults are noted in `faulty`.
    pub fn new(debate: &'c Debate, faulty: &'c FaultyDebates) -> Self {
        Self { debate, faulty, last: None }
    }

    /// All of these arguments.
    pub fn all(mut self, rows: Vec<ArgumentRow>) -> Result<Vec<Argument>, InconsistentRow> {
        rows.into_iter().map(|row| self.next(row)).collect()
    }

    /// The next argument.
    pub fn next(&mut self, row: ArgumentRow) -> Result<Argument, InconsistentRow> {
        let checked = self.check(row);
        if let Err(fault) = &checked {
            self.faulty.note(fault);
        }
        checked
    }

    fn check(&mut self, row: ArgumentRow) -> Result<Argument, InconsistentRow> {
        let (row, previous) = row.row.map_err(|Undecodable { seq, error }| {
            let (debate, seq) = (self.debate.id.0, seq.unwrap_or_default());
            InconsistentRow::undecodable(ARGUMENTS, RowName::Argument { id: None, debate, seq }, &error)
        })?;
        let argument = rows::unchecked_argument(row)?;
        let previous = match self.last {
            _ if argument.seq == 1 => Some(Hash::of_debate(self.debate)),
            Some((seq, hash)) if seq + 1 == argument.seq => Some(hash),
            _ => previous.as_deref().and_then(Hash::from_bytes),
        };
        let bad = |reason: &str| InconsistentRow::new(ARGUMENTS, "hash", rows::argument_name(&argument), reason);
        let previous = previous.ok_or_else(|| rows::missing_argument(self.debate, argument.seq - 1))?;
        if Hash::of_argument(&argument, previous) != argument.hash {
            return Err(bad("does not match this argument and the hash before it"));
        }
        if argument.seq > self.debate.last_seq {
            return Err(bad("is of an argument that the debate does not count"));
        }
        if !self.debate.head_agrees_with(&argument) {
            return Err(bad_head(self.debate));
        }
        self.last = Some((argument.seq, argument.hash));
        Ok(argument)
    }
}

/// Checks the label of the option that a RULING chose, which no hash covers, against the argument before it.
pub(super) fn check_chosen(ruling: &Argument, appeal: &Argument) -> Result<(), InconsistentRow> {
    let Some(chosen) = &ruling.chosen else { return Ok(()) };
    if appeal.options().get(chosen.number).is_some_and(|option| option.label == chosen.label) {
        return Ok(());
    }
    let reason = "is not the label of the option that was chosen";
    Err(InconsistentRow::new(ARGUMENTS, "chosen_label", rows::argument_name(ruling), reason))
}

fn bad_head(debate: &Debate) -> InconsistentRow {
    InconsistentRow::new(DEBATES, "head", rows::debate_name(debate), "is not the hash of the newest argument")
}
