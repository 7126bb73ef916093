//! Replaying arguments in `seq` order. The result must be the stored debate and its issues.

use std::collections::HashMap;

use super::{
    argument::{AppealOption, Argument, ArgumentKind},
    debate::{Debate, RulingRequest},
    id::ArgumentId,
    issue::Ledger,
    role::Role,
    rounds::Rounds,
    step::{Added, Opening, Step},
    submit_error::SubmitError,
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

/// What a debate waited for before an argument; nothing before the MOTION.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WaitedFor {
    /// The role whose turn it was
    pub role: Option<Role>,
    /// What asked for a ruling
    pub ruling: Option<RulingRequest>,
}

/// A replay of one debate, argument by argument.
#[derive(Debug)]
pub struct Replay<'d> {
    stored: &'d Debate,
    replayed: Option<Debate>,
    ledger: Ledger,
    seqs: HashMap<ArgumentId, u64>,
    /// Those of the newest argument
    options: Vec<AppealOption>,
}

impl<'d> Replay<'d> {
    /// A replay of the arguments of this debate.
    pub fn new(stored: &'d Debate) -> Self {
        Self { stored, replayed: None, ledger: Ledger::default(), seqs: HashMap::new(), options: Vec::new() }
    }

    /// Adds the next argument. Returns what the debate waited for before it.
    ///
    /// # Errors
    /// If its `seq` is not the next one, if the state before it does not allow it, or if the issues do not.
    pub fn add(&mut self, argument: &Argument) -> Result<WaitedFor, ReplayError> {
        let before = self.replayed.as_ref();
        let seq = before.map_or(0, |debate| debate.last_seq) + 1;
        let error = |reason| ReplayError { seq, reason };
        if argument.seq != seq {
            return Err(error("is missing"));
        }
        let (after, waited_for) = match before {
            None if argument.kind != ArgumentKind::Motion => return Err(error("is not the MOTION")),
            None if !argument.issue_changes.is_empty() || !argument.changed_issues.is_empty() => {
                return Err(error("changes issues in a way that is not allowed"));
            }
            None => (self.opened(argument), WaitedFor::default()),
            Some(debate) => {
                let added = Added {
                    id: argument.id,
                    kind: &argument.kind,
                    issue_changes: argument.issue_changes.iter().map(Into::into).collect(),
                    citations: &argument.citations,
                    options: &self.options,
                    created_at: argument.created_at,
                    plan: Ok(()),
                };
                let seq_of = |id| self.seqs.get(&id).copied();
                let step = debate.step(added, &mut self.ledger, seq_of).map_err(|refusal| error(reason(&refusal)))?;
                let waited_for = WaitedFor { role: debate.state.turn(), ruling: debate.ruling_request() };
                (agreeing(step, argument).map_err(error)?, waited_for)
            }
        };
        self.replayed = Some(after);
        self.options = argument.options().to_vec();
        self.seqs.insert(argument.id, seq);
        Ok(waited_for)
    }

    fn opened(&self, motion: &Argument) -> Debate {
        let Debate { id, title, debate_type, rounds, .. } = self.stored;
        let rounds = Rounds { done: 0, max: rounds.max };
        let opening = Opening { id: *id, title: title.clone(), debate_type: *debate_type, rounds };
        Debate::opened(opening, motion.id, &motion.citations, motion.created_at)
    }

    /// The debate after all arguments, whose seats and head nobody has worked out; none if there were no arguments.
    pub fn debate(&self) -> Option<&Debate> {
        self.replayed.as_ref()
    }

    /// The issues after all arguments.
    pub fn into_ledger(self) -> Ledger {
        self.ledger
    }
}

/// The debate after a step, if the argument has what follows from it; an error says what it is wrong about.
fn agreeing(step: Step, argument: &Argument) -> Result<Debate, &'static str> {
    let Step { debate, late_for, chosen, changes } = step;
    if late_for != argument.late_for {
        return Err("is wrong about whether it was delivered late");
    }
    if chosen != argument.chosen {
        return Err("is wrong about the option that it chose");
    }
    if changes.made != argument.issue_changes {
        return Err("gives an issue that it raises another number than the next one");
    }
    if changes.changed != argument.changed_issues {
        return Err("is wrong about the issues that it changes");
    }
    Ok(debate)
}

/// Why an argument could not have been stored.
fn reason(refusal: &SubmitError) -> &'static str {
    match refusal {
        SubmitError::NotAllowed(_)
        | SubmitError::TargetNotFound(_)
        | SubmitError::OptionNotFound { .. }
        | SubmitError::Plan { .. } => "is not allowed in the state before it",
        SubmitError::Change { option: None, .. } => "changes issues in a way that is not allowed",
        SubmitError::Change { option: Some(_), .. } => "has an option that changes issues in a way that is not allowed",
        SubmitError::IssuesOpen(_) => "requests completion while issues block it",
    }
}

/// The debate that a replay of these arguments of `debate` leads to, with the seats and the head of that.
#[cfg(test)]
pub fn replay<'a>(
    debate: &Debate,
    arguments: impl IntoIterator<Item = &'a Argument>,
) -> Result<Option<Debate>, ReplayError> {
    let mut replay = Replay::new(debate);
    arguments.into_iter().try_for_each(|argument| replay.add(argument).map(drop))?;
    Ok(replay.replayed.map(|replayed| Debate { seats: debate.seats, head: debate.head, ..replayed }))
}
