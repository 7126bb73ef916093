//! What changes in the folder of the code while a program works. Nothing is started for that: git runs programs that a
//! repository names, with the rights and the variables of whoever asks it.

mod git_state;
mod walk;

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    env,
    ffi::OsString,
    fmt, fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::{task::spawn_blocking, time::timeout};

use self::walk::{BOUNDS, Fingerprint, Incomplete};
use super::options::Options;
use crate::files::private;

/// The most that is read of a file.
const MAX_READ_BYTES: u64 = 1 << 20;

/// The most paths that are told of a start.
const MAX_PATHS: usize = 20;

/// How long the state of a folder may take to tell, if something that cannot be given up holds the walk up.
const TIMEOUT: Duration = Duration::from_secs(11);

/// What changed during a start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeChange {
    pub during: During,
    /// Below the folder of the code, the first ones
    pub paths: Vec<String>,
}

/// A start, or several at once in the same role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct During {
    pub role: String,
    pub turn: u64,
}

/// What is compared of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    /// The hash of what it has, and its mode
    Read([u8; 32], u32),
    /// How it looks from outside
    Seen(Fingerprint),
    /// A commit
    Commit(String),
}

/// Files by their paths, seen from the folder.
type Files = HashMap<PathBuf, Content>;

/// The folder as it was at a time.
pub struct Snapshot {
    /// None where there are too many
    files: Option<Files>,
    /// None where that took too long
    git: Option<Files>,
}

/// What a start changed.
pub struct Changed {
    root: PathBuf,
    /// How many paths; none where that is not known
    pub count: Option<u64>,
    /// Those that were not told before
    pub new: Vec<PathBuf>,
}

/// Compares the folder of the code before and after each start.
pub struct CodeFolder {
    root: PathBuf,
    /// Whole paths that do not count
    left_out: Vec<PathBuf>,
    /// Whether its files are looked at: once they are too many they are not
    is_walked: Cell<bool>,
    /// What was told, so that starts at the same time do not tell the same
    told: RefCell<HashMap<PathBuf, Option<Content>>>,
}

/// Tells the walk that nobody waits for it any more.
struct GiveUp(Arc<AtomicBool>);

impl Drop for GiveUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl CodeFolder {
    pub fn new(root: &Path, options: &Options) -> Self {
        let named = [&options.plan, &options.task_file, &options.output, &options.record].into_iter().flatten();
        // What runs write there, this one and others, is no change of the code.
        let aweave = private::aweave_folder().map(|folder| fs::canonicalize(&folder).unwrap_or(folder));
        let left_out = named.flat_map(|path| all_names(path)).chain(aweave).collect();
        Self { root: root.to_owned(), left_out, is_walked: Cell::new(true), told: RefCell::default() }
    }

    /// The folder as it is now. The error says why its files are not looked at; it comes once.
    pub async fn snapshot(&self) -> (Snapshot, Result<(), Incomplete>) {
        let given_up = GiveUp(Arc::default());
        let (root, left_out, flag) = (self.root.clone(), self.left_out.clone(), given_up.0.clone());
        let is_walked = self.is_walked.get();
        // Beside the thread that hears signals.
        let look = spawn_blocking(move || {
            let files = is_walked.then(|| walk::walk(&root, &left_out, BOUNDS, &flag));
            (files, git_state::read(&root, &flag))
        });
        let (files, git) = match timeout(TIMEOUT, look).await {
            Ok(Ok((files, git))) => (files, Some(git)),
            Ok(Err(_)) | Err(_) => (is_walked.then_some(Err(Incomplete::TookTooLong)), None),
        };
        let (files, why) = match files {
            Some(Ok(files)) => (Some(files), None),
            // Of several starts at once only one says it.
            Some(Err(why)) => (None, self.is_walked.replace(false).then_some(why)),
            None => (None, None),
        };
        (Snapshot { files, git }, why.map_or(Ok(()), Err))
    }

