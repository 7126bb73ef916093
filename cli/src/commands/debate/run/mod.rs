//! `aw debate run`: starts agent programs turn by turn until the debate is closed.

mod answer;
mod arbitrator;
mod ask_program;
mod awake;
mod child_process;
mod clean_text;
mod code_folder;
mod debate_snapshot;
mod dry_run;
mod error_text;
mod existing_debate;
mod happened;
mod json_objects;
mod limits;
mod notes;
mod options;
mod outcome;
mod part;
mod person;
mod plan_diff;
mod players;
mod prepare;
mod processes;
pub mod program;
mod progress;
mod prompt;
mod question;
mod report;
pub(super) mod run_file;
mod server_contact;
mod starts;
mod submit_answer;
pub mod supervise;
mod tail;
mod title;
mod turn_loop;
mod turn_prompt;
mod work_folder;
mod written_files;

use std::{
    cell::{Cell, Ref, RefCell},
    collections::{BTreeMap, BTreeSet},
    time::{Duration, Instant},
};

use jiff::Zoned;
use progenitor_client::ClientInfo;
use serde_json::json;
use uuid::Uuid;

use self::{
    code_folder::CodeFolder,
    debate_snapshot::DebateSnapshot,
    limits::Limits,
    options::Options,
    part::Part,
    person::Person,
    players::Players,
    progress::Progress,
    run_file::{RunFile, State},
    server_contact::ServerContact,
    submit_answer::Sender,
    turn_prompt::Prompts,
};
use super::{HELP_TEMPLATE, next_command};
use crate::{
    cancellation::{self, Cancelled},
    client::{
        Client,
        compatibility::MAX_WAIT_SECONDS,
        refuse_in_a_run,
        retry::{RequestError, RetryLimit},
        types::{Action, Agent, DocumentVersion, DocumentWithVersion, IssueChangeRule, Role, WaitAnswer},
    },
    input::ids::{self, IdRef},
    output::{Code, ExitStatus, Failure, Next, Output},
};

pub use prepare::Run;

/// How long after a failed request the server is asked again.
const PAUSE: Duration = Duration::from_secs(1);

/// How many bytes the line takes that cites a plan, with the empty line after it.
const CITATION_BYTES: usize = 62;

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
    contact: ServerContact,
    file: RefCell<RunFile>,
    code: CodeFolder,
    person: Person,
    /// The most bytes that an argument has
    max_content_bytes: usize,
    /// What each change of issues needs
    change_rules: BTreeMap<String, IssueChangeRule>,
    /// A role that has nothing to do now, as which the run waits
    waits_as: Cell<Role>,
    /// The newest argument that was told; none before the first look at the debate
    told: Cell<Option<u64>>,
    /// Where the debate was when that was told last
    standing: RefCell<String>,
    /// Whether the run started a server
    has_started_server: bool,
    /// Whether the server refused to open the debate, so that nothing is left to go on with
    left_nothing: Cell<bool>,
}

/// What is told of a server that the run started.
const SERVER_STARTED: &str = "a server was started, which stays; `aw down` stops it";

/// Where what every start was asked and said is kept, in the folder of the run.
const STARTS: &str = "starts";

