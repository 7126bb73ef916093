//! What all commands that add an argument have in common: sending it and reporting what was stored.

use std::{fmt::Display, future::Future};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    issues::unsettled,
    markdown::PrintedArgument,
    next_command::{self, Step, Turn, waits},
    options::{DebateId, only},
    plan_file::{self, ContentWithPlan},
};
use crate::{
    client::{
        ApiError, ApiSuccess, Client, Response,
        types::{
            self, Agent, AppealSubmit, Argument, ArgumentSubmit, ArgumentSubmitted, ChangeName, CitedVersion,
            DebateContext, DebateCreate, ErrorCode, InterventionSubmit, Issue, IssueChange, IssueCounts, PlanSubmit,
            ResolutionSubmit, Role, RulingSubmit, Side,
        },
    },
    commands::docs,
    input::{agents::Agents, ids, request_id::RequestId, resolve_id},
    output::{Failure, Markdown, Output, reader, truncate, warning},
};

/// The option that names the argument to answer.
const TARGET_ID: &str = "--target-id";

/// A write.
pub enum Write {
    Motion(DebateCreate),
    Claim(ArgumentSubmit),
    Appeal(AppealSubmit),
    Resolution(ResolutionSubmit),
    Ruling(RulingSubmit),
    Intervention(InterventionSubmit),
}

impl Write {
    /// Sends it, as the holder of a seat where it is one of a side.
    pub async fn send(&self, client: &Client, debate: Uuid, seat: Option<&str>) -> Result<ApiSuccess, ApiError> {
        let api = &client.api;
        match self {
            Self::Motion(body) => api.debate_create(seat, body).await,
            Self::Claim(body) => api.debate_submit(&debate, seat, body).await,
            Self::Appeal(body) => api.debate_appeal(&debate, seat, body).await,
            Self::Resolution(body) => api.debate_request_completion(&debate, seat, body).await,
            Self::Ruling(body) => api.debate_ruling(&debate, body).await,
            Self::Intervention(body) => api.debate_intervention(&debate, body).await,
        }
    }
}

/// The options of a command with which a side answers an argument.
#[derive(Args, Deserialize, JsonSchema)]
pub struct AnswerOptions {
    #[command(flatten)]
    #[serde(flatten)]
    debate_id: DebateId,
    /// Id of the argument to answer: whole, a unique prefix, or '#5' for number 5
    #[arg(long, value_name = "ID")]
    target_id: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub content: ContentWithPlan,
    #[command(flatten)]
    #[serde(skip)]
    agents: Agents,
    #[command(flatten)]
    #[serde(flatten)]
    request_id: RequestId,
}

/// What the bodies of all answers of a side have.
pub struct AnswerBody {
    pub target_id: Uuid,
    pub content: Option<String>,
    pub plan: Option<PlanSubmit>,
    pub agents: Vec<Agent>,
    pub client_request_id: String,
}

impl AnswerOptions {
    /// Sends the answer of a side, of which `write` makes the whole body.
    pub async fn send(self, side: Side, write: impl FnOnce(AnswerBody) -> Write) -> Result<Output, Failure> {
        let mut text = self.content.read()?;
        let client = text.client()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        let target_id = ids::parse_argument_ref(TARGET_ID, &self.target_id)?;
        let target_id = resolve_id::argument(&client, debate_id, TARGET_ID, &target_id).await?;
        let request_id = self.request_id.or_new();
        let agents = self.agents.read()?;
        let plan = text.plan(&client, debate_id).await?;
        let (has_plan, plan_base) = (plan.is_some(), plan.as_ref().and_then(|plan| plan.base));
        let content = Some(text.content);
        let write = write(AnswerBody { target_id, content, plan, agents, client_request_id: request_id.clone() });
        let seat = client.seat_key(debate_id, side);
        let role = match side {
            Side::Proposer => Role::Proposer,
            Side::Opponent => Role::Opponent,
        };
        let destination = Destination { debate_id, role, target_id: Some(target_id), has_plan };
        let sent = destination.send(&client, &request_id, || write.send(&client, debate_id, seat.as_deref())).await;
        match sent {
            Err(failure) if is_about_plan_base(&failure) => {
                Err(plan_file::explain_older_base(&client, debate_id, plan_base, failure).await)
            }
            sent => sent,
        }
    }
}

/// The options of a command of the arbitrator, besides its text.
#[derive(Args, Deserialize, JsonSchema)]
pub struct DecisionOptions {
    #[command(flatten)]
    #[serde(flatten)]
    debate_id: DebateId,
    #[arg(id = "role", long = "role", hide = true, value_name = "ROLE", value_parser = only(Role::Arbitrator))]
    #[serde(skip)]
    _role: Option<Role>,
    #[command(flatten)]
    #[serde(skip)]
    agents: Agents,
    #[command(flatten)]
    #[serde(flatten)]
    request_id: RequestId,
}