    /// What is not the same.
    pub fn changed(&self, before: &Snapshot, after: &Snapshot) -> Changed {
        let (git, files) =
            (before.git.as_ref().zip(after.git.as_ref()), before.files.as_ref().zip(after.files.as_ref()));
        let mut changed = Vec::new();
        for (before, after) in git.into_iter().chain(files) {
            let paths = before.keys().chain(after.keys().filter(|path| !before.contains_key(*path)));
            let changed_paths = paths.filter(|path| before.get(*path) != after.get(*path));
            // What only new rules leave out is as it was.
            let is_same = |path: &Path, before: Option<&Content>| {
                let now = fs::symlink_metadata(self.root.join(path)).map(|now| Content::Seen(Fingerprint::of(&now)));
                now.is_ok_and(|now| before == Some(&now))
            };
            let changed_paths =
                changed_paths.filter(|path| after.contains_key(*path) || !is_same(path, before.get(*path)));
            changed.extend(changed_paths.map(|path| (path, after.get(path).cloned())));
        }
        changed.sort_by_key(|(path, _)| *path);
        let count = files.map(|_| changed.len() as u64);
        let mut told = self.told.borrow_mut();
        let mut new = Vec::new();
        for (path, state) in changed {
            if told.get(path) != Some(&state) {
                told.insert(path.clone(), state);
                new.push(path.clone());
            }
        }
        Changed { root: self.root.clone(), count, new }
    }
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self {
            Self::TooManyFiles => "has too many files",
            Self::TookTooLong | Self::GivenUp => "takes too long to read",
        };
        write!(f, "the folder of the code {why}: whether an agent changes its files is not checked")
    }
}

impl Changed {
    /// Those that git, or another program of its kind, would run, or that name what it would run.
    pub fn programs(&self) -> impl Iterator<Item = &PathBuf> {
        self.new.iter().filter(|path| git_state::names_programs(&self.root, path))
    }

    /// What is kept of it, with what was kept before.
    pub fn add_to(&self, kept: &mut Vec<CodeChange>, during: During) {
        if self.new.is_empty() {
            return;
        }
        let index = kept.iter().position(|change| change.during == during).unwrap_or_else(|| {
            kept.push(CodeChange { during, paths: Vec::new() });
            kept.len() - 1
        });
        let paths = &mut kept[index].paths;
        for path in self.new.iter().map(|path| path.to_string_lossy().into_owned()) {
            if paths.len() < MAX_PATHS && !paths.contains(&path) {
                paths.push(path);
            }
        }
    }

    /// The paths for people.
    pub fn words(&self) -> String {
        let mut paths: Vec<_> = self.new.iter().take(MAX_PATHS).map(|path| path.display().to_string()).collect();
        if let Some(more) = self.new.len().checked_sub(MAX_PATHS).filter(|more| *more > 0) {
            paths.push(format!("and {more} more"));
        }
        paths.join(", ")
    }
}

