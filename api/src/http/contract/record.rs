//! The record of a debate in responses.

use chrono::{DateTime, Utc};
use poem::{
    IntoResponse, Response,
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE},
};
use poem_openapi::{
    ApiResponse, Object,
    payload::Payload,
    registry::{MetaSchemaRef, Registry},
};
use serde::Serialize;
use serde_with::skip_serializing_none;
use uuid::Uuid;

use super::{debate::LastingDebate, issue::Issue, success::Json};
use crate::{
    app::SigningKey,
    domain::{self, ArgumentType, Outcome, Role, serialize_time, string_enum},
};

string_enum! {
    /// What a record is answered as.
    RecordFormat {
        /// The record and its signature
        Json = "json",
        /// The record in markdown, in the headings of MADR 4
        Markdown = "markdown",
        /// A page with the record and the transcript, which stands by itself
        Html = "html",
        /// All arguments in markdown
        Transcript = "transcript",
    }
}

/// The response to a request for a record.
#[derive(ApiResponse)]
pub enum RecordResponse {
    /// The result
    #[oai(status = 200)]
    Ok(RecordBody),
}

/// A record in one of its formats. The generated schema is that of JSON; `openapi` adds the media types of the texts.
#[derive(Debug)]
pub enum RecordBody {
    /// The record and its signature
    Json(Box<DebateRecord>),
    /// A text in markdown
    Markdown(String),
    /// A page, and the Content-Security-Policy that it needs
    Html { page: String, policy: String },
}

impl Payload for RecordBody {
    const CONTENT_TYPE: &'static str = Json::<DebateRecord>::CONTENT_TYPE;

    fn schema_ref() -> MetaSchemaRef {
        Json::<DebateRecord>::schema_ref()
    }

    fn register(registry: &mut Registry) {
        Json::<DebateRecord>::register(registry);
    }
}

impl IntoResponse for RecordBody {
    fn into_response(self) -> Response {
        match self {
            Self::Json(record) => Json(*record).into_response(),
            Self::Markdown(text) => Response::builder().header(CONTENT_TYPE, "text/markdown; charset=utf-8").body(text),
            Self::Html { page, policy } => Response::builder()
                .header(CONTENT_TYPE, "text/html; charset=utf-8")
                .header(CONTENT_SECURITY_POLICY, policy)
                .body(page),
        }
    }
}

/// What a debate decided, and the server's signature.
#[derive(Debug, Clone, Object, Serialize)]
pub struct DebateRecord {
    /// The record
    pub record: Record,
    /// The signature over the canonical JSON of `record`, or null if the server has no key
    pub signature: Option<RecordSignature>,
}

/// A signature over the canonical JSON of a record, as RFC 8785 defines it.
#[derive(Debug, Clone, Object, Serialize)]
pub struct RecordSignature {
    /// Always `Ed25519`
    pub algorithm: String,
    /// The public key of the server: 32 bytes in base64
    pub public_key: String,
    /// The signature: 64 bytes in base64
    pub signature: String,
}

/// What a debate decided, as one document that stands by itself. The same history always gives the same record.
#[derive(Debug, Clone, Object, Serialize)]
pub struct Record {
    /// The name and the version of the format: `aweave-debate-record/2`
    pub format: String,
    /// The debate
    pub debate: RecordDebate,
    /// How the debate ended: `agreed` if it was closed on a RESOLUTION, `ruled` if it was closed otherwise, or `open`
    pub outcome: Outcome,
    /// The RULING that closed the debate, or null
    pub decision: Option<domain::ClosingRuling>,
    /// The plan of the debate, or null
    pub plan: Option<domain::RecordedPlan>,
    /// All RULINGs, in `seq` order
    pub rulings: Vec<domain::RecordedRuling>,
    /// All issues with their histories, in the order of their numbers
    pub issues: Vec<Issue>,
    /// How long the debate took, and who wrote how much, up to the newest argument
    pub statistics: RecordStatistics,
    /// Which programs were started to write the arguments, and what they used: a row for each role, program, model and purpose
    pub agents: Vec<domain::AgentsOfRole>,
    /// All arguments without their contents, in `seq` order. With their hashes, who has the debate can check that the record
    /// is of it
    pub arguments: Vec<RecordArgument>,
    /// The hash of the newest argument, in hexadecimal
    pub head: String,
}

