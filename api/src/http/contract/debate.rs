//! Debates and arguments in responses.

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, Utc};
use poem_openapi::Object;
use serde::{Serialize, Serializer};
use serde_with::skip_serializing_none;
use uuid::Uuid;

use super::{
    faults::{Fault, faults},
    issue::{Issue, IssueChangeRule, IssueCounts, issues, issues_of},
};
use crate::{
    app,
    domain::{self, Action, ArgumentKind, ArgumentType, DebateType, Role, SeatHolder, StateName, serialize_time},
};

/// A debate without its arguments.
#[derive(Debug, Clone, Object, Serialize)]
pub struct Debate {
    #[oai(flatten)]
    #[serde(flatten)]
    pub lasting: LastingDebate,
    /// What asks for a ruling, or null if none is due
    pub ruling_request: Option<domain::RulingRequest>,
    /// Which roles only the holder of a key may write as
    pub seats: Seats,
    /// The hash of the newest argument, in hexadecimal. A client that remembers it can detect a changed history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

/// What asks the arbitrator for a RULING.
#[derive(Object)]
pub struct RulingRequest {
    /// Its type: `APPEAL`, `RESOLUTION` or `INTERVENTION`, the last also after a late delivery
    on: ArgumentType,
    /// The `seq` of that argument
    seq: u64,
    /// When it was stored
    since: DateTime<Utc>,
    /// Whether both sides can have agreed: it is a RESOLUTION, no issue is blocking, and the opponent has seen the plan, if
    /// there is one
    agreed: bool,
}

/// What follows from the history of a debate.
#[derive(Debug, Clone, Object, Serialize)]
pub struct LastingDebate {
    /// The debate's id, a UUID chosen by the proposer
    pub id: Uuid,
    /// The title, 1 to 200 characters
    pub title: String,
    /// The type of the debate
    pub debate_type: DebateType,
    /// The state: `AWAITING_OPPONENT`, `AWAITING_PROPOSER`, `AWAITING_ARBITRATOR`, `INTERVENTION_PENDING` or `CLOSED`
    pub state: StateName,
    /// When the debate was created
    #[serde(serialize_with = "serialize_time")]
    pub created_at: DateTime<Utc>,
    /// When the newest argument was stored
    #[serde(serialize_with = "serialize_time")]
    pub updated_at: DateTime<Utc>,
    /// The `seq` of the newest argument
    pub last_seq: u64,
    /// After so many rounds the proposer has to submit an APPEAL or a RESOLUTION; null for no limit
    pub max_rounds: Option<u32>,
    /// How many CLAIMs of the opponent there were since the last RULING
    pub rounds: u64,
    /// How many issues there are in each status
    pub issue_counts: IssueCounts,
    /// The document that the debate is about, or null if the proposer has cited none
    pub plan: Option<domain::Plan>,
}

/// Whether a key has taken the seat of each side. The seat of a side is free until one of its writes carries a key.
#[derive(Debug, Clone, Copy, Object, Serialize)]
pub struct Seats {
    /// Whether only the holder of a key may write as the proposer
    pub proposer: bool,
    /// Whether only the holder of a key may write as the opponent
    pub opponent: bool,
}

impl From<domain::Seats> for Seats {
    fn from(seats: domain::Seats) -> Self {
        Self { proposer: seats.proposer.is_some(), opponent: seats.opponent.is_some() }
    }
}

/// A debate of which a seat is free now.
#[derive(Debug, Clone, Object, Serialize)]
pub struct SeatFreed {
    /// The debate
    pub debate: Debate,
}

/// One of the options that an APPEAL offers to the arbitrator.
#[derive(Object)]
pub struct AppealOption {
    /// The short name of the option
    label: String,
    /// An explanation of the option
    detail: Option<String>,
    /// True if the arbitrator describes the choice in the content of the RULING
    free_form: Option<bool>,
    /// Only if there are any: what it decides. A RULING that chooses it and names no changes of issues itself carries these
    issue_changes: Option<Vec<domain::IssueChange>>,
}

/// The option of an APPEAL that a RULING chose.
#[derive(Object)]
pub struct ChosenOption {
    /// The `seq` of the APPEAL
    seq: u64,
    /// The index of the option, from 0
    number: u32,
    /// Its short name
    label: String,
}

/// One argument of a debate.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct Argument {
    /// The argument's id, a UUID assigned by the server
    pub id: Uuid,
    /// The id of the debate that the argument belongs to
    pub debate_id: Uuid,
    /// The id of the argument that it answers; null for MOTION, RULING and INTERVENTION
    #[serialize_always]
    pub parent_id: Option<Uuid>,
    /// The type of the argument: `MOTION`, `CLAIM`, `APPEAL`, `RESOLUTION`, `INTERVENTION` or `RULING`
    #[oai(rename = "type")]
    #[serde(rename = "type")]
    pub argument_type: ArgumentType,
    /// The role that wrote it: `proposer`, `opponent` or `arbitrator`
    pub role: Role,
    /// The number of the argument within the debate: 1, 2, 3… without gaps
    pub seq: u64,
    /// The text of the argument, verbatim
    pub content: String,
    /// When the server stored the argument
    #[serde(serialize_with = "serialize_time")]
    pub created_at: DateTime<Utc>,
    /// Only on an APPEAL that has options: the options for the arbitrator
    pub options: Option<Vec<domain::AppealOption>>,
    /// Only on a RULING: whether it closed the debate
    pub close: Option<bool>,
    /// Only on a RULING: the index of the chosen option of the APPEAL, from 0, or null
    #[serde(serialize_with = "serialize_inner")]
    pub chosen_option: Option<Option<u32>>,
    /// Only on a RULING: the chosen option, or null
    #[serde(serialize_with = "serialize_inner")]
    pub chosen: Option<Option<domain::ChosenOption>>,
    /// Only if there are any: the changes of issues that it carries
    pub issue_changes: Option<Vec<domain::IssueChange>>,
    /// Only if there are any: the versions of documents that the text cites as `doc_id=<id> v<number>` and that existed when the
    /// argument was stored, each once, in the order of the text
    pub citations: Option<Vec<domain::Citation>>,
    /// Only if there are any: the programs that were started to write it
    pub agents: Option<Vec<domain::Agent>>,
    /// SHA-256 over all stored fields of the argument and the previous hash, in hexadecimal
    pub hash: Option<String>,
}

