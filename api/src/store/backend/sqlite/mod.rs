//! SQLite: one file, used by one server at a time.

mod connect_options;
pub(super) mod multi_statement;
pub(super) mod schema;
mod search_connection;
pub(super) mod text_index;
pub(super) mod title_index;
mod version;

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use sea_orm::{ColumnType, ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbErr, Statement};
use sqlx::{
    error::DatabaseError,
    sqlite::{SqliteError, SqliteSynchronous},
};

pub(super) use self::{connect_options::to_search, search_connection::SearchConnection};

use self::connect_options::{BUSY_TIMEOUT, ROW_BUFFER_SIZE, to_read};
use super::{BoundedPool, Opened};
use crate::store::{
    database_file,
    error::{OpenError, StoreError},
};

/// See [`super::cited_documents`].
pub(super) const CITED_DOCUMENTS: &str = "SELECT unhex(citation.value ->> 'document_id', '-') FROM arguments, \
    json_each(arguments.citations) AS citation WHERE arguments.debate_id = ? AND arguments.citations IS NOT NULL";

/// The default number of connections for reading.
const READERS: u32 = 4;

/// A lock that keeps other servers from opening the database file until it is dropped.
#[derive(Debug)]
pub(in crate::store) struct FileLock {
    path: PathBuf,
    _locked: File,
}

impl Drop for FileLock {
    /// Removes the file while it is still locked.
    fn drop(&mut self) {
        // A file that stays is not locked, and the next server locks it.
        let _ = fs::remove_file(&self.path);
    }
}

/// A column as a value of JSON, with bytes in hexadecimal. `hex` makes an empty text of null.
pub(super) fn as_json(name: &str, column_type: &ColumnType) -> String {
    if matches!(column_type, ColumnType::Uuid | ColumnType::Blob) {
        format!("iif({name} IS NULL, NULL, hex({name}))")
    } else {
        name.to_owned()
    }
}

/// Opens the file, and creates it if it is missing.
pub(super) async fn open(path: &Path, readers: Option<u32>) -> Result<Opened, OpenError> {
    let file_lock = Some(lock_file(path)?);
    open_private(path)?;
    let write = Database::connect(connect_options::to_write(path)).await?;
    version::check(&write).await?;
    connect_options::check_durable(&write).await?;
    let read = Database::connect(to_read(path, readers.unwrap_or(READERS))).await?;
    Ok(Opened { read: BoundedPool::local(read), write: BoundedPool::local(write), file_lock })
}

/// Opens an existing file for reading, also while a server uses it.
pub(super) async fn open_to_read(path: &Path) -> Result<DatabaseConnection, OpenError> {
    let file = path.to_owned();
    // SQLite would wait for somebody who writes into a pipe.
    if !fs::metadata(&file).map_err(file_error(&file))?.is_file() {
        return Err(file_error(&file)(io::Error::other("it is not a plain file")));
    }
    let mut options = ConnectOptions::new("sqlite:");
    options.max_connections(1).sqlx_logging_level(log::LevelFilter::Debug).map_sqlx_sqlite_opts(move |sqlite| {
        sqlite.filename(&file).read_only(true).busy_timeout(BUSY_TIMEOUT).row_buffer_size(ROW_BUFFER_SIZE)
    });
    Ok(Database::connect(options).await?)
}

/// Opens an existing file that no other process uses, and keeps the journal mode that the file has.
pub(in crate::store) async fn open_exclusive(path: &Path) -> Result<DatabaseConnection, OpenError> {
    let file = path.to_owned();
    let mut options = ConnectOptions::new("sqlite:");
    options.max_connections(1).sqlx_logging_level(log::LevelFilter::Debug).map_sqlx_sqlite_opts(move |sqlite| {
        sqlite
            .filename(&file)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT)
            .row_buffer_size(ROW_BUFFER_SIZE)
    });
    Ok(Database::connect(options).await?)
}

/// Copies a snapshot of the database into an existing, empty file. Writers need not wait for it.
pub(in crate::store) async fn vacuum_into(connection: &DatabaseConnection, target: &Path) -> Result<(), DbErr> {
    let target = target.to_str().ok_or_else(|| DbErr::Custom("the path is not UTF-8".to_owned()))?;
    let vacuum =
        Statement::from_sql_and_values(connection.get_database_backend(), "VACUUM INTO ?", [target.to_owned().into()]);
    connection.execute_raw(vacuum).await?;
    Ok(())
}