/// A debate in its record.
#[derive(Debug, Clone, Object, Serialize)]
pub struct RecordDebate {
    #[oai(flatten)]
    #[serde(flatten)]
    pub lasting: LastingDebate,
    /// The hash of the newest argument, in hexadecimal
    pub head: String,
}

/// The RULING that closed a debate.
#[derive(Object)]
pub struct RecordDecision {
    /// The `seq` of the RULING
    seq: u64,
    /// Its text
    content: String,
    /// When it was stored
    created_at: DateTime<Utc>,
}

/// The plan of a debate in its record.
#[derive(Object)]
pub struct RecordPlan {
    #[oai(flatten)]
    plan: domain::Plan,
    /// The summary of `version`
    summary: String,
}

/// A RULING, and what made it due.
#[derive(Object)]
pub struct RecordRuling {
    /// Its `seq`
    seq: u64,
    /// What made it due: `APPEAL`, `RESOLUTION` or `INTERVENTION`, the last also after a late delivery
    on: ArgumentType,
    /// The `seq` of what made it due
    on_seq: u64,
    /// The options of the newest APPEAL since the RULING before, or null
    options: Option<Vec<domain::AppealOption>>,
    /// The index of the chosen option, from 0, or null
    chosen_option: Option<u32>,
    /// The chosen option, or null
    chosen: Option<domain::ChosenOption>,
    /// Its text
    content: String,
    /// Whether it closed the debate
    close: bool,
    /// The changes of issues that it carries
    issue_changes: Vec<domain::IssueChange>,
    /// When it was stored
    created_at: DateTime<Utc>,
}

/// The figures of a debate, up to its newest argument.
#[derive(Debug, Clone, Object, Serialize)]
pub struct RecordStatistics {
    /// The number of arguments
    pub arguments: u64,
    /// The number of the opponent's CLAIMs
    pub rounds: u64,
    /// The number of APPEALs
    pub appeals: u64,
    /// The number of INTERVENTIONs
    pub interventions: u64,
    /// The seconds from the MOTION to the newest argument, rounded down
    pub seconds: u64,
    /// The figures of each role
    pub by_role: RecordStatisticsByRole,
    /// What became of the issues
    pub issues: RecordIssueStatistics,
}

/// The figures of each role.
#[derive(Debug, Clone, Object, Serialize)]
pub struct RecordStatisticsByRole {
    /// The figures of the proposer
    pub proposer: RecordRoleStatistics,
    /// The figures of the opponent
    pub opponent: RecordRoleStatistics,
    /// The figures of the arbitrator
    pub arbitrator: RecordRoleStatistics,
}

/// The figures of a role.
#[skip_serializing_none]
#[derive(Debug, Clone, Object, Serialize)]
pub struct RecordRoleStatistics {
    /// The number of its arguments
    pub arguments: u64,
    /// The size of their contents in bytes
    pub bytes: u64,
    /// The seconds in which the debate waited for it, rounded down
    pub seconds: u64,
    /// The sum of tokens that the models read, cached ones included; absent if nothing is known of it, as the next four
    pub input_tokens: Option<u64>,
    /// The sum of those that were cached
    pub cached_tokens: Option<u64>,
    /// The sum of tokens that the models wrote
    pub output_tokens: Option<u64>,
    /// The sum of the cost, in millionths of a US dollar
    pub cost_microusd: Option<u64>,
    /// The sum of the seconds that its programs took
    pub agent_seconds: Option<u64>,
}

/// What became of the issues.
#[derive(Debug, Clone, Object, Serialize)]
pub struct RecordIssueStatistics {
    /// How many were raised
    pub raised: u32,
    /// How many of them are resolved
    pub resolved: u32,
    /// How many of them are withdrawn
    pub withdrawn: u32,
    /// How many of them are dismissed
    pub dismissed: u32,
    /// How many of them are deferred
    pub deferred: u32,
    /// How many of them are not settled
    pub left_open: u32,
}

