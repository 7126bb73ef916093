//! The rules of a team, which it keeps in `.aweave` of its project.
//!
//! They become instructions for an agent. So files of another user are not read: whoever may write to a folder above the
//! project, such as `/tmp`, could otherwise instruct every agent below it. Links are not followed: one in a project that was
//! cloned may lead to any file of the user, which would then be sent to the provider of the model.

use std::{
    env,
    fs::{self, Metadata},
    io::{self, ErrorKind, Read},
    os::unix::fs::MetadataExt,
    path::Path,
};

use rustix::{io::Errno, process::geteuid};

use super::{DEBATE_TYPES, ROLES};
use crate::{
    client::types::{DebateType, Role},
    files,
    output::{sanitize, terminal},
};

/// How many bytes of a file are printed.
const MAX_BYTES: u64 = 16 * 1024;

/// The rules for a role, each file under a heading with its name; empty if there are none. They are in the working folder,
/// or in the nearest one above it that has any rules. Without a debate type those for a type are left out.
pub fn sections(role: Role, debate_type: Option<DebateType>) -> String {
    env::current_dir().map(|folder| sections_for(&folder, role, debate_type)).unwrap_or_default()
}

/// The rules for a role as somebody who works in this folder has them.
pub fn sections_for(folder: &Path, role: Role, debate_type: Option<DebateType>) -> String {
    let Some(folder) = folder.ancestors().find(|folder| has_rules(folder)) else { return String::new() };
    names(role, debate_type).iter().filter_map(|name| section(folder, name)).collect()
}

/// The names of the files for a role, from the general to the special.
fn names(role: Role, debate_type: Option<DebateType>) -> Vec<String> {
    let mut names = vec![".aweave/rules.md".to_owned(), format!(".aweave/rules/{role}.md")];
    if let Some(debate_type) = debate_type {
        names.push(format!(".aweave/rules/{debate_type}.md"));
        names.push(format!(".aweave/rules/{role}-{debate_type}.md"));
    }
    names
}

/// Whether a folder has rules for anybody. Those for one role end the search for the others, too: they belong to one project.
fn has_rules(folder: &Path) -> bool {
    let all = ROLES.into_iter().flat_map(|role| DEBATE_TYPES.into_iter().flat_map(move |one| names(role, Some(one))));
    all.map(|name| folder.join(name)).any(|path| is_own_file_or_link(&path))
}

fn section(folder: &Path, name: &str) -> Option<String> {
    match read(folder, name) {
        Ok(text) if text.trim().is_empty() => None,
        Ok(text) => Some(format!("\n# Rules of your team: {name}\n\n{}\n", sanitize::text(text.trim()))),
        // What is no plain file is none.
        Err(error) if [ErrorKind::NotFound, ErrorKind::InvalidInput].contains(&error.kind()) => None,
        Err(error) => {
            terminal::note(format_args!("{name} {error}"));
            None
        }
    }
}

/// Whether there is a file of the user who runs this command. A link counts, so that it is told that it is not read.
fn is_own_file_or_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|it| (it.is_file() || it.is_symlink()) && is_own(&it))
}

fn is_own(metadata: &Metadata) -> bool {
    metadata.uid() == geteuid().as_raw()
}

/// Reads a file below a folder, at most [`MAX_BYTES`] of it. What is not UTF-8 is replaced.
fn read(folder: &Path, name: &str) -> io::Result<String> {
    let file =
        files::open_below(&files::open_folder(folder)?, Path::new(name)).map_err(
            |error| match Errno::from_io_error(&error) {
                Some(Errno::LOOP | Errno::NOTDIR) => io::Error::other(
                    "is not read: it is a link, or behind what is no folder; put the rules there themselves",
                ),
                Some(Errno::NOENT) | None => error,
                Some(_) => io::Error::other(format!("cannot be read: {error}")),
            },
        )?;
    if !is_own(&file.metadata()?) {
        return Err(io::Error::other("belongs to another user and is not read"));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    let is_cut = bytes.len() as u64 > MAX_BYTES;
    bytes.truncate(MAX_BYTES as usize);
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if is_cut {
        text += &format!("\n\n(The file goes on: only its first {MAX_BYTES} bytes are printed.)");
    }
    Ok(text)
}
