//! Sends an answer that was kept: the plan, if it was changed, and the argument. Sent again it stores nothing twice.

use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Runner, Stop,
    answer::Answer,
    run_file::Pending,
    situation::{Situation, id_in},
};
use crate::{
    client::{
        ApiError, ApiSuccess, Client,
        types::{AppealSubmit, ArgumentSubmit, DebateCreate, DebateType, ResolutionSubmit, Role, RulingSubmit, Side},
    },
    commands::debate::plan_file::TextWithPlan,
    output::failure::{Code, Failure},
};

/// The most starts that an argument may name.
const MAX_AGENTS: usize = 16;

/// What became of an answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Sent {
    Stored,
    /// The debate went on meanwhile, so that the answer has no place any more
    WentOn,
    /// The server refuses it, for this reason
    Refused(String),
}

/// A write, as its body says.
#[derive(Deserialize)]
#[serde(tag = "move", rename_all = "UPPERCASE")]
enum Write {
    Motion(DebateCreate),
    Claim(ArgumentSubmit),
    Appeal(AppealSubmit),
    Resolution(ResolutionSubmit),
    Ruling(RulingSubmit),
}

impl Write {
    async fn send(body: Value, client: &Client, debate: Uuid, seat: Option<&str>) -> Result<ApiSuccess, ApiError> {
        let api = &client.api;
        match Self::deserialize(body).map_err(|error| ApiError::InvalidRequest(error.to_string()))? {
            Self::Motion(body) => api.debate_create(seat, &body).await,
            Self::Claim(body) => api.debate_submit(&debate, seat, &body).await,
            Self::Appeal(body) => api.debate_appeal(&debate, seat, &body).await,
            Self::Resolution(body) => api.debate_request_completion(&debate, seat, &body).await,
            Self::Ruling(body) => api.debate_ruling(&debate, &body).await,
        }
    }
}

impl Runner {
    /// Keeps the answer of a role in this situation, and sends it. Without a situation it opens the debate.
    pub async fn keep_then_send(
        &self,
        role: Role,
        now: impl Into<Option<&Situation>>,
        answer: Answer,
        plan: Option<String>,
    ) -> Result<Sent, Stop> {
        let now = now.into();
        let target = now.and_then(|now| id_in(&now.moves(role).first()?["target_id"]));
        let seq = now.map_or(0, Situation::newest_seq);
        let pending = Pending { role: role.to_string(), seq, target, answer, plan };
        self.update(|state| state.pending = Some(pending.clone()))?;
        self.send(&pending).await
    }

    /// Sends an answer, and forgets it unless the server cannot be reached.
    pub async fn send(&self, pending: &Pending) -> Result<Sent, Stop> {
        let stored = self.limits.within_time(self.store(pending)).await;
        let sent = match &stored {
            Ok(_) => Sent::Stored,
            Err(failure) => match failure.code.as_str() {
                "ACTION_NOT_ALLOWED" | "ISSUES_OPEN" | "INVALID_INPUT" | "CONTENT_TOO_LARGE" => {
                    let now = self.situation().await?;
                    let went_on = now.is_some_and(|now| now.newest_seq() != pending.seq);
                    if went_on { Sent::WentOn } else { Sent::Refused(format!("{}: {}", failure.code, failure.message)) }
                }
                _ => return Err(stored.err().map_or(Stop::Closed, Stop::Failed)),
            },
        };
        self.update(|state| {
            state.pending = None;
            if let Ok(argument) = &stored {
                state.known.extend(argument);
                state.unnamed.remove(&pending.role);
            }
        })?;
        Ok(sent)
    }

    /// Stores the plan and the argument. Returns the argument's id.
    async fn store(&self, pending: &Pending) -> Result<Option<Uuid>, Failure> {
        let (client, id, role) = (&self.client, self.debate_id, pending.role.as_str());
        let kind = if pending.seq == 0 { "MOTION" } else { pending.answer.kind.as_deref().unwrap_or_default() };
        let is_of_role = match role {
            "proposer" => ["MOTION", "CLAIM", "APPEAL", "RESOLUTION"].contains(&kind),
            "opponent" => kind == "CLAIM",
            _ => kind == "RULING",
        };
        let refused = |problem: String| Err(Failure::new(Code::InvalidInput, problem));
        if !is_of_role {
            return refused(format!("{} is no move of the {role}", kind.to_lowercase()));
        }
        if ["MOTION", "RESOLUTION"].contains(&kind) && !pending.answer.issue_changes.is_empty() {
            return refused(format!("a {} carries no issue_changes", kind.to_lowercase()));
        }
        let request_id = format!("{id}.{role}.{}", pending.seq);
        let title = self.options.title.as_deref().unwrap_or_default();
        let mut body = serde_json::to_value(&pending.answer).unwrap_or_default();
        let all = self.file.borrow().state.unnamed.get(role).cloned().unwrap_or_default();
        body["move"] = kind.into();
        body["role"] = role.into();
        body["agents"] = json!(all[all.len().saturating_sub(MAX_AGENTS)..]);
        body["client_request_id"] = request_id.as_str().into();
        if kind == "MOTION" {
            body["debate_id"] = id.to_string().into();
            body["title"] = title.into();
            body["debate_type"] = json!(self.debate_type());
            body["max_rounds"] = self.options.rounds.unwrap_or(3).into();
        }
        let side = if role == "opponent" { Side::Opponent } else { Side::Proposer };
        let seat = (role != "arbitrator").then(|| client.seat_key(id, side)).flatten();
        let write = |target: Option<Uuid>, content: String| {
            let mut body = body.clone();
            body["target_id"] = json!(target);
            body[if kind == "MOTION" { "motion_content" } else { "content" }] = content.into();
            Write::send(body, client, id, seat.as_deref())
        };
        let text = TextWithPlan::new(pending.answer.content.clone(), pending.plan.clone());
        let content = if kind == "MOTION" {
            text.of_motion(client, id, title, &request_id).await?
        } else {
            text.of_argument(client, id, &request_id, |target, content| write(Some(target), content)).await?
        };
        let written = client.write::<Value, _>(&request_id, || write(pending.target, content.clone())).await?;
        Ok(id_in(&written.data["argument"]["id"]))
    }

    pub fn debate_type(&self) -> DebateType {
        self.options.debate_type.unwrap_or(DebateType::CodingPlanDebate)
    }
}
