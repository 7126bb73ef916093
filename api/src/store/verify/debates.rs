//! Checks that each debate follows from its arguments, and that the state counters agree.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use entity::{argument, debate, issue, search_text};
use futures_util::TryStreamExt;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, EntityTrait, FromQueryResult, QueryFilter, QueryOrder,
    QuerySelect, Statement, StreamTrait, prelude::Uuid, sea_query::Query,
};

use crate::{
    domain::{
        Argument, ArgumentId, Citation, Debate, Hash, IssueNumber, Ledger, Replay, WaitedFor, are_all_in_text, folded,
    },
    store::{
        backend::begin_read,
        debate::{
            issue_rows::{self, ISSUES},
            issues,
            row_errors::{ARGUMENTS, DEBATES, argument_name, debate_name},
            rows,
            search_texts::{self, SEARCH_TEXTS},
            state_counts,
        },
        decoded::Decoded,
        document,
        error::{InconsistentRow, RowName, StoreError},
        verify::counts::{Verified, ids_after},
    },
};

/// Checks each debate with all its arguments and issues, and adds what is wrong to `faults`. `progress` is called after each
/// page of them.
pub(super) async fn verify(
    connection: &DatabaseConnection,
    verified: &mut Verified,
    faults: &mut Vec<InconsistentRow>,
    progress: &mut impl FnMut(&Verified),
) -> Result<(), StoreError> {
    let mut ids = ids_after::<debate::Entity>(connection, DEBATES, debate::Column::Id, None, faults).await?;
    while let Some(last) = ids.last().copied() {
        for id in ids {
            // A snapshot of the debate and its arguments, as a server may write meanwhile.
            let snapshot = begin_read(connection).await?;
            let mut arguments = Vec::new();
            if let Some(history) = check(&snapshot, id, faults, |argument, _| arguments.push(argument)).await? {
                verified.unindexed +=
                    check_search_texts(&snapshot, id, history.debate.as_ref(), &arguments, faults).await?;
                verified.arguments += history.arguments;
                verified.debates += 1;
            }
            snapshot.rollback().await?;
        }
        progress(verified);
        ids = ids_after::<debate::Entity>(connection, DEBATES, debate::Column::Id, Some(last), faults).await?;
    }
    find_orphans(connection, faults).await?;
    let snapshot = begin_read(connection).await?;
    faults.extend(state_counts::faults(&snapshot).await?);
    Ok(snapshot.rollback().await?)
}

/// An argument, or a text that is searched.
#[derive(FromQueryResult)]
struct OrphanedArgument {
    id: Uuid,
    debate_id: Uuid,
    seq: i64,
}

#[derive(FromQueryResult)]
struct OrphanedIssue {
    debate_id: Uuid,
    number: i32,
    changed_seq: i64,
}

/// Finds arguments, issues and texts of debates that do not exist.
async fn find_orphans(connection: &DatabaseConnection, faults: &mut Vec<InconsistentRow>) -> Result<(), StoreError> {
    let debates = || Query::select().column(debate::Column::Id).from(debate::Entity).to_owned();
    let orphans: Vec<Decoded<OrphanedArgument>> = argument::Entity::find()
        .select_only()
        .columns([argument::Column::Id, argument::Column::DebateId, argument::Column::Seq])
        .filter(argument::Column::DebateId.not_in_subquery(debates()))
        .into_model()
        .all(connection)
        .await?;
    let argument = |OrphanedArgument { id, debate_id: debate, seq }| RowName::Argument { id: Some(id), debate, seq };
    faults.extend(orphans.into_iter().map(|row| orphan(ARGUMENTS, "debate_id", row, argument, "names no debate")));
    let orphans: Vec<Decoded<OrphanedIssue>> = issue::Entity::find()
        .select_only()
        .columns([issue::Column::DebateId, issue::Column::Number, issue::Column::ChangedSeq])
        .filter(issue::Column::DebateId.not_in_subquery(debates()))
        .into_model()
        .all(connection)
        .await?;
    let issue = |OrphanedIssue { debate_id: debate, number, changed_seq: seq }| RowName::Issue {
        number: Some(number),
        debate,
        seq,
    };
    faults.extend(orphans.into_iter().map(|row| orphan(ISSUES, "debate_id", row, issue, "names no debate")));
    let orphans: Vec<Decoded<OrphanedArgument>> = search_text::Entity::find()
        .select_only()
        .column_as(search_text::Column::ArgumentId, "id")
        .columns([search_text::Column::DebateId, search_text::Column::Seq])
        .filter(search_text::Column::DebateId.not_in_subquery(debates()))
        .into_model()
        .all(connection)
        .await?;
    faults.extend(orphans.into_iter().map(|row| orphan(SEARCH_TEXTS, "debate_id", row, argument, "names no debate")));
    Ok(())
}

