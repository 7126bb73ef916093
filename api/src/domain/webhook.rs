//! What webhooks tell of, and to whom.

use std::fmt;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::{
    argument::{Argument, ArgumentKind},
    string_enum::string_enum,
};

string_enum! {
    /// An event that receivers of webhooks are told of.
    WebhookEvent {
        /// The debate was opened
        DebateOpened = "debate.opened",
        /// The arbitrator has to rule now, and had not to before
        RulingDue = "ruling.due",
        /// The debate was closed
        DebateClosed = "debate.closed",
    }
}

impl WebhookEvent {
    /// The event that storing this argument causes, if any.
    pub fn of(argument: &Argument) -> Option<Self> {
        match &argument.kind {
            ArgumentKind::Motion => Some(Self::DebateOpened),
            // With a late delivery the ruling was due already.
            ArgumentKind::Appeal { .. } | ArgumentKind::Resolution { .. } if argument.late_for.is_some() => None,
            ArgumentKind::Appeal { .. } | ArgumentKind::Resolution { .. } | ArgumentKind::Intervention => {
                Some(Self::RulingDue)
            }
            ArgumentKind::Ruling { close: true, .. } => Some(Self::DebateClosed),
            ArgumentKind::Ruling { close: false, .. } | ArgumentKind::Claim { .. } => None,
        }
    }
}

/// Identifies a receiver of webhooks by the SHA-256 of its URL, since the URL itself may contain secrets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EndpointId([u8; 32]);

impl EndpointId {
    /// The id of the receiver at this URL.
    pub fn of_url(url: &str) -> Self {
        Self(Sha256::digest(url).into())
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for EndpointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third, fourth, ..] = self.0;
        write!(f, "EndpointId({})", HEXLOWER.encode_display(&[first, second, third, fourth]))
    }
}
