//! What is where something is to be installed, and the changes that install it or take it back.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    mark::{Author, Mark},
    text::{BLOCK, Piece},
};
use crate::{
    error::{Code, Failure},
    guide::{Host, Language},
};

/// A place in the file system, as it was found.
pub struct Place {
    piece: Piece,
    path: PathBuf,
    found: Found,
}

/// What was found there.
enum Found {
    /// No file
    Nothing,
    /// A file without anything of ours; for a block it may be added to
    Others(String),
    /// What we wrote, and what stands before and after it in the same file
    Ours { mark: Mark, before: String, text: String, after: String },
    /// Something that is not ours to change, and why
    Kept(&'static str),
}

/// What is done to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It is there and as it should be, or it is not there and should not be
    Keep,
    /// It gets this content
    Write {
        /// Whether there was none before
        is_new: bool,
        /// All of it
        content: String,
    },
    /// It goes, and so many of the folders above it if they are empty then
    Delete(usize),
    /// It is not ours to change, for this reason
    Leave(&'static str),
}

impl Place {
    /// Looks at where a piece goes.
    pub fn look(piece: Piece, host: Host, root: &Path) -> Self {
        let path = root.join(piece.path(host));
        let found = match fs::read_to_string(&path) {
            Ok(content) if piece == Piece::Block => Found::in_file_of_others(content),
            Ok(content) => match Author::of(&content) {
                Author::Us(mark) => Found::Ours { mark, before: String::new(), text: content, after: String::new() },
                Author::UsAndOthers => Found::Kept("it was changed since aw wrote it"),
                Author::Others => Found::Kept("aw did not write it"),
            },
            Err(_) if fs::symlink_metadata(&path).is_err() => Found::Nothing,
            Err(_) => Found::Kept("it is no text file"),
        };
        Self { piece, path, found }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What has to be done so that the piece is there for that host.
    pub fn install(&self, host: Host, language: Option<&Language>) -> Change {
        let first = |breaks, folders| Mark { hosts: vec![host], folders, breaks, language: language.cloned() };
        match &self.found {
            Found::Nothing => {
                let content = self.piece.text(&first(None, missing_folders(&self.path)));
                Change::Write { is_new: true, content }
            }
            Found::Others(content) => {
                let breaks = match content {
                    content if content.is_empty() || content.ends_with("\n\n") => 0,
                    content if content.ends_with('\n') => 1,
                    _ => 2,
                };
                let block = self.piece.text(&first(Some(breaks), 0));
                Change::Write { is_new: false, content: format!("{content}{}{block}", "\n".repeat(breaks)) }
            }
            Found::Ours { mark, before, text, after } => {
                let mark = mark.with(host);
                let language = language.cloned().or_else(|| mark.language.clone());
                let new = self.piece.text(&Mark { language, ..mark });
                if new == *text {
                    Change::Keep
                } else {
                    Change::Write { is_new: false, content: format!("{before}{new}{after}") }
                }
            }
            Found::Kept(why) => Change::Leave(why),
        }
    }

    /// What has to be done so that nothing of ours is there for that host.
    pub fn remove(&self, host: Host) -> Change {
        match &self.found {
            Found::Nothing | Found::Others(_) => Change::Keep,
            Found::Ours { mark, .. } if !mark.hosts.contains(&host) => Change::Keep,
            Found::Ours { mark, before, after, .. } => match (mark.without(host), mark.breaks) {
                (Some(rest), _) => {
                    let content = format!("{before}{}{after}", self.piece.text(&rest));
                    Change::Write { is_new: false, content }
                }
                (None, None) if before.is_empty() && after.is_empty() => Change::Delete(mark.folders),
                (None, breaks) => {
                    let end = before.len() - breaks.unwrap_or_default();
                    let content = format!("{}{after}", &before[..end]);
                    Change::Write { is_new: false, content }
                }
            },
            Found::Kept(why) => Change::Leave(why),
        }
    }
}

impl Found {
    /// What a file holds that is others' but for a block.
    fn in_file_of_others(content: String) -> Self {
        let Some(start) = content.find(BLOCK) else { return Self::Others(content) };
        let line_ends = content[start..].match_indices('\n').map(|(at, _)| start + at + 1);
        for end in line_ends {
            let (before, text, after) = (&content[..start], &content[start..end], &content[end..]);
            if let Author::Us(mark) = Author::of(text) {
                let breaks = mark.breaks.unwrap_or_default();
                if !before.ends_with(&"\n".repeat(breaks)) {
                    break;
                }
                let [before, text, after] = [before, text, after].map(str::to_owned);
                return Self::Ours { mark, before, text, after };
            }
        }
        Self::Kept("the block that aw wrote into it was changed since")
    }
}

/// How many of the folders above a file are not there yet.
fn missing_folders(path: &Path) -> usize {
    let folders = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    folders.take_while(|folder| fs::symlink_metadata(folder).is_err()).count()
}

/// Makes all changes, or none: where one fails the earlier ones are taken back.
pub fn apply(changes: &[(&Path, Change)]) -> Result<(), Failure> {
    let mut undo: Vec<(&Path, Option<Vec<u8>>, usize)> = Vec::new();
    let mut emptied: BTreeSet<PathBuf> = BTreeSet::new();
    for (path, change) in changes {
        let earlier = fs::read(path).ok();
        let folders = missing_folders(path);
        let done = match change {
            Change::Keep | Change::Leave(_) => continue,
            Change::Write { content, .. } => write(path, content),
            Change::Delete(folders) => {
                emptied.extend(path.ancestors().skip(1).take(*folders).map(Path::to_owned));
                fs::remove_file(path)
            }
        };
        undo.push((path, earlier, folders));
        if let Err(error) = done {
            for (path, earlier, folders) in undo.into_iter().rev() {
                take_back(path, earlier.as_deref(), folders);
            }
            return Err(Failure::new(Code::InvalidInput, format!("cannot change {}: {error}", path.display()))
                .suggest(
                    "Nothing was changed. See to it that the folder may be written to, or choose --project or --user",
                ));
        }
    }
    // A folder comes before what is in it. One that is not empty has something of others in it, and stays.
    for folder in emptied.iter().rev() {
        let _ = fs::remove_dir(folder);
    }
    Ok(())
}

fn write(path: &Path, content: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, content)
}

/// As it was before, as far as that is possible on a disk that has just failed.
fn take_back(path: &Path, earlier: Option<&[u8]>, folders: usize) {
    let _ = match earlier {
        Some(content) => fs::write(path, content),
        None => fs::remove_file(path),
    };
    for folder in path.ancestors().skip(1).take(folders) {
        let _ = fs::remove_dir(folder);
    }
}
