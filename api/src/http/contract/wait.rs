//! The responses to waits.

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::Serialize;
use serde_with::skip_serializing_none;
use uuid::Uuid;

use super::{
    debate::{Argument, Debate},
    faults::{Fault, faults},
    issue::{Issue, issues_of},
};
use crate::{
    app::{self, WaitOutcome},
    domain::{self, Action, ArgumentType, Role, StateName},
};

/// The result of a wait. `argument`, `earlier` and `next_argument_id_to_wait` are absent if the wait timed out.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct WaitAnswer {
    /// Whether `argument` is newer than the last argument that the caller had seen
    pub has_new_argument: bool,
    /// The debate's id
    pub debate_id: Uuid,
    /// The `seq` of the last argument that the caller had seen; 0 for none
    pub last_seen_seq: u64,
    /// The stored hash of the last argument that the caller had seen, in hexadecimal; absent for none
    pub last_seen_hash: Option<String>,
    /// The `seq` of the debate's newest argument
    pub last_seq: u64,
    /// The hash of the debate's newest argument, in hexadecimal
    pub head: String,
    /// The state of the debate
    pub debate_state: StateName,
    /// What the caller should do next: `respond`, `align_to_ruling`, `wait_for_opponent`, `wait_for_proposer`,
    /// `wait_for_ruling`, `watch`, `rule` or `debate_closed`
    pub action: Action,
    /// The argument types that the caller may submit now
    pub allowed: Vec<ArgumentType>,
    /// What fits now for the caller, best first; empty if it waits
    pub moves: Vec<domain::Move>,
    /// The document that the debate is about, or null if the proposer has cited none
    #[serialize_always]
    pub plan: Option<domain::Plan>,
    /// The newest unseen argument by somebody else; the debate's newest if it is closed or a ruling is due
    pub argument: Option<Argument>,
    /// The other unseen arguments by somebody else, in `seq` order; usually empty
    pub earlier: Option<Vec<Argument>>,
    /// The `argument_id` for the next wait: the debate's newest argument by anybody
    pub next_argument_id_to_wait: Option<Uuid>,
    /// Only with news: the issues that are not settled, in the order of their numbers
    pub issues: Option<Vec<Issue>>,
    /// Only if the wait timed out: the other roles that wait on the debate now
    pub waiting: Option<Vec<domain::Waiting>>,
}

/// A role that waits on the debate.
#[derive(Object)]
pub struct WaitingRole {
    /// The role: `proposer`, `opponent` or `arbitrator`
    role: Role,
    /// Since when it waits
    since: DateTime<Utc>,
}

/// The debates in which a ruling is due.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct RulingsDue {
    /// The debates, in the order in which their APPEAL, RESOLUTION or INTERVENTION came, at most 200; empty if the wait
    /// timed out
    pub debates: Vec<Debate>,
    /// How many debates there are in which a ruling is due
    pub total: u64,
    /// What is left out because it cannot be read, at most 100; absent if nothing is. Whoever runs the server can find all of it with
    /// `aweave-server verify`
    pub faults: Option<Vec<Fault>>,
}

impl From<app::Page<domain::Debate>> for RulingsDue {
    fn from(page: app::Page<domain::Debate>) -> Self {
        let debates = page.rows.into_iter().map(Into::into).collect();
        Self { debates, total: page.total, faults: faults(page.faults) }
    }
}

impl From<WaitOutcome> for WaitAnswer {
    fn from(outcome: WaitOutcome) -> Self {
        let (has_new_argument, argument, earlier, next, unsettled) = match outcome.arguments {
            Some(new) => (
                new.is_new,
                Some((&*new.argument).into()),
                Some(new.earlier.iter().map(|argument| (&**argument).into()).collect()),
                Some(new.newest_id.0),
                Some(issues_of(&outcome.debate, new.ledger.unsettled())),
            ),
            None => (false, None, None, None, None),
        };
        Self {
            has_new_argument,
            debate_id: outcome.debate.id.0,
            last_seen_seq: outcome.last_seen_seq,
            last_seen_hash: outcome.last_seen_hash.map(|hash| hash.to_string()),
            last_seq: outcome.debate.last_seq,
            head: outcome.debate.head.to_string(),
            debate_state: outcome.debate.state.name(),
            action: outcome.turn.action,
            allowed: outcome.turn.allowed,
            moves: outcome.turn.moves,
            plan: outcome.debate.plan(),
            argument,
            earlier,
            next_argument_id_to_wait: next,
            issues: unsettled,
            waiting: outcome.waiting,
        }
    }
}
