//! Sends an answer that was kept: the plan, if it was changed, and the argument. Sent again it stores nothing twice.

use serde::de::IgnoredAny;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Runner,
    answer::Answer,
    debate_snapshot::{DebateSnapshot, id_in},
    run_file::Pending,
    starts,
};
use crate::{
    client::types::{DebateType, DocumentSubmit, DocumentSubmitted, Role, Side},
    commands::debate::{add_argument::Write, plan_file::TextWithPlan},
    output::{Code, Failure},
};

/// What stands before the citation of a task that is a document.
const TASK: &str = "Task: ";

/// The line of a MOTION that cites the task.
fn task_line(task: Uuid) -> String {
    format!("{TASK}doc_id={task} v1")
}

/// The document that a MOTION cites as the task, and its version.
pub fn cited_task(motion: &str) -> Option<(Uuid, u64)> {
    let line = motion.lines().rev().find_map(|line| line.strip_prefix(TASK))?;
    let (document, version) = line.strip_prefix("doc_id=")?.split_once(" v")?;
    Some((document.parse().ok()?, version.trim_end().parse().ok()?))
}

impl Pending {
    /// The answer of a role in this situation. Without one it opens the debate.
    pub fn new(role: Role, now: Option<&DebateSnapshot>, answer: Answer, plan: Option<String>) -> Self {
        let target = now.and_then(|now| id_in(&now.turn(role)["moves"][0]["target_id"]));
        let seq = now.map_or(0, DebateSnapshot::newest_seq);
        Self { role: role.to_string(), seq, target, answer, plan, late_issues: Vec::new() }
    }
}

impl Runner {
    /// Keeps an answer and sends it. The inner error is the server's refusal.
    pub async fn keep_then_send(&self, pending: Pending) -> Result<Result<(), Failure>, Failure> {
        self.update(|state| state.pending = Some(pending.clone()))?;
        self.send(&pending).await
    }

    /// Sends an answer, and forgets it unless the server cannot be reached. The inner error is the server's refusal; what
    /// has no place any more since the debate went on is no failure.
    pub async fn send(&self, pending: &Pending) -> Result<Result<(), Failure>, Failure> {
        const REFUSALS: [&str; 4] = ["ACTION_NOT_ALLOWED", "ISSUES_OPEN", "INVALID_INPUT", "CONTENT_TOO_LARGE"];
        match self.limits.within_time(self.store(pending)).await {
            Ok(argument) => self.update(|state| {
                state.pending = None;
                state.known.extend(argument);
                state.unnamed.remove(&pending.role);
                state.notes.take(&pending.role, &pending.answer, &pending.late_issues);
            })?,
            Err(failure) if REFUSALS.contains(&failure.code.as_str()) => {
                let went_on = self.snapshot().await?.is_some_and(|now| now.newest_seq() != pending.seq);
                self.update(|state| state.pending = None)?;
                if !went_on {
                    return Ok(Err(failure));
                }
            }
            Err(failure) => return Err(failure),
        }
        Ok(Ok(()))
    }

    /// Stores the plan and the argument. Returns the argument's id.
    async fn store(&self, pending: &Pending) -> Result<Option<Uuid>, Failure> {
        let (client, id, role) = (&self.client, self.debate_id, pending.role.as_str());
        let kind = if pending.seq == 0 { "MOTION" } else { pending.answer.kind.as_deref().unwrap_or_default() };
        if ["MOTION", "RESOLUTION"].contains(&kind) && !pending.answer.issue_changes.is_empty() {
            let problem = format!("a {} carries no issue_changes", kind.to_lowercase());
            return Err(Failure::new(Code::InvalidInput, problem));
        }
        let request_id = format!("{id}.{role}.{}", pending.seq);
        let title = self.options.title.as_deref().unwrap_or_default();
        let mut body = serde_json::to_value(&pending.answer).unwrap_or_default();
        let all = self.file.borrow().state.unnamed.get(role).cloned().unwrap_or_default();
        body["move"] = kind.into();
        body["role"] = role.into();
        body["agents"] = json!(starts::entries(&all));
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
        let task = if kind == "MOTION" { self.task_document().await? } else { None };
        let text = TextWithPlan::new(self.content_of(pending, task), pending.plan.clone());
        let content = if kind == "MOTION" {
            text.of_motion(client, id, title, &request_id).await?
        } else {
            text.of_argument(client, id, &request_id, |target, content| write(Some(target), content)).await?
        };
        let written = client.write::<Value, _>(&request_id, || write(pending.target, content.clone())).await?;
        Ok(id_in(&written.data["argument"]["id"]))
    }

