//! Writes a file as a whole or not at all.

use std::{
    fs::{self, Permissions},
    io::{self, ErrorKind, Write},
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::Path,
};

use super::failure::{Code, Failure};
use crate::{files, hosts::Host};

/// The errors that are about the folder of the file.
const FOLDER_ERRORS: [(ErrorKind, &str); 4] = [
    (ErrorKind::NotFound, "its folder does not exist"),
    (ErrorKind::NotADirectory, "its parent is not a folder"),
    (ErrorKind::PermissionDenied, "its folder is not writable"),
    (ErrorKind::ReadOnlyFilesystem, "its folder is not writable"),
];

/// Writes `bytes` to a temporary file and renames it to `path`. Only `overwrite` replaces an existing file.
pub fn write(path: &Path, bytes: &[u8], overwrite: bool) -> Result<(), Failure> {
    check_path(path)?;
    replace(path, bytes, overwrite).map_err(|error| explained(path, &error))
}

/// Refuses what [`write`] would refuse, and writes nothing.
pub fn check(path: &Path, overwrite: bool) -> Result<(), Failure> {
    check_path(path)?;
    if !overwrite && fs::symlink_metadata(path).is_ok() {
        return Err(explained(path, &ErrorKind::AlreadyExists.into()));
    }
    tempfile::tempfile_in(folder_of(path)).map(drop).map_err(|error| explained(path, &error))
}

fn check_path(path: &Path) -> Result<(), Failure> {
    let shown = path.display();
    if Host::may_be_out_of_a_sandbox() {
        let message =
            format!("{shown} is not written: a sandbox bounds what is written here, and aw may be outside of it");
        return Err(Failure::new(Code::InvalidInput, message)
            .with_suggestion("Have the text printed: leave --output out, or use aw docs get"));
    }
    // What is printed goes to standard output, and a file of this name is not what was meant.
    if path == Path::new("-") {
        return Err(Failure::new(Code::InvalidInput, "- is not the name of a file")
            .with_suggestion("Give the path of a file; one with this name is ./-"));
    }
    let refused = |why: &str| {
        let failure = Failure::new(Code::InvalidInput, format!("{shown} {why}"));
        Err(failure.with_suggestion("Give the path of a file"))
    };
    // Never replace a folder, a pipe or a device.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return refused("is not a regular file");
    }
    if path.as_os_str().as_bytes().ends_with(b"/") {
        return refused("is the name of a folder");
    }
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::InvalidFilename => refused("has a name that is too long"),
        _ => Ok(()),
    }
}

