//! The debates that a batch of writes touches: loaded together, changed in memory by one write after another, and stored
//! together.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use chrono::{DateTime, SubsecRound, Utc};
use entity::{argument, issue};
use sea_orm::{ConnectionTrait, DatabaseTransaction};
use uuid::Uuid;

use super::{
    all_caches::Caches,
    all_caches::FaultyDebates,
    batch_statements::{self, TargetRow},
    debate_cache::CachedDebate,
    debate_change::DebateChange,
    issue_rows, issues,
    rows::{self, ARGUMENTS},
    select::{ArgumentRow, HistoryCheck, check_chosen},
    state_counts,
};
use crate::{
    domain::{
        Argument, ArgumentId, ArgumentKind, AtStoring, Citation, Citations, CitedVersion, Debate, DebateId, Hash,
        IssueCounts, Ledger, NewDebate, PlanVersion, RequestId, Seats, State, StateName, Submission, SubmitError,
        cited_versions,
    },
    store::{
        ClockAndIds, Commit, DebateWrite, DebateWritten, FreeSeat, STORED_DIGITS, SeatFreed,
        decoded::Decoded,
        document::{DocumentBatch, PlanOfDebate, PlanRequest, VersionHashes},
        error::{InconsistentRow, RowName, StoreError, WriteError},
        fault::Fault,
        guarded_statement::GuardedStatement,
        insert_rows,
    },
};

/// The debates of a batch, as its writes change them.
///
/// What arguments will store besides their own rows fits in here: loaded in [`from_db`](Self::from_db), decided in
/// [`decide`](Self::decide), and turned into statements in [`into_statements`](Self::into_statements).
pub(in crate::store) struct DebateBatch {
    now: DateTime<Utc>,
    new_id: fn() -> Uuid,
    debates: HashMap<DebateId, Debate>,
    /// The arguments that requests stored, by request id
    replies: HashMap<(DebateId, RequestId), Arc<Argument>>,
    /// The debate and `seq` of the arguments that writes may answer
    target_seqs: HashMap<ArgumentId, (DebateId, u64)>,
    /// The issues of debates that have none, and of those whose issues were cached or read
    ledgers: HashMap<DebateId, Ledger>,
    /// The versions that exist among those that the writes cite
    cited: VersionHashes,
    /// What each loaded debate was like before the batch
    loaded: HashMap<DebateId, Loaded>,
    added: Vec<Arc<Commit>>,
    /// The newest arguments before the batch, of the debates of which seats may be freed or options chosen
    newest: HashMap<DebateId, Arc<Argument>>,
    /// The APPEALs of stored RULINGs that are asked for again without changes of issues, by their `seq`
    appeals: HashMap<(DebateId, u64), Arc<Argument>>,
    /// The debates of which seats were freed
    freed: HashSet<DebateId>,
    /// What is wrong with debates that do not hold, which take no writes
    faults: HashMap<DebateId, InconsistentRow>,
}

/// What a debate was like before the batch, as far as statements depend on it.
#[derive(Clone, Copy)]
struct Loaded {
    state: StateName,
    last_seq: u64,
    seats: Seats,
}

impl Loaded {
    fn new(debate: &Debate) -> Self {
        Self { state: debate.state.name(), last_seq: debate.last_seq, seats: debate.seats }
    }

    fn expected(&self) -> batch_statements::Expected {
        batch_statements::Expected {
            last_seq: self.last_seq.cast_signed(),
            proposer_seat: rows::seat_column(self.seats.proposer),
            opponent_seat: rows::seat_column(self.seats.opponent),
        }
    }
}

