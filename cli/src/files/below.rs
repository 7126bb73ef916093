//! Files below a folder that somebody else may have filled, with links that lead out of it.

use std::{
    fs::File,
    io::{self, ErrorKind},
    path::{Component, Path, PathBuf},
};

use rustix::fs::{Mode, OFlags, openat};

use super::check_plain;

/// Where the file `path` below the folder `root` is, with the links on its way followed. What is not there yet stays as it is
/// named. An empty `root` is the current folder.
///
/// # Errors
/// If a link leads out of `root` or to nothing, which the error names.
pub fn resolve_below(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let mut resolved = root.to_owned();
    for component in path.components() {
        let next = resolved.join(component);
        resolved = if next.is_symlink() { follow(root, &next)? } else { next };
    }
    Ok(resolved)
}

/// Opens the plain file `path` below an opened folder to read it. Links are not followed, whatever comes to the path
/// meanwhile: each folder on the way is opened below the one before.
///
/// # Errors
/// [`rustix::io::Errno::LOOP`] or `NOTDIR` for a link, and as for [`super::open`].
pub fn open_below(folder: &File, path: &Path) -> io::Result<File> {
    let mut opened = folder.try_clone()?;
    let mut components = path.components().peekable();
    while let Some(component) = components.next() {
        let Component::Normal(name) = component else { return Err(ErrorKind::InvalidInput.into()) };
        let kind = if components.peek().is_some() { OFlags::DIRECTORY } else { OFlags::NONBLOCK | OFlags::NOCTTY };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | kind;
        opened = openat(&opened, name, flags, Mode::empty())?.into();
    }
    check_plain(&opened.metadata()?)?;
    Ok(opened)
}

fn follow(root: &Path, link: &Path) -> io::Result<PathBuf> {
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    let where_to = match link.canonicalize() {
        Ok(target) if target.starts_with(root.canonicalize()?) => return Ok(target),
        Ok(_) => "leads out of this folder",
        Err(_) => "leads to nothing",
    };
    Err(io::Error::new(ErrorKind::InvalidInput, format!("{} is a link that {where_to}", link.display())))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn a_link_is_followed_unless_it_leads_out_of_the_folder() {
        let all = tempfile::tempdir().unwrap();
        let (root, outside) = (all.path().join("root"), all.path().join("root-not"));
        for folder in [&root.join("inner"), &outside] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("a"), "text").unwrap();
        }
        symlink("inner", root.join("same")).unwrap();
        symlink("a", root.join("inner/alias")).unwrap();
        symlink(&outside, root.join("out")).unwrap();
        symlink("../root-not/a", root.join("file")).unwrap();
        symlink("missing", root.join("dangling")).unwrap();
        let inner = root.canonicalize().unwrap().join("inner");
        for (path, resolved) in [
            ("inner/a", root.join("inner/a")),
            ("inner/new/b", root.join("inner/new/b")),
            ("same/a", inner.join("a")),
            ("same/new", inner.join("new")),
            ("same/alias", inner.join("a")),
        ] {
            assert_eq!(resolve_below(&root, Path::new(path)).unwrap(), resolved, "{path}");
        }
        let opened = super::super::open_folder(&root).unwrap();
        for (path, is_opened) in [
            ("inner/a", true),
            ("inner/alias", false),
            ("same/a", false),
            ("out/a", false),
            ("file", false),
            ("dangling", false),
            ("inner", false),
            ("", false),
        ] {
            assert_eq!(open_below(&opened, Path::new(path)).is_ok(), is_opened, "{path}");
        }
        for (path, named) in [("out/a", "out"), ("out/new", "out"), ("file", "file"), ("dangling", "dangling")] {
            let message = resolve_below(&root, Path::new(path)).unwrap_err().to_string();
            assert!(message.starts_with(&format!("{} is a link", root.join(named).display())), "{message}");
        }
    }
}
