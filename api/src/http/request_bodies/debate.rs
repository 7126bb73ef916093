//! The body of a debate.

use std::num::NonZeroU8;

use poem_openapi::Object;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    HasLimits,
    agents::{agents, check_sizes},
    content,
    issue_changes::NoIssueChanges,
    request_id,
};
use crate::{
    app::Error,
    domain::{DebateId, DebateType, Limits, NewDebate, Rounds, TextRule, Title},
    http::contract::{Agent, objects},
};

/// A debate to be created.
#[derive(Debug, Object, Deserialize)]
pub struct DebateCreate {
    /// The debate's id, a UUID chosen by the proposer
    pub debate_id: Uuid,
    /// The title, 1 to 200 characters
    pub title: String,
    /// The type of the debate
    pub debate_type: DebateType,
    /// The content of the MOTION, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit
    pub motion_content: String,
    /// After so many CLAIMs of the opponent without a RULING, 1 to 100, the proposer has to submit an APPEAL or a
    /// RESOLUTION; no limit if absent
    pub max_rounds: Option<u64>,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
    #[oai(skip)]
    #[serde(default)]
    pub issue_changes: NoIssueChanges,
}

impl HasLimits for DebateCreate {
    fn rules(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("title", Title::RULE), ("motion_content", limits.content())]
    }
}

pub fn new_debate(body: DebateCreate, limits: &Limits) -> Result<NewDebate, Error> {
    // The lengths of all fields are checked before anything else.
    Title::RULE.check_size(&body.title).map_err(|error| Error::text("title", error))?;
    limits.content().check_size(&body.motion_content).map_err(|error| Error::text("motion_content", error))?;
    check_sizes(body.agents.as_deref())?;
    let NoIssueChanges = body.issue_changes;
    let max_rounds = body.max_rounds.map(max_rounds).transpose()?;
    Ok(NewDebate {
        id: DebateId(body.debate_id),
        max_rounds,
        title: Title::parse(body.title).map_err(|error| Error::text("title", error))?,
        debate_type: body.debate_type,
        motion: content("motion_content", body.motion_content, limits.content())?,
        agents: agents(body.agents)?,
        request_id: request_id(&body.client_request_id)?,
        seat_key: None,
    })
}

fn max_rounds(given: u64) -> Result<NonZeroU8, Error> {
    let max_rounds = u8::try_from(given).ok().filter(|max| *max <= Rounds::MAX).and_then(NonZeroU8::new);
    max_rounds.ok_or_else(|| {
        Error::invalid("max_rounds", format!("is {given}; it must be a whole number from 1 to {}", Rounds::MAX))
    })
}
