//! The folder that is made for a start.

use std::{
    env,
    fs::{self, DirBuilder, Metadata},
    io::{self, ErrorKind, Read, Seek, SeekFrom},
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Mode, OFlags},
    process::geteuid,
};

use super::answer;
use crate::{files, input::ids};

/// The most that is read back of a file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// What the names of these folders begin with.
pub const PREFIX: &str = "aw-run-";

/// Where these folders are made, by its real path: what a program may write is told to it by path.
pub fn parent() -> io::Result<PathBuf> {
    fs::canonicalize(env::temp_dir())
}

/// The name of the file with the task, where it is too long for what a program is asked.
pub const TASK: &str = "task.md";

/// A path for such a folder, which nothing has yet. It is kept before the folder is made, so that a run that is killed right then
/// is known to have made it.
pub fn new_path() -> io::Result<PathBuf> {
    Ok(parent()?.join(format!("{PREFIX}{}", ids::new_id().simple())))
}

/// The folder. It is removed when it is dropped.
pub struct WorkFolder(PathBuf);

impl WorkFolder {
    /// Makes the folder, which only its owner may enter, with the plan, what changed in it since the role saw it, what the role
    /// noted before, and a task that is long.
    pub fn make(path: PathBuf, plan: &str, diff: &str, notes: Option<&str>, task: Option<&str>) -> io::Result<Self> {
        DirBuilder::new().mode(0o700).create(&path)?;
        let folder = Self(path);
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
        write("plan.md", plan)?;
        write("plan.diff", diff)?;
        write(SCHEMA, answer::SCHEMA)?;
        notes.map_or(Ok(()), |notes| write("notes.md", notes))?;
        task.map_or(Ok(()), |task| write(TASK, task))?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes the folder of a start, if it is one: a folder of this user with such a name.
pub fn remove(folder: &Path) {
    let has_name = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
    let is_ours = |it: &Metadata| it.is_dir() && it.uid() == geteuid().as_raw();
    if folder.is_absolute() && has_name && fs::symlink_metadata(folder).is_ok_and(|it| is_ours(&it)) {
        // What cannot be removed harms nobody.
        let _ = fs::remove_dir_all(folder);
    }
}

/// The notes, and whether they are cut to their last MiB, at a line; none if there are none that can be read.
pub fn read_notes(folder: &Path) -> Option<(String, bool)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW;
    let mut file = files::open_with(&folder.join("notes.md"), flags, Mode::empty()).ok()?;
    let length = file.metadata().ok()?.len();
    let left_out = length.saturating_sub(MAX_FILE_BYTES);
    // One byte more tells whether a line begins there.
    file.seek(SeekFrom::Start(left_out.saturating_sub(1))).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).ok()?;
    if left_out > 0 {
        let begin = bytes.iter().position(|byte| *byte == b'\n').map_or(1, |end| end + 1);
        bytes.drain(..begin);
    }
    Some((String::from_utf8_lossy(&bytes).into_owned(), left_out > 0))
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn make(plan: &str, task: Option<&str>) -> WorkFolder {
        WorkFolder::make(new_path().unwrap(), plan, "", None, task).unwrap()
    }

    #[test]
    fn only_plain_files_are_read_back() {
        let folder = make("# Plan", Some("Why"));
        assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(read(folder.path(), "plan.md").unwrap().as_deref(), Some("# Plan"));
        assert_eq!(read(folder.path(), "notes.md"), Ok(None));
        assert_eq!(read(folder.path(), TASK).unwrap().as_deref(), Some("Why"));
        symlink("/etc/passwd", folder.path().join("link.md")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, folder.path().join("fifo.md"), rustix::fs::FileType::Fifo, Mode::RUSR, 0)
            .unwrap();
        fs::write(folder.path().join("long.md"), "x".repeat(MAX_FILE_BYTES as usize + 1)).unwrap();
        for name in ["link.md", "fifo.md", "long.md", "."] {
            assert!(read(folder.path(), name).is_err(), "{name}");
        }
    }

    #[test]
    fn long_notes_are_cut_to_their_end_at_a_line() {
        let folder = make("", None);
        let write = |text: &str| fs::write(folder.path().join("notes.md"), text).unwrap();
        assert_eq!(read_notes(folder.path()), None);
        write("short\n");
        assert_eq!(read_notes(folder.path()), Some(("short\n".to_owned(), false)));
        let (line, end) = ("đ".repeat(50) + "\n", "the end\n");
        write(&(line.repeat(20_000) + end));
        let (notes, is_cut) = read_notes(folder.path()).unwrap();
        assert!(is_cut && notes.len() as u64 <= MAX_FILE_BYTES && notes.len() as u64 > MAX_FILE_BYTES - 102);
        assert!(notes.starts_with(&line) && notes.ends_with(end));
        // A line that ends right before the last MiB.
        write(&format!("\n{}\n", "x".repeat(MAX_FILE_BYTES as usize - 1)));
        assert_eq!(read_notes(folder.path()).unwrap().0.len() as u64, MAX_FILE_BYTES);
        write(&"x".repeat(MAX_FILE_BYTES as usize + 5));
        assert_eq!(read_notes(folder.path()).unwrap().0.len() as u64, MAX_FILE_BYTES);
    }

    #[test]
    fn only_folders_that_a_run_made_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        for name in ["aw-run-1", "other", "target"] {
            fs::create_dir(at(name)).unwrap();
        }
        fs::write(at("aw-run-file"), "").unwrap();
        symlink(at("target"), at("aw-run-link")).unwrap();
        for name in ["aw-run-1", "other", "aw-run-file", "aw-run-link", "aw-run-missing", "aw-run-1/.."] {
            remove(&at(name));
        }
        remove(Path::new("aw-run-relative"));
        let left: Vec<_> = ["aw-run-1", "other", "aw-run-file", "aw-run-link", "target"]
            .into_iter()
            .filter(|name| fs::symlink_metadata(at(name)).is_ok())
            .collect();
        assert_eq!(left, ["other", "aw-run-file", "aw-run-link", "target"]);
    }
}
