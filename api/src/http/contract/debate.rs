//! Debates and arguments as they are answered (SPEC section 3).

use chrono::{DateTime, SecondsFormat, Utc};
use poem_openapi::Object;
use serde::{Serialize, Serializer};
use uuid::Uuid;

use crate::{
    app::{Context, Submitted},
    domain::{Action, AppealOption, Argument, ArgumentKind, Debate, Role, action_for},
};

/// A debate without its arguments.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "Debate")]
pub struct DebateView {
    /// Its name, chosen by the proposer
    pub id: Uuid,
    /// What it is called
    pub title: String,
    /// `coding_plan_debate` or `general_debate`
    pub debate_type: String,
    /// `AWAITING_OPPONENT`, `AWAITING_PROPOSER`, `AWAITING_ARBITRATOR`, `INTERVENTION_PENDING` or `CLOSED`
    pub state: String,
    /// When it was opened
    #[serde(serialize_with = "rfc3339")]
    pub created_at: DateTime<Utc>,
    /// When its newest argument came
    #[serde(serialize_with = "rfc3339")]
    pub updated_at: DateTime<Utc>,
    /// The `seq` of its newest argument
    pub last_seq: u64,
    /// The hash of its newest argument, in hexadecimal: whoever remembers it notices a changed history
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
}

/// One of the ways out that an APPEAL puts to the arbitrator.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "AppealOption")]
pub struct AppealOptionView {
    /// What it is called
    pub label: String,
    /// What it means
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Whether the arbitrator is to fill it in
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free_form: Option<bool>,
}

/// One argument of a debate.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "Argument")]
pub struct ArgumentView {
    /// Its name, made by the server
    pub id: Uuid,
    /// The debate it belongs to
    pub debate_id: Uuid,
    /// The argument that it answers; null for MOTION, RULING and INTERVENTION
    pub parent_id: Option<Uuid>,
    /// `MOTION`, `CLAIM`, `APPEAL`, `RESOLUTION`, `INTERVENTION` or `RULING`
    #[oai(rename = "type")]
    #[serde(rename = "type")]
    pub argument_type: String,
    /// `proposer`, `opponent` or `arbitrator`
    pub role: String,
    /// Its place in the debate: 1, 2, 3… without gaps
    pub seq: u64,
    /// What it says, verbatim
    pub content: String,
    /// When the server took it
    #[serde(serialize_with = "rfc3339")]
    pub created_at: DateTime<Utc>,
    /// On an APPEAL: what the arbitrator may choose from, if anything
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<AppealOptionView>>,
    /// On a RULING: whether it ended the debate
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close: Option<bool>,
    /// On a RULING: which of the appeal's options it took, counted from 0, or null
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "inner")]
    pub chosen_option: Option<Option<u32>>,
    /// SHA-256 over all that is stored of it and over the hash before it, in hexadecimal
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// Times in the contract: RFC 3339 in UTC with `Z`, always to the microsecond, so that they sort as text.
pub fn rfc3339<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&time.to_rfc3339_opts(SecondsFormat::Micros, true))
}

fn inner<S: Serializer>(value: &Option<Option<u32>>, serializer: S) -> Result<S::Ok, S::Error> {
    value.flatten().serialize(serializer)
}

impl From<Debate> for DebateView {
    fn from(debate: Debate) -> Self {
        Self {
            id: debate.id.0,
            title: debate.title.into_string(),
            debate_type: debate.debate_type.as_str().to_owned(),
            state: debate.state.name().as_str().to_owned(),
            created_at: debate.created_at,
            updated_at: debate.updated_at,
            last_seq: debate.last_seq,
            head: Some(debate.head.to_string()),
        }
    }
}

impl From<AppealOption> for AppealOptionView {
    fn from(option: AppealOption) -> Self {
        Self { label: option.label, detail: option.detail, free_form: option.free_form.then_some(true) }
    }
}

