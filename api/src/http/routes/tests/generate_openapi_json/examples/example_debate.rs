//! The debate of the examples, held by the rules of the domain.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{DEBATE, PLAN, PLAN_TEXTS, Result, body};
use crate::{
    app::{DebateWritten, Error, WriteError},
    domain::{
        Argument, ArgumentId, ArgumentKind, ArgumentType, AtStoring, Citations, CitedVersion, Debate, DebateId, Hash,
        Ledger, Limits, Role, Submission, Summary, unseen_citations,
    },
    http::request_bodies,
};

/// The id of the first argument; the others follow.
const FIRST_ARGUMENT: u128 = 0x019c_ad9e_6c00_7000_8000_0000_0000_0001;

/// When the debate was created, in seconds since 1970.
const CREATED_AT: i64 = 1_772_442_000;

/// The time between two arguments in seconds.
const PAUSE: i64 = 240;

/// The debate up to some argument.
pub(super) struct ExampleDebate {
    pub debate: Debate,
    pub ledger: Ledger,
    pub arguments: Vec<Arc<Argument>>,
}

impl ExampleDebate {
    /// Creates the debate.
    pub(super) fn create(request: &Value) -> Result<(Self, DebateWritten)> {
        let new = request_bodies::new_debate(body(request)?, &Limits::default())?;
        let Citations { known, unknown } = Citations::look_up(new.motion.as_str(), sha256_of);
        let (debate, motion) = new.create(known, id_of(1), time_of(1));
        let motion = Arc::new(motion);
        let written = DebateWritten {
            debate: debate.clone(),
            argument: motion.clone(),
            replayed: false,
            previous_hash: None,
            ledger: Ledger::default(),
            unknown_citations: unknown,
            unseen_citations: None,
        };
        Ok((Self { debate, ledger: Ledger::default(), arguments: vec![motion] }, written))
    }

    /// Adds an argument.
    pub(super) fn submit(&mut self, submission: Submission) -> std::result::Result<DebateWritten, Error> {
        let seq = self.debate.last_seq + 1;
        let seq_of = |id| self.arguments.iter().find(|argument| argument.id == id).map(|argument| argument.seq);
        let Citations { known, unknown } = Citations::look_up(submission.content.as_str(), sha256_of);
        let options = self.arguments.last().map_or(&[][..], |newest| newest.options());
        let stored = AtStoring { id: id_of(seq), now: time_of(seq), citations: known, options, plan: Ok(()) };
        let (debate, argument) =
            self.debate.submit(submission, &mut self.ledger, seq_of, stored).map_err(WriteError::Refused)?;
        let argument = Arc::new(argument);
        let written = DebateWritten {
            debate: debate.clone(),
            argument: argument.clone(),
            replayed: false,
            previous_hash: Some(self.debate.head),
            ledger: self.ledger.clone(),
            unknown_citations: unknown,
            unseen_citations: self.unseen_citations(&argument),
        };
        self.arguments.push(argument);
        self.debate = debate;
        Ok(written)
    }

    /// The versions that a RESOLUTION cites and that no argument up to the opponent's newest CLAIM cites.
    fn unseen_citations(&self, argument: &Argument) -> Option<Vec<CitedVersion>> {
        if argument.kind.argument_type() != ArgumentType::Resolution {
            return None;
        }
        let is_claim =
            |one: &Arc<Argument>| matches!(one.kind, ArgumentKind::Claim { .. }) && one.role() == Role::Opponent;
        let up_to = self.arguments.iter().rposition(is_claim).map_or(0, |newest| newest + 1);
        let seen = self.arguments[..up_to].iter().flat_map(|one| &one.citations).map(|citation| citation.cited());
        Some(unseen_citations(&argument.citations, &seen.collect()))
    }
}

/// The hash of a version of the plan.
fn sha256_of(cited: CitedVersion) -> Option<Hash> {
    let version = usize::try_from(cited.version).ok()?;
    PLAN_TEXTS.get(version.checked_sub(1)?).map(|text| Hash::of_content(text))
}

/// What a repetition of a write is answered with.
pub(super) fn replayed(written: DebateWritten) -> DebateWritten {
    DebateWritten { replayed: true, previous_hash: None, ..written }
}

/// The id of the debate.
pub(super) fn debate_id() -> std::result::Result<DebateId, Error> {
    DEBATE.parse().map_err(|_| Error::Internal)
}

/// The id of an argument.
pub(super) fn id_of(seq: u64) -> ArgumentId {
    ArgumentId(Uuid::from_u128(FIRST_ARGUMENT + u128::from(seq) - 1))
}

/// When an argument was stored.
pub(super) fn time_of(seq: u64) -> DateTime<Utc> {
    let seconds = i64::try_from(seq).unwrap_or_default() * PAUSE;
    DateTime::from_timestamp(CREATED_AT + seconds, 0).unwrap_or_default()
}

/// How arguments cite a version of the plan.
fn plan(version: u64) -> String {
    format!("doc_id={PLAN} v{version}")
}