/// The fault of a row that names something that does not exist, or that cannot be read.
pub(super) fn orphan<R>(
    table: &'static str,
    column: &'static str,
    Decoded(row): Decoded<R>,
    name: impl FnOnce(R) -> RowName,
    reason: &str,
) -> InconsistentRow {
    match row {
        Ok(row) => InconsistentRow::new(table, column, name(row), reason),
        Err(error) => {
            let name = RowName::Other(format!("whose {column} is none"));
            InconsistentRow::undecodable(table, name, &error)
        }
    }
}

/// A debate that was checked, whether it holds or not.
pub(in crate::store) struct CheckedHistory {
    /// The debate; none if its row cannot be one
    pub debate: Option<Debate>,
    /// The issues that the arguments lead to, up to the first argument that could not have been stored
    pub ledger: Ledger,
    /// How many arguments there are
    pub arguments: u64,
}

/// Checks a debate with all its arguments and issues, and adds what is wrong to `faults`. `each` gets the arguments in order, each with
/// what the debate waited for before it, if nothing is wrong.
/// Returns nothing if there is no such debate.
pub(in crate::store) async fn check(
    snapshot: &(impl ConnectionTrait + StreamTrait),
    id: Uuid,
    faults: &mut Vec<InconsistentRow>,
    mut each: impl FnMut(Argument, WaitedFor),
) -> Result<Option<CheckedHistory>, StoreError> {
    let row = debate::Entity::find_by_id(id).into_model::<Decoded<debate::Model>>().one(snapshot).await?;
    let Some(Decoded(row)) = row else { return Ok(None) };
    let debate = checked_row(id, row, faults);
    let mut history = History::new(id, debate.as_ref(), faults);
    let mut arguments = argument::Entity::find()
        .filter(argument::Column::DebateId.eq(id))
        .order_by_asc(argument::Column::Seq)
        .into_model::<Decoded<argument::Model>>()
        .stream(snapshot)
        .await?;
    while let Some(Decoded(row)) = arguments.try_next().await? {
        history.arguments += 1;
        match row {
            Ok(row) => {
                if let Some((argument, waited_for)) = history.add(row) {
                    each(argument, waited_for);
                }
            }
            Err(error) => {
                let name = RowName::Argument { id: None, debate: id, seq: history.next_seq() };
                history.fault(InconsistentRow::undecodable(ARGUMENTS, name, &error));
                history.give_up_following();
            }
        }
    }
    drop(arguments);
    history.check_debate();
    let History { replay, cited, arguments, .. } = history;
    let ledger = replay.map(Replay::into_ledger);
    check_cited(snapshot, id, &cited, faults).await?;
    check_issues(snapshot, id, ledger.as_ref(), faults).await?;
    Ok(Some(CheckedHistory { debate, ledger: ledger.unwrap_or_default(), arguments }))
}

/// The debate of a row, if it can be one.
fn checked_row(
    id: Uuid,
    row: Result<debate::Model, sea_orm::DbErr>,
    faults: &mut Vec<InconsistentRow>,
) -> Option<Debate> {
    let debate = row.map_err(|error| InconsistentRow::undecodable(DEBATES, RowName::Debate(id, None), &error));
    let debate = debate.and_then(|row| {
        if row.title_folded != folded(&row.title) {
            let name = RowName::Debate(id, Some(row.last_seq));
            faults.push(InconsistentRow::new(DEBATES, "title_folded", name, "is not the title with its case folded"));
        }
        rows::unchecked_debate(row)
    });
    debate.map_err(|fault| faults.push(fault)).ok()
}

