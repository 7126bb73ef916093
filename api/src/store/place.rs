//! Where a database file may lie: on this machine's own file system, under one name, and nobody else's.

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

/// File systems of other machines, as Linux calls them. What is written there may be lost or torn although it was
/// acknowledged, and locks do not keep other machines away.
const NETWORK: [&str; 16] = [
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

/// What lies beside the file while it is open: SQLite's log with its index, and what keeps other servers away.
const BESIDE: [&str; 3] = ["-wal", "-shm", ".lock"];

/// Refuses a file in a place that does not keep what SQLite's locks and log rest on. It need not be there yet; its folder
/// has to be.
///
/// # Errors
/// Where the file or its folder is a symbolic link, belongs to somebody else or lies on another machine, and where the file
/// has further names.
pub(super) fn check(path: &Path) -> Result<(), OpenError> {
    let folder = folder(path);
    let refused = |path: &Path, reason: String| Err(OpenError::Place { path: path.display().to_string(), reason });
    let us = geteuid().as_raw();
    let beside = BESIDE.map(|ending| named(path, ending));
    let files = [path].into_iter().chain(beside.iter().map(PathBuf::as_path)).map(|file| (file, true));
    for (part, is_file) in [(folder, false)].into_iter().chain(files) {
        let Some(found) = look(part)? else { continue };
        if found.is_symlink() {
            let to = fs::canonicalize(part).unwrap_or_else(|_| PathBuf::from("a path that leads nowhere"));
            return refused(part, format!("is a symbolic link to {}; name that place itself", to.display()));
        }
        // The system's own folders, such as the one for temporary files, belong to root.
        let owners: &[u32] = if is_file { &[us] } else { &[us, 0] };
        if !owners.contains(&found.uid()) {
            return refused(part, format!("belongs to user {}, and this server runs as user {us}", found.uid()));
        }
        if is_file && !found.is_file() {
            return refused(part, "is no file".to_owned());
        }
        if is_file && found.nlink() > 1 {
            let names = found.nlink();
            return refused(
                part,
                format!("has {names} names (hard links), under each of which a server could open it"),
            );
        }
    }
    // Where the system keeps no such list there is nothing to go by.
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let device = fs::metadata(folder).map_err(failed(folder))?.dev();
    match network(&mounts, major(device), minor(device)) {
        Some(kind) => refused(folder, format!("is on a network file system ({kind}); choose a folder of this machine")),
        None => Ok(()),
    }
}

/// The file of the same name with something after it.
pub(super) fn named(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The folder that a file lies in.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Has the names in the folder that `path` lies in on the disk for good.
pub(super) fn sync_names(path: &Path) -> io::Result<()> {
    fs::File::open(folder(path))?.sync_all()
}

fn look(path: &Path) -> Result<Option<fs::Metadata>, OpenError> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path)(error)),
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> OpenError {
    let path = path.display().to_string();
    move |source| OpenError::File { path, source }
}

/// The kind of network file system that is mounted as this device, if it is one, by what Linux tells of its mounts.
fn network(mounts: &str, major: u32, minor: u32) -> Option<&str> {
    let device = format!("{major}:{minor}");
    mounts.lines().find_map(|mount| {
        // Device third, file system first after a lone dash, which follows any number of fields.
        let (fields, after) = mount.split_once(" - ")?;
        let kind = after.split(' ').next()?;
        let is_it = fields.split(' ').nth(2) == Some(device.as_str());
        (is_it && (NETWORK.contains(&kind) || kind.starts_with("nfs"))).then_some(kind)
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{chown, symlink};

    use tempfile::TempDir;

    use super::*;

    fn reason(path: &Path) -> String {
        match check(path) {
            Err(OpenError::Place { reason, .. }) => reason,
            other => panic!("{}: {other:?}", path.display()),
        }
    }

    #[test]
    fn a_plain_file_of_our_own_is_taken_before_and_after_it_is_there() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("debate.db");
        check(&file).unwrap();
        fs::write(&file, "").unwrap();
        check(&file).unwrap();
    }

    #[test]
    fn a_symbolic_link_is_refused_with_where_it_leads() {
        let folder = TempDir::new().unwrap();
        let (real, linked) = (folder.path().join("real"), folder.path().join("linked"));
        fs::create_dir(&real).unwrap();
        symlink(&real, &linked).unwrap();
        assert!(reason(&linked.join("debate.db")).contains(real.to_str().unwrap()));
        let (file, link) = (real.join("debate.db"), real.join("link.db"));
        symlink(&file, &link).unwrap();
        assert!(reason(&link).contains("symbolic link"), "one that leads nowhere yet");
        fs::write(&file, "").unwrap();
        assert!(reason(&link).contains(file.to_str().unwrap()));
        symlink(&real, real.join("debate.db-wal")).unwrap();
        assert!(reason(&file).contains("symbolic link"), "its log is somewhere else");
    }

    #[test]
    fn a_file_with_a_second_name_is_refused() {
        let folder = TempDir::new().unwrap();
        let (file, other) = (folder.path().join("debate.db"), folder.path().join("other.db"));
        fs::write(&file, "").unwrap();
        fs::hard_link(&file, &other).unwrap();
        assert!(reason(&file).contains("2 names"));
    }

    #[test]
    fn what_belongs_to_somebody_else_is_refused() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("debate.db");
        fs::write(&file, "").unwrap();
        // Only root may give a file away.
        if chown(&file, Some(65_534), None).is_ok() {
            assert!(reason(&file).contains("belongs to user 65534"));
            chown(&file, Some(0), None).unwrap();
            chown(folder.path(), Some(65_534), None).unwrap();
            assert!(reason(&file).contains("belongs to user 65534"));
        }
    }

    #[test]
    fn a_network_file_system_is_known_by_its_mount() {
        let mounts = "22 27 0:21 / /proc rw,relatime - proc proc rw\n\
                      27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n\
                      40 27 0:44 / /home/me/far rw,relatime shared:7 master:1 - nfs4 far:/export rw,vers=4.2\n\
                      41 27 0:45 / /mnt/files rw - fuse.sshfs me@far:/ rw\n\
                      42 27 0:46 / /mnt/photos rw - fuse.exfat /dev/sdb1 rw\n";
        assert_eq!(network(mounts, 0, 44), Some("nfs4"));
        assert_eq!(network(mounts, 0, 45), Some("fuse.sshfs"));
        for (major, minor) in [(254, 0), (0, 21), (0, 46), (0, 4), (0, 99)] {
            assert_eq!(network(mounts, major, minor), None, "{major}:{minor}");
        }
        assert_eq!(network("", 0, 44), None);
    }
}
