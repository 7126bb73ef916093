//! Gets an answer of a program: starts it, once more if it fails, and tells it what is wrong with its answer, twice at most.

use std::{
    io,
    time::{Duration, Instant},
};

use jiff::Zoned;
use tokio::{task::spawn_blocking, time::sleep};

use super::{
    Runner, STARTS,
    answer::{self, Answer, Message},
    child_process::{self, End, Finished, Sink, Start, TooMuch},
    clean_text::{is_blank, without_escapes},
    code_folder::{During, Snapshot},
    error_text::{MAX_CHARS, error_text, last_line},
    limits::{limit_reached, usage_limit_reached},
    part::Part,
    program::{self, Output, Program, Said},
    prompt::Prompt,
    run_file::RunningStart,
    starts::bound,
    work_folder::{self, NOTES, PLAN, SCHEMA, TASK, WorkFolder},
};
use crate::{
    client::types::{Agent, AgentPurpose, Role},
    input::lines,
    output::{Code, Failure},
};

/// How often an answer may be of no use.
const MAX_PROBLEMS: usize = 3;

/// The attempts to get one answer.
pub struct Attempt<'a> {
    runner: &'a Runner,
    program: &'a Program,
    part: Part,
    /// `AW_TURN`
    turn: u64,
    /// The plan as it was written into the folder
    plan: &'a str,
    work: WorkFolder,
    was_repeated: bool,
    /// Whether it told a usage limit that was over by then
    waited_in_vain: bool,
}

/// An answer, and the plan as it is in the folder afterwards.
pub type Answered = (Answer, Option<String>);

/// What is made of an answer.
pub enum Judged<T> {
    Taken(T),
    /// It is of no use, which says why
    OfNoUse(String),
}

/// Why there is no answer.
pub enum NoAnswer {
    /// The program failed, or its user has no more of what may be used
    Failed(Failure),
    /// The run ends
    Ended(Failure),
}

impl From<Failure> for NoAnswer {
    fn from(failure: Failure) -> Self {
        Self::Ended(failure)
    }
}

impl From<NoAnswer> for Failure {
    fn from(no_answer: NoAnswer) -> Self {
        match no_answer {
            NoAnswer::Failed(failure) | NoAnswer::Ended(failure) => failure,
        }
    }
}

/// What came of a start that did not fail.
struct Ended {
    /// The error says what is wrong with the answer
    answered: Result<Answered, String>,
    /// Why it can have seen nothing, if that is so
    saw_nothing: Option<String>,
    /// Whether it was not permitted to edit the plan, and left it as it was
    denied_plan_edit: bool,
}

/// What a start said, and what that means.
struct Understood {
    said: Said,
    /// Why it failed, if it did
    failure: Option<String>,
    /// The error says what is wrong with it
    answer: Result<Answer, String>,
    /// The usage limit that keeps it from answering, in its own words
    limit: Option<String>,
}

impl<'a> Attempt<'a> {
    /// `plan` is what is written into its folder as the plan.
    pub async fn new(
        runner: &'a Runner,
        program: &'a Program,
        part: Part,
        turn: u64,
        plan: &'a str,
    ) -> Result<Self, Failure> {
        let notes = runner.file.borrow().read(&notes_of(part));
        let (diff, task) = (runner.diff(part, plan).await, runner.prompts().task_in_folder(part));
        let no_place = |error| no_folder(program, &error);
        let path = work_folder::new_path().map_err(no_place)?;
        runner.update(|state| state.folders.push(path.clone()))?;
        let files = [
            (PLAN, Some(plan.to_owned())),
            ("plan.diff", Some(diff)),
            (SCHEMA, Some(answer::SCHEMA.to_owned())),
            (NOTES, notes),
            (TASK, task.map(str::to_owned)),
        ];
        let files = files.into_iter().filter_map(|(name, text)| Some((name, text?)));
        let files = files.chain(program.needed_files(&path, runner.options.folder())).collect();
        let may_change: &[_] = if part == Part::Turn(Role::Proposer) { &[PLAN, NOTES] } else { &[NOTES] };
        let work = WorkFolder::make(path, files, may_change).map_err(no_place)?;
        Ok(Self { runner, program, part, turn, plan, work, was_repeated: false, waited_in_vain: false })
    }

