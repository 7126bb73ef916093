//! The file of the key that signs records: one that the settings name, or `signing.key` beside a SQLite database, which the
//! first start makes.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use secrecy::{ExposeSecret, SecretString};

use crate::{
    app::{NotAKey, SigningKey},
    plain_file,
    store::Location,
};

/// The name of the file beside a database.
const NAME: &str = "signing.key";

/// What is added to the name of a backup for the name of its key.
const BACKUP_SUFFIX: &str = ".signing.key";

/// The maximum size of a key file in bytes.
const MAX_BYTES: u64 = 16 * 1024;

/// Why a key cannot be used or kept.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file cannot be read, or is no key.
    #[error(
        "the signing key {path} {reason}; it must be an Ed25519 key in PKCS#8 PEM, as openssl genpkey -algorithm ed25519 writes \
         it, that this user can read (--signing-key-file or DEBATE_SIGNING_KEY_FILE names another one)"
    )]
    Unusable {
        /// The file
        path: String,
        /// What is wrong with it
        reason: String,
    },
    /// The file cannot be made.
    #[error("the signing key {path} cannot be made: {source}; check that there is room, and that you may write there")]
    Write {
        /// The file
        path: String,
        /// The error of the system
        source: io::Error,
    },
    /// There is another file where the key of a backup should be.
    #[error("{path} already exists; name another file for the backup, or replace both with --force")]
    Exists {
        /// The file
        path: String,
    },
    /// There are no random bytes.
    #[error("the system has no random bytes for a signing key: {0}")]
    Random(#[from] getrandom::Error),
}

/// Reads the key in the file that the settings name.
///
/// # Errors
/// If it cannot be read or is no key.
pub fn named(path: &Path) -> Result<SigningKey, KeyFileError> {
    Ok(read(path)?.0)
}

/// Reads the key beside the database, and makes it if there is none. None for a database that is no file, since the servers
/// that share it would have to share the key.
///
/// # Errors
/// If it cannot be read or made, or is no key.
pub fn beside(database: &Location) -> Result<Option<SigningKey>, KeyFileError> {
    let Some(path) = database.beside(NAME) else { return Ok(None) };
    match read(&path) {
        Ok((key, _)) => Ok(Some(key)),
        Err(_) if !exists(&path) => make(&path).map(Some),
        Err(error) => Err(error),
    }
}

/// The key of a backup. It is written when the backup is there, so that an interrupted one leaves none.
#[derive(Debug)]
pub struct BackupKey {
    text: SecretString,
    to: PathBuf,
    replace: bool,
}

impl BackupKey {
    /// The name that the file will have.
    pub fn path(&self) -> &Path {
        &self.to
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(self) -> Result<(), KeyFileError> {
        write(&self.to, self.text.expose_secret(), self.replace).map_err(write_error(&self.to))
    }
}

/// Prepares the key of the backup `to`: a copy of the named key, or else of the one beside the database. None if there is no
/// key yet.
///
/// # Errors
/// If the key cannot be read, or if there is such a file already and `replace` is not set.
pub fn for_backup(
    named: Option<&Path>,
    database: &Location,
    to: &Path,
    replace: bool,
) -> Result<Option<BackupKey>, KeyFileError> {
    let Some(path) = named.map(Path::to_owned).or_else(|| database.beside(NAME)) else { return Ok(None) };
    if named.is_none() && !exists(&path) {
        return Ok(None);
    }
    let (_, text) = read(&path)?;
    let to = of_backup(to);
    if exists(&to) && !replace {
        return Err(KeyFileError::Exists { path: to.display().to_string() });
    }
    Ok(Some(BackupKey { text: text.into(), to, replace }))
}

/// Puts the key of a backup beside the database, unless there is a key. Returns where it is if it did.
///
/// # Errors
/// If the key of the backup cannot be read or written.
pub fn from_backup(from: &Path, database: &Location) -> Result<Option<PathBuf>, KeyFileError> {
    let (from, Some(to)) = (of_backup(from), database.beside(NAME)) else { return Ok(None) };
    if exists(&to) || !exists(&from) {
        return Ok(None);
    }
    let (_, text) = read(&from)?;
    match write(&to, &text, false) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        other => other.map(|()| Some(to.clone())).map_err(write_error(&to)),
    }
}

/// The key, and the text of the file.
fn read(path: &Path) -> Result<(SigningKey, String), KeyFileError> {
    let unusable = |reason: String| KeyFileError::Unusable { path: path.display().to_string(), reason };
    let text = plain_file::read_secret("signing key", path, MAX_BYTES);
    let text = text.map_err(|error| unusable(format!("cannot be read: {error}")))?;
    match SigningKey::from_pem(&text) {
        Ok(key) => Ok((key, text)),
        Err(error) => Err(unusable(error.to_string())),
    }
}

fn make(path: &Path) -> Result<SigningKey, KeyFileError> {
    let mut random = [0; SigningKey::BYTES];
    getrandom::fill(&mut random)?;
    let key = SigningKey::from_random(&random);
    let unusable =
        |error: NotAKey| KeyFileError::Unusable { path: path.display().to_string(), reason: error.to_string() };
    let text = key.to_pem().map_err(unusable)?;
    match write(path, &text, false) {
        Ok(()) => {
            tracing::info!(path = %path.display(), public_key = key.public_key(), "made a key that signs records");
            Ok(key)
        }
        // Another server made it meanwhile.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => named(path),
        Err(error) => Err(write_error(path)(error)),
    }
}

/// Writes a file that only this user can read, as a whole or not at all.
fn write(path: &Path, text: &str, replace: bool) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".signing-key-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    let written = if replace { file.persist(path) } else { file.persist_noclobber(path) };
    written.map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

fn write_error(path: &Path) -> impl Fn(io::Error) -> KeyFileError {
    move |source| KeyFileError::Write { path: path.display().to_string(), source }
}

/// Whether there is something at this path, be it a link that leads nowhere.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn of_backup(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(BACKUP_SUFFIX);
    PathBuf::from(name)
}
