//! The state is a pure function of the arguments in `seq` order (SPEC section 2).

use std::collections::HashMap;

use super::{
    argument::{Argument, ArgumentKind},
    decide::{Attempt, Target, decide},
    id::ArgumentId,
    state::State,
};

/// The first argument of a history that could not have come where it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the argument at seq {seq} {reason}")]
pub struct ReplayFault {
    /// Where it stands, or should stand
    pub seq: u64,
    /// What is wrong with it
    pub reason: &'static str,
}

/// A history on its way through the states, one argument after another.
#[derive(Debug, Default)]
pub struct Replay {
    places: HashMap<ArgumentId, u64>,
    standing: Option<State>,
    last_seq: u64,
}

impl Replay {
    /// Takes the next argument.
    ///
    /// # Errors
    /// Where it is not the next, or one that the state before it refuses.
    pub fn add(&mut self, argument: &Argument) -> Result<(), ReplayFault> {
        let seq = self.last_seq + 1;
        let fault = |reason| ReplayFault { seq, reason };
        if argument.seq != seq {
            return Err(fault("is missing"));
        }
        self.standing = Some(match self.standing {
            None if argument.kind == ArgumentKind::Motion => State::opened(),
            None => return Err(fault("is not the MOTION")),
            Some(state) => {
                let target = argument.parent_id.map(|id| match self.places.get(&id) {
                    Some(seq) => Target::Known { id, seq: *seq },
                    None => Target::Unknown(id),
                });
                let attempt = Attempt::again(&argument.kind, target).ok_or_else(|| fault("answers nothing"))?;
                let step = decide(state, self.last_seq, argument.role(), &attempt)
                    .map_err(|_| fault("is one that the state before it refuses"))?;
                if step.parent != argument.parent_id || step.late != argument.late_for.is_some() {
                    return Err(fault("is not what was decided"));
                }
                step.state
            }
        });
        self.places.insert(argument.id, seq);
        self.last_seq = seq;
        Ok(())
    }

    /// The state that the history leads to.
    ///
    /// # Errors
    /// Where it is empty.
    pub fn state(&self) -> Result<State, ReplayFault> {
        self.standing.ok_or(ReplayFault { seq: 1, reason: "is missing" })
    }
}

/// The state that a debate with this history stands at.
///
/// # Errors
/// Where the history is empty, has a gap, or holds an argument that its state refuses.
pub fn replay<'a>(history: impl IntoIterator<Item = &'a Argument>) -> Result<State, ReplayFault> {
    let mut replay = Replay::default();
    history.into_iter().try_for_each(|argument| replay.add(argument))?;
    replay.state()
}
