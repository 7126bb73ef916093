//! The messages of the server, which `asyncapi.yaml` describes: `{"event": …, "data": …}`.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    app::{CorrelationId, DebateView, Waiting},
    domain::{self, DebateId, Ledger, serialize_time},
    http::{
        ErrorCode,
        contract::{self, Argument, Debate, DebateList, Issue, IssueCounts, Seats},
    },
};

/// A message from the server.
#[derive(Serialize)]
#[serde(tag = "event", content = "data", rename_all = "snake_case")]
pub(super) enum ServerMessage {
    /// The first message about a debate
    #[serde(rename = "initial_state")]
    InitialDebate {
        debate: Debate,
        arguments: Vec<Argument>,
        issues: Vec<Issue>,
        counts: IssueCounts,
        turns: Vec<domain::Turn>,
    },
    /// The first message about the list
    #[serde(rename = "initial_state")]
    InitialList(DebateList),
    NewArgument(Argument),
    StateChanged {
        debate_id: Uuid,
        state: &'static str,
        #[serde(serialize_with = "serialize_time")]
        updated_at: DateTime<Utc>,
        ruling_request: Option<domain::RulingRequest>,
        seats: Seats,
        plan: Option<domain::Plan>,
        turns: Vec<domain::Turn>,
    },
    IssuesChanged {
        debate_id: Uuid,
        seq: u64,
        issues: Vec<Issue>,
        counts: IssueCounts,
        turns: Vec<domain::Turn>,
    },
    DebateChanged(Debate),
    Presence {
        debate_id: Uuid,
        waiting: Vec<Waiting>,
        silent: Vec<Waiting>,
    },
    Accepted {
        #[serde(skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
        argument: Argument,
        unknown_citations: Vec<domain::CitedVersion>,
    },
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        request_id: Option<String>,
        /// If the server failed: the id under which its log has the request that opened the connection
        #[serde(skip_serializing_if = "Option::is_none")]
        log_id: Option<String>,
        #[serde(flatten)]
        error: Box<contract::Error>,
    },
}

impl ServerMessage {
    /// The message as JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| {
            // No message can fail to serialise.
            tracing::error!(%error, "a WebSocket message could not be serialised");
            String::new()
        })
    }

    pub fn initial_debate(view: DebateView) -> Self {
        let arguments = std::iter::once(view.motion).chain(view.arguments);
        Self::InitialDebate {
            counts: view.debate.issue_counts.into(),
            turns: view.debate.turns(&view.ledger),
            issues: contract::issues_of(&view.debate, view.ledger.issues()),
            debate: view.debate.into(),
            arguments: arguments.map(|argument| (&*argument).into()).collect(),
        }
    }

    pub fn issues_changed(debate: &domain::Debate, ledger: &Ledger, seq: u64, issues: &[Arc<domain::Issue>]) -> Self {
        Self::IssuesChanged {
            debate_id: debate.id.0,
            seq,
            issues: contract::issues(issues.iter().map(Arc::as_ref)),
            counts: debate.issue_counts.into(),
            turns: debate.turns(ledger),
        }
    }

    pub fn new_argument(argument: &domain::Argument) -> Self {
        Self::NewArgument(argument.into())
    }

    pub fn state_changed(debate: &domain::Debate, ledger: &Ledger) -> Self {
        Self::StateChanged {
            debate_id: debate.id.0,
            state: debate.state.name().as_str(),
            updated_at: debate.updated_at,
            ruling_request: debate.ruling_request(),
            seats: debate.seats.into(),
            plan: debate.plan(),
            turns: debate.turns(ledger),
        }
    }

    /// An error. `request_id` is that of the action, `connection` that of the request that opened the connection.
    pub fn error(request_id: Option<String>, error: contract::Error, connection: &CorrelationId) -> Self {
        let is_of_server = error.code.parse::<ErrorCode>().is_ok_and(|code| code.status().is_server_error());
        let log_id = is_of_server.then(|| connection.to_string());
        Self::Error { request_id, log_id, error: Box::new(error) }
    }

    pub fn presence(id: DebateId, waiting: &[Waiting], silent: Option<Waiting>) -> Self {
        Self::Presence { debate_id: id.0, waiting: waiting.to_vec(), silent: silent.into_iter().collect() }
    }
}
