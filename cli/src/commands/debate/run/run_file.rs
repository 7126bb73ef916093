//! The file of a run: what cannot be read from the server. It is replaced as a whole after each step.
//!
//! `~/.aweave/runs/<debate id>/` also has the keys of the run's seats, the notes of each role, and what every start was asked
//! and said.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};
use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::sleep;
use uuid::Uuid;

use super::{
    answer::Answer,
    code_folder::CodeChange,
    notes::Notes,
    options::{Options, invalid},
    processes::Started,
    starts::largest_number,
    work_folder,
};
use crate::{
    client::{
        contract_limits::{MAX_AGENT_NUMBER, MAX_ROUNDS},
        types::Agent,
    },
    files::{self, private},
    input::ids::IdRef,
    output::{Code, Failure, terminal},
};

/// What is kept of a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The options, which are those of the run that goes on unless they are given again
    pub options: Options,
    /// The arguments of this run, and those that were there before it
    pub known: Vec<Uuid>,
    /// How many programs were started
    pub starts: u64,
    /// How long the run took, without waits for a person
    pub seconds: u64,
    /// Which of the opponents goes on, once the first pass is over
    pub opponent: Option<String>,
    /// What the reviewers found, or why they failed, in the order in which they ended
    pub first_pass: Vec<Review>,
    /// What the final reading found, or why it failed
    pub reading: Option<Result<Answer, String>>,
    /// The starts of each role that no argument has named yet
    pub unnamed: BTreeMap<String, Vec<Agent>>,
    /// The answer that was not sent yet
    pub pending: Option<Pending>,
    /// What the sides said besides their arguments
    pub notes: Notes,
    /// What changed in the folder of the code during starts
    pub code_changes: Vec<CodeChange>,
    /// Whether that was not looked at during some
    pub code_unchecked: bool,
    /// The starts that run
    pub running: Vec<RunningStart>,
    /// The folders for starts, from before they are made until they are removed
    pub folders: Vec<PathBuf>,
}

/// What came of a review.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Review {
    /// The program, as it was named
    pub program: String,
    /// Which one it is of those that were named alike, from 0
    pub number: usize,
    pub findings: Result<Answer, String>,
}

/// A start that runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunningStart {
    /// The process that ends with all of it
    pub started: Started,
    /// The folder that was made for it
    pub folder: PathBuf,
}

/// An answer, with what it answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Pending {
    pub role: String,
    /// The newest argument when it was asked for, or 0
    pub seq: u64,
    /// The argument that it answers
    pub target: Option<Uuid>,
    pub answer: Answer,
    /// The plan, if it was changed
    pub plan: Option<String>,
    /// The version of the plan that it was made from
    #[serde(default)]
    pub base: Option<u64>,
    /// The titles of the issues that came too late to be raised, which are notes
    #[serde(default)]
    pub late_issues: Vec<String>,
}

/// The greatest number of anything that is counted.
const MAX_COUNT: u64 = 1 << 40;

impl State {
    /// Whoever edits the file may have written numbers that no run writes.
    fn check(&self) -> Result<(), String> {
        let options = &self.options;
        for (name, number) in [("starts", self.starts), ("seconds", self.seconds)] {
            if number > MAX_COUNT {
                return Err(format!("{name} is {number}, which is too large"));
            }
        }
        let numbers = [
            ("max_cost", options.max_cost),
            ("max_minutes", options.max_minutes),
            ("turn_minutes", options.turn_minutes),
        ];
        for (name, number) in numbers {
            if let Some(number) = number.filter(|number| !(*number > 0.0 && number.is_finite())) {
                return Err(format!("options.{name} is {number}, which is no number above 0"));
            }
        }
        if let Some(rounds) = options.rounds.filter(|rounds| !(2..=MAX_ROUNDS).contains(rounds)) {
            return Err(format!("options.rounds is {rounds}, which is not 2 to {MAX_ROUNDS}"));
        }
        if options.max_tokens == Some(0) {
            return Err("options.max_tokens is 0, which is no number above 0".to_owned());
        }
        let too_large = self.unnamed.values().flatten().map(largest_number).find(|number| *number > MAX_AGENT_NUMBER);
        too_large.map_or(Ok(()), |number| Err(format!("unnamed has {number}, which is too large")))
    }
}