    /// Whether what it says counts only if it looked at something.
    fn has_to_look(&self) -> bool {
        !self.part.is_turn() || (self.part.role() == Role::Opponent && self.turn == 1)
    }

    /// Asks until an answer is taken. `take` says what is wrong with one that is not.
    pub async fn ask<T>(
        mut self,
        prompt: impl Fn() -> Prompt,
        take: impl AsyncFn(Answered) -> Result<Judged<T>, Failure>,
    ) -> Result<T, NoAnswer> {
        let answered = self.ask_until_taken(prompt, take).await;
        let folder = self.work.path();
        work_folder::remove_beside(folder.to_owned()).await;
        // Where that cannot be kept, a later run finds no such folder.
        let _ = self.runner.update(|state| state.folders.retain(|other| other != folder || folder.exists()));
        answered
    }

    async fn ask_until_taken<T>(
        &mut self,
        prompt: impl Fn() -> Prompt,
        take: impl AsyncFn(Answered) -> Result<Judged<T>, Failure>,
    ) -> Result<T, NoAnswer> {
        let name = self.program.name();
        let mut asked = prompt();
        let mut problems = 0;
        let mut was_told = false;
        loop {
            let Ended { answered, saw_nothing, denied_plan_edit } = self.start(&asked).await?;
            let saw_nothing = saw_nothing.filter(|_| self.has_to_look());
            let work = self.work.path().display();
            let denied = denied_plan_edit.then(|| {
                format!("an edit of plan.md was not permitted, and plan.md is as it was: edit {work}/plan.md, under this path")
            });
            if let Some(problem) = saw_nothing.clone().or(denied) {
                if !was_told {
                    was_told = true;
                    self.runner.progress.event(&format!("{name} is asked once more: {problem}"));
                    asked = prompt();
                    asked.problem(&problem, self.part.role());
                    continue;
                }
                self.runner.progress.event(&format!("{name} was told so, and again {problem}"));
            }
            if let Some(problem) = saw_nothing {
                if !self.part.is_turn() {
                    return Err(NoAnswer::Failed(self.failed(&problem)));
                }
                let until =
                    "the run closes nothing by itself until a claim of the opponent for which it looked at something";
                self.runner.progress.warning(format!("the opponent's answer is kept, though {problem}; {until}"));
            }
            let judged = match answered {
                Ok(answered) => take(answered).await?,
                Err(problem) => Judged::OfNoUse(problem),
            };
            let problem = match judged {
                Judged::Taken(taken) => return Ok(taken),
                Judged::OfNoUse(problem) => problem,
            };
            problems += 1;
            if problems == MAX_PROBLEMS {
                let problem = format!("its answers are of no use; the last: {problem}");
                return Err(NoAnswer::Failed(self.failed(&problem)));
            }
            self.runner.progress.event(&format!("{name} is asked again: {problem}"));
            asked = prompt();
            asked.problem(&problem, self.part.role());
        }
    }

