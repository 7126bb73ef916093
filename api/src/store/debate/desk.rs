//! What a batch decides about debates: their rows are loaded in sets, the domain decides one write after another in
//! memory, and what came of it is stored in sets.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, SubsecRound, Utc};
use entity::debate;
use sea_orm::{ConnectionTrait, DatabaseTransaction};

use super::{
    memory::Memory,
    rows,
    statements::{self, Moved},
    totals,
};
use crate::{
    domain::{Argument, ArgumentId, ArgumentKind, Debate, DebateId, Hash, NewDebate, RequestId, StateName, Submission},
    store::{
        Commit, DebateWrite, STORED_DIGITS, Sources, Written,
        error::{StoreError, WriteError},
        sets,
        steps::Step,
    },
};

/// What a batch needs to know, as it changes from one write to the next.
pub(in crate::store) struct Desk {
    now: DateTime<Utc>,
    new_id: fn() -> uuid::Uuid,
    debates: HashMap<DebateId, Debate>,
    requests: HashMap<(DebateId, RequestId), Arc<Argument>>,
    places: HashMap<ArgumentId, (DebateId, u64)>,
    /// Where the debates stand in the store
    stored: HashMap<DebateId, (StateName, u64)>,
    added: Vec<Arc<Argument>>,
}

/// A debate that a batch opened or moved on.
pub(in crate::store) struct Change {
    /// Where it stood before; none where it is new
    pub from: Option<StateName>,
    /// What it is now
    pub to: Debate,
}

impl Desk {
    /// Begins with what is remembered of the debates that `writes` are meant for; none where that is not all of them.
    ///
    /// It may be outdated and knows no earlier request. What is accepted on its grounds is right where the store takes
    /// it, as that has each `seq` and each request once; what is not accepted may be wrong.
    pub fn recall(memory: &Memory, sources: Sources, writes: &[DebateWrite]) -> Option<Self> {
        let mut debates = HashMap::with_capacity(writes.len());
        for write in writes {
            let id = write.debate_id();
            match (memory.last_known(id), write) {
                (Some(debate), _) => drop(debates.insert(id, debate)),
                (None, DebateWrite::Create(_)) => {}
                (None, DebateWrite::Submit(_)) => return None,
            }
        }
        Some(Self::new(sources, debates))
    }

    /// Begins with what the store holds, for as long as `transaction` lasts.
    pub async fn load(
        transaction: &DatabaseTransaction,
        sources: Sources,
        writes: &[DebateWrite],
    ) -> Result<Self, StoreError> {
        let mut ids: Vec<_> = writes.iter().map(|write| write.debate_id().0).collect();
        ids.sort_unstable();
        ids.dedup();
        let debates = statements::lock_debates(transaction, ids).await?.into_iter().map(|row| {
            let debate = rows::debate(row)?;
            Ok((debate.id, debate))
        });
        let mut desk = Self::new(sources, debates.collect::<Result<_, StoreError>>()?);

        let asked = writes.iter().filter(|write| desk.debates.contains_key(&write.debate_id()));
        let asked = asked.filter_map(|write| Some((write.debate_id().0, write.request_id()?.as_str().to_owned())));
        for row in statements::find_requests(transaction, asked.collect()).await? {
            let argument = Arc::new(rows::argument(row)?);
            if let Some(id) = argument.request_id.clone() {
                desk.requests.insert((argument.debate_id, id), argument);
            }
        }

        let targets = writes.iter().filter_map(DebateWrite::target_id);
        let targets = targets.filter(|id| !desk.places.contains_key(id)).map(|id| id.0).collect();
        for (id, debate, seq) in statements::find_places(transaction, targets).await? {
            desk.places.insert(ArgumentId(id), (DebateId(debate), seq.cast_unsigned()));
        }
        Ok(desk)
    }

    fn new(sources: Sources, debates: HashMap<DebateId, Debate>) -> Self {
        let Sources { now, new_id, .. } = sources;
        // Most writes answer the newest argument, whose place the debate itself tells.
        let place = |debate: &Debate| (debate.last_argument_id, (debate.id, debate.last_seq));
        let stored = |debate: &Debate| (debate.id, (debate.state.name(), debate.last_seq));
        Self {
            now: now().trunc_subsecs(STORED_DIGITS),
            new_id,
            places: debates.values().map(place).collect(),
            stored: debates.values().map(stored).collect(),
            debates,
            requests: HashMap::new(),
            added: Vec::new(),
        }
    }

    /// What becomes of `write`, after all that were decided before.
    pub fn decide(&mut self, write: &DebateWrite) -> Result<Written, WriteError> {
        match write {
            DebateWrite::Create(new) => self.create(new),
            DebateWrite::Submit(submission) => self.submit(submission),
        }
    }

