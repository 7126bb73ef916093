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
const MAX_BESIDE: usize = 99;

/// Writes the plan to the file of --output, or the record to that of --record, unless somebody else wrote to it meanwhile: then beside
/// it. `last` is what the run wrote there last. Returns where it is.
pub fn write_output(path: &Path, plan: &str, last: Option<&str>, force: bool) -> Result<PathBuf, Failure> {
    let present = files::read_text(path, files::MAX_BYTES).ok();
    let is_last = present.is_some() && present.as_deref() == last;
    let is_ours = is_last || present.as_deref() == Some(plan) || fs::symlink_metadata(path).is_err();
    if !is_ours && !force {
        return write_beside(path, plan);
    }
    atomic_file::write(path, plan.as_bytes(), true).map(|()| path.to_owned())
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

/// Writes the plan beside a file that somebody changed.
fn write_beside(path: &Path, plan: &str) -> Result<PathBuf, Failure> {
    let mut written = Ok(path.to_owned());
    for beside in beside(path) {
        // What is there with other contents is somebody's.
        written = atomic_file::write_unless_equal(&beside, plan, false).map(|()| beside.clone());
        if written.is_ok() || fs::symlink_metadata(&beside).is_err() {
            break;
        }
    }
    written
}

/// The names beside a file, in the order in which they are tried.
fn beside(path: &Path) -> impl Iterator<Item = PathBuf> {
    let with = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    [with(".new")].into_iter().chain((2..=MAX_BESIDE).map(move |number| with(&format!(".new.{number}"))))
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
    }
}
