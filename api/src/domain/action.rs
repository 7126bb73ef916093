//! What a reader is to do next (SPEC section 5).

use super::{
    name::named,
    role::Role,
    state::{AwaitingProposer, State, Summons},
};

named! {
    /// What somebody who waits is to do next; it follows from state and role alone.
    Action {
        /// Answer the other side
        Respond = "respond",
        /// Follow the ruling, then answer
        AlignToRuling = "align_to_ruling",
        /// Wait: it is the opponent's turn
        WaitForOpponent = "wait_for_opponent",
        /// Wait: it is the proposer's turn
        WaitForProposer = "wait_for_proposer",
        /// Wait: the arbitrator will rule
        WaitForRuling = "wait_for_ruling",
        /// Look on; stepping in is allowed
        Watch = "watch",
        /// Rule
        Rule = "rule",
        /// Stop: nothing more will come
        DebateClosed = "debate_closed",
    }
}

/// What `role` is to do while the debate stands at `state`.
pub fn action_for(state: &State, role: Role) -> Action {
    match (state, role) {
        (State::AwaitingOpponent(_), Role::Opponent) => Action::Respond,
        (State::AwaitingOpponent(_), Role::Proposer) => Action::WaitForOpponent,
        (State::AwaitingProposer(AwaitingProposer { summons }), Role::Proposer) => match summons {
            Summons::Claim => Action::Respond,
            Summons::Ruling => Action::AlignToRuling,
        },
        (State::AwaitingProposer(_), Role::Opponent) => Action::WaitForProposer,
        (State::AwaitingOpponent(_) | State::AwaitingProposer(_), Role::Arbitrator) => Action::Watch,
        (State::AwaitingArbitrator(_) | State::InterventionPending(_), Role::Proposer | Role::Opponent) => {
            Action::WaitForRuling
        }
        (State::AwaitingArbitrator(_) | State::InterventionPending(_), Role::Arbitrator) => Action::Rule,
        (State::Closed(_), Role::Proposer | Role::Opponent | Role::Arbitrator) => Action::DebateClosed,
    }
}
