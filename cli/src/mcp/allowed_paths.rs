//! The folders that a client of the tools may have files read from.

use std::{
    env, fs,
    io::ErrorKind,
    path::{Component, Path, PathBuf},
};

use crate::{
    input::content,
    output::failure::{Code, Failure},
};

/// The folder in which `aw mcp` was started, and those given with `--allow-path`. All links in them are resolved.
#[derive(Debug)]
pub struct AllowedPaths {
    start: PathBuf,
    folders: Vec<PathBuf>,
}

impl AllowedPaths {
    /// The folder of this process, and others.
    pub fn new(others: &[PathBuf]) -> Result<Self, Failure> {
        let start = env::current_dir().and_then(|folder| folder.canonicalize()).map_err(|error| {
            Failure::new(Code::FileNotFound, format!("cannot find the current folder: {error}"))
                .with_suggestion("Start aw mcp in a folder that exists")
        })?;
        let mut folders = vec![start.clone()];
        for folder in others {
            folders.push(folder.canonicalize().map_err(|error| {
                Failure::new(Code::FileNotFound, format!("--allow-path {}: {error}", folder.display()))
                    .with_suggestion("Give --allow-path a folder that exists")
            })?);
        }
        Ok(Self { start, folders })
    }

    /// Reads the text file that the argument `path` names.
    pub fn read(&self, path: &str) -> Result<String, Failure> {
        let resolved = self.resolve(path)?;
        // A pipe would never end, and a device might do anything.
        if !fs::metadata(&resolved).is_ok_and(|metadata| metadata.is_file()) {
            return Err(Failure::new(Code::FileNotFound, format!("{path} is not a regular file"))
                .with_suggestion("Give path a readable text file, or give the text as content"));
        }
        content::read_file("path", &resolved)
    }

    fn resolve(&self, path: &str) -> Result<PathBuf, Failure> {
        let full = self.start.join(path);
        match full.canonicalize() {
            Ok(resolved) if self.contains(&resolved) => Ok(resolved),
            Err(error) if error.kind() == ErrorKind::NotFound && self.would_contain(&full) => {
                Err(Failure::new(Code::FileNotFound, format!("cannot read the file {path}: {error}"))
                    .with_suggestion("Give path a readable text file, or give the text as content"))
            }
            // Whether there is anything is not told.
            Ok(_) | Err(_) => Err(self.outside(path)),
        }
    }

    fn contains(&self, resolved: &Path) -> bool {
        self.folders.iter().any(|folder| resolved.starts_with(folder))
    }

    /// Whether a file that is not there would be in an allowed folder.
    fn would_contain(&self, full: &Path) -> bool {
        if full.components().any(|component| component == Component::ParentDir) {
            return false;
        }
        let existing = full.ancestors().skip(1).find_map(|folder| folder.canonicalize().ok());
        existing.is_some_and(|folder| self.contains(&folder))
    }

    fn outside(&self, path: &str) -> Failure {
        let folders: Vec<String> = self.folders.iter().map(|folder| folder.display().to_string()).collect();
        Failure::new(Code::InvalidInput, format!("path {path} is not in a folder that aw mcp may read"))
            .with_suggestion(format!(
                "Give a file in {}, or the text as content; aw mcp --allow-path FOLDER allows another folder",
                folders.join(" or ")
            ))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

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
        }
        symlink(outside.join("a.md"), start.join("link.md")).unwrap();
        symlink(&outside, start.join("folder")).unwrap();
        symlink(start.join("a.md"), start.join("inner.md")).unwrap();
        symlink(start.join("a.md"), outside.join("back.md")).unwrap();
        let paths = AllowedPaths { start: start.clone(), folders: vec![start.clone(), other.clone()] };
        let shown = |path: &Path| path.display().to_string();
        for path in ["a.md", "./a.md", "inner.md", "../other/a.md", "folder/back.md", &shown(&other.join("a.md"))] {
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
            &long,
            &shown(&outside.join("a.md")),
        ] {
            assert_eq!(code(&paths, path), "INVALID_INPUT", "{path}");
        }
        for path in ["missing.md", "missing/a.md", ".", ""] {
            assert_eq!(code(&paths, path), "FILE_NOT_FOUND", "{path}");
        }
    }
}
