//! How errors name the rows of debates and arguments.

use std::fmt::Display;

use entity::{argument, debate};

use crate::{
    domain::{Argument, Debate},
    store::error::{InconsistentRow, RowName},
};

pub(in crate::store) const DEBATES: &str = "debates";
pub(in crate::store) const ARGUMENTS: &str = "arguments";

/// The error for an argument: it names the debate and the `seq` besides the row.
pub(super) fn bad_argument(column: &'static str, row: &argument::Model, reason: impl Display) -> InconsistentRow {
    let name = RowName::Argument { id: Some(row.id), debate: row.debate_id, seq: row.seq };
    InconsistentRow::new(ARGUMENTS, column, name, reason)
}

/// The error for a debate.
pub(super) fn bad_debate(column: &'static str, row: &debate::Model, reason: impl Display) -> InconsistentRow {
    InconsistentRow::new(DEBATES, column, RowName::Debate(row.id, Some(row.last_seq)), reason)
}

/// How errors name a debate.
pub(in crate::store) fn debate_name(debate: &Debate) -> RowName {
    RowName::Debate(debate.id.0, Some(debate.last_seq.cast_signed()))
}

/// How errors name an argument.
pub(in crate::store) fn argument_name(argument: &Argument) -> RowName {
    RowName::Argument { id: Some(argument.id.0), debate: argument.debate_id.0, seq: argument.seq.cast_signed() }
}
