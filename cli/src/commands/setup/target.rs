//! A file to install into: its present contents, and the changes that install or remove an artifact.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use rustix::fs::{Mode, OFlags};

use super::{
    allowed_tools::AllowedTools,
    checksum_line::{Origin, Signature},
    installed_files::{Artifact, BLOCK_START},
};
use crate::{
    files,
    guides::{Host, Language},
    output::failure::{Code, Failure},
};

/// A file to install into.
pub struct Target {
    artifact: Artifact,
    path: PathBuf,
    /// The file itself, where links lead to it
    file: PathBuf,
    existing: Existing,
}

/// What is at the path now.
enum Existing {
    Nothing,
    /// A file without the block, which can be appended
    WithoutBlock(String),
    /// The text that `aw` wrote
    Installed(Found),
    /// A text that is not as `aw` wrote it, and why it is left. What its signature says is a guess.
    Changed(Found, &'static str),
    /// Something that cannot be replaced by a file, and why
    Unusable(String),
}

/// A text in a file, and what is before and after it.
struct Found {
    signature: Signature,
    before: String,
    text: String,
    after: String,
}

/// What the user asked for. What is `None` stays as it was installed before.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The value of `--language`
    pub language: Option<Language>,
    /// The value of `--allowed-tools`
    pub allowed_tools: Option<AllowedTools>,
    /// Whether a changed text is replaced
    pub force: bool,
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
    /// Write this content, and keep the present one in a new file
    Replace {
        /// The content of the whole file
        content: String,
        /// Its present content
        former: String,
        /// The new file for the present content
        backup: PathBuf,
    },
    /// Delete the file, and this many of the folders above it if they are then empty
    Delete(usize),
    /// Nothing, for this reason: the file must not be changed
    Left(String),
}

impl Target {
    /// Reads the file that an artifact is installed into.
    pub fn inspect(artifact: Artifact, host: Host, root: &Path) -> Self {
        let path = root.join(artifact.path(host));
        let file = match files::resolve_below(root, &artifact.path(host)) {
            Ok(file) => file,
            Err(error) => {
                return Self { artifact, file: path.clone(), path, existing: Existing::Unusable(error.to_string()) };
            }
        };
        let existing = match files::read_text(&file, files::MAX_BYTES) {
            Ok(content) if artifact == Artifact::Block => Existing::find_block(content),
            Ok(text) => Existing::whole_file(text),
            Err(_) if fs::symlink_metadata(&file).is_err() => Existing::Nothing,
            Err(_) => Existing::Unusable("it is not a text file".to_owned()),
        };
        Self { artifact, path, file, existing }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file itself, which is elsewhere if a link leads to it.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What is installed into the file.
    pub fn artifact(&self) -> Artifact {
        self.artifact
    }

    /// Whether `--force` would replace it.
    pub fn is_changed(&self) -> bool {
        matches!(self.existing, Existing::Changed(..))
    }

    /// Whether the file was installed for a host.
    pub fn is_installed_for(&self, host: Host) -> bool {
        match &self.existing {
            Existing::Installed(found) | Existing::Changed(found, _) => found.signature.hosts.contains(&host),
            Existing::Nothing | Existing::WithoutBlock(_) | Existing::Unusable(_) => false,
        }
    }

    /// The change that installs the artifact for a host.
    pub fn install(&self, host: Host, options: &Options) -> Change {
        match &self.existing {
            Existing::Nothing => {
                let signature = Signature { folders: missing_folders(&self.file), ..Signature::default() };
                Change::Write { is_new: true, content: self.text(&signature, host, options) }
            }
            Existing::WithoutBlock(content) => {
                // The block starts after an empty line.
                let breaks = match content {
                    content if content.is_empty() || content.ends_with("\n\n") => 0,
                    content if content.ends_with('\n') => 1,
                    _ => 2,
                };
                let block = self.text(&Signature { breaks: Some(breaks), ..Signature::default() }, host, options);
                Change::Write { is_new: false, content: format!("{content}{}{block}", "\n".repeat(breaks)) }
            }
            Existing::Installed(found) => {
                let new = self.text(&found.signature, host, options);
                if new == found.text {
                    Change::None
                } else {
                    Change::Write { is_new: false, content: found.with_text(&new) }
                }
            }
            Existing::Changed(found, _) if options.force => Change::Replace {
                content: found.with_text(&self.text(&found.signature, host, options)),
                former: found.with_text(&found.text),
                backup: free_backup_path(&self.file),
            },
            Existing::Changed(_, reason) => Change::Left((*reason).to_owned()),
            Existing::Unusable(reason) => Change::Left(reason.clone()),
        }
    }

    /// The change that removes the artifact for a host. It stays while another host uses it.
    pub fn remove(&self, host: Host) -> Change {
        match &self.existing {
            Existing::Nothing | Existing::WithoutBlock(_) => Change::None,
            Existing::Installed(found) if !found.signature.hosts.contains(&host) => Change::None,
            Existing::Installed(found) => match found.signature.without(host) {
                Some(signature) => {
                    Change::Write { is_new: false, content: found.with_text(&self.artifact.text(&signature)) }
                }
                None if found.signature.breaks.is_none() && found.before.is_empty() && found.after.is_empty() => {
                    Change::Delete(found.signature.folders)
                }
                None => {
                    let end = found.before.len() - found.signature.breaks.unwrap_or_default();
                    Change::Write { is_new: false, content: format!("{}{}", &found.before[..end], found.after) }
                }
            },
            Existing::Changed(found, _)
                if !found.signature.hosts.is_empty() && !found.signature.hosts.contains(&host) =>
            {
                Change::None
            }
            Existing::Changed(_, reason) => Change::Left((*reason).to_owned()),
            Existing::Unusable(reason) => Change::Left(reason.clone()),
        }
    }

    /// The artifact's text for one host more.
    fn text(&self, signature: &Signature, host: Host, options: &Options) -> String {
        let language = options.language.clone().or_else(|| signature.language.clone());
        let tools = options.allowed_tools.clone().or_else(|| signature.allowed_tools.clone());
        let allowed_tools = tools.filter(|_| self.artifact.has_allowed_tools(host));
        self.artifact.text(&Signature { language, allowed_tools, ..signature.with(host) })
    }
}

impl Found {
    /// The content of the file with another text in the same place.
    fn with_text(&self, text: &str) -> String {
        format!("{}{text}{}", self.before, self.after)
    }
}

impl Existing {
    fn whole_file(text: String) -> Self {
        const CHANGED: &str = "it was changed since aw wrote it";
        let found = |signature: Signature, text| Found { signature, before: String::new(), text, after: String::new() };
        match Origin::of(&text) {
            Origin::Unchanged(signature) => Self::Installed(found(signature, text)),
            Origin::Modified(signature) => Self::Changed(found(signature.unwrap_or_default(), text), CHANGED),
            Origin::Foreign => Self::Changed(found(Signature::default(), text), "aw did not write it"),
        }
    }

