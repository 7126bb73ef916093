//! Who is asked next: the first pass, the turns, the final reading.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{
    Runner,
    answer::Answer,
    arbitrator::{self, Arbitrator, Ruler},
    ask_program::{Answered, Attempt},
    debate_snapshot::{DebateSnapshot, id_in},
    prepare::Players,
    program::Program,
    run_file::Pending,
};
use crate::{
    client::types::{Plan, Role},
    output::{Code, Failure},
};

impl Runner {
    /// Goes on until the debate is closed.
    pub async fn play(&self) -> Result<(), Failure> {
        loop {
            let pending = self.file.borrow().state.pending.clone();
            if let Some(pending) = pending {
                // What is refused is no answer: the role is asked again.
                if let Err(refused) = self.send(&pending).await? {
                    self.progress.event(&format!("the answer that was kept is refused: {refused}"));
                }
                continue;
            }
            let Some(now) = self.snapshot().await? else {
                self.open().await?;
                continue;
            };
            self.refuse_foreign(&now)?;
            self.tell(&now);
            match now.state() {
                "CLOSED" => return Ok(()),
                "AWAITING_PROPOSER" => self.turn(&now, Role::Proposer).await?,
                "AWAITING_OPPONENT" => {
                    self.first_pass(&now).await?;
                    self.final_reading(&now).await?;
                    self.turn(&now, Role::Opponent).await?;
                }
                _ => match arbitrator::who_rules(&self.players.arbitrator, &now) {
                    Ruler::Agreed => {
                        let answer = arbitrator::agreed(&now);
                        self.send_own(Pending::new(Role::Arbitrator, Some(&now), answer, None)).await?;
                    }
                    Ruler::Agent => self.turn(&now, Role::Arbitrator).await?,
                    Ruler::Person => self.ask_person(&now).await?,
                },
            }
            self.progress.idle();
        }
    }

    /// An argument of a side that the run plays and that it did not send ends it.
    fn refuse_foreign(&self, now: &DebateSnapshot) -> Result<(), Failure> {
        let file = self.file.borrow();
        let is_known = |argument: &Value| id_in(&argument["id"]).is_some_and(|id| file.state.known.contains(&id));
        let mut of_sides = now.arguments().filter(|argument| argument["role"] != "arbitrator");
        let Some(argument) = of_sides.find(|argument| !is_known(argument)) else { return Ok(()) };
        let (seq, role) = (&argument["seq"], argument["role"].as_str().unwrap_or_default());
        Err(Failure::not_allowed(format!("somebody else wrote argument {seq} as the {role}"))
            .with_suggestion("Only one may play a side: let the other one go on, or start another debate"))
    }

    /// Opens the debate with the task and the plan, which the proposer writes where none is given.
    async fn open(&self) -> Result<(), Failure> {
        if self.plan.is_some() {
            let motion = Answer { content: self.options.task().to_owned(), ..Answer::default() };
            return self.send_own(Pending::new(Role::Proposer, None, motion, self.plan.clone())).await;
        }
        let program = &self.players.proposer;
        self.progress.thinking(&format!("{program} writes the plan"));
        let take = async |(answer, plan): Answered| {
            if plan.as_deref().unwrap_or_default().trim().is_empty() {
                return Ok(Err("plan.md is empty: the plan belongs there".to_owned()));
            }
            self.keep_then_send(Pending::new(Role::Proposer, None, answer, plan)).await
        };
        Attempt::new(self, program, "proposer", 1, "")?.ask(|| self.motion_prompt(), take).await
    }

    /// The turn of a role.
    async fn turn(&self, now: &DebateSnapshot, role: Role) -> Result<(), Failure> {
        let told = now.turn(role);
        let Some(first) = told["moves"][0]["type"].as_str() else {
            let message = format!("the server tells no move for the {role} in {}", now.state());
            return Err(Failure::new(Code::InternalError, message));
        };
        let name = role.to_string();
        // One that a ruling sent back would be the same again: the proposer has to do what the ruling says.
        let was_sent_back = now.newest_of(&name).is_some_and(|own| own["type"] == "RESOLUTION");
        if role == Role::Proposer && first == "RESOLUTION" && !was_sent_back {
            self.progress.event("everything is settled: the proposer asks to finish");
            let answer = Answer::new("RESOLUTION", settled(now));
            return self.send_own(Pending::new(role, Some(now), answer, None)).await;
        }
        let plan = self.plan_text(now).await?;
        let (program, turn) = (self.program_of(role), now.of_role(&name).count() as u64 + 1);
        let round = now.of_role("opponent").count() + 1;
        self.progress.thinking(&format!("round {round}: {program} thinks as the {role}"));
        let first_plan = match now.plan() {
            Some(Plan { document_id, first_version, version, .. }) if first_version < version => {
                Some(self.version(document_id, first_version).await?)
            }
            _ => None,
        };
        let bytes = first_plan.map(|first| [first.len(), plan.len()]);
        let take = async |(mut answer, written): Answered| {
            let kind = answer.kind.get_or_insert_with(|| first.to_owned());
            if !told["allowed"].as_array().is_some_and(|allowed| allowed.contains(&json!(kind))) {
                return Ok(Err(format!("{kind} is no move of the {role} now; these are: {}", told["allowed"])));
            }
            let is_other = |written: &String| *written != plan && !written.trim().is_empty();
            let changed = written.filter(|written| role == Role::Proposer && is_other(written));
            let seen = changed.clone();
            let taken = self.keep_then_send(Pending::new(role, Some(now), answer, changed)).await?;
            if taken.is_ok() {
                self.file.borrow().write(&format!("seen/{role}.md"), seen.as_ref().unwrap_or(&plan).as_bytes())?;
            }
            Ok(taken)
        };
        Attempt::new(self, program, &name, turn, &plan)?
            .ask(|| self.turn_prompt(now, role, &told["moves"], bytes), take)
            .await
    }