impl From<&Argument> for ArgumentView {
    fn from(argument: &Argument) -> Self {
        let (options, close, chosen_option) = match &argument.kind {
            ArgumentKind::Appeal { options } if !options.is_empty() => {
                (Some(options.iter().cloned().map(Into::into).collect()), None, None)
            }
            ArgumentKind::Ruling { close, chosen_option } => {
                let chosen = chosen_option.and_then(|index| u32::try_from(index).ok());
                (None, Some(*close), Some(chosen))
            }
            ArgumentKind::Appeal { .. }
            | ArgumentKind::Motion
            | ArgumentKind::Claim { .. }
            | ArgumentKind::Resolution
            | ArgumentKind::Intervention => (None, None, None),
        };
        Self {
            id: argument.id.0,
            debate_id: argument.debate_id.0,
            parent_id: argument.parent_id.map(|id| id.0),
            argument_type: argument.kind.argument_type().as_str().to_owned(),
            role: argument.role().as_str().to_owned(),
            seq: argument.seq,
            content: argument.content.as_str().to_owned(),
            created_at: argument.created_at,
            options,
            close,
            chosen_option,
            hash: Some(argument.hash.to_string()),
        }
    }
}

/// A debate with the arguments that were asked for.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "DebateContext")]
pub struct ContextData {
    /// The debate
    pub debate: DebateView,
    /// Its MOTION, which always comes
    pub motion: ArgumentView,
    /// The other arguments, in `seq` order
    pub arguments: Vec<ArgumentView>,
}

impl From<Context> for ContextData {
    fn from(context: Context) -> Self {
        Self {
            debate: context.debate.into(),
            motion: (&*context.motion).into(),
            arguments: context.arguments.iter().map(|argument| (&**argument).into()).collect(),
        }
    }
}

/// A page of the list of debates.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "DebateList")]
pub struct ListData {
    /// Newest `updated_at` first, then newest created
    pub debates: Vec<DebateView>,
    /// How many there are in all
    pub total: u64,
}

/// A debate that was opened.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "DebateCreated")]
pub struct CreatedData {
    /// The debate as it is now
    pub debate: DebateView,
    /// Its MOTION
    pub argument: ArgumentView,
    /// True where the same request had been taken before, and nothing was stored now
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
}

impl From<Submitted> for CreatedData {
    fn from(submitted: Submitted) -> Self {
        Self {
            debate: submitted.debate.into(),
            argument: (&*submitted.argument).into(),
            replayed: submitted.replayed.then_some(true),
        }
    }
}

/// An argument that was added, and what its writer is to do next.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "ArgumentSubmitted")]
pub struct SubmittedData {
    /// The argument as it is stored
    pub argument: ArgumentView,
    /// Where the debate stands now
    pub debate_state: String,
    /// What the writer is to do next
    pub action: String,
    /// What to give as `argument_id` to the next wait
    pub next_argument_id_to_wait: Uuid,
    /// The `seq` of the debate's newest argument
    pub last_seq: u64,
    /// The hash of the debate's newest argument, in hexadecimal
    pub head: String,
    /// The hash before `argument`, in hexadecimal; absent where nothing was stored now
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_hash: Option<String>,
    /// True where the same request had been taken before, and nothing was stored now
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
}

impl From<Submitted> for SubmittedData {
    fn from(submitted: Submitted) -> Self {
        let role: Role = submitted.argument.role();
        let action: Action = action_for(&submitted.debate.state, role);
        Self {
            debate_state: submitted.debate.state.name().as_str().to_owned(),
            action: action.as_str().to_owned(),
            next_argument_id_to_wait: submitted.argument.wait_after().0,
            last_seq: submitted.debate.last_seq,
            head: submitted.debate.head.to_string(),
            previous_hash: submitted.previous.map(|hash| hash.to_string()),
            argument: (&*submitted.argument).into(),
            replayed: submitted.replayed.then_some(true),
        }
    }
}

/// The server is well.
#[derive(Debug, Clone, Object, Serialize)]
#[oai(rename = "Health")]
pub struct HealthData {
    /// `ok`
    pub status: String,
}
