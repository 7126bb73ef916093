//! Which arguments fit next, best first. Each is legal as it stands, but for its text.

use super::{
    argument::ArgumentType,
    debate::Debate,
    id::ArgumentId,
    issue::{ChangeName, Issue, IssueNumber, IssueStatus, Ledger, MAX_CHANGES},
    role::{Role, Side},
    state::{AwaitingOpponent, AwaitingProposer, InterventionPending, RespondingTo, State},
};

/// An argument that fits next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Its type
    pub argument_type: ArgumentType,
    /// What it answers; none for a RULING
    pub target_id: Option<ArgumentId>,
    /// Whether it closes the debate; only for a RULING
    pub close: Option<bool>,
    /// The change of issues that it carries, which needs no text; none if there is nothing to change
    pub issue_change: Option<(ChangeName, Vec<IssueNumber>)>,
}

impl Debate {
    /// The moves of `role`, best first; none if it waits. `ledger` has the issues, if any of them is not settled.
    pub fn moves(&self, role: Role, ledger: &Ledger) -> Vec<Move> {
        match (self.state, role) {
            (State::AwaitingOpponent(_), Role::Opponent) => self.moves_of_opponent(self.last_argument_id, ledger),
            (State::AwaitingProposer(turn), Role::Proposer) => {
                self.moves_of_proposer(turn, self.last_argument_id, ledger)
            }
            (State::InterventionPending(InterventionPending::Open(late)), Role::Proposer | Role::Opponent) => {
                match (late.interrupted, self.late_target_id) {
                    (Side::Opponent, Some(target)) if role == Role::Opponent => self.moves_of_opponent(target, ledger),
                    (Side::Proposer, Some(target)) if role == Role::Proposer => {
                        // A RULING has the rounds counted from 0 again, so without a round the proposer responds to one.
                        let responding_to =
                            if self.rounds.done == 0 { RespondingTo::Ruling } else { RespondingTo::Claim };
                        self.moves_of_proposer(AwaitingProposer { responding_to }, target, ledger)
                    }
                    (Side::Opponent | Side::Proposer, Some(_) | None) => Vec::new(),
                }
            }
            (State::AwaitingArbitrator(_) | State::InterventionPending(_), Role::Arbitrator) => {
                let agreed = self.ruling_due().is_some_and(|due| due.agreed);
                vec![Move::ruling(agreed), Move::ruling(!agreed)]
            }
            (State::AwaitingOpponent(AwaitingOpponent), Role::Proposer | Role::Arbitrator)
            | (State::AwaitingProposer(_), Role::Opponent | Role::Arbitrator)
            | (
                State::AwaitingArbitrator(_) | State::InterventionPending(InterventionPending::Delivered(_)),
                Role::Proposer | Role::Opponent,
            )
            | (State::Closed(_), Role::Proposer | Role::Opponent | Role::Arbitrator) => Vec::new(),
        }
    }

    fn moves_of_opponent(&self, target: ArgumentId, ledger: &Ledger) -> Vec<Move> {
        let is_fixed = |issue: &Issue| issue.status == IssueStatus::Fixed;
        vec![Move::answer(ArgumentType::Claim, target, ChangeName::Resolve, unsettled(ledger, is_fixed))]
    }

    fn moves_of_proposer(&self, turn: AwaitingProposer, target: ArgumentId, ledger: &Ledger) -> Vec<Move> {
        let may_claim = !self.rounds.is_over();
        let is_open = |issue: &Issue| issue.status == IssueStatus::Open;
        let stalled = unsettled(ledger, Issue::is_stalled);
        let all_settled = self.issue_counts.unsettled() == 0;
        let has_issues = self.issue_counts != Default::default();

        let appeal_is_best =
            if may_claim { !stalled.is_empty() && turn.responding_to == RespondingTo::Claim } else { !all_settled };
        let resolution_is_best = all_settled && (has_issues || !may_claim);
        let best = match (appeal_is_best, resolution_is_best) {
            (true, _) => ArgumentType::Appeal,
            (false, true) => ArgumentType::Resolution,
            (false, false) => ArgumentType::Claim,
        };

        let referred = if may_claim { stalled } else { unsettled(ledger, |_| true) };
        let mut moves = Vec::new();
        if may_claim {
            moves.push(Move::answer(ArgumentType::Claim, target, ChangeName::Fix, unsettled(ledger, is_open)));
        }
        moves.push(Move::answer(ArgumentType::Appeal, target, ChangeName::Refer, referred));
        if self.issue_counts.blocking == 0 {
            moves.push(Move::answer(ArgumentType::Resolution, target, ChangeName::Resolve, Vec::new()));
        }
        // The others keep their order.
        moves.sort_by_key(|one| one.argument_type != best);
        moves
    }
}

impl Move {
    fn answer(
        argument_type: ArgumentType,
        target: ArgumentId,
        change: ChangeName,
        mut issues: Vec<IssueNumber>,
    ) -> Self {
        issues.truncate(MAX_CHANGES);
        let issue_change = (!issues.is_empty()).then_some((change, issues));
        Self { argument_type, target_id: Some(target), close: None, issue_change }
    }

    fn ruling(close: bool) -> Self {
        Self { argument_type: ArgumentType::Ruling, target_id: None, close: Some(close), issue_change: None }
    }
}

/// The issues that are not settled and match, in the order of their numbers.
fn unsettled(ledger: &Ledger, matches: impl Fn(&Issue) -> bool) -> Vec<IssueNumber> {
    ledger.unsettled().filter(|issue| matches(issue)).map(|issue| issue.number).collect()
}

#[cfg(test)]
mod tests;