    fn create(&mut self, new: &NewDebate) -> Result<Written, WriteError> {
        if let Some(debate) = self.debates.get(&new.id) {
            return match self.requests.get(&(new.id, new.request_id.clone())) {
                Some(motion) if motion.kind == ArgumentKind::Motion && new.is_repeated_by(debate, motion) => {
                    Ok(replayed(debate, motion))
                }
                Some(motion) if motion.kind == ArgumentKind::Motion => {
                    Err(WriteError::IdempotencyConflict(new.request_id.clone()))
                }
                Some(_) | None => Err(WriteError::DebateExists(new.id)),
            };
        }
        let (debate, motion) = new.clone().create(ArgumentId((self.new_id)()), self.now);
        Ok(self.add(debate, motion, None))
    }

    fn submit(&mut self, submission: &Submission) -> Result<Written, WriteError> {
        let id = submission.debate_id;
        let debate = self.debates.get(&id).ok_or(WriteError::DebateNotFound(id))?;
        if let Some(request) = &submission.request_id
            && let Some(argument) = self.requests.get(&(id, request.clone()))
        {
            if submission.is_repeated_by(argument) {
                return Ok(replayed(debate, argument));
            }
            return Err(WriteError::IdempotencyConflict(request.clone()));
        }
        let seq_of = |target| match self.places.get(&target) {
            Some((debate, seq)) if *debate == id => Some(*seq),
            Some(_) | None => None,
        };
        let previous = debate.head;
        let (debate, argument) = debate
            .submit(submission.clone(), seq_of, ArgumentId((self.new_id)()), self.now)
            .map_err(WriteError::Refused)?;
        Ok(self.add(debate, argument, Some(previous)))
    }

    fn add(&mut self, debate: Debate, argument: Argument, previous: Option<Hash>) -> Written {
        let argument = Arc::new(argument);
        self.places.insert(argument.id, (debate.id, argument.seq));
        if let Some(request) = argument.request_id.clone() {
            self.requests.insert((debate.id, request), argument.clone());
        }
        self.debates.insert(debate.id, debate.clone());
        self.added.push(argument.clone());
        Written { commit: Arc::new(Commit { debate, argument }), replayed: false, previous }
    }

    /// Whether there is nothing to store.
    pub fn is_unchanged(&self) -> bool {
        self.added.is_empty()
    }

    /// What stores what was added, and what that changes.
    pub fn steps(mut self, connection: &impl ConnectionTrait) -> Result<(Vec<Step>, Vec<Change>), StoreError> {
        let (mut opened, mut moved, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        for argument in &self.added {
            let Some(debate) = self.debates.remove(&argument.debate_id) else { continue };
            let stored = self.stored.get(&debate.id);
            match stored {
                None => opened.push(rows::debate_row(&debate)),
                Some((_, from_seq)) => moved.push(moved_row(&debate, *from_seq)),
            }
            changes.push(Change { from: stored.map(|(state, _)| *state), to: debate });
        }
        // Debates first, always in the same order, so that two servers cannot wait for each other.
        opened.sort_unstable_by_key(|row: &debate::Model| row.id);
        moved.sort_unstable_by_key(|row: &Moved| row.id);
        let added = self.added.iter().map(|argument| rows::argument_row(argument)).collect::<Result<Vec<_>, _>>()?;
        let mut steps = sets::insertion(connection, opened);
        steps.extend(statements::update_debates(connection, moved));
        steps.extend(sets::insertion(connection, added));
        steps.extend(totals::count(connection, (self.new_id)(), &changes));
        Ok((steps, changes))
    }
}

fn replayed(debate: &Debate, argument: &Arc<Argument>) -> Written {
    Written {
        commit: Arc::new(Commit { debate: debate.clone(), argument: argument.clone() }),
        replayed: true,
        previous: None,
    }
}

fn moved_row(debate: &Debate, from_seq: u64) -> Moved {
    let columns = rows::StateColumns::from(debate.state);
    Moved {
        id: debate.id.0,
        from_seq: from_seq.cast_signed(),
        state: columns.state.as_str().to_owned(),
        state_detail: columns.detail.map(str::to_owned),
        option_count: columns.option_count,
        last_seq: debate.last_seq.cast_signed(),
        last_argument_id: debate.last_argument_id.0,
        updated_at: debate.updated_at.timestamp_micros(),
        head: debate.head.as_bytes().to_owned(),
    }
}

impl DebateWrite {
    pub(in crate::store) fn debate_id(&self) -> DebateId {
        match self {
            Self::Create(new) => new.id,
            Self::Submit(submission) => submission.debate_id,
        }
    }

    fn request_id(&self) -> Option<&RequestId> {
        match self {
            Self::Create(new) => Some(&new.request_id),
            Self::Submit(submission) => submission.request_id.as_ref(),
        }
    }

    fn target_id(&self) -> Option<ArgumentId> {
        match self {
            Self::Create(_) => None,
            Self::Submit(submission) => submission.kind.parent_id(),
        }
    }
}
