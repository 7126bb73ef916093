//! Files that are written whole or not at all.

use std::{
    fs::{self, File, Permissions},
    io::{self, ErrorKind, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use crate::error::{Code, Failure};

/// What can be wrong with the folder that a file is to be in.
const FOLDER_FAULTS: [(ErrorKind, &str); 4] = [
    (ErrorKind::NotFound, "its folder is not there"),
    (ErrorKind::NotADirectory, "its folder is no folder"),
    (ErrorKind::PermissionDenied, "its folder may not be written to"),
    (ErrorKind::ReadOnlyFilesystem, "its folder may not be written to"),
];

/// Puts `bytes` at `path` in one step, so that nobody ever finds half of them there.
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    let shown = path.display();
    let there = || {
        Failure::new(Code::InvalidInput, format!("{shown} is there already"))
            .suggest("Give --force to overwrite it, or --output another path")
    };
    // A folder, a pipe or a device is nothing to be replaced by a text.
    if fs::metadata(path).is_ok_and(|target| !target.is_file()) {
        return Err(Failure::new(Code::InvalidInput, format!("{shown} is no file that could be overwritten"))
            .suggest("Give --output the path of a file"));
    }
    match replace(path, bytes, force) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists && !force => Err(there()),
        Err(error) => {
            let (code, cause) = match FOLDER_FAULTS.iter().find(|(kind, _)| *kind == error.kind()) {
                Some((_, cause)) => (Code::FileNotFound, (*cause).to_owned()),
                None => (Code::InternalError, error.to_string()),
            };
            Err(Failure::new(code, format!("cannot write {shown}: {cause}"))
                .suggest("Give --output a path in a folder that is there and may be written to"))
        }
    }
}

fn replace(path: &Path, bytes: &[u8], force: bool) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // As any new file: what the umask leaves of it.
    let mut file =
        tempfile::Builder::new().prefix(".aw-").permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let file = file.into_temp_path();
    if force {
        file.persist(path)?;
    } else {
        file.persist_noclobber(path)?;
    }
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn left_in(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_written_once_and_overwritten_on_demand_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.md");
        write(&path, b"one", false).unwrap();
        let failure = write(&path, b"two", false).unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(failure.suggestion.unwrap().contains("--force"));
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(&path, b"two", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(left_in(folder.path()), ["plan.md"]);
    }

    #[test]
    fn a_file_has_the_mode_of_any_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, any) = (folder.path().join("ours"), folder.path().join("any"));
        write(&ours, b"", false).unwrap();
        fs::write(&any, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&any));
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), b"").unwrap();
        for (path, code) in [
            (folder.path().join("missing").join("plan.md"), "FILE_NOT_FOUND"),
            (folder.path().join("file").join("plan.md"), "FILE_NOT_FOUND"),
            (folder.path().to_owned(), "INVALID_INPUT"),
            (PathBuf::from("/dev/null"), "INVALID_INPUT"),
        ] {
            for force in [false, true] {
                let failure = write(&path, b"text", force).unwrap_err();
                assert_eq!(failure.code, code, "{}", failure.message);
                assert!(failure.message.contains(&path.display().to_string()), "{}", failure.message);
                assert!(!failure.message.contains(".aw-"), "{}", failure.message);
            }
        }
        assert_eq!(left_in(folder.path()), ["file"]);
    }
}