/// Checks the texts to search: those of the arguments up to `indexed_seq`, and no others. Returns how many arguments come after that.
async fn check_search_texts(
    snapshot: &impl ConnectionTrait,
    id: Uuid,
    debate: Option<&Debate>,
    arguments: &[Argument],
    faults: &mut Vec<InconsistentRow>,
) -> Result<u64, StoreError> {
    let Some(debate) = debate else { return Ok(0) };
    let select = "SELECT indexed_seq FROM debates WHERE id = $1";
    let select = Statement::from_sql_and_values(snapshot.get_database_backend(), select, [id.into()]);
    let indexed = snapshot.query_one_raw(select).await?.and_then(|row| row.try_get_by_index::<i64>(0).ok());
    let Some(indexed) = indexed.filter(|indexed| (0..=debate.last_seq.cast_signed()).contains(indexed)) else {
        faults.push(InconsistentRow::new(DEBATES, "indexed_seq", debate_name(debate), "is of no argument"));
        return Ok(0);
    };
    // What should be there and what is, by argument.
    let mut texts: BTreeMap<i64, [Vec<search_text::Model>; 2]> = BTreeMap::new();
    let due = arguments.iter().flat_map(|argument| search_texts::rows_of(&debate.title, argument));
    due.filter(|row| row.seq <= indexed).for_each(|row| texts.entry(row.seq).or_default()[0].push(row));
    let stored = search_text::Entity::find().filter(search_text::Column::DebateId.eq(id));
    for Decoded(row) in stored.into_model::<Decoded<search_text::Model>>().all(snapshot).await? {
        match row {
            Ok(row) => texts.entry(row.seq).or_default()[1].push(search_text::Model { id: 0, ..row }),
            Err(error) => faults.push(InconsistentRow::undecodable(SEARCH_TEXTS, debate_name(debate), &error)),
        }
    }
    for (seq, mut texts) in texts {
        texts.iter_mut().for_each(|rows| rows.sort_by(|a, b| (a.issue, &a.kind).cmp(&(b.issue, &b.kind))));
        if texts[0] != texts[1] {
            let name = RowName::Argument { id: None, debate: id, seq };
            faults.push(InconsistentRow::new(SEARCH_TEXTS, "text", name, "are not the texts of the argument"));
        }
    }
    Ok(arguments.iter().filter(|argument| argument.seq.cast_signed() > indexed).count() as u64)
}

/// The arguments of a debate so far, and what follows from them.
struct History<'h> {
    id: Uuid,
    debate: Option<&'h Debate>,
    faults: &'h mut Vec<InconsistentRow>,
    /// None once there was an argument that cannot be read or could not have been stored: nothing can be worked out from then on
    replay: Option<Replay<'h>>,
    last: Option<LastArgument>,
    arguments: u64,
    updated_at: Option<DateTime<Utc>>,
    cited: Vec<(ArgumentId, i64, Citation)>,
}

/// The argument before the next one.
struct LastArgument {
    id: Uuid,
    seq: i64,
    /// Its hash as it is stored and as it was worked out, as far as they are known. The next argument has to follow on either:
    /// where one of them is wrong, that is a fault of this argument and none of the next
    hashes: [Option<Hash>; 2],
}

impl<'h> History<'h> {
    fn new(id: Uuid, debate: Option<&'h Debate>, faults: &'h mut Vec<InconsistentRow>) -> Self {
        Self {
            id,
            debate,
            faults,
            replay: debate.map(Replay::new),
            last: None,
            arguments: 0,
            updated_at: debate.map(|debate| debate.created_at),
            cited: Vec::new(),
        }
    }

    fn fault(&mut self, fault: InconsistentRow) {
        self.faults.push(fault);
    }