    /// Keeps an answer of the run's own, and sends it.
    async fn send_own(&self, pending: Pending) -> Result<(), Failure> {
        self.keep_then_send(pending).await?.map_err(|refused| {
            Failure::new(Code::InternalError, format!("the server refuses what the run sends: {refused}"))
        })
    }

    /// Before the opponent's first turn each opponent that was named reviews the plan, at once and alone.
    async fn first_pass(&self, now: &DebateSnapshot) -> Result<(), Failure> {
        let opponents = &self.players.opponents;
        if opponents.len() < 2 || self.file.borrow().state.opponent.is_some() {
            return Ok(());
        }
        let plan = self.plan_text(now).await?;
        self.progress.thinking(&format!("{} review the plan, each alone", self.options.opponents.join(", ")));
        let review = async |(index, program)| {
            if self.file.borrow().state.reviews.contains_key(&index) {
                return Ok(());
            }
            let review = self.findings(program, "reviewer", 1, &plan).await?;
            self.update(|state| drop(state.reviews.insert(index, review)))
        };
        join_all(opponents.iter().enumerate().map(review)).await.into_iter().collect::<Result<Vec<_>, _>>()?;
        let reviews = self.file.borrow().state.reviews.clone();
        for (program, review) in reviews.iter().filter_map(|(index, review)| Some((opponents.get(*index)?, review))) {
            if let Err(failed) = review {
                self.progress.event(&format!("{program} is left out: {failed}"));
            }
        }
        let first = reviews.iter().find(|(_, review)| review.is_ok()).map(|(index, _)| *index);
        let Some(first) = first else {
            // So that whoever goes on has them tried again.
            self.update(|state| state.reviews.clear())?;
            return Err(Failure::new(Code::AgentFailed, "every opponent failed in the first pass"));
        };
        self.update(|state| state.opponent = Some(first))
    }

    /// Before the opponent's second turn the last opponent named reads the plan, and nothing of the debate.
    async fn final_reading(&self, now: &DebateSnapshot) -> Result<(), Failure> {
        let was_done = self.options.quick || self.file.borrow().state.reading.is_some();
        let is_due = now.of_role("opponent").count() == 1 && !was_done;
        let Some(program) = self.players.opponents.last().filter(|_| is_due) else { return Ok(()) };
        self.progress.thinking(&format!("{program} reads the whole plan afresh"));
        let reading = self.findings(program, "reader", 2, &self.plan_text(now).await?).await?;
        if let Err(failed) = &reading {
            self.progress.event(&format!("the final reading of {program} is left out: {failed}"));
        }
        self.update(|state| state.reading = Some(reading))
    }

    /// What a reviewer or a reader finds. The inner error says why it failed.
    async fn findings(
        &self,
        program: &Program,
        role: &str,
        turn: u64,
        plan: &str,
    ) -> Result<Result<Answer, String>, Failure> {
        let take = async |answered: Answered| Ok(Ok(answered.0));
        let prompt = || self.brief(role == "reviewer");
        match Attempt::new(self, program, role, turn, plan)?.ask(prompt, take).await {
            Ok(findings) => Ok(Ok(findings)),
            Err(failure) if failure.code == "AGENT_FAILED" => Ok(Err(failure.message)),
            Err(failure) => Err(failure),
        }
    }

    fn program_of(&self, role: Role) -> &Program {
        let Players { proposer, opponents, arbitrator } = &self.players;
        match (role, arbitrator) {
            (Role::Opponent, _) => {
                let going_on = self.file.borrow().state.opponent.and_then(|index| opponents.get(index));
                going_on.or(opponents.first()).unwrap_or(proposer)
            }
            (Role::Arbitrator, Arbitrator::Agent(program)) => program,
            (Role::Proposer | Role::Arbitrator, _) => proposer,
        }
    }
}

/// The text of a RESOLUTION when all issues are settled.
fn settled(now: &DebateSnapshot) -> String {
    let ids: Vec<_> = now.issues.iter().filter_map(|issue| issue["id"].as_str()).collect();
    let plan = now.plan().map(|plan| format!("\n\nThe plan: doc_id={} v{}", plan.document_id, plan.version));
    let settled = if ids.is_empty() {
        "No issue was raised.".to_owned()
    } else {
        format!("All issues are settled: {}.", ids.join(", "))
    };
    settled + &plan.unwrap_or_default()
}
