//! Replaying arguments in `seq` order. The result must be the stored state of the debate.

use std::collections::HashMap;

use super::{
    argument::{Argument, ArgumentKind},
    id::ArgumentId,
    state::State,
    state_machine::decide,
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
    last_seq: u64,
}

impl Replay {
    /// Adds the next argument.
    ///
    /// # Errors
    /// If its `seq` is not the next one or if the state before it does not allow it.
    pub fn add(&mut self, argument: &Argument) -> Result<(), ReplayError> {
        let seq = self.last_seq + 1;
        let error = |reason| ReplayError { seq, reason };
        if argument.seq != seq {
            return Err(error("is missing"));
        }
        self.state = Some(match self.state {
            None if argument.kind == ArgumentKind::Motion => State::initial(),
            None => return Err(error("is not the MOTION")),
            Some(state) => {
                let decision = decide(state, self.last_seq, &argument.kind, |id| self.seqs.get(&id).copied())
                    .map_err(|_| error("is not allowed in the state before it"))?;
                if decision.late != argument.late_for.is_some() {
                    return Err(error("is wrong about whether it was delivered late"));
                }
                decision.state
            }
        });
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
}

/// The state of a debate with these arguments.
///
/// # Errors
/// If there are none, if one is missing, or if one is not allowed in the state before it.
pub fn replay<'a>(arguments: impl IntoIterator<Item = &'a Argument>) -> Result<State, ReplayError> {
    let mut replay = Replay::default();
    arguments.into_iter().try_for_each(|argument| replay.add(argument))?;
    replay.state()
}
