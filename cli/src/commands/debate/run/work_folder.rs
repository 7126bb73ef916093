//! The folder that is made for a start, and what is told of the code's folder before and after it.

use std::{
    fs::{self, Permissions},
    io::{self, ErrorKind},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
};

use rustix::fs::{Mode, OFlags};
use tempfile::TempDir;

use super::answer;
use crate::files;

/// The most that is read back of a file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Makes the folder, which only its owner may enter, with the plan, what changed in it since the role saw it, and what the role
/// noted before. It is removed when it is dropped.
pub fn make(plan: &str, diff: &str, notes: Option<&str>) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("aw-run-").permissions(Permissions::from_mode(0o700)).tempdir()?;
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
    write("plan.md", plan)?;
    write("plan.diff", diff)?;
    write(SCHEMA, answer::SCHEMA)?;
    notes.map_or(Ok(()), |notes| write("notes.md", notes))?;
    Ok(folder)
}

/// The name of the file with the schema of the answer.
pub const SCHEMA: &str = "answer.schema.json";

/// Reads a file of the folder, which has to be a plain file of UTF-8; none if there is none.
pub fn read(folder: &Path, name: &str) -> Result<Option<String>, String> {
    let wrong = |problem: &str| format!("{name} {problem}");
    let read = || {
        let file = files::open_with(&folder.join(name), OFlags::RDONLY | OFlags::NOFOLLOW, Mode::empty())?;
        files::read_to_limit(file, MAX_FILE_BYTES)
    };
    match read() {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| wrong("is no text in UTF-8")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(wrong(&format!("cannot be read: {error}"))),
    }
}

/// The commit of a repository and what is changed in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeState {
    head: String,
    status: String,
}

/// The state of the folder; none if it is no repository of git.
pub fn code_state(folder: &Path) -> Option<CodeState> {
    let git = |arguments: &[&str]| {
        // Nothing that the repository names is run.
        let mut command = Command::new("git");
        command.args(["-c", "core.fsmonitor=false", "-C"]).arg(folder).args(arguments);
        let output = command.env("GIT_OPTIONAL_LOCKS", "0").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let status = git(&["status", "--porcelain=v1", "--untracked-files=all"])?;
    Some(CodeState { head: git(&["rev-parse", "HEAD"]).unwrap_or_default(), status })
}

/// What changed, in words; none if nothing did.
pub fn changed(before: Option<&CodeState>, after: Option<&CodeState>) -> Option<String> {
    let (before, after) = (before?, after);
    let Some(after) = after else { return Some("the folder is no repository any more".to_owned()) };
    if before.head != after.head {
        return Some(format!("HEAD was {} and is {}", before.head.trim(), after.head.trim()));
    }
    let new = after.status.lines().filter(|line| !before.status.lines().any(|old| old == *line));
    let gone = before.status.lines().filter(|line| !after.status.lines().any(|now| now == *line));
    let lines: Vec<_> = new.map(str::to_owned).chain(gone.map(|line| format!("no longer {line}"))).take(10).collect();
    (before != after).then(|| format!("git status differs: {}", lines.join(", ")))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_plain_files_are_read_back() {
        let folder = make("# Plan", "", None).unwrap();
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(read(folder.path(), "plan.md").unwrap().as_deref(), Some("# Plan"));
        assert_eq!(read(folder.path(), "notes.md"), Ok(None));
        symlink("/etc/passwd", folder.path().join("link.md")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, folder.path().join("fifo.md"), rustix::fs::FileType::Fifo, Mode::RUSR, 0)
            .unwrap();
        fs::write(folder.path().join("long.md"), "x".repeat(MAX_FILE_BYTES as usize + 1)).unwrap();
        for name in ["link.md", "fifo.md", "long.md", "."] {
            assert!(read(folder.path(), name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_changed_repository_is_told() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(code_state(folder.path()), None);
        let git = |arguments: &[&str]| {
            let identity = ["-c", "user.name=a", "-c", "user.email=a@example.invalid", "-C"];
            let done = Command::new("git").args(identity).arg(folder.path()).args(arguments).output().unwrap();
            assert!(done.status.success(), "{done:?}");
        };
        git(&["init", "-q"]);
        git(&["commit", "-q", "--allow-empty", "-m", "one"]);
        let before = code_state(folder.path());
        assert_eq!(changed(before.as_ref(), code_state(folder.path()).as_ref()), None);
        fs::write(folder.path().join("new.txt"), "x").unwrap();
        let told = changed(before.as_ref(), code_state(folder.path()).as_ref()).unwrap();
        assert!(told.contains("?? new.txt"), "{told}");
        git(&["commit", "-q", "--allow-empty", "-m", "two"]);
        assert!(changed(before.as_ref(), code_state(folder.path()).as_ref()).unwrap().starts_with("HEAD was"));
    }
}
