//! Identifiers. UUIDs are read in any common format and always written in lower case with hyphens.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::hash::Hash;

macro_rules! uuid_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    /// The id of a debate, chosen by the proposer.
    DebateId
}

uuid_id! {
    /// The id of an argument, assigned by the server.
    ArgumentId
}

uuid_id! {
    /// The id of a document, assigned by the server. It is random, so that its first digits usually identify it.
    DocumentId
}

/// The client's id of a write request. A repeated request with the same id stores nothing again.
///
/// 1 to 128 characters of `A-Z a-z 0-9 . _ : -`, compared exactly.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(String);

/// A string that is not a valid [`RequestId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to 128 characters of A-Z a-z 0-9 . _ : -")]
pub struct InvalidRequestId;

impl RequestId {
    /// The maximum length in characters.
    pub const MAX_LEN: usize = 128;

    /// An id that is a hash in hexadecimal.
    pub(super) fn of_hash(hash: Hash) -> Self {
        Self(hash.to_string())
    }

    /// The id as the client sent it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RequestId {
    type Err = InvalidRequestId;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
        if (1..=Self::MAX_LEN).contains(&given.len()) && given.bytes().all(allowed) {
            return Ok(Self(given.to_owned()));
        }
        Err(InvalidRequestId)
    }
}