    /// One start, and another one if it fails.
    async fn start(&mut self, prompt: &Prompt) -> Result<Ended, NoAnswer> {
        let runner = self.runner;
        loop {
            runner.limits.check()?;
            runner.update(|state| state.starts += 1)?;
            let number = runner.file.borrow().state.starts;
            let name = format!("{STARTS}/{number:04}-{}", self.part);
            let keep = |end: &str, bytes: &[u8]| runner.file.borrow().write(&format!("{name}.{end}"), bytes);
            keep("prompt.md", prompt.text.as_bytes())?;
            let before = self.look_at_code().await?;
            self.work.restore().map_err(|error| no_folder(self.program, &error))?;
            let (finished, mut said, stdout) = self.run_once(prompt).await?;
            let changed_paths = self.tell_changes(&before).await?;
            keep("stdout", &stdout)?;
            keep("stderr", &finished.stderr)?;
            keep("message.md", said.text.as_deref().unwrap_or_default().as_bytes())?;
            // What is never sent is not lost with its folder.
            if let Ok(Some(plan)) = work_folder::read(self.work.path(), PLAN)
                && plan != self.plan
            {
                keep(PLAN, plan.as_bytes())?;
            }
            self.keep_notes()?;
            if !self.work.is_there() {
                let who = format!("{} as the {}", self.program, self.part);
                runner.progress.event(&format!("{who} removed its working folder, with what it wrote there"));
            }
            self.program.name_in(&mut said);
            // A program that refused the answer of its model, and so has none, did not fail.
            let is_refusal = matches!(finished.end, End::Exited(_)) && said.failure.is_none() && said.refusal.is_some();
            let only_lives_on = matches!(finished.end, End::TimedOut | End::LivedOn) && said.told_end;
            // A command tells no end, but can say no more then.
            said.told_end |= self.program.is_command() && finished.closed_stdout;
            let ended = finished.end.problem().filter(|_| !is_refusal && !only_lives_on);
            let Understood { said, failure, answer, limit } = self.understand(said, ended, &finished, prompt).await?;
            for left_out in answer.iter().flat_map(|answer| &answer.left_out).filter(|_| self.program.is_command()) {
                runner.progress.event(&format!("{}: {left_out}, which cannot be and is left out", self.program));
            }
            let own = answer.as_ref().ok().map(|answer| answer.agents.clone()).filter(|agents| !agents.is_empty());
            let mut agents = own.filter(|_| self.program.is_command()).unwrap_or_else(|| vec![said.agent.clone()]);
            let has_failed = failure.is_some() || limit.is_some();
            let purpose = if has_failed { AgentPurpose::Failed } else { self.part.purpose() };
            agents.iter_mut().for_each(|agent| self.complete(agent, purpose, finished.elapsed));
            let told_all_tokens = match self.program.is_command() {
                true => agents.iter().all(|agent| agent.input_tokens.or(agent.output_tokens).is_some()),
                false => said.told_all_tokens,
            };
            if let Some(last) = agents.last_mut() {
                last.changed_paths = changed_paths;
            }
            let saw_nothing = agents.last().and_then(why_it_saw_nothing);
            runner.count(self.part.role(), agents, told_all_tokens)?;
            if let Some(limit) = limit {
                self.wait_for_limit(&limit).await?;
                continue;
            }
            let Some(failure) = failure else {
                let answer = answer.map_err(|problem| match &said.refusal {
                    Some(refusal) => format!(
                        "{problem}; its own check refused one: {}",
                        refusal.trim().chars().take(MAX_CHARS).collect::<String>()
                    ),
                    None => problem,
                });
                let answered = answer.and_then(|answer| Ok((answer, self.read_plan()?)));
                let is_same = answered.as_ref().is_ok_and(|(_, plan)| plan.as_deref() == Some(self.plan));
                let denied_plan_edit = said.denied_plan_edit && self.is_proposer() && is_same;
                return Ok(Ended { answered, saw_nothing, denied_plan_edit });
            };
            if said.used_up_budget {
                return Err(limit_reached(&format!("{} used up what was left of --max-cost", self.program)).into());
            }
            runner.limits.check()?;
            if self.was_repeated || matches!(finished.end, End::TimedOut) || finished.end.is_out_of_files() {
                return Err(NoAnswer::Failed(self.failed(&failure)));
            }
            self.was_repeated = true;
            let (program, pause) = (self.program, runner.retry_pause);
            if runner.limits.left() <= pause {
                let told = format!("{program}: {failure}; the run's minutes end before it could be started once more");
                return Err(limit_reached(&told).into());
            }
            let seconds = pause.as_secs();
            runner.progress.event(&format!("{program}: {failure}; it is started once more in {seconds} s"));
            sleep(pause).await;
        }
    }

