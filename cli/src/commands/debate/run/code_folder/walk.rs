//! Walks the files of a folder without git, since git runs programs that a repository names.

use std::{
    fs::{self, Metadata},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    rc::Rc,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{Mode, OFlags};

use super::{
    Content, Files, MAX_READ_BYTES,
    git_state::{self, Repository},
};
use crate::files;

/// How far a walk goes.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The most files that are looked at
    pub files: usize,
    pub time: Duration,
}

/// Those of a run.
pub const BOUNDS: Bounds = Bounds { files: 200_000, time: Duration::from_secs(10) };

/// What is compared of a file that is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    bytes: u64,
    pub mode: u32,
    seconds: i64,
    nanoseconds: i64,
}

impl Fingerprint {
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            bytes: metadata.size(),
            mode: metadata.mode(),
            seconds: metadata.mtime(),
            nanoseconds: metadata.mtime_nsec(),
        }
    }
}

/// The file in which a folder has rules.
const RULES: &str = ".gitignore";

/// Why a folder was not walked to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Incomplete {
    TooManyFiles,
    TookTooLong,
    /// Nobody waits for it any more
    GivenUp,
}

/// The rules of a file like `.gitignore`, and those of the folders above it.
struct Rules {
    own: Gitignore,
    above: Option<Rc<Rules>>,
}

/// The files of a folder by their paths below it, but for those that its `.gitignore` files and `.git/info/exclude` name, and those of
/// `left_out`, which are whole paths. Links are entries and are not followed. Of `.git` and folders like it in one below there is what
/// [`git_state`] reads.
pub fn walk(root: &Path, left_out: &[PathBuf], bounds: Bounds, given_up: &AtomicBool) -> Result<Files, Incomplete> {
    let deadline = Instant::now() + bounds.time;
    let mut files = Files::new();
    // Those that are still to be read, with the rules that hold before their own.
    let mut folders = vec![(root.to_owned(), rules_above(root))];
    let of_root = git_state::repository(root).and_then(|repository| fs::canonicalize(repository.common).ok());
    while let Some((folder, rules)) = folders.pop() {
        // What cannot be read is left out, before and after.
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let rules = with_rules(rules, &folder, &folder.join(RULES));
        for entry in entries.flatten() {
            if given_up.load(Ordering::Relaxed) {
                return Err(Incomplete::GivenUp);
            }
            if Instant::now() > deadline {
                return Err(Incomplete::TookTooLong);
            }
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            // The paths are compared byte by byte, since there are many.
            let is_left_out = left_out.iter().any(|left_out| left_out.as_os_str() == path.as_os_str());
            let is_git = entry.file_name() == ".git";
            let is_other = is_folder && git_state::settings_of_other(&entry.file_name()).is_some();
            let is_of_repository = is_git || is_other;
            // Rules may be changed to hide what else is.
            let is_seen = is_of_repository || (!is_folder && entry.file_name() == RULES);
            // Git itself has no rules for its own folder.
            if is_left_out || (!is_seen && is_ignored(rules.as_deref(), &path, is_folder)) {
                continue;
            }
            // What is right in the folder is read beside the walk.
            if let Some(nested) = path.strip_prefix(root).ok().filter(|_| folder != root) {
                if is_git {
                    git_state::read_nested(&mut files, root, nested, of_root.as_deref(), given_up);
                } else if is_other {
                    git_state::read_other(&mut files, root, nested);
                }
            }
            if is_folder {
                if !is_of_repository {
                    folders.push((path, rules.clone()));
                }
            } else if let (Ok(metadata), Ok(path)) = (entry.metadata(), path.strip_prefix(root)) {
                files.insert(path.to_owned(), Content::Seen(Fingerprint::of(&metadata)));
            }
            if files.len() > bounds.files {
                return Err(Incomplete::TooManyFiles);
            }
        }
    }
    Ok(files)
}

/// The rules that hold in a folder before its own: those of its repository, and of the folders between. A repository that leaves
/// the folder itself out, such as one of a home folder, has no say in it.
fn rules_above(root: &Path) -> Option<Rc<Rules>> {
    let Repository { top, common, .. } = git_state::repository(root)?;
    let mut rules = with_rules(None, &top, &common.join("info/exclude"));
    let mut below: Vec<_> = root.ancestors().take_while(|folder| *folder != top).collect();
    below.reverse();
    let mut above = top.as_path();
    for folder in below {
        rules = with_rules(rules, above, &above.join(RULES));
        if is_ignored(rules.as_deref(), folder, true) {
            return None;
        }
        above = folder;
    }
    rules
}