/// What the bodies of all decisions of the arbitrator have.
pub struct DecisionBody {
    pub agents: Vec<Agent>,
    pub client_request_id: Option<String>,
}

impl DecisionOptions {
    /// Sends the decision, of which `write` makes the whole body.
    pub async fn send(self, write: impl FnOnce(DecisionBody) -> Write) -> Result<Output, Failure> {
        let (request_id, write) = self.read(write)?;
        let (client, debate_id) = self.debate_id.connect().await?;
        Destination { debate_id, role: Role::Arbitrator, target_id: None, has_plan: false }
            .send(&client, &request_id, || write.send(&client, debate_id, None))
            .await
    }

    /// Asks what the decision would lead to. Nothing is stored, so that its request id stays free and no hash is remembered.
    pub async fn preview(self, write: impl FnOnce(DecisionBody) -> Write) -> Result<Output, Failure> {
        let (_, write) = self.read(write)?;
        let (mut client, debate_id) = self.debate_id.connect().await?;
        client.checks_history = false;
        let destination = Destination { debate_id, role: Role::Arbitrator, target_id: None, has_plan: false };
        let ask = || write.send(&client, debate_id, None);
        let Response { mut data, parsed } =
            client.send::<ArgumentSubmitted, _>(ask).await.map_err(|failure| destination.with_next(failure))?;
        truncate::argument_of(&mut data);
        warn_of_left_changes(&client, &parsed.argument).await;
        let changes = changes(&parsed.argument.issue_changes).map(|changes| format!(": {changes}")).unwrap_or_default();
        let message = format!(
            "Nothing is stored. Without {} the debate would be {} then{changes}",
            reader::option("--dry-run"),
            parsed.debate_state
        );
        let output = Output { is_preview: true, ..Output::new(data, message) };
        Ok(output.with_markdown(render_preview).with_next(next_command::context(debate_id, Some(Role::Arbitrator))))
    }

    /// The request id and the whole decision.
    fn read(&self, write: impl FnOnce(DecisionBody) -> Write) -> Result<(String, Write), Failure> {
        let request_id = self.request_id.or_new();
        let agents = self.agents.read()?;
        let write = write(DecisionBody { agents, client_request_id: Some(request_id.clone()) });
        Ok((request_id, write))
    }
}

/// Where an argument goes.
struct Destination {
    debate_id: Uuid,
    /// The role of the author
    role: Role,
    /// The argument that it answers
    target_id: Option<Uuid>,
    /// Whether a plan comes with it
    has_plan: bool,
}

impl Destination {
    /// Sends the argument under `request_id`.
    async fn send<F>(self, client: &Client, request_id: &str, request: impl Fn() -> F) -> Result<Output, Failure>
    where
        F: Future<Output = Result<ApiSuccess, ApiError>>,
    {
        let Response { mut data, parsed } = client
            .write::<ArgumentSubmitted, _>(request_id, request)
            .await
            .map_err(|failure| self.with_next(failure))?;
        truncate::argument_of(&mut data);
        warn_of_citations(&parsed.unknown_citations, &parsed.unseen_citations);
        let argument = &parsed.argument;
        let data = json!(Stored::new(data, argument, request_id));
        let newest = parsed.next_argument_id_to_wait;
        // A person who ruled is done; an agent goes on waiting.
        let for_a_person = (self.role == Role::Arbitrator && waits(&parsed.action)).then(Vec::new);
        let turn =
            Turn { debate: argument.debate_id, role: self.role, action: &parsed.action, moves: &parsed.moves, newest };
        let step = turn.step_after_writing();
        warn_of_left_changes(client, argument).await;
        let stored = if parsed.replayed.unwrap_or_default() { "was stored before" } else { "is stored" };
        let plan = self.has_plan.then_some(parsed.plan).flatten();
        let plan = plan.map(|plan| format!("the plan is now version {}", plan.version));
        let did: Vec<String> = changes(&argument.issue_changes).into_iter().chain(plan).collect();
        let did = if did.is_empty() { String::new() } else { format!(": {}", did.join("; ")) };
        let mut message = format!("{} {stored} as argument {}{did}", argument.type_, argument.seq);
        // Whose turn it is tell the state and the action.
        if !waits(&parsed.action) {
            message += &format!(". {}", step.sentence);
        }
        let output = Output::new(data, message).with_markdown(render).with_step(step);
        Ok(Output { for_a_person, ..output.with_metadata("client_request_id", request_id) })
    }