fn explained(path: &Path, error: &io::Error) -> Failure {
    let shown = path.display();
    if error.kind() == ErrorKind::AlreadyExists {
        return Failure::new(Code::InvalidInput, format!("{shown} already exists"))
            .with_suggestion("Give --force to overwrite it, or another path");
    }
    let (code, cause) = match FOLDER_ERRORS.iter().find(|(kind, _)| *kind == error.kind()) {
        Some((_, cause)) => (Code::FileNotFound, (*cause).to_owned()),
        None => (Code::InternalError, error.to_string()),
    };
    Failure::new(code, format!("cannot write {shown}: {cause}"))
        .with_suggestion("Give a path in a folder that exists and is writable")
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes `bytes` to a temporary file and renames it to `path`. Only `overwrite` replaces an existing file, whose mode stays, or
/// a link, of which nothing stays: where it leads may be anybody's.
pub fn replace(path: &Path, bytes: &[u8], overwrite: bool) -> io::Result<()> {
    let folder = folder_of(path);
    // tempfile's default is 0600; this gives the file the mode of any new file, subject to the umask.
    let mut file =
        tempfile::Builder::new().prefix(".aw-").permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    if overwrite && let Some(mode) = mode_to_keep(path) {
        // Before there is anything to read in it.
        file.as_file().set_permissions(mode)?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let file = file.into_temp_path();
    if overwrite {
        file.persist(path)?;
    } else {
        file.persist_noclobber(path)?;
    }
    files::open_folder(folder)?.sync_all()
}

/// The mode of the plain file that is there, without the bits that would make the new owner's text run as somebody.
fn mode_to_keep(path: &Path) -> Option<Permissions> {
    let existing = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(Permissions::from_mode(existing.permissions().mode() & 0o777))
}

/// Writes the file, unless it has these contents already.
pub fn write_unless_equal(path: &Path, text: &str, overwrite: bool) -> Result<(), Failure> {
    let is_equal = || files::read(path, text.len() as u64).is_ok_and(|contents| contents == text.as_bytes());
    if !overwrite && is_equal() { Ok(()) } else { write(path, text.as_bytes(), overwrite) }
}

#[cfg(test)]
mod tests {
    use std::{os::unix::fs::symlink, path::PathBuf};

    use super::*;

    fn files_in(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_only_overwritten_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.md");
        write(&path, b"one", false).unwrap();
        let failure = write(&path, b"two", false).unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(failure.suggestion.unwrap().contains("--force"));
        assert_eq!(files::read(&path, 9).unwrap(), b"one");
        write(&path, b"two", true).unwrap();
        assert_eq!(files::read(&path, 9).unwrap(), b"two");
        assert_eq!(files_in(folder.path()), ["plan.md"]);
    }

    #[test]
    fn the_mode_is_that_of_any_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, any) = (folder.path().join("ours"), folder.path().join("any"));
        write(&ours, b"", false).unwrap();
        fs::write(&any, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&any));
    }

    #[test]
    fn a_plain_file_keeps_its_mode_and_a_link_is_replaced_without_its_targets() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |path: &Path| fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777;
        fs::write(at("new"), "").unwrap();
        let usual = mode(&at("new"));
        for (existing, kept) in [(0o600, 0o600), (0o640, 0o640), (0o444, 0o444), (0o755, 0o755), (0o4755, 0o755)] {
            let (file, target, link) = (at("file"), at("target"), at("link"));
            for path in [&file, &target] {
                fs::write(path, "former").unwrap();
                fs::set_permissions(path, Permissions::from_mode(existing)).unwrap();
            }
            symlink("target", &link).unwrap();
            for path in [&file, &link] {
                write(path, b"text", true).unwrap();
                assert_eq!(files::read(path, 9).unwrap(), b"text");
                assert!(fs::symlink_metadata(path).unwrap().is_file());
            }
            assert_eq!((mode(&file), mode(&link), mode(&target)), (kept, usual, existing), "{existing:o}");
            assert_eq!(files::read(&target, 9).unwrap(), b"former");
            [file, target, link].iter().for_each(|path| fs::remove_file(path).unwrap());
        }
        symlink("nowhere", at("dangling")).unwrap();
        assert_eq!(write(&at("dangling"), b"text", false).unwrap_err().code, "INVALID_INPUT");
        write(&at("dangling"), b"text", true).unwrap();
        assert_eq!((mode(&at("dangling")), at("nowhere").exists()), (usual, false));
    }

    #[test]
    fn a_failed_write_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), b"").unwrap();
        for (path, code) in [
            (folder.path().join("missing").join("plan.md"), "FILE_NOT_FOUND"),
            (folder.path().join("file").join("plan.md"), "FILE_NOT_FOUND"),
            (folder.path().to_owned(), "INVALID_INPUT"),
            (PathBuf::from("/dev/null"), "INVALID_INPUT"),
            (PathBuf::from("-"), "INVALID_INPUT"),
            (folder.path().join("new/"), "INVALID_INPUT"),
            (folder.path().join("n".repeat(256)), "INVALID_INPUT"),
        ] {
            for force in [false, true] {
                let failure = write(&path, b"text", force).unwrap_err();
                assert_eq!(failure.code, code, "{}", failure.message);
                assert_eq!(check(&path, force).unwrap_err().message, failure.message);
                assert!(failure.message.contains(&path.display().to_string()), "{}", failure.message);
                assert!(!failure.message.contains(".aw-"), "{}", failure.message);
            }
        }
        assert_eq!(files_in(folder.path()), ["file"]);
    }

    #[test]
    fn a_file_with_other_contents_is_only_replaced_with_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("debate.md");
        write_unless_equal(&path, "one", false).unwrap();
        write_unless_equal(&path, "one", false).unwrap();
        assert_eq!(write_unless_equal(&path, "two", false).unwrap_err().code, "INVALID_INPUT");
        assert_eq!(files::read(&path, 9).unwrap(), b"one");
        write_unless_equal(&path, "two", true).unwrap();
        assert_eq!(files::read(&path, 9).unwrap(), b"two");
        let failure = write_unless_equal(&folder.path().join("no/such"), "x", false).unwrap_err();
        assert!(failure.message.contains("no/such"), "{}", failure.message);
    }
}
