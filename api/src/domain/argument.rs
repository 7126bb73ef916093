//! Arguments, the entries of a debate.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    agent::Agent,
    citation::Citation,
    hash::Hash,
    id::{ArgumentId, DebateId, RequestId},
    issue::{IssueChange, IssueNumber},
    role::{Role, Side},
    string_enum::string_enum,
    text::Content,
};

string_enum! {
    /// The type of an argument.
    ArgumentType {
        /// Opens the debate
        Motion = "MOTION",
        /// Answers the other side
        Claim = "CLAIM",
        /// Asks the arbitrator to decide a point
        Appeal = "APPEAL",
        /// Asks the arbitrator to close the debate
        Resolution = "RESOLUTION",
        /// Stops both sides until a ruling
        Intervention = "INTERVENTION",
        /// Decides, and may close the debate
        Ruling = "RULING",
    }
}

/// One of the options that an APPEAL offers to the arbitrator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppealOption {
    /// Its short name
    pub label: String,
    /// An explanation
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Whether the arbitrator describes the choice in the content of the RULING
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free_form: bool,
    /// What it decides: the changes of issues of a RULING that chooses it and names none
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub issue_changes: Vec<IssueChange>,
}

impl AppealOption {
    /// The length of its texts, in bytes.
    pub fn text_bytes(&self) -> usize {
        let changes: usize = self.issue_changes.iter().map(IssueChange::text_bytes).sum();
        self.label.len() + self.detail.as_ref().map_or(0, String::len) + changes
    }
}

/// The label of the option that is added if an APPEAL has no free-form option.
pub const FREE_FORM_LABEL: &str = "Something else";

/// Adds the option "Something else" unless there are no options or one is free-form already.
pub fn with_free_form(mut options: Vec<AppealOption>) -> Vec<AppealOption> {
    if !options.is_empty() && !options.iter().any(|option| option.free_form) {
        let label = FREE_FORM_LABEL.to_owned();
        options.push(AppealOption { label, detail: None, free_form: true, issue_changes: Vec::new() });
    }
    options
}

/// The option that a RULING chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChosenOption {
    /// The `seq` of the APPEAL
    pub seq: u64,
    /// The index of the option, from 0
    pub number: usize,
    /// Its label
    pub label: String,
}

impl ChosenOption {
    /// The option that the RULING `seq` chose; none if it chose none. The APPEAL is the argument before it, since nothing is stored
    /// between the two.
    pub fn of_ruling(seq: u64, kind: &ArgumentKind, label_of: impl FnOnce(usize) -> Option<String>) -> Option<Self> {
        match kind {
            ArgumentKind::Ruling { chosen_option: Some(number), .. } => {
                Some(Self { seq: seq - 1, number: *number, label: label_of(*number)? })
            }
            ArgumentKind::Ruling { chosen_option: None, .. }
            | ArgumentKind::Motion
            | ArgumentKind::Claim { .. }
            | ArgumentKind::Appeal { .. }
            | ArgumentKind::Resolution { .. }
            | ArgumentKind::Intervention => None,
        }
    }
}

/// The type of an argument together with the fields that only this type has. It implies the role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentKind {
    /// See [`ArgumentType::Motion`]
    Motion,
    /// See [`ArgumentType::Claim`]
    Claim {
        /// The side that makes the claim
        by: Side,
        /// The argument that it answers
        parent_id: ArgumentId,
    },
    /// See [`ArgumentType::Appeal`]
    Appeal {
        /// The argument that it is about
        parent_id: ArgumentId,
        /// The options for the arbitrator; may be empty
        options: Vec<AppealOption>,
    },
    /// See [`ArgumentType::Resolution`]
    Resolution {
        /// The argument that it answers
        parent_id: ArgumentId,
    },
    /// See [`ArgumentType::Intervention`]
    Intervention,
    /// See [`ArgumentType::Ruling`]
    Ruling {
        /// Whether it closes the debate
        close: bool,
        /// The index of the chosen option of the APPEAL, from 0
        chosen_option: Option<usize>,
    },
}

