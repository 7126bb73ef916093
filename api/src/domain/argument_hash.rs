//! The hash chain that makes tampering visible: the hash of each argument covers all its stored fields and the previous
//! hash. A client that remembers one hash therefore notices a change of anything before it.
//!
//! Each hash is SHA-256 over the previous hash and then each field: its length as eight bytes, most significant first,
//! and its bytes. A missing field has the length 2⁶⁴ − 1 and no bytes. Ids are hashed as 16 bytes, numbers as eight bytes,
//! most significant first, times as microseconds since 1970-01-01 UTC, and everything else as its text.
//!
//! What was added to the format later is hashed only where it is there, after its name, so that older hashes stay as they are:
//! `max_rounds` of a debate, the `issue_changes`, the `citations` and the `agents` of an argument as their number and the
//! fields of each, of an agent `changed_paths`, `starts`, `calls`, `failed_calls` and `denied_calls`, and `option_issue_changes`: if
//! any option of an APPEAL has changes of issues, for each option their number and the fields of each.

use sha2::{Digest, Sha256};

use super::{
    agent::{Agent, AgentPurpose},
    argument::{Argument, ArgumentKind},
    citation::Citation,
    debate::Debate,
    hash::Hash,
    issue::{IssueChange, Severity},
};

impl Hash {
    /// The hash before the MOTION. It covers the fields of the debate that never change.
    pub fn of_debate(debate: &Debate) -> Self {
        let mut hasher = FieldHasher::new(b"aweave debate 1");
        hasher.add(debate.id.0.as_bytes());
        hasher.add(debate.title.as_str());
        hasher.add(debate.debate_type.as_str());
        hasher.add(debate.created_at.timestamp_micros().to_be_bytes());
        if let Some(max_rounds) = debate.rounds.max {
            hasher.add("max_rounds");
            hasher.add(u64::from(max_rounds.get()).to_be_bytes());
        }
        hasher.finish()
    }

    /// The hash of `argument`; `previous` is the hash of the argument before it.
    pub fn of_argument(argument: &Argument, previous: Self) -> Self {
        let mut hasher = FieldHasher::new(previous.as_bytes());
        hasher.add(argument.id.0.as_bytes());
        hasher.add(argument.debate_id.0.as_bytes());
        hasher.add(argument.seq.to_be_bytes());
        hasher.add_optional(argument.kind.parent_id().map(|id| id.0.into_bytes()));
        hasher.add(argument.kind.argument_type().as_str());
        hasher.add(argument.role().as_str());
        hasher.add(argument.content.as_str());
        hasher.add_optional(argument.late_for.map(|id| id.0.into_bytes()));
        hasher.add_optional(argument.request_id.as_ref().map(|id| id.as_str()));
        hasher.add(argument.created_at.timestamp_micros().to_be_bytes());
        match &argument.kind {
            ArgumentKind::Appeal { options, .. } => {
                for option in options {
                    hasher.add(&option.label);
                    hasher.add_optional(option.detail.as_deref());
                    hasher.add([u8::from(option.free_form)]);
                }
            }
            ArgumentKind::Ruling { close, chosen_option } => {
                hasher.add([u8::from(*close)]);
                hasher.add_optional(chosen_option.map(|index| (index as u64).to_be_bytes()));
            }
            ArgumentKind::Motion
            | ArgumentKind::Claim { .. }
            | ArgumentKind::Resolution { .. }
            | ArgumentKind::Intervention => {}
        }
        if !argument.issue_changes.is_empty() {
            hasher.add("issue_changes");
            hasher.add((argument.issue_changes.len() as u64).to_be_bytes());
            argument.issue_changes.iter().for_each(|change| hasher.add_change(change));
        }
        if !argument.citations.is_empty() {
            hasher.add("citations");
            hasher.add((argument.citations.len() as u64).to_be_bytes());
            argument.citations.iter().for_each(|citation| hasher.add_citation(citation));
        }
        if !argument.agents.is_empty() {
            hasher.add("agents");
            hasher.add((argument.agents.len() as u64).to_be_bytes());
            argument.agents.iter().for_each(|agent| hasher.add_agent(agent));
        }
        if argument.options().iter().any(|option| !option.issue_changes.is_empty()) {
            hasher.add("option_issue_changes");
            for option in argument.options() {
                hasher.add((option.issue_changes.len() as u64).to_be_bytes());
                option.issue_changes.iter().for_each(|change| hasher.add_change(change));
            }
        }
        hasher.finish()
    }
}

impl Argument {
    /// Sets the hash; `previous` is the hash of the argument before this one.
    pub fn with_hash_after(self, previous: Hash) -> Self {
        Self { hash: Hash::of_argument(&self, previous), ..self }
    }
}

/// Hashes fields with their lengths, so that bytes cannot move from one field to the next without changing the hash.
struct FieldHasher(Sha256);

impl FieldHasher {
    fn new(prefix: &[u8]) -> Self {
        Self(Sha256::new_with_prefix(prefix))
    }

    fn add(&mut self, field: impl AsRef<[u8]>) {
        let field = field.as_ref();
        self.0.update((field.len() as u64).to_be_bytes());
        self.0.update(field);
    }

    fn add_optional(&mut self, field: Option<impl AsRef<[u8]>>) {
        match field {
            Some(field) => self.add(field),
            None => self.0.update(u64::MAX.to_be_bytes()),
        }
    }

    fn add_change(&mut self, change: &IssueChange) {
        let IssueChange { change, issue, severity, title, location, note } = change;
        self.add(change.as_str());
        self.add(u64::from(issue.get()).to_be_bytes());
        self.add_optional(severity.map(Severity::as_str));
        self.add_optional(title.as_deref());
        self.add_optional(location.as_deref());
        self.add_optional(note.as_deref());
    }

    fn add_citation(&mut self, Citation { document_id, version, sha256 }: &Citation) {
        self.add(document_id.0.as_bytes());
        self.add(version.to_be_bytes());
        self.add(sha256.as_bytes());
    }

    fn add_agent(&mut self, Agent { program, model, purpose, starts, usage }: &Agent) {
        self.add_optional(program.as_deref());
        self.add_optional(model.as_deref());
        self.add_optional(purpose.map(AgentPurpose::as_str));
        let [input_tokens, cached_tokens, output_tokens, cost, seconds, changed_paths, calls @ ..] = usage.fields();
        for (_, number) in [input_tokens, cached_tokens, output_tokens, cost, seconds] {
            self.add_optional(number.map(u64::to_be_bytes));
        }
        for (name, number) in [changed_paths, ("starts", *starts)].into_iter().chain(calls) {
            if let Some(number) = number {
                self.add(name);
                self.add(number.to_be_bytes());
            }
        }
    }

    fn finish(self) -> Hash {
        Hash(self.0.finalize().into())
    }
}