/// The request that creates the debate.
pub(super) fn motion() -> Value {
    json!({
        "debate_id": DEBATE,
        "title": "Delete abandoned drafts",
        "debate_type": "coding_plan_debate",
        "motion_content": format!("Every night a job deletes the drafts that nobody opened for 90 days. The plan: {}", plan(1)),
        "max_rounds": 5,
        "client_request_id": "motion-1",
    })
}

/// The opponent finds two faults.
pub(super) fn faults_found() -> Value {
    json!({
        "role": "opponent",
        "target_id": id_of(1).to_string(),
        "content": "The plan would lock the table for minutes (I1), and leaves attachments behind (I2).",
        "issue_changes": [
            {
                "change": "raise",
                "severity": "high",
                "title": "One DELETE locks the table of drafts for minutes",
                "location": "plan, section 3.1",
            },
            {
                "change": "raise",
                "severity": "medium",
                "title": "The attachments of deleted drafts stay in the store",
                "location": "src/cleanup.rs:41",
            },
        ],
        "agents": [
            {
                "program": "codex",
                "model": "gpt-5",
                "purpose": "turn",
                "input_tokens": 48_200,
                "cached_tokens": 31_000,
                "output_tokens": 2_150,
                "seconds": 74,
            },
        ],
        "client_request_id": "claim-2",
    })
}

/// The proposer accepts one of them.
pub(super) fn plan_changed() -> Value {
    json!({
        "role": "proposer",
        "target_id": id_of(2).to_string(),
        "content": format!("The job deletes 500 drafts at a time now: {}. Attachments have to stay.", plan(2)),
        "issue_changes": [
            { "change": "fix", "issue": "I1", "note": "Section 3.1 deletes 500 drafts at a time." },
            { "change": "dispute", "issue": "I2", "note": "Other drafts may use the same attachment." },
        ],
        "client_request_id": "claim-3",
    })
}

/// The opponent insists on the other one.
pub(super) fn fault_reopened() -> Value {
    json!({
        "role": "opponent",
        "target_id": id_of(3).to_string(),
        "content": "I1 is fixed. For I2, the store knows how many drafts use an attachment.",
        "issue_changes": [
            { "change": "resolve", "issue": "I1" },
            { "change": "reopen", "issue": "I2", "note": "What no other draft uses can be deleted." },
        ],
        "client_request_id": "claim-4",
    })
}

/// The proposer asks the arbitrator.
pub(super) fn appeal() -> Value {
    json!({
        "target_id": id_of(4).to_string(),
        "content": "Should the job delete attachments, too? They cost little, and to count their uses takes another index.",
        "options": [
            {
                "label": "Keep attachments",
                "detail": "They can be deleted later by a job of their own.",
                "issue_changes": [{ "change": "dismiss", "issue": "I2" }],
            },
            {
                "label": "Delete unused attachments",
                "detail": "Needs an index on the uses of attachments.",
                "issue_changes": [{ "change": "uphold", "issue": "I2" }],
            },
        ],
        "issue_changes": [{ "change": "refer", "issue": "I2" }],
        "client_request_id": "appeal-5",
    })
}

/// The arbitrator decides.
pub(super) fn ruling() -> Value {
    json!({
        "content": "Attachments stay for now. Say so in the plan.",
        "chosen_option": 0,
        "issue_changes": [{ "change": "dismiss", "issue": "I2", "note": "They cost less than the index." }],
        "client_request_id": "ruling-6",
    })
}

/// The proposer follows the ruling.
pub(super) fn aligned() -> Value {
    json!({
        "role": "proposer",
        "target_id": id_of(6).to_string(),
        "content": format!("The plan says now that attachments stay: {}, section 4.", plan(3)),
        "client_request_id": "claim-7",
    })
}

/// The arbitrator stops both sides.
pub(super) fn intervention() -> Value {
    json!({
        "content": "Stop: some drafts have to be kept for an audit.",
        "client_request_id": "intervention-8",
    })
}

/// The arbitrator adds a condition.
pub(super) fn second_ruling() -> Value {
    json!({
        "content": "The job never deletes drafts that are marked for the audit. Add this to the plan.",
        "client_request_id": "ruling-9",
    })
}

/// The proposer asks to close the debate, too early or after everything is settled.
pub(super) fn resolution(target: u64) -> Value {
    json!({
        "target_id": id_of(target).to_string(),
        "content": format!("All points are settled, and section 5 keeps the drafts for the audit: {}", plan(4)),
        "client_request_id": "resolution-10",
    })
}

/// The request that closes the debate.
pub(super) fn closing_ruling() -> Value {
    json!({
        "content": "Agreed. Implement the plan as it stands.",
        "close": true,
        "client_request_id": "ruling-11",
    })
}

/// The summary of the version of the plan that is agreed on.
pub(super) fn plan_summary() -> Summary {
    Summary::from_store("Attachments stay".to_owned())
}
