//! Which arguments fit next, best first. Each is legal as it stands, but for its text.

use serde::{Serialize, Serializer};
use serde_with::skip_serializing_none;

use super::{
    argument::ArgumentType,
    debate::Debate,
    id::ArgumentId,
    issue::{ChangeName, Issue, IssueNumber, IssueStatus, Ledger, MAX_CHANGES},
    role::Role,
    state::State,
};

/// An argument that fits next.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Move {
    /// Its type
    #[serde(rename = "type")]
    pub argument_type: ArgumentType,
    /// What it answers; none for a RULING
    pub target_id: Option<ArgumentId>,
    /// Whether it closes the debate; only for a RULING
    pub close: Option<bool>,
    /// The change of issues that it carries, which needs no text; none if there is nothing to change
    #[serialize_always]
    #[serde(rename = "issue_changes", serialize_with = "as_object")]
    pub issue_change: Option<(ChangeName, Vec<IssueNumber>)>,
}

/// Writes a change as an object of changes and their issues, which is empty if there is none.
fn as_object<S: Serializer>(change: &Option<(ChangeName, Vec<IssueNumber>)>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(change.iter().map(|(name, issues)| (name, issues)))
}

impl Debate {
    /// The moves of `role` among the types that are `allowed` to it, best first. `ledger` has the issues, if any of them is not settled.
    pub(super) fn moves(&self, role: Role, allowed: &[ArgumentType], ledger: &Ledger) -> Vec<Move> {
        let may_claim = allowed.contains(&ArgumentType::Claim);
        let mut moves: Vec<_> =
            allowed.iter().filter_map(|allowed| self.answer(*allowed, role, may_claim, ledger)).collect();
        match role {
            Role::Opponent => {}
            Role::Proposer => {
                let best = self.best_of_proposer(may_claim, ledger);
                // The others keep their order.
                moves.sort_by_key(|one| one.argument_type != best);
            }
            Role::Arbitrator if allowed.contains(&ArgumentType::Ruling) => {
                let agreed = self.ruling_request().is_some_and(|due| due.agreed);
                moves = vec![Move::ruling(agreed), Move::ruling(!agreed)];
            }
            Role::Arbitrator => {}
        }
        moves
    }

    /// The answer of this type that fits next; none if it does not fit or answers nothing.
    fn answer(&self, argument_type: ArgumentType, role: Role, may_claim: bool, ledger: &Ledger) -> Option<Move> {
        let is = |status| move |issue: &Issue| issue.status == status;
        let (change, mut issues) = match argument_type {
            ArgumentType::Claim if role == Role::Opponent => {
                (ChangeName::Resolve, unsettled(ledger, is(IssueStatus::Fixed)))
            }
            ArgumentType::Claim => (ChangeName::Fix, unsettled(ledger, is(IssueStatus::Open))),
            ArgumentType::Appeal if may_claim => (ChangeName::Refer, unsettled(ledger, Issue::is_stalled)),
            ArgumentType::Appeal => (ChangeName::Refer, unsettled(ledger, |_| true)),
            ArgumentType::Resolution if !self.issue_counts.block_completion() => (ChangeName::Resolve, Vec::new()),
            ArgumentType::Resolution | ArgumentType::Motion | ArgumentType::Intervention | ArgumentType::Ruling => {
                return None;
            }
        };
        issues.truncate(MAX_CHANGES);
        let target_id = match self.state {
            State::InterventionPending(_) => self.late_target_id?,
            State::AwaitingOpponent(_)
            | State::AwaitingProposer(_)
            | State::AwaitingArbitrator(_)
            | State::Closed(_) => self.last_argument_id,
        };
        let issue_change = (!issues.is_empty()).then_some((change, issues));
        Some(Move { argument_type, target_id: Some(target_id), close: None, issue_change })
    }

    fn best_of_proposer(&self, may_claim: bool, ledger: &Ledger) -> ArgumentType {
        let all_settled = self.issue_counts.unsettled() == 0;
        let has_issues = self.issue_counts != Default::default();
        if !may_claim {
            return if all_settled { ArgumentType::Resolution } else { ArgumentType::Appeal };
        }
        // What was just ruled on is not referred again before the opponent has answered.
        if self.rounds.has_one() && ledger.unsettled().any(Issue::is_stalled) {
            ArgumentType::Appeal
        } else if all_settled && has_issues {
            ArgumentType::Resolution
        } else {
            ArgumentType::Claim
        }
    }
}

impl Move {
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
