//! Seats: whose key may write as the proposer, and whose as the opponent. They keep one agent from writing as the other.

use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::{role::Side, string_enum::string_enum};

/// The key of a seat, of which only the SHA-256 is known. Keys are compared in constant time.
#[derive(Clone, Copy, Eq)]
pub struct SeatKey([u8; Self::BYTES]);

/// A string that is not a valid [`SeatKey`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 43 characters of A-Z a-z 0-9 _ -: 32 random bytes in base64url")]
pub struct InvalidSeatKey;

impl SeatKey {
    /// How many characters a key has.
    pub const LEN: usize = 43;

    /// How many bytes the SHA-256 of a key has.
    const BYTES: usize = 32;

    /// The SHA-256 of the key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Reads a stored SHA-256; `None` unless there are exactly 32 bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

impl FromStr for SeatKey {
    type Err = InvalidSeatKey;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        if given.len() == Self::LEN && given.bytes().all(allowed) {
            return Ok(Self(Sha256::digest(given).into()));
        }
        Err(InvalidSeatKey)
    }
}

impl PartialEq for SeatKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Debug for SeatKey {
    /// Writes nothing of the key, since debug output may end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeatKey(…)")
    }
}

string_enum! {
    /// Whose a seat is, for somebody with a key or without one.
    SeatHolder {
        /// Nobody's
        Free = "free",
        /// That of the one with this key
        Yours = "yours",
        /// That of another key
        Other = "other",
    }
}

/// Somebody else's key has the seat of this side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatTaken(pub Side);

/// The two seats of a debate. A free one has no key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seats {
    /// The key of the proposer's seat
    pub proposer: Option<SeatKey>,
    /// The key of the opponent's seat
    pub opponent: Option<SeatKey>,
}

impl Seats {
    /// The key of a seat.
    pub fn key(&self, side: Side) -> Option<SeatKey> {
        match side {
            Side::Proposer => self.proposer,
            Side::Opponent => self.opponent,
        }
    }

    /// Whose the seat of this side is, for a caller with this key or without one.
    pub fn holder(&self, side: Side, key: Option<SeatKey>) -> SeatHolder {
        match self.key(side) {
            None => SeatHolder::Free,
            Some(holder) if key == Some(holder) => SeatHolder::Yours,
            Some(_) => SeatHolder::Other,
        }
    }

    /// Whether a caller with this key, or without one, may write as this side.
    pub fn check(&self, side: Side, key: Option<SeatKey>) -> Result<(), SeatTaken> {
        match self.holder(side, key) {
            SeatHolder::Other => Err(SeatTaken(side)),
            SeatHolder::Free | SeatHolder::Yours => Ok(()),
        }
    }

    /// The seats after a write as this side was stored: a key takes the seat if it is free.
    #[must_use]
    pub fn taken(self, side: Side, key: Option<SeatKey>) -> Self {
        self.with(side, self.key(side).or(key))
    }

    /// The seats after this one was freed.
    #[must_use]
    pub fn freed(self, side: Side) -> Self {
        self.with(side, None)
    }

    /// How many of the two are free.
    pub fn free(&self) -> usize {
        [self.proposer, self.opponent].iter().filter(|key| key.is_none()).count()
    }

    fn with(self, side: Side, key: Option<SeatKey>) -> Self {
        match side {
            Side::Proposer => Self { proposer: key, ..self },
            Side::Opponent => Self { opponent: key, ..self },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> SeatKey {
        text.repeat(SeatKey::LEN).parse().unwrap()
    }

    #[test]
    fn a_key_has_43_characters_of_base64url() {
        for given in ["A".repeat(43), "z".repeat(43), "0".repeat(43), format!("{}_-", "a".repeat(41))] {
            assert!(given.parse::<SeatKey>().is_ok(), "{given}");
        }
        let wrong = ["", "a", &"a".repeat(42), &"a".repeat(44)].map(str::to_owned);
        let foreign = ["=", "+", "/", ".", " ", "é"].map(|odd| format!("{}{odd}", "a".repeat(43 - odd.len())));
        for given in wrong.iter().chain(&foreign) {
            assert_eq!(given.parse::<SeatKey>(), Err(InvalidSeatKey), "{given:?}");
        }
    }

    #[test]
    fn the_sha_256_of_a_key_is_that_of_its_text() {
        let expected: [u8; 32] = Sha256::digest("a".repeat(43).as_bytes()).into();
        assert_eq!(key("a").as_bytes(), expected);
        assert_eq!(SeatKey::from_bytes(&expected), Some(key("a")));
        assert_eq!(SeatKey::from_bytes(&expected[1..]), None);
        assert_eq!(format!("{:?}", key("a")), "SeatKey(…)");
    }

    #[test]
    fn a_taken_seat_is_for_its_key_only_and_a_free_one_for_everybody() {
        let (a, b) = (key("a"), key("b"));
        // Who has the seat, who writes, whether that is allowed, and who has the seat afterwards.
        for (holder, writer, whose, after) in [
            (None, None, SeatHolder::Free, None),
            (None, Some(a), SeatHolder::Free, Some(a)),
            (Some(a), Some(a), SeatHolder::Yours, Some(a)),
            (Some(a), Some(b), SeatHolder::Other, Some(a)),
            (Some(a), None, SeatHolder::Other, Some(a)),
        ] {
            let allowed = whose != SeatHolder::Other;
            for side in [Side::Proposer, Side::Opponent] {
                let seats = Seats::default().with(side, holder);
                let checked = seats.check(side, writer);
                assert_eq!(seats.holder(side, writer), whose, "{side}: {holder:?} {writer:?}");
                assert_eq!(checked.is_ok(), allowed, "{side}: {holder:?} {writer:?}");
                if allowed {
                    assert_eq!(seats.taken(side, writer), Seats::default().with(side, after), "{side}");
                } else {
                    assert_eq!(checked, Err(SeatTaken(side)));
                }
            }
        }
    }

    #[test]
    fn the_seats_do_not_depend_on_each_other() {
        let seats = Seats { proposer: Some(key("a")), opponent: Some(key("b")) };
        assert_eq!(seats.check(Side::Opponent, Some(key("a"))), Err(SeatTaken(Side::Opponent)));
        assert_eq!(seats.freed(Side::Proposer), Seats { proposer: None, ..seats });
        assert_eq!(seats.freed(Side::Opponent).freed(Side::Opponent), Seats { opponent: None, ..seats });
        let retaken = seats.freed(Side::Opponent).taken(Side::Opponent, Some(key("c")));
        assert_eq!(retaken, Seats { opponent: Some(key("c")), ..seats });
    }
}