/// The folder and the file of a run.
pub struct RunFile {
    pub folder: PathBuf,
    pub state: State,
    /// While it is locked no other run has the debate
    locked: Option<File>,
}

impl RunFile {
    /// Reads the file of a debate's run, if there is one, and changes nothing.
    pub fn read_only(debate: Uuid) -> Result<Self, Failure> {
        let folder = runs_folder()?.join(debate.to_string());
        let refused = |error: io::Error| {
            let is_damaged = error.kind() == ErrorKind::InvalidData;
            if is_damaged { unusable(&folder, &error) } else { no_place(&folder, &error) }
        };
        let state = read_state(&folder).map_err(refused)?;
        Ok(Self { folder, state, locked: None })
    }

    /// Refuses a place in which the folder cannot be made.
    pub fn check_place(&self) -> Result<(), Failure> {
        let place = self.folder.parent().unwrap_or(&self.folder);
        private::make_usable_folder(place).map_err(|error| no_place(place, &error))
    }

    /// Makes the folder, and keeps other runs from the debate.
    pub async fn lock(&mut self) -> Result<(), Failure> {
        let opened = private::make_folder(&self.folder).and_then(|()| open_private(&self.folder.join(LOCK)));
        let lock = opened.map_err(|error| no_place(&self.folder, &error))?;
        let deadline = Instant::now() + LOCK_TIMEOUT;
        while let Err(error) = lock.try_lock() {
            match error {
                TryLockError::WouldBlock if Instant::now() < deadline => sleep(Duration::from_millis(20)).await,
                TryLockError::WouldBlock => {
                    return Err(Failure::not_allowed("another `aw debate run` has the debate")
                        .with_suggestion("Wait until it has ended, or end it with SIGTERM"));
                }
                TryLockError::Error(error) => return Err(unusable(&self.folder, &error)),
            }
        }
        self.locked = Some(lock);
        self.state = read_state(&self.folder).map_err(|error| unusable(&self.folder, &error))?;
        Ok(())
    }

    /// Whether there was a run of this debate before.
    pub fn exists(&self) -> bool {
        self.state.options.task.is_some()
    }

    /// Removes the folder of a run that left nothing behind.
    pub fn remove(&self) -> Result<(), Failure> {
        fs::remove_dir_all(&self.folder).map_err(|error| unusable(&self.folder, &error))
    }

    /// Replaces the file.
    pub fn save(&self) -> Result<(), Failure> {
        let replace = || {
            let mut file = tempfile::Builder::new().prefix(".run-").tempfile_in(&self.folder)?;
            serde_json::to_writer(&mut file, &self.state)?;
            file.as_file().sync_all()?;
            file.persist(self.folder.join(FILE))?;
            files::open_folder(&self.folder)?.sync_all()
        };
        replace().map_err(|error: io::Error| unusable(&self.folder, &error))
    }

    /// Writes a file that only the user may read, such as what a start was asked.
    pub fn write(&self, name: &str, text: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(name);
        let write = || {
            path.parent().map_or(Ok(()), private::make_folder)?;
            let mut file = open_private(&path)?;
            file.set_len(0)?;
            file.write_all(text)
        };
        write().map_err(|error| unusable(&path, &error))
    }

    /// Reads what [`Self::write`] wrote.
    pub fn read(&self, name: &str) -> Option<String> {
        files::read_text(&self.folder.join(name), files::MAX_BYTES).ok()
    }

