//! Which arguments are allowed in which state. Nothing else in the program decides this.

use super::{
    argument::{ArgumentKind, ArgumentType},
    id::ArgumentId,
    role::{Role, Side},
    rounds::Rounds,
    state::{InterventionPending, LateArgument, ProposerRequest, State},
    submit_error::{NotAllowed, SubmitError},
};

/// What an allowed argument leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The state after the argument
    pub state: State,
    /// Whether the argument is a late delivery: an INTERVENTION was stored while it was being written
    pub late: bool,
}

/// Decides whether an argument may be added to a debate in `state` with these `rounds`, whose newest argument has `last_seq`.
///
/// `seq_of` returns the `seq` of an argument of this debate. If several things are wrong, the error is about the state or
/// the role first and about the target afterwards.
pub fn decide(
    state: State,
    rounds: Rounds,
    last_seq: u64,
    kind: &ArgumentKind,
    seq_of: impl Fn(ArgumentId) -> Option<u64>,
) -> Result<Decision, SubmitError> {
    let not_allowed = || SubmitError::NotAllowed(NotAllowed::new(&state, kind));
    let target_seq = |id: &ArgumentId| seq_of(*id).ok_or(SubmitError::TargetNotFound(*id));
    let late = |turn, side, target: &ArgumentId, argument| match turn {
        InterventionPending::Open(delivery) if delivery.interrupted == side => {
            // Nothing was stored after the INTERVENTION yet, so it is the newest argument.
            if target_seq(target)? >= last_seq {
                return Err(not_allowed());
            }
            Ok(Decision { state: State::InterventionPending(delivery.deliver(argument)), late: true })
        }
        InterventionPending::Open(_) | InterventionPending::Delivered(_) => Err(not_allowed()),
    };
    if rounds.is_over()
        && matches!(kind, ArgumentKind::Claim { by: Side::Proposer, .. })
        && takes_claim_of_proposer(&state)
    {
        return Err(SubmitError::NotAllowed(NotAllowed::after_last_round(&state, kind)));
    }
    let next = match (state, kind) {
        (State::AwaitingOpponent(turn), ArgumentKind::Claim { by: Side::Opponent, parent_id }) => {
            target_seq(parent_id)?;
            State::AwaitingProposer(turn.claim())
        }
        (State::AwaitingProposer(turn), ArgumentKind::Claim { by: Side::Proposer, parent_id }) => {
            target_seq(parent_id)?;
            State::AwaitingOpponent(turn.claim())
        }
        (State::AwaitingProposer(turn), ArgumentKind::Appeal { parent_id, options }) => {
            target_seq(parent_id)?;
            State::AwaitingArbitrator(turn.request_ruling(ProposerRequest::Appeal { options: options.len() }))
        }
        (State::AwaitingProposer(turn), ArgumentKind::Resolution { parent_id }) => {
            target_seq(parent_id)?;
            State::AwaitingArbitrator(turn.request_ruling(ProposerRequest::Resolution))
        }
        (State::AwaitingOpponent(turn), ArgumentKind::Intervention) => State::InterventionPending(turn.intervene()),
        (State::AwaitingProposer(turn), ArgumentKind::Intervention) => State::InterventionPending(turn.intervene()),
        (State::AwaitingArbitrator(turn), ArgumentKind::Ruling { close, chosen_option }) => {
            check_option(*chosen_option, turn.request.options())?;
            if *close { State::Closed(turn.close()) } else { State::AwaitingProposer(turn.rule()) }
        }
        (State::InterventionPending(turn), ArgumentKind::Ruling { close, chosen_option }) => {
            check_option(*chosen_option, turn.options())?;
            if *close { State::Closed(turn.close()) } else { State::AwaitingProposer(turn.rule()) }
        }
        (State::InterventionPending(turn), ArgumentKind::Claim { by, parent_id }) => {
            return late(turn, *by, parent_id, LateArgument::Claim);
        }
        (State::InterventionPending(turn), ArgumentKind::Appeal { parent_id, options }) => {
            let request = ProposerRequest::Appeal { options: options.len() };
            return late(turn, Side::Proposer, parent_id, LateArgument::ProposerRequest(request));
        }
        (State::InterventionPending(turn), ArgumentKind::Resolution { parent_id }) => {
            return late(turn, Side::Proposer, parent_id, LateArgument::ProposerRequest(ProposerRequest::Resolution));
        }

        (
            State::AwaitingOpponent(_),
            ArgumentKind::Motion
            | ArgumentKind::Claim { by: Side::Proposer, .. }
            | ArgumentKind::Appeal { .. }
            | ArgumentKind::Resolution { .. }
            | ArgumentKind::Ruling { .. },
        )
        | (
            State::AwaitingProposer(_),
            ArgumentKind::Motion | ArgumentKind::Claim { by: Side::Opponent, .. } | ArgumentKind::Ruling { .. },
        )
        | (
            State::AwaitingArbitrator(_),
            ArgumentKind::Motion
            | ArgumentKind::Claim { .. }
            | ArgumentKind::Appeal { .. }
            | ArgumentKind::Resolution { .. }
            | ArgumentKind::Intervention,
        )
        | (State::InterventionPending(_), ArgumentKind::Motion | ArgumentKind::Intervention)
        | (
            State::Closed(_),
            ArgumentKind::Motion
            | ArgumentKind::Claim { .. }
            | ArgumentKind::Appeal { .. }
            | ArgumentKind::Resolution { .. }
            | ArgumentKind::Intervention
            | ArgumentKind::Ruling { .. },
        ) => return Err(not_allowed()),
    };
    Ok(Decision { state: next, late: false })
}

/// Whether the state alone would allow a CLAIM of the proposer.
fn takes_claim_of_proposer(state: &State) -> bool {
    match state {
        State::AwaitingProposer(_) => true,
        State::InterventionPending(InterventionPending::Open(delivery)) => delivery.interrupted == Side::Proposer,
        State::InterventionPending(InterventionPending::Delivered(_))
        | State::AwaitingOpponent(_)
        | State::AwaitingArbitrator(_)
        | State::Closed(_) => false,
    }
}

fn check_option(chosen: Option<usize>, options: usize) -> Result<(), SubmitError> {
    match chosen {
        Some(chosen) if chosen >= options => Err(SubmitError::OptionNotFound { chosen, options }),
        Some(_) | None => Ok(()),
    }
}

/// The argument types that `role` may submit in `state` with these `rounds`.
pub fn allowed_types(state: &State, rounds: Rounds, role: Role) -> Vec<ArgumentType> {
    // The target may be any argument that is older than the newest one.
    let (parent_id, seq, last_seq) = (ArgumentId(uuid::Uuid::nil()), 1, 2);
    let kinds = [
        ArgumentKind::Motion,
        ArgumentKind::Claim { by: Side::Proposer, parent_id },
        ArgumentKind::Claim { by: Side::Opponent, parent_id },
        ArgumentKind::Appeal { parent_id, options: Vec::new() },
        ArgumentKind::Resolution { parent_id },
        ArgumentKind::Intervention,
        ArgumentKind::Ruling { close: false, chosen_option: None },
    ];
    let allowed = kinds
        .iter()
        .filter(|kind| kind.role() == role && decide(*state, rounds, last_seq, kind, |_| Some(seq)).is_ok());
    allowed.map(ArgumentKind::argument_type).collect()
}

#[cfg(test)]
mod tests;
