//! What becomes of files, and how they are changed.

use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};

use crate::{
    files,
    output::{Code, Failure, atomic_file},
};

/// A file below the project's folder or the user's home, and what is in it.
pub struct Found {
    /// Its path as users know it
    pub path: PathBuf,
    /// The folder that it may not leave
    root: PathBuf,
    /// The file itself, with all links followed
    file: PathBuf,
    /// Whether the path itself is a link to it
    pub is_link: bool,
    /// Its text, `None` if it is not there; or why it cannot be used
    pub text: Result<Option<String>, String>,
}

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing: it is as it should be
    None,
    /// It is made
    Create(String),
    /// It gets this text
    Update(String),
    /// It gets this text, and the present one stays in a file beside it
    Replace(String),
    /// It goes, and the folders above it that are empty then
    Delete,
    /// Nothing, for this reason: it must not be changed
    Left(String),
}

/// A file, and what becomes of it.
pub struct Planned {
    pub found: Found,
    pub change: Change,
}

/// What becomes of a file that stays as it is.
pub const UNCHANGED: &str = "none";

/// What is told of a file.
#[derive(Serialize, Deserialize)]
pub struct ToldFile {
    pub path: String,
    pub change: String,
    /// Where the former one is kept
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_as: Option<String>,
    /// Why it is left as it is
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Found {
    /// Reads a file in a folder that it may not leave.
    pub fn read((root, path): (PathBuf, PathBuf)) -> Self {
        let file = files::resolve_below(&root, &path);
        let text = file.as_ref().map_err(ToString::to_string).and_then(|file| {
            match files::read_text(file, files::MAX_BYTES) {
                Ok(text) => Ok(Some(text)),
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
                Err(error) => Err(error.to_string()),
            }
        });
        let path = root.join(path);
        let is_link = fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
        Self { path, root, file: file.unwrap_or_default(), is_link, text }
    }
}

impl Planned {
    /// What is told of it.
    pub fn told(&self) -> ToldFile {
        let path = &self.found.path;
        let (change, kept_as, reason) = match &self.change {
            Change::None => (UNCHANGED, None, None),
            Change::Create(_) => ("create", None, None),
            Change::Update(_) => ("update", None, None),
            Change::Replace(_) => ("replace", Some(free_path_beside(path)), None),
            Change::Delete => ("remove", None, None),
            Change::Left(reason) => (UNCHANGED, None, Some(reason.clone())),
        };
        let kept_as = kept_as.map(|path| path.display().to_string());
        ToldFile { path: path.display().to_string(), change: change.to_owned(), kept_as, reason }
    }

    fn apply(&self) -> io::Result<()> {
        let Found { path, root, file, .. } = &self.found;
        if matches!(self.change, Change::Update(_) | Change::Replace(_) | Change::Delete) {
            // A new file in its place needs no leave of it, but whoever made it so wants it to stay.
            refuse_read_only(file)?;
        }
        match &self.change {
            Change::None | Change::Left(_) => Ok(()),
            // It never replaces another that came meanwhile.
            Change::Create(content) => {
                file.parent().map_or(Ok(()), fs::create_dir_all)?;
                let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
                files::open_with(file, flags, Mode::from_raw_mode(0o666))?.write_all(content.as_bytes())
            }
            Change::Update(content) => atomic_file::replace(file, content.as_bytes(), true),
            Change::Replace(content) => {
                keep(file, &free_path_beside(path))?;
                atomic_file::replace(file, content.as_bytes(), true)
            }
            Change::Delete => {
                fs::remove_file(file)?;
                // A link to it would lead to nothing.
                if self.found.is_link {
                    fs::remove_file(path)?;
                }
                remove_empty_folders(path, root);
                Ok(())
            }
        }
    }
}

/// Makes all changes that can be made. What fails is told when the others are made: the same command goes on from there.
pub fn apply(planned: &[Planned]) -> Result<(), Failure> {
    let failed = planned.iter().filter_map(|one| Some((&one.found.path, one.apply().err()?))).collect::<Vec<_>>();
    if failed.is_empty() {
        return Ok(());
    }
    let each: Vec<_> = failed.iter().map(|(path, error)| format!("{}: {error}", path.display())).collect();
    let is_in_the_way = |error: &io::Error| matches!(error.kind(), ErrorKind::NotADirectory | ErrorKind::AlreadyExists);
    let how = if failed.iter().any(|(_, error)| is_in_the_way(error)) {
        "Move away what stands where a folder has to be, and make the others writable; then run the same command again"
    } else {
        "Make sure that it and its folder are writable, then run the same command again"
    };
    Err(Failure::new(Code::InvalidInput, format!("cannot change {}", each.join("; "))).with_suggestion(how))
}

fn refuse_read_only(file: &Path) -> io::Result<()> {
    if fs::metadata(file)?.permissions().readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
    }
    Ok(())
}

/// Removes the folders above a path that have nothing in them, up to the root.
fn remove_empty_folders(path: &Path, root: &Path) {
    let folders = path.ancestors().skip(1).take_while(|folder| *folder != root && !folder.as_os_str().is_empty());
    for folder in folders {
        if fs::remove_dir(folder).is_err_and(|error| error.kind() != ErrorKind::NotFound) {
            return;
        }
    }
}

/// Copies a file to a new one with the same mode.
fn keep(file: &Path, copy: &Path) -> io::Result<()> {
    let mut former = files::open(file)?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
    let mut copy = files::open_with(copy, flags, Mode::RUSR | Mode::WUSR)?;
    // Whatever the umask is.
    copy.set_permissions(former.metadata()?.permissions())?;
    io::copy(&mut former, &mut copy).map(drop)
}

/// The path that is free to keep a file's former content: with `.bak` at the end, then `.bak2`, `.bak3` and so on.
fn free_path_beside(path: &Path) -> PathBuf {
    let kept = |number: u32| {
        let mut kept = path.as_os_str().to_owned();
        kept.push(if number == 1 { ".bak".to_owned() } else { format!(".bak{number}") });
        PathBuf::from(kept)
    };
    (1..).map(kept).find(|kept| fs::symlink_metadata(kept).is_err()).unwrap_or_default()
}