    /// Adds the command that leads on from a failure of such a write.
    fn with_next(&self, failure: Failure) -> Failure {
        // Of a new issue the server tells it as null.
        let is_about_issue = failure.server_error.as_ref().is_some_and(|server| server.error.contains_key("issue"));
        match failure.code.parse() {
            // It may still be the author's turn, in which nothing comes that a wait could return.
            Ok(ErrorCode::ActionNotAllowed) if is_about_issue => {
                failure.with_next(next_command::issues(self.debate_id))
            }
            // A wait returns what the author has not seen yet, and says whose turn it is.
            Ok(ErrorCode::ActionNotAllowed) => {
                let turn_of = failure.refusal().map(|refusal| refusal.allowed_roles);
                let is_arbitrator = self.role == Role::Arbitrator;
                if is_arbitrator && turn_of.as_ref().is_some_and(Vec::is_empty) {
                    return failure.with_next(next_command::context(self.debate_id, Some(self.role)));
                }
                let is_due = turn_of.is_none_or(|roles| roles.contains(&self.role.to_string()));
                let failure = if is_arbitrator && !is_due {
                    failure.with_suggestion(format!(
                        "Wait until a ruling is due, or make one due with {}",
                        reader::command("debate intervention")
                    ))
                } else {
                    failure
                };
                failure.with_next(next_command::wait(self.debate_id, self.role, self.target_id))
            }
            Ok(ErrorCode::IssuesOpen) => failure.with_next(next_command::issues(self.debate_id)),
            Ok(ErrorCode::SeatTaken) => explain_taken_seat(failure, self.debate_id, self.role),
            Ok(ErrorCode::ArgumentNotFound) => {
                failure.with_next(next_command::context(self.debate_id, Some(self.role)))
            }
            Ok(_) | Err(_) => failure,
        }
    }
}

/// Whether the server refused a plan because its document has a newer version than the one that it was made from.
pub fn is_about_plan_base(failure: &Failure) -> bool {
    failure.refusal().is_some_and(|error| error.field.as_deref() == Some("plan.base"))
}

impl Output {
    /// Sets the commands of a step.
    pub(super) fn with_step(self, step: Step) -> Self {
        Self {
            next: step.next.map(Into::into),
            hint: step.hint.map(Into::into),
            action_in_words: Some(step.sentence),
            ..self.with_also(step.also)
        }
    }
}

/// The changes of issues that were stored, those of a kind together: `raised I4, I5; resolved I1`. None if there are none.
fn changes(stored: &[IssueChange]) -> Option<String> {
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for change in stored {
        match kinds.iter_mut().find(|(kind, _)| *kind == change.change) {
            Some((_, issues)) => issues.push(&change.issue),
            None => kinds.push((&change.change, vec![&change.issue])),
        }
    }
    let kinds = kinds.iter().map(|(kind, issues)| format!("{} {}", past_tense(kind), issues.join(", ")));
    Some(kinds.collect::<Vec<_>>().join("; ")).filter(|changes| !changes.is_empty())
}

fn past_tense(change: &str) -> &str {
    match change.parse() {
        Ok(ChangeName::Raise) => "raised",
        Ok(ChangeName::Fix) => "fixed",
        Ok(ChangeName::Dispute) => "disputed",
        Ok(ChangeName::Refer) => "referred",
        Ok(ChangeName::Resolve) => "resolved",
        Ok(ChangeName::Withdraw) => "withdrawn",
        Ok(ChangeName::Reopen) => "reopened",
        Ok(ChangeName::Regrade) => "regraded",
        Ok(ChangeName::Uphold) => "upheld",
        Ok(ChangeName::Dismiss) => "dismissed",
        Ok(ChangeName::Defer) => "deferred",
        Err(_) => change,
    }
}

/// What is printed of a write: what the server answered, and beside it the ids of the argument.
#[derive(Serialize)]
pub struct Stored<'a> {
    #[serde(flatten)]
    answer: Value,
    debate_id: Uuid,
    argument_id: Uuid,
    client_request_id: &'a str,
}

impl<'a> Stored<'a> {
    pub fn new(answer: Value, argument: &Argument, client_request_id: &'a str) -> Self {
        Self { answer, debate_id: argument.debate_id, argument_id: argument.id, client_request_id }
    }
}

/// What is shown of an argument that was stored.
#[derive(Deserialize)]
struct Shown {
    argument: Argument,
    action: String,
    next_argument_id_to_wait: Uuid,
}

/// What the author does not know yet: the content is its own, and the message tells the changes of issues.
fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let Shown { argument, action, next_argument_id_to_wait } = Shown::deserialize(data)?;
    if let Some(chosen) = &argument.chosen {
        md.chosen_option(chosen);
    }
    // The next command then waits for what comes after this argument.
    let is_in_next = waits(&action) && next_argument_id_to_wait == argument.id;
    if is_in_next && argument.options.is_empty() {
        return Ok(());
    }
    if !is_in_next {
        md.item(&format!("id: `{}`", argument.id));
    }
    md.options(&argument, None);
    Ok(())
}