    /// Finds the block in a file that others write, too.
    fn find_block(content: String) -> Self {
        const CHANGED: &str = "the block that aw wrote into it was changed since";
        let Some(start) = content.find(BLOCK_START) else { return Self::WithoutBlock(content) };
        // A block without a last line ends with its first.
        let mut changed = (start + BLOCK_START.len(), Signature::default());
        let line_ends = content[start..].match_indices('\n').map(|(index, _)| start + index + 1);
        for end in line_ends {
            let (before, text, after) = (&content[..start], &content[start..end], &content[end..]);
            match Origin::of(text) {
                Origin::Unchanged(signature)
                    if before.ends_with(&"\n".repeat(signature.breaks.unwrap_or_default())) =>
                {
                    let [before, text, after] = [before, text, after].map(str::to_owned);
                    return Self::Installed(Found { signature, before, text, after });
                }
                Origin::Unchanged(signature) | Origin::Modified(Some(signature)) => {
                    changed = (end, signature);
                    break;
                }
                Origin::Modified(None) => {
                    changed.0 = end;
                    break;
                }
                Origin::Foreign => {}
            }
        }
        let (end, signature) = changed;
        let [before, text, after] = [&content[..start], &content[start..end], &content[end..]].map(str::to_owned);
        let breaks = signature.breaks.filter(|breaks| before.ends_with(&"\n".repeat(*breaks)));
        // Only a file that holds nothing else can have been created for the block.
        let is_alone = signature.breaks.is_none() && before.is_empty() && after.is_empty();
        let breaks = breaks.or((!is_alone).then_some(0));
        Self::Changed(Found { signature: Signature { breaks, ..signature }, before, text, after }, CHANGED)
    }
}

/// The path beside a file that is free to keep its former content: with `.bak` at the end, then `.bak2`, `.bak3` and so on.
fn free_backup_path(path: &Path) -> PathBuf {
    let with_end = |number: usize| {
        let mut path = path.as_os_str().to_owned();
        path.push(".bak");
        if number > 1 {
            path.push(number.to_string());
        }
        PathBuf::from(path)
    };
    let mut number = 1;
    while fs::symlink_metadata(with_end(number)).is_ok() {
        number += 1;
    }
    with_end(number)
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
        let old_content = files::read(path, files::MAX_BYTES).ok();
        let new_folders = missing_folders(path);
        let result = match change {
            Change::None | Change::Left(_) => continue,
            Change::Write { is_new: true, content } => create(path, content, 0o666),
            Change::Write { is_new: false, content } => overwrite(path, content.as_bytes()),
            Change::Replace { content, former, backup } => match keep(path, former, backup) {
                Ok(()) => {
                    rollback.push((backup, None, 0));
                    overwrite(path, content.as_bytes())
                }
                Err(error) => Err(error),
            },
            Change::Delete(folders) => {
                folders_to_remove.extend(path.ancestors().skip(1).take(*folders).map(Path::to_owned));
                fs::remove_file(path)
            }
        };
        // A file that somebody else created meanwhile is not ours to remove.
        if !result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists) {
            rollback.push((path, old_content, new_folders));
        }
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

/// Makes a file with the mode that the umask leaves of this one. It never replaces another that came meanwhile.
fn create(path: &Path, content: &str, mode: u32) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
    files::open_with(path, flags, Mode::from_raw_mode(mode))?.write_all(content.as_bytes())
}

/// Keeps the former content of a file in a new one that no more people may read.
fn keep(path: &Path, former: &str, backup: &Path) -> io::Result<()> {
    let permissions = fs::metadata(path)?.permissions();
    create(backup, former, permissions.mode() & 0o777)?;
    fs::set_permissions(backup, permissions)
}

/// Writes the content of a file that is there. All links were followed before.
fn overwrite(path: &Path, content: &[u8]) -> io::Result<()> {
    files::open_with(path, OFlags::WRONLY | OFlags::TRUNC | OFlags::NOFOLLOW, Mode::empty())?.write_all(content)
}

/// Restores a file, as far as that is possible after an I/O error.
fn restore(path: &Path, old_content: Option<&[u8]>, new_folders: usize) {
    let _ = match old_content {
        Some(content) => overwrite(path, content),
        None => fs::remove_file(path),
    };
    for folder in path.ancestors().skip(1).take(new_folders) {
        let _ = fs::remove_dir(folder);
    }
}
