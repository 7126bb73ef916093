//! The folders that a client of the tools may have files read from.

use std::{
    env,
    fs::File,
    io,
    path::{Component, Path, PathBuf},
};

use rustix::io::Errno;

use crate::{
    files,
    input::content,
    output::{Code, Failure},
};

/// The folder in which `aw mcp` was started, unless it is the user's home or one above it, and those given with
/// `--allow-path`.
#[derive(Debug)]
pub struct AllowedPaths {
    start: PathBuf,
    folders: Vec<Folder>,
}

/// A folder that may be read from. It stays the one that was opened, whatever comes to its path.
#[derive(Debug)]
struct Folder {
    /// With all links followed
    path: PathBuf,
    opened: File,
    /// Whether the user named it: then hidden files in it are read, too
    is_named: bool,
}

impl AllowedPaths {
    /// The folder of this process, and others.
    pub fn new(others: &[PathBuf]) -> Result<Self, Failure> {
        let start = env::current_dir().and_then(|folder| folder.canonicalize()).map_err(|error| {
            Failure::new(Code::FileNotFound, format!("cannot find the current folder: {error}"))
                .with_suggestion("Start aw mcp in a folder that exists")
        })?;
        let home = env::home_dir().and_then(|home| home.canonicalize().ok());
        let is_project = start.parent().is_some() && !home.is_some_and(|home| home.starts_with(&start));
        let start_folder = is_project.then_some((start.as_path(), false));
        let folders = start_folder.into_iter().chain(others.iter().map(|folder| (folder.as_path(), true)));
        let folders = folders.map(|(folder, is_named)| {
            Folder::open(folder, is_named).map_err(|error| {
                Failure::new(Code::FileNotFound, format!("--allow-path {}: {error}", folder.display()))
                    .with_suggestion("Give --allow-path a folder that exists")
            })
        });
        Ok(Self { folders: folders.collect::<Result<_, _>>()?, start })
    }

    /// Reads the text file that the argument `path` names.
    pub fn read(&self, path: &str) -> Result<String, Failure> {
        // Whether there is anything elsewhere is not told.
        let resolved = resolved(&self.start.join(path));
        let Some((folder, rest)) = resolved.and_then(|resolved| self.find(&resolved)) else {
            return Err(self.outside(path));
        };
        let read = match files::open_below(&folder.opened, &rest) {
            // Something came to the path meanwhile that leads elsewhere.
            Err(error) if matches!(Errno::from_io_error(&error), Some(Errno::LOOP | Errno::NOTDIR)) => {
                return Err(self.outside(path));
            }
            file => file.and_then(|file| files::read_to_limit(file, files::MAX_BYTES)),
        };
        content::parse_text(read, &format!("the file {path}")).map_err(|failure| {
            let hint = || "Give path a plain text file that can be read, or give the text as content".into();
            Failure { suggestion: failure.suggestion.or_else(|| Some(hint())), ..failure }
        })
    }

    /// The folder in which a file may be read, and the path below it.
    fn find(&self, resolved: &Path) -> Option<(&Folder, PathBuf)> {
        self.folders.iter().find_map(|folder| {
            let rest = resolved.strip_prefix(&folder.path).ok()?;
            (folder.is_named || !is_hidden(rest)).then(|| (folder, rest.to_owned()))
        })
    }

    fn outside(&self, path: &str) -> Failure {
        let folders: Vec<String> = self.folders.iter().map(|folder| folder.path.display().to_string()).collect();
        let give = match folders.as_slice() {
            [] => "Give the text as content: aw mcp was not started in the folder of a project".to_owned(),
            folders => format!("Give a file in {} that is not hidden, or the text as content", folders.join(" or ")),
        };
        Failure::new(Code::InvalidInput, format!("path {path} is not in a folder that aw mcp may read"))
            .with_suggestion(format!(
                "{give}; aw mcp --allow-path FOLDER allows another folder, hidden files in it, too"
            ))
    }
}

impl Folder {
    fn open(folder: &Path, is_named: bool) -> io::Result<Self> {
        let path = folder.canonicalize()?;
        Ok(Self { opened: files::open_folder(&path)?, path, is_named })
    }
}

/// Where a file is, or would be that is not there, with links on its way followed.
fn resolved(full: &Path) -> Option<PathBuf> {
    let mut above = full.ancestors();
    let (existing, rest) =
        above.find_map(|folder| Some((folder.canonicalize().ok()?, full.strip_prefix(folder).ok()?)))?;
    rest.components().all(|component| component != Component::ParentDir).then(|| existing.join(rest))
}

fn is_hidden(path: &Path) -> bool {
    path.components().any(|component| component.as_os_str().as_encoded_bytes().starts_with(b"."))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    fn code(paths: &AllowedPaths, path: &str) -> String {
        paths.read(path).unwrap_or_else(|failure| failure.code)
    }

    #[test]
    fn only_files_in_allowed_folders_are_read() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let (start, other, outside) = (root.join("start"), root.join("other"), root.join("start-not"));
        for folder in [&start, &other, &outside] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("a.md"), "text").unwrap();
            fs::create_dir(folder.join(".hidden")).unwrap();
            fs::write(folder.join(".hidden/a.md"), "text").unwrap();
        }
        symlink(outside.join("a.md"), start.join("link.md")).unwrap();
        symlink(&outside, start.join("folder")).unwrap();
        symlink(start.join("a.md"), start.join("inner.md")).unwrap();
        symlink(start.join("a.md"), outside.join("back.md")).unwrap();
        symlink(start.join(".hidden/a.md"), start.join("shown.md")).unwrap();
        let folders = vec![Folder::open(&start, false).unwrap(), Folder::open(&other, true).unwrap()];
        let paths = AllowedPaths { start: start.clone(), folders };
        let shown = |path: &Path| path.display().to_string();
        for path in [
            "a.md",
            "./a.md",
            "inner.md",
            "../other/a.md",
            "../other/.hidden/a.md",
            "folder/back.md",
            &shown(&other.join("a.md")),
        ] {
            assert_eq!(code(&paths, path), "text", "{path}");
        }
        let long = "x".repeat(300);
        for path in [
            "../start-not/a.md",
            "../start-not/missing.md",
            "link.md",
            "folder/a.md",
            "folder/missing.md",
            "/etc/passwd",
            "/missing",
            "missing/../../start-not/a.md",
            "..",
            &shown(&outside.join("a.md")),
            ".hidden/a.md",
            ".hidden/missing.md",
            ".hidden",
            "shown.md",
        ] {
            assert_eq!(code(&paths, path), "INVALID_INPUT", "{path}");
        }
        for path in ["missing.md", "missing/a.md", ".", "", "../other/.hidden", &long] {
            assert_eq!(code(&paths, path), "FILE_NOT_FOUND", "{path}");
        }
    }
}