impl Runner {
    /// What programs are asked.
    fn prompts(&self) -> Prompts<'_> {
        Prompts {
            options: &self.options,
            plan: self.plan.as_deref(),
            task_is_long: self.task_is_long(),
            state: Ref::map(self.file.borrow(), |file| &file.state),
        }
    }

    /// What sends answers.
    fn sender(&self) -> Sender<'_> {
        Sender {
            client: &self.client,
            debate_id: self.debate_id,
            options: &self.options,
            change_rules: &self.change_rules,
            task_is_long: self.task_is_long(),
            has_plan: self.plan.is_some(),
        }
    }

    /// Where a person watches the debate.
    fn url(&self) -> String {
        format!("{}/d/{}", self.client.api.baseurl(), self.debate_id)
    }

    /// Completes when the debate is closed by somebody else. An answer that is on its way may be what closed it: whoever sends it
    /// learns that, too.
    async fn closed(&self) {
        let mut seen = None;
        loop {
            let news = self.wait(seen).await;
            let is_closed = news.as_ref().is_some_and(|news| news.action == Action::DebateClosed.to_string());
            if is_closed && self.file.borrow().state.pending.is_none() {
                return;
            }
            seen = news.and_then(|news| news.next_argument_id_to_wait).or(seen);
        }
    }

    /// Completes when there is a newer argument.
    async fn changed_since(&self, now: &DebateSnapshot) {
        while !self.wait(Some(now.newest().id)).await.is_some_and(|news| news.has_new_argument) {}
    }

    /// Waits for what comes after an argument, not for long; none where nothing is known. Whoever waits as the arbitrator would
    /// be answered at once while a ruling is due.
    async fn wait(&self, seen: Option<Uuid>) -> Option<WaitAnswer> {
        let asked = Instant::now();
        let (api, role) = (&self.client.api, self.waits_as.get());
        let wait = api.debate_wait(&self.debate_id, seen.as_ref(), role, Some(MAX_WAIT_SECONDS), Some(seen.is_none()));
        let answer = self.client.send_once::<WaitAnswer>(wait).await;
        self.tell_contact(answer.as_ref().err());
        let answer = answer.ok().map(|answer| answer.parsed);
        if let Some(state) = answer.as_ref().and_then(|answer| answer.debate_state.parse().ok()) {
            self.waits_as.set(turn_loop::not_to_act(state));
        }
        tokio::time::sleep(PAUSE.saturating_sub(asked.elapsed())).await;
        answer
    }

    /// Tells when the server is away, and when it answers again.
    fn tell_contact(&self, error: Option<&RequestError>) {
        let error = error.filter(|error| error.retry_after.is_some());
        let told = match error {
            Some(error) => self.contact.failed(&error.failure.message, &Zoned::now()),
            None => self.contact.answered(),
        };
        let Some(told) = told else { return };
        self.progress.event(&told);
        match error {
            _ if !self.file.borrow().state.running.is_empty() => {}
            Some(_) => self.progress.still("waiting for the server"),
            None => self.progress.idle(),
        }
    }

    /// The debate as it is now; none if it is not open yet.
    async fn snapshot(&self) -> Result<Option<DebateSnapshot>, Failure> {
        let snapshot = self.limits.within_time(DebateSnapshot::read(&self.client, self.debate_id)).await?;
        self.tell_contact(None);
        Ok(snapshot)
    }

    /// A version of a document, by default the newest.
    async fn version(&self, document: Uuid, version: Option<u64>) -> Result<DocumentVersion, Failure> {
        let get = || self.client.api.document_get(&document, version);
        Ok(self.client.send::<DocumentWithVersion, _>(get).await?.parsed.version)
    }

    /// What changed in the plan since a role saw it.
    async fn diff(&self, part: Part, plan: &str) -> String {
        let seen = self.file.borrow().read(&format!("seen/{part}.md"));
        match seen.filter(|seen| seen != plan) {
            Some(seen) => plan_diff::between(seen, plan.to_owned()).await,
            None => String::new(),
        }
    }

    /// Whether the task is longer than an argument may be. With a plan the argument has to cite that, too.
    fn task_is_long(&self) -> bool {
        let cited = if self.plan.is_some() { CITATION_BYTES } else { 0 };
        self.options.task().len() + cited > self.max_content_bytes
    }

    /// Changes what is kept of the run, and keeps it.
    fn update(&self, change: impl FnOnce(&mut State)) -> Result<(), Failure> {
        let mut file = self.file.borrow_mut();
        change(&mut file.state);
        file.state.seconds = self.limits.total().as_secs();
        file.save()
    }

    /// Removes the folders of starts that were given up, once nothing writes in them any more, and keeps how long the run took and
    /// that nothing of it is left running. Where that fails, what the run came to is told all the same.
    async fn keep_end(&self) {
        let folders = self.file.borrow().state.folders.clone();
        for folder in folders {
            work_folder::remove_beside(folder).await;
        }
        let kept = match self.left_nothing.get() {
            true => Ok(()),
            false => self.update(|state| {
                state.running.retain(|running| running.folder.exists());
                state.folders.retain(|folder| folder.exists());
            }),
        };
        if let Err(failure) = kept {
            self.progress.warning(failure.message);
        }
    }

    /// Counts what a start used, and keeps it for the next argument of the role.
    fn count(&self, role: Role, agents: Vec<Agent>, told_all_tokens: bool) -> Result<(), Failure> {
        agents.iter().for_each(|agent| self.limits.count(agent));
        if !told_all_tokens {
            self.limits.count_untold();
            if self.limits.max_tokens.is_some() {
                self.progress.event(
                    "a start did not tell all tokens that it used, so that --max-tokens counts those that it told",
                );
            }
        }
        if self.limits.max_cost.is_some() && agents.iter().any(|agent| agent.cost_microusd.is_none()) {
            self.progress.event("a start did not tell what it cost, so that --max-cost does not count it");
        }
        self.update(|state| state.unnamed.entry(role.to_string()).or_default().extend(agents))
    }

    /// What the starts of a role used that no argument names yet.
    fn unnamed(&self, role: &str) -> Vec<Agent> {
        self.file.borrow().state.unnamed.get(role).cloned().unwrap_or_default()
    }

    /// Tells what happened since the last time, and where the debate is.
    fn tell(&self, now: &DebateSnapshot) {
        let (newest, used) = (now.newest_seq(), self.limits.used());
        if let Some(told) = self.told.replace(Some(newest)) {
            let news = now
                .arguments()
                .filter(|argument| argument.seq > told)
                .flat_map(|argument| happened::lines(argument, &now.issues, self.progress.is_for_a_person()));
            news.for_each(|line| self.progress.event(&line));
        }
        let open = match now.unsettled().len() {
            0 if now.issues.is_empty() => "no issues".to_owned(),
            0 => "all issues are settled".to_owned(),
            open => format!("{} not settled", next_command::count(open as u64, "issue")),
        };
        let blocking = match now.context.debate.issue_counts.blocking {
            0 => String::new(),
            count => format!(", {count} blocking"),
        };
        let standing = format!("{open}{blocking}; {used}");
        if *self.standing.borrow() != standing {
            self.progress.event(&standing);
            self.standing.replace(standing);
        }
    }
}

