//! The folder that is made for a start.

use std::{
    fs::{self, DirBuilder, Permissions},
    io::{self, ErrorKind, Read, Seek, SeekFrom},
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Mode, OFlags},
    process::geteuid,
};

use tokio::task::spawn_blocking;

use crate::{
    files::{
        self,
        private::{self, START_PREFIX},
    },
    input::ids,
};

/// The most that is read back of a file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Where these folders are made, by its real path: what a program may write is told to it by path. It is this user's own, since
/// programs also look for settings in the folders above the one in which they run, and where temporary files lie anybody may put some.
pub fn parent() -> io::Result<PathBuf> {
    let folder = private::aweave_folder().ok_or(ErrorKind::NotFound)?.join("work");
    private::make_folder(&folder)?;
    fs::canonicalize(folder)
}

/// The name of the file with the task, where it is too long for what a program is asked.
pub const TASK: &str = "task.md";

/// A path for such a folder, which nothing has yet. It is kept before the folder is made, so that a run that is killed right then
/// is known to have made it.
pub fn new_path() -> io::Result<PathBuf> {
    Ok(parent()?.join(format!("{START_PREFIX}{}", ids::new_id().simple())))
}

/// The name of the plan.
pub const PLAN: &str = "plan.md";

/// The name of what a role notes.
pub const NOTES: &str = "notes.md";

/// The folder. It is removed when it is dropped.
pub struct WorkFolder {
    path: PathBuf,
    /// What is written into it, with the names
    files: Vec<(&'static str, String)>,
    /// The names of those that the program may change
    may_change: &'static [&'static str],
}

impl WorkFolder {
    /// Makes the folder, which only its owner may enter, with these files.
    pub fn make(
        path: PathBuf,
        files: Vec<(&'static str, String)>,
        may_change: &'static [&'static str],
    ) -> io::Result<Self> {
        let folder = Self { path, files, may_change };
        folder.restore()?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is there, and not something else in its place.
    pub fn is_there(&self) -> bool {
        is_folder_of_user(&self.path)
    }

    /// Makes it what a start needs: what is gone, and what the program may not change, is as it was given.
    pub fn restore(&self) -> io::Result<()> {
        let is_there = self.is_there();
        if is_there {
            fs::set_permissions(&self.path, Permissions::from_mode(MODE))?;
        } else {
            remove_any(&self.path)?;
            DirBuilder::new().mode(MODE).create(&self.path)?;
        }
        for (name, text) in &self.files {
            let is_kept = self.may_change.contains(name) && is_file(&self.path, name);
            if !is_kept && read(&self.path, name).ok().flatten().as_ref() != Some(text) {
                self.put_back(name)?;
            }
        }
        Ok(())
    }

    /// Makes a file what was written into the folder, whatever is in its place.
    pub fn put_back(&self, name: &str) -> io::Result<()> {
        let (_, text) = self.files.iter().find(|(file, _)| *file == name).ok_or(ErrorKind::NotFound)?;
        let path = self.path.join(name);
        // What a link leads to is not written to.
        remove_any(&path)?;
        path.parent().map_or(Ok(()), private::make_folder)?;
        fs::write(path, text)
    }
}

/// Only the user may enter the folder.
const MODE: u32 = 0o700;

/// Removes what is at a path, if anything is.
fn remove_any(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(it) if it.is_dir() => remove_folder(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    removed.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// Removes a folder, also where a program left some in it that it may not change, as Go does with its modules.
fn remove_folder(path: &Path) -> io::Result<()> {
    fs::remove_dir_all(path).or_else(|_| {
        make_writable(path);
        fs::remove_dir_all(path)
    })
}

/// Whether there is a file by this name in the folder, and no link.
pub fn is_file(folder: &Path, name: &str) -> bool {
    fs::symlink_metadata(folder.join(name)).is_ok_and(|it| it.is_file())
}

fn is_folder_of_user(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|it| it.is_dir() && it.uid() == geteuid().as_raw())
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes the folder of a start beside the thread that hears signals: it may have many files.
pub async fn remove_beside(folder: PathBuf) {
    // Where that fails it is removed once more.
    let _ = spawn_blocking(move || remove(&folder)).await;
}

/// Removes the folder of a start, if it is one: a folder of this user with such a name.
pub fn remove(folder: &Path) {
    let has_name = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(START_PREFIX));
    if folder.is_absolute() && has_name && is_folder_of_user(folder) {
        // What cannot be removed harms nobody.
        let _ = remove_folder(folder);
    }
}

/// Lets the user remove what is in a folder, as package managers keep him from it. Links are not followed.
fn make_writable(folder: &Path) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let _ = fs::set_permissions(&folder, Permissions::from_mode(MODE));
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        folders.extend(
            entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()),
        );
    }
}

