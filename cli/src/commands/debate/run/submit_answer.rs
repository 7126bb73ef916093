//! Sends an answer that was kept: the plan, if it was changed, and the argument. Sent again it stores nothing twice.

use std::collections::BTreeMap;

use serde::{Deserialize, de::IgnoredAny};
use uuid::Uuid;

use super::{
    answer::Answer,
    debate_snapshot::{DebateSnapshot, known},
    options::Options,
    run_file::Pending,
    starts,
};
use crate::{
    client::{
        Client,
        compatibility::PLAN_WITH_ARGUMENT,
        types::{
            Agent, AppealSubmit, Argument, ArgumentSubmit, ArgumentSubmitted, ArgumentType, DebateCreate,
            DocumentSubmit, DocumentSubmitted, ErrorCode, IssueChangeRule, IssueChangeSubmit, PlanSubmit,
            ResolutionSubmit, Role, RulingSubmit, Side,
        },
    },
    commands::{debate::add_argument::Write, docs},
    output::{Code, Failure},
};

/// What every write of an argument answers.
#[derive(Deserialize)]
struct Stored {
    argument: Argument,
}

/// What stands before the citation of a task that is a document.
const TASK: &str = "Task: ";

/// The line of a MOTION that cites the task.
fn task_line(task: Uuid) -> String {
    TASK.to_owned() + &docs::citation(task, 1)
}

/// The document that a MOTION cites as the task, and its version.
pub fn cited_task(motion: &str) -> Option<(Uuid, u64)> {
    let line = motion.lines().rev().find_map(|line| line.strip_prefix(TASK))?;
    let (document, version) = line.strip_prefix("doc_id=")?.split_once(" v")?;
    Some((document.parse().ok()?, version.trim_end().parse().ok()?))
}

/// What became of an answer that was sent.
pub enum Sent {
    /// It is stored, or has no place any more since the debate went on
    Taken,
    /// The server refuses it
    Refused(Failure),
}

impl Pending {
    /// The answer of a role in this situation. Without one it opens the debate.
    pub fn new(role: Role, now: Option<&DebateSnapshot>, answer: Answer, plan: Option<String>) -> Self {
        let target = now.and_then(|now| now.turn(role)?.moves.first()?.target_id);
        let seq = now.map_or(0, DebateSnapshot::newest_seq);
        Self { role: role.to_string(), seq, target, answer, plan, base: None, late_issues: Vec::new() }
    }
}

/// Whether the server refuses what was sent, and not whoever sent it.
pub fn is_refusal(failure: &Failure) -> bool {
    matches!(
        failure.code.parse(),
        Ok(ErrorCode::ActionNotAllowed | ErrorCode::IssuesOpen | ErrorCode::InvalidInput | ErrorCode::ContentTooLarge)
    )
}

/// What an answer is made an argument of.
pub struct Sender<'r> {
    pub client: &'r Client,
    pub debate_id: Uuid,
    pub options: &'r Options,
    /// What each change of issues needs
    pub change_rules: &'r BTreeMap<String, IssueChangeRule>,
    /// Whether the task is a document, since no argument has room for it
    pub task_is_long: bool,
    /// Whether the first plan is PLAN, and the motion the run's own
    pub has_plan: bool,
}