    /// Works out what a start said, beside the thread that hears signals: it may be long. `ended` is what is wrong with how it ended.
    async fn understand(
        &self,
        said: Said,
        ended: Option<String>,
        finished: &Finished,
        prompt: &Prompt,
    ) -> Result<Understood, Failure> {
        let (program, mark, has_move) = (self.program.clone(), prompt.mark.clone(), self.part.is_turn());
        let stderr = without_escapes(&String::from_utf8_lossy(&finished.stderr));
        let has_timed_out = matches!(finished.end, End::TimedOut);
        let work = move || {
            let text = said.text.as_deref().unwrap_or_default();
            let answer = Answer::find(&Message { text, mark: &mark, thoughts: program.thoughts(), has_move });
            // An answer counts whose program failed after it had told its end, as when one of its servers of tools does.
            let ended = ended.filter(|_| !said.told_end || answer.is_err());
            let failure = ended.map(|ended| said.failure.clone().unwrap_or(ended)).or(said.failure.clone());
            let failure = failure.map(|failure| match error_text(&stderr).trim() {
                "" => failure,
                told => format!("{failure}; the end of its stderr: {told}"),
            });
            let limit = match (&failure, &answer) {
                (None, Ok(_)) => None,
                (None, Err(_)) => program.usage_limit(&said, None),
                // What stands before the last line was overcome by one that still worked.
                (Some(_), _) if has_timed_out => program.usage_limit(&said, last_line(&stderr).as_deref()),
                (Some(_), _) => program.usage_limit(&said, Some(&stderr)),
            };
            Understood { said, failure, answer, limit }
        };
        let failed = |error| Failure::new(Code::InternalError, format!("what a program said cannot be read: {error}"));
        spawn_blocking(work).await.map_err(failed)
    }

    /// Waits until a usage limit is over, where that is wanted and the program tells when.
    async fn wait_for_limit(&mut self, limit: &str) -> Result<(), NoAnswer> {
        let runner = self.runner;
        let now = Zoned::now();
        // A time that is over is waited for once: a clock may be behind, and a program that tells it again does not mean it.
        let is_over = |until: &Zoned| *until < now;
        let may_be_waited_for =
            |until: &Zoned| runner.options.wait_for_limits && !(is_over(until) && self.waited_in_vain);
        let until = program::until(limit, &now).filter(may_be_waited_for);
        let Some(until) = until else {
            return Err(NoAnswer::Failed(usage_limit_reached(self.program, self.part, limit, runner.debate_id)));
        };
        self.waited_in_vain = is_over(&until);
        let (name, time) = (self.program.name(), until.strftime("%Y-%m-%d %H:%M %Z"));
        runner.progress.event(&format!("{name} is at its usage limit ({limit}): the run waits until {time}"));
        let _waiting = runner.limits.wait();
        // The clock counts, also while the machine sleeps.
        while until > Zoned::now() {
            sleep(until.duration_since(&Zoned::now()).unsigned_abs().min(CLOCK_CHECK_INTERVAL)).await;
        }
        sleep(runner.retry_pause).await;
        Ok(())
    }

    /// The plan after a start, of the proposer only: the others have a copy. A proposer that removed or emptied it gets it back.
    fn read_plan(&self) -> Result<Option<String>, String> {
        if !self.is_proposer() {
            return Ok(None);
        }
        let work = self.work.path();
        if !self.work.is_there() {
            let back = if self.work.restore().is_ok() { "; it is there again, with the plan as it was" } else { "" };
            return Err(format!("your working folder is gone, and plan.md with it{back}"));
        }
        let what = match work_folder::read(work, PLAN) {
            Ok(written) if is_blank(self.plan) && written.as_deref().is_none_or(is_blank) => return Ok(written),
            Ok(Some(written)) => match no_plan(&written).filter(|_| no_plan(self.plan).is_none()) {
                None => {
                    self.tell_loss(&written);
                    return Ok(Some(written));
                }
                Some(what) => format!("plan.md is {what}"),
            },
            Ok(None) => "plan.md is gone".to_owned(),
            // A text that is in another encoding or too long can be mended where it is.
            Err(problem) if work_folder::is_file(work, PLAN) => return Err(problem),
            Err(problem) => problem,
        };
        let back = if self.work.put_back(PLAN).is_ok() { "; it is there again as it was" } else { "" };
        Err(format!("{what}, and the plan belongs there{back}"))
    }