    fn next_seq(&self) -> i64 {
        self.last.as_ref().map_or(1, |last| last.seq + 1)
    }

    fn give_up_following(&mut self) {
        (self.replay, self.updated_at) = (None, None);
    }

    /// Checks the next argument. Returns it, if the row can be one, with what the debate waited for before it, if that is known.
    fn add(&mut self, row: argument::Model) -> Option<(Argument, WaitedFor)> {
        let (id, seq, stored) = (row.id, row.seq, row.hash.as_deref().and_then(Hash::from_bytes));
        let missing = self.next_seq();
        if seq > missing {
            let name = RowName::Argument { id: None, debate: self.id, seq: missing };
            let reason =
                if seq == missing + 1 { "is missing".to_owned() } else { format!("to {} are missing", seq - 1) };
            self.fault(InconsistentRow::new(ARGUMENTS, "seq", name, reason));
            self.give_up_following();
        } else if seq < missing {
            let name = RowName::Argument { id: Some(id), debate: self.id, seq };
            self.fault(InconsistentRow::new(ARGUMENTS, "seq", name, "is there more than once, or is not positive"));
            self.give_up_following();
        }
        let argument = match rows::unchecked_argument(row) {
            Ok(argument) => argument,
            Err(fault) => {
                self.fault(fault);
                self.give_up_following();
                self.last = Some(LastArgument { id, seq, hashes: [stored, None] });
                return None;
            }
        };
        let worked_out = self.check_hash(&argument);
        self.last = Some(LastArgument { id, seq, hashes: [stored, worked_out] });
        if !are_all_in_text(&argument.citations, argument.content.as_str()) {
            let reason = "are not what the content cites, in its order";
            self.fault(InconsistentRow::new(ARGUMENTS, "citations", argument_name(&argument), reason));
        }
        let waited_for = match self.replay.as_mut().map(|replay| replay.add(&argument)) {
            Some(Ok(waited_for)) => waited_for,
            Some(Err(fault)) => {
                let reason = format!("is {seq}: {fault}");
                self.fault(InconsistentRow::new(ARGUMENTS, "seq", argument_name(&argument), reason));
                self.replay = None;
                WaitedFor::default()
            }
            None => WaitedFor::default(),
        };
        self.cited.extend(argument.citations.iter().map(|citation| (argument.id, seq, *citation)));
        self.updated_at = self.updated_at.map(|time| time.max(argument.created_at));
        Some((argument, waited_for))
    }

    /// Compares the hash of the next argument with what it has to be, and returns that.
    fn check_hash(&mut self, argument: &Argument) -> Option<Hash> {
        let before = match &self.last {
            _ if argument.seq == 1 => [self.debate.map(Hash::of_debate), None],
            Some(last) if last.seq + 1 == argument.seq.cast_signed() => last.hashes,
            Some(_) | None => [None, None],
        };
        let worked_out = |before| Hash::of_argument(argument, before);
        let mut possible = before.into_iter().flatten().map(worked_out);
        let first = possible.next()?;
        if first == argument.hash || possible.any(|hash| hash == argument.hash) {
            return Some(argument.hash);
        }
        let reason = if argument.seq == 1 {
            "does not match the MOTION, or not the title, debate_type, max_rounds or created_at of its debate"
        } else {
            "does not match this argument and those before it"
        };
        self.fault(InconsistentRow::new(ARGUMENTS, "hash", argument_name(argument), reason));
        Some(first)
    }

