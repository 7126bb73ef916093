//! The arguments whose texts are not yet in the table of texts that are searched.

use entity::argument;
use sea_orm::{ConnectionTrait, FromQueryResult, QueryResult, Statement, Value, prelude::Uuid};

use super::{row_errors::ARGUMENTS, rows};
use crate::{
    domain::{Argument, Title},
    store::{
        error::{InconsistentRow, RowName},
        padded_ids::padded,
    },
};

const SELECT: &str = "SELECT debates.title AS debate_title, debates.indexed_seq, arguments.* FROM debates JOIN arguments \
     ON arguments.debate_id = debates.id AND arguments.seq > debates.indexed_seq AND arguments.seq <= debates.last_seq";

/// The statement for the ids of debates that have such arguments, in order, from the first or from one after this.
pub(super) fn debates(connection: &impl ConnectionTrait, after: Option<Uuid>, limit: usize) -> Statement {
    let (later, values) = match after {
        Some(id) => ("AND id > $1", vec![id.into()]),
        None => ("", Vec::new()),
    };
    let sql = format!("SELECT id FROM debates WHERE indexed_seq < last_seq {later} ORDER BY id LIMIT {limit}");
    Statement::from_sql_and_values(connection.get_database_backend(), sql, values)
}

/// The statement for all such arguments of these debates.
pub(super) fn of_debates(connection: &impl ConnectionTrait, ids: &[Uuid]) -> Statement {
    let ids: Vec<Value> = padded(ids.to_vec()).into_iter().map(Into::into).collect();
    let parameters: Vec<_> = (1..=ids.len()).map(|number| format!("${number}")).collect();
    let sql = format!("{SELECT} WHERE debates.id IN ({})", parameters.join(", "));
    Statement::from_sql_and_values(connection.get_database_backend(), sql, ids)
}

/// The statement for the first such arguments of a debate after this `seq`, in order.
pub(super) fn of_debate(connection: &impl ConnectionTrait, id: Uuid, after: i64, limit: usize) -> Statement {
    let sql = format!("{SELECT} WHERE debates.id = $1 AND arguments.seq > $2 ORDER BY arguments.seq LIMIT {limit}");
    Statement::from_sql_and_values(connection.get_database_backend(), sql, [id.into(), after.into()])
}

/// An argument whose texts are missing.
pub(super) struct UnindexedArgument {
    /// The title of its debate
    pub title: Title,
    /// Up to which argument the debate has its texts, and the `seq` of this one; none if they cannot be read
    pub place: Option<(i64, i64)>,
    /// The argument, of which nobody has checked that it is as it was written
    pub argument: Result<Argument, InconsistentRow>,
}

impl From<QueryResult> for UnindexedArgument {
    fn from(row: QueryResult) -> Self {
        let seq = row.try_get::<i64>("", "seq").ok();
        let undecodable = |error| {
            let name = match row.try_get("", "debate_id") {
                Ok(debate) => RowName::Argument { id: None, debate, seq: seq.unwrap_or_default() },
                Err(_) => RowName::Other("of the newest".to_owned()),
            };
            InconsistentRow::undecodable(ARGUMENTS, name, &error)
        };
        let argument = argument::Model::from_query_result(&row, "").map_err(undecodable);
        Self {
            // What is no text is found by `verify`, and matches nothing.
            title: Title::from_store(row.try_get("", "debate_title").unwrap_or_default()),
            place: row.try_get("", "indexed_seq").ok().zip(seq),
            argument: argument.and_then(rows::unchecked_argument),
        }
    }
}
