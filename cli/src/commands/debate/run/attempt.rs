//! Gets an answer of a program: starts it, once more if it fails, and tells it what is wrong with its answer, twice at most.

use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tokio::time::sleep;

use super::{
    Runner, Stop,
    answer::{self, Answer},
    limits::limit_reached,
    program::{Place, Program, is_usage_limit},
    prompt::Prompt,
    start::{self, End, Finished, Start},
    work_folder::{self, Contents},
};
use crate::output::failure::{Code, Failure};

/// How often an answer may be of no use.
const MAX_PROBLEMS: usize = 3;

/// How much of the end of stderr is told.
const MAX_STDERR_CHARS: usize = 600;

/// Who is asked, and for what.
pub struct Asked<'a> {
    pub program: &'a Program,
    /// `AW_ROLE`
    pub role: &'static str,
    /// The role whose argument the start is for
    pub counted_for: &'static str,
    /// What `agents` says that the start was for
    pub purpose: &'static str,
    /// `AW_TURN`
    pub turn: u64,
    /// What is written into its folder as the plan, and what changed in it
    pub plan: String,
    pub diff: String,
}

/// The attempts to get one answer.
pub struct Attempt<'a> {
    runner: &'a Runner,
    asked: Asked<'a>,
    work: TempDir,
    problems: usize,
    was_repeated: bool,
}

/// An answer, and the plan as it is in the folder afterwards.
pub struct Answered {
    pub found: Value,
    pub answer: Answer,
    pub plan: Option<String>,
}

impl<'a> Attempt<'a> {
    pub fn new(runner: &'a Runner, asked: Asked<'a>) -> Result<Self, Stop> {
        let notes = runner.file.borrow().read(&notes_of(asked.role));
        let schema = answer::schema().to_string();
        let contents = Contents { plan: &asked.plan, diff: &asked.diff, notes: notes.as_deref(), schema: &schema };
        let work = work_folder::make(&contents).map_err(|error| {
            Failure::new(Code::InternalError, format!("cannot make a folder for {}: {error}", asked.program))
        })?;
        Ok(Self { runner, asked, work, problems: 0, was_repeated: false })
    }

    /// Asks, with what was wrong before.
    pub async fn answer(&mut self, prompt: impl Fn() -> Prompt, problem: Option<String>) -> Result<Answered, Stop> {
        let mut problem = problem;
        loop {
            if let Some(problem) = &problem {
                self.problems += 1;
                if self.problems >= MAX_PROBLEMS {
                    return Err(self.failed(&format!("its answers are of no use; the last: {problem}"), &[]).into());
                }
                self.runner.progress.event(&format!("{} is asked again: {problem}", self.asked.program));
            }
            let mut prompt = prompt();
            problem.iter().for_each(|problem| prompt.problem(problem));
            match self.start(&prompt).await? {
                Ok(answered) => return Ok(answered),
                Err(found_wrong) => problem = Some(found_wrong),
            }
        }
    }

