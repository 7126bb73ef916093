//! The model of moves: what fits next for each role.

use serde_json::{Map, Value, json};

use super::{
    issue_rules::MAX_CHANGES,
    model_debate::State,
    model_issues::{Issue, Ledger},
};

/// What the moves of a debate depend on.
pub struct Moves<'a> {
    /// The debate's state
    pub state: State,
    /// All arguments, in order
    pub arguments: Vec<&'a Value>,
    /// The debate's issues
    pub ledger: &'a Ledger,
    /// Whether the proposer may no longer answer with a CLAIM
    pub has_no_rounds_left: bool,
    /// Whether both sides can have agreed to what the arbitrator is asked
    pub is_agreed: bool,
}

impl Moves<'_> {
    /// The moves of a role.
    pub fn of(&self, role: &str) -> Vec<Value> {
        match (self.state, role) {
            (State::AwaitingOpponent, "opponent") | (State::InterventionPending("opponent", false), "opponent") => {
                vec![self.answer("CLAIM", "resolve", &|issue| issue.status == "fixed")]
            }
            (State::AwaitingProposer, "proposer") | (State::InterventionPending("proposer", false), "proposer") => {
                self.of_proposer()
            }
            (State::AwaitingArbitrator | State::InterventionPending(..), "arbitrator") => {
                let closes = self.is_agreed;
                [closes, !closes].map(|close| json!({"type": "RULING", "close": close, "issue_changes": {}})).into()
            }
            _ => Vec::new(),
        }
    }

    fn of_proposer(&self) -> Vec<Value> {
        let stalled = |issue: &Issue| issue.is_stalled();
        let everything = |_: &Issue| true;
        let (may_claim, unsettled) = (!self.has_no_rounds_left, self.ids(&everything));
        let referred: &dyn Fn(&Issue) -> bool = if may_claim { &stalled } else { &everything };
        let mut moves = Vec::new();
        if may_claim {
            moves.push(self.answer("CLAIM", "fix", &|issue| issue.status == "open"));
        }
        moves.push(self.answer("APPEAL", "refer", referred));
        if self.ledger.blocking().is_empty() {
            moves.push(self.answer("RESOLUTION", "", &|_| false));
        }
        let best = match may_claim {
            true if !self.ids(&stalled).is_empty() && !self.follows_a_ruling() => "APPEAL",
            true if !self.ledger.issues.is_empty() && unsettled.is_empty() => "RESOLUTION",
            true => "CLAIM",
            false if unsettled.is_empty() => "RESOLUTION",
            false => "APPEAL",
        };
        let place = moves.iter().position(|one| one["type"] == best).expect("the best move is one of them");
        let first = moves.remove(place);
        moves.insert(0, first);
        moves
    }

    /// Whether the proposer answers a RULING, or did before the INTERVENTION.
    fn follows_a_ruling(&self) -> bool {
        let others = self.arguments.iter().rev().filter(|fields| fields["role"] != "proposer");
        others.into_iter().find(|fields| fields["type"] != "INTERVENTION").is_some_and(|one| one["type"] == "RULING")
    }

    /// The ids of the unsettled issues that fit.
    fn ids(&self, fits: &dyn Fn(&Issue) -> bool) -> Vec<String> {
        let numbered = self.ledger.issues.iter().zip(1..);
        let fitting = numbered.filter(|(issue, _)| !issue.is_settled() && fits(issue));
        fitting.map(|(_, number)| format!("I{number}")).collect()
    }

    fn answer(&self, kind: &str, change: &str, fits: &dyn Fn(&Issue) -> bool) -> Value {
        let mut ids = self.ids(fits);
        ids.truncate(MAX_CHANGES);
        let change = (!ids.is_empty()).then(|| (change.to_owned(), json!(ids)));
        let stepped_in = matches!(self.state, State::InterventionPending(..));
        let target = self.arguments.iter().rev().nth(usize::from(stepped_in));
        let changes: Map<String, Value> = change.into_iter().collect();
        json!({"type": kind, "target_id": target.map(|target| &target["id"]), "issue_changes": changes})
    }
}
