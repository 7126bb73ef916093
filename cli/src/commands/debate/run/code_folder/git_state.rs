//! What git, Mercurial, Sapling and Jujutsu keep of a folder, as far as plain files have it: the commit of git, the settings, and the
//! hooks.

use std::{
    ffi::OsStr,
    fs,
    io::ErrorKind,
    iter,
    os::unix::fs::MetadataExt,
    path::{Component, Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::process::{Uid, geteuid};
use sha2::{Digest, Sha256};

use super::{Content, Files, MAX_READ_BYTES, walk::Fingerprint};
use crate::files;

/// The most hooks that are looked at.
const MAX_HOOKS: usize = 100;

/// The file that says which files go through the programs that the settings name.
const ATTRIBUTES: &str = "info/attributes";

/// The most folders in which repositories of submodules are looked for.
const MAX_MODULES: usize = 1000;

/// Folders like `.git` of others, and the files with settings in them, which name programs, too. The commits of these are not told.
const OTHERS: [(&str, &[&str]); 4] = [
    (".hg", &["hgrc", "hgrc-not-shared"]),
    (".sl", &["config"]),
    (".jj", &["repo/config.toml", "workspace-config.toml", "repo/store/git/config"]),
    (".svn", &[]),
];

/// The files with settings of a folder like `.git`; none if it is not one of the others.
pub fn settings_of_other(folder: &OsStr) -> Option<&'static [&'static str]> {
    OTHERS.iter().find(|(name, _)| folder == *name).map(|(_, files)| *files)
}

/// Whether git, or one of the others, would run what a path below the root names that [`read`], [`read_nested`] or the walk tells, or
/// may have.
pub fn names_programs(root: &Path, path: &Path) -> bool {
    let is_settings = |name: &OsStr| ["config", "config.worktree", "hooks", "modules"].iter().any(|one| name == *one);
    let mut names = path.components().map(Component::as_os_str);
    // A file of this name says where the settings are.
    if let Some(git) = names.find(|name| *name == ".git" || settings_of_other(name).is_some()) {
        return git != ".git" || names.next().is_none_or(is_settings) || path.ends_with(ATTRIBUTES);
    }
    // A bare repository has no such folder.
    let has_head = |folder: &Path| folder.join("HEAD").is_file() && folder.join("objects").is_dir();
    let found = path.ancestors().take(3).find(|part| part.file_name().is_some_and(is_settings));
    found.and_then(Path::parent).is_some_and(|folder| has_head(&root.join(folder)))
}

/// The repository that a folder belongs to.
pub struct Repository {
    /// The folder that has it, this one or one above
    pub top: PathBuf,
    /// What is of this checkout alone
    own: PathBuf,
    /// What it shares with others
    pub common: PathBuf,
}

/// The repository of a folder; none if it belongs to none, or to one above that somebody else made: who may write to a folder
/// above, such as one for temporary files, would have a say.
pub fn repository(root: &Path) -> Option<Repository> {
    repository_of_user(root, user())
}

fn user() -> u32 {
    geteuid().as_raw()
}

fn repository_of_user(root: &Path, user: u32) -> Option<Repository> {
    for top in root.ancestors() {
        if top != root && is_of_another(&top.join(".git"), user) {
            return None;
        }
        if let Some(repository) = repository_in(top) {
            return Some(repository);
        }
    }
    None
}

/// Whether a path, or what it leads to, belongs to neither this user nor the system.
fn is_of_another(path: &Path, user: u32) -> bool {
    let found = [fs::symlink_metadata(path), fs::metadata(path)];
    found.iter().flatten().any(|found| ![user, Uid::ROOT.as_raw()].contains(&found.uid()))
}

/// The files of git by the names that they have in a plain clone, seen from the folder, and those of the others there and above.
pub fn read(root: &Path, given_up: &AtomicBool) -> Files {
    let mut state = Files::new();
    let name_above = |above: usize, name: &str| iter::repeat_n("..", above).chain([name]).collect::<PathBuf>();
    if let Some(repository) = repository(root) {
        let above = root.strip_prefix(&repository.top).map_or(0, |below| below.components().count());
        read_into(&mut state, &name_above(above, ".git"), &repository, given_up);
    }
    for (above, top) in root.ancestors().enumerate() {
        for (name, _) in OTHERS.iter().filter(|(name, _)| above == 0 || !is_of_another(&top.join(name), user())) {
            read_other(&mut state, root, &name_above(above, name));
        }
    }
    state
}

/// The same of a repository within the folder, whose `.git` has this name seen from there. One that is within that of the folder itself,
/// `of_root`, is read with that.
pub fn read_nested(state: &mut Files, root: &Path, git: &Path, of_root: Option<&Path>, given_up: &AtomicBool) {
    let Some(repository) = repository_in(&root.join(git.parent().unwrap_or(git))) else { return };
    let is_within = |of_root| fs::canonicalize(&repository.common).is_ok_and(|common| common.starts_with(of_root));
    if !of_root.is_some_and(is_within) {
        read_into(state, git, &repository, given_up);
    }
}

/// The settings in a folder of one of the others, which has this name seen from the root.
pub fn read_other(state: &mut Files, root: &Path, name: &Path) {
    for file in name.file_name().and_then(settings_of_other).into_iter().flatten() {
        let name = name.join(file);
        state.extend(content(&root.join(&name)).map(|content| (name, content)));
    }
}

fn read_into(state: &mut Files, git: &Path, Repository { own, common, .. }: &Repository, given_up: &AtomicBool) {
    let mut add = |name: PathBuf, path: &Path| {
        if !given_up.load(Ordering::Relaxed)
            && let Some(content) = content(path)
        {
            state.insert(git.join(name), content);
        }
    };
    add("HEAD".into(), &own.join("HEAD"));
    add("config.worktree".into(), &own.join("config.worktree"));
    // Where branches are kept in tables, their files do not say which commit is checked out; a worktree has some of its own.
    let tables = Path::new("reftable/tables.list");
    add(tables.to_owned(), &common.join(tables));
    if own != common {
        let worktree = Path::new("worktrees").join(own.file_name().unwrap_or_default());
        add(worktree.join(tables), &own.join(tables));
    }
    let modules = modules(&common.join("modules"));
    let modules = modules.iter().filter_map(|module| Some((module.strip_prefix(common).ok()?, module.as_path())));
    for (name, folder) in [(Path::new(""), common.as_path())].into_iter().chain(modules) {
        for file in ["config", ATTRIBUTES, "info/exclude"] {
            add(name.join(file), &folder.join(file));
        }
        let hooks = fs::read_dir(folder.join("hooks")).into_iter().flatten().flatten();
        // Git runs no samples, and brings some along with each new repository.
        let hooks = hooks.filter(|hook| Path::new(&hook.file_name()).extension() != Some(OsStr::new("sample")));
        hooks.take(MAX_HOOKS).for_each(|hook| add(name.join("hooks").join(hook.file_name()), &hook.path()));
    }
    if let Some(name) = head_ref(own)
        && let Some(commit) = commit(common, &name)
    {
        state.insert(git.join(name), Content::Commit(commit));
    }
}

/// The repositories of submodules, which may have some of their own.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders, mut looked_at) = (Vec::new(), vec![folder.to_owned()], 0);
    while let Some(folder) = folders.pop().filter(|_| looked_at < MAX_MODULES) {
        looked_at += 1;
        let is_repository = folder.join("HEAD").is_file();
        let below = if is_repository { folder.join("modules") } else { folder.clone() };
        let entries = fs::read_dir(below).into_iter().flatten().flatten().take(MAX_MODULES);
        folders.extend(
            entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()),
        );
        if is_repository {
            found.push(folder);
        }
    }
    found
}

