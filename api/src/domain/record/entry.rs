//! What a record needs of an argument.

use chrono::{DateTime, Utc};

use crate::domain::{
    agent::Agent,
    argument::{Argument, ArgumentKind, ChosenOption},
    citation::Citation,
    hash::Hash,
    id::ArgumentId,
    issue::{Changing, IssueChange},
    replay::WaitedFor,
    role::Role,
    text::Content,
};

/// An argument without what a record does not tell: of its content there is the size, and the text of a RULING.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its id
    pub id: ArgumentId,
    /// Its type, and what only this type has
    pub kind: ArgumentKind,
    /// Its number within the debate
    pub seq: u64,
    /// The size of its content
    pub content_bytes: u64,
    /// The content of a RULING
    pub ruling: Option<Content>,
    /// The option that a RULING chose
    pub chosen: Option<ChosenOption>,
    /// The changes of issues that it carries
    pub issue_changes: Vec<IssueChange>,
    /// The document versions that it cites
    pub citations: Vec<Citation>,
    /// The programs that were started to write it
    pub agents: Vec<Agent>,
    /// What the debate waited for before it
    pub waited_for: WaitedFor,
    /// When it was stored
    pub created_at: DateTime<Utc>,
    /// Its hash
    pub hash: Hash,
}

impl Entry {
    /// The entry of an argument, before which the debate waited for this.
    pub fn new(argument: Argument, waited_for: WaitedFor) -> Self {
        let content_bytes = argument.content.as_str().len() as u64;
        let ruling = match argument.kind {
            ArgumentKind::Ruling { .. } => Some(argument.content),
            ArgumentKind::Motion
            | ArgumentKind::Claim { .. }
            | ArgumentKind::Appeal { .. }
            | ArgumentKind::Resolution { .. }
            | ArgumentKind::Intervention => None,
        };
        Self {
            id: argument.id,
            kind: argument.kind,
            seq: argument.seq,
            content_bytes,
            ruling,
            chosen: argument.chosen,
            issue_changes: argument.issue_changes,
            citations: argument.citations,
            agents: argument.agents,
            waited_for,
            created_at: argument.created_at,
            hash: argument.hash,
        }
    }

    /// The role that wrote it.
    pub fn role(&self) -> Role {
        self.kind.role()
    }
}

impl<'a> From<&'a Entry> for Changing<'a> {
    fn from(entry: &'a Entry) -> Self {
        let Entry { seq, id, kind, issue_changes, citations, .. } = entry;
        Self { seq: *seq, argument_id: *id, kind, changes: issue_changes, citations }
    }
}
