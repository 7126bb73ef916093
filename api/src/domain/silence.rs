//! Who waits on a debate, and who keeps it waiting.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use super::{
    debate::Debate,
    role::{Role, Side},
    time_text::serialize_time,
};

/// How long a side whose turn it is may neither write nor wait until it counts as silent.
pub const SILENT_AFTER: TimeDelta = TimeDelta::minutes(10);

/// A role that waits on a debate, or is silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Waiting {
    /// The role
    pub role: Role,
    /// When it began to wait, where waits that follow each other closely count as one; or since when it is silent
    #[serde(serialize_with = "serialize_time")]
    pub since: DateTime<Utc>,
}

/// The side whose turn it is, if it is the turn of a side and it does not wait: since when nothing was heard of it. From
/// [`SILENT_AFTER`] on it counts as silent. `last_waited` tells when a role waited last.
pub fn unheard(
    debate: &Debate,
    waiting: &[Waiting],
    last_waited: impl Fn(Role) -> Option<DateTime<Utc>>,
) -> Option<Waiting> {
    let role = debate.state.turn().filter(|role| Side::of(*role).is_some())?;
    if waiting.iter().any(|one| one.role == role) {
        return None;
    }
    let since = last_waited(role).map_or(debate.updated_at, |waited| waited.max(debate.updated_at));
    Some(Waiting { role, since })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ArgumentId, Content, DebateId, DebateType, Limits, NewDebate, Title};

    fn opened_at(time: DateTime<Utc>) -> Debate {
        let new = NewDebate::new(
            DebateId(uuid::Uuid::from_u128(1)),
            Title::parse("Retry budget".to_owned()).unwrap(),
            DebateType::GeneralDebate,
            Content::parse("We add one.".to_owned(), Limits::default().content()).unwrap(),
            "open".parse().unwrap(),
        );
        new.create(Vec::new(), ArgumentId(uuid::Uuid::from_u128(2)), time).0
    }

    #[test]
    fn a_side_is_unheard_since_its_turn_began_or_it_waited_last() {
        let (begin, later) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH + TimeDelta::minutes(3));
        let debate = opened_at(begin);
        let opponent = |since| Some(Waiting { role: Role::Opponent, since });
        assert_eq!(unheard(&debate, &[], |_| None), opponent(begin));
        assert_eq!(unheard(&debate, &[], |_| Some(begin - TimeDelta::minutes(1))), opponent(begin));
        assert_eq!(unheard(&debate, &[], |role| (role == Role::Opponent).then_some(later)), opponent(later));
        let proposer_waits = [Waiting { role: Role::Proposer, since: begin }];
        assert_eq!(unheard(&debate, &proposer_waits, |_| None), opponent(begin));
        let opponent_waits = [Waiting { role: Role::Opponent, since: begin }];
        assert_eq!(unheard(&debate, &opponent_waits, |_| None), None);
    }
}