    /// The text of an argument, before what its plan adds.
    fn content_of(&self, pending: &Pending, task: Option<Uuid>) -> String {
        let content = pending.answer.content.clone();
        let Some(task) = task else { return content };
        let cites_task = task_line(task);
        // Without a plan the program has written the motion.
        if self.plan.is_none() { format!("{content}\n\n{cites_task}") } else { format!("{content}\n{cites_task}") }
    }

    /// Stores the task as a document where no argument has room for it, once.
    async fn task_document(&self) -> Result<Option<Uuid>, Failure> {
        if !self.task_is_long() {
            return Ok(None);
        }
        let request_id = format!("{}.task", self.debate_id);
        let body = DocumentSubmit {
            summary: self.options.title.clone().unwrap_or_default(),
            content: self.options.task().to_owned(),
            metadata: None,
            client_request_id: Some(request_id.clone()),
        };
        let create = || self.client.api.document_create(&body);
        let stored = self.client.write::<DocumentSubmitted, _>(&request_id, create).await?;
        Ok(Some(stored.parsed.version.document_id))
    }

    /// Deletes the document of a task whose debate was not opened.
    pub async fn delete_task_document(&self) {
        if let Ok(Some(task)) = self.task_document().await {
            let delete = || self.client.api.document_delete(&task);
            // What stays behind is a document that nobody cites.
            let _ = self.client.send::<IgnoredAny, _>(delete).await;
        }
    }

    pub fn debate_type(&self) -> DebateType {
        self.options.debate_type.unwrap_or(DebateType::CodingPlanDebate)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[test]
    fn an_answer_becomes_the_write_that_its_move_names() {
        let id = Uuid::from_u128(7);
        let body = |kind: &str| {
            let answer = Answer { chosen_option: Some(1), ..Answer::new(kind, "text") };
            let mut body = serde_json::to_value(answer).unwrap();
            for (name, value) in [
                ("role", json!("opponent")),
                ("target_id", json!(id)),
                ("client_request_id", json!("r")),
                ("motion_content", json!("why")),
                ("debate_id", json!(id)),
                ("title", json!("T")),
                ("debate_type", json!("general_debate")),
            ] {
                body[name] = value;
            }
            Write::deserialize(body)
        };
        assert!(matches!(body("MOTION"), Ok(Write::Motion(body)) if body.motion_content == "why"));
        assert!(matches!(body("CLAIM"), Ok(Write::Claim(body)) if body.role == Side::Opponent && body.target_id == id));
        assert!(matches!(body("APPEAL"), Ok(Write::Appeal(body)) if body.content == "text"));
        assert!(matches!(body("RESOLUTION"), Ok(Write::Resolution(body)) if body.client_request_id == "r"));
        assert!(matches!(body("RULING"), Ok(Write::Ruling(body)) if body.chosen_option == Some(1)));
        assert!(body("SHOUT").is_err());
    }

    #[test]
    fn a_motion_tells_which_document_is_the_task() {
        let id = Uuid::from_u128(7);
        let motion = format!("Plan: doc_id={} v1\n\nCache the prices\n{}", Uuid::from_u128(8), task_line(id));
        assert_eq!(cited_task(&motion), Some((id, 1)));
        for other in ["Cache", "Task: make it fast", "Task: doc_id=1 v1", "see Task: doc_id=1 v1", "Task: doc_id= v"] {
            assert_eq!(cited_task(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_kept_names_what_it_answers() {
        let target = Uuid::from_u128(9);
        let turns = json!([{"role": "opponent", "moves": [{"type": "CLAIM", "target_id": target}]}]);
        let context = json!({"motion": {"seq": 1}, "arguments": [{"seq": 2}], "turns": turns});
        let now = DebateSnapshot { context, issues: Vec::new() };
        let pending = Pending::new(Role::Opponent, Some(&now), Answer::default(), None);
        assert_eq!((pending.role.as_str(), pending.seq, pending.target), ("opponent", 2, Some(target)));
        let opening = Pending::new(Role::Proposer, None, Answer::default(), None);
        assert_eq!((opening.seq, opening.target), (0, None));
    }
}
