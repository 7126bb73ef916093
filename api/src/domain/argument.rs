//! Arguments: what is said in a debate (SPEC section 3).

use chrono::{DateTime, Utc};

use super::{
    chain::Hash,
    id::{ArgumentId, DebateId, RequestId},
    name::named,
    role::{Role, Side},
    text::Content,
};

named! {
    /// What an argument does.
    ArgumentType {
        /// Opens the debate
        Motion = "MOTION",
        /// Answers the other side
        Claim = "CLAIM",
        /// Asks the arbitrator to decide
        Appeal = "APPEAL",
        /// Asks the arbitrator to close
        Resolution = "RESOLUTION",
        /// Stops both sides until a ruling
        Intervention = "INTERVENTION",
        /// Decides, and may close the debate
        Ruling = "RULING",
    }
}

/// One of the ways out that an APPEAL puts to the arbitrator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppealOption {
    /// What it is called
    pub label: String,
    /// What it means
    pub detail: Option<String>,
    /// Whether the arbitrator is to fill it in
    pub free_form: bool,
}

/// The label of the option that the server adds where none is free-form.
pub const FREE_FORM_LABEL: &str = "Something else";

/// The options as they are stored: where some are given and none is free-form, "Something else" is added (SPEC
/// section 4).
pub fn with_free_form(mut options: Vec<AppealOption>) -> Vec<AppealOption> {
    if !options.is_empty() && !options.iter().any(|option| option.free_form) {
        options.push(AppealOption { label: FREE_FORM_LABEL.to_owned(), detail: None, free_form: true });
    }
    options
}

/// What an argument is, with what only its kind has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentKind {
    /// See [`ArgumentType::Motion`]
    Motion,
    /// See [`ArgumentType::Claim`]
    Claim {
        /// Whose claim it is
        by: Side,
    },
    /// See [`ArgumentType::Appeal`]
    Appeal {
        /// What the arbitrator may choose from; may be none
        options: Vec<AppealOption>,
    },
    /// See [`ArgumentType::Resolution`]
    Resolution,
    /// See [`ArgumentType::Intervention`]
    Intervention,
    /// See [`ArgumentType::Ruling`]
    Ruling {
        /// Whether it ends the debate
        close: bool,
        /// Which of the appeal's options it takes, counted from 0
        chosen_option: Option<usize>,
    },
}

impl ArgumentKind {
    /// The type that the contract names it by.
    pub fn argument_type(&self) -> ArgumentType {
        match self {
            Self::Motion => ArgumentType::Motion,
            Self::Claim { .. } => ArgumentType::Claim,
            Self::Appeal { .. } => ArgumentType::Appeal,
            Self::Resolution => ArgumentType::Resolution,
            Self::Intervention => ArgumentType::Intervention,
            Self::Ruling { .. } => ArgumentType::Ruling,
        }
    }

    /// Who wrote it, which follows from what it is.
    pub fn role(&self) -> Role {
        match self {
            Self::Motion | Self::Appeal { .. } | Self::Resolution => Role::Proposer,
            Self::Claim { by } => (*by).into(),
            Self::Intervention | Self::Ruling { .. } => Role::Arbitrator,
        }
    }
}

/// One argument of a debate, as it is stored; it never changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its own name
    pub id: ArgumentId,
    /// The debate it belongs to
    pub debate_id: DebateId,
    /// The argument that it answers; none for MOTION, INTERVENTION and RULING
    pub parent_id: Option<ArgumentId>,
    /// What it is
    pub kind: ArgumentKind,
    /// Its place in the debate: 1, 2, 3… without gaps
    pub seq: u64,
    /// What it says
    pub content: Content,
    /// What the writer may repeat the write by
    pub request_id: Option<RequestId>,
    /// The INTERVENTION that came before it while it was being composed, where it was delivered late
    pub late_for: Option<ArgumentId>,
    /// When the server took it
    pub created_at: DateTime<Utc>,
    /// What stands for it and all before it
    pub hash: Hash,
}

impl Argument {
    /// The same, with the hash that it has after `previous`.
    pub fn sealed_after(self, previous: Hash) -> Self {
        Self { hash: previous.followed_by(&self), ..self }
    }

    /// Who wrote it.
    pub fn role(&self) -> Role {
        self.kind.role()
    }

    /// The argument after which its writer waits for news: itself, or the intervention that it was late for.
    pub fn wait_after(&self) -> ArgumentId {
        self.late_for.unwrap_or(self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(label: &str, free_form: bool) -> AppealOption {
        AppealOption { label: label.to_owned(), detail: None, free_form }
    }

    #[test]
    fn something_else_is_added_only_where_options_lack_it() {
        assert_eq!(with_free_form(vec![]), vec![]);
        let given = vec![option("A", false), option("Other", true), option("B", false)];
        assert_eq!(with_free_form(given.clone()), given);
        assert_eq!(with_free_form(vec![option("A", false)]), vec![option("A", false), option("Something else", true)]);
    }
}
