//! Sends an answer that was kept: the plan, if it was changed, and the argument. Sent again it stores nothing twice.

use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{
    Runner, Stop,
    answer::{self, Answer},
    run_file::Pending,
    situation::id_in,
};
use crate::{
    client::{
        ApiError, ApiSuccess,
        types::{
            AppealSubmit, ArgumentSubmit, DebateCreate, DocumentSubmit, ResolutionSubmit, Role, RulingSubmit, Side,
        },
    },
    output::failure::{Code, Failure},
};

/// What became of an answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Sent {
    Stored,
    /// The debate went on meanwhile, so that the answer has no place any more
    WentOn,
    /// The server refuses it, for this reason
    Refused(String),
}

impl Pending {
    /// An answer of a role to the argument with this number; 0 opens the debate.
    pub fn new(role: Role, seq: u64, target: Option<Uuid>, answer: Value, plan: Option<String>) -> Self {
        Self { role: role.to_string(), seq, target, answer, plan }
    }
}

impl Runner {
    /// Sends an answer, and forgets it unless the server cannot be reached.
    pub async fn send(&self, pending: &Pending) -> Result<Sent, Stop> {
        let sent = match self.store(pending).await {
            Ok(argument) => {
                let mut file = self.file.borrow_mut();
                file.state.known.extend(argument);
                file.state.unnamed.remove(&pending.role);
                Sent::Stored
            }
            Err(Stop::Failed(failure)) => match failure.code.as_str() {
                "ACTION_NOT_ALLOWED" if self.went_on(pending).await? => Sent::WentOn,
                "ACTION_NOT_ALLOWED" | "ISSUES_OPEN" | "INVALID_INPUT" | "CONTENT_TOO_LARGE" => {
                    Sent::Refused(format!("{}: {}", failure.code, failure.message))
                }
                _ => return Err(Stop::Failed(failure)),
            },
            Err(stop) => return Err(stop),
        };
        let mut file = self.file.borrow_mut();
        file.state.pending = None;
        file.save()?;
        Ok(sent)
    }

    /// Whether the newest argument is not the one that was answered.
    async fn went_on(&self, pending: &Pending) -> Result<bool, Stop> {
        Ok(self.situation().await?.is_some_and(|now| now.newest_seq() != pending.seq))
    }

    /// Stores the plan and the argument. Returns the argument's id.
    async fn store(&self, pending: &Pending) -> Result<Option<Uuid>, Stop> {
        let refused = |problem: String| Failure::new(Code::InvalidInput, problem);
        let answer = answer::parse(&pending.answer).map_err(refused)?;
        let client_request_id = format!("{}.{}.{}", self.debate_id, pending.role, pending.seq);
        let content = match &pending.plan {
            Some(plan) => self.store_plan(plan, &client_request_id, &answer.content).await?,
            None => answer.content.clone(),
        };
        let agents = self.file.borrow().unnamed(&pending.role);
        let target = || pending.target.ok_or_else(|| refused("it answers nothing".to_owned()));
        let Answer { kind, issue_changes, options, close, chosen_option, .. } = answer;
        let (client, id) = (&self.client, self.debate_id);
        let side = if pending.role == "opponent" { Side::Opponent } else { Side::Proposer };
        let seat = (pending.role != "arbitrator").then(|| client.seat_key(id, side)).flatten();
        let (kind, seat) = (kind.unwrap_or_default(), seat.as_deref());
        let no_changes = || match issue_changes.is_empty() {
            true => Ok(()),
            false => Err(refused("a resolution carries no issue_changes".to_owned())),
        };
        if pending.seq == 0 {
            let body = DebateCreate {
                debate_id: id,
                title: self.kept().title,
                debate_type: self.debate_type(),
                max_rounds: Some(self.kept().rounds),
                motion_content: content,
                agents,
                client_request_id: client_request_id.clone(),
            };
            return self.write(&client_request_id, || client.api.debate_create(seat, &body)).await;
        }
        match (pending.role.as_str(), kind.as_str()) {
            ("arbitrator", "RULING") => {
                let client_request_id = Some(client_request_id.clone());
                let body = RulingSubmit { content, close, chosen_option, issue_changes, agents, client_request_id };
                let request_id = body.client_request_id.clone().unwrap_or_default();
                self.write(&request_id, || client.api.debate_ruling(&id, &body)).await
            }
            ("proposer", "APPEAL") => {
                let target_id = target()?;
                let body = AppealSubmit {
                    target_id,
                    content,
                    options,
                    issue_changes,
                    agents,
                    client_request_id: client_request_id.clone(),
                };
                self.write(&client_request_id, || client.api.debate_appeal(&id, seat, &body)).await
            }
            ("proposer", "RESOLUTION") => {
                no_changes()?;
                let body = ResolutionSubmit {
                    target_id: target()?,
                    content,
                    agents,
                    client_request_id: client_request_id.clone(),
                };
                self.write(&client_request_id, || client.api.debate_request_completion(&id, seat, &body)).await
            }
            ("proposer" | "opponent", "CLAIM") => {
                let target_id = target()?;
                let body = ArgumentSubmit {
                    role: side,
                    target_id,
                    content,
                    issue_changes,
                    agents,
                    client_request_id: client_request_id.clone(),
                };
                self.write(&client_request_id, || client.api.debate_submit(&id, seat, &body)).await
            }
            (role, kind) => Err(refused(format!("{} is no move of the {role}", kind.to_lowercase())).into()),
        }
    }

    async fn write<F>(&self, request_id: &str, request: impl Fn() -> F) -> Result<Option<Uuid>, Stop>
    where
        F: Future<Output = Result<ApiSuccess, ApiError>>,
    {
        let written = self.within_time(self.client.write::<Value, _>(request_id, request)).await?;
        Ok(id_in(&written.data["argument"]["id"]))
    }

    /// Makes the text the plan's next version, unless it is the present one, and returns the content that cites it.
    async fn store_plan(&self, plan: &str, request_id: &str, content: &str) -> Result<String, Stop> {
        let now = self.situation().await?;
        let present = now.as_ref().and_then(super::situation::Situation::plan);
        let cited = |document: Uuid, version: u64| format!("Plan: doc_id={document} v{version}\n\n{content}");
        if let Some(present) = present
            && self.plan_text(present.document, present.version).await? == plan
        {
            return Ok(cited(present.document, present.version));
        }
        let digest = Sha256::digest(format!("{}\n{request_id}\n{plan}\n", self.debate_id));
        let first_line = content.lines().find(|line| !line.trim().is_empty()).unwrap_or(&self.title).trim();
        let summary = if present.is_none() { self.title.clone() } else { first_line.chars().take(500).collect() };
        let body = DocumentSubmit {
            summary,
            content: plan.to_owned(),
            metadata: None,
            client_request_id: Some(digest.iter().map(|byte| format!("{byte:02x}")).collect()),
        };
        let (client, version_request) = (&self.client, body.client_request_id.clone().unwrap_or_default());
        let written = match present {
            Some(plan) => {
                let send = || client.api.document_submit(&plan.document, &body);
                self.within_time(client.write::<Value, _>(&version_request, send)).await?
            }
            None => {
                self.within_time(client.write::<Value, _>(&version_request, || client.api.document_create(&body)))
                    .await?
            }
        };
        let document = id_in(&written.data["document"]["id"]);
        let version = written.data["version"]["version"].as_u64();
        match (document, version) {
            (Some(document), Some(version)) => Ok(cited(document, version)),
            _ => Err(Failure::new(Code::InternalError, "the server did not tell the version of the plan").into()),
        }
    }
}
