//! Gets an answer of a program: starts it, once more if it fails, and tells it what is wrong with its answer, twice at most.

use tempfile::TempDir;
use tokio::time::sleep;

use super::{
    Runner, STARTS,
    answer::Answer,
    child_process::{self, End, Finished, Start},
    code_folder::{During, Snapshot},
    limits::limit_reached,
    program::{Program, is_usage_limit},
    run_file::RunningStart,
    turn_prompt::Prompt,
    work_folder,
};
use crate::{
    client::types::Agent,
    output::{Code, Failure},
};

/// How often an answer may be of no use.
const MAX_PROBLEMS: usize = 3;

/// The greatest number that `agents` takes.
pub const MAX_NUMBER: u64 = (1 << 53) - 1;

/// The purpose of a start for a turn in the debate.
const TURN: &str = "turn";

/// How much of the end of stderr is told.
const MAX_STDERR_CHARS: usize = 600;

/// The attempts to get one answer.
pub struct Attempt<'a> {
    runner: &'a Runner,
    program: &'a Program,
    /// `AW_ROLE`
    role: &'a str,
    /// `AW_TURN`
    turn: u64,
    /// What `agents` says that it is started for
    purpose: &'static str,
    work: TempDir,
    was_repeated: bool,
}

/// An answer, and the plan as it is in the folder afterwards.
pub type Answered = (Answer, Option<String>);

impl<'a> Attempt<'a> {
    /// `plan` is what is written into its folder as the plan.
    pub async fn new(
        runner: &'a Runner,
        program: &'a Program,
        role: &'a str,
        turn: u64,
        plan: &str,
    ) -> Result<Self, Failure> {
        let notes = runner.file.borrow().read(&notes_of(role));
        let (diff, task) = (runner.diff(role, plan).await, runner.task_in_folder(role));
        let work = work_folder::make(plan, &diff, notes.as_deref(), task).map_err(|error| {
            Failure::new(Code::InternalError, format!("cannot make a folder for {program}: {error}"))
        })?;
        let purpose = match role {
            "reviewer" => "review",
            "reader" => "reading",
            _ => TURN,
        };
        Ok(Self { runner, program, role, turn, purpose, work, was_repeated: false })
    }

    /// Whether it takes part in the debate. Those who review or read the plan alone must not read what others noted.
    fn takes_part(&self) -> bool {
        self.purpose == TURN
    }

    /// Asks until an answer is taken. `take` says what is wrong with one that is not.
    pub async fn ask<T>(
        mut self,
        prompt: impl Fn() -> Prompt,
        take: impl AsyncFn(Answered) -> Result<Result<T, String>, Failure>,
    ) -> Result<T, Failure> {
        let mut asked = prompt();
        let mut problems = 0;
        loop {
            let taken = match self.start(&asked).await? {
                Ok(answered) => take(answered).await?,
                Err(problem) => Err(problem),
            };
            let problem = match taken {
                Ok(taken) => return Ok(taken),
                Err(problem) => problem,
            };
            problems += 1;
            if problems == MAX_PROBLEMS {
                return Err(self.failed(&format!("its answers are of no use; the last: {problem}"), &[]));
            }
            self.runner.progress.event(&format!("{} is asked again: {problem}", self.program));
            asked = prompt();
            asked.problem(&problem);
        }
    }

    /// One start, and another one if it fails. The inner error says what is wrong with the answer.
    async fn start(&mut self, prompt: &Prompt) -> Result<Result<Answered, String>, Failure> {
        let runner = self.runner;
        loop {
            runner.limits.check()?;
            runner.update(|state| state.starts += 1)?;
            let number = runner.file.borrow().state.starts;
            let name = format!("{STARTS}/{number:04}-{}", self.role);
            runner.file.borrow().write(&format!("{name}.prompt.md"), prompt.text.as_bytes())?;
            let before = self.look_at_code().await;
            let finished = self.run_once(prompt).await?;
            let changed_paths = self.tell_changes(&before).await?;
            runner.file.borrow().write(&format!("{name}.stdout"), &finished.stdout)?;
            runner.file.borrow().write(&format!("{name}.stderr"), &finished.stderr)?;
            let notes = work_folder::read(self.work.path(), "notes.md").ok().flatten();
            if let Some(notes) = notes.filter(|_| self.takes_part()) {
                runner.file.borrow().write(&notes_of(self.role), notes.as_bytes())?;
            }
            let said = self.program.read(&finished.stdout);
            let failure = finished.end.problem().map(|ended| said.failure.clone().unwrap_or(ended)).or(said.failure);
            let answer = Answer::find(said.text.as_deref().unwrap_or_default(), &prompt.mark);
            let own = answer.as_ref().ok().map(|answer| answer.agents.clone()).filter(|agents| !agents.is_empty());
            let mut agents = own.filter(|_| self.program.is_command()).unwrap_or_else(|| vec![said.agent]);
            for agent in &mut agents {
                bound(agent);
                let purpose = if failure.is_some() { "failed" } else { self.purpose };
                agent.purpose = Some(purpose.to_owned());
                agent.seconds = agent.seconds.or(Some(finished.elapsed.as_secs()));
                agent.program = agent.program.take().or_else(|| Some(self.program.name()));
                agent.changed_paths = None;
            }
            if let Some(last) = agents.last_mut() {
                last.changed_paths = changed_paths;
            }
            let counted_for = if self.takes_part() { self.role } else { "opponent" };
            runner.count(counted_for, agents)?;
            let Some(failure) = failure else {
                let plan = work_folder::read(self.work.path(), "plan.md");
                return Ok(answer.and_then(|answer| Ok((answer, plan?))));
            };
            let told = format!("{failure} {}", String::from_utf8_lossy(&finished.stderr));
            if is_usage_limit(&told) {
                return Err(limit_reached(&format!("{} says: {}", self.program, failure.trim())));
            }
            runner.limits.check()?;
            if self.was_repeated || matches!(finished.end, End::TimedOut) {
                return Err(self.failed(&failure, &finished.stderr));
            }
            self.was_repeated = true;
            let pause = runner.retry_pause.min(runner.limits.left());
            let (program, seconds) = (self.program, pause.as_secs());
            runner.progress.event(&format!("{program}: {failure}; it is started once more in {seconds} s"));
            sleep(pause).await;
        }
    }