/// An argument without its content.
#[derive(Debug, Clone, Object, Serialize)]
pub struct RecordArgument {
    /// The number of the argument within the debate: 1, 2, 3… without gaps
    pub seq: u64,
    /// The argument's id
    pub id: Uuid,
    /// The type of the argument: `MOTION`, `CLAIM`, `APPEAL`, `RESOLUTION`, `INTERVENTION` or `RULING`
    #[oai(rename = "type")]
    #[serde(rename = "type")]
    pub argument_type: ArgumentType,
    /// The role that wrote it: `proposer`, `opponent` or `arbitrator`
    pub role: Role,
    /// When the server stored the argument
    #[serde(serialize_with = "serialize_time")]
    pub created_at: DateTime<Utc>,
    /// SHA-256 over all stored fields of the argument and the previous hash, in hexadecimal
    pub hash: String,
}

impl DebateRecord {
    /// A record, signed if there is a key.
    ///
    /// # Errors
    /// Never: every record can be written as canonical JSON.
    pub fn signed(record: domain::Record, key: Option<&SigningKey>) -> serde_json::Result<Self> {
        let record = Record::from(record);
        let sign = |key: &SigningKey| -> serde_json::Result<_> {
            let canonical = serde_json_canonicalizer::to_vec(&record)?;
            Ok(RecordSignature {
                algorithm: "Ed25519".to_owned(),
                public_key: key.public_key(),
                signature: key.sign(&canonical),
            })
        };
        let signature = key.map(sign).transpose()?;
        Ok(Self { record, signature })
    }
}

impl From<domain::Record> for Record {
    fn from(record: domain::Record) -> Self {
        let domain::Record { debate, outcome, decision, plan, rulings, issues, histories, statistics, agents, entries } =
            record;
        let with_history = |issue: &domain::Issue| Issue {
            history: Some(histories.get(&issue.number).cloned().unwrap_or_default()),
            ..issue.into()
        };
        Self {
            format: domain::Record::FORMAT.to_owned(),
            head: debate.head.to_string(),
            debate: debate.into(),
            outcome,
            decision,
            plan,
            rulings,
            issues: issues.iter().map(with_history).collect(),
            statistics: statistics.into(),
            agents,
            arguments: entries.iter().map(Into::into).collect(),
        }
    }
}

impl From<domain::Debate> for RecordDebate {
    fn from(debate: domain::Debate) -> Self {
        Self { head: debate.head.to_string(), lasting: debate.into() }
    }
}

impl From<domain::Statistics> for RecordStatistics {
    fn from(statistics: domain::Statistics) -> Self {
        let domain::Statistics { arguments, rounds, appeals, interventions, seconds, .. } = statistics;
        Self {
            arguments,
            rounds,
            appeals,
            interventions,
            seconds,
            by_role: RecordStatisticsByRole {
                proposer: statistics.proposer.into(),
                opponent: statistics.opponent.into(),
                arbitrator: statistics.arbitrator.into(),
            },
            issues: statistics.issues.into(),
        }
    }
}

impl From<domain::IssueCounts> for RecordIssueStatistics {
    fn from(counts: domain::IssueCounts) -> Self {
        let domain::IssueCounts { resolved, withdrawn, dismissed, deferred, .. } = counts;
        Self { raised: counts.all(), resolved, withdrawn, dismissed, deferred, left_open: counts.unsettled() }
    }
}

impl From<domain::RoleStatistics> for RecordRoleStatistics {
    fn from(domain::RoleStatistics { arguments, bytes, seconds, usage }: domain::RoleStatistics) -> Self {
        Self {
            arguments,
            bytes,
            seconds,
            input_tokens: usage.input_tokens,
            cached_tokens: usage.cached_tokens,
            output_tokens: usage.output_tokens,
            cost_microusd: usage.cost_microusd,
            agent_seconds: usage.seconds,
        }
    }
}

impl From<&domain::Entry> for RecordArgument {
    fn from(entry: &domain::Entry) -> Self {
        Self {
            seq: entry.seq,
            id: entry.id.0,
            argument_type: entry.kind.argument_type(),
            role: entry.role(),
            created_at: entry.created_at,
            hash: entry.hash.to_string(),
        }
    }
}
