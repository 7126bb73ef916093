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

/// The commit of a repository and what is changed in it, each on a line; none if the folder is no repository of git.
pub fn code_state(folder: &Path) -> Option<Vec<String>> {
    let git = |arguments: &[&str]| {
        // Nothing that the repository names is run.
        let mut command = Command::new("git");
        command.args(["-c", "core.fsmonitor=false", "-C"]).arg(folder).args(arguments);
        let output = command.env("GIT_OPTIONAL_LOCKS", "0").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let status = git(&["status", "--porcelain=v1", "--untracked-files=all"])?;
    let head = git(&["rev-parse", "HEAD"]).map(|commit| format!("HEAD is {}", commit.trim()));
    Some(head.into_iter().chain(status.lines().map(str::to_owned)).collect())
}

/// What changed, in words; none if nothing did.
pub fn changed(before: Option<Vec<String>>, after: Option<Vec<String>>) -> Option<String> {
    let before = before?;
    let Some(after) = after else { return Some("the folder is no repository any more".to_owned()) };
    let new = after.iter().filter(|line| !before.contains(line)).cloned();
    let gone = before.iter().filter(|line| !after.contains(line)).map(|line| format!("no longer {line}"));
    let lines: Vec<_> = new.chain(gone).take(10).collect();
    (!lines.is_empty()).then(|| format!("git status differs: {}", lines.join(", ")))
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
        assert_eq!(changed(before.clone(), code_state(folder.path())), None);
        fs::write(folder.path().join("new.txt"), "x").unwrap();
        let told = changed(before.clone(), code_state(folder.path())).unwrap();
        assert!(told.contains("?? new.txt"), "{told}");
        git(&["commit", "-q", "--allow-empty", "-m", "two"]);
        let told = changed(before, code_state(folder.path())).unwrap();
        assert!(told.contains("HEAD is") && told.contains("no longer HEAD is"), "{told}");
    }
}
