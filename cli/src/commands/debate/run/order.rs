//! Who is asked next: the first pass, the turns, the final reading.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{
    Runner, Stop,
    arbitrator::{self, Arbitrator},
    attempt::{Answered, Asked, Attempt},
    program::Program,
    prompt::Prompt,
    run_file::Pending,
    sending::Sent,
    situation::Situation,
};
use crate::{
    client::types::Role,
    guides,
    input::ids,
    output::failure::{Code, Failure},
};

/// What the opponent's second turn reads the plan by, and a reader or reviewer.
const WHERE_IT_IS: &str = "The plan is `plan.md` in your working folder, and the code is the folder `AW_FOLDER`.";

impl Runner {
    /// Goes on until the debate is closed.
    pub async fn play(&self) -> Result<(), Stop> {
        loop {
            let pending = self.file.borrow().state.pending.clone();
            if let Some(pending) = pending {
                self.send_or_ask_again(pending).await?;
                continue;
            }
            let Some(now) = self.situation().await? else {
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
                _ => match arbitrator::who_rules(&self.arbitrator, &now) {
                    arbitrator::Ruler::Agreed => self.keep_and_send(arbitrator::agreed(&now)).await?,
                    arbitrator::Ruler::Agent => self.turn(&now, Role::Arbitrator).await?,
                    arbitrator::Ruler::Person => self.ask_person(&now).await?,
                },
            }
        }
    }

    /// An argument of a side that the run plays and that it did not send ends it.
    fn refuse_foreign(&self, now: &Situation) -> Result<(), Stop> {
        let file = self.file.borrow();
        let is_known = |argument: &Value| {
            super::situation::id_in(&argument["id"]).is_some_and(|id| file.state.known.contains(&id))
        };
        let foreign = now.arguments().find(|argument| argument["role"] != "arbitrator" && !is_known(argument));
        let Some(argument) = foreign else { return Ok(()) };
        let message = format!(
            "somebody else wrote argument {} as the {}",
            argument["seq"],
            argument["role"].as_str().unwrap_or_default()
        );
        Err(Failure::not_allowed(message)
            .with_suggestion("Only one may play a side: let the other one go on, or start another debate")
            .into())
    }

    /// Opens the debate with the task and the plan, which the proposer writes where none is given.
    async fn open(&self) -> Result<(), Stop> {
        let task = self.kept().task;
        if let Some(plan) = self.given_plan.clone() {
            return self
                .keep_and_send(Pending::new(Role::Proposer, 0, None, json!({"content": task}), Some(plan)))
                .await;
        }
        let mut attempt = Attempt::new(self, self.asked(Role::Proposer, &self.proposer, 1, None, String::new()))?;
        let mut problem = None;
        loop {
            let answered = attempt.answer(|| self.motion_prompt(), problem.take()).await?;
            if answered.plan.as_deref().unwrap_or_default().trim().is_empty() {
                problem = Some("plan.md is empty: the plan belongs there".to_owned());
                continue;
            }
            let pending = Pending::new(Role::Proposer, 0, None, answered.found, answered.plan);
            match self.keep_then(pending).await? {
                Sent::Refused(refused) => problem = Some(refused),
                Sent::Stored | Sent::WentOn => return Ok(()),
            }
        }
    }

    /// The turn of a role.
    async fn turn(&self, now: &Situation, role: Role) -> Result<(), Stop> {
        let moves = now.moves(role);
        let Some(first) = moves.first() else {
            let message = format!("the server tells no move for the {role} in {}", now.state());
            return Err(Failure::new(Code::InternalError, message).into());
        };
        let target = first["target_id"].as_str().and_then(|id| id.parse().ok());
        if role == Role::Proposer && first["type"] == "RESOLUTION" && now.action(role) == "respond" {
            self.progress.event("everything is settled: the proposer asks to finish");
            let answer = json!({"move": "resolution", "content": settled(now)});
            return self.keep_and_send(Pending::new(role, now.newest_seq(), target, answer, None)).await;
        }
        let (plan, diff) = self.plan_and_diff(now, role).await?;
        let (program, turn) = (self.program_of(role), now.of_role(&role.to_string()).count() as u64 + 1);
        let asked = Asked { diff, ..self.asked(role, program, turn, None, plan.clone()) };
        self.progress.thinking(&format!("round {}: {program} thinks as the {role}", self.round(now)));
        let mut attempt = Attempt::new(self, asked)?;
        let mut problem = None;
        loop {
            let prompt = || self.turn_prompt(now, role, &moves);
            let Answered { mut found, answer, plan: written } = attempt.answer(prompt, problem.take()).await?;
            if answer.kind.is_none() {
                found["move"] = first["type"].clone();
            }
            let changed =
                written.filter(|written| role == Role::Proposer && *written != plan && !written.trim().is_empty());
            let pending = Pending::new(role, now.newest_seq(), target, found, changed);
            match self.keep_then(pending).await? {
                Sent::Refused(refused) => problem = Some(refused),
                Sent::Stored | Sent::WentOn => return Ok(()),
            }
        }
    }