/// The repository of a checkout.
fn repository_in(top: &Path) -> Option<Repository> {
    let git = top.join(".git");
    // As git does it, a link is followed.
    let kind = fs::metadata(&git).ok()?.file_type();
    let own = if kind.is_dir() {
        git
    } else {
        // A linked worktree and a submodule have a file that says where it is.
        let named = files::read_text(&git, MAX_READ_BYTES).ok().filter(|_| kind.is_file())?;
        top.join(named.strip_prefix("gitdir:")?.trim())
    };
    let common = files::read_text(&own.join("commondir"), MAX_READ_BYTES).map(|path| own.join(path.trim()));
    Some(Repository { top: top.to_owned(), common: common.unwrap_or_else(|_| own.clone()), own })
}

fn content(path: &Path) -> Option<Content> {
    let metadata = fs::metadata(path).or_else(|_| fs::symlink_metadata(path)).ok()?;
    let fingerprint = Fingerprint::of(&metadata);
    match files::read(path, MAX_READ_BYTES) {
        Ok(bytes) => Some(Content::Read(Sha256::digest(bytes).into(), fingerprint.mode)),
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => None,
        Err(_) => Some(Content::Seen(fingerprint)),
    }
}

/// The branch that HEAD names.
fn head_ref(own: &Path) -> Option<PathBuf> {
    let head = files::read_text(&own.join("HEAD"), MAX_READ_BYTES).ok()?;
    let name = PathBuf::from(head.strip_prefix("ref:")?.trim());
    let is_plain = name.components().all(|component| matches!(component, Component::Normal(_)));
    (is_plain && name.starts_with("refs")).then_some(name)
}

