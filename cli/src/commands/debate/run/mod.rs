//! `aw debate run`: starts agent programs turn by turn until the debate is closed.

mod answer;
mod arbitrator;
mod attempt;
mod limits;
mod order;
mod outcome;
pub mod program;
mod progress;
mod prompt;
mod run_file;
mod sending;
mod settings;
mod situation;
mod start;
mod work_folder;

use std::{
    cell::{Cell, RefCell},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::{sync::Notify, time::timeout};
use uuid::Uuid;

use self::{
    arbitrator::Arbitrator,
    limits::Limits,
    outcome::Outcome,
    program::Program,
    progress::Progress,
    run_file::{Pending, RunFile},
    settings::Kept,
    situation::{Situation, id_in},
    start::Group,
};
use super::{HELP_TEMPLATE, next_command};
use crate::{
    cancellation::{self, Cancelled},
    client::{
        Client, Response,
        retry::RetryLimit,
        types::{Agent, DebateType, Role},
    },
    output::{
        envelope::Output,
        failure::{Code, Failure},
    },
};

pub use settings::Run;

/// How long one request to wait for the end of the debate is held.
const HELD: u64 = 60;

/// How long after a failed request the server is asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// Why a run stops.
pub enum Stop {
    Failed(Failure),
    /// Somebody closed the debate
    Closed,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// A run: who takes part, and what is kept of it.
pub struct Runner {
    client: Client,
    debate_id: Uuid,
    title: String,
    proposer: Program,
    opponents: Vec<Program>,
    arbitrator: Arbitrator,
    /// The folder of the code
    folder: PathBuf,
    quick: bool,
    /// The text of PLAN
    given_plan: Option<String>,
    turn_time: Duration,
    /// How long after a failure a program is started once more
    retry_pause: Duration,
    limits: Limits,
    progress: Progress,
    file: RefCell<RunFile>,
    /// Whether a person is asked, so that the first Ctrl-C leaves the question to the web app
    is_asking: Cell<bool>,
    left_alone: Notify,
}

impl Runner {
    fn kept(&self) -> Kept {
        self.file.borrow().state.kept.clone()
    }

    fn debate_type(&self) -> DebateType {
        self.file.borrow().state.kept.debate_type.parse().unwrap_or(DebateType::CodingPlanDebate)
    }

    fn round(&self, now: &Situation) -> usize {
        now.of_role("opponent").count() + 1
    }

    /// Runs until the debate is closed, a limit is reached, or something fails.
    async fn run(&self) -> Result<(), Stop> {
        tokio::select! {
            biased;
            result = self.play() => result,
            () = self.closed() => Err(Stop::Closed),
        }
    }

    /// Completes when the debate is closed by somebody else.
    async fn closed(&self) {
        let mut seen = None;
        loop {
            // As the proposer, since whoever waits as the arbitrator is answered at once while a ruling is due.
            let asked = Instant::now();
            let answer = self.client.api.debate_wait(
                &self.debate_id,
                seen.as_ref(),
                Role::Proposer,
                Some(HELD),
                Some(seen.is_none()),
            );
            match self.client.send_once::<Value>(answer).await {
                Ok(Response { data, .. }) if data["action"] == "debate_closed" => return,
                Ok(Response { data, .. }) => seen = id_in(&data["next_argument_id_to_wait"]).or(seen),
                Err(_) => {}
            }
            tokio::time::sleep(PAUSE.saturating_sub(asked.elapsed())).await;
        }
    }

    /// The debate as it is now; none if it is not open yet.
    async fn situation(&self) -> Result<Option<Situation>, Stop> {
        let id = self.debate_id;
        let context = self.client.send::<IgnoredAny, _>(|| self.client.api.debate_get_context(&id, None, None, None));
        let context = match self.within_time(context).await {
            Ok(Response { data, .. }) => data,
            Err(Stop::Failed(failure)) if failure.code == "DEBATE_NOT_FOUND" => return Ok(None),
            Err(stop) => return Err(stop),
        };
        let issues = self.client.send::<IgnoredAny, _>(|| self.client.api.debate_issues(&id, Some(true), None));
        let issues = self.within_time(issues).await?.data["issues"].as_array().cloned().unwrap_or_default();
        Ok(Some(Situation { context, issues }))
    }

    /// Waits for the server until the minutes of the run end.
    async fn within_time<T>(&self, request: impl Future<Output = Result<T, Failure>>) -> Result<T, Stop> {
        match timeout(self.limits.left(), request).await {
            Ok(result) => result.map_err(Stop::from),
            Err(_) => Err(limits::limit_reached("the server was away until the run's minutes ended").into()),
        }
    }

    /// The text of a version of the plan.
    async fn plan_text(&self, document: Uuid, version: u64) -> Result<String, Stop> {
        let get = self.client.send::<IgnoredAny, _>(|| self.client.api.document_get(&document, Some(version)));
        Ok(self.within_time(get).await?.data["version"]["content"].as_str().unwrap_or_default().to_owned())
    }

    /// The plan, and what changed since this role saw it.
    async fn plan_and_diff(&self, now: &Situation, role: Role) -> Result<(String, String), Stop> {
        let Some(plan) = now.plan() else { return Ok(Default::default()) };
        let text = self.plan_text(plan.document, plan.version).await?;
        let seen = self.file.borrow().state.seen.get(&role.to_string()).copied().filter(|seen| *seen != plan.version);
        let diff = match seen {
            Some(seen) => {
                let before = self.plan_text(plan.document, seen).await?;
                let diff = similar::TextDiff::from_lines(&before, &text);
                let name = |version: u64| format!("plan.md v{version}");
                diff.unified_diff().header(&name(seen), &name(plan.version)).to_string()
            }
            None => String::new(),
        };
        let mut file = self.file.borrow_mut();
        file.state.seen.insert(role.to_string(), plan.version);
        if file.state.lines_before.is_none() {
            file.state.lines_before = Some(text.lines().count());
        }
        Ok((text, diff))
    }

    /// The number of the next start.
    fn next_start(&self) -> Result<u64, Failure> {
        let mut file = self.file.borrow_mut();
        file.state.starts += 1;
        file.save()?;
        Ok(file.state.starts)
    }

    fn starts_folder(&self) -> PathBuf {
        self.file.borrow().folder.join("starts")
    }

    /// Counts what a start used, and keeps it for the next argument of the role.
    fn count(&self, role: &str, agents: Vec<Agent>) -> Result<(), Failure> {
        self.progress.idle();
        agents.iter().for_each(|agent| self.limits.count(agent));
        if self.limits.max_cost.is_some() && agents.iter().any(|agent| agent.cost_microusd.is_none()) {
            self.progress.event("a start did not tell what it cost, so that --max-cost does not count it");
        }
        let mut file = self.file.borrow_mut();
        file.state.unnamed.entry(role.to_owned()).or_default().extend(agents);
        file.save()
    }

    fn keep_group(&self, group: &Group, work: &Path) -> Result<(), Failure> {
        let mut file = self.file.borrow_mut();
        file.state.running.push((group.clone(), work.to_owned()));
        file.save()
    }

    fn forget_group(&self, group: &Group) -> Result<(), Failure> {
        let mut file = self.file.borrow_mut();
        file.state.running.retain(|(running, _)| running != group);
        file.save()
    }

    /// Tells where the debate is.
    fn tell(&self, now: &Situation) {
        let counts = &now.context["debate"]["issue_counts"];
        let open = now.unsettled().len();
        self.progress.event(&format!(
            "argument {}, {}: {open} issues not settled, {} block; {}",
            now.newest_seq(),
            now.state(),
            counts["blocking"],
            self.limits.used()
        ));
    }

    /// Asks the person at the terminal for a ruling, until that or somebody else's comes.
    async fn ask_person(&self, now: &Situation) -> Result<(), Stop> {
        if !arbitrator::has_terminal() {
            let message =
                format!("a ruling is due on argument {}, and there is no terminal to ask at", now.newest_seq());
            return Err(Failure::new(Code::RulingDue, message)
                .with_suggestion("Rule in the web app, or with `aw debate ruling`, and go on")
                .into());
        }
        let began = Instant::now();
        self.progress.event(&arbitrator::question(now));
        let mut answers = arbitrator::answers();
        let mut is_asked = true;
        self.is_asking.set(true);
        let result = loop {
            tokio::select! {
                answer = answers.recv(), if is_asked => match answer.flatten().map(|answer| arbitrator::ruling(now, &answer)) {
                    Some(Ok(answer)) => {
                        let pending = Pending::new(Role::Arbitrator, now.newest_seq(), None, answer, None);
                        self.is_asking.set(false);
                        self.limits.waited_since(began);
                        return match self.keep_then(pending).await? {
                            sending::Sent::Refused(refused) => {
                                self.progress.event(&format!("the server refuses it: {refused}"));
                                Ok(())
                            }
                            sending::Sent::Stored | sending::Sent::WentOn => Ok(()),
                        };
                    }
                    Some(Err(problem)) => self.progress.event(&problem),
                    None => is_asked = false,
                },
                () = self.left_alone.notified(), if is_asked => {
                    self.progress.event("the question is left to the web app; the next Ctrl-C ends the run");
                    is_asked = false;
                }
                () = self.changed_since(now) => break Ok(()),
            }
        };
        self.is_asking.set(false);
        self.limits.waited_since(began);
        result
    }

    /// Completes when there is a newer argument.
    async fn changed_since(&self, now: &Situation) {
        let seen = id_in(&now.newest()["id"]);
        loop {
            let asked = Instant::now();
            let answer = self.client.api.debate_wait(&self.debate_id, seen.as_ref(), Role::Proposer, Some(HELD), None);
            if let Ok(Response { data, .. }) = self.client.send_once::<Value>(answer).await
                && data["has_new_argument"] == true
            {
                return;
            }
            tokio::time::sleep(PAUSE.saturating_sub(asked.elapsed())).await;
        }
    }

    /// What a dry run tells: who would be started, and what the first starts would be asked.
    fn dry_run(&self) -> Output {
        let work = Path::new("WORK_FOLDER");
        let schema = work.join(work_folder::SCHEMA);
        let place = program::Place { work, schema: &schema, budget: self.limits.dollars_left() };
        let agent = |role: &str, program: &Program| json!({"role": role, "command_line": program.command_line(&place)});
        let mut agents = vec![agent("proposer", &self.proposer)];
        agents.extend(self.opponents.iter().map(|opponent| agent("opponent", opponent)));
        if let Arbitrator::Agent(program) = &self.arbitrator {
            agents.push(agent("arbitrator", program));
        }
        let prompt = |role: &str, prompt: prompt::Prompt| json!({"role": role, "prompt": prompt.text});
        let mut prompts = Vec::new();
        if self.given_plan.is_none() {
            prompts.push(prompt("proposer", self.motion_prompt()));
        }
        let first = if self.opponents.len() > 1 { "reviewer" } else { "opponent" };
        prompts.push(prompt(first, self.review_prompt()));
        if !self.quick {
            prompts.push(prompt("reader", self.reading_prompt()));
        }
        Output::new(json!({"agents": agents, "prompts": prompts}), "Nothing was started")
            .with_markdown(outcome::render_dry_run)
    }
}

impl Run {
    pub async fn run(self) -> Result<Output, Failure> {
        let is_dry = self.dry_run;
        let prepared = settings::prepare(self).await?;
        let runner = prepared.runner;
        if is_dry {
            return Ok(runner.dry_run());
        }
        runner.progress.event(&format!("the debate is {}/d/{}", runner.client.base_url(), runner.debate_id));
        let end = tokio::select! {
            biased;
            signal = stopped(&runner) => Err(Stop::Failed(interrupted(signal))),
            end = runner.run() => end,
        };
        runner.progress.idle();
        let outcome = Outcome { runner: &runner, plan_before: prepared.plan_before.as_deref() };
        outcome.output(end, next_command::run(runner.debate_id)).await
    }
}

/// Completes at a signal. Nobody has to read the output before the end.
async fn stopped(runner: &Runner) -> &'static str {
    loop {
        match cancellation::cancelled().await {
            Cancelled::Signal("SIGINT") if runner.is_asking.replace(false) => runner.left_alone.notify_one(),
            Cancelled::Signal(signal) => return signal,
            Cancelled::StdoutClosed => tokio::time::sleep(PAUSE).await,
        }
    }
}

fn interrupted(signal: &str) -> Failure {
    Failure::new(Code::Interrupted, format!("the run was ended by {signal}; the debate stays open"))
        .with_data(json!({"signal": signal}))
}
