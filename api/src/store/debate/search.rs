//! The search in texts.

use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use entity::{argument, debate};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, QueryFilter, QueryResult, Statement, prelude::Uuid};

use super::{
    search_statements,
    search_texts::SEARCH_TEXTS,
    select::{ArgumentRow, DebateWithNewest, HistoryCheck, find_arguments, find_debates},
    unindexed_arguments::{self, UnindexedArgument},
};
use crate::{
    domain::{
        Argument, Debate, DebateId, SearchKind, SearchWords, SearchedText, Title, excerpt, searchable, searched_texts,
    },
    store::{
        Store,
        backend::{Rows, SearchConnection},
        decoded::Decoded,
        error::{InconsistentRow, RowName, StoreError},
        fault::{self, Fault, MAX_FAULTS},
        padded_ids::padded,
    },
};

/// How long a search looks at texts. Reading the page that it found comes after that.
const MAX_TIME: Duration = Duration::from_millis(1_900);

/// How many texts are looked at where all words are too short for an index.
const NEWEST: usize = 10_000;

/// How many debates with texts that are not yet stored for searching are looked at, and of how many the arguments are read at once.
const MAX_UNINDEXED_DEBATES: usize = 4_096;
const DEBATES_AT_ONCE: usize = 32;

/// A text that was found.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The debate as it is now
    pub debate: Debate,
    /// The argument that has it
    pub argument: Arc<Argument>,
    /// What was found, with at most 300 characters around the first match
    pub found: SearchedText,
}

/// What a search found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// A page of hits, newest first
    pub hits: Vec<Hit>,
    /// How many texts were found, without those of debates that are not there and those that the page leaves out
    pub total: u64,
    /// Whether all texts were looked at; if not, what was found is a part of what there is
    pub is_complete: bool,
    /// What was left out, since it cannot be read; at most 100
    pub faults: Vec<Fault>,
}

/// A text that has all words, as the table of texts or an argument says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TextRow {
    kind: SearchKind,
    debate_id: Uuid,
    seq: i64,
    issue: i32,
    argument_id: Uuid,
    created_at: i64,
}

impl TextRow {
    /// What hits are ordered by, newest first.
    fn newest_first(&self) -> impl Ord + use<> {
        Reverse((self.created_at, self.debate_id, self.seq, self.issue, self.kind.as_str()))
    }

    fn decode(row: &QueryResult) -> Result<Self, InconsistentRow> {
        // By their number, since finding them by name takes longer than reading them.
        let decode = || {
            let kind: String = row.try_get_by_index(0)?;
            if !row.try_get_by_index::<bool>(6)? {
                return Err(DbErr::RecordNotFound("its debate is not there".to_owned()));
            }
            Ok::<_, DbErr>(Self {
                kind: kind.parse().map_err(|error| DbErr::Type(format!("{error}")))?,
                debate_id: row.try_get_by_index(1)?,
                seq: row.try_get_by_index(2)?,
                issue: row.try_get_by_index(3)?,
                argument_id: row.try_get_by_index(4)?,
                created_at: row.try_get_by_index(5)?,
            })
        };
        decode().map_err(|error| {
            let is_debate_there = row.try_get_by_index(6).unwrap_or_default();
            let name = match (row.try_get_by_index(1), row.try_get_by_index(2)) {
                (Ok(debate), Ok(seq)) if is_debate_there => RowName::Argument { id: None, debate, seq },
                (Ok(debate), _) => RowName::Debate(debate, None),
                (Err(_), _) => RowName::Other("of a text".to_owned()),
            };
            InconsistentRow::undecodable(SEARCH_TEXTS, name, &error)
        })
    }
}

