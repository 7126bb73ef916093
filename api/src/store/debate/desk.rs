//! What a batch decides about debates: their rows are loaded in sets, the domain decides one write after another in
//! memory, and what came of it is stored in sets.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use chrono::{DateTime, SubsecRound, Utc};
use sea_orm::{DatabaseTransaction, DbErr};

use super::{
    rows,
    statements::{self, Moved},
};
use crate::domain::{Argument, ArgumentId, ArgumentKind, Debate, DebateId, NewDebate, RequestId, Submission, Target};
use crate::store::{
    Commit, Sources, Write, Written,
    error::{StoreError, WriteError},
    sets,
};

/// Times are stored in microseconds: what is answered at once must be what is read later.
const STORED_DIGITS: u16 = 6;

/// What a batch needs to know, as it changes from one write to the next.
pub(in crate::store) struct Desk {
    now: DateTime<Utc>,
    new_id: fn() -> uuid::Uuid,
    debates: HashMap<DebateId, Debate>,
    requests: HashMap<(DebateId, RequestId), Arc<Argument>>,
    places: HashMap<ArgumentId, (DebateId, u64)>,
    /// Debates that are in the store, with the `last_seq` that they have there
    stored: HashMap<DebateId, u64>,
    added: Vec<Arc<Argument>>,
}

impl Desk {
    pub async fn load(
        transaction: &DatabaseTransaction,
        sources: Sources,
        writes: &[Write],
    ) -> Result<Self, StoreError> {
        let mut ids: Vec<_> = writes.iter().map(|write| write.debate_id().0).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut debates = HashMap::with_capacity(ids.len());
        for row in statements::lock_debates(transaction, ids).await? {
            let debate = rows::debate(row)?;
            debates.insert(debate.id, debate);
        }

        let known = |id: DebateId| debates.contains_key(&id);
        let asked = writes.iter().filter(|write| known(write.debate_id()));
        let asked = asked.filter_map(|write| Some((write.debate_id().0, write.request_id()?.as_str().to_owned())));
        let mut requests = HashMap::new();
        for row in statements::find_requests(transaction, asked.collect()).await? {
            let argument = Arc::new(rows::argument(row)?);
            if let Some(id) = argument.request_id.clone() {
                requests.insert((argument.debate_id, id), argument);
            }
        }

        // Most writes answer the newest argument, whose place the debate itself tells.
        let mut places: HashMap<_, _> =
            debates.values().map(|debate| (debate.last_argument_id, (debate.id, debate.last_seq))).collect();
        let targets = writes.iter().filter_map(Write::target_id).filter(|id| !places.contains_key(id)).map(|id| id.0);
        for (id, debate, seq) in statements::find_places(transaction, targets.collect()).await? {
            places.insert(ArgumentId(id), (DebateId(debate), seq.cast_unsigned()));
        }

        let stored = debates.values().map(|debate| (debate.id, debate.last_seq)).collect();
        let Sources { now, new_id } = sources;
        Ok(Self {
            now: now().trunc_subsecs(STORED_DIGITS),
            new_id,
            debates,
            requests,
            places,
            stored,
            added: Vec::new(),
        })
    }

    pub fn decide(&mut self, write: &Write) -> Result<Written, WriteError> {
        match write {
            Write::Create(new) => self.create(new),
            Write::Submit(submission) => self.submit(submission),
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
        let (debate, motion) = new.clone().open(ArgumentId((self.new_id)()), self.now);
        Ok(self.add(debate, motion))
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
        let place = |target| match self.places.get(&target) {
            Some((debate, seq)) if *debate == id => Target::Known { id: target, seq: *seq },
            Some(_) | None => Target::Unknown(target),
        };
        let (debate, argument) = debate
            .submit(submission.clone(), place, ArgumentId((self.new_id)()), self.now)
            .map_err(WriteError::Refused)?;
        Ok(self.add(debate, argument))
    }

    fn add(&mut self, debate: Debate, argument: Argument) -> Written {
        let argument = Arc::new(argument);
        self.places.insert(argument.id, (debate.id, argument.seq));
        if let Some(request) = argument.request_id.clone() {
            self.requests.insert((debate.id, request), argument.clone());
        }
        self.debates.insert(debate.id, debate.clone());
        self.added.push(argument.clone());
        Written { commit: Arc::new(Commit { debate, argument }), replayed: false }
    }

    pub fn is_unchanged(&self) -> bool {
        self.added.is_empty()
    }

    pub async fn store(self, transaction: &DatabaseTransaction) -> Result<(), StoreError> {
        let mut seen = HashMap::new();
        let (mut opened, mut moved) = (Vec::new(), Vec::new());
        for id in self.added.iter().map(|argument| argument.debate_id) {
            let (Entry::Vacant(first), Some(debate)) = (seen.entry(id), self.debates.get(&id)) else { continue };
            first.insert(());
            match self.stored.get(&id) {
                None => opened.push(rows::debate_row(debate)),
                Some(from_seq) => moved.push(moved_row(debate, *from_seq)),
            }
        }
        let expected = moved.len() as u64;
        sets::insert(transaction, opened).await?;
        let added = self.added.iter().map(|argument| rows::argument_row(argument)).collect::<Result<Vec<_>, _>>()?;
        sets::insert(transaction, added).await?;
        let changed = statements::update_debates(transaction, moved).await?;
        if changed != expected {
            // Held since they were read, the rows cannot have moved; were it otherwise, nothing must be stored.
            return Err(StoreError::Unexpected(DbErr::RecordNotUpdated));
        }
        Ok(())
    }
}

fn replayed(debate: &Debate, argument: &Arc<Argument>) -> Written {
    Written { commit: Arc::new(Commit { debate: debate.clone(), argument: argument.clone() }), replayed: true }
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
    }
}

impl Write {
    fn debate_id(&self) -> DebateId {
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
            Self::Submit(submission) => submission.target_id(),
        }
    }
}
