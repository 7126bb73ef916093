//! SHA-256 hashes.

use std::{fmt, str::FromStr};

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use sha2::{Digest, Sha256};

/// A SHA-256 hash: over an argument and, through the previous hash, over everything before it, or over the content or the
/// metadata of a document version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct Hash(pub(super) [u8; Self::BYTES]);

impl Hash {
    /// How many bytes a hash has.
    pub const BYTES: usize = 32;

    /// The value of `Argument::hash` until the hash is computed.
    pub(super) const UNSET: Self = Self([0; Self::BYTES]);

    /// The hash of the content or the metadata of a document version.
    pub fn of_content(content: &str) -> Self {
        Self(Sha256::digest(content).into())
    }

    /// The hash of these texts, each followed by a line break.
    pub(super) fn of_lines<'t>(lines: impl IntoIterator<Item = &'t str>) -> Self {
        let add = |digest: Sha256, line: &str| digest.chain_update(line).chain_update("\n");
        Self(lines.into_iter().fold(Sha256::new(), add).finalize().into())
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Reads a stored hash; `None` unless there are exactly 32 bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Display for Hash {
    /// Writes 64 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        HEXLOWER.encode_display(&self.0).fmt(f)
    }
}

/// A text that is not a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("has a hash that is not 64 hexadecimal digits")]
pub struct InvalidHash;

impl FromStr for Hash {
    type Err = InvalidHash;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        let bytes = HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).map_err(|_| InvalidHash)?;
        Self::from_bytes(&bytes).ok_or(InvalidHash)
    }
}
