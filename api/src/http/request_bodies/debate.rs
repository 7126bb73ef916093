//! The body of a debate.

use std::num::NonZeroU8;

use poem_openapi::Object;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    HasLimits,
    agents::{agents, check_sizes},
    issue_changes::NoIssueChanges,
    plan::{self, CheckedPlan, PlanSubmit},
    request_id,
};
use crate::{
    app::Error,
    domain::{DebateId, DebateType, Limits, NewDebate, Rounds, TextRule, Title},
    http::contract::{Agent, Listed, object, objects},
};

/// A debate to be created.
#[derive(Debug, Object, Deserialize)]
pub struct DebateCreate {
    /// The debate's id, a UUID chosen by the proposer
    pub debate_id: Uuid,
    /// The title, 1 to 200 characters
    pub title: String,
    /// The type of the debate
    pub debate_type: Listed<DebateType>,
    /// The content of the MOTION, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit. It may be left out or empty if there is a
    /// plan
    pub motion_content: Option<String>,
    /// The plan that comes with it, which becomes a document that is called as the debate. The MOTION then begins with the line
    /// `Plan: doc_id=<id> v1`, an empty line and `motion_content`; all of it counts, the line with 62 bytes
    #[serde(default, deserialize_with = "object")]
    pub plan: Option<PlanSubmit>,
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
    const TEXT_WITH_PLAN: Option<&'static str> = Some("motion_content");

    fn rules(limits: &Limits) -> Vec<(&'static str, TextRule)> {
        vec![("title", Title::RULE), ("motion_content", limits.content())]
    }
}

pub fn new_debate(body: DebateCreate, limits: &Limits) -> Result<NewDebate, Error> {
    // The lengths of all fields are checked before anything else.
    Title::RULE.check_size(&body.title).map_err(|error| Error::text("title", error))?;
    plan::check_sizes("motion_content", body.motion_content.as_deref(), body.plan.as_ref(), limits)?;
    check_sizes(body.agents.as_deref())?;
    let NoIssueChanges = body.issue_changes;
    let max_rounds = body.max_rounds.map(max_rounds).transpose()?;
    let motion = plan::text("motion_content", body.motion_content, body.plan.as_ref(), limits)?;
    let (id, request_id) = (DebateId(body.debate_id), request_id(&body.client_request_id)?);
    let plan = body.plan.map(|plan| CheckedPlan::new(plan, limits)).transpose()?;
    let plan = plan.map(|plan| plan.of(id, &request_id));
    Ok(NewDebate {
        id,
        max_rounds,
        motion,
        plan,
        title: Title::parse(body.title).map_err(|error| Error::text("title", error))?,
        debate_type: body.debate_type.0,
        agents: agents(body.agents)?,
        request_id,
        seat_key: None,
    })
}

fn max_rounds(given: u64) -> Result<NonZeroU8, Error> {
    let max_rounds = u8::try_from(given).ok().filter(|max| *max <= Rounds::MAX).and_then(NonZeroU8::new);
    max_rounds.ok_or_else(|| {
        Error::invalid("max_rounds", format!("is {given}; it must be a whole number from 1 to {}", Rounds::MAX))
    })
}
