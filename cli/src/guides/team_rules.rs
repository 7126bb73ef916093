//! The rules of a team, which it keeps in `.aweave` of its project.
//!
//! They become instructions for an agent. So files of another user are not read: whoever may write to a folder above the
//! project, such as `/tmp`, could otherwise instruct every agent below it. They also go to whoever serves the agent's model. So links that
//! lead out of the project are not followed: a clone may have one to any file of the user, or to `/proc/self/environ`.

use std::{
    env,
    fs::{self, File, Metadata},
    io::{self, ErrorKind, Read},
    os::unix::fs::MetadataExt,
    path::Path,
};

use rustix::process::geteuid;

use super::{DEBATE_TYPES, ROLES};
use crate::{
    client::types::{DebateType, Role},
    files::{self, BYTE_ORDER_MARK},
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
    for folder in folder.ancestors() {
        // On the way up, too, what is not read is told.
        let sections = names(role, debate_type).iter().filter_map(|name| section(folder, name)).collect();
        if has_rules(folder) {
            return sections;
        }
    }
    String::new()
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
    all.map(|name| fs::symlink_metadata(folder.join(name)))
        .any(|found| found.is_ok_and(|found| is_own(&found) && (found.is_file() || found.is_symlink())))
}

fn section(folder: &Path, name: &str) -> Option<String> {
    let path = folder.join(name);
    let found = match fs::symlink_metadata(&path) {
        Ok(found) => found,
        Err(error) => {
            if ![ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) {
                terminal::note(format_args!("{} is not read: {error}", path.display()));
            }
            return None;
        }
    };
    let file = match open(folder, name) {
        Ok(file) => file,
        Err(error) => {
            terminal::note(format_args!("{} is not read: {error}", path.display()));
            return None;
        }
    };
    if !is_own(&found) || !file.metadata().is_ok_and(|file| is_own(&file)) {
        terminal::note(format_args!("{} belongs to another user and is not read", path.display()));
        return None;
    }
    match read(file) {
        Ok(text) if text.trim().is_empty() => None,
        Ok(text) => Some(format!("\n# Rules of your team: {name}\n\n{}\n", sanitize::text(text.trim()))),
        Err(error) => {
            terminal::note(format_args!("{} is not read: {error}", path.display()));
            None
        }
    }
}

/// Opens a plain file of a project. Links within the project are followed.
fn open(folder: &Path, name: &str) -> io::Result<File> {
    let folder = folder.canonicalize()?;
    let path = files::resolve_below(&folder, Path::new(name))?;
    let below = path.strip_prefix(&folder).map_err(io::Error::other)?;
    files::open_below(&files::open_folder(&folder)?, below)
}

/// Whether a file, or a link to one, belongs to the user who runs this command.
fn is_own(found: &Metadata) -> bool {
    found.uid() == geteuid().as_raw()
}

/// Reads a file, at most [`MAX_BYTES`] of it, without a byte order mark. What is not UTF-8 is replaced.
fn read(file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    let is_cut = bytes.len() as u64 > MAX_BYTES;
    bytes.truncate(MAX_BYTES as usize);
    let mut text = String::from_utf8_lossy(&bytes).trim_start_matches(BYTE_ORDER_MARK).to_owned();
    if is_cut {
        text += &format!("\n\n(The file goes on: only its first {MAX_BYTES} bytes are printed.)");
    }
    Ok(text)
}
