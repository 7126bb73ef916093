//! How long a debate took, and who wrote how much.

use chrono::{DateTime, TimeDelta};

use super::Entry;
use crate::domain::{
    agent::Usage,
    argument::{ArgumentKind, ArgumentType},
    issue::IssueCounts,
    role::{Role, Side},
};

/// The figures of a debate, up to its newest argument. Times are in whole seconds, rounded down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The number of arguments
    pub arguments: u64,
    /// The number of the opponent's CLAIMs
    pub rounds: u64,
    /// The number of APPEALs
    pub appeals: u64,
    /// The number of INTERVENTIONs
    pub interventions: u64,
    /// The seconds from the first argument to the newest
    pub seconds: u64,
    /// The figures of the proposer
    pub proposer: RoleStatistics,
    /// The figures of the opponent
    pub opponent: RoleStatistics,
    /// The figures of the arbitrator
    pub arbitrator: RoleStatistics,
    /// How many issues there are in each status
    pub issues: IssueCounts,
}

/// The figures of a role.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RoleStatistics {
    /// The number of its arguments
    pub arguments: u64,
    /// The size of their contents
    pub bytes: u64,
    /// The seconds in which the debate waited for it
    pub seconds: u64,
    /// What the programs used that were started to write them
    pub usage: Usage,
}

pub(super) fn statistics(entries: &[Entry], issues: IssueCounts) -> Statistics {
    let count =
        |argument_type| entries.iter().filter(|entry| entry.kind.argument_type() == argument_type).count() as u64;
    let is_round = |entry: &&Entry| matches!(entry.kind, ArgumentKind::Claim { by: Side::Opponent, .. });
    let waited = waited(entries);
    Statistics {
        arguments: entries.len() as u64,
        rounds: entries.iter().filter(is_round).count() as u64,
        appeals: count(ArgumentType::Appeal),
        interventions: count(ArgumentType::Intervention),
        seconds: seconds(waited.proposer + waited.opponent + waited.arbitrator),
        proposer: of_role(entries, Role::Proposer, waited.proposer),
        opponent: of_role(entries, Role::Opponent, waited.opponent),
        arbitrator: of_role(entries, Role::Arbitrator, waited.arbitrator),
        issues,
    }
}

fn of_role(entries: &[Entry], role: Role, waited: TimeDelta) -> RoleStatistics {
    let own = || entries.iter().filter(|entry| entry.role() == role);
    RoleStatistics {
        arguments: own().count() as u64,
        bytes: own().map(|entry| entry.content_bytes).sum(),
        seconds: seconds(waited),
        usage: own().flat_map(|entry| &entry.agents).fold(Usage::default(), |sum, agent| sum.plus(agent.usage)),
    }
}

fn seconds(time: TimeDelta) -> u64 {
    time.num_seconds().unsigned_abs()
}

/// How long the debate waited for each role.
#[derive(Default)]
struct Waited {
    proposer: TimeDelta,
    opponent: TimeDelta,
    arbitrator: TimeDelta,
}

fn waited(entries: &[Entry]) -> Waited {
    let mut waited = Waited::default();
    let mut now = entries.first().map_or(DateTime::UNIX_EPOCH, |motion| motion.created_at);
    for entry in entries {
        // The clock may have been set back: then no time has passed.
        let next = now.max(entry.created_at);
        match entry.waited_for.role {
            Some(Role::Proposer) => waited.proposer += next - now,
            Some(Role::Opponent) => waited.opponent += next - now,
            Some(Role::Arbitrator) => waited.arbitrator += next - now,
            None => {}
        }
        now = next;
    }
    waited
}