impl Store {
    /// A page of the texts of these kinds that have all words, newest first. It ends in bounded time, when not all texts may have been
    /// looked at.
    pub async fn search(
        &self,
        words: &SearchWords,
        kinds: &[SearchKind],
        limit: u64,
        offset: u64,
    ) -> Result<Found, StoreError> {
        if !words.finds_anything() {
            return Ok(Found { is_complete: true, ..Found::default() });
        }
        let Some(connection) = self.search.acquire(Instant::now() + MAX_TIME).await? else {
            // Others search, or the database does not answer, which is an error.
            self.read.execute_unprepared("SELECT 1").await?;
            return Ok(Found::default());
        };
        let mut look = Look { connection, words, kinds, found: Vec::new(), is_complete: true, faults: Vec::new() };
        look.at_all(self).await?;
        let Look { connection, mut found, is_complete, mut faults, .. } = look;
        drop(connection);
        found.sort_unstable_by_key(TextRow::newest_first);
        // Those whose texts were stored meanwhile were found twice.
        found.dedup();
        let page = found.iter().skip(usize::try_from(offset).unwrap_or(usize::MAX));
        let page: Vec<TextRow> = page.take(usize::try_from(limit).unwrap_or(usize::MAX)).copied().collect();
        let hits = self.hits(&page, words, &mut faults).await?;
        let left_out = page.len() - hits.len();
        Ok(Found { total: (found.len() - left_out) as u64, hits, is_complete, faults })
    }

    /// The hits of these rows. Those that cannot be read, or do not hold, are left out and added to `faults`.
    async fn hits(
        &self,
        page: &[TextRow],
        words: &SearchWords,
        faults: &mut Vec<Fault>,
    ) -> Result<Vec<Hit>, StoreError> {
        if page.is_empty() {
            return Ok(Vec::new());
        }
        let ids = |id: fn(&TextRow) -> Uuid| {
            let mut ids: Vec<_> = page.iter().map(id).collect();
            ids.sort_unstable();
            ids.dedup();
            padded(ids)
        };
        let debates = find_debates().filter(debate::Column::Id.is_in(ids(|row| row.debate_id)));
        let debates: Vec<DebateWithNewest> = debates.into_model().all(&self.read).await?;
        let debates = debates.into_iter().filter_map(|row| match row.checked() {
            Ok(debate) => Some((debate.id, debate)),
            Err(fault) => {
                Fault::left_out(&fault);
                None
            }
        });
        let debates: HashMap<DebateId, Debate> = debates.collect();
        let arguments = find_arguments().filter(argument::Column::Id.is_in(ids(|row| row.argument_id)));
        let arguments: Vec<Decoded<ArgumentRow>> = arguments.into_model().all(&self.read).await?;
        let arguments = arguments.into_iter().filter_map(|Decoded(row)| {
            let row = row.ok()?;
            let debate = debates.get(&row.debate_id())?;
            match HistoryCheck::new(debate, &self.caches.faulty).next(row) {
                Ok(argument) => Some((argument.id.0, Arc::new(argument))),
                Err(fault) => {
                    Fault::left_out(&fault);
                    None
                }
            }
        });
        let arguments: HashMap<Uuid, Arc<Argument>> = arguments.collect();
        let hit = |row: &TextRow| {
            let (debate, argument) = (debates.get(&DebateId(row.debate_id))?, arguments.get(&row.argument_id)?);
            let is_it = |searched: &SearchedText| {
                let issue = searched.issue.map_or(0, |issue| issue.get().cast_signed());
                searched.kind == row.kind && issue == row.issue
            };
            let found = searched_texts(&debate.title, argument).into_iter().find(is_it)?;
            let found = SearchedText { text: excerpt(&found.text, words)?, ..found };
            Some(Hit { debate: debate.clone(), argument: argument.clone(), found })
        };
        let mut hits = Vec::with_capacity(page.len());
        for row in page {
            match hit(row) {
                Some(hit) => hits.push(hit),
                None => {
                    let is_debate_read = debates.contains_key(&DebateId(row.debate_id));
                    let seq = u64::try_from(row.seq).ok().filter(|_| is_debate_read);
                    add(faults, Fault { debate_id: Some(DebateId(row.debate_id)), document_id: None, seq });
                }
            }
        }
        Ok(hits)
    }
}

fn add(faults: &mut Vec<Fault>, fault: Fault) {
    if faults.len() < MAX_FAULTS && !faults.contains(&fault) {
        faults.push(fault);
    }
}

/// A search that goes on.
struct Look<'s> {
    connection: SearchConnection,
    words: &'s SearchWords,
    kinds: &'s [SearchKind],
    found: Vec<TextRow>,
    is_complete: bool,
    faults: Vec<Fault>,
}