/// What is shown of what a ruling would lead to.
#[derive(Deserialize)]
struct Preview {
    argument: PrintedArgument,
    changed_issues: Vec<Issue>,
    turns: Vec<types::Turn>,
    issue_counts: Option<IssueCounts>,
}

fn render_preview(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let Preview { argument, changed_issues, turns, issue_counts } = Preview::deserialize(data)?;
    md.heading(1, "What would follow");
    // The id of what is not stored, and issues that stay as they are, say nothing to a person.
    let is_short = md.is_for_a_person();
    md.argument(is_short.then_some(argument.argument.id), &argument, &[]);
    let is_changed =
        |issue: &Issue| !is_short || argument.argument.issue_changes.iter().any(|change| change.issue == issue.id);
    let (changed, others): (Vec<_>, Vec<_>) = changed_issues.into_iter().partition(is_changed);
    if !changed.is_empty() {
        md.heading(2, "Issues that it changes");
        md.issues(&changed);
    }
    if !others.is_empty() {
        let ids: Vec<String> = others.into_iter().map(|issue| issue.id).collect();
        md.sentence(&format!("No longer referred, and otherwise as before: {}", ids.join(", ")));
    }
    md.heading(2, "Then");
    turns.iter().for_each(|turn| md.item(&format!("{}: **{}**", turn.role, turn.action)));
    if let Some(counts) = issue_counts {
        md.item(&unsettled(&counts));
    }
    Ok(())
}

/// Says in commands what to do about `SEAT_TAKEN`; another failure stays as it is.
pub fn explain_taken_seat(failure: Failure, debate: Uuid, role: impl Display) -> Failure {
    if !failure.is(ErrorCode::SeatTaken) {
        return failure;
    }
    let suggestion = format!(
        "Somebody writes as the {role} already, as another user, on another machine or in another container, and the key is \
         there in ~/.aweave/seats. Check {} and the debate id. If the key is lost, the arbitrator can free the seat with \
         aw debate free-seat --debate-id {debate} --role {role}; ask your user",
        reader::option("--role")
    );
    failure.with_suggestion(suggestion).with_next(next_command::context(debate, None))
}

/// Warns of versions that do not exist, and of those that the opponent cannot have agreed to.
pub fn warn_of_citations(unknown: &[CitedVersion], unseen: &[CitedVersion]) {
    if !unknown.is_empty() {
        warning::add(format!(
            "what the argument cites does not exist: {}; cite versions as {} prints them",
            cited(unknown),
            reader::command("docs submit")
        ));
    }
    if !unseen.is_empty() {
        warning::add(format!(
            "no argument up to the opponent's newest CLAIM cites {}, so the opponent cannot have agreed to it",
            cited(unseen)
        ));
    }
}

/// Warns of what the option that a RULING chose decides and the RULING does not carry.
async fn warn_of_left_changes(client: &Client, ruling: &Argument) {
    let Some(chosen) = &ruling.chosen else { return };
    let (before, after) = (Some(chosen.seq + 1), Some(chosen.seq.saturating_sub(1)));
    let appeal = client.api.debate_get_context(&ruling.debate_id, after, before, None, None, None);
    // Without an answer nothing can be said; the ruling is stored all the same.
    let Ok(context) = client.send_once::<DebateContext>(appeal).await else { return };
    let options = context.parsed.arguments.iter().find(|argument| argument.seq == chosen.seq).map(|one| &one.options);
    let decided = options.and_then(|options| options.get(usize::try_from(chosen.number).ok()?));
    let left = decided.into_iter().flat_map(|option| &option.issue_changes).filter(|decided| {
        let is_carried = |made: &&IssueChange| {
            (&made.change, &made.issue, &made.severity) == (&decided.change, &decided.issue, &decided.severity)
        };
        !ruling.issue_changes.iter().any(|made| is_carried(&made))
    });
    let left: Vec<String> = left.map(|change| format!("{} {}", change.change, change.issue)).collect();
    if !left.is_empty() {
        warning::add(format!(
            "the ruling has changes of its own and leaves what the option that it chose decides: {}",
            left.join(", ")
        ));
    }
}

fn cited(versions: &[CitedVersion]) -> String {
    let citations = versions.iter().map(|cited| docs::citation(cited.document_id, cited.version));
    citations.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_a_kind_stand_together() {
        let stored = |given: &[(&str, &str)]| {
            let stored = given.iter().map(|(change, issue)| json!({"change": change, "issue": issue}));
            changes(&stored.map(|change| serde_json::from_value(change).unwrap()).collect::<Vec<_>>())
        };
        assert_eq!(stored(&[]), None);
        let all = [("raise", "I4"), ("resolve", "I1"), ("raise", "I5"), ("withdraw", "I2"), ("later", "I3")];
        assert_eq!(stored(&all).unwrap(), "raised I4, I5; resolved I1; withdrawn I2; later I3");
    }
}
