//! The files that a run was asked for. What somebody else wrote meanwhile is left, and the plan is written beside it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    files,
    output::{Failure, atomic_file},
};

/// The most names beside a file that are tried.
const MAX_NAMES: usize = 99;

/// How long a name may be to which `.new.99` is added: file systems take 255 bytes.
const MAX_NAME_BYTES: usize = 255 - ".new.99".len();

/// Writes a text to a file that was asked for, unless somebody else wrote to it meanwhile: then beside it. `last` is what the run
/// wrote there last. Returns where it is.
pub fn write_unless_changed(path: &Path, text: &str, last: Option<&str>, force: bool) -> Result<PathBuf, Failure> {
    let present = files::read_text(path, files::MAX_BYTES).ok();
    let is_ours = present.as_deref().is_some_and(|present| Some(present) == last || present == text);
    let written = atomic_file::write(path, text.as_bytes(), is_ours || force);
    if written.is_err() && !is_ours && !force && fs::symlink_metadata(path).is_ok() {
        return write_beside(path, text);
    }
    written.map(|()| path.to_owned())
}

/// Replaces PLAN, through links, unless it is no longer what was debated: then the plan is written beside it. Returns where it is.
pub fn replace(path: &Path, first: &str, plan: &str) -> Result<PathBuf, Failure> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let present = files::read_text(&target, files::MAX_BYTES).ok();
    if present.as_deref() == Some(plan) {
        return Ok(path.to_owned());
    }
    if present.as_deref() == Some(first) {
        return atomic_file::write(&target, plan.as_bytes(), true).map(|()| path.to_owned());
    }
    write_beside(path, plan)
}

/// Writes a text beside a file that somebody changed.
fn write_beside(path: &Path, text: &str) -> Result<PathBuf, Failure> {
    let mut written = Ok(path.to_owned());
    for beside in beside(path) {
        // What is there with other contents is somebody's.
        written = atomic_file::write_unless_equal(&beside, text, false).map(|()| beside.clone());
        if written.is_ok() || fs::symlink_metadata(&beside).is_err() {
            break;
        }
    }
    written
}

/// The names beside a file, in the order in which they are tried. A name with which they would be too long loses its end.
fn beside(path: &Path) -> impl Iterator<Item = PathBuf> {
    let name = path.file_name().unwrap_or_default();
    let text = name.to_string_lossy();
    let is_long = name.len() > MAX_NAME_BYTES;
    let name = if is_long { text[..text.floor_char_boundary(MAX_NAME_BYTES)].into() } else { name.to_owned() };
    let with = move |end: &str| {
        let mut name = name.clone();
        name.push(end);
        path.with_file_name(name)
    };
    [with(".new")].into_iter().chain((2..=MAX_NAMES).map(move |number| with(&format!(".new.{number}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_replaced_through_links() {
        let folder = tempfile::tempdir().unwrap();
        let (plan, link) = (folder.path().join("plan.md"), folder.path().join("link.md"));
        std::os::unix::fs::symlink(&plan, &link).unwrap();
        let read = |path: &Path| files::read_text(path, 99).ok();
        fs::write(&plan, "first").unwrap();
        replace(&link, "first", "agreed").unwrap();
        assert!(read(&plan).as_deref() == Some("agreed") && fs::symlink_metadata(&link).unwrap().is_symlink());
        replace(&link, "first", "agreed").unwrap();
        assert!(!folder.path().join("link.md.new").exists());
    }

    #[test]
    fn a_file_is_replaced_only_where_it_is_what_the_run_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record.md");
        for (present, last, force, is_replaced) in [
            (None, None, false, true),
            (None, Some("former"), false, true),
            (Some("text"), None, false, true),
            (Some("former"), Some("former"), false, true),
            (Some("mine"), None, false, false),
            (Some("mine"), Some("former"), false, false),
            (Some("mine"), None, true, true),
        ] {
            let _ = fs::remove_file(&path);
            present.iter().for_each(|present| fs::write(&path, present).unwrap());
            let written = write_unless_changed(&path, "text", last, force).unwrap();
            let case = format!("{present:?} {last:?} {force}");
            assert_eq!(files::read_text(&written, 99).unwrap(), "text", "{case}");
            assert_eq!(written == path, is_replaced, "{case}");
            assert!(is_replaced || files::read_text(&path, 99).ok().as_deref() == present, "{case}");
        }
    }

    #[test]
    fn what_is_beside_a_changed_plan_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let read = |name: &str| files::read_text(&at(name), 99).ok();
        fs::write(at("plan.md"), "mine").unwrap();
        fs::write(at("plan.md.new"), "mine too").unwrap();
        for _ in 0..2 {
            replace(&at("plan.md"), "first", "agreed").unwrap();
            assert_eq!(read("plan.md.new").as_deref(), Some("mine too"));
            assert_eq!(read("plan.md.new.2").as_deref(), Some("agreed"));
        }
        replace(&at("plan.md"), "first", "better").unwrap();
        assert_eq!((read("plan.md.new.3").as_deref(), read("plan.md").as_deref()), (Some("better"), Some("mine")));
        assert!(replace(&at("missing/plan.md"), "first", "agreed").is_err());
        for name in ["p".repeat(255), "é".repeat(127)] {
            fs::write(at(&name), "mine").unwrap();
            let written = replace(&at(&name), "first", "agreed").unwrap();
            assert_eq!(files::read_text(&written, 99).ok().as_deref(), Some("agreed"));
        }
    }
}
