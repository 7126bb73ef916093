//! The chain that shows tampering: each argument carries a hash over all that is stored of it and over the hash before
//! it, so that whoever remembers one notices any change to what came before.
//!
//! The hash is SHA-256 over the hash before, then each field in turn: eight bytes of length, most significant first, and
//! the field's bytes. A field that is not there has the length 2⁶⁴ − 1 and no bytes. Ids count as their 16 bytes, numbers
//! as eight, most significant first, times as microseconds since 1970-01-01 UTC, everything else as its text.

use std::fmt;

use sha2::{Digest, Sha256};

use super::{
    argument::{Argument, ArgumentKind},
    debate::Debate,
};

/// What stands for an argument and all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    /// What stands in the place of a hash until it is worked out.
    pub(super) const UNKNOWN: Self = Self([0; 32]);

    /// The hash as it is stored.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The hash that was stored so, if it can be one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// What comes before the MOTION: the debate's own fields that never change.
    pub fn of_opening(debate: &Debate) -> Self {
        let mut fields = Fields::after(b"aweave debate 1");
        fields.add(debate.id.0.as_bytes());
        fields.add(debate.title.as_str());
        fields.add(debate.debate_type.as_str());
        fields.add(debate.created_at.timestamp_micros().to_be_bytes());
        fields.hash()
    }

    /// The hash of `argument`, where this is the hash before it.
    pub fn followed_by(self, argument: &Argument) -> Self {
        let mut fields = Fields::after(self.as_bytes());
        fields.add(argument.id.0.as_bytes());
        fields.add(argument.debate_id.0.as_bytes());
        fields.add(argument.seq.to_be_bytes());
        fields.add_any(argument.parent_id.map(|id| id.0.into_bytes()));
        fields.add(argument.kind.argument_type().as_str());
        fields.add(argument.role().as_str());
        fields.add(argument.content.as_str());
        fields.add_any(argument.late_for.map(|id| id.0.into_bytes()));
        fields.add_any(argument.request_id.as_ref().map(|id| id.as_str()));
        fields.add(argument.created_at.timestamp_micros().to_be_bytes());
        match &argument.kind {
            ArgumentKind::Appeal { options } => {
                for option in options {
                    fields.add(&option.label);
                    fields.add_any(option.detail.as_deref());
                    fields.add([u8::from(option.free_form)]);
                }
            }
            ArgumentKind::Ruling { close, chosen_option } => {
                fields.add([u8::from(*close)]);
                fields.add_any(chosen_option.map(|index| (index as u64).to_be_bytes()));
            }
            ArgumentKind::Motion
            | ArgumentKind::Claim { .. }
            | ArgumentKind::Resolution
            | ArgumentKind::Intervention => {}
        }
        fields.hash()
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        hex::encode_to_slice(self.0, &mut digits).map_err(|_| fmt::Error)?;
        f.write_str(str::from_utf8(&digits).map_err(|_| fmt::Error)?)
    }
}

/// Fields on their way into a hash, none of which can pass for a part of another.
struct Fields(Sha256);

impl Fields {
    fn after(start: &[u8]) -> Self {
        Self(Sha256::new_with_prefix(start))
    }

    fn add(&mut self, field: impl AsRef<[u8]>) {
        let field = field.as_ref();
        self.0.update((field.len() as u64).to_be_bytes());
        self.0.update(field);
    }

    fn add_any(&mut self, field: Option<impl AsRef<[u8]>>) {
        match field {
            Some(field) => self.add(field),
            None => self.0.update(u64::MAX.to_be_bytes()),
        }
    }

    fn hash(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}
