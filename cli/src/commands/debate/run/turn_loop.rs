//! Who is asked next: the first pass, the turns, the final reading.

use futures_util::future::join_all;
use serde_json::json;

use super::{
    CITATION_BYTES, Runner,
    answer::Answer,
    arbitrator::{self, Arbitrator, Ruler},
    ask_program::{Answered, Attempt, Judged, NoAnswer},
    debate_snapshot::{DebateSnapshot, known},
    notes::{self, LateIssues},
    part::Part,
    prepare::Players,
    program::Program,
    run_file::{Pending, Review},
    submit_answer::Sent,
    turn_prompt::{Later, PlanInFolder},
};
use crate::{
    client::types::{Argument, ArgumentType, ChangeName, Move, Plan, Role, StateName},
    commands::debate::next_command,
    output::{Code, ExitStatus, Failure},
};

/// A refusal is for the program whose answer it is.
impl From<Sent> for Judged<()> {
    fn from(sent: Sent) -> Self {
        match sent {
            Sent::Taken => Self::Taken(()),
            Sent::Refused(refused) => Self::OfNoUse(in_words(&refused)),
        }
    }
}

fn in_words(refused: &Failure) -> String {
    format!("{}: {}", refused.code, refused.message)
}

/// A role that has nothing to do in this state. Whoever waited as the others would be taken for a program that does not think.
pub fn not_to_act(state: StateName) -> Role {
    match state {
        StateName::AwaitingProposer => Role::Opponent,
        StateName::AwaitingOpponent
        | StateName::AwaitingArbitrator
        | StateName::InterventionPending
        | StateName::Closed => Role::Proposer,
    }
}

impl Runner {
    /// Goes on until the debate is closed.
    pub async fn play(&self) -> Result<(), Failure> {
        loop {
            let pending = self.file.borrow().state.pending.clone();
            if let Some(pending) = pending {
                // What is refused is no answer: the role is asked again.
                if let Sent::Refused(refused) = self.send(&pending).await? {
                    self.progress.event(&format!("the answer that was kept is refused: {}", refused.message));
                }
                continue;
            }
            let Some(now) = self.snapshot().await? else {
                self.open().await?;
                continue;
            };
            self.refuse_foreign(&now)?;
            self.tell(&now);
            let state = now.state()?;
            self.waits_as.set(not_to_act(state));
            match state {
                StateName::Closed => return Ok(()),
                StateName::AwaitingProposer => self.turn(&now, Role::Proposer).await?,
                StateName::AwaitingOpponent => {
                    self.first_pass(&now).await?;
                    self.final_reading(&now).await?;
                    self.turn(&now, Role::Opponent).await?;
                }
                StateName::AwaitingArbitrator | StateName::InterventionPending => {
                    match arbitrator::who_rules(&self.players.arbitrator, &now)? {
                        Ruler::Agreed => {
                            let answer = arbitrator::agreed(&now);
                            self.send_own(Pending::new(Role::Arbitrator, Some(&now), answer, None)).await?;
                        }
                        Ruler::Agent => self.turn(&now, Role::Arbitrator).await?,
                        Ruler::Person => self.ask_person(&now).await?,
                    }
                }
            }
            self.progress.idle();
        }
    }

    /// An argument of a side that the run plays and that it did not send ends it.
    fn refuse_foreign(&self, now: &DebateSnapshot) -> Result<(), Failure> {
        let file = self.file.borrow();
        let arbitrator = Role::Arbitrator.to_string();
        let mut of_sides = now.arguments().filter(|argument| argument.role != arbitrator);
        let foreign = of_sides.find(|argument| !file.state.known.contains(&argument.id));
        let Some(Argument { seq, role, agents, .. }) = foreign else { return Ok(()) };
        let next = next_command::of_debate("debate run", self.debate_id).flag("take-over");
        Err(Failure::not_allowed(format!("somebody else wrote argument {seq} as the {role}"))
            .with_data(json!({"seq": seq, "role": role, "agents": agents}))
            .with_suggestion(
                "Only one may play a side: let the other one go on, or take over from there with --take-over",
            )
            .with_next(next))
    }