/// Writes null for a field that is there without a value.
pub(super) fn serialize_inner<T: Serialize, S: Serializer>(
    value: &Option<Option<T>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.as_ref().and_then(Option::as_ref).serialize(serializer)
}

impl From<domain::Debate> for Debate {
    fn from(debate: domain::Debate) -> Self {
        Self {
            ruling_request: debate.ruling_request(),
            seats: debate.seats.into(),
            head: Some(debate.head.to_string()),
            lasting: debate.into(),
        }
    }
}

impl From<domain::Debate> for LastingDebate {
    fn from(debate: domain::Debate) -> Self {
        Self {
            plan: debate.plan(),
            id: debate.id.0,
            title: debate.title.into_string(),
            debate_type: debate.debate_type,
            state: debate.state.name(),
            created_at: debate.created_at,
            updated_at: debate.updated_at,
            last_seq: debate.last_seq,
            max_rounds: debate.rounds.max.map(|max| max.get().into()),
            rounds: debate.rounds.done,
            issue_counts: debate.issue_counts.into(),
        }
    }
}

impl From<&domain::Argument> for Argument {
    fn from(argument: &domain::Argument) -> Self {
        let (options, close, chosen_option, chosen) = match &argument.kind {
            ArgumentKind::Appeal { options, .. } if !options.is_empty() => (Some(options.clone()), None, None, None),
            ArgumentKind::Ruling { close, chosen_option } => {
                let index = chosen_option.and_then(|index| u32::try_from(index).ok());
                (None, Some(*close), Some(index), Some(argument.chosen.clone()))
            }
            ArgumentKind::Appeal { .. }
            | ArgumentKind::Motion
            | ArgumentKind::Claim { .. }
            | ArgumentKind::Resolution { .. }
            | ArgumentKind::Intervention => (None, None, None, None),
        };
        Self {
            id: argument.id.0,
            debate_id: argument.debate_id.0,
            parent_id: argument.kind.parent_id().map(|id| id.0),
            argument_type: argument.kind.argument_type(),
            role: argument.role(),
            seq: argument.seq,
            content: argument.content.as_str().to_owned(),
            created_at: argument.created_at,
            options,
            close,
            chosen_option,
            chosen,
            issue_changes: (!argument.issue_changes.is_empty()).then(|| argument.issue_changes.clone()),
            citations: (!argument.citations.is_empty()).then(|| argument.citations.clone()),
            agents: (!argument.agents.is_empty()).then(|| argument.agents.clone()),
            hash: Some(argument.hash.to_string()),
        }
    }
}

