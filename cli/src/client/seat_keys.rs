//! The keys of this user's seats, one for each server, debate and role.
//!
//! The first write of a role takes its seat with a key, and later ones show the key. A key is made once and kept in a file of
//! its own before anything is sent. Of several processes at once one makes the file, and the others read it.

use std::{
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{settings::ServerUrl, types::Side};
use crate::files::{self, private};

/// How many bytes the file of a key may have.
const MAX_BYTES: u64 = 4 * 1024;

/// The number of random bytes of a key.
const KEY_BYTES: usize = 32;

/// The file of a key. The server is in its name as a digest, since a URL may have any length.
pub fn path(folder: &Path, server: &ServerUrl, debate: Uuid, side: Side) -> PathBuf {
    let server = Sha256::digest(server.identity());
    folder.join(format!("{debate}.{side}.{}", BASE64URL_NOPAD.encode(&server[..16])))
}

/// The key in this file, which is made if it is not there.
pub fn load_or_make(path: &Path) -> io::Result<String> {
    if let Some(key) = load(path)? {
        return Ok(key);
    }
    let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
    private::make_folder(folder)?;
    let key = new_key()?;
    // tempfile gives the file the mode 0600.
    let mut file = tempfile::Builder::new().prefix(".key-").tempfile_in(folder)?;
    writeln!(file, "{key}")?;
    file.as_file().sync_all()?;
    let key = match file.into_temp_path().persist_noclobber(path) {
        Ok(()) => key,
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => load(path)?.ok_or(ErrorKind::NotFound)?,
        Err(error) => return Err(error.error),
    };
    // The folder may be new, too.
    for folder in [Some(folder), folder.parent()].into_iter().flatten() {
        files::open_folder(folder)?.sync_all()?;
    }
    Ok(key)
}

/// The key in the file; none if there is no file.
pub fn load(path: &Path) -> io::Result<Option<String>> {
    let text = match private::read_text(path, MAX_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let key = text.trim_end();
    if BASE64URL_NOPAD.decode(key.as_bytes()).is_ok_and(|bytes| bytes.len() == KEY_BYTES) {
        return Ok(Some(key.to_owned()));
    }
    Err(io::Error::new(ErrorKind::InvalidData, "the file holds no key"))
}

fn new_key() -> io::Result<String> {
    let mut bytes = [0; KEY_BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt, thread};

    use super::*;

    const DEBATE: Uuid = Uuid::from_u128(7);

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_key_is_made_once_and_only_its_owner_may_read_it() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(".aweave").join("seats");
        let path = folder.join("key");
        let key = load_or_make(&path).unwrap();
        assert_eq!(key.len(), 43);
        assert_eq!(load_or_make(&path).unwrap(), key);
        assert_eq!((mode(&folder), mode(&path)), (0o700, 0o600));
        let files: Vec<_> = fs::read_dir(&folder).unwrap().collect();
        assert_eq!(files.len(), 1, "{files:?}");
    }

    #[test]
    fn of_many_at_once_all_get_the_same_key() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("seats").join("key");
        let keys = thread::scope(|scope| {
            let threads: Vec<_> = (0..16).map(|_| scope.spawn(|| load_or_make(&path).unwrap())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    }

    #[test]
    fn each_server_debate_and_role_has_a_key_of_its_own() {
        let folder = Path::new("seats");
        let server = |url| ServerUrl::parse(url).unwrap();
        let (here, there) = (server("http://127.0.0.1:3456"), server("http://debates.example"));
        let first = path(folder, &here, DEBATE, Side::Proposer);
        assert_eq!(path(folder, &server("http://localhost:3456"), DEBATE, Side::Proposer), first);
        for other in [
            path(folder, &there, DEBATE, Side::Proposer),
            path(folder, &here, Uuid::from_u128(8), Side::Proposer),
            path(folder, &here, DEBATE, Side::Opponent),
        ] {
            assert_ne!(other, first);
        }
    }

    #[test]
    fn a_file_without_a_key_is_an_error_and_stays_as_it_is() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("key");
        for text in ["", "short", &"a".repeat(44), "not base64url: +/+/+/+/+/+/+/+/+/+/+/+/+/+/+"] {
            fs::write(&path, text).unwrap();
            assert_eq!(load_or_make(&path).unwrap_err().kind(), ErrorKind::InvalidData, "{text}");
            assert_eq!(files::read_text(&path, MAX_BYTES).unwrap(), text);
        }
    }

    #[test]
    fn a_key_that_others_may_write_is_refused() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("key");
        let key = load_or_make(&path).unwrap();
        for (mode, is_refused) in [(0o600, false), (0o644, false), (0o620, true), (0o602, true), (0o666, true)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            match load_or_make(&path) {
                Ok(found) => assert!(!is_refused && found == key, "{mode:o}"),
                Err(error) => assert!(is_refused && error.to_string().contains("chmod 600"), "{mode:o}: {error}"),
            }
        }
    }
}