    /// Opens the debate with the task and the plan, which the proposer writes where none is given.
    async fn open(&self) -> Result<(), Failure> {
        if self.plan.is_some() {
            let title = || self.options.title.as_deref().unwrap_or_default();
            let content = if self.task_is_long() { title() } else { self.options.task() };
            let motion = Answer { content: content.to_owned(), ..Answer::default() };
            let opened = self.keep_then_send(Pending::new(Role::Proposer, None, motion, self.plan.clone())).await;
            return match opened {
                Ok(Sent::Taken) => Ok(()),
                Ok(Sent::Refused(refused)) => Err(self.leave_nothing(refused).await),
                // Whether it is stored is not known where the server failed.
                Err(failure) if failure.exit_status() == ExitStatus::Server => Err(failure),
                Err(failure) => Err(self.leave_nothing(failure).await),
            };
        }
        let program = &self.players.proposer;
        self.progress.thinking(&format!("{} writes the plan", program.name()));
        let take = async |(mut answer, plan): Answered| {
            if plan.as_deref().unwrap_or_default().trim().is_empty() {
                return Ok(Judged::OfNoUse("plan.md is empty: the plan belongs there".to_owned()));
            }
            self.bound_lists(&mut answer, Role::Proposer);
            Ok(self.keep_then_send(Pending::new(Role::Proposer, None, answer, plan)).await?.into())
        };
        let attempt = Attempt::new(self, program, Part::Turn(Role::Proposer), 1, "").await?;
        Ok(attempt.ask(|| self.prompts().motion(), take).await?)
    }

    /// Removes what is kept of a debate that the server refused to open.
    async fn leave_nothing(&self, refused: Failure) -> Failure {
        self.delete_task_document().await;
        match self.file.borrow().remove() {
            Ok(()) => self.left_nothing.set(true),
            Err(failure) => self.progress.warning(failure.message),
        }
        refused
    }

    /// Tells what is left out of the lists of an answer.
    fn bound_lists(&self, answer: &mut Answer, role: Role) {
        notes::bound(answer).iter().for_each(|left_out| self.progress.event(&format!("{role}: {left_out}")));
    }

    /// The turn of a role.
    async fn turn(&self, now: &DebateSnapshot, role: Role) -> Result<(), Failure> {
        let told = now.turn(role).and_then(|turn| Some((turn, turn.moves.first()?)));
        let Some((told, Move { type_: first, .. })) = told else {
            let message = format!("the server tells no move for the {role} in {}", now.context.debate.state);
            return Err(Failure::new(Code::InternalError, message));
        };
        let first: ArgumentType = known("what fits first", first)?;
        if let Some(answer) = self.own_resolution(now, role) {
            self.progress.event("everything is settled: the proposer asks to finish");
            return self.send_own(Pending::new(role, Some(now), answer, None)).await;
        }
        let plan = self.plan_in_folder(now, role).await?;
        let (program, turn) = (self.program_of(role), now.of_role(role).count() as u64 + 1);
        let round = now.of_role(Role::Opponent).count() + 1;
        self.progress.thinking(&format!("round {round}: {} thinks as the {role}", program.name()));
        let take = async |(mut answer, written): Answered| {
            let kind = *answer.kind.get_or_insert(first);
            if !told.allowed.contains(&kind.to_string()) {
                let allowed = json!(told.allowed);
                return Ok(Judged::OfNoUse(format!("{kind} is no move of the {role} now; these are: {allowed}")));
            }
            self.bound_lists(&mut answer, role);
            if now.newest().options.is_empty() {
                // Nothing can be chosen, and the text says what is ruled.
                answer.chosen_option = None;
            }
            let blocks_only = role == Role::Opponent && self.prompts().raises_only_what_blocks(now);
            let late = if blocks_only { notes::take_late_issues(&mut answer) } else { LateIssues::default() };
            // A later version that the proposer left as it is becomes the plan, too. What is said to be fixed comes with the plan, also
            // where that is the same: the server tells it.
            let says_fixed =
                answer.issue_changes.iter().flatten().any(|change| change.change == ChangeName::Fix.to_string());
            let is_sent = |written: &String| {
                (plan.later.is_some() || says_fixed || *written != plan.text) && !written.trim().is_empty()
            };
            let changed = written.filter(|written| role == Role::Proposer && is_sent(written));
            if kind == ArgumentType::Resolution {
                let cited = if changed.is_some() { CITATION_BYTES } else { 0 };
                answer.content = self.with_notes(std::mem::take(&mut answer.content), role, &answer, cited);
            }
            let seen = changed.clone();
            let base = plan.version.filter(|_| changed.is_some());
            self.tell_late_issues(&late);
            let pending = Pending { base, late_issues: late.titles, ..Pending::new(role, Some(now), answer, changed) };
            let sent = self.keep_then_send(pending).await?;
            if matches!(sent, Sent::Taken) {
                self.file.borrow().write(&format!("seen/{role}.md"), seen.as_ref().unwrap_or(&plan.text).as_bytes())?;
            }
            Ok(sent.into())
        };
        let prompt = || self.prompts().turn(now, role, &told.moves, &plan);
        Ok(Attempt::new(self, program, Part::Turn(role), turn, &plan.text).await?.ask(prompt, take).await?)
    }

