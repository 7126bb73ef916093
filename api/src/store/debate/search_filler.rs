//! Adds the texts of new arguments to the table of texts that are searched, in the background: that takes longer than storing the
//! arguments, and nobody has to wait for it, since searches look at arguments whose texts are missing, too.

use std::{
    mem,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use entity::{debate, search_text};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ConnectionTrait, EntityTrait, QueryTrait,
    prelude::Uuid,
    sea_query::{Expr, ExprTrait, OnConflict, Query},
};
use tokio::{sync::Notify, time::sleep};
use tokio_util::sync::CancellationToken;

use super::{
    search_texts,
    unindexed_arguments::{self, UnindexedArgument},
};
use crate::store::{
    backend::{self, BoundedPool},
    error::StoreError,
    guarded_statement::GuardedStatement,
};

/// How long new arguments are gathered, so that a few are added at once.
const BATCH_DELAY: Duration = Duration::from_millis(200);

/// A transaction with so many bytes of texts takes no more. The writer waits for it.
const MAX_BYTES: usize = 64 * 1024;

/// How many texts one statement adds: a statement has so many parameters at most, and many texts may be short.
const TEXTS_AT_ONCE: usize = 512;

/// How many debates, and how many arguments of one, are read at once.
const DEBATES_AT_ONCE: usize = 64;
const ARGUMENTS_AT_ONCE: usize = 16;

/// After how many transactions the indices are merged.
const TRANSACTIONS_PER_MERGE: usize = 16;

/// Fills the table.
#[derive(Debug)]
pub(in crate::store) struct SearchFiller {
    read: BoundedPool,
    write: Arc<BoundedPool>,
    woken: Notify,
    /// Whether it was woken since the last transaction, so that there may be more to write
    is_woken: AtomicBool,
}

/// Who stored what was to be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    Here,
    /// Another server, some of it: nothing was added, and what was read is outdated
    ByAnother,
}

/// What one transaction adds.
#[derive(Default)]
struct Addition {
    debates: Vec<DebateAddition>,
    bytes: usize,
}

/// The texts of the arguments of a debate after one `seq`, up to another.
struct DebateAddition {
    id: Uuid,
    after: i64,
    last: i64,
    texts: Vec<search_text::Model>,
}

impl Addition {
    /// Adds the texts of an argument, which follows on the one before it where that is of the same debate.
    fn push(&mut self, id: Uuid, indexed: i64, seq: i64, texts: Vec<search_text::Model>) {
        let bytes = |row: &search_text::Model| row.text.as_ref().or(row.argument_text.as_ref()).map_or(0, String::len);
        self.bytes += texts.iter().map(bytes).sum::<usize>();
        match self.debates.last_mut().filter(|last| last.id == id) {
            Some(debate) => {
                debate.last = seq;
                debate.texts.extend(texts);
            }
            None => self.debates.push(DebateAddition { id, after: indexed, last: seq, texts }),
        }
    }

    fn into_statements(self, connection: &impl ConnectionTrait) -> Vec<GuardedStatement> {
        let (mut texts, mut updates) = (Vec::new(), Vec::new());
        for DebateAddition { id, after, last, texts: of_debate } in self.debates {
            texts.extend(of_debate);
            let mut update = Query::update();
            update
                .table(debate::Entity)
                .value("indexed_seq", last)
                .and_where(Expr::col(debate::Column::Id).eq(id))
                .and_where(Expr::col("indexed_seq").eq(after));
            // Another server may have done it.
            updates.push(GuardedStatement {
                statement: connection.get_database_backend().build(&update),
                expected_rows: Some(1),
            });
        }
        let inserts = texts.chunks(TEXTS_AT_ONCE).map(|texts| insert(connection, texts));
        // The rows of debates come last, so that those who write to these debates wait for nothing but the commit.
        inserts.chain(updates).collect()
    }
}