/// The paths of a file that the user named, also where it is written beside, and those that links lead to.
fn all_names(path: &Path) -> Vec<PathBuf> {
    let path = env::current_dir().unwrap_or_default().join(path);
    let beside = |end: &str| {
        let mut name: OsString = path.clone().into_os_string();
        name.push(end);
        PathBuf::from(name)
    };
    let mut names = Vec::new();
    for name in [path.clone(), beside(".new"), beside(".new.2")] {
        let folder = name.parent().and_then(|parent| fs::canonicalize(parent).ok());
        names.extend(folder.zip(name.file_name()).map(|(folder, file)| folder.join(file)));
        names.extend(fs::canonicalize(&name).ok());
    }
    names
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn during() -> During {
        During { role: "opponent".to_owned(), turn: 2 }
    }

    /// What the folder tells of a change.
    async fn told(code: &CodeFolder, change: impl FnOnce()) -> (Option<u64>, String) {
        let (before, checked) = code.snapshot().await;
        assert!(checked.is_ok());
        change();
        let changed = code.changed(&before, &code.snapshot().await.0);
        (changed.count, changed.words())
    }

    #[tokio::test]
    async fn what_changed_is_told_once_also_to_starts_at_the_same_time() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().canonicalize().unwrap();
        fs::write(folder.join("gone"), "").unwrap();
        let code = CodeFolder::new(&folder, &Options::default());
        let first = code.snapshot().await.0;
        assert_eq!(told(&code, || ()).await, (Some(0), String::new()));
        let change = || {
            fs::remove_file(folder.join("gone")).unwrap();
            fs::write(folder.join("new"), "x").unwrap();
        };
        assert_eq!(told(&code, change).await, (Some(2), "gone, new".to_owned()));
        let same = code.changed(&first, &code.snapshot().await.0);
        assert_eq!((same.count, same.words()), (Some(2), String::new()));
        assert_eq!(told(&code, || fs::write(folder.join("new"), "xy").unwrap()).await.1, "new");
    }

    #[tokio::test]
    async fn rules_that_hide_what_is_there_are_told_and_what_they_hide_is_not() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().canonicalize().unwrap();
        fs::create_dir_all(folder.join(".git/info")).unwrap();
        for name in ["same", "gone", "more"] {
            fs::write(folder.join(name), "").unwrap();
        }
        let code = CodeFolder::new(&folder, &Options::default());
        let change = |rules: &str| {
            fs::write(folder.join(rules), "*").unwrap();
            fs::remove_file(folder.join("gone")).unwrap();
            fs::write(folder.join("more"), "x").unwrap();
        };
        assert_eq!(told(&code, || change(".gitignore")).await, (Some(3), ".gitignore, gone, more".to_owned()));
        fs::remove_file(folder.join(".gitignore")).unwrap();
        fs::write(folder.join("gone"), "").unwrap();
        fs::write(folder.join("more"), "").unwrap();
        let code = CodeFolder::new(&folder, &Options::default());
        let told = told(&code, || change(".git/info/exclude")).await;
        assert_eq!(told, (Some(3), ".git/info/exclude, gone, more".to_owned()));
    }

    #[tokio::test]
    async fn files_that_the_options_name_do_not_count() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().canonicalize().unwrap();
        fs::write(folder.join("real.md"), "").unwrap();
        symlink("real.md", folder.join("plan.md")).unwrap();
        let at = |name: &str| Some(folder.join(name));
        let options = Options {
            plan: at("plan.md"),
            task_file: at("task.md"),
            output: at("out.md"),
            record: at("record.json"),
            ..Options::default()
        };
        let code = CodeFolder::new(&folder, &options);
        let change = || {
            for name in ["real.md", "task.md", "out.md", "record.json", "plan.md.new", "plan.md.new.2", "other.md"] {
                fs::write(folder.join(name), "changed").unwrap();
            }
        };
        assert_eq!(told(&code, change).await, (Some(1), "other.md".to_owned()));
    }

    #[tokio::test]
    async fn settings_and_hooks_of_git_are_told_apart() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().canonicalize().unwrap();
        fs::create_dir_all(folder.join(".git/hooks")).unwrap();
        fs::write(folder.join(".git/HEAD"), "aaaa").unwrap();
        let code = CodeFolder::new(&folder, &Options::default());
        let before = code.snapshot().await.0;
        for name in [".git/config", ".git/hooks/pre-commit", ".git/index", "nested/.git/config", "x"] {
            fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
            fs::write(folder.join(name), "x").unwrap();
        }
        let changed = code.changed(&before, &code.snapshot().await.0);
        let programs: Vec<_> = changed.programs().collect();
        assert_eq!(programs, [".git/config", ".git/hooks/pre-commit", "nested/.git/config"].map(Path::new));
        assert_eq!(changed.count, Some(4));
    }

    #[test]
    fn at_most_twenty_paths_of_a_start_are_kept() {
        let new = (0..30).map(|number| PathBuf::from(format!("{number}"))).collect();
        let root = PathBuf::new();
        let changed = Changed { root: root.clone(), count: Some(30), new };
        let mut kept = Vec::new();
        changed.add_to(&mut kept, during());
        changed.add_to(&mut kept, during());
        assert_eq!((kept.len(), kept[0].paths.len()), (1, 20));
        assert!(changed.words().ends_with("19, and 10 more"));
        Changed { root, count: Some(0), new: Vec::new() }.add_to(&mut kept, During { turn: 3, ..during() });
        assert_eq!(kept.len(), 1);
    }
}