    /// The plan as a role gets it. The proposer gets the newest version of its document, whoever stored that.
    pub async fn plan_in_folder(&self, now: &DebateSnapshot, role: Role) -> Result<PlanInFolder, Failure> {
        let Some(&Plan { document_id, first_version, version, .. }) = now.plan() else {
            return Ok(PlanInFolder::default());
        };
        let mut plan = PlanInFolder::new(self.limits.within_time(self.version(document_id, Some(version))).await?.text);
        plan.version = Some(version);
        if first_version < version {
            let first = self.limits.within_time(self.version(document_id, Some(first_version))).await?;
            plan.first_bytes = Some(first.text.len());
        }
        if role == Role::Proposer {
            let newest = self.limits.within_time(self.version(document_id, None)).await?;
            if newest.version > version {
                plan.later = Some(Later { version: newest.version, after: version });
                plan.text = newest.text;
                plan.version = Some(newest.version);
            }
        }
        Ok(plan)
    }

    /// The RESOLUTION that the run sends in place of the proposer: everything is settled, and the opponent has just said so. In a
    /// quick run, and after the final reading, it need not have raised anything.
    pub fn own_resolution(&self, now: &DebateSnapshot, role: Role) -> Option<Answer> {
        let moves = &now.turn(role)?.moves;
        let resolution = ArgumentType::Resolution.to_string();
        let is_resolution = |one: &Move| one.type_ == resolution;
        // One that a ruling sent back would be the same again: the proposer has to do what the ruling says.
        let was_sent_back = now.newest_of(role).is_some_and(|newest| newest.type_ == resolution);
        if role != Role::Proposer || was_sent_back {
            return None;
        }
        let was_answered = now.newest().role == Role::Opponent.to_string();
        let was_read = self.options.quick || now.of_role(Role::Opponent).count() > 1;
        let nothing_raised = was_answered && was_read && now.unsettled().is_empty();
        let is_best = moves.first().is_some_and(is_resolution);
        let is_due = is_best || (nothing_raised && moves.iter().any(is_resolution));
        is_due.then(|| {
            let content = self.with_notes(settled(now), role, &Answer::default(), 0);
            Answer::new(ArgumentType::Resolution, content)
        })
    }

    /// The text of a RESOLUTION with the notes and decisions so far, and those of this answer, as far as an argument has room. `cited`
    /// is how many bytes the server adds.
    fn with_notes(&self, content: String, role: Role, answer: &Answer, cited: usize) -> String {
        let mut lists = self.file.borrow().state.notes.clone();
        lists.take(&role.to_string(), answer, &[]);
        let room = self.max_content_bytes.saturating_sub(content.len() + cited);
        let sections = lists.sections(&content, room);
        content + &sections
    }

    /// Tells which issues were taken for notes.
    fn tell_late_issues(&self, late: &LateIssues) {
        if !late.titles.is_empty() {
            let count = next_command::count(late.titles.len() as u64, "issue");
            self.progress.event(&format!("kept as notes, since nothing is blocked by them: {count} of the opponent"));
            late.titles.iter().for_each(|title| self.progress.event(&format!("  note: {title}")));
        }
        if late.left_out > 0 {
            self.progress.event(&format!("  left out, since they are too many: {} more", late.left_out));
        }
    }

    /// Keeps an answer of the run's own, and sends it.
    async fn send_own(&self, pending: Pending) -> Result<(), Failure> {
        match self.keep_then_send(pending).await? {
            Sent::Taken => Ok(()),
            Sent::Refused(refused) => {
                let problem = format!("the server refuses what the run sends: {}", in_words(&refused));
                Err(Failure::new(Code::InternalError, problem))
            }
        }
    }

    /// Whether the opponents that were named have still to review the plan.
    pub fn first_pass_is_due(&self, now: &DebateSnapshot) -> bool {
        let has_claimed = now.of_role(Role::Opponent).next().is_some();
        let opponents = &self.players.opponents;
        // Where others were named meanwhile they review it, too.
        let is_named = |name: &String| opponents.iter().any(|opponent| opponent.given() == name);
        let is_over = self.file.borrow().state.opponent.as_ref().is_some_and(is_named);
        opponents.len() > 1 && !is_over && !has_claimed
    }