fn insert(connection: &impl ConnectionTrait, texts: &[search_text::Model]) -> GuardedStatement {
    use search_text::Column::{DebateId, Issue, Kind, Seq};
    let texts = texts.iter().cloned().map(|row| search_text::ActiveModel {
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
    let there = OnConflict::columns([DebateId, Seq, Issue, Kind]).do_nothing().to_owned();
    let statement = search_text::Entity::insert_many(texts).on_conflict(there).build(connection.get_database_backend());
    GuardedStatement { statement, expected_rows: None }
}

impl SearchFiller {
    /// Reads and writes by way of these pools.
    pub fn new(read: BoundedPool, write: Arc<BoundedPool>) -> Self {
        Self { read, write, woken: Notify::new(), is_woken: AtomicBool::new(false) }
    }

    /// Says that there may be new arguments.
    pub fn wake(&self) {
        self.is_woken.store(true, Ordering::Relaxed);
        self.woken.notify_one();
    }

    /// Fills the table after the start, and whenever it is woken, until it is told to stop.
    pub async fn run(self: Arc<Self>, stop: CancellationToken) {
        let filling = async {
            let mut is_failing = false;
            loop {
                match self.fill().await {
                    Ok(()) => is_failing = false,
                    Err(error) if is_failing => tracing::debug!(%error, "the texts to search can still not be stored"),
                    Err(error) => {
                        tracing::warn!(%error, "the texts to search could not be stored; this is tried again with the next write");
                        is_failing = true;
                    }
                }
                self.woken.notified().await;
                sleep(BATCH_DELAY).await;
            }
        };
        stop.run_until_cancelled(filling).await;
    }

    /// Adds the texts of all arguments that are missing.
    async fn fill(&self) -> Result<(), StoreError> {
        let (mut addition, mut stored, mut after) = (Addition::default(), 0, None);
        loop {
            let rows =
                self.read.query_all_raw(unindexed_arguments::debates(&self.read, after, DEBATES_AT_ONCE)).await?;
            // An id that cannot be read is of no debate that has arguments.
            let ids: Vec<Uuid> = rows.iter().filter_map(|row| row.try_get_by_index(0).ok()).collect();
            let Some(last) = ids.last().copied() else { break };
            after = Some(last);
            for id in ids {
                if self.add_debate(id, &mut addition, &mut stored).await? == Stored::ByAnother {
                    self.wake();
                    return Ok(());
                }
            }
        }
        if self.store(mem::take(&mut addition), &mut stored).await? == Stored::ByAnother {
            self.wake();
        }
        if stored > 0 { self.merge().await } else { Ok(()) }
    }

    async fn add_debate(&self, id: Uuid, addition: &mut Addition, stored: &mut usize) -> Result<Stored, StoreError> {
        let (mut last, mut stored_up_to) = (0, None);
        loop {
            let statement = unindexed_arguments::of_debate(&self.read, id, last, ARGUMENTS_AT_ONCE);
            let rows = self.read.query_all_raw(statement).await?;
            let is_all = rows.len() < ARGUMENTS_AT_ONCE;
            for row in rows {
                let UnindexedArgument { title, place, argument } = row.into();
                let Some((indexed, seq)) = place else { return Ok(Stored::Here) };
                // An argument that cannot be read matches nothing.
                let texts = argument.iter().flat_map(|argument| search_texts::rows_of(&title, argument)).collect();
                addition.push(id, stored_up_to.unwrap_or(indexed), seq, texts);
                last = seq;
                if addition.bytes >= MAX_BYTES {
                    if self.store(mem::take(addition), stored).await? == Stored::ByAnother {
                        return Ok(Stored::ByAnother);
                    }
                    stored_up_to = Some(seq);
                }
            }
            if is_all {
                return Ok(Stored::Here);
            }
        }
    }

    /// Stores an addition.
    async fn store(&self, addition: Addition, stored: &mut usize) -> Result<Stored, StoreError> {
        if addition.debates.is_empty() {
            return Ok(Stored::Here);
        }
        let connection = self.write.current();
        let started = Instant::now();
        let statements = addition.into_statements(&connection);
        match self.write.bounded(backend::execute_in_transaction(&connection, statements)).await {
            Ok(()) => {}
            Err(error) if backend::is_contended(&error) => {
                tracing::debug!(%error, "another server stores the texts to search");
                return Ok(Stored::ByAnother);
            }
            Err(error) => return Err(error.into()),
        }
        *stored += 1;
        self.leave_time_to_writer(started).await;
        if stored.is_multiple_of(TRANSACTIONS_PER_MERGE) {
            self.merge().await?;
        }
        Ok(Stored::Here)
    }

    async fn merge(&self) -> Result<(), StoreError> {
        loop {
            let connection = self.write.current();
            let started = Instant::now();
            let is_more = self.write.bounded(backend::merge_some_of_text_indices(&connection)).await?;
            if !is_more {
                return Ok(());
            }
            self.leave_time_to_writer(started).await;
        }
    }

    /// Leaves the writer, if it writes, as much time as a transaction took that started then.
    async fn leave_time_to_writer(&self, started: Instant) {
        if self.is_woken.swap(false, Ordering::Relaxed) {
            sleep(started.elapsed()).await;
        }
    }
}
