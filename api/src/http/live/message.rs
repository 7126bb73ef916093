//! The messages of SPEC section 6: `{"event": …, "data": …}` in both directions.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::{
    app::{Context, Error, Waiting},
    domain::{Argument, Debate, DebateId, Limits, TextRule},
    http::{
        contract::{ArgumentView, DebateView, ErrorView, HasLimits, InterventionBody, ListData, RulingBody, rfc3339},
        input,
    },
};

/// What the server tells.
#[derive(Serialize)]
#[serde(tag = "event", content = "data", rename_all = "snake_case")]
pub(super) enum Told {
    /// The debate as it is, on the way in
    #[serde(rename = "initial_state")]
    InitialDebate {
        debate: DebateView,
        arguments: Vec<ArgumentView>,
    },
    /// The list as it is, on the way in
    #[serde(rename = "initial_state")]
    InitialList(ListData),
    NewArgument(ArgumentView),
    StateChanged {
        debate_id: Uuid,
        state: &'static str,
        #[serde(serialize_with = "rfc3339")]
        updated_at: DateTime<Utc>,
    },
    DebateChanged(DebateView),
    Presence {
        debate_id: Uuid,
        waiting: Vec<WaitingView>,
    },
    Accepted {
        #[serde(skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
        argument: ArgumentView,
    },
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
        #[serde(flatten)]
        error: ErrorView,
    },
}

/// One role that waits.
#[derive(Serialize)]
pub(super) struct WaitingView {
    role: &'static str,
    #[serde(serialize_with = "rfc3339")]
    since: DateTime<Utc>,
}

impl Told {
    /// The message as it goes out.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| {
            // Reached only where a message refuses to be written, which none does.
            tracing::error!(%error, "a message could not be written");
            String::new()
        })
    }

    pub fn initial_debate(context: Context) -> Self {
        let arguments = std::iter::once(context.motion).chain(context.arguments);
        Self::InitialDebate {
            debate: context.debate.into(),
            arguments: arguments.map(|argument| (&*argument).into()).collect(),
        }
    }

    pub fn initial_list((debates, total): (Vec<Debate>, u64)) -> Self {
        Self::InitialList(ListData { debates: debates.into_iter().map(Into::into).collect(), total })
    }

    pub fn new_argument(argument: &Argument) -> Self {
        Self::NewArgument(argument.into())
    }

    pub fn state_changed(debate: &Debate) -> Self {
        let (debate_id, state) = (debate.id.0, debate.state.name().as_str());
        Self::StateChanged { debate_id, state, updated_at: debate.updated_at }
    }

    pub fn presence(id: DebateId, waiting: Vec<Waiting>) -> Self {
        let view = |one: Waiting| WaitingView { role: one.role.as_str(), since: one.since };
        Self::Presence { debate_id: id.0, waiting: waiting.into_iter().map(view).collect() }
    }
}

/// What a client asks for.
pub(super) enum Asked {
    Ruling(DebateId, RulingBody),
    Intervention(DebateId, InterventionBody),
}

#[derive(Deserialize)]
struct Envelope<'a> {
    event: String,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
}

/// What every action names, as far as it can be made out.
#[derive(Deserialize)]
struct Named {
    request_id: Option<String>,
}

#[derive(Deserialize)]
struct SubmitRuling {
    debate_id: Uuid,
    content: String,
    close: Option<bool>,
    chosen_option: Option<u32>,
    request_id: Option<String>,
}

#[derive(Deserialize)]
struct SubmitIntervention {
    debate_id: Uuid,
    content: Option<String>,
    request_id: Option<String>,
}

impl HasLimits for Envelope<'_> {
    fn limited(_limits: &Limits) -> Vec<(&'static str, TextRule)> {
        Vec::new()
    }
}

impl HasLimits for SubmitRuling {
    fn limited(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        RulingBody::limited(limits)
    }
}

impl HasLimits for SubmitIntervention {
    fn limited(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        InterventionBody::limited(limits)
    }
}

/// Reads an action, and the request id that its answer has to carry, which is told also where the action is at fault.
pub(super) fn read(text: &str, limits: &Limits) -> (Option<String>, Result<Asked, Error>) {
    let Envelope { event, data } = match input::parse("message", text.as_bytes(), limits) {
        Ok(envelope) => envelope,
        Err(fault) => return (None, Err(fault)),
    };
    let data = data.map_or("{}", RawValue::get);
    let request_id = serde_json::from_str(data).ok().and_then(|named: Named| named.request_id);
    let asked = match event.as_str() {
        "submit_ruling" => input::parse("data", data.as_bytes(), limits).map(|ruling: SubmitRuling| {
            let SubmitRuling { debate_id, content, close, chosen_option, request_id } = ruling;
            let body = RulingBody { content, close, chosen_option, client_request_id: request_id };
            Asked::Ruling(DebateId(debate_id), body)
        }),
        "submit_intervention" => {
            input::parse("data", data.as_bytes(), limits).map(|intervention: SubmitIntervention| {
                let SubmitIntervention { debate_id, content, request_id } = intervention;
                Asked::Intervention(DebateId(debate_id), InterventionBody { content, client_request_id: request_id })
            })
        }
        other => {
            let known = "submit_intervention and submit_ruling are";
            Err(Error::invalid("event", format!("is {other:?}, which is not an action; {known}")))
        }
    };
    (request_id, asked)
}

/// What is wrong with an action, in the words of a message where REST has others.
pub(super) fn fault(mut fault: Error) -> Error {
    if let Error::Invalid { field, .. } = &mut fault
        && field == "client_request_id"
    {
        "request_id".clone_into(field);
    }
    fault
}