    /// Compares the debate with what its arguments lead to.
    fn check_debate(&mut self) {
        let Some(debate) = self.debate else { return };
        let mut bad =
            |column, reason: &str| self.faults.push(InconsistentRow::new(DEBATES, column, debate_name(debate), reason));
        let Some(last) = &self.last else { return bad("last_seq", "counts arguments that are missing") };
        if debate.last_seq.cast_signed() != last.seq {
            bad("last_seq", &format!("is {}, while the arguments end at {}", debate.last_seq, last.seq));
        }
        if debate.last_argument_id.0 != last.id {
            bad("last_argument_id", "is not the newest argument");
        }
        if !last.hashes.contains(&Some(debate.head)) {
            bad("head", "is not the hash of the newest argument");
        }
        if self.updated_at.is_some_and(|time| time != debate.updated_at) {
            bad("updated_at", "is not the time of the newest argument");
        }
        // What else the writer keeps in the row of a debate is compared here with what the replay says.
        let ruling_since_fits_state = debate.ruling_since_fits_state();
        let Some(replayed) = self.replay.as_ref().and_then(Replay::debate) else {
            if !ruling_since_fits_state {
                bad("ruling_since", rows::RULING_SINCE_DOES_NOT_FIT);
            }
            return;
        };
        let is_other_state = replayed.state != debate.state;
        if is_other_state {
            bad("state", &format!("is not what the arguments lead to, {}", replayed.state.name()));
        }
        // What fits a state that was changed is part of that fault.
        let is_part_of_state = is_other_state && ruling_since_fits_state;
        if debate.ruling_since != replayed.ruling_since && !is_part_of_state {
            bad("ruling_since", "is not the time of the argument that asks for a ruling");
        }
        if debate.rounds != replayed.rounds {
            bad("rounds", "is not what the arguments lead to");
        }
        if debate.issue_counts != replayed.issue_counts {
            bad("issue_counts", "is not what the arguments lead to");
        }
        if debate.plan_citations != replayed.plan_citations {
            bad("plan", "is not what the arguments lead to");
        }
        if debate.late_target_id != replayed.late_target_id {
            bad("late_target_id", "is not what the arguments lead to");
        }
    }
}

/// Checks that the versions that arguments cite exist and have the same hash. Each comes with the id and the `seq` of its
/// argument.
async fn check_cited(
    snapshot: &impl ConnectionTrait,
    debate: Uuid,
    cited: &[(ArgumentId, i64, Citation)],
    faults: &mut Vec<InconsistentRow>,
) -> Result<(), StoreError> {
    let hashes = document::hashes(snapshot, cited.iter().map(|(_, _, citation)| citation.cited()).collect()).await?;
    for (argument, seq, citation) in cited {
        let reason = match hashes.get(&citation.cited()) {
            Some(sha256) if *sha256 == citation.sha256 => continue,
            Some(_) => " with another sha256 than that version has",
            None => ", which does not exist",
        };
        let name = RowName::Argument { id: Some(argument.0), debate, seq: *seq };
        let reason = format!("cite doc_id={} v{}{reason}", citation.document_id, citation.version);
        faults.push(InconsistentRow::new(ARGUMENTS, "citations", name, reason));
    }
    Ok(())
}

/// Compares the stored issues of a debate with those that its arguments lead to, if that is known.
async fn check_issues(
    snapshot: &impl ConnectionTrait,
    debate: Uuid,
    expected: Option<&Ledger>,
    faults: &mut Vec<InconsistentRow>,
) -> Result<(), StoreError> {
    let mut seen = BTreeSet::new();
    let bad = |number: IssueNumber, seq: u64, reason: &str| {
        let name = RowName::Issue { number: Some(number.get().cast_signed()), debate, seq: seq.cast_signed() };
        InconsistentRow::new(ISSUES, "number", name, reason)
    };
    for row in issues::find_issues(snapshot, vec![debate]).await? {
        seen.extend(row.number().and_then(issue_rows::number));
        match row.issue() {
            Ok(stored) => match expected.map(|ledger| ledger.get(stored.number)) {
                Some(None) => faults.push(bad(stored.number, stored.changed_seq, "is raised by no argument")),
                Some(Some(issue)) if **issue != stored => {
                    faults.push(bad(issue.number, issue.changed_seq, "is not what the arguments lead to"));
                }
                Some(Some(_)) | None => {}
            },
            Err(fault) => faults.push(fault),
        }
    }
    let expected = expected.into_iter().flat_map(Ledger::issues);
    let missing = expected.filter(|issue| !seen.contains(&issue.number));
    faults.extend(missing.map(|issue| bad(issue.number, issue.changed_seq, "is missing")));
    Ok(())
}