    /// Ends what a run before this one left running, and removes its folders. Says what became of it.
    pub async fn end_former(&mut self) -> Result<(), Failure> {
        for RunningStart { started, folder } in std::mem::take(&mut self.state.running) {
            let became = started.end().await.err().unwrap_or("was ended");
            terminal::note(format_args!("process {} of the run that was killed {became}", started.pid));
            work_folder::remove_beside(folder).await;
        }
        for folder in std::mem::take(&mut self.state.folders) {
            work_folder::remove_beside(folder).await;
        }
        self.save()
    }
}

/// Where all runs are kept.
fn runs_folder() -> Result<PathBuf, Failure> {
    let folder = private::aweave_folder().ok_or_else(|| {
        Failure::new(Code::InvalidInput, "HOME is not set to a whole path, so that there is no place for the run")
            .with_suggestion("Set HOME")
    })?;
    Ok(folder.join("runs"))
}

/// What is kept of a run, as it is listed.
pub struct KeptRun {
    pub debate_id: Uuid,
    folder: PathBuf,
    /// None if its file cannot be read
    title: Option<String>,
    /// When its file was written last
    pub updated_at: Option<SystemTime>,
    bytes: u64,
    /// Whether it runs
    pub live: bool,
}

/// The debate with this id, or the only one whose id begins so, of those that were run here.
pub fn kept_id(named: &IdRef) -> Option<Uuid> {
    let entries = fs::read_dir(runs_folder().ok()?).ok()?.flatten();
    let begin = named.to_string();
    let mut ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut is_named = |id: &Uuid| id.to_string().starts_with(&begin);
    let only = ids.by_ref().find(&mut is_named).filter(|_| !ids.any(|id| is_named(&id)))?;
    RunFile::read_only(only).is_ok_and(|file| file.exists()).then_some(only)
}

/// All that is kept, the newest first.
pub fn kept_runs() -> Result<Vec<KeptRun>, Failure> {
    let folder = runs_folder()?;
    let entries = match fs::read_dir(&folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| no_place(&folder, &error))?,
    };
    let mut runs: Vec<_> = entries.flatten().filter_map(|entry| KeptRun::read(entry.path())).collect();
    runs.sort_by_key(|run| (Reverse(run.updated_at), run.debate_id));
    Ok(runs)
}

impl KeptRun {
    /// None if it is no folder of a run.
    fn read(folder: PathBuf) -> Option<Self> {
        let debate_id = folder.file_name()?.to_str()?.parse().ok()?;
        if !fs::symlink_metadata(&folder).ok()?.is_dir() {
            return None;
        }
        let state = read_state(&folder).ok();
        Some(Self {
            debate_id,
            title: state.and_then(|state| state.options.title),
            updated_at: fs::metadata(folder.join(FILE))
                .or_else(|_| fs::metadata(&folder))
                .and_then(|it| it.modified())
                .ok(),
            bytes: bytes_in(&folder),
            live: matches!(try_lock(&folder), Err(TryLockError::WouldBlock)),
            folder,
        })
    }

    pub fn json(&self) -> Value {
        let at = self.updated_at.map(|at| DateTime::<Utc>::from(at).to_rfc3339_opts(SecondsFormat::Secs, true));
        let Self { debate_id, title, bytes, live, .. } = self;
        json!({"debate_id": debate_id, "title": title, "updated_at": at, "bytes": bytes, "live": live})
    }

    /// Removes it, unless it runs now.
    pub fn remove(&self) -> Result<bool, Failure> {
        let _locked = match try_lock(&self.folder) {
            Ok(lock) => Some(lock),
            Err(TryLockError::WouldBlock) => return Ok(false),
            // One that was never locked has no such file.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::NotFound => None,
            Err(TryLockError::Error(error)) => return Err(unusable(&self.folder, &error)),
        };
        fs::remove_dir_all(&self.folder).map(|()| true).map_err(|error| unusable(&self.folder, &error))
    }
}