impl ArgumentKind {
    /// The type alone.
    pub fn argument_type(&self) -> ArgumentType {
        match self {
            Self::Motion => ArgumentType::Motion,
            Self::Claim { .. } => ArgumentType::Claim,
            Self::Appeal { .. } => ArgumentType::Appeal,
            Self::Resolution { .. } => ArgumentType::Resolution,
            Self::Intervention => ArgumentType::Intervention,
            Self::Ruling { .. } => ArgumentType::Ruling,
        }
    }

    /// The role that writes an argument of this kind.
    pub fn role(&self) -> Role {
        match self {
            Self::Motion | Self::Appeal { .. } | Self::Resolution { .. } => Role::Proposer,
            Self::Claim { by, .. } => (*by).into(),
            Self::Intervention | Self::Ruling { .. } => Role::Arbitrator,
        }
    }

    /// The options of an APPEAL; empty unless it is one.
    pub fn options(&self) -> &[AppealOption] {
        match self {
            Self::Appeal { options, .. } => options,
            Self::Motion | Self::Claim { .. } | Self::Resolution { .. } | Self::Intervention | Self::Ruling { .. } => {
                &[]
            }
        }
    }

    /// The argument that it answers; `None` for MOTION, INTERVENTION and RULING.
    pub fn parent_id(&self) -> Option<ArgumentId> {
        match self {
            Self::Claim { parent_id, .. } | Self::Appeal { parent_id, .. } | Self::Resolution { parent_id } => {
                Some(*parent_id)
            }
            Self::Motion | Self::Intervention | Self::Ruling { .. } => None,
        }
    }
}

/// A stored argument. It never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Assigned by the server
    pub id: ArgumentId,
    /// The debate that it belongs to
    pub debate_id: DebateId,
    /// Its type, and what only this type has
    pub kind: ArgumentKind,
    /// Its number within the debate: 1, 2, 3… without gaps
    pub seq: u64,
    /// The text
    pub content: Content,
    /// On a RULING: the option that it chose. It follows from the APPEAL, and is no part of the hash
    pub chosen: Option<ChosenOption>,
    /// The changes of issues that it carries
    pub issue_changes: Vec<IssueChange>,
    /// The issues that are no longer as before it; a RULING changes those that were referred, too
    pub changed_issues: Vec<IssueNumber>,
    /// The versions of documents that its content cites and that existed when it was stored, in the order of the content
    pub citations: Vec<Citation>,
    /// The programs that were started to write it
    pub agents: Vec<Agent>,
    /// The request id of the write that stored it, if the client gave one
    pub request_id: Option<RequestId>,
    /// If it is a late delivery: the INTERVENTION that was stored before it
    pub late_for: Option<ArgumentId>,
    /// When the server stored it
    pub created_at: DateTime<Utc>,
    /// Its hash in the hash chain of the debate
    pub hash: Hash,
}

impl Argument {
    /// The role that wrote it.
    pub fn role(&self) -> Role {
        self.kind.role()
    }

    /// The options that a RULING may choose from; empty unless it is an APPEAL.
    pub fn options(&self) -> &[AppealOption] {
        self.kind.options()
    }

    /// The length of its texts, in bytes.
    pub fn text_bytes(&self) -> usize {
        let changes: usize = self.issue_changes.iter().map(IssueChange::text_bytes).sum();
        self.content.as_str().len() + changes + self.options().iter().map(AppealOption::text_bytes).sum::<usize>()
    }

    /// The last argument that its author has seen: this one, or for a late delivery the INTERVENTION before it.
    pub fn last_seen_by_author(&self) -> ArgumentId {
        self.late_for.unwrap_or(self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(label: &str, free_form: bool) -> AppealOption {
        AppealOption { label: label.to_owned(), detail: None, free_form, issue_changes: Vec::new() }
    }

    #[test]
    fn something_else_is_added_only_if_no_option_is_free_form() {
        assert_eq!(with_free_form(vec![]), vec![]);
        let given = vec![option("A", false), option("Other", true), option("B", false)];
        assert_eq!(with_free_form(given.clone()), given);
        assert_eq!(with_free_form(vec![option("A", false)]), vec![option("A", false), option("Something else", true)]);
    }
}