impl Sender<'_> {
    /// Stores the plan and the argument, with what wrote it. Returns the argument's id.
    pub async fn store(&self, pending: &Pending, agents: &[Agent]) -> Result<Uuid, Failure> {
        let (client, id) = (self.client, self.debate_id);
        let role: Role = known("the role of the answer that was kept", &pending.role)?;
        let kind = match (pending.seq, pending.answer.kind) {
            (0, _) => ArgumentType::Motion,
            (_, Some(kind)) => kind,
            (_, None) => return Err(Failure::new(Code::InvalidInput, "the answer that was kept names no move")),
        };
        let has_changes = pending.answer.issue_changes.as_ref().is_some_and(|changes| !changes.is_empty());
        if matches!(kind, ArgumentType::Motion | ArgumentType::Resolution) && has_changes {
            let problem = format!("a {} carries no issue_changes", kind.to_string().to_lowercase());
            return Err(Failure::new(Code::InvalidInput, problem));
        }
        let task = if kind == ArgumentType::Motion { self.task_document().await? } else { None };
        if pending.plan.is_some() {
            client.require_contract(PLAN_WITH_ARGUMENT, "a plan").await?;
        }
        let request_id = self.request_id(pending);
        let seat = match role {
            Role::Proposer => client.seat_key(id, Side::Proposer),
            Role::Opponent => client.seat_key(id, Side::Opponent),
            Role::Arbitrator => None,
        };
        let body = self.write(pending, (role, kind), task, starts::entries(agents), &request_id)?;
        let send = || body.send(client, id, seat.as_deref());
        let written = client.write::<Stored, _>(&request_id, send).await?;
        Ok(written.parsed.argument.id)
    }

    /// The argument that a ruling is stored as, which whoever sent it need not have learned; none if it is not stored. It is asked for
    /// as what the ruling would lead to, so that it is not stored now, by a client that remembers no hash of what is not stored.
    pub async fn stored_ruling(&self, pending: &Pending, agents: &[Agent]) -> Result<Option<Uuid>, Failure> {
        let mut client = Client::from_env()?;
        client.checks_history = false;
        let (agents, request_id) = (starts::entries(agents), self.request_id(pending));
        let write = self.write(pending, (Role::Arbitrator, ArgumentType::Ruling), None, agents, &request_id)?;
        let Write::Ruling(body) = write else { return Ok(None) };
        let body = RulingSubmit { dry_run: Some(true), ..body };
        let ask = || client.api.debate_ruling(&self.debate_id, &body);
        match client.send::<ArgumentSubmitted, _>(ask).await {
            Ok(told) => Ok(told.parsed.replayed.unwrap_or_default().then_some(told.parsed.argument.id)),
            Err(failure) if is_refusal(&failure) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The request id of an answer, the same however often it is sent.
    fn request_id(&self, pending: &Pending) -> String {
        format!("{}.{}.{}", self.debate_id, pending.role, pending.seq)
    }

    /// The write that an answer is.
    fn write(
        &self,
        pending: &Pending,
        (role, kind): (Role, ArgumentType),
        task: Option<Uuid>,
        agents: Vec<Agent>,
        request_id: &str,
    ) -> Result<Write, Failure> {
        let Answer { content, mut issue_changes, mut options, close, chosen_option, .. } = pending.answer.clone();
        let of_options = options.iter_mut().filter_map(|option| option.issue_changes.as_mut());
        for change in issue_changes.iter_mut().chain(of_options).flatten() {
            self.leave_out_useless(change);
        }
        let text = match task {
            None => content,
            Some(task) if self.has_plan => format!("{content}\n{}", task_line(task)),
            // The program has written the motion.
            Some(task) => format!("{content}\n\n{}", task_line(task)),
        };
        let client_request_id = request_id.to_owned();
        let plan =
            pending.plan.as_ref().map(|plan| PlanSubmit { content: plan.clone(), base: pending.base, summary: None });
        let target_id =
            || pending.target.ok_or_else(|| Failure::new(Code::InvalidInput, "the server told no argument to answer"));
        Ok(match kind {
            ArgumentType::Motion => Write::Motion(DebateCreate {
                debate_id: self.debate_id,
                title: self.options.title.clone().unwrap_or_default(),
                debate_type: self.options.debate_type(),
                max_rounds: Some(self.options.rounds.unwrap_or(3)),
                motion_content: Some(text),
                plan,
                agents,
                client_request_id,
            }),
            ArgumentType::Claim => Write::Claim(ArgumentSubmit {
                role: if role == Role::Opponent { Side::Opponent } else { Side::Proposer },
                target_id: target_id()?,
                content: Some(text),
                issue_changes,
                plan,
                agents,
                client_request_id,
            }),
            ArgumentType::Appeal => Write::Appeal(AppealSubmit {
                target_id: target_id()?,
                content: Some(text),
                options,
                issue_changes,
                plan,
                agents,
                client_request_id,
            }),
            ArgumentType::Resolution => Write::Resolution(ResolutionSubmit {
                target_id: target_id()?,
                content: Some(text),
                plan,
                agents,
                client_request_id,
            }),
            ArgumentType::Ruling => Write::Ruling(RulingSubmit {
                content: text,
                close,
                chosen_option,
                issue_changes,
                dry_run: None,
                agents,
                client_request_id: Some(client_request_id),
            }),
            ArgumentType::Intervention => {
                return Err(Failure::new(Code::InvalidInput, "an intervention is no move of a run"));
            }
        })
    }

    /// Takes out what a change has no use for, such as the location of an issue that is fixed: models often repeat it, and an answer
    /// that is refused costs a whole start.
    fn leave_out_useless(&self, change: &mut IssueChangeSubmit) {
        let Some(rule) = self.change_rules.get(&change.change) else { return };
        let needs = |what: &str| rule.needs.iter().any(|need| need == what);
        if !needs("severity") {
            change.severity = None;
        }
        // What names a new issue is not about one that is there.
        if needs("title") {
            change.issue = None;
        } else {
            change.title = None;
            change.location = None;
        }
    }

    /// Stores the task as a document where no argument has room for it, once.
    async fn task_document(&self) -> Result<Option<Uuid>, Failure> {
        if !self.task_is_long {
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
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::commands::debate::run::debate_snapshot::tests::{argument, snapshot};

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
        let moves = json!([{"type": "CLAIM", "target_id": target, "issue_changes": {}}]);
        let turn = json!({"role": "opponent", "action": "respond", "allowed": ["CLAIM"], "moves": moves});
        let mut now = snapshot(json!({}), vec![argument(json!({"seq": 2}))]);
        now.context.turns = vec![serde_json::from_value(turn).unwrap()];
        let pending = Pending::new(Role::Opponent, Some(&now), Answer::default(), None);
        assert_eq!((pending.role.as_str(), pending.seq, pending.target), ("opponent", 2, Some(target)));
        let opening = Pending::new(Role::Proposer, None, Answer::default(), None);
        assert_eq!((opening.seq, opening.target), (0, None));
    }
}