    /// One start, and another one if it fails. The inner error says what is wrong with the answer.
    async fn start(&mut self, prompt: &Prompt) -> Result<Result<Answered, String>, Stop> {
        let runner = self.runner;
        loop {
            runner.limits.check()?;
            let number = runner.next_start()?;
            let name = format!("starts/{number:04}-{}", self.asked.role);
            runner.file.borrow().write(&format!("{name}.prompt.md"), prompt.text.as_bytes())?;
            let before = work_folder::code_state(&runner.folder);
            let finished = self.run_once(prompt).await?;
            runner.file.borrow().write(&format!("{name}.stdout"), &finished.stdout)?;
            runner.file.borrow().write(&format!("{name}.stderr"), &finished.stderr)?;
            if let Some(notes) = work_folder::read(self.work.path(), "notes.md").ok().flatten() {
                runner.file.borrow().write(&notes_of(self.asked.role), notes.as_bytes())?;
            }
            let said = self.asked.program.read(&finished.stdout);
            let failure = finished.end.problem().map(|ended| said.failure.clone().unwrap_or(ended)).or(said.failure);
            let found = answer::find(said.text.as_deref().unwrap_or_default(), &prompt.mark);
            let parsed = found.and_then(|found| answer::parse(&found).map(|answer| (found, answer)));
            let own = parsed.as_ref().ok().map(|(_, answer)| answer.agents.clone()).unwrap_or_default();
            let mut agents = if own.is_empty() || !self.asked.program.is_command() { vec![said.agent] } else { own };
            for agent in &mut agents {
                let purpose = if failure.is_some() { "failed" } else { self.asked.purpose };
                agent.purpose = Some(purpose.to_owned());
                agent.seconds = agent.seconds.or(Some(finished.elapsed.as_secs()));
                agent.program = agent.program.take().or_else(|| Some(self.asked.program.name()));
            }
            runner.count(self.asked.counted_for, agents)?;
            if let Some(changed) =
                work_folder::changed(before.as_ref(), work_folder::code_state(&runner.folder).as_ref())
            {
                let problem = format!("it changed {}: {changed}. Nothing was taken back", runner.folder.display());
                return Err(self.failed(&problem, &finished.stderr).into());
            }
            let Some(failure) = failure else {
                return Ok(match (parsed, work_folder::read(self.work.path(), "plan.md")) {
                    (Ok((found, answer)), Ok(plan)) => Ok(Answered { found, answer, plan }),
                    (Err(problem), _) | (Ok(_), Err(problem)) => Err(problem),
                });
            };
            let told = format!("{failure} {}", String::from_utf8_lossy(&finished.stderr));
            if is_usage_limit(&told) {
                return Err(limit_reached(&format!("{} says: {}", self.asked.program, failure.trim())).into());
            }
            let is_over = runner.limits.left().is_zero();
            if is_over {
                runner.limits.check()?;
            }
            if self.was_repeated || matches!(finished.end, End::TimedOut) {
                return Err(self.failed(&failure, &finished.stderr).into());
            }
            self.was_repeated = true;
            let pause = runner.retry_pause.min(runner.limits.left());
            runner.progress.event(&format!(
                "{}: {failure}; it is started once more in {} s",
                self.asked.program,
                pause.as_secs()
            ));
            sleep(pause).await;
        }
    }

    async fn run_once(&self, prompt: &Prompt) -> Result<Finished, Stop> {
        let (runner, work) = (self.runner, self.work.path());
        let schema = work.join(work_folder::SCHEMA);
        let place = Place { work, schema: &schema, budget: runner.limits.dollars_left() };
        let command_line = self.asked.program.command_line(&place);
        let mut variables = vec![
            ("AW_ROLE", self.asked.role.to_owned()),
            ("AW_TURN", self.asked.turn.to_string()),
            ("AW_FOLDER", runner.folder.display().to_string()),
        ];
        if matches!(self.asked.role, "proposer" | "opponent" | "arbitrator") {
            variables.push(("AW_DEBATE_ID", runner.debate_id.to_string()));
        }
        let limit = runner.turn_time.min(runner.limits.left()).max(Duration::from_millis(1));
        let start = Start { command_line: &command_line, work, variables: &variables, prompt: &prompt.text, limit };
        let group = std::cell::RefCell::new(None);
        let finished = start::run(start, |started| {
            // Where it cannot be kept, only a later run misses it.
            let _ = runner.keep_group(&started, work);
            *group.borrow_mut() = Some(started);
        })
        .await;
        if let Some(group) = group.take() {
            runner.forget_group(&group)?;
        }
        Ok(finished)
    }

    fn failed(&self, problem: &str, stderr: &[u8]) -> Failure {
        let stderr = String::from_utf8_lossy(stderr);
        let from = stderr.char_indices().rev().nth(MAX_STDERR_CHARS).map_or(0, |(index, _)| index);
        let end = match stderr[from..].trim() {
            "" => String::new(),
            end => format!("; the end of its stderr: {end}"),
        };
        let message = format!("{} as the {}: {problem}{end}", self.asked.program, self.asked.role);
        Failure::new(Code::AgentFailed, message)
            .with_suggestion(format!("What it was asked and said is in {}", self.runner.starts_folder().display()))
    }
}

fn notes_of(role: &str) -> String {
    format!("notes/{role}.md")
}
