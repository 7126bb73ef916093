//! Replaying arguments in `seq` order. The result must be the stored state, rounds and issues of the debate.

use std::{collections::HashMap, mem, num::NonZeroU8};

use chrono::{DateTime, Utc};

use super::{
    argument::{AppealOption, Argument, ArgumentKind, ChosenOption},
    id::ArgumentId,
    issue::Ledger,
    plan::PlanCitations,
    rounds::Rounds,
    state::State,
    state_machine::decide,
    submission::{late_target, ruling_since},
};

/// The first argument that is missing or could not have been stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the argument at seq {seq} {reason}")]
pub struct ReplayError {
    /// The `seq` of the argument
    pub seq: u64,
    /// What is wrong with it, to be read after "the argument"
    pub reason: &'static str,
}

/// A replay of one debate, argument by argument.
#[derive(Debug, Default)]
pub struct Replay {
    seqs: HashMap<ArgumentId, u64>,
    state: Option<State>,
    rounds: Rounds,
    ledger: Ledger,
    plan_citations: PlanCitations,
    last: Option<ArgumentId>,
    late_target: Option<ArgumentId>,
    options: Vec<AppealOption>,
    ruling_since: Option<DateTime<Utc>>,
    last_seq: u64,
}

impl Replay {
    /// A replay of a debate with this limit of rounds.
    pub fn new(max_rounds: Option<NonZeroU8>) -> Self {
        Self { rounds: Rounds { done: 0, max: max_rounds }, ..Self::default() }
    }

    /// Adds the next argument.
    ///
    /// # Errors
    /// If its `seq` is not the next one, if the state before it does not allow it, or if the issues do not.
    pub fn add(&mut self, argument: &Argument) -> Result<(), ReplayError> {
        let seq = self.last_seq + 1;
        let error = |reason| ReplayError { seq, reason };
        if argument.seq != seq {
            return Err(error("is missing"));
        }
        let state = match self.state {
            None if argument.kind == ArgumentKind::Motion => State::initial(),
            None => return Err(error("is not the MOTION")),
            Some(state) => {
                let seq_of = |id| self.seqs.get(&id).copied();
                let decision = decide(state, self.rounds, self.last_seq, &argument.kind, seq_of)
                    .map_err(|_| error("is not allowed in the state before it"))?;
                if decision.late != argument.late_for.is_some() {
                    return Err(error("is wrong about whether it was delivered late"));
                }
                decision.state
            }
        };
        let label_of = |number: usize| self.options.get(number).map(|option| option.label.clone());
        if argument.chosen != ChosenOption::of_ruling(seq, &argument.kind, label_of) {
            return Err(error("is wrong about the option that it chose"));
        }
        self.options = argument.options().to_vec();
        self.late_target = self.last.and_then(|last| late_target(&state, last));
        self.ruling_since = ruling_since(&state, self.ruling_since, argument.created_at);
        self.state = Some(state);
        let requested = argument.issue_changes.iter().map(Into::into).collect();
        let changes = self
            .ledger
            .apply(&argument.kind, seq, requested)
            .map_err(|_| error("changes issues in a way that is not allowed"))?;
        if changes.made != argument.issue_changes {
            return Err(error("gives an issue that it raises another number than the next one"));
        }
        if changes.changed != argument.changed_issues {
            return Err(error("is wrong about the issues that it changes"));
        }
        self.ledger
            .check_options(argument.options(), seq + 1)
            .map_err(|_| error("has an option that changes issues in a way that is not allowed"))?;
        if matches!(argument.kind, ArgumentKind::Resolution { .. }) && self.ledger.counts().blocking > 0 {
            return Err(error("requests completion while issues block it"));
        }
        self.rounds = self.rounds.after(&argument.kind);
        self.plan_citations = mem::take(&mut self.plan_citations).after(&argument.kind, &argument.citations);
        self.last = Some(argument.id);
        self.seqs.insert(argument.id, seq);
        self.last_seq = seq;
        Ok(())
    }

    /// The state after all arguments.
    ///
    /// # Errors
    /// If there were none.
    pub fn state(&self) -> Result<State, ReplayError> {
        self.state.ok_or(ReplayError { seq: 1, reason: "is missing" })
    }

    /// The rounds after all arguments.
    pub fn rounds(&self) -> Rounds {
        self.rounds
    }

    /// What is cited after all arguments, as far as the plan follows from it.
    pub fn plan_citations(&self) -> &PlanCitations {
        &self.plan_citations
    }

    /// What a late delivery may answer after all arguments.
    pub fn late_target(&self) -> Option<ArgumentId> {
        self.late_target
    }

    /// Since when a ruling is due after all arguments.
    pub fn ruling_since(&self) -> Option<DateTime<Utc>> {
        self.ruling_since
    }

    /// The issues after all arguments.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}

/// The state of a debate without a limit of rounds that has these arguments.
#[cfg(test)]
pub fn replay<'a>(arguments: impl IntoIterator<Item = &'a Argument>) -> Result<State, ReplayError> {
    let mut replay = Replay::new(None);
    arguments.into_iter().try_for_each(|argument| replay.add(argument))?;
    replay.state()
}