    /// Sends an answer that an earlier run kept. What is refused is no answer: the role is asked again.
    async fn send_or_ask_again(&self, pending: Pending) -> Result<(), Stop> {
        if let Sent::Refused(refused) = self.send(&pending).await? {
            self.progress.event(&format!("the answer that was kept is refused: {refused}"));
        }
        Ok(())
    }

    /// Keeps an answer of ours and sends it.
    async fn keep_and_send(&self, pending: Pending) -> Result<(), Stop> {
        match self.keep_then(pending).await? {
            Sent::Refused(refused) => {
                Err(Failure::new(Code::InternalError, format!("the server refuses what the run sends: {refused}"))
                    .into())
            }
            Sent::Stored | Sent::WentOn => Ok(()),
        }
    }

    pub async fn keep_then(&self, pending: Pending) -> Result<Sent, Stop> {
        self.file.borrow_mut().state.pending = Some(pending.clone());
        self.file.borrow().save()?;
        self.send(&pending).await
    }

    /// Before the opponent's first turn each opponent that was named reviews the plan, at once and alone.
    async fn first_pass(&self, now: &Situation) -> Result<(), Stop> {
        if self.opponents.len() < 2 || self.file.borrow().state.opponent.is_some() {
            return Ok(());
        }
        let (plan, _) = self.plan_and_diff(now, Role::Opponent).await?;
        let names: Vec<_> = self.opponents.iter().map(ToString::to_string).collect();
        self.progress.thinking(&format!("{} review the plan, each alone", names.join(", ")));
        let review = async |index: usize| -> Result<(), Stop> {
            if self.file.borrow().state.reviews.contains_key(&index) {
                return Ok(());
            }
            let asked =
                self.asked(Role::Opponent, &self.opponents[index], 1, Some(("reviewer", "review")), plan.clone());
            let result = self.one_answer(asked, || self.review_prompt()).await?;
            self.file.borrow_mut().state.reviews.insert(index, result);
            Ok(self.file.borrow().save()?)
        };
        join_all((0..self.opponents.len()).map(review)).await.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut file = self.file.borrow_mut();
        for (index, failed) in file.state.reviews.iter().filter_map(|(index, one)| Some((index, one.as_ref().err()?))) {
            self.progress.event(&format!("{} is left out: {failed}", self.opponents[*index]));
        }
        let first = file.state.reviews.iter().find(|(_, review)| review.is_ok()).map(|(index, _)| *index);
        let none = || Failure::new(Code::AgentFailed, "every opponent failed in the first pass");
        file.state.opponent = Some(first.ok_or_else(none)?);
        Ok(file.save()?)
    }

    /// Before the opponent's second turn the last opponent named reads the plan, and nothing of the debate.
    async fn final_reading(&self, now: &Situation) -> Result<(), Stop> {
        let is_due = now.of_role("opponent").count() == 1 && !self.quick && self.file.borrow().state.reading.is_none();
        let Some(reader) = self.opponents.last().filter(|_| is_due) else { return Ok(()) };
        let (plan, _) = self.plan_and_diff(now, Role::Opponent).await?;
        self.progress.thinking(&format!("{reader} reads the whole plan afresh"));
        let asked = self.asked(Role::Opponent, reader, 2, Some(("reader", "reading")), plan);
        let result = self.one_answer(asked, || self.reading_prompt()).await?;
        if let Err(failed) = &result {
            self.progress.event(&format!("the final reading is left out: {failed}"));
        }
        self.file.borrow_mut().state.reading = Some(result);
        Ok(self.file.borrow().save()?)
    }

    /// One answer of a reviewer or a reader. The inner error says why it failed.
    async fn one_answer(&self, asked: Asked<'_>, prompt: impl Fn() -> Prompt) -> Result<Result<Value, String>, Stop> {
        match Attempt::new(self, asked)?.answer(prompt, None).await {
            Ok(answered) => Ok(Ok(answered.found)),
            Err(Stop::Failed(failure)) if failure.code == "AGENT_FAILED" => Ok(Err(failure.message)),
            Err(stop) => Err(stop),
        }
    }

