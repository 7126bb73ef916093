//! The texts of notifications.

use std::collections::HashMap;

use uuid::Uuid;

use crate::{
    domain::{DebateId, Role, Waiting},
    store::{PeerPresence, time},
};

/// The most debates in one notification: it has to stay under the 8,000 bytes that PostgreSQL allows.
pub(super) const MAX_DEBATES: usize = 140;

/// The most debates with waiters in one notification, for the same reason.
pub(super) const MAX_PRESENCES: usize = 65;

/// The word of a server that has stopped.
pub(super) const STOPPED: &str = "stopped";

/// The word of a server that asks who waits at the others.
pub(super) const ASKS: &str = "who-waits";

/// The word of a server that tells all about who waits there, in this and the next notifications.
pub(super) const TELLS_ALL: &str = "all-who-wait";

/// The text of a notification: the sender's id, then `DEBATE=LAST_SEQ` for each debate.
pub(super) fn payload(sender_id: Uuid, last_seqs: &[(DebateId, u64)]) -> String {
    let mut text = sender_id.simple().to_string();
    for (id, seq) in last_seqs {
        text.push_str(&format!(" {}={seq}", id.0.simple()));
    }
    text
}

/// The text of a notification of who waits: the sender's id, then `DEBATE:ROLE@MICROSECONDS,…` for each debate.
pub(super) fn presence_payload(sender_id: Uuid, presence: &[(DebateId, Vec<Waiting>)]) -> String {
    let mut text = sender_id.simple().to_string();
    for (id, waiting) in presence {
        let waiting: Vec<_> =
            waiting.iter().map(|one| format!("{}@{}", one.role, one.since.timestamp_micros())).collect();
        text.push_str(&format!(" {}:{}", id.0.simple(), waiting.join(",")));
    }
    text
}

/// A notification.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Received {
    pub sender: Uuid,
    pub last_seqs: HashMap<DebateId, u64>,
    pub presence: Vec<PeerPresence>,
}

impl Received {
    /// Reads a notification; none if it is not from an aweave-server.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let sender = words.next()?.parse().ok()?;
        let mut received = Self { sender, last_seqs: HashMap::new(), presence: Vec::new() };
        for word in words {
            if let Some((id, seq)) = word.split_once('=') {
                received.last_seqs.insert(DebateId(id.parse().ok()?), seq.parse().ok()?);
            } else if let Some((id, waiting)) = word.split_once(':') {
                let waiting = waiting.split(',').filter(|one| !one.is_empty()).map(parse_waiting);
                let (id, waiting) = (DebateId(id.parse().ok()?), waiting.collect::<Option<_>>()?);
                received.presence.push(PeerPresence::Waiting(sender, id, waiting));
            } else {
                received.presence.push(match word {
                    TELLS_ALL => PeerPresence::TellsAll(sender),
                    ASKS => PeerPresence::Asks,
                    STOPPED => PeerPresence::Stopped(sender),
                    _ => return None,
                });
            }
        }
        Some(received)
    }
}

fn parse_waiting(text: &str) -> Option<Waiting> {
    let (role, since) = text.split_once('@')?;
    let role: Role = role.parse().ok()?;
    Some(Waiting { role, since: time::from_micros(since.parse().ok()?)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENDER: Uuid = Uuid::from_u128(7);

    #[test]
    fn a_payload_of_the_most_debates_is_parsed_back_and_fits_into_a_notification() {
        let debates: Vec<_> =
            (0..MAX_DEBATES as u128).map(|number| (DebateId(Uuid::from_u128(number)), u64::MAX)).collect();
        let text = payload(SENDER, &debates);
        assert!(text.len() < 8_000, "{} bytes", text.len());
        let expected = Received { sender: SENDER, last_seqs: debates.into_iter().collect(), presence: Vec::new() };
        assert_eq!(Received::parse(&text), Some(expected));
        let empty = Received { sender: SENDER, last_seqs: HashMap::new(), presence: Vec::new() };
        assert_eq!(Received::parse(&payload(SENDER, &[])), Some(empty));
    }

    #[test]
    fn who_waits_on_the_most_debates_is_parsed_back_and_fits_into_a_notification() {
        let since = chrono::DateTime::from_timestamp_micros(9_999_999_999_999_999).unwrap();
        let all: Vec<_> = Role::ALL.iter().map(|role| Waiting { role: *role, since }).collect();
        let mut presence: Vec<_> =
            (0..MAX_PRESENCES as u128).map(|number| (DebateId(Uuid::from_u128(number)), all.clone())).collect();
        assert!(presence_payload(SENDER, &presence).len() < 8_000, "{}", presence_payload(SENDER, &presence).len());
        presence.push((DebateId(Uuid::from_u128(1_000)), Vec::new()));
        let expected = presence.iter().map(|(id, waiting)| PeerPresence::Waiting(SENDER, *id, waiting.clone()));
        let received = Received::parse(&presence_payload(SENDER, &presence)).unwrap();
        assert_eq!(received.presence, expected.collect::<Vec<_>>());
    }

    #[test]
    fn a_foreign_notification_is_ignored() {
        for text in ["", "hello", "00000000000000000000000000000007 x", "00000000000000000000000000000007 x=1"] {
            assert_eq!(Received::parse(text), None, "{text}");
        }
    }
}