    /// Before the opponent's first turn each opponent that was named reviews the plan, at once and alone.
    async fn first_pass(&self, now: &DebateSnapshot) -> Result<(), Failure> {
        let opponents = &self.players.opponents;
        if !self.first_pass_is_due(now) {
            return Ok(());
        }
        // Whoever failed before is tried again.
        self.update(|state| state.first_pass.retain(|review| review.findings.is_ok()))?;
        let plan = self.plan_text(now).await?;
        let names: Vec<_> = opponents.iter().map(Program::name).collect();
        self.progress.thinking(&format!("{} review the plan, each alone", names.join(", ")));
        let review = async |(index, opponent): (usize, &Program)| {
            let program = opponent.given().to_owned();
            let number = opponents[..index].iter().filter(|other| *other == opponent).count();
            let is_this = |review: &Review| review.program == program && review.number == number;
            if self.file.borrow().state.first_pass.iter().any(is_this) {
                return Ok(None);
            }
            let (findings, left_out) = match self.findings(opponent, Part::Review, 1, &plan).await {
                Ok(findings) => (Ok(findings), None),
                Err(none) => {
                    let left_out = none.left_out()?;
                    (Err(left_out.failure.message.clone()), Some(left_out))
                }
            };
            self.update(|state| state.first_pass.push(Review { program, number, findings }))?;
            Ok::<_, Failure>(left_out)
        };
        let reviewed = join_all(opponents.iter().enumerate().map(review)).await;
        let reviewed = reviewed.into_iter().collect::<Result<Vec<_>, _>>()?;
        for (opponent, left_out) in opponents.iter().zip(&reviewed) {
            if let Some(LeftOut { failure, .. }) = left_out {
                self.progress.event(&format!("{} is left out: {}", opponent.name(), failure.message));
            }
        }
        let first = opponents.iter().zip(&reviewed).find(|(_, left_out)| left_out.is_none());
        if let Some((first, _)) = first {
            return self.update(|state| state.opponent = Some(first.given().to_owned()));
        }
        let at_limit = reviewed.into_iter().flatten().find(|left_out| left_out.is_at_limit);
        let failed = || Failure::new(Code::AgentFailed, "every opponent failed in the first pass");
        Err(at_limit.map_or_else(failed, |left_out| left_out.failure))
    }

    /// Who has still to read the plan, if anybody: the last opponent named, before the opponent's second turn.
    pub fn reader_due(&self, now: &DebateSnapshot) -> Option<&Program> {
        let was_done = self.options.quick || self.file.borrow().state.reading.is_some();
        let is_due = now.of_role(Role::Opponent).count() == 1 && !was_done;
        self.players.opponents.last().filter(|_| is_due)
    }

    /// The final reading, by somebody who gets nothing of the debate.
    async fn final_reading(&self, now: &DebateSnapshot) -> Result<(), Failure> {
        let Some(program) = self.reader_due(now) else { return Ok(()) };
        let name = program.name();
        self.progress.thinking(&format!("{name} reads the whole plan afresh"));
        let reading = match self.findings(program, Part::Reading, 2, &self.plan_text(now).await?).await {
            Ok(findings) => Ok(findings),
            Err(none) => {
                let failed = none.left_out()?.failure.message;
                self.progress.warning(format!("the final reading of {name} is left out: {failed}"));
                Err(failed)
            }
        };
        self.update(|state| state.reading = Some(reading))
    }

    /// What a reviewer or a reader finds.
    async fn findings(&self, program: &Program, part: Part, turn: u64, plan: &str) -> Result<Answer, NoAnswer> {
        let take = async |answered: Answered| Ok(Judged::Taken(answered.0));
        let prompt = || self.prompts().brief(part == Part::Review);
        Attempt::new(self, program, part, turn, plan).await?.ask(prompt, take).await
    }

    pub fn program_of(&self, role: Role) -> &Program {
        let Players { proposer, opponents, arbitrator } = &self.players;
        match (role, arbitrator) {
            (Role::Opponent, _) => {
                let state = &self.file.borrow().state;
                // Where other opponents were named meanwhile it is the first of them.
                let named = |name: &String| opponents.iter().find(|opponent| opponent.given() == name);
                let going_on = state.opponent.as_ref().and_then(named);
                going_on.or(opponents.first()).unwrap_or(proposer)
            }
            (Role::Arbitrator, Arbitrator::Agent(program)) => program,
            (Role::Proposer | Role::Arbitrator, _) => proposer,
        }
    }
}

/// A reviewer or a reader that brought nothing.
struct LeftOut {
    failure: Failure,
    is_at_limit: bool,
}

impl NoAnswer {
    /// The run goes on without it, unless it ends.
    fn left_out(self) -> Result<LeftOut, Failure> {
        match self {
            Self::Failed(failure) => Ok(LeftOut { failure, is_at_limit: false }),
            Self::AtLimit(failure) => Ok(LeftOut { failure, is_at_limit: true }),
            Self::Ended(failure) => Err(failure),
        }
    }
}

/// The text of a RESOLUTION when all issues are settled.
fn settled(now: &DebateSnapshot) -> String {
    let ids: Vec<_> = now.issues.iter().map(|issue| issue.id.as_str()).collect();
    let plan = now.plan().map(|plan| format!("\n\nThe plan: doc_id={} v{}", plan.document_id, plan.version));
    let settled = if ids.is_empty() {
        "No issue was raised.".to_owned()
    } else {
        format!("All issues are settled: {}.", ids.join(", "))
    };
    settled + &plan.unwrap_or_default()
}
