//! Where a database file may be: on a local file system, under a single name, and owned by this user.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{major, minor},
    process::geteuid,
};

use super::error::OpenError;

/// The network file systems of Linux. Synced writes may be lost there, and locks do not work across machines.
const NETWORK_FILE_SYSTEMS: [&str; 16] = [
    "9p",
    "afs",
    "ceph",
    "cifs",
    "coda",
    "davfs",
    "fuse.ceph",
    "fuse.cephfs",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "lustre",
    "ncpfs",
    "smb3",
    "smbfs",
];

/// The suffixes of the files beside an open database: SQLite's log, its index, and the lock file.
const SUFFIXES: [&str; 3] = ["-wal", "-shm", ".lock"];

/// Refuses a database file where the locks or the log of SQLite would not be reliable. The file need not exist yet, but its
/// folder must.
///
/// # Errors
/// If the file or its folder is a symbolic link, belongs to another user or is on a network file system, or if the file has
/// several names.
pub(super) fn check(path: &Path) -> Result<(), OpenError> {
    let folder = folder(path);
    let refused =
        |path: &Path, reason: String| Err(OpenError::UnsafePlace { path: path.display().to_string(), reason });
    let user = geteuid().as_raw();
    let companions = SUFFIXES.map(|suffix| with_suffix(path, suffix));
    let files = [path].into_iter().chain(companions.iter().map(PathBuf::as_path)).map(|file| (file, true));
    for (part, is_file) in [(folder, false)].into_iter().chain(files) {
        let Some(found) = metadata(part)? else { continue };
        if found.is_symlink() {
            let to = fs::canonicalize(part).unwrap_or_else(|_| PathBuf::from("a path that does not exist"));
            return refused(part, format!("is a symbolic link to {}; name the real path", to.display()));
        }
        // System folders such as /tmp belong to root.
        let owners: &[u32] = if is_file { &[user] } else { &[user, 0] };
        if !owners.contains(&found.uid()) {
            return refused(part, format!("belongs to user {}, and this server runs as user {user}", found.uid()));
        }
        if is_file && !found.is_file() {
            return refused(part, "is not a file".to_owned());
        }
        if is_file && found.nlink() > 1 {
            let names = found.nlink();
            return refused(
                part,
                format!("has {names} hard links, so that two servers could open it under different names"),
            );
        }
    }
    // Only Linux has this file: elsewhere the check is skipped.
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let device = fs::metadata(folder).map_err(file_error(folder))?.dev();
    match network_file_system(&mounts, major(device), minor(device)) {
        Some(kind) => refused(folder, format!("is on a network file system ({kind}); choose a folder on a local disk")),
        None => Ok(()),
    }
}

/// The path with a suffix after the file name.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The folder of a file.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the folder of `path` to disk, and with it the names of its files.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    fs::File::open(folder(path))?.sync_all()
}

fn metadata(path: &Path) -> Result<Option<fs::Metadata>, OpenError> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error(path)(error)),
    }
}

fn file_error(path: &Path) -> impl FnOnce(io::Error) -> OpenError {
    let path = path.display().to_string();
    move |source| OpenError::File { path, source }
}

/// The type of the network file system that is mounted as this device, from `/proc/self/mountinfo`; none if it is local.
fn network_file_system(mounts: &str, major: u32, minor: u32) -> Option<&str> {
    let device = format!("{major}:{minor}");
    mounts.lines().find_map(|mount| {
        // The device is the third field; the file system type follows a separate dash, after any number of fields.
        let (fields, after) = mount.split_once(" - ")?;
        let kind = after.split(' ').next()?;
        let is_device = fields.split(' ').nth(2) == Some(device.as_str());
        (is_device && (NETWORK_FILE_SYSTEMS.contains(&kind) || kind.starts_with("nfs"))).then_some(kind)
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{chown, symlink};

    use tempfile::TempDir;

    use super::*;

    fn reason(path: &Path) -> String {
        match check(path) {
            Err(OpenError::UnsafePlace { reason, .. }) => reason,
            other => panic!("{}: {other:?}", path.display()),
        }
    }

    #[test]
    fn a_plain_file_of_this_user_is_accepted_before_and_after_it_exists() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("debate.db");
        check(&file).unwrap();
        fs::write(&file, "").unwrap();
        check(&file).unwrap();
    }

    #[test]
    fn a_symbolic_link_is_refused_with_its_target() {
        let folder = TempDir::new().unwrap();
        let (real, linked) = (folder.path().join("real"), folder.path().join("linked"));
        fs::create_dir(&real).unwrap();
        symlink(&real, &linked).unwrap();
        assert!(reason(&linked.join("debate.db")).contains(real.to_str().unwrap()));
        let (file, link) = (real.join("debate.db"), real.join("link.db"));
        symlink(&file, &link).unwrap();
        assert!(reason(&link).contains("symbolic link"), "a dangling link");
        fs::write(&file, "").unwrap();
        assert!(reason(&link).contains(file.to_str().unwrap()));
        symlink(&real, real.join("debate.db-wal")).unwrap();
        assert!(reason(&file).contains("symbolic link"), "the log is a link");
    }

    #[test]
    fn a_file_with_two_hard_links_is_refused() {
        let folder = TempDir::new().unwrap();
        let (file, other) = (folder.path().join("debate.db"), folder.path().join("other.db"));
        fs::write(&file, "").unwrap();
        fs::hard_link(&file, &other).unwrap();
        assert!(reason(&file).contains("2 hard links"));
    }

    #[test]
    fn a_file_or_folder_of_another_user_is_refused() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("debate.db");
        fs::write(&file, "").unwrap();
        // Only root may change the owner of a file.
        if chown(&file, Some(65_534), None).is_ok() {
            assert!(reason(&file).contains("belongs to user 65534"));
            chown(&file, Some(0), None).unwrap();
            chown(folder.path(), Some(65_534), None).unwrap();
            assert!(reason(&file).contains("belongs to user 65534"));
        }
    }

    #[test]
    fn a_network_file_system_is_recognized_by_its_mount() {
        let mounts = "22 27 0:21 / /proc rw,relatime - proc proc rw\n\
                      27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n\
                      40 27 0:44 / /home/me/far rw,relatime shared:7 master:1 - nfs4 far:/export rw,vers=4.2\n\
                      41 27 0:45 / /mnt/files rw - fuse.sshfs me@far:/ rw\n\
                      42 27 0:46 / /mnt/photos rw - fuse.exfat /dev/sdb1 rw\n";
        assert_eq!(network_file_system(mounts, 0, 44), Some("nfs4"));
        assert_eq!(network_file_system(mounts, 0, 45), Some("fuse.sshfs"));
        for (major, minor) in [(254, 0), (0, 21), (0, 46), (0, 4), (0, 99)] {
            assert_eq!(network_file_system(mounts, major, minor), None, "{major}:{minor}");
        }
        assert_eq!(network_file_system("", 0, 44), None);
    }
}