/// Writes the contents of the log into the database file and removes the log.
pub(in crate::store) async fn merge_log(path: &Path) -> Result<(), OpenError> {
    let connection = open_exclusive(path).await?;
    let merge = Statement::from_string(connection.get_database_backend(), "PRAGMA journal_mode = DELETE");
    connection.query_one_raw(merge).await?;
    Ok(connection.close().await?)
}

/// What SQLite finds when it checks all pages of the file, its indices and the index of titles.
pub(super) async fn damaged_pages(connection: &DatabaseConnection) -> Result<Vec<String>, StoreError> {
    let check = Statement::from_string(connection.get_database_backend(), "PRAGMA integrity_check");
    let found = connection.query_all_raw(check).await?;
    let found = found.iter().map(|row| row.try_get_by_index::<String>(0)).collect::<Result<Vec<_>, _>>()?;
    Ok(found.into_iter().filter(|line| line != "ok").collect())
}

/// Writes so many bytes into a file without a name beside the database, which is gone at once.
pub(super) fn check_room(path: &Path, bytes: usize) -> io::Result<()> {
    let mut file = tempfile::tempfile_in(database_file::folder(path))?;
    file.write_all(&vec![0; bytes])?;
    file.sync_data()
}

/// Keeps other servers from opening the database file. Creates its folder, but not the file itself.
pub(in crate::store) fn lock_file(path: &Path) -> Result<FileLock, OpenError> {
    create_private_folder(database_file::folder(path))?;
    database_file::check(path)?;
    // The lock is on a file of its own: closing any handle on the database would release SQLite's own locks.
    let lock_path = database_file::with_suffix(path, ".lock");
    loop {
        let file = open_private(&lock_path)?;
        match file.try_lock() {
            // If a server has removed the file since it was opened here, the next server would lock another one.
            Ok(()) if !is_at(&file, &lock_path)? => {}
            Ok(()) => return Ok(FileLock { path: lock_path, _locked: file }),
            Err(TryLockError::WouldBlock) => return Err(OpenError::Locked { path: absolute(path) }),
            Err(TryLockError::Error(source)) => return Err(OpenError::File { path: absolute(path), source }),
        }
    }
}

/// Whether `path` names this open file.
fn is_at(file: &File, path: &Path) -> Result<bool, OpenError> {
    let opened = file.metadata().map_err(file_error(path))?;
    match fs::metadata(path) {
        Ok(named) => Ok((named.dev(), named.ino()) == (opened.dev(), opened.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(file_error(path)(error)),
    }
}

/// Creates a folder and its missing parents, readable by their owner only. They are synced to disk, as the database would
/// be lost with its folder.
fn create_private_folder(folder: &Path) -> Result<(), OpenError> {
    let missing: Vec<&Path> =
        folder.ancestors().take_while(|part| !part.as_os_str().is_empty() && !part.exists()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(file_error(folder))?;
    missing
        .into_iter()
        .rev()
        .try_for_each(|created| database_file::sync_folder_of(created).map_err(file_error(created)))
}

/// Opens a file, and creates it readable by its owner only if it is missing.
fn open_private(path: &Path) -> Result<File, OpenError> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path).map_err(file_error(path))
}

fn file_error(path: &Path) -> impl FnOnce(io::Error) -> OpenError {
    let path = path.display().to_string();
    move |source| OpenError::File { path, source }
}

fn absolute(path: &Path) -> String {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// Whether the file is busy, full, read-only, missing or unreadable, by the low byte of the extended error code.
pub(super) fn is_temporary(error: &(dyn DatabaseError + 'static)) -> bool {
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const READONLY: i32 = 8;
    const IOERR: i32 = 10;
    // SQLite also returns this if the disk fails to read.
    const CORRUPT: i32 = 11;
    const FULL: i32 = 13;
    const CANTOPEN: i32 = 14;
    let code = error.try_downcast_ref::<SqliteError>().and_then(|error| error.code()?.parse::<i32>().ok());
    code.is_some_and(|code| [BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN].contains(&(code & 0xff)))
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicU32, Ordering},
        thread,
    };

    use super::*;

    #[test]
    fn only_one_holds_the_lock_while_others_lock_and_unlock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("debate.db");
        let (holders, locked) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2_000 {
                        let Ok(lock) = lock_file(&path) else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0, "two hold the lock");
                        thread::yield_now();
                        holders.fetch_sub(1, Ordering::SeqCst);
                        locked.fetch_add(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(locked.into_inner() > 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "the last one removes the file");
    }
}
