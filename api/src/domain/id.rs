//! Identifiers (SPEC section 3): any spelling of a UUID is read, the lower-case hyphenated one is written.

use std::{fmt, str::FromStr};

use uuid::Uuid;

macro_rules! uuid_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub Uuid);

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(given: &str) -> Result<Self, Self::Err> {
                Uuid::from_str(given).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }
    };
}

uuid_id! {
    /// Names a debate; chosen by the proposer.
    DebateId
}

uuid_id! {
    /// Names an argument; made by the server.
    ArgumentId
}

uuid_id! {
    /// Names a document; made by the server, at random, so that its first digits tell it from others.
    DocumentId
}

/// What makes a write repeatable: the same id again in the same debate or document stores nothing twice.
///
/// 1 to 128 of `A-Z a-z 0-9 . _ : -`, compared exactly.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(String);

/// Why a text cannot be a [`RequestId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 128 characters of A-Z a-z 0-9 . _ : -")]
pub struct RequestIdFault;

impl RequestId {
    const MAX_LEN: usize = 128;

    /// The id as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RequestId {
    type Err = RequestIdFault;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
        if (1..=Self::MAX_LEN).contains(&given.len()) && given.bytes().all(plain) {
            return Ok(Self(given.to_owned()));
        }
        Err(RequestIdFault)
    }
}