impl DebateBatch {
    /// Starts from the cache; none if it lacks one of the debates, or if one of them does not hold. It may be outdated and
    /// lacks earlier request ids. `cited` has the versions that exist among those that the writes cite.
    pub fn from_cache<'w>(
        caches: &Caches,
        clock_and_ids: ClockAndIds,
        cited: VersionHashes,
        writes: impl Iterator<Item = &'w DebateWrite>,
    ) -> Option<Self> {
        let (mut debates, mut ledgers, mut newest) = (HashMap::new(), HashMap::new(), HashMap::new());
        for write in writes {
            let id = write.debate_id();
            if caches.faulty.get(id).is_some() {
                return None;
            }
            match (caches.debates.get_last_seen(id), write) {
                (Some(CachedDebate { debate, ledger, .. }), _) => {
                    let lacks_issues = ledger.is_none() && has_issues(&debate);
                    if lacks_issues && matches!(write, DebateWrite::Submit(new) if needs_issues(new, &debate)) {
                        return None;
                    }
                    if needs_options(write) {
                        let cached = caches.arguments.get_range(&debate, debate.last_seq, debate.last_seq)?;
                        newest.extend(cached.into_iter().map(|argument| (id, argument)));
                    }
                    ledgers.extend(ledger.map(|ledger| (id, ledger)));
                    debates.insert(id, debate);
                }
                (None, DebateWrite::Create(_)) => {}
                (None, DebateWrite::Submit(_)) => return None,
            }
        }
        let mut batch = Self::new(clock_and_ids, debates, cited);
        batch.ledgers.extend(ledgers);
        batch.newest = newest;
        Some(batch)
    }

    /// Starts from the database, and locks the debates until the transaction ends. `cited` is as in
    /// [`from_cache`](Self::from_cache); `freed` are the debates of which seats are to be freed.
    pub async fn from_db<'w>(
        transaction: &DatabaseTransaction,
        faulty: &FaultyDebates,
        clock_and_ids: ClockAndIds,
        cited: VersionHashes,
        writes: impl Iterator<Item = &'w DebateWrite> + Clone,
        freed: impl Iterator<Item = DebateId> + Clone,
    ) -> Result<Self, StoreError> {
        let mut ids: Vec<_> =
            writes.clone().map(|write| write.debate_id().0).chain(freed.clone().map(|id| id.0)).collect();
        ids.sort_unstable();
        ids.dedup();
        let known_faults = ids.iter().filter_map(|id| Some((DebateId(*id), faulty.get(DebateId(*id))?)));
        let (mut debates, mut faults) = (HashMap::new(), known_faults.collect::<HashMap<_, _>>());
        for row in batch_statements::lock_debates(transaction, ids).await? {
            let id = row.id();
            match row.debate() {
                Ok(debate) => drop(debates.insert(id, debate)),
                Err(fault) => drop(faults.insert(id, fault)),
            }
        }
        let mut batch = Self::new(clock_and_ids, debates, cited);
        batch.faults = faults;

        let requests = writes
            .clone()
            .filter(|write| batch.debates.contains_key(&write.debate_id()))
            .filter_map(|write| Some((write.debate_id().0, write.request_id()?.as_str().to_owned())))
            .collect();
        for row in batch_statements::find_in_debates(transaction, argument::Column::ClientRequestId, requests).await? {
            let Some(argument) = batch.checked(faulty, row) else { continue };
            if let Some(id) = argument.request_id.clone() {
                batch.replies.insert((argument.debate_id, id), argument);
            }
        }

        let appeals = writes.clone().filter_map(|write| batch.appeal_of_stored(write)).collect();
        for row in batch_statements::find_in_debates(transaction, argument::Column::Seq, appeals).await? {
            let Some(appeal) = batch.checked(faulty, row) else { continue };
            batch.appeals.insert((appeal.debate_id, appeal.seq), appeal);
        }
        for ((id, _), ruling) in &batch.replies {
            let appeal = ruling.chosen.as_ref().and_then(|chosen| batch.appeals.get(&(*id, chosen.seq)));
            if let Some(Err(fault)) = appeal.map(|appeal| check_chosen(ruling, appeal)) {
                faulty.note(&fault);
                batch.faults.insert(*id, fault);
            }
        }

        let of_choices = writes.clone().filter(|write| needs_options(write)).map(DebateWrite::debate_id);
        let newest = freed.clone().chain(of_choices);
        let newest = newest.filter_map(|id| Some(batch.debates.get(&id)?.last_argument_id.0)).collect();
        for row in batch_statements::find_arguments(transaction, newest).await? {
            let Some(argument) = batch.checked(faulty, row) else { continue };
            batch.newest.insert(argument.debate_id, argument);
        }

        let needed = batch.debates_with_needed_issues(writes.clone(), freed);
        for (id, ledger) in issues::ledgers(transaction, needed).await? {
            match ledger {
                Ok(ledger) => drop(batch.ledgers.insert(id, ledger)),
                Err(fault) => drop(batch.faults.insert(id, fault)),
            }
        }

        let targets = writes
            .filter_map(DebateWrite::target_id)
            .filter(|id| !batch.target_seqs.contains_key(id))
            .map(|id| id.0)
            .collect();
        for Decoded(row) in batch_statements::find_target_seqs(transaction, targets).await? {
            match row {
                Ok(TargetRow { id, debate_id, seq }) => {
                    batch.target_seqs.insert(ArgumentId(id), (DebateId(debate_id), seq.cast_unsigned()));
                }
                Err(error) => {
                    // It hides no other: what answers it is told that there is no such argument.
                    let name = RowName::Other("that is answered".to_owned());
                    Fault::left_out(&InconsistentRow::undecodable(ARGUMENTS, name, &error));
                }
            }
        }
        Ok(batch)
    }

    fn new(clock_and_ids: ClockAndIds, debates: HashMap<DebateId, Debate>, cited: VersionHashes) -> Self {
        Self {
            now: (clock_and_ids.now)().trunc_subsecs(STORED_DIGITS),
            new_id: clock_and_ids.new_id,
            // Most writes answer the newest argument, whose `seq` the debate has.
            target_seqs: debates
                .values()
                .map(|debate| (debate.last_argument_id, (debate.id, debate.last_seq)))
                .collect(),
            loaded: debates.values().map(|debate| (debate.id, Loaded::new(debate))).collect(),
            ledgers: debates
                .values()
                .filter(|debate| !has_issues(debate))
                .map(|debate| (debate.id, Ledger::default()))
                .collect(),
            debates,
            replies: HashMap::new(),
            cited,
            added: Vec::new(),
            newest: HashMap::new(),
            appeals: HashMap::new(),
            freed: HashSet::new(),
            faults: HashMap::new(),
        }
    }

    /// The debate and the `seq` of the APPEAL of which the RULING that is stored under the request id of a write chose an option.
    fn appeal_of_stored(&self, write: &DebateWrite) -> Option<(Uuid, i64)> {
        let id = write.debate_id();
        let stored = self.replies.get(&(id, write.request_id()?.clone()))?;
        Some((id.0, stored.chosen.as_ref()?.seq.cast_signed()))
    }

    /// The argument of a row; none if it does not hold, which the writes to its debate are then told.
    fn checked(&mut self, faulty: &FaultyDebates, row: ArgumentRow) -> Option<Arc<Argument>> {
        let id = row.debate_id();
        match HistoryCheck::new(self.debates.get(&id)?, faulty).next(row) {
            Ok(argument) => Some(Arc::new(argument)),
            Err(fault) => {
                self.faults.insert(id, fault);
                None
            }
        }
    }

    /// Nothing is built on a debate that does not hold.
    fn check_holds(&self, id: DebateId) -> Result<(), StoreError> {
        self.faults.get(&id).map_or(Ok(()), |fault| Err(fault.clone().into()))
    }

    /// The debates whose issues are needed to decide or to answer these writes. Which of them an earlier write of the batch
    /// makes necessary is not known yet, so that any change of issues counts.
    fn debates_with_needed_issues<'w>(
        &self,
        writes: impl Iterator<Item = &'w DebateWrite> + Clone,
        freed: impl Iterator<Item = DebateId>,
    ) -> Vec<Uuid> {
        let changes_issues = |id: DebateId| {
            writes.clone().any(|write| match write {
                DebateWrite::Submit(submission) => submission.debate_id == id && submission.may_change_issues(),
                DebateWrite::Create(_) => false,
            })
        };
        let needs = |write: &DebateWrite, debate: &Debate| match write {
            DebateWrite::Create(_) => false,
            DebateWrite::Submit(submission) => {
                let reply = submission.request_id.as_ref().and_then(|id| self.replies.get(&(debate.id, id.clone())));
                needs_issues(submission, debate)
                    || reply.is_some_and(|reply| !reply.changed_issues.is_empty())
                    || changes_issues(debate.id)
            }
        };
        let mut ids: Vec<_> = writes
            .clone()
            .filter_map(|write| Some((write, self.debates.get(&write.debate_id())?)))
            .filter(|(write, debate)| has_issues(debate) && needs(write, debate))
            .map(|(_, debate)| debate)
            .chain(freed.filter_map(|id| self.debates.get(&id)).filter(|debate| has_issues(debate)))
            .map(|debate| debate.id.0)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The requests that store the plans of these writes, and the documents of which the plans may become versions: that of the
    /// debate's plan, or while it has none, any that a write of the batch cites.
    pub fn plan_requests<'w>(&self, writes: impl Iterator<Item = &'w DebateWrite> + Clone) -> Vec<PlanRequest> {
        let request = |write: &DebateWrite| {
            let (id, request_id) = (write.debate_id(), write.plan()?.request_id.clone());
            let documents = match self.debates.get(&id).and_then(Debate::plan) {
                Some(plan) => vec![plan.citation.document_id],
                None => {
                    let of_debate = writes.clone().filter(|other| other.debate_id() == id);
                    of_debate.flat_map(|other| cited_versions(other.text())).map(|cited| cited.document_id).collect()
                }
            };
            Some(PlanRequest { request_id, documents })
        };
        writes.clone().filter_map(request).collect()
    }

    /// Decides a write, on top of the writes decided before it.
    pub fn decide(&mut self, write: &DebateWrite, documents: &mut DocumentBatch) -> Result<DebateWritten, WriteError> {
        self.check_holds(write.debate_id())?;
        match write {
            DebateWrite::Create(new) => self.create(new, documents),
            DebateWrite::Submit(submission) => self.submit(submission, documents),
        }
    }

    fn create(&mut self, new: &NewDebate, documents: &mut DocumentBatch) -> Result<DebateWritten, WriteError> {
        if let Some(debate) = self.debates.get(&new.id) {
            let reply = self.replies.get(&(new.id, new.request_id.clone()));
            if reply.is_some_and(|reply| reply.kind == ArgumentKind::Motion) {
                new.check_seat(debate)?;
            }
            return match reply {
                Some(motion) if motion.kind == ArgumentKind::Motion && new.is_repeated_by(debate, motion) => {
                    Ok(self.replayed(debate, motion))
                }
                Some(motion) if motion.kind == ArgumentKind::Motion => {
                    Err(WriteError::IdempotencyConflict(new.request_id.clone()))
                }
                Some(_) | None => Err(WriteError::DebateExists(new.id)),
            };
        }
        let of_debate = PlanOfDebate { title: &new.title, argument: &new.motion, plan: None, now: self.now };
        let version = new.plan.as_ref().map(|plan| documents.plan_version(plan, of_debate)).transpose();
        let version = version.map_err(|refusal| WriteError::Refused(SubmitError::plan(refusal, &State::initial())))?;
        let cited = version.as_ref().map(PlanVersion::citation);
        let motion = cited.map_or_else(|| new.motion.clone(), |cited| new.motion.citing_plan(&cited));
        let Citations { known, unknown } = self.citations(motion.as_str(), cited);
        let created = NewDebate { motion, plan: None, ..new.clone() };
        let (debate, motion) = created.create(known, ArgumentId((self.new_id)()), self.now);
        if let (Some(version), Some(plan)) = (version, &new.plan) {
            documents.store_plan(version, plan.request_id.clone());
        }
        self.ledgers.insert(debate.id, Ledger::default());
        Ok(self.add(debate, motion, None, unknown))
    }

    fn submit(&mut self, submission: &Submission, documents: &mut DocumentBatch) -> Result<DebateWritten, WriteError> {
        let id = submission.debate_id;
        let debate = self.debates.get(&id).ok_or(WriteError::DebateNotFound(id))?;
        submission.check_seat(debate)?;
        if let Some(request) = &submission.request_id
            && let Some(argument) = self.replies.get(&(id, request.clone()))
        {
            let appeal = argument.chosen.as_ref().and_then(|chosen| self.appeal(id, chosen.seq));
            if submission.is_repeated_by(debate, argument, appeal.as_deref().map_or(&[], Argument::options)) {
                return Ok(self.replayed(debate, argument));
            }
            return Err(WriteError::IdempotencyConflict(request.clone()));
        }
        let seq_of = |target| match self.target_seqs.get(&target) {
            Some((debate, seq)) if *debate == id => Some(*seq),
            Some(_) | None => None,
        };
        let previous_hash = debate.head;
        let of_debate =
            PlanOfDebate { title: &debate.title, argument: &submission.content, plan: debate.plan(), now: self.now };
        let version = submission.plan.as_ref().map(|plan| documents.plan_version(plan, of_debate));
        let (version, plan) = match version.transpose() {
            Ok(version) => (version, Ok(())),
            Err(refusal) => (None, Err(refusal)),
        };
        let cited = version.as_ref().map(PlanVersion::citation);
        let content = cited.map_or_else(|| submission.content.clone(), |cited| submission.content.citing_plan(&cited));
        let Citations { known, unknown } = self.citations(content.as_str(), cited);
        let newest = submission.needs_options().then(|| self.newest_argument(id)).flatten();
        let stored = AtStoring {
            id: ArgumentId((self.new_id)()),
            now: self.now,
            citations: known,
            options: newest.as_deref().map_or(&[], Argument::options),
            plan,
        };
        // Where the issues are unknown, they are not needed.
        let mut unknown_issues = Ledger::default();
        let ledger = self.ledgers.get_mut(&id).unwrap_or(&mut unknown_issues);
        let citing = Submission { content, plan: None, ..submission.clone() };
        let (debate, argument) = debate.submit(citing, ledger, seq_of, stored).map_err(WriteError::Refused)?;
        if let (Some(version), Some(plan)) = (version, &submission.plan) {
            documents.store_plan(version, plan.request_id.clone());
        }
        Ok(self.add(debate, argument, Some(previous_hash), unknown))
    }

    /// The APPEAL `seq` of which a stored RULING chose an option, if it was needed.
    fn appeal(&self, id: DebateId, seq: u64) -> Option<Arc<Argument>> {
        let is_it = |argument: &&Arc<Argument>| argument.debate_id == id && argument.seq == seq;
        let added = self.added.iter().map(|commit| &commit.argument).find(is_it);
        let newest = || self.newest.get(&id).filter(is_it);
        added.or_else(|| self.appeals.get(&(id, seq))).or_else(newest).cloned()
    }

    /// The newest argument of a debate as the writes so far leave it, if it was loaded.
    fn newest_argument(&self, id: DebateId) -> Option<Arc<Argument>> {
        let added = self.added.iter().rfind(|commit| commit.debate.id == id).map(|commit| &commit.argument);
        added.or_else(|| self.newest.get(&id)).cloned()
    }

    /// Frees a seat, on top of the writes decided before it.
    pub fn free_seat(&mut self, FreeSeat { debate_id, side }: FreeSeat) -> Result<SeatFreed, WriteError> {
        self.check_holds(debate_id)?;
        let debate = self.debates.get_mut(&debate_id).ok_or(WriteError::DebateNotFound(debate_id))?;
        let was_taken = debate.seats.key(side).is_some();
        if was_taken {
            debate.seats = debate.seats.freed(side);
            self.freed.insert(debate_id);
        }
        Ok(SeatFreed { debate: debate.clone(), was_taken })
    }

    /// What a text cites. `plan` is what it cites and may not be stored yet.
    fn citations(&self, text: &str, plan: Option<Citation>) -> Citations {
        let of_plan = |cited| plan.filter(|plan| plan.cited() == cited).map(|plan| plan.sha256);
        Citations::look_up(text, |cited| of_plan(cited).or_else(|| self.cited.get(&cited).copied()))
    }

    fn add(
        &mut self,
        debate: Debate,
        argument: Argument,
        previous_hash: Option<Hash>,
        unknown_citations: Vec<CitedVersion>,
    ) -> DebateWritten {
        let argument = Arc::new(argument);
        self.target_seqs.insert(argument.id, (debate.id, argument.seq));
        if let Some(request) = argument.request_id.clone() {
            self.replies.insert((debate.id, request), argument.clone());
        }
        self.debates.insert(debate.id, debate.clone());
        let ledger = self.ledger(debate.id);
        self.added.push(Arc::new(Commit {
            debate: debate.clone(),
            argument: argument.clone(),
            ledger: ledger.clone(),
        }));
        DebateWritten {
            debate,
            argument,
            replayed: false,
            previous_hash,
            ledger,
            unknown_citations,
            unseen_citations: None,
        }
    }

    /// The issues of a debate as they are now; none where they were not needed.
    fn ledger(&self, id: DebateId) -> Ledger {
        self.ledgers.get(&id).cloned().unwrap_or_default()
    }

    fn replayed(&self, debate: &Debate, argument: &Arc<Argument>) -> DebateWritten {
        DebateWritten {
            debate: debate.clone(),
            argument: argument.clone(),
            replayed: true,
            previous_hash: None,
            ledger: self.ledger(debate.id),
            unknown_citations: self.unknown_citations(argument),
            unseen_citations: None,
        }
    }

    /// What a stored argument cites and does not exist. What it cited when it was stored exists, since versions do not disappear.
    fn unknown_citations(&self, argument: &Argument) -> Vec<CitedVersion> {
        let mut unknown = self.citations(argument.content.as_str(), None).unknown;
        unknown.retain(|cited| !argument.citations.iter().any(|known| known.cited() == *cited));
        unknown
    }

    /// The arguments that were added, in order.
    pub fn added(&self) -> &[Arc<Commit>] {
        &self.added
    }

    /// The accepted writes, in order. The debates of which seats were freed follow.
    pub fn commits(&self) -> Vec<Arc<Commit>> {
        let freed = self.freed.iter().filter_map(|id| {
            let debate = self.debates.get(id)?;
            let argument = self.newest_argument(*id)?;
            Some(Arc::new(Commit { debate: debate.clone(), argument, ledger: self.ledger(*id) }))
        });
        self.added.iter().cloned().chain(freed).collect()
    }

    /// The rows of the changed issues, as the whole batch leaves them.
    fn changed_issue_rows(&self) -> Vec<issue::Model> {
        let changed = self
            .added
            .iter()
            .flat_map(|commit| commit.changed_issues().map(|issue| ((commit.debate.id, issue.number), issue)));
        // A statement must not have a row twice, so that only the last change of each issue is kept.
        let last: BTreeMap<_, _> = changed.collect();
        last.into_iter().map(|((id, _), issue)| issue_rows::issue_row(id, issue)).collect()
    }

    /// The statements that store the accepted writes, and the debates that they change.
    pub fn into_statements(
        mut self,
        connection: &impl ConnectionTrait,
    ) -> Result<(Vec<GuardedStatement>, Vec<DebateChange>), StoreError> {
        let (mut created, mut updated, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        for id in self.added.iter().map(|commit| commit.debate.id).chain(self.freed.iter().copied()) {
            let Some(debate) = self.debates.remove(&id) else { continue };
            let loaded = self.loaded.get(&debate.id).copied();
            match loaded {
                None => created.push(rows::debate_row(&debate)),
                Some(loaded) => updated.push((rows::debate_row(&debate), loaded.expected())),
            }
            let ledger = self.ledgers.remove(&id);
            changes.push(DebateChange { from: loaded.map(|loaded| loaded.state), to: debate, ledger });
        }
        // All servers lock debates in the order of their ids, so that they cannot deadlock.
        created.sort_unstable_by_key(|row| row.id);
        updated.sort_unstable_by_key(|(row, _)| row.id);
        let arguments = self.added.iter().map(|commit| rows::argument_row(&commit.argument));
        let mut statements = insert_rows::insert(connection, created);
        statements.extend(batch_statements::update_debates(connection, updated));
        statements.extend(insert_rows::insert(connection, arguments.collect::<Result<Vec<_>, _>>()?));
        statements.extend(insert_rows::insert_or_replace(connection, self.changed_issue_rows()));
        statements.extend(state_counts::update(connection, (self.new_id)(), &changes));
        Ok((statements, changes))
    }
}

/// Whether the issues of `debate` are needed to decide this argument, or to say afterwards what fits next.
fn needs_issues(submission: &Submission, debate: &Debate) -> bool {
    debate.issue_counts.unsettled() > 0 || submission.needs_issues(debate)
}

fn needs_options(write: &DebateWrite) -> bool {
    matches!(write, DebateWrite::Submit(submission) if submission.needs_options())
}

fn has_issues(debate: &Debate) -> bool {
    debate.issue_counts != IssueCounts::default()
}