    /// The folder of the code as it is now.
    async fn look_at_code(&self) -> Snapshot {
        let (snapshot, checked) = self.runner.code.snapshot().await;
        if let Err(not_checked) = checked {
            self.runner.progress.warning(not_checked.to_string());
        }
        snapshot
    }

    /// Tells what changed in the folder of the code, whoever did it: people work there, too. Returns how many paths did, where
    /// that is known.
    async fn tell_changes(&self, before: &Snapshot) -> Result<Option<u64>, Failure> {
        let runner = self.runner;
        let changed = runner.code.changed(before, &self.look_at_code().await);
        if changed.new.is_empty() {
            return Ok(changed.count);
        }
        let start = format!("turn {} of the {}", self.turn, self.role);
        runner.progress.event(&format!("during {start} changed in the code: {}", changed.words()));
        let programs: Vec<_> = changed.programs().map(|path| path.display().to_string()).collect();
        if !programs.is_empty() {
            let what = programs.join(", ");
            runner.progress.warning(format!(
                "{what} changed during {start}: look at it before you use git there, which runs what it names"
            ));
        }
        let during = During { role: self.role.to_owned(), turn: self.turn };
        runner.update(|state| changed.add_to(&mut state.code_changes, during))?;
        Ok(changed.count)
    }

    async fn run_once(&self, prompt: &Prompt) -> Result<Finished, Failure> {
        let (runner, work) = (self.runner, self.work.path());
        let schema = work.join(work_folder::SCHEMA);
        let command_line = self.program.command_line(work, &schema, runner.limits.dollars_left());
        let mut variables = vec![
            ("AW_ROLE", self.role.to_owned()),
            ("AW_TURN", self.turn.to_string()),
            ("AW_FOLDER", runner.folder().display().to_string()),
        ];
        if self.takes_part() {
            variables.push(("AW_DEBATE_ID", runner.debate_id.to_string()));
        }
        let limit = runner.turn_time.min(runner.limits.left());
        let start = Start { command_line: &command_line, work, variables: &variables, prompt: &prompt.text, limit };
        let finished = child_process::run(start, |started| {
            let running = RunningStart { started, folder: work.to_owned() };
            // Where it cannot be kept, only a later run misses it.
            let _ = runner.update(|state| state.running.push(running));
        })
        .await;
        runner.update(|state| state.running.retain(|running| running.folder != work))?;
        Ok(finished)
    }

    fn failed(&self, problem: &str, stderr: &[u8]) -> Failure {
        let stderr = String::from_utf8_lossy(stderr);
        let from = stderr.char_indices().rev().nth(MAX_STDERR_CHARS).map_or(0, |(index, _)| index);
        let end = match stderr[from..].trim() {
            "" => String::new(),
            end => format!("; the end of its stderr: {end}"),
        };
        let message = format!("{} as the {}: {problem}{end}", self.program, self.role);
        Failure::new(Code::AgentFailed, message).with_suggestion(format!(
            "What it was asked and said is in {}",
            self.runner.file.borrow().folder.join(STARTS).display()
        ))
    }
}

/// Cuts what a command says of itself to what the server takes.
fn bound(agent: &mut Agent) {
    for text in [&mut agent.program, &mut agent.model] {
        let cut = text.take().map(|text| text.chars().filter(|c| !c.is_control()).take(100).collect::<String>());
        *text = cut.filter(|text| !text.trim().is_empty());
    }
    let Agent { input_tokens, cached_tokens, output_tokens, cost_microusd, seconds, .. } = agent;
    for number in [input_tokens, cached_tokens, output_tokens, cost_microusd, seconds].into_iter().flatten() {
        *number = (*number).min(MAX_NUMBER);
    }
}

/// The numbers that an agent has.
pub fn numbers_of(agent: &Agent) -> impl Iterator<Item = u64> {
    let Agent { input_tokens, cached_tokens, output_tokens, cost_microusd, seconds, changed_paths, .. } = agent;
    [input_tokens, cached_tokens, output_tokens, cost_microusd, seconds, changed_paths].into_iter().flatten().copied()
}

fn notes_of(role: &str) -> String {
    format!("notes/{role}.md")
}