    /// Tells where most of the plan is gone: a model may have written a part of it in its place.
    fn tell_loss(&self, written: &str) {
        let [before, after] = [self.plan, written].map(lines::count);
        if after < before / 2 {
            let lines = format!("plan.md has {after} lines, and had {before}");
            self.runner.progress.event(&format!("{} as the {} cut the plan: {lines}", self.program, self.part));
        }
    }

    fn is_proposer(&self) -> bool {
        self.part.role() == Role::Proposer
    }

    /// Keeps the notes of a role that takes part.
    fn keep_notes(&self) -> Result<(), Failure> {
        let notes = work_folder::read_notes(self.work.path()).filter(|_| self.part.is_turn());
        let Some((notes, is_cut)) = notes else { return Ok(()) };
        if is_cut {
            let name = self.program.name();
            self.runner.progress.event(&format!("the notes.md of {name} as the {} is cut to its last MiB", self.part));
        }
        self.runner.file.borrow().write(&notes_of(self.part), notes.as_bytes())
    }

    /// The folder of the code as it is now.
    async fn look_at_code(&self) -> Result<Snapshot, Failure> {
        let (snapshot, checked) = self.runner.code.snapshot().await;
        if let Err(not_checked) = checked {
            self.runner.progress.warning(not_checked.to_string());
            self.runner.update(|state| state.code_unchecked = true)?;
        }
        Ok(snapshot)
    }

    /// Tells what changed in the folder of the code, whoever did it: people work there, too. Returns how many paths did, where
    /// that is known.
    async fn tell_changes(&self, before: &Snapshot) -> Result<Option<u64>, Failure> {
        let runner = self.runner;
        let changed = runner.code.changed(before, &self.look_at_code().await?);
        if changed.new.is_empty() {
            return Ok(changed.count);
        }
        let start = format!("turn {} of the {}", self.turn, self.part);
        runner.progress.event(&format!("during {start} changed in the code: {}", changed.words()));
        let programs: Vec<_> = changed.programs().map(|path| path.display().to_string()).collect();
        if !programs.is_empty() {
            let what = programs.join(", ");
            runner.progress.warning(format!(
                "{what} changed during {start}: look at it before you use git there, which runs what it names"
            ));
        }
        let during = During { role: self.part.to_string(), turn: self.turn };
        runner.update(|state| changed.add_to(&mut state.code_changes, during))?;
        Ok(changed.count)
    }

    /// Starts it. Returns what it said, and what is kept of its stdout, too.
    async fn run_once(&self, prompt: &Prompt) -> Result<(Finished, Said, Vec<u8>), Failure> {
        let (runner, work) = (self.runner, self.work.path());
        let command_line = self.program.command_line(work, runner.options.folder(), runner.limits.dollars_left());
        let mut variables = self.program.variables(work);
        variables.extend([
            ("AW_ROLE", self.part.to_string()),
            ("AW_TURN", self.turn.to_string()),
            ("AW_FOLDER", runner.options.folder().display().to_string()),
        ]);
        if self.part.is_turn() {
            variables.push(("AW_DEBATE_ID", runner.debate_id.to_string()));
        }
        let limit = runner.turn_time.min(runner.limits.left());
        let prompt = self.program.prompt(&prompt.text);
        // The proposer also writes the plan, and whatever tells its end says so.
        let only_prints = self.program.is_command() && !self.is_proposer();
        let start =
            Start { command_line: &command_line, work, variables: &variables, prompt: &prompt, limit, only_prints };
        let on_start = |started| {
            let running = RunningStart { started, folder: work.to_owned() };
            // Where it cannot be kept, only a later run misses it.
            let _ = runner.update(|state| state.running.push(running));
        };
        let mut reading = Reading { attempt: self, began: Instant::now(), output: Some(self.program.output()) };
        let finished = child_process::run(start, on_start, &mut reading).await;
        let output = reading.output.take();
        runner.update(|state| state.running.retain(|running| running.folder != work))?;
        let (said, stdout) = output.map(|output| output.finish(work)).unwrap_or_default();
        Ok((finished, said, stdout))
    }