    fn asked<'a>(
        &self,
        role: Role,
        program: &'a Program,
        turn: u64,
        instead: Option<(&'static str, &'static str)>,
        plan: String,
    ) -> Asked<'a> {
        let name = match role {
            Role::Proposer => "proposer",
            Role::Opponent => "opponent",
            Role::Arbitrator => "arbitrator",
        };
        let (role, purpose) = instead.unwrap_or((name, "turn"));
        Asked { program, role, counted_for: name, purpose, turn, plan, diff: String::new() }
    }

    fn program_of(&self, role: Role) -> &Program {
        match (role, &self.arbitrator) {
            (Role::Opponent, _) => &self.opponents[self.file.borrow().state.opponent.unwrap_or_default()],
            (Role::Arbitrator, Arbitrator::Agent(program)) => program,
            (Role::Proposer | Role::Arbitrator, _) => &self.proposer,
        }
    }

    /// The guide and the rules of a role, then the task.
    fn instructions(&self, role: Role) -> Prompt {
        let mut prompt = Prompt::new(&guides::for_turn(role, self.debate_type(), &self.folder));
        prompt.say("The code is the folder `AW_FOLDER`, to read and to run, never to change.");
        for name in ["AGENTS.md", "CLAUDE.md"].iter().filter(|name| self.folder.join(name).is_file()) {
            prompt.say(&format!("Its conventions are in {}.", self.folder.join(name).display()));
        }
        prompt.material("the task, as the user gave it", &self.kept().task);
        prompt
    }

    pub fn motion_prompt(&self) -> Prompt {
        let mut prompt = self.instructions(Role::Proposer);
        prompt.say(
            "You open the debate. Write the plan into `plan.md` in your working folder; your answer's `content` is the motion, \
             which says in a few lines what the plan does and why.",
        );
        prompt.form(&[]);
        prompt
    }

    pub fn review_prompt(&self) -> Prompt {
        let mut prompt = self.instructions(Role::Opponent);
        prompt.say(guides::final_reading(None).trim());
        prompt.say(WHERE_IT_IS);
        prompt.say("You review alone, before anybody answers. Put each finding into `issue_changes` as a `raise`, with what shows it in `note`, and what you checked into `content`.");
        prompt.form(&[]);
        prompt
    }

    pub fn reading_prompt(&self) -> Prompt {
        let mut prompt = Prompt::new(&guides::final_reading(None));
        prompt.say(WHERE_IT_IS);
        prompt.say("Put each finding into `issue_changes` as a `raise`, with what shows it in `note`.");
        prompt.form(&[]);
        prompt
    }

    fn turn_prompt(&self, now: &Situation, role: Role, moves: &[Value]) -> Prompt {
        let name = role.to_string();
        let mut prompt = self.instructions(role);
        prompt.say(match role {
            Role::Proposer => {
                "The plan is `plan.md` in your working folder: edit it there. `plan.diff` has what changed since you saw it. \
                 What you want to know in your next turn, write into `notes.md`."
            }
            Role::Opponent | Role::Arbitrator => {
                "The plan is `plan.md` in your working folder, and `plan.diff` has what changed since you saw it. What you want \
                 to know in your next turn, write into `notes.md`."
            }
        });
        for ruling in now.arguments().filter(|argument| argument["type"] == "RULING") {
            prompt.argument("a ruling, which binds both sides", ruling);
        }
        let newest_of = |own: bool| {
            now.arguments().rev().find(|argument| (argument["role"] == name) == own && argument["type"] != "RULING")
        };
        let others: Vec<_> = match role {
            Role::Arbitrator => {
                ["opponent", "proposer"].iter().filter_map(|side| now.of_role(side).next_back()).collect()
            }
            Role::Proposer | Role::Opponent => newest_of(false).into_iter().collect(),
        };
        for argument in others {
            prompt.argument(&format!("the newest of the {}", argument["role"].as_str().unwrap_or_default()), argument);
        }
        newest_of(true).into_iter().for_each(|own| prompt.argument("your own last", own));
        prompt.ledger(&now.issues, &now.unsettled());
        if role == Role::Opponent {
            self.findings(now, &mut prompt);
        }
        prompt.form(moves);
        prompt
    }

    /// What the opponent gets besides: the findings of the first pass, and those of the final reading.
    fn findings(&self, now: &Situation, prompt: &mut Prompt) {
        let file = self.file.borrow();
        let claims = now.of_role("opponent").count();
        let reviews: Vec<_> = file.state.reviews.values().filter_map(|review| review.as_ref().ok()).collect();
        if claims == 0 && !reviews.is_empty() {
            prompt.say("Reviewers read the plan, each alone. Check what they found, merge it, and raise what holds.");
            for (index, at) in shuffled(reviews.len()).into_iter().enumerate() {
                prompt.material(&format!("the findings of reviewer {}", index + 1), &reviews[at].to_string());
            }
        }
        if claims == 1 && self.quick {
            prompt.say("Besides, this is the final reading, which you do yourself now, of the whole plan:");
            prompt.say(guides::final_reading(None).trim());
        } else if claims == 1
            && let Some(Ok(reading)) = &file.state.reading
        {
            prompt.say("Somebody fresh did the final reading. Check what was found, and raise what holds.");
            prompt.material("the findings of the final reading", &reading.to_string());
        }
    }
}

/// The text of a RESOLUTION when all issues are settled.
fn settled(now: &Situation) -> String {
    let ids: Vec<_> = now.issues.iter().filter_map(|issue| issue["id"].as_str()).collect();
    let plan = now.plan().map(|plan| format!("\n\nThe plan: doc_id={} v{}", plan.document, plan.version));
    format!("All issues are settled: {}.{}", ids.join(", "), plan.unwrap_or_default())
}

/// The numbers below `count` in a random order.
fn shuffled(count: usize) -> Vec<usize> {
    let mut order: Vec<_> = (0..count).map(|index| (ids::new_id(), index)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, index)| index).collect()
}