/// A debate with its MOTION and other arguments.
#[derive(Debug, Clone, Object, Serialize)]
pub struct DebateContext {
    /// The debate
    pub debate: Debate,
    /// The MOTION of the debate, which is always included
    pub motion: Argument,
    /// The other arguments that match the query, in `seq` order
    pub arguments: Vec<Argument>,
    /// How many arguments between `after_seq` and `before_seq` were left out because of `limit`
    pub omitted: u64,
    /// The RULINGs among the omitted arguments, in `seq` order: rulings bind both sides
    pub earlier_rulings: Vec<Argument>,
    /// What each role should and may do now, for proposer, opponent and arbitrator
    pub turns: Vec<domain::Turn>,
    /// The issues that are not settled, in the order of their numbers
    pub issues: Vec<Issue>,
    /// Only with the `role` of a side: whether its seat is `free`, `yours`, since the request has its key in `X-Debate-Seat`, or
    /// held by an `other`, which it is without the header, too
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatHolder>,
}

impl From<app::DebateContext> for DebateContext {
    fn from(context: app::DebateContext) -> Self {
        let arguments = |arguments: &[Arc<domain::Argument>]| arguments.iter().map(|one| (&**one).into()).collect();
        Self {
            turns: context.debate.turns(&context.ledger),
            issues: issues_of(&context.debate, context.ledger.unsettled()),
            seat: None,
            debate: context.debate.into(),
            motion: (&*context.motion).into(),
            arguments: arguments(&context.arguments),
            omitted: context.omitted,
            earlier_rulings: arguments(&context.earlier_rulings),
        }
    }
}

/// A page of the list of debates.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct DebateList {
    /// The debates, ordered by `updated_at`, then `created_at`, newest first
    pub debates: Vec<Debate>,
    /// How many debates match the query on all pages, without the `faults` of this page, which `offset` counts
    pub total: u64,
    /// What is left out because it cannot be read, at most 100; absent if nothing is. Whoever runs the server can find all of it with
    /// `aweave-server verify`
    pub faults: Option<Vec<Fault>>,
}

impl From<app::Page<domain::Debate>> for DebateList {
    fn from(page: app::Page<domain::Debate>) -> Self {
        let debates = page.rows.into_iter().map(Into::into).collect();
        Self { debates, total: page.total, faults: faults(page.faults) }
    }
}

/// A debate that was created.
#[derive(Debug, Clone, Object, Serialize)]
pub struct DebateCreated {
    /// The debate as it is now
    pub debate: Debate,
    /// The MOTION of the debate
    pub argument: Argument,
    /// The document that the debate is about, or null if the proposer has cited none
    pub plan: Option<domain::Plan>,
    /// What the MOTION cites and does not exist
    pub unknown_citations: Vec<domain::CitedVersion>,
    /// True if the same request was stored before and nothing was stored now
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
}

impl From<app::DebateWritten> for DebateCreated {
    fn from(written: app::DebateWritten) -> Self {
        Self {
            plan: written.debate.plan(),
            debate: written.debate.into(),
            argument: (&*written.argument).into(),
            unknown_citations: written.unknown_citations,
            replayed: written.replayed.then_some(true),
        }
    }
}

/// An argument that was added, and what its author should do next.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct ArgumentSubmitted {
    /// The argument as it is stored. With `dry_run` it is of no argument: its id, hash and time are others each time
    pub argument: Argument,
    /// The state of the debate now
    pub debate_state: StateName,
    /// What the author should do next: `wait_for_opponent`, `wait_for_proposer`, `wait_for_ruling`, `respond`,
    /// `align_to_ruling`, `rule`, `watch` or `debate_closed`
    pub action: Action,
    /// The argument types that the author may submit now
    pub allowed: Vec<ArgumentType>,
    /// What fits now for the author, best first; empty if it waits
    pub moves: Vec<domain::Move>,
    /// The document that the debate is about, or null if the proposer has cited none
    #[serialize_always]
    pub plan: Option<domain::Plan>,
    /// The issues that the argument changed, as they are now, in the order of their numbers
    pub changed_issues: Vec<Issue>,
    /// What the argument cites and does not exist; the argument is stored all the same
    pub unknown_citations: Vec<domain::CitedVersion>,
    /// Only on a RESOLUTION: the versions that it cites and that no argument up to and including the opponent's newest CLAIM
    /// cites, so that the opponent cannot have agreed to them
    pub unseen_citations: Option<Vec<domain::CitedVersion>>,
    /// The `argument_id` for the next wait
    pub next_argument_id_to_wait: Uuid,
    /// The `seq` of the debate's newest argument
    pub last_seq: u64,
    /// The hash of the debate's newest argument, in hexadecimal
    pub head: String,
    /// The hash before `argument`, in hexadecimal; absent if it is `replayed`
    pub previous_hash: Option<String>,
    /// True if the same request was stored before and nothing was stored now
    pub replayed: Option<bool>,
    /// Only with `dry_run`: what each role should and may do then, for proposer, opponent and arbitrator
    pub turns: Option<Vec<domain::Turn>>,
    /// Only with `dry_run`: how many issues there would be in each status
    pub issue_counts: Option<IssueCounts>,
}