    /// Completes what is told of a start.
    fn complete(&self, agent: &mut Agent, purpose: AgentPurpose, elapsed: Duration) {
        bound(agent);
        agent.purpose = Some(purpose.to_string());
        agent.seconds = agent.seconds.or(Some(elapsed.as_secs()));
        agent.program = agent.program.take().or_else(|| Some(self.program.name()));
        agent.changed_paths = None;
    }

    fn failed(&self, problem: &str) -> Failure {
        let message = format!("{} as the {}: {problem}", self.program, self.part);
        Failure::new(Code::AgentFailed, message).with_suggestion(format!(
            "What it was asked, said and made of the plan is in {}",
            self.runner.file.borrow().folder.join(STARTS).display()
        ))
    }
}

/// What a start prints. Where the run ends meanwhile, what was told until then counts all the same.
struct Reading<'r, 'a> {
    attempt: &'r Attempt<'a>,
    began: Instant,
    /// None once the start has ended
    output: Option<Output>,
}

impl Sink for Reading<'_, '_> {
    fn take(&mut self, bytes: &[u8]) -> Result<(), TooMuch> {
        self.output.as_mut().map_or(Ok(()), |output| output.take(bytes))
    }

    fn told_end(&self) -> bool {
        self.output.as_ref().is_some_and(Sink::told_end)
    }
}

impl Drop for Reading<'_, '_> {
    fn drop(&mut self) {
        let Some(output) = self.output.take() else { return };
        let Attempt { runner, program, part, work, .. } = self.attempt;
        let (mut said, _) = output.finish(work.path());
        program.name_in(&mut said);
        self.attempt.complete(&mut said.agent, AgentPurpose::Failed, self.began.elapsed());
        // Where it cannot be kept, only the next argument does not name it.
        let _ = runner.count(part.role(), vec![said.agent], said.told_all_tokens);
    }
}

/// After how long at most the clock is looked at again.
const CLOCK_CHECK_INTERVAL: Duration = Duration::from_secs(30);

/// Why a start can have seen nothing; none if it looked at something, or does not tell.
fn why_it_saw_nothing(agent: &Agent) -> Option<String> {
    if !program::saw_nothing(agent) {
        return None;
    }
    let (calls, denied) = (agent.calls.unwrap_or_default(), agent.denied_calls.unwrap_or_default());
    Some(match (calls, denied) {
        (0, _) => "it looked at nothing: it read no file and ran no command".to_owned(),
        (calls, 0) => format!("it saw nothing: all {calls} calls of its tools failed"),
        (calls, denied) => {
            format!("it saw nothing: all {calls} calls of its tools failed, {denied} since they were not permitted")
        }
    })
}

/// What stands in the place of a plan; none if it may be one.
fn no_plan(text: &str) -> Option<&'static str> {
    let mut lines = text.trim_start().lines();
    let [first, second] = [lines.next(), lines.next()].map(Option::unwrap_or_default);
    let is_diff = first.starts_with("diff --git ") || (first.starts_with("--- ") && second.starts_with("+++ "));
    let is_answer = || {
        let object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text);
        object.is_ok_and(|object| object.contains_key("content"))
    };
    match () {
        () if is_blank(text) => Some("empty"),
        () if is_diff => Some("a diff"),
        () if is_answer() => Some("an answer"),
        () => None,
    }
}

fn no_folder(program: &Program, error: &io::Error) -> Failure {
    Failure::new(Code::InternalError, format!("cannot make a folder for {program}: {error}"))
}

fn notes_of(part: Part) -> String {
    format!("notes/{part}.md")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_the_place_of_a_plan_is_none() {
        for (text, what) in [
            ("\u{feff}\u{200b} \n", "empty"),
            ("--- plan.md\n+++ plan.md\n@@ -1 +1 @@\n", "a diff"),
            ("diff --git a/plan.md b/plan.md\n", "a diff"),
            (r#"{"move": "claim", "content": "Done."}"#, "an answer"),
        ] {
            assert_eq!(no_plan(text), Some(what), "{text:?}");
        }
        for text in ["# Cache", "---\ntitle: x\n---\n+++ more", "--- begin ---\ntext", "{\"openapi\": 3}", "{"] {
            assert_eq!(no_plan(text), None, "{text:?}");
        }
    }
}
