//! A file to install into: its present contents, and the changes that install or remove an artifact.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    checksum_line::{Origin, Signature},
    installed_files::{Artifact, BLOCK_START},
};
use crate::{
    guides::{Host, Language},
    output::failure::{Code, Failure},
};

/// A file to install into.
pub struct Target {
    artifact: Artifact,
    path: PathBuf,
    existing: Existing,
}

/// What is at the path now.
enum Existing {
    Nothing,
    /// A file without the block, which can be appended
    WithoutBlock(String),
    /// The text that `aw` wrote, and what is before and after it in the same file
    Installed {
        signature: Signature,
        before: String,
        text: String,
        after: String,
    },
    /// Something that must not be changed, and why
    Protected(&'static str),
}

/// What to do with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Nothing: it is as it should be
    None,
    /// Write this content
    Write {
        /// Whether the file does not exist yet
        is_new: bool,
        /// The content of the whole file
        content: String,
    },
    /// Delete the file, and this many of the folders above it if they are then empty
    Delete(usize),
    /// Nothing, for this reason: the file must not be changed
    Refused(&'static str),
}

impl Target {
    /// Reads the file that an artifact is installed into.
    pub fn inspect(artifact: Artifact, host: Host, root: &Path) -> Self {
        let path = root.join(artifact.path(host));
        let existing = match fs::read_to_string(&path) {
            Ok(content) if artifact == Artifact::Block => Existing::find_block(content),
            Ok(text) => match Origin::of(&text) {
                Origin::Unchanged(signature) => {
                    Existing::Installed { signature, before: String::new(), text, after: String::new() }
                }
                Origin::Modified => Existing::Protected("it was changed since aw wrote it"),
                Origin::Foreign => Existing::Protected("aw did not write it"),
            },
            Err(_) if fs::symlink_metadata(&path).is_err() => Existing::Nothing,
            Err(_) => Existing::Protected("it is not a text file"),
        };
        Self { artifact, path, existing }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The change that installs the artifact for a host.
    pub fn install(&self, host: Host, language: Option<&Language>) -> Change {
        let new_signature =
            |breaks, folders| Signature { hosts: vec![host], folders, breaks, language: language.cloned() };
        match &self.existing {
            Existing::Nothing => {
                let content = self.artifact.text(&new_signature(None, missing_folders(&self.path)));
                Change::Write { is_new: true, content }
            }
            Existing::WithoutBlock(content) => {
                // The block starts after an empty line.
                let breaks = match content {
                    content if content.is_empty() || content.ends_with("\n\n") => 0,
                    content if content.ends_with('\n') => 1,
                    _ => 2,
                };
                let block = self.artifact.text(&new_signature(Some(breaks), 0));
                Change::Write { is_new: false, content: format!("{content}{}{block}", "\n".repeat(breaks)) }
            }
            Existing::Installed { signature, before, text, after } => {
                let signature = signature.with(host);
                let language = language.cloned().or_else(|| signature.language.clone());
                let new = self.artifact.text(&Signature { language, ..signature });
                if new == *text {
                    Change::None
                } else {
                    Change::Write { is_new: false, content: format!("{before}{new}{after}") }
                }
            }
            Existing::Protected(reason) => Change::Refused(reason),
        }
    }

    /// The change that removes the artifact for a host. It stays while another host uses it.
    pub fn remove(&self, host: Host) -> Change {
        match &self.existing {
            Existing::Nothing | Existing::WithoutBlock(_) => Change::None,
            Existing::Installed { signature, .. } if !signature.hosts.contains(&host) => Change::None,
            Existing::Installed { signature, before, after, .. } => match (signature.without(host), signature.breaks) {
                (Some(signature), _) => {
                    let content = format!("{before}{}{after}", self.artifact.text(&signature));
                    Change::Write { is_new: false, content }
                }
                (None, None) if before.is_empty() && after.is_empty() => Change::Delete(signature.folders),
                (None, breaks) => {
                    let end = before.len() - breaks.unwrap_or_default();
                    Change::Write { is_new: false, content: format!("{}{after}", &before[..end]) }
                }
            },
            Existing::Protected(reason) => Change::Refused(reason),
        }
    }
}

impl Existing {
    /// Finds the block in a file that others write, too.
    fn find_block(content: String) -> Self {
        let Some(start) = content.find(BLOCK_START) else { return Self::WithoutBlock(content) };
        let line_ends = content[start..].match_indices('\n').map(|(index, _)| start + index + 1);
        for end in line_ends {
            let (before, text, after) = (&content[..start], &content[start..end], &content[end..]);
            if let Origin::Unchanged(signature) = Origin::of(text) {
                if !before.ends_with(&"\n".repeat(signature.breaks.unwrap_or_default())) {
                    break;
                }
                let [before, text, after] = [before, text, after].map(str::to_owned);
                return Self::Installed { signature, before, text, after };
            }
        }
        Self::Protected("the block that aw wrote into it was changed since")
    }
}

/// How many of the folders above a file do not exist.
fn missing_folders(path: &Path) -> usize {
    let folders = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    folders.take_while(|folder| fs::symlink_metadata(folder).is_err()).count()
}

/// Applies all changes. If one fails, the earlier ones are rolled back.
pub fn apply(changes: &[(&Path, Change)]) -> Result<(), Failure> {
    let mut rollback: Vec<(&Path, Option<Vec<u8>>, usize)> = Vec::new();
    let mut folders_to_remove: BTreeSet<PathBuf> = BTreeSet::new();
    for (path, change) in changes {
        let old_content = fs::read(path).ok();
        let new_folders = missing_folders(path);
        let result = match change {
            Change::None | Change::Refused(_) => continue,
            Change::Write { content, .. } => write(path, content),
            Change::Delete(folders) => {
                folders_to_remove.extend(path.ancestors().skip(1).take(*folders).map(Path::to_owned));
                fs::remove_file(path)
            }
        };
        rollback.push((path, old_content, new_folders));
        if let Err(error) = result {
            for (path, old_content, new_folders) in rollback.into_iter().rev() {
                restore(path, old_content.as_deref(), new_folders);
            }
            let message = format!("cannot change {}: {error}", path.display());
            return Err(Failure::new(Code::InvalidInput, message).with_suggestion(
                "Nothing was changed. Make sure that the folder is writable, or choose --project or --user",
            ));
        }
    }
    // In reverse order, so that inner folders come first. A folder with other files in it is not empty and stays.
    for folder in folders_to_remove.iter().rev() {
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

/// Restores a file, as far as that is possible after an I/O error.
fn restore(path: &Path, old_content: Option<&[u8]>, new_folders: usize) {
    let _ = match old_content {
        Some(content) => fs::write(path, content),
        None => fs::remove_file(path),
    };
    for folder in path.ancestors().skip(1).take(new_folders) {
        let _ = fs::remove_dir(folder);
    }
}