impl ArgumentSubmitted {
    /// What storing an argument would lead to.
    pub fn preview(written: app::DebateWritten) -> Self {
        Self {
            turns: Some(written.debate.turns(&written.ledger)),
            issue_counts: Some(written.debate.issue_counts.into()),
            ..written.into()
        }
    }
}

impl From<app::DebateWritten> for ArgumentSubmitted {
    fn from(written: app::DebateWritten) -> Self {
        let domain::Turn { role: _, action, allowed, moves } = written.turn();
        Self {
            debate_state: written.debate.state.name(),
            action,
            allowed,
            moves,
            plan: written.debate.plan(),
            changed_issues: issues(written.changed_issues().map(Arc::as_ref)),
            unknown_citations: written.unknown_citations,
            unseen_citations: written.unseen_citations,
            next_argument_id_to_wait: written.argument.last_seen_by_author().0,
            last_seq: written.debate.last_seq,
            head: written.debate.head.to_string(),
            previous_hash: written.previous_hash.map(|hash| hash.to_string()),
            argument: (&*written.argument).into(),
            replayed: written.replayed.then_some(true),
            turns: None,
            issue_counts: None,
        }
    }
}

/// What a client can ask a server before it takes part.
#[derive(Debug, Clone, Object, Serialize)]
pub struct Info {
    /// The version of the server
    pub version: String,
    /// The version of the contract, as in `openapi.json`
    pub contract: String,
    /// The limits of this server
    pub limits: InfoLimits,
    /// The types of debates
    pub debate_types: Vec<String>,
    /// Whether requests need a token: `none` or `token`
    pub auth: String,
    /// Whether rulings, interventions and freeing a seat need the arbitrator's token
    pub arbitrator_token: bool,
    /// What each change of issues needs, and what it does, by the name of the change
    pub issue_changes: BTreeMap<String, IssueChangeRule>,
    /// Whether the token of this request permits rulings, interventions and freeing a seat
    pub may_rule: bool,
    /// The key that signs records, an Ed25519 public key of 32 bytes in base64; null if this server signs none
    pub public_key: Option<String>,
    /// How many receivers of webhooks this server sends messages to
    pub webhooks: u64,
    /// How many of them took the last message that this server sent to them
    pub webhooks_taking: u64,
    /// How many of them did not take it. The others were sent none since this server started
    pub webhooks_failing: u64,
}

/// Limits on the length of texts and the number of things.
#[derive(Debug, Clone, Object, Serialize)]
pub struct InfoLimits {
    /// The maximum content of an argument in bytes
    pub max_content_bytes: u64,
    /// The maximum content of a document version in bytes
    pub max_document_bytes: u64,
    /// The maximum title of a debate in characters
    pub max_title_characters: u64,
    /// The maximum summary of a document version in characters
    pub max_summary_characters: u64,
    /// The maximum metadata of a document version in bytes
    pub max_metadata_bytes: u64,
    /// The maximum number of issues of a debate, settled ones included
    pub max_issues: u64,
    /// The maximum number of changes of issues that an argument carries
    pub max_issue_changes: u64,
    /// The maximum title of an issue in characters
    pub max_issue_title_characters: u64,
    /// The maximum location of an issue in characters
    pub max_issue_location_characters: u64,
    /// The maximum note of a change of an issue in characters
    pub max_note_characters: u64,
    /// The maximum of `max_rounds` of a debate
    pub max_rounds: u64,
}

/// The status of the server.
#[derive(Debug, Clone, Object, Serialize)]
pub struct Health {
    /// Always `ok`
    pub status: String,
    /// `ok`: the store can be read
    pub reading: String,
    /// `ok`: what was last to be stored was stored, or nothing was since the server started
    pub writing: String,
}

impl Health {
    /// The status of a server that is well.
    pub fn ok() -> Self {
        let ok = || "ok".to_owned();
        Self { status: ok(), reading: ok(), writing: ok() }
    }
}
