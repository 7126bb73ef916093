//! How programs are found. A folder of `PATH` that is not named in full could be the one in which somebody works, and what is in
//! there is not run.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt,
    path::{self, Path, PathBuf},
};

/// The folders of `PATH` that are named in full.
fn folders() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).filter(|folder| folder.is_absolute()).collect()
}

/// Whether `PATH` names all its folders in full.
pub fn path_is_absolute() -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).all(|folder| folder.is_absolute())
}

/// The value of `PATH` for what is started.
pub fn path() -> OsString {
    env::join_paths(folders()).unwrap_or_default()
}

/// The file of a program, which is named by its path or found on `PATH`; none if it is not there. A link stays one: programs look at
/// the name by which they are started, as those of a virtual environment of Python do.
pub fn find(command: &str) -> Option<PathBuf> {
    if command.contains('/') {
        return path::absolute(command).ok().filter(|path| is_program(path));
    }
    folders().into_iter().map(|folder| folder.join(command)).find(|path| is_program(path))
}

/// The file that a shell would start, wherever it is.
pub fn found_by_a_shell(command: &str) -> Option<PathBuf> {
    if command.contains('/') {
        return find(command);
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(command)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_program_that_is_a_link_is_started_by_its_own_name() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("shim");
        symlink("/bin/sh", &link).unwrap();
        assert_eq!(find(link.to_str().unwrap()), Some(link.clone()));
        symlink("missing", folder.path().join("gone")).unwrap();
        for other in ["gone", "missing", "."] {
            assert_eq!(find(folder.path().join(other).to_str().unwrap()), None, "{other}");
        }
    }
}