impl Look<'_> {
    /// Looks at all texts. What is not yet in the table comes first, so that nothing is missed that is added to it meanwhile.
    async fn at_all(&mut self, store: &Store) -> Result<(), DbErr> {
        let mut unindexed = self.at_unindexed(store).await?;
        let are_all_short = self.words.are_all_short();
        if are_all_short && unindexed.len() > NEWEST {
            unindexed.sort_unstable_by_key(|(row, _)| row.newest_first());
            unindexed.truncate(NEWEST);
            self.is_complete = false;
        }
        self.found.extend(unindexed.iter().filter(|(_, has_words)| *has_words).map(|(row, _)| row));
        let read = &store.read;
        if are_all_short {
            let rest = NEWEST - unindexed.len();
            self.at_table(search_statements::newest(read, self.words, self.kinds, rest)).await?;
            let mut is_more = false;
            let more = search_statements::more_than(read, self.kinds, rest);
            let rows = self.connection.each_row(more, |_| is_more = true).await?;
            self.is_complete &= rows == Rows::All && !is_more;
            Ok(())
        } else {
            match self.at_table(search_statements::all(read, self.words, self.kinds)).await {
                Err(error) => {
                    fault::index_left_out("texts", &error);
                    self.at_table(search_statements::all_without_index(read, self.words, self.kinds)).await
                }
                looked => looked,
            }
        }
    }

    /// The texts of these kinds that are not yet in the table, and whether they have all words.
    async fn at_unindexed(&mut self, store: &Store) -> Result<Vec<(TextRow, bool)>, DbErr> {
        let mut debates: Vec<Uuid> = Vec::new();
        let statement = unindexed_arguments::debates(&store.read, None, MAX_UNINDEXED_DEBATES + 1);
        let rows =
            self.connection.each_row(statement, |row| debates.extend(row.try_get_by_index::<Uuid>(0).ok())).await?;
        self.is_complete &= rows == Rows::All && debates.len() <= MAX_UNINDEXED_DEBATES;
        debates.truncate(MAX_UNINDEXED_DEBATES);
        let (words, kinds, faults) = (self.words, self.kinds, &mut self.faults);
        let mut texts = Vec::new();
        for debates in debates.chunks(DEBATES_AT_ONCE) {
            let statement = unindexed_arguments::of_debates(&store.read, debates);
            let rows = self.connection.each_row(statement, |row| {
                let UnindexedArgument { title, argument, .. } = row.into();
                match argument {
                    Ok(argument) => texts.extend(rows_of(&title, &argument, words, kinds)),
                    Err(fault) => add(faults, Fault::left_out(&fault)),
                }
            });
            if rows.await? == Rows::UntilDeadline {
                self.is_complete = false;
                break;
            }
        }
        if !debates.is_empty() {
            store.search_filler.wake();
        }
        Ok(texts)
    }

    async fn at_table(&mut self, statement: Statement) -> Result<(), DbErr> {
        let (found, faults) = (&mut self.found, &mut self.faults);
        let rows = self.connection.each_row(statement, |row| match TextRow::decode(&row) {
            Ok(row) => found.push(row),
            Err(fault) => add(faults, Fault::left_out(&fault)),
        });
        self.is_complete &= rows.await? == Rows::All;
        Ok(())
    }
}

/// The texts of an argument that are of these kinds, and whether they have all words.
fn rows_of<'a>(
    title: &'a Title,
    argument: &'a Argument,
    words: &'a SearchWords,
    kinds: &'a [SearchKind],
) -> impl Iterator<Item = (TextRow, bool)> + 'a {
    let texts = searched_texts(title, argument).into_iter().filter(|text| kinds.contains(&text.kind));
    texts.map(|text| {
        let row = TextRow {
            kind: text.kind,
            debate_id: argument.debate_id.0,
            seq: argument.seq.cast_signed(),
            issue: text.issue.map_or(0, |issue| issue.get().cast_signed()),
            argument_id: argument.id.0,
            created_at: argument.created_at.timestamp_micros(),
        };
        (row, words.first_match(&searchable(&text.text)).is_some())
    })
}
