//! Debates, without their arguments.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::{
    argument::{Argument, ArgumentType},
    hash::Hash,
    id::{ArgumentId, DebateId},
    issue::IssueCounts,
    plan::{Plan, PlanCitations},
    rounds::Rounds,
    seat::Seats,
    state::State,
    string_enum::string_enum,
    text::Title,
    time_text::serialize_time,
};

string_enum! {
    /// The type of a debate.
    DebateType {
        /// The motion is an implementation plan, which the opponent reviews against the code
        CodingPlanDebate = "coding_plan_debate",
        /// A debate about anything else
        GeneralDebate = "general_debate",
    }
}

/// What asks the arbitrator for a RULING.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RulingRequest {
    /// Its type: APPEAL, RESOLUTION or INTERVENTION, this also after a late delivery
    pub on: ArgumentType,
    /// Its `seq`
    pub seq: u64,
    /// When it was stored
    #[serde(serialize_with = "serialize_time")]
    pub since: DateTime<Utc>,
    /// Whether it is a RESOLUTION that both sides can have agreed to: no issue is blocking, and the opponent has seen the plan
    pub agreed: bool,
}

/// A debate without its arguments.
///
/// An argument changes all of it that can change; freeing a seat changes the seat only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debate {
    /// Chosen by the proposer
    pub id: DebateId,
    /// The title
    pub title: Title,
    /// The type
    pub debate_type: DebateType,
    /// The present state
    pub state: State,
    /// How many rounds there were since the last RULING, and how many there may be
    pub rounds: Rounds,
    /// How many issues there are in each status
    pub issue_counts: IssueCounts,
    /// What the arguments cite, as far as the plan follows from it
    pub plan_citations: PlanCitations,
    /// Whose keys may write as the two sides
    pub seats: Seats,
    /// The `seq` of the newest argument
    pub last_seq: u64,
    /// The id of the newest argument
    pub last_argument_id: ArgumentId,
    /// As long as an argument may be delivered late: the newest one before the INTERVENTION, which it may answer
    pub late_target_id: Option<ArgumentId>,
    /// As long as a ruling is due: when the argument that asks for it was stored
    pub ruling_since: Option<DateTime<Utc>>,
    /// The hash of the newest argument
    pub head: Hash,
    /// When the debate was created
    pub created_at: DateTime<Utc>,
    /// When the newest argument was stored; it never decreases, even if the clock does
    pub updated_at: DateTime<Utc>,
}

impl Debate {
    /// The plan; none if the proposer has cited no document.
    pub fn plan(&self) -> Option<Plan> {
        self.plan_citations.plan()
    }

    /// Whether its head is this argument's hash, if the argument is its newest one; of older ones it says nothing.
    pub fn head_agrees_with(&self, argument: &Argument) -> bool {
        argument.seq < self.last_seq || (argument.hash == self.head && argument.id == self.last_argument_id)
    }

    /// What asks for a ruling; none if none is due.
    pub fn ruling_request(&self) -> Option<RulingRequest> {
        let asking = self.state.asks_for_ruling()?;
        let since = self.ruling_since?;
        let seq = if asking.is_newest { self.last_seq } else { self.last_seq - 1 };
        let agreed = asking.on == ArgumentType::Resolution
            && !self.issue_counts.block_completion()
            && self.plan().is_none_or(|plan| plan.seen);
        Some(RulingRequest { on: asking.on, seq, since, agreed })
    }

    /// Whether it says since when a ruling is due exactly if one is.
    pub fn ruling_since_fits_state(&self) -> bool {
        self.ruling_since.is_some() == self.state.asks_for_ruling().is_some()
    }

    /// Grows with every change: first by the number of arguments, then by the number of free seats, since only an argument can
    /// take a seat.
    pub fn version(&self) -> (u64, usize) {
        (self.last_seq, self.seats.free())
    }
}
