//! Who is asked next: the first pass, the turns, the final reading.

use std::cell::Cell;

use futures_util::future::join_all;
use serde_json::json;

use super::{
    CITATION_BYTES, Runner,
    answer::Answer,
    arbitrator::{self, Question, Ruler},
    ask_program::{Answered, Attempt, Judged, NoAnswer},
    clean_text::is_blank,
    debate_snapshot::{DebateSnapshot, known},
    notes::{self, LateIssues},
    part::Part,
    person::Person,
    program::Program,
    run_file::{Pending, Review},
    submit_answer::{Sent, is_refusal},
    turn_prompt::{Later, PlanInFolder},
};
use crate::{
    client::types::{Argument, ArgumentType, ChangeName, Move, Plan, Role, StateName},
    commands::{
        debate::{add_argument::is_about_plan_base, next_command},
        docs,
    },
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

/// What comes next in a debate that is there.
pub enum Due<'r> {
    /// It is closed
    Nothing,
    FirstPass,
    /// The final reading, by this program
    Reading(&'r Program),
    Turn(Role),
    /// The run sends this itself
    Own(Role, Answer),
    /// A person is asked for a ruling
    Question,
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
            self.waits_as.set(not_to_act(now.state()?));
            match self.due(&now)? {
                Due::Nothing => return Ok(()),
                Due::FirstPass => self.first_pass(&now).await?,
                Due::Reading(program) => self.final_reading(&now, program).await?,
                Due::Turn(role) => self.turn(&now, role).await?,
                Due::Own(role, answer) => self.send_own(Pending::new(role, Some(&now), answer, None)).await?,
                Due::Question => self.ask_person(&now).await?,
            }
            self.progress.idle();
        }
    }

    /// What comes next.
    pub fn due(&self, now: &DebateSnapshot) -> Result<Due<'_>, Failure> {
        let state = &self.file.borrow().state;
        Ok(match now.state()? {
            StateName::Closed => Due::Nothing,
            StateName::AwaitingProposer => match self.own_resolution(now) {
                Some(resolution) => Due::Own(Role::Proposer, resolution),
                None => Due::Turn(Role::Proposer),
            },
            StateName::AwaitingOpponent if self.players.first_pass_is_due(now, state) => Due::FirstPass,
            StateName::AwaitingOpponent => {
                // The opponent of a quick run does the final reading itself.
                let reader = self.players.reader_due(now, state).filter(|_| !self.options.quick);
                reader.map_or(Due::Turn(Role::Opponent), Due::Reading)
            }
            StateName::AwaitingArbitrator | StateName::InterventionPending => {
                match arbitrator::who_rules(&self.players.arbitrator, now)? {
                    Ruler::Agreed => Due::Own(Role::Arbitrator, arbitrator::agreed(now)),
                    Ruler::Agent => Due::Turn(Role::Arbitrator),
                    Ruler::Person => Due::Question,
                }
            }
        })
    }

    /// Asks the person at the terminal for a ruling, until that or somebody else's comes.
    async fn ask_person(&self, now: &DebateSnapshot) -> Result<(), Failure> {
        if !Person::has_terminal() {
            let message =
                format!("a ruling is due on argument {}, and there is no terminal to ask at", now.newest_seq());
            return Err(Failure::new(Code::RulingDue, message)
                .with_suggestion("Rule in the web app, or with `aw debate ruling`, and go on"));
        }
        let waiting = self.limits.wait();
        let question = Question {
            person: &self.person,
            progress: &self.progress,
            file: &self.file,
            now,
            debate_id: self.debate_id,
            url: self.url(),
            max_content_bytes: self.max_content_bytes,
            has_typed: Cell::default(),
        };
        let answer = question.answer(self.changed_since(now)).await;
        drop(waiting);
        let Some(answer) = answer else { return Ok(()) };
        let pending = Pending::new(Role::Arbitrator, Some(now), answer, None);
        if let Sent::Refused(refused) = self.keep_then_send(pending).await? {
            self.progress.event(&format!("the server refuses it: {refused}"));
        }
        Ok(())
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
                // Whether it is stored is not known where the server failed, or was away until the minutes ended.
                Err(failure) if [ExitStatus::Server, ExitStatus::Stopped].contains(&failure.exit_status()) => {
                    Err(failure)
                }
                Err(failure) => Err(self.leave_nothing(failure).await),
            };
        }
        let program = &self.players.proposer;
        self.progress.thinking(&format!("{} writes the plan", program.name()));
        let take = async |(mut answer, plan): Answered| {
            if is_blank(plan.as_deref().unwrap_or_default()) {
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
        self.sender().delete_task_document().await;
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
        let Some((told, &Move { type_: ref first, close: first_closes, .. })) = told else {
            let message = format!("the server tells no move for the {role} in {}", now.context.debate.state);
            return Err(Failure::new(Code::InternalError, message));
        };
        let first: ArgumentType = known("what fits first", first)?;
        let plan = self.plan_in_folder(now, role).await?;
        let program = self.players.of_role(role, &self.file.borrow().state);
        let turn = now.of_role(role).count() as u64 + 1;
        let round = now.of_role(Role::Opponent).count() + 1;
        self.progress.thinking(&format!("round {round}: {} thinks as the {role}", program.name()));
        let take = async |(mut answer, written): Answered| {
            let has_changes = answer.issue_changes.as_ref().is_some_and(|changes| !changes.is_empty());
            if answer.kind.is_none() && !has_changes {
                // Whoever names no move makes the first as it was told.
                answer.close = answer.close.or(first_closes);
            }
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
            let is_sent =
                |written: &String| (plan.later.is_some() || says_fixed || *written != plan.text) && !is_blank(written);
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
        let Some(told) = now.plan() else { return Ok(PlanInFolder::default()) };
        let &Plan { document_id, first_version, version, .. } = told;
        let mut plan =
            PlanInFolder::new(self.limits.within_time(self.version(document_id, Some(version))).await?.content);
        plan.version = Some(version);
        if !told.is_first_version() {
            let first = self.limits.within_time(self.version(document_id, Some(first_version))).await?;
            plan.first_bytes = Some(first.content.len());
        }
        if role == Role::Proposer {
            let newest = self.limits.within_time(self.version(document_id, None)).await?;
            if !told.is_version(newest.version) {
                plan.later = Some(Later { version: newest.version, after: version });
                plan.text = newest.content;
                plan.version = Some(newest.version);
            }
        }
        Ok(plan)
    }

    /// The RESOLUTION that the run sends in place of the proposer: everything is settled, and the opponent has just said so. In a
    /// quick run, and after the final reading, it need not have raised anything.
    fn own_resolution(&self, now: &DebateSnapshot) -> Option<Answer> {
        let role = Role::Proposer;
        let moves = &now.turn(role)?.moves;
        let resolution = ArgumentType::Resolution.to_string();
        let is_resolution = |one: &Move| one.type_ == resolution;
        // One that a ruling sent back would be the same again: the proposer has to do what the ruling says.
        let was_sent_back = now.newest_of(role).is_some_and(|newest| newest.type_ == resolution);
        if was_sent_back {
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

    /// Keeps an answer and sends it.
    async fn keep_then_send(&self, pending: Pending) -> Result<Sent, Failure> {
        self.update(|state| state.pending = Some(pending.clone()))?;
        self.send(&pending).await
    }

    /// Sends an answer, and forgets it unless the server cannot be reached.
    async fn send(&self, pending: &Pending) -> Result<Sent, Failure> {
        let agents = self.unnamed(&pending.role);
        match self.limits.within_time(self.sender().store(pending, &agents)).await {
            Ok(argument) => self.update(|state| {
                state.pending = None;
                state.known.push(argument);
                state.unnamed.remove(&pending.role);
                state.notes.take(&pending.role, &pending.answer, &pending.late_issues);
            })?,
            Err(failure) if is_refusal(&failure) => {
                // A version of the plan that somebody stored meanwhile is none that the answer knows.
                let went_on = is_about_plan_base(&failure)
                    || self.snapshot().await?.is_some_and(|now| now.newest_seq() != pending.seq);
                self.update(|state| state.pending = None)?;
                if !went_on {
                    return Ok(Sent::Refused(failure));
                }
            }
            Err(failure) => return Err(failure),
        }
        Ok(Sent::Taken)
    }

    /// Keeps an answer of the run's own, and sends it.
    async fn send_own(&self, pending: Pending) -> Result<(), Failure> {
        if pending.role == Role::Proposer.to_string() && !self.progress.is_for_a_person() {
            self.progress.event("everything is settled: the proposer asks to finish");
        }
        match self.keep_then_send(pending).await? {
            Sent::Taken => Ok(()),
            Sent::Refused(refused) => {
                let problem = format!("the server refuses what the run sends: {}", in_words(&refused));
                Err(Failure::new(Code::InternalError, problem))
            }
        }
    }

    /// Before the opponent's first turn each opponent that was named reviews the plan, at once and alone.
    async fn first_pass(&self, now: &DebateSnapshot) -> Result<(), Failure> {
        let opponents = &self.players.opponents;
        // Whoever failed before is tried again.
        self.update(|state| state.first_pass.retain(|review| review.findings.is_ok()))?;
        let plan = self.plan_in_folder(now, Role::Opponent).await?.text;
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
                    (Err(left_out.message.clone()), Some(left_out))
                }
            };
            self.update(|state| state.first_pass.push(Review { program, number, findings }))?;
            Ok::<_, Failure>(left_out)
        };
        let reviewed = join_all(opponents.iter().enumerate().map(review)).await;
        let reviewed = reviewed.into_iter().collect::<Result<Vec<_>, _>>()?;
        for (opponent, left_out) in opponents.iter().zip(&reviewed) {
            if let Some(failure) = left_out {
                self.progress.event(&format!("{} is left out: {}", opponent.name(), failure.message));
            }
        }
        let first = opponents.iter().zip(&reviewed).find(|(_, left_out)| left_out.is_none());
        if let Some((first, _)) = first {
            return self.update(|state| state.opponent = Some(first.given().to_owned()));
        }
        let at_limit = reviewed.into_iter().flatten().find(|failure| failure.is_own(Code::LimitReached));
        let failed = || Failure::new(Code::AgentFailed, "every opponent failed in the first pass");
        Err(at_limit.unwrap_or_else(failed))
    }

    /// The final reading, by somebody who gets nothing of the debate.
    async fn final_reading(&self, now: &DebateSnapshot, program: &Program) -> Result<(), Failure> {
        let name = program.name();
        self.progress.thinking(&format!("{name} reads the whole plan afresh"));
        let plan = self.plan_in_folder(now, Role::Opponent).await?.text;
        let reading = match self.findings(program, Part::Reading, 2, &plan).await {
            Ok(findings) => Ok(findings),
            Err(none) => {
                let failed = none.left_out()?.message;
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
}

impl NoAnswer {
    /// Why a reviewer or a reader brought nothing: the run goes on without it, unless it ends.
    fn left_out(self) -> Result<Failure, Failure> {
        match self {
            Self::Failed(failure) => Ok(failure),
            Self::Ended(failure) => Err(failure),
        }
    }
}

/// The text of a RESOLUTION when all issues are settled.
fn settled(now: &DebateSnapshot) -> String {
    let ids: Vec<_> = now.issues.iter().map(|issue| issue.id.as_str()).collect();
    let plan = now.plan().map(|plan| format!("\n\nThe plan: {}", docs::citation(plan.document_id, plan.version)));
    let settled = if ids.is_empty() {
        "No issue was raised.".to_owned()
    } else {
        format!("All issues are settled: {}.", ids.join(", "))
    };
    settled + &plan.unwrap_or_default()
}