fn try_lock(folder: &Path) -> Result<File, TryLockError> {
    let file = files::open_with(&folder.join(LOCK), OFlags::WRONLY, Mode::empty()).map_err(TryLockError::Error)?;
    file.try_lock().map(|()| file)
}

/// How much the files of a folder have, links not followed.
fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(it) if it.is_dir() => bytes_in(&entry.path()),
        Ok(it) => it.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

/// How long the lock of a run that was killed just now may stay.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// The name of the file that a run keeps locked.
const LOCK: &str = "lock";

/// The name of the file.
const FILE: &str = "run.json";

fn open_private(path: &Path) -> io::Result<File> {
    files::open_with(path, OFlags::CREATE | OFlags::WRONLY, Mode::RUSR | Mode::WUSR)
}

fn read_state(folder: &Path) -> io::Result<State> {
    match files::read(&folder.join(FILE), files::MAX_BYTES) {
        Ok(bytes) => {
            let invalid = |problem: String| io::Error::new(ErrorKind::InvalidData, format!("{FILE}: {problem}"));
            let state: State = serde_json::from_slice(&bytes).map_err(|error| invalid(error.to_string()))?;
            state.check().map_err(invalid)?;
            Ok(state)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(State::default()),
        Err(error) => Err(error),
    }
}

/// What is refused before anything starts.
fn no_place(path: &Path, error: &io::Error) -> Failure {
    Failure { code: invalid("", "").code, ..unusable(path, error) }
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Code::InternalError, format!("cannot use {}: {error}", path.display()))
        .with_suggestion("The run keeps its state there: make it readable and writable, or set HOME")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::client::types::ArgumentType;

    fn at(folder: &Path) -> RunFile {
        RunFile { folder: folder.to_owned(), state: State::default(), locked: None }
    }

    #[tokio::test]
    async fn what_is_kept_is_read_again_by_its_user_only() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("run");
        let mut file = at(&folder);
        file.lock().await.unwrap();
        file.state.options.task = Some("Why".to_owned());
        file.state.pending = Some(Pending {
            role: "proposer".to_owned(),
            seq: 3,
            target: None,
            answer: Answer::new(ArgumentType::Claim, "text"),
            plan: Some("# Plan".to_owned()),
            base: Some(2),
            late_issues: vec!["Name it".to_owned()],
        });
        let findings = Err("failed".to_owned());
        file.state.first_pass.push(Review { program: "codex".to_owned(), number: 1, findings });
        file.save().unwrap();
        file.write("starts/0001-reader.stdout", b"longer than later").unwrap();
        file.write("starts/0001-reader.stdout", b"later").unwrap();
        assert_eq!(file.read("starts/0001-reader.stdout").as_deref(), Some("later"));
        let again = read_state(&folder).unwrap();
        assert_eq!(serde_json::to_value(&again).unwrap(), serde_json::to_value(&file.state).unwrap());
        let mode = |path: &str| fs::metadata(folder.join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!(
            [mode(""), mode("starts"), mode("run.json"), mode("starts/0001-reader.stdout")],
            [0o700, 0o700, 0o600, 0o600]
        );
    }

    #[tokio::test]
    async fn a_second_run_is_refused_until_the_first_is_gone() {
        let home = tempfile::tempdir().unwrap();
        let mut first = at(home.path());
        first.lock().await.unwrap();
        assert_eq!(at(home.path()).lock().await.unwrap_err().code, "ACTION_NOT_ALLOWED");
        drop(first);
        at(home.path()).lock().await.unwrap();
    }

    #[tokio::test]
    async fn a_file_that_is_damaged_is_told_and_left() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(FILE), "{").unwrap();
        let failure = at(home.path()).lock().await.unwrap_err();
        assert!(failure.code == "INTERNAL_ERROR" && failure.message.starts_with("cannot use"), "{}", failure.message);
        assert_eq!(files::read(&home.path().join(FILE), 9).unwrap(), b"{");
    }
}
