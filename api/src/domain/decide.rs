//! The one place that says which move is legal (SPEC section 2).

use super::{
    argument::{ArgumentKind, ArgumentType},
    id::ArgumentId,
    refusal::{NotAllowed, Refusal},
    role::{Role, Side},
    state::{AwaitingProposer, InterventionPending, LateArgument, Question, State},
};

/// The argument that an attempt answers, as the debate knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// An argument of this debate, with its place
    Known {
        /// Its id
        id: ArgumentId,
        /// Its `seq`
        seq: u64,
    },
    /// None of this debate
    Unknown(ArgumentId),
}

/// What somebody tries to add to a debate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// A second MOTION, which no state allows
    Motion,
    /// See [`ArgumentType::Claim`]
    Claim {
        /// What it answers
        target: Target,
    },
    /// See [`ArgumentType::Appeal`]
    Appeal {
        /// What it answers
        target: Target,
        /// How many options it offers
        options: usize,
    },
    /// See [`ArgumentType::Resolution`]
    Resolution {
        /// What it answers
        target: Target,
    },
    /// See [`ArgumentType::Intervention`]
    Intervention,
    /// See [`ArgumentType::Ruling`]
    Ruling {
        /// Whether to end the debate
        close: bool,
        /// Which option it takes
        chosen_option: Option<usize>,
    },
}

impl Attempt {
    /// What is tried.
    pub fn argument_type(&self) -> ArgumentType {
        match self {
            Self::Motion => ArgumentType::Motion,
            Self::Claim { .. } => ArgumentType::Claim,
            Self::Appeal { .. } => ArgumentType::Appeal,
            Self::Resolution { .. } => ArgumentType::Resolution,
            Self::Intervention => ArgumentType::Intervention,
            Self::Ruling { .. } => ArgumentType::Ruling,
        }
    }

    /// The attempt to add an argument of this kind again, as replaying a history does.
    pub(super) fn again(kind: &ArgumentKind, target: Option<Target>) -> Option<Self> {
        Some(match kind {
            ArgumentKind::Motion => Self::Motion,
            ArgumentKind::Claim { .. } => Self::Claim { target: target? },
            ArgumentKind::Appeal { options } => Self::Appeal { target: target?, options: options.len() },
            ArgumentKind::Resolution => Self::Resolution { target: target? },
            ArgumentKind::Intervention => Self::Intervention,
            ArgumentKind::Ruling { close, chosen_option } => {
                Self::Ruling { close: *close, chosen_option: *chosen_option }
            }
        })
    }
}

/// What an allowed attempt leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Where the debate stands afterwards
    pub state: State,
    /// What it answers
    pub parent: Option<ArgumentId>,
    /// Whether it was delivered after the intervention that is the newest argument
    pub late: bool,
}

impl Step {
    fn to(state: State, parent: Option<ArgumentId>) -> Self {
        Self { state, parent, late: false }
    }
}