/// The rules of a file, if it has any, before those that hold already. As git does it, a link to a file of rules is not followed.
fn with_rules(above: Option<Rc<Rules>>, folder: &Path, path: &Path) -> Option<Rc<Rules>> {
    let opened = files::open_with(path, OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty());
    let Ok(bytes) = opened.and_then(|file| files::read_to_limit(file, MAX_READ_BYTES)) else { return above };
    let mut builder = GitignoreBuilder::new(folder);
    for line in String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').lines() {
        // A line that is no pattern hides nothing.
        let _ = builder.add_line(None, line);
    }
    match builder.build() {
        Ok(own) if !own.is_empty() => Some(Rc::new(Rules { own, above })),
        Ok(_) | Err(_) => above,
    }
}

/// The rules of the innermost folder that say anything of a path decide.
fn is_ignored(rules: Option<&Rules>, path: &Path, is_folder: bool) -> bool {
    let all = std::iter::successors(rules, |rules| rules.above.as_deref());
    let mut said = all.map(|rules| rules.own.matched(path, is_folder)).filter(|said| !said.is_none());
    said.next().is_some_and(|said| said.is_ignore())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, mkfifoat};

    use super::*;

    fn paths(root: &Path) -> Vec<String> {
        let files = walk(root, &[], BOUNDS, &AtomicBool::new(false)).unwrap();
        let mut paths: Vec<_> = files.keys().map(|path| path.to_string_lossy().into_owned()).collect();
        paths.sort();
        paths
    }

    /// A file for each path.
    fn tree(paths: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in paths {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn what_the_folders_rules_name_is_left_out_and_hidden_files_count() {
        let root = tree(&[
            (".gitignore", "\u{feff}target/\n*.log\n!keep.log\n/top.txt\n[\n"),
            (".git/config", ""),
            (".git/info/exclude", "excluded\n"),
            (".hidden", ""),
            ("a/.gitignore", "!b.log\nc\n"),
            ("a/b.log", ""),
            ("a/c", ""),
            ("a/d.log", ""),
            ("a/top.txt", ""),
            ("excluded", ""),
            ("keep.log", ""),
            ("nested/.git/HEAD", "ref: refs/heads/main"),
            ("nested/.git/config", ""),
            ("nested/.git/hooks/pre-commit", ""),
            ("nested/.git/objects/aa/bb", ""),
            ("nested/.git/refs/heads/main", ""),
            ("nested/file", ""),
            ("target/x", ""),
            ("top.txt", ""),
            ("x.log", ""),
        ]);
        let of_git =
            ["HEAD", "config", "hooks/pre-commit", "refs/heads/main"].map(|name| format!("nested/.git/{name}"));
        let seen = [".gitignore", ".hidden", "a/.gitignore", "a/b.log", "a/top.txt", "keep.log"].map(str::to_owned);
        assert_eq!(paths(root.path()), [&seen[..], &of_git, &["nested/file".to_owned()]].concat());
    }

    #[test]
    fn repositories_in_the_folder_are_found_wherever_their_settings_are() {
        let root = tree(&[
            (".git/modules/sub/HEAD", ""),
            (".git/modules/sub/config", ""),
            (".hg/store/data", ""),
            ("linked/file", ""),
            ("other/.hg/hgrc", ""),
            ("other/.hg/store/data", ""),
            ("sub/.git", "gitdir: ../.git/modules/sub\n"),
        ]);
        let elsewhere = tree(&[("git/HEAD", ""), ("git/config", ""), ("git/objects/aa/bb", "")]);
        let git = elsewhere.path().join("git");
        fs::create_dir(root.path().join("apart")).unwrap();
        fs::write(root.path().join("apart/.git"), format!("gitdir: {}\n", git.display())).unwrap();
        symlink(&git, root.path().join("linked/.git")).unwrap();
        // What is of the folder's own repository is read with that.
        let of = |name: &str| [".git", ".git/HEAD", ".git/config"].map(|file| format!("{name}/{file}"));
        let rest = ["linked/file", "other/.hg/hgrc", "sub/.git"].map(str::to_owned);
        let mut expected = [&of("apart")[..], &of("linked"), &rest].concat();
        expected.sort();
        assert_eq!(paths(root.path()), expected);
    }

    #[test]
    fn nothing_outside_of_the_folder_has_a_say() {
        let root = tree(&[(".gitignore", "*"), ("below/file", ""), ("rules", "*")]);
        let below = root.path().join("below");
        symlink("../rules", below.join(".gitignore")).unwrap();
        assert_eq!(paths(&below), [".gitignore", "file"]);
    }

    #[test]
    fn the_rules_of_a_repository_hold_in_a_folder_of_it_and_in_a_linked_worktree() {
        let root = tree(&[
            (".git/info/exclude", "excluded\n"),
            (".git/worktrees/tree/commondir", "../..\n"),
            (".gitignore", "dist/\n*.log\n"),
            ("packages/.gitignore", "!keep.log\n/one/top\n"),
            ("packages/one/dist/x", ""),
            ("packages/one/excluded", ""),
            ("packages/one/file", ""),
            ("packages/one/keep.log", ""),
            ("packages/one/top", ""),
            ("packages/one/x.log", ""),
            ("tree/excluded", ""),
            ("tree/file", ""),
        ]);
        assert_eq!(paths(&root.path().join("packages/one")), ["file", "keep.log"]);
        let tree = root.path().join("tree");
        fs::write(tree.join(".git"), format!("gitdir: {}\n", root.path().join(".git/worktrees/tree").display()))
            .unwrap();
        assert_eq!(paths(&tree), [".git", "file"]);
    }

    #[test]
    fn a_repository_that_leaves_the_folder_out_has_no_say_in_it() {
        for (rules, seen) in [
            ("*\n", &["a.log", "file"][..]),
            ("/projects/\n*.log\n", &["a.log", "file"]),
            ("/*\n!/projects/\n*.log\n", &["file"]),
            ("/projects/one/*\n", &[]),
        ] {
            for file in [".gitignore", ".git/info/exclude"] {
                let root = tree(&[(".git/HEAD", ""), ("projects/one/a.log", ""), ("projects/one/file", "")]);
                fs::create_dir_all(root.path().join(".git/info")).unwrap();
                fs::write(root.path().join(file), rules).unwrap();
                assert_eq!(paths(&root.path().join("projects/one")), seen, "{rules}");
            }
        }
    }

    #[test]
    fn links_pipes_and_unreadable_folders_are_entries_and_hold_nothing_up() {
        let root = tree(&[("real/file", ""), ("piped/file", "")]);
        symlink("real", root.path().join("link")).unwrap();
        symlink(".", root.path().join("loop")).unwrap();
        mkfifoat(CWD, root.path().join("piped/.gitignore"), Mode::RUSR | Mode::WUSR).unwrap();
        assert_eq!(paths(root.path()), ["link", "loop", "piped/.gitignore", "piped/file", "real/file"]);
        assert_eq!(paths(&root.path().join("missing")), Vec::<String>::new());
    }

    #[test]
    fn what_is_left_out_is_named_whole() {
        let root = tree(&[("plan.md", ""), ("sub/plan.md", ""), (".aweave/x", ""), ("sub/.aweave/x", "")]);
        let left_out = ["plan.md", ".aweave"].map(|name| root.path().join(name));
        let files = walk(root.path(), &left_out, BOUNDS, &AtomicBool::new(false)).unwrap();
        let mut paths: Vec<_> = files.keys().collect();
        paths.sort();
        assert_eq!(paths, [Path::new("sub/.aweave/x"), Path::new("sub/plan.md")]);
    }

    #[test]
    fn a_walk_ends_when_it_is_given_up_and_at_its_bounds() {
        let root = tree(&[("a", ""), ("b/c", ""), ("b/d", "")]);
        let walk = |bounds: Bounds, given_up: bool| {
            let files = walk(root.path(), &[], bounds, &AtomicBool::new(given_up));
            files.map(|files| files.len())
        };
        assert_eq!(walk(BOUNDS, true), Err(Incomplete::GivenUp));
        assert_eq!(walk(Bounds { files: 3, ..BOUNDS }, false), Ok(3));
        assert_eq!(walk(Bounds { files: 2, ..BOUNDS }, false), Err(Incomplete::TooManyFiles));
        assert_eq!(walk(Bounds { time: Duration::ZERO, ..BOUNDS }, false), Err(Incomplete::TookTooLong));
        assert_eq!((BOUNDS.files, BOUNDS.time), (200_000, Duration::from_secs(10)));
    }
}
