//! `aw debate run`: starts agent programs turn by turn until the debate is closed.

mod answer;
mod arbitrator;
mod ask_program;
mod child_process;
mod code_folder;
mod debate_snapshot;
mod limits;
mod options;
mod outcome;
mod prepare;
mod processes;
pub mod program;
mod progress;
mod run_file;
mod submit_answer;
pub mod supervise;
mod turn_loop;
mod turn_prompt;
mod work_folder;

use std::{
    cell::RefCell,
    path::Path,
    time::{Duration, Instant},
};

use progenitor_client::ClientInfo;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use uuid::Uuid;

use self::{
    arbitrator::Person,
    code_folder::CodeFolder,
    debate_snapshot::{DebateSnapshot, id_in},
    limits::Limits,
    options::Options,
    prepare::Players,
    progress::Progress,
    run_file::{RunFile, State},
};
use super::{HELP_TEMPLATE, next_command};
use crate::{
    cancellation::{self, Cancelled},
    client::{
        Client, refuse_in_a_run,
        retry::RetryLimit,
        types::{Agent, Role},
    },
    output::{Code, Failure, Output},
};

pub use prepare::Run;

/// How long one request to wait for the end of the debate is held.
const HELD: u64 = 60;

/// How long after a failed request the server is asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// A run: who takes part, and what is kept of it.
pub struct Runner {
    client: Client,
    debate_id: Uuid,
    options: Options,
    players: Players,
    /// The text of PLAN, for a debate that is not open yet
    plan: Option<String>,
    turn_time: Duration,
    /// How long after a failure a program is started once more
    retry_pause: Duration,
    limits: Limits,
    progress: Progress,
    file: RefCell<RunFile>,
    code: CodeFolder,
    person: Person,
}

/// Where what every start was asked and said is kept, in the folder of the run.
const STARTS: &str = "starts";

impl Runner {
    /// The folder of the code.
    fn folder(&self) -> &Path {
        self.options.folder.as_deref().unwrap_or(Path::new("."))
    }

    /// Completes when the debate is closed by somebody else.
    async fn closed(&self) {
        let mut seen = None;
        loop {
            let news = self.wait(seen).await;
            if news["action"] == "debate_closed" {
                return;
            }
            seen = id_in(&news["next_argument_id_to_wait"]).or(seen);
        }
    }

    /// Completes when there is a newer argument.
    async fn changed_since(&self, now: &DebateSnapshot) {
        while self.wait(id_in(&now.newest()["id"])).await["has_new_argument"] != true {}
    }

    /// Waits for what comes after an argument, not for long; null where nothing is known. Whoever waits as the arbitrator would
    /// be answered at once while a ruling is due.
    async fn wait(&self, seen: Option<Uuid>) -> Value {
        let asked = Instant::now();
        let api = &self.client.api;
        let wait = api.debate_wait(&self.debate_id, seen.as_ref(), Role::Proposer, Some(HELD), Some(seen.is_none()));
        let answer = self.client.send_once::<IgnoredAny>(wait).await;
        tokio::time::sleep(PAUSE.saturating_sub(asked.elapsed())).await;
        answer.map(|answer| answer.data).unwrap_or_default()
    }

    /// The debate as it is now; none if it is not open yet.
    async fn snapshot(&self) -> Result<Option<DebateSnapshot>, Failure> {
        self.limits.within_time(DebateSnapshot::read(&self.client, self.debate_id)).await
    }

    /// The text of the plan, empty where there is none yet.
    async fn plan_text(&self, now: &DebateSnapshot) -> Result<String, Failure> {
        match now.plan() {
            Some(plan) => self.limits.within_time(self.version(plan.document_id, plan.version)).await,
            None => Ok(String::new()),
        }
    }

    /// The text of a version of a document.
    async fn version(&self, document: Uuid, version: u64) -> Result<String, Failure> {
        let get = self.client.send::<IgnoredAny, _>(|| self.client.api.document_get(&document, Some(version))).await?;
        Ok(get.data["version"]["content"].as_str().unwrap_or_default().to_owned())
    }

    /// What changed in the plan since a role saw it.
    fn diff(&self, role: &str, plan: &str) -> String {
        let seen = self.file.borrow().read(&format!("seen/{role}.md"));
        let changed = seen.filter(|seen| seen != plan).map(|seen| {
            let diff = similar::TextDiff::from_lines(seen.as_str(), plan);
            diff.unified_diff().header("plan.md as you saw it", "plan.md").to_string()
        });
        changed.unwrap_or_default()
    }

    /// Changes what is kept of the run, and keeps it.
    fn update(&self, change: impl FnOnce(&mut State)) -> Result<(), Failure> {
        let mut file = self.file.borrow_mut();
        change(&mut file.state);
        file.state.seconds = self.limits.total().as_secs();
        file.save()
    }

    /// Counts what a start used, and keeps it for the next argument of the role.
    fn count(&self, role: &str, agents: Vec<Agent>) -> Result<(), Failure> {
        agents.iter().for_each(|agent| self.limits.count(agent));
        if self.limits.max_cost.is_some() && agents.iter().any(|agent| agent.cost_microusd.is_none()) {
            self.progress.event("a start did not tell what it cost, so that --max-cost does not count it");
        }
        self.update(|state| state.unnamed.entry(role.to_owned()).or_default().extend(agents))
    }

    /// Tells where the debate is.
    fn tell(&self, now: &DebateSnapshot) {
        let (seq, state, open, used) = (now.newest_seq(), now.state(), now.unsettled().len(), self.limits.used());
        let blocking = &now.context["debate"]["issue_counts"]["blocking"];
        self.progress.event(&format!("argument {seq}, {state}: {open} issues not settled, {blocking} block; {used}"));
    }
}

impl Run {
    pub async fn run(self) -> Result<Output, Failure> {
        refuse_in_a_run().map_err(Failure::not_allowed)?;
        let is_dry = self.dry_run;
        let runner = prepare::prepare(self).await?;
        if is_dry {
            return Ok(runner.dry_run());
        }
        runner.progress.event(&format!("the debate is {}/d/{}", runner.client.api.baseurl(), runner.debate_id));
        let end = tokio::select! {
            biased;
            failure = interrupted(&runner) => Err(failure),
            end = runner.play() => end,
            () = runner.closed() => Ok(()),
        };
        runner.progress.idle();
        child_process::all_ended().await;
        tokio::select! {
            biased;
            outcome = runner.outcome(end) => outcome,
            failure = interrupted(&runner) => Err(failure.with_next(next_command::of_debate("debate run", runner.debate_id))),
        }
    }
}

/// Completes at a signal. Nobody has to read the output before the end.
async fn interrupted(runner: &Runner) -> Failure {
    loop {
        match cancellation::cancelled_or_hung_up().await {
            Cancelled::Signal("SIGINT") if runner.person.is_asked.replace(false) => {
                runner.person.left_alone.notify_one()
            }
            Cancelled::Signal(signal) => {
                let message = format!("the run was ended by {signal}; the debate stays open");
                return Failure::new(Code::Interrupted, message).with_data(json!({"signal": signal}));
            }
            Cancelled::StdoutClosed => tokio::time::sleep(PAUSE).await,
        }
    }
}