/// The notes, and whether they are cut to their last MiB, at a line; none if there are none that can be read.
pub fn read_notes(folder: &Path) -> Option<(String, bool)> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW;
    let mut file = files::open_with(&folder.join(NOTES), flags, Mode::empty()).ok()?;
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
    use std::{env, os::unix::fs::symlink};

    use super::*;

    fn make(plan: &str, task: Option<&str>) -> WorkFolder {
        let files = [(PLAN, Some(plan)), (SCHEMA, Some("{}")), (TASK, task)];
        let files = files.into_iter().filter_map(|(name, text)| Some((name, text?.to_owned())));
        let path = env::temp_dir().join(format!("{START_PREFIX}{}", ids::new_id().simple()));
        WorkFolder::make(path, files.collect(), &[PLAN, NOTES]).unwrap()
    }

    #[test]
    fn a_folder_that_a_program_changed_or_removed_is_one_to_start_in_again() {
        let folder = make("# Plan", Some("Why"));
        let other = tempfile::NamedTempFile::new().unwrap();
        let read_of = |name: &str| read(folder.path(), name).unwrap();
        // What the program may change stays, and what a link leads to is left.
        fs::write(folder.path().join(PLAN), "# Better").unwrap();
        fs::write(folder.path().join(NOTES), "noted").unwrap();
        fs::remove_file(folder.path().join(SCHEMA)).unwrap();
        symlink(other.path(), folder.path().join(SCHEMA)).unwrap();
        fs::remove_file(folder.path().join(TASK)).unwrap();
        fs::create_dir(folder.path().join(TASK)).unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o000)).unwrap();
        folder.restore().unwrap();
        assert_eq!([PLAN, NOTES, SCHEMA, TASK].map(|name| read_of(name).unwrap()), ["# Better", "noted", "{}", "Why"]);
        assert_eq!(fs::metadata(other.path()).unwrap().len(), 0);
        // What is no file any more is as it was given, and what may not be changed is, too.
        fs::remove_file(folder.path().join(PLAN)).unwrap();
        fs::create_dir(folder.path().join(PLAN)).unwrap();
        fs::write(folder.path().join(TASK), "Other").unwrap();
        folder.restore().unwrap();
        assert_eq!([PLAN, TASK].map(|name| read_of(name).unwrap()), ["# Plan", "Why"]);
        let replace: [fn(&Path); 3] =
            [|_| (), |path| fs::write(path, "").unwrap(), |path| symlink("/etc", path).unwrap()];
        for replace in replace {
            fs::remove_dir_all(folder.path()).unwrap();
            replace(folder.path());
            assert!(!folder.is_there());
            folder.restore().unwrap();
            assert!(folder.is_there());
            assert_eq!([PLAN, SCHEMA, TASK].map(|name| read_of(name).unwrap()), ["# Plan", "{}", "Why"]);
            assert_eq!(read_of(NOTES), None);
        }
    }

    #[test]
    fn a_file_is_put_back_whatever_is_in_its_place() {
        let folder = make("# Plan", None);
        let other = tempfile::NamedTempFile::new().unwrap();
        let plan = folder.path().join(PLAN);
        let replace: [&dyn Fn(); 4] = [
            &|| (),
            &|| symlink(other.path(), &plan).unwrap(),
            &|| fs::create_dir_all(plan.join("below")).unwrap(),
            &|| fs::write(&plan, [0xe9]).unwrap(),
        ];
        for replace in replace {
            remove_any(&plan).unwrap();
            replace();
            folder.put_back(PLAN).unwrap();
            assert_eq!(read(folder.path(), PLAN).unwrap().as_deref(), Some("# Plan"));
        }
        assert_eq!(fs::metadata(other.path()).unwrap().len(), 0);
        assert!(folder.put_back("other").is_err());
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
    fn folders_that_nobody_may_write_are_removed_and_what_links_lead_to_stays() {
        let (parent, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = parent.path().join("aw-run-1");
        fs::create_dir_all(folder.join("mod/a")).unwrap();
        fs::write(folder.join("mod/a/file"), "").unwrap();
        symlink(other.path(), folder.join("mod/link")).unwrap();
        let mode = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        mode(other.path(), 0o555);
        // Root may remove them all the same, so that what makes it possible is looked at.
        for path in [&folder.join("mod/a"), &folder.join("mod")] {
            mode(path, 0o555);
        }
        make_writable(&folder);
        let mode_of = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!([mode_of(&folder.join("mod/a")), mode_of(other.path())], [0o700, 0o555]);
        mode(&folder.join("mod"), 0o000);
        remove(&folder);
        assert!(!folder.exists() && other.path().exists());
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