/// The commit of a branch, which has a file of its own or a line in `packed-refs`.
fn commit(common: &Path, name: &Path) -> Option<String> {
    if let Ok(own) = files::read_text(&common.join(name), MAX_READ_BYTES) {
        return Some(own.trim().to_owned());
    }
    let packed = files::read_text(&common.join("packed-refs"), MAX_READ_BYTES).ok()?;
    let lines = packed.lines().filter_map(|line| line.split_once(' '));
    lines.filter(|(_, packed)| Path::new(packed) == name).map(|(commit, _)| commit.to_owned()).next()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, chown, lchown, symlink};

    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read_all(root: &Path) -> Files {
        read(root, &AtomicBool::new(false))
    }

    fn names(root: &Path) -> Vec<PathBuf> {
        let mut names: Vec<_> = read_all(root).into_keys().collect();
        names.sort();
        names
    }

    /// What a change of the files leads to, by path.
    fn changed_by(root: &Path, change: impl FnOnce()) -> Vec<String> {
        let before = read_all(root);
        change();
        let after = read_all(root);
        let all: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
        let changed = all.into_iter().filter(|path| before.get(*path) != after.get(*path));
        changed.map(|path| path.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_commit_a_setting_and_a_hook_are_told_by_their_paths() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        assert!(read_all(root).is_empty());
        write(root, ".git/HEAD", "ref: refs/heads/main\n");
        write(root, ".git/config", "[core]\n");
        write(root, ".git/packed-refs", "# pack-refs with: peeled\naaaa refs/heads/main\nbbbb refs/heads/other\n");
        let set = |path: &str, text: &str| changed_by(root, || write(root, path, text));
        assert_eq!(set(".git/config", "[core]\n"), Vec::<String>::new());
        assert_eq!(set(".git/packed-refs", "cccc refs/heads/main\n"), [".git/refs/heads/main"]);
        assert_eq!(set(".git/refs/heads/main", "cccc\n"), Vec::<String>::new());
        assert_eq!(set(".git/refs/heads/main", "dddd\n"), [".git/refs/heads/main"]);
        assert_eq!(set(".git/config", "[core]\nfsmonitor = x\n"), [".git/config"]);
        assert_eq!(set(".git/hooks/pre-commit", "x"), [".git/hooks/pre-commit"]);
        assert!(set(".git/hooks/pre-push.sample", "x").is_empty(), "git runs no samples");
        let hook = root.join(".git/hooks/pre-commit");
        let make_executable = || fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(changed_by(root, make_executable), [".git/hooks/pre-commit"]);
        assert_eq!(changed_by(root, || fs::remove_file(&hook).unwrap()), [".git/hooks/pre-commit"]);
        assert_eq!(set(".git/reftable/tables.list", "0x1.ref\n"), [".git/reftable/tables.list"]);
        assert_eq!(set(".git/HEAD", "eeee\n"), [".git/HEAD", ".git/refs/heads/main"]);
        // A name that leads elsewhere is none.
        assert_eq!(set(".git/HEAD", "ref: ../config\n"), [".git/HEAD"]);
    }

    #[test]
    fn a_worktree_has_its_own_head_and_the_settings_of_the_clone() {
        let folder = tempfile::tempdir().unwrap();
        let (clone, tree) = (folder.path().join("clone"), folder.path().join("tree"));
        write(&clone, ".git/worktrees/tree/HEAD", "ref: refs/heads/two\n");
        write(&clone, ".git/worktrees/tree/commondir", "../..\n");
        write(&clone, ".git/refs/heads/two", "aaaa\n");
        write(&clone, ".git/config", "[core]\n");
        write(&tree, ".git", &format!("gitdir: {}\n", clone.join(".git/worktrees/tree").display()));
        assert_eq!(names(&tree), [".git/HEAD", ".git/config", ".git/refs/heads/two"].map(PathBuf::from));
        // `git init --separate-git-dir` leaves such a file, too.
        let apart = folder.path().join("apart");
        write(&apart, ".git", "gitdir: ../clone/.git\n");
        assert_eq!(names(&apart), [".git/config"].map(PathBuf::from));
        let in_tables = changed_by(&tree, || write(&clone, ".git/worktrees/tree/reftable/tables.list", "0x1.ref\n"));
        assert_eq!(in_tables, [".git/worktrees/tree/reftable/tables.list"]);
        let moved = changed_by(&tree, || write(&clone, ".git/refs/heads/two", "bbbb\n"));
        assert_eq!(moved, [".git/refs/heads/two"]);
    }

    #[test]
    fn a_repository_above_settings_of_a_worktree_and_submodules_count() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        write(root, ".git/HEAD", "ref: refs/heads/main\n");
        for module in ["a", "libs/b", "a/modules/c"] {
            write(root, &format!(".git/modules/{module}/HEAD"), "aaaa\n");
        }
        let below = root.join("one/two");
        fs::create_dir_all(&below).unwrap();
        let mut seen = Vec::new();
        for file in [
            "config",
            "hooks/pre-commit",
            "config.worktree",
            "info/attributes",
            "modules/a/config",
            "modules/a/hooks/pre-commit",
            "modules/libs/b/config",
            "modules/a/modules/c/config",
            "info/exclude",
            "refs/heads/main",
        ] {
            let file = format!(".git/{file}");
            assert_eq!(changed_by(root, || write(root, &file, "x")).join(" "), file);
            assert_eq!(changed_by(&below, || write(root, &file, "y")), [format!("../../{file}")]);
            seen.push(file);
        }
        let runs = |path: &String| {
            names_programs(root, Path::new(path)) && names_programs(&below, &Path::new("../..").join(path))
        };
        assert!(seen[..8].iter().all(runs), "{seen:?}");
        for other in [
            ".git/HEAD",
            ".git/info/exclude",
            ".git/refs/heads/main",
            "../.git/refs/heads/hooks/config",
            "config",
            "hooks/config",
        ] {
            assert!(!names_programs(root, Path::new(other)), "{other}");
        }
        assert!(names_programs(root, Path::new("sub/.git/config")));
        assert!(names_programs(root, Path::new("sub/.git")), "a file that says where the settings are");
    }

    #[test]
    fn settings_of_bare_repositories_and_of_others_than_git_name_programs() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        write(root, "cache/a.git/HEAD", "ref: refs/heads/main\n");
        fs::create_dir(root.join("cache/a.git/objects")).unwrap();
        for (path, runs) in [
            ("cache/a.git/config", true),
            ("cache/a.git/hooks/post-receive", true),
            ("cache/a.git/HEAD", false),
            ("cache/a.git/objects/aa/bb", false),
            ("cache/config", false),
            ("hooks/use-it.ts", false),
            ("sub/.hg/hgrc", true),
            ("../.jj/repo/config.toml", true),
            ("hgrc", false),
        ] {
            assert_eq!(names_programs(root, Path::new(path)), runs, "{path}");
        }
        let below = root.join("one");
        fs::create_dir(&below).unwrap();
        for path in [".hg/hgrc", ".sl/config", ".jj/repo/config.toml", ".jj/repo/store/git/config"] {
            assert_eq!(changed_by(root, || write(root, path, "x")), [path]);
            assert_eq!(changed_by(&below, || write(root, path, "y")), [format!("../{path}")]);
        }
        for path in [".hg/dirstate", ".svn/wc.db", ".jj/working_copy/tree_state"] {
            assert_eq!(changed_by(root, || write(root, path, "x")), Vec::<String>::new());
        }
    }

    #[test]
    fn a_repository_above_that_somebody_else_made_is_none() {
        let root = tempfile::tempdir().unwrap();
        let below = root.path().join("below");
        write(root.path(), "below/file", "");
        write(root.path(), ".git/HEAD", "");
        // Only the system's user may do that, and needs it: what is the system's counts for everybody.
        let _ = chown(root.path().join(".git"), Some(4321), None);
        let owner = fs::metadata(root.path().join(".git")).unwrap().uid();
        let is_found = |folder: &Path, user: u32| repository_of_user(folder, user).is_some();
        assert_eq!([owner, owner + 1].map(|user| is_found(&below, user)), [true, false]);
        assert_eq!([owner, owner + 1].map(|user| is_found(root.path(), user)), [true, true]);
        // A link counts as that of who made it.
        let linked = root.path().join("linked");
        write(&linked, "below/file", "");
        fs::create_dir(linked.join("git")).unwrap();
        symlink("git", linked.join(".git")).unwrap();
        let _ = lchown(linked.join(".git"), Some(owner), None);
        assert_eq!([owner, owner + 1].map(|user| is_found(&linked.join("below"), user)), [true, false]);
    }

    #[test]
    fn what_is_no_plain_file_holds_nothing_up() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(".git/hooks")).unwrap();
        for (target, link) in [("/dev/zero", "HEAD"), ("/dev/zero", "packed-refs"), ("missing", "config")] {
            symlink(target, root.path().join(".git").join(link)).unwrap();
        }
        let found = names(root.path());
        assert_eq!(found, [".git/HEAD", ".git/config"].map(PathBuf::from));
        // As git does it, a link to a repository is followed.
        let other = tempfile::tempdir().unwrap();
        symlink(root.path().join(".git"), other.path().join(".git")).unwrap();
        assert_eq!(names(other.path()), found);
    }
}