/// Decides one attempt on a debate that stands at `state` and whose newest argument has `last_seq`.
///
/// Refusals tell the first fault in the order of SPEC section 4: state and role, then the target.
pub fn decide(state: State, last_seq: u64, role: Role, attempt: &Attempt) -> Result<Step, Refusal> {
    let refused = || Refusal::NotAllowed(NotAllowed::new(&state, role, attempt.argument_type()));
    match (state, role, attempt) {
        (State::AwaitingOpponent(turn), Role::Opponent, Attempt::Claim { target }) => {
            Ok(Step::to(State::AwaitingProposer(turn.claim()), Some(known(target)?)))
        }
        (State::AwaitingProposer(turn), Role::Proposer, Attempt::Claim { target }) => {
            Ok(Step::to(State::AwaitingOpponent(turn.claim()), Some(known(target)?)))
        }
        (State::AwaitingProposer(turn), Role::Proposer, Attempt::Appeal { target, options }) => {
            ask(turn, target, Question::Appeal { options: *options })
        }
        (State::AwaitingProposer(turn), Role::Proposer, Attempt::Resolution { target }) => {
            ask(turn, target, Question::Resolution)
        }
        (State::AwaitingOpponent(turn), Role::Arbitrator, Attempt::Intervention) => {
            Ok(Step::to(State::InterventionPending(turn.intervene()), None))
        }
        (State::AwaitingProposer(turn), Role::Arbitrator, Attempt::Intervention) => {
            Ok(Step::to(State::InterventionPending(turn.intervene()), None))
        }
        (State::AwaitingArbitrator(turn), Role::Arbitrator, Attempt::Ruling { close, chosen_option }) => {
            check_choice(*chosen_option, turn.question.options())?;
            let next = if *close { State::Closed(turn.close()) } else { State::AwaitingProposer(turn.rule()) };
            Ok(Step::to(next, None))
        }
        (State::InterventionPending(turn), Role::Arbitrator, Attempt::Ruling { close, chosen_option }) => {
            check_choice(*chosen_option, turn.options())?;
            let next = if *close { State::Closed(turn.close()) } else { State::AwaitingProposer(turn.rule()) };
            Ok(Step::to(next, None))
        }
        (State::InterventionPending(turn), Role::Proposer, Attempt::Claim { target }) => {
            deliver(turn, last_seq, Side::Proposer, target, LateArgument::Claim).unwrap_or_else(|| Err(refused()))
        }
        (State::InterventionPending(turn), Role::Opponent, Attempt::Claim { target }) => {
            deliver(turn, last_seq, Side::Opponent, target, LateArgument::Claim).unwrap_or_else(|| Err(refused()))
        }
        (State::InterventionPending(turn), Role::Proposer, Attempt::Appeal { target, options }) => {
            let question = LateArgument::Question(Question::Appeal { options: *options });
            deliver(turn, last_seq, Side::Proposer, target, question).unwrap_or_else(|| Err(refused()))
        }
        (State::InterventionPending(turn), Role::Proposer, Attempt::Resolution { target }) => {
            let question = LateArgument::Question(Question::Resolution);
            deliver(turn, last_seq, Side::Proposer, target, question).unwrap_or_else(|| Err(refused()))
        }

        (
            State::AwaitingOpponent(_),
            Role::Opponent,
            Attempt::Motion
            | Attempt::Appeal { .. }
            | Attempt::Resolution { .. }
            | Attempt::Intervention
            | Attempt::Ruling { .. },
        )
        | (
            State::AwaitingProposer(_),
            Role::Proposer,
            Attempt::Motion | Attempt::Intervention | Attempt::Ruling { .. },
        )
        | (
            State::AwaitingOpponent(_) | State::AwaitingProposer(_),
            Role::Arbitrator,
            Attempt::Motion
            | Attempt::Claim { .. }
            | Attempt::Appeal { .. }
            | Attempt::Resolution { .. }
            | Attempt::Ruling { .. },
        )
        | (
            State::AwaitingArbitrator(_) | State::InterventionPending(_),
            Role::Arbitrator,
            Attempt::Motion
            | Attempt::Claim { .. }
            | Attempt::Appeal { .. }
            | Attempt::Resolution { .. }
            | Attempt::Intervention,
        )
        | (
            State::InterventionPending(_),
            Role::Proposer,
            Attempt::Motion | Attempt::Intervention | Attempt::Ruling { .. },
        )
        | (
            State::InterventionPending(_),
            Role::Opponent,
            Attempt::Motion
            | Attempt::Appeal { .. }
            | Attempt::Resolution { .. }
            | Attempt::Intervention
            | Attempt::Ruling { .. },
        )
        | (State::AwaitingOpponent(_), Role::Proposer, _)
        | (State::AwaitingProposer(_), Role::Opponent, _)
        | (State::AwaitingArbitrator(_), Role::Proposer | Role::Opponent, _)
        | (State::Closed(_), Role::Proposer | Role::Opponent | Role::Arbitrator, _) => Err(refused()),
    }
}

fn ask(turn: AwaitingProposer, target: &Target, question: Question) -> Result<Step, Refusal> {
    Ok(Step::to(State::AwaitingArbitrator(turn.ask(question)), Some(known(target)?)))
}

/// A late delivery by `side`; none where it is not the one that was interrupted, has delivered already, or answers the
/// intervention itself.
fn deliver(
    turn: InterventionPending,
    last_seq: u64,
    side: Side,
    target: &Target,
    argument: LateArgument,
) -> Option<Result<Step, Refusal>> {
    let leave = match turn {
        InterventionPending::Open(leave) if leave.interrupted == side => leave,
        InterventionPending::Open(_) | InterventionPending::Delivered(_) => return None,
    };
    // Nothing came after the intervention yet, so it is the newest argument, and all others are older.
    match target {
        Target::Known { seq, .. } if *seq >= last_seq => None,
        Target::Known { id, .. } => {
            Some(Ok(Step { state: State::InterventionPending(leave.deliver(argument)), parent: Some(*id), late: true }))
        }
        Target::Unknown(id) => Some(Err(Refusal::TargetUnknown(*id))),
    }
}

fn known(target: &Target) -> Result<ArgumentId, Refusal> {
    match target {
        Target::Known { id, .. } => Ok(*id),
        Target::Unknown(id) => Err(Refusal::TargetUnknown(*id)),
    }
}

fn check_choice(chosen: Option<usize>, options: usize) -> Result<(), Refusal> {
    match chosen {
        Some(chosen) if chosen >= options => Err(Refusal::OptionUnknown { chosen, options }),
        Some(_) | None => Ok(()),
    }
}

/// Which types `role` may submit while the debate stands at `state`, told by [`decide`] itself.
pub fn allowed_types(state: &State, role: Role) -> Vec<ArgumentType> {
    // Any target that is older than the newest argument will do.
    let target = Target::Known { id: ArgumentId(uuid::Uuid::nil()), seq: 1 };
    let attempts = [
        Attempt::Motion,
        Attempt::Claim { target },
        Attempt::Appeal { target, options: 0 },
        Attempt::Resolution { target },
        Attempt::Intervention,
        Attempt::Ruling { close: false, chosen_option: None },
    ];
    attempts.iter().filter(|attempt| decide(*state, 2, role, attempt).is_ok()).map(Attempt::argument_type).collect()
}

#[cfg(test)]
mod tests;