impl Run {
    /// What goes on with the debate that is named, if that can be told without the server: this home ran it before, or it is named
    /// by the beginning of its id, so that it is there and the list has the whole id.
    fn going_on(&self) -> Option<Next> {
        let named = ids::parse_ref("", self.given.debate_id.as_deref()?).ok()?;
        match run_file::kept_id(&named) {
            Some(id) => Some(next_command::of_debate("debate run", id).into()),
            None => matches!(named, IdRef::Prefix(_)).then(|| "aw debate list".into()),
        }
    }

    pub async fn run(self) -> Result<Output, Failure> {
        refuse_in_a_run().map_err(Failure::not_allowed)?;
        let is_dry = self.dry_run;
        let going_on = self.going_on();
        let with_next = |failure: Failure| match going_on.clone() {
            Some(next) if failure.next.is_none() => failure.with_next(next),
            Some(_) | None => failure,
        };
        let nobody = Person::default();
        let prepared = tokio::select! {
            biased;
            failure = interrupted(&nobody, " before anything was started") => return Err(with_next(failure)),
            prepared = prepare::prepare(self) => prepared,
        };
        let is_over = |failure: &Failure| failure.exit_status() == ExitStatus::Stopped;
        let (runner, now) = prepared.map_err(|failure| if is_over(&failure) { with_next(failure) } else { failure })?;
        if is_dry {
            return dry_run::dry_run(&runner, now.as_ref()).await;
        }
        child_process::adopt_orphans();
        runner.progress.event(&format!("the debate is {}", runner.url()));
        let players = runner
            .players
            .programs()
            .map(|(option, program)| format!("{}: {}", option.trim_start_matches('-'), program.name()));
        runner.progress.event(&players.collect::<Vec<_>>().join(", "));
        if runner.progress.is_for_a_person() {
            let lacks: BTreeSet<_> = runner.players.programs().filter_map(|(_, program)| program.lacks()).collect();
            lacks.into_iter().for_each(|lacks| runner.progress.event(lacks));
            runner.progress.event(&format!("the code is in {}", runner.options.folder().display()));
        }
        if runner.has_started_server {
            runner.progress.event(SERVER_STARTED);
        }
        let end = tokio::select! {
            biased;
            failure = interrupted(&runner.person, STAYS_OPEN) => Err(failure),
            end = runner.play() => end,
            () = runner.closed() => Ok(()),
            () = runner.limits.leave_out_stops() => Ok(()),
        };
        runner.progress.idle();
        let outcome = async {
            child_process::all_ended().await;
            runner.keep_end().await;
            outcome::outcome(&runner, end).await
        };
        tokio::select! {
            biased;
            outcome = outcome => outcome,
            failure = interrupted(&runner.person, STAYS_OPEN) => Err(failure.with_next(next_command::of_debate("debate run", runner.debate_id))),
        }
    }
}

/// What is said of a run that a signal ends once its debate may be open.
const STAYS_OPEN: &str = "; the debate stays open";

/// Completes at a signal; `then` is said after what ended the run. Nobody has to read the output before the end.
async fn interrupted(person: &Person, then: &str) -> Failure {
    loop {
        match cancellation::cancelled_or_hung_up().await {
            Cancelled::Signal("SIGINT") if person.is_asked.replace(false) => person.left_alone.notify_one(),
            Cancelled::Signal(signal) => {
                let message = format!("the run was ended by {signal}{then}");
                return Failure::new(Code::Interrupted, message).with_data(json!({"signal": signal}));
            }
            Cancelled::StdoutClosed => tokio::time::sleep(PAUSE).await,
        }
    }
}
