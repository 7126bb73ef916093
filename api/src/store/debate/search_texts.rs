//! The texts that are searched, in a table of their own that follows the arguments. The writer does not fill it, since that takes
//! half a millisecond for each KiB: it is filled after the start and before each search.

use std::sync::Arc;

use entity::{argument, search_text};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QueryResult, QuerySelect, Statement,
    prelude::Uuid,
    sea_query::OnConflict,
};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

use super::rows;
use crate::{
    domain::{Argument, SearchKind, Title, folded, searched_texts},
    store::{
        backend::{BoundedPool, begin_write},
        decoded::Decoded,
        error::StoreError,
    },
};

/// The table's name, for error messages.
pub(in crate::store) const SEARCH_TEXTS: &str = "search_texts";

/// How many debates, and how many arguments of each, one transaction adds: the writer waits for it.
const DEBATES_AT_ONCE: usize = 16;
const ARGUMENTS_AT_ONCE: usize = 16;

/// The rows of an argument.
pub(in crate::store) fn rows_of(title: &Title, argument: &Argument) -> impl Iterator<Item = search_text::Model> {
    let (argument_id, debate_id) = (argument.id.0, argument.debate_id.0);
    let (seq, created_at) = (argument.seq.cast_signed(), argument.created_at.timestamp_micros());
    searched_texts(title, argument).into_iter().map(move |searched| {
        let text = folded(&searched.text);
        let (text, argument_text) =
            if searched.kind == SearchKind::Argument { (None, Some(text)) } else { (Some(text), None) };
        search_text::Model {
            id: 0,
            debate_id,
            seq,
            issue: searched.issue.map_or(0, |issue| issue.get().cast_signed()),
            kind: searched.kind.as_str().to_owned(),
            argument_id,
            created_at,
            text,
            argument_text,
        }
    })
}

/// Fills the table.
#[derive(Debug)]
pub(in crate::store) struct SearchTexts {
    pool: Arc<BoundedPool>,
    filling: Mutex<()>,
}

/// A debate of which arguments are missing.
struct Behind {
    id: Uuid,
    title: Title,
    indexed_seq: i64,
    last_seq: i64,
}

impl Behind {
    fn from_row(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self {
            id: row.try_get_by_index(0)?,
            // What is no text is found by `verify`, and matches nothing.
            title: Title::from_store(row.try_get_by_index(1).unwrap_or_default()),
            indexed_seq: row.try_get_by_index(2)?,
            last_seq: row.try_get_by_index(3)?,
        })
    }
}

impl SearchTexts {
    /// Fills the table by way of this pool.
    pub fn new(pool: Arc<BoundedPool>) -> Self {
        Self { pool, filling: Mutex::default() }
    }

    /// Fills it after the start, as long as it is not told to stop.
    pub async fn fill_in_background(self: Arc<Self>, stop: CancellationToken) {
        if let Some(Err(error)) = stop.run_until_cancelled(self.fill()).await {
            tracing::warn!(%error, "the texts to search could not be stored; the next search tries again");
        }
    }

    /// Adds all arguments that are missing.
    pub async fn fill(&self) -> Result<(), StoreError> {
        let _one_at_a_time = self.filling.lock().await;
        while self.pool.bounded(self.add_some()).await? {}
        Ok(())
    }

    /// Adds some arguments. Returns whether more are missing.
    async fn add_some(&self) -> Result<bool, StoreError> {
        let connection = self.pool.current();
        let behind = behind(&connection).await?;
        let is_all = behind.len() < DEBATES_AT_ONCE;
        let mut additions = Vec::with_capacity(behind.len());
        let mut is_rest = is_all;
        for debate in behind {
            let arguments: Vec<Decoded<argument::Model>> = argument::Entity::find()
                .filter(argument::Column::DebateId.eq(debate.id))
                .filter(argument::Column::Seq.gt(debate.indexed_seq))
                .filter(argument::Column::Seq.lte(debate.last_seq))
                .order_by_asc(argument::Column::Seq)
                .limit(ARGUMENTS_AT_ONCE as u64)
                .into_model()
                .all(&connection)
                .await?;
            // An argument that cannot be read matches nothing.
            let is_full = arguments.len() == ARGUMENTS_AT_ONCE;
            let arguments = arguments.into_iter().filter_map(|Decoded(row)| rows::unchecked_argument(row.ok()?).ok());
            let arguments: Vec<_> = arguments.collect();
            let newest = arguments.last().filter(|_| is_full).map(|argument| argument.seq.cast_signed());
            is_rest &= newest.is_none_or(|newest| newest == debate.last_seq);
            let texts = arguments.iter().flat_map(|argument| rows_of(&debate.title, argument)).collect();
            additions.push((newest.unwrap_or(debate.last_seq), debate, texts));
        }
        let found = !additions.is_empty();
        if found {
            let transaction = begin_write(&connection).await?;
            for (newest, debate, texts) in additions {
                add(&transaction, &debate, newest, texts).await?;
            }
            transaction.commit().await?;
        }
        Ok(found && !is_rest)
    }
}

/// Whether any debate has arguments that are missing.
pub(super) async fn is_behind(connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let any = "SELECT 1 FROM debates WHERE indexed_seq < last_seq LIMIT 1";
    let any = Statement::from_string(connection.get_database_backend(), any);
    Ok(connection.query_one_raw(any).await?.is_some())
}

async fn behind(connection: &impl ConnectionTrait) -> Result<Vec<Behind>, DbErr> {
    let select = format!(
        "SELECT id, title, indexed_seq, last_seq FROM debates WHERE indexed_seq < last_seq ORDER BY id LIMIT {DEBATES_AT_ONCE}"
    );
    let rows = connection.query_all_raw(Statement::from_string(connection.get_database_backend(), select)).await?;
    rows.iter().map(Behind::from_row).collect()
}

/// Adds the texts of a debate up to an argument, unless another server has done it.
async fn add(
    transaction: &impl ConnectionTrait,
    debate: &Behind,
    newest: i64,
    texts: Vec<search_text::Model>,
) -> Result<(), DbErr> {
    let values = [newest.into(), debate.id.into(), debate.indexed_seq.into()];
    let update = "UPDATE debates SET indexed_seq = $1 WHERE id = $2 AND indexed_seq = $3";
    let update = Statement::from_sql_and_values(transaction.get_database_backend(), update, values);
    if transaction.execute_raw(update).await?.rows_affected() == 0 || texts.is_empty() {
        return Ok(());
    }
    let key = [
        search_text::Column::DebateId,
        search_text::Column::Seq,
        search_text::Column::Issue,
        search_text::Column::Kind,
    ];
    let texts = texts.into_iter().map(|row| search_text::ActiveModel {
        id: NotSet,
        debate_id: Set(row.debate_id),
        seq: Set(row.seq),
        issue: Set(row.issue),
        kind: Set(row.kind),
        argument_id: Set(row.argument_id),
        created_at: Set(row.created_at),
        text: Set(row.text),
        argument_text: Set(row.argument_text),
    });
    // They are there already if somebody has set `indexed_seq` back.
    let there = OnConflict::columns(key).do_nothing().to_owned();
    search_text::Entity::insert_many(texts).on_conflict(there).exec_without_returning(transaction).await.map(drop)
}
