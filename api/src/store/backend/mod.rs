//! What differs between SQLite and PostgreSQL: connecting, transactions, the search index, notifications, and which errors
//! are temporary. Only this folder asks which database it is.

mod bounded_pool;
mod postgres;
pub(super) mod schema;
mod search_pool;
mod sqlite;

use std::{
    collections::HashMap,
    fmt, io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::LazyLock,
};

use entity::debate;
use sea_orm::{
    ColumnTrait, ColumnType, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, Iden,
    IsolationLevel, Iterable, RuntimeErr, SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
    Value, prelude::Uuid,
};

pub(super) use bounded_pool::BoundedPool;
pub(super) use postgres::Notifier;
pub(super) use search_pool::{Rows, SearchConnection, SearchPool};
pub(super) use sqlite::{FileLock, lock_file, merge_log, open_exclusive, vacuum_into};

use super::{
    error::{InconsistentRow, OpenError, StoreError},
    guarded_statement::{GuardedStatement, execute_all},
    padded_ids::padded,
    search,
};
use crate::domain::{DebateId, is_short_word};

/// Where the database is.
#[derive(Debug, Clone)]
pub enum Location {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// A database of a PostgreSQL server.
    Postgres(postgres::Address),
}

impl FromStr for Location {
    type Err = OpenError;

    fn from_str(url: &str) -> Result<Self, Self::Err> {
        let refused = |url: String, reason: &str| Err(OpenError::Url { url, reason: reason.to_owned() });
        if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            return match postgres::Address::parse(url) {
                Some(address) => Ok(Self::Postgres(address)),
                // In a URL that cannot be parsed, any part may be a password.
                None => refused(
                    "postgres:…".to_owned(),
                    "it should be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters as %XX",
                ),
            };
        }
        let Some(path) = url.strip_prefix("sqlite:") else {
            // Other forms may have a password anywhere but in their scheme.
            let shown = match url.split_once(':') {
                Some((scheme, _)) if !scheme.contains(['@', '=']) => format!("{scheme}:…"),
                None if !url.contains(['@', '=']) => url.to_owned(),
                Some(_) | None => "…".to_owned(),
            };
            return refused(shown, "it should be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE");
        };
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() || path.contains(":memory:") || path.contains('?') {
            let reason = "it should name a file, as in sqlite:/home/me/debate.db, without parameters";
            return refused(url.split('?').next().unwrap_or_default().to_owned(), reason);
        }
        Self::of_path(path.into())
    }
}

/// An operation on files was asked of a PostgreSQL database.
#[derive(Debug, thiserror::Error)]
#[error(
    "{database} is a PostgreSQL database, which has tools of its own for this: pg_dump and pg_restore, or base backups; \
     aweave-server copy --from URL --to sqlite:PATH copies it into a file"
)]
pub struct NotAFile {
    /// Its URL without user and password.
    pub database: String,
}

impl Location {
    /// A SQLite file that a setting names.
    ///
    /// # Errors
    /// If the path begins with `file:`: SQLite takes it for a URL, everything else for a folder.
    pub fn of_path(path: PathBuf) -> Result<Self, OpenError> {
        if path.as_os_str().as_encoded_bytes().starts_with(b"file:") {
            let reason = "it should be the path of a file, without file: before it".to_owned();
            return Err(OpenError::Url { url: path.display().to_string(), reason });
        }
        Ok(Self::Sqlite(path))
    }

    /// A SQLite file.
    pub(super) fn of_file(path: &Path) -> Self {
        Self::Sqlite(path.to_owned())
    }

    /// The path of a file beside the SQLite file; none for a PostgreSQL database.
    pub fn beside(&self, name: &str) -> Option<PathBuf> {
        match self {
            Self::Sqlite(path) => Some(path.with_file_name(name)),
            Self::Postgres(_) => None,
        }
    }

    /// The path of the SQLite file.
    ///
    /// # Errors
    /// If it is a PostgreSQL database.
    pub(super) fn file(&self) -> Result<&Path, NotAFile> {
        match self {
            Self::Sqlite(path) => Ok(path),
            Self::Postgres(_) => Err(NotAFile { database: self.to_string() }),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => path.display().fmt(f),
            Self::Postgres(address) => address.fmt(f),
        }
    }
}

/// An open database.
pub(super) struct Opened {
    pub read: BoundedPool,
    pub write: BoundedPool,
    /// Keeps other servers from opening the file; none if other servers may write to the database
    pub file_lock: Option<FileLock>,
}

/// Opens the database with this many connections for reading, or with its default number.
pub(super) async fn open(location: &Location, readers: Option<u32>) -> Result<Opened, OpenError> {
    let opened = match location {
        Location::Sqlite(path) => sqlite::open(path, readers).await,
        Location::Postgres(address) => postgres::open(address, readers).await,
    };
    opened.map_err(|error| explained(location, error))
}

/// Whether the database exists, as far as that can be told without opening it: opening would create a SQLite file.
pub(super) fn exists(location: &Location) -> bool {
    match location {
        Location::Sqlite(path) => path.exists(),
        Location::Postgres(_) => true,
    }
}

/// Opens an existing database for reading, while servers may write to it.
pub(super) async fn open_to_read(location: &Location) -> Result<DatabaseConnection, OpenError> {
    let opened = match location {
        Location::Sqlite(path) => sqlite::open_to_read(path).await,
        Location::Postgres(address) => postgres::open(address, Some(1)).await.map(|opened| opened.read.current()),
    };
    opened.map_err(|error| explained(location, error))
}

/// Starts to exchange notifications with the other servers of the database; none if there cannot be any. `on_update` gets
/// the `last_seq` of each debate that another server wrote to.
pub(super) fn start_notifier(
    location: &Location,
    sender_id: Uuid,
    on_update: impl Fn(&HashMap<DebateId, u64>) + Send + Sync + 'static,
) -> Option<Notifier> {
    match location {
        Location::Sqlite(_) => None,
        Location::Postgres(address) => Some(Notifier::start(address.clone(), sender_id, on_update)),
    }
}

/// Checks that the disk of a database file has room for so much more. A server over a network tells it itself.
pub(super) async fn check_room(location: &Location, bytes: usize) -> Result<(), StoreError> {
    let Location::Sqlite(path) = location else { return Ok(()) };
    let path = path.clone();
    let checked = tokio::task::spawn_blocking(move || sqlite::check_room(&path, bytes)).await.map_err(io::Error::other);
    checked.flatten().map_err(|error| StoreError::Unavailable(error.to_string()))
}

/// What the database finds when it checks its own pages.
pub(super) async fn damaged_pages(
    location: &Location,
    connection: &DatabaseConnection,
) -> Result<Vec<String>, StoreError> {
    match location {
        Location::Sqlite(_) => sqlite::damaged_pages(connection).await,
        // PostgreSQL checks each page as it reads it, if checksums are on.
        Location::Postgres(_) => Ok(Vec::new()),
    }
}

/// Begins a transaction that only reads, from a snapshot.
pub(super) async fn begin_read(connection: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let is_sqlite = connection.get_database_backend() == DbBackend::Sqlite;
    // A SQLite transaction always reads from a snapshot.
    let isolation_level = if is_sqlite { None } else { Some(IsolationLevel::RepeatableRead) };
    connection.begin_with_options(TransactionOptions { isolation_level, ..TransactionOptions::default() }).await
}

/// Begins a transaction that writes. On SQLite it takes the write lock at once, so that it cannot fail later.
pub(super) async fn begin_write(connection: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    connection.begin_with_options(options).await
}

/// A SELECT of what goes with any of these pairs: the rows of `column1` and `column2` that stand for `{}` in `sql`. Some may come twice.
pub(super) fn select_by_pairs<A: Into<Value> + Clone, B: Into<Value> + Clone>(
    connection: &impl ConnectionTrait,
    sql: &str,
    pairs: Vec<(A, B)>,
) -> Statement {
    let pairs = padded(pairs);
    let sql = sql.replacen("{}", &placeholders(connection, pairs.len(), 2), 1);
    let values: Vec<Value> = pairs.into_iter().flat_map(|(one, other)| [one.into(), other.into()]).collect();
    Statement::from_sql_and_values(connection.get_database_backend(), sql, values)
}

/// `($1, $2), ($3, $4)` for two rows of two columns; question marks on SQLite, which looks numbered parameters up by name.
pub(super) fn placeholders(connection: &impl ConnectionTrait, rows: usize, columns: usize) -> String {
    let is_sqlite = connection.get_database_backend() == DbBackend::Sqlite;
    let mut list = String::with_capacity(rows * columns * if is_sqlite { 3 } else { 6 });
    for row in 0..rows {
        list.push_str(if row == 0 { "(" } else { ", (" });
        for column in 1..=columns {
            list.push_str(if column == 1 { "" } else { ", " });
            if is_sqlite {
                list.push('?');
            } else {
                list.push('$');
                list.push_str(&(row * columns + column).to_string());
            }
        }
        list.push(')');
    }
    list
}

/// Executes the statements in a transaction of their own, all or none of them.
pub(super) async fn execute_in_transaction(
    connection: &DatabaseConnection,
    statements: Vec<GuardedStatement>,
) -> Result<(), DbErr> {
    if connection.get_database_backend() == DbBackend::Sqlite && sqlite::multi_statement::fits(&statements) {
        return sqlite::multi_statement::execute(connection, statements).await;
    }
    let transaction = begin_write(connection).await?;
    execute_all(&transaction, statements).await?;
    transaction.commit().await
}

/// Keeps other servers from changing the schema until the transaction ends.
pub(super) async fn lock_schema(location: &Location, transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    match location {
        // The transaction has locked the whole file.
        Location::Sqlite(_) => Ok(()),
        Location::Postgres(_) => postgres::lock_schema(transaction).await,
    }
}

/// Creates the trigram indices of titles and texts, if they are missing and the database supports them.
pub(super) async fn create_search_indices(location: &Location, transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    match location {
        Location::Sqlite(_) => {
            sqlite::title_index::create(transaction).await?;
            sqlite::text_index::create(transaction).await
        }
        Location::Postgres(_) => postgres::title_index::create(transaction).await,
    }
}

/// The SQL that aggregates rows of `debates` to a JSON array of arrays, in the order in which the entity has them.
pub(super) fn debates_as_json(connection: &impl ConnectionTrait) -> &'static str {
    static SQLITE: LazyLock<String> =
        LazyLock::new(|| format!("json_group_array(json_array({}))", columns_of_debates(sqlite::as_json)));
    static POSTGRES: LazyLock<String> = LazyLock::new(|| {
        let columns = columns_of_debates(postgres::as_json);
        format!("coalesce(json_agg(json_build_array({columns}))::text, '[]')")
    });
    if connection.get_database_backend() == DbBackend::Sqlite { &SQLITE } else { &POSTGRES }
}

/// The columns of `debates` that the entity has in JSON, each as `as_json` writes one of its name and type.
fn columns_of_debates(as_json: impl Fn(&str, &ColumnType) -> String) -> String {
    let columns = debate::Column::iter().filter(|column| !matches!(column, debate::Column::TitleFolded));
    let columns = columns.map(|column| as_json(column.unquoted(), column.def().get_column_type()));
    columns.collect::<Vec<_>>().join(", ")
}

/// The debates whose folded title contains `folded`, in no order, if the index has to be queried separately; none if a
/// `LIKE` on the titles is at least as fast, or all there is.
pub(super) async fn find_titles(connection: &impl ConnectionTrait, folded: &str) -> Option<Vec<Uuid>> {
    if connection.get_database_backend() == DbBackend::Sqlite {
        return sqlite::title_index::find(connection, folded).await;
    }
    None
}

/// Where the texts of a column of `search_texts` come from that may have some words, as SQL.
pub(super) struct TextSource {
    /// What follows `FROM`
    pub from: String,
    /// What an index says, of which `$1` is the only parameter, and the value of that
    pub indexed: Option<(String, String)>,
}

/// How to find the texts of a column of `search_texts` that may have all of these words.
pub(super) fn text_source<'w>(
    connection: &impl ConnectionTrait,
    column: &str,
    words: impl Iterator<Item = &'w str>,
) -> TextSource {
    let is_sqlite = connection.get_database_backend() == DbBackend::Sqlite;
    match is_sqlite.then(|| sqlite::text_index::having_trigrams(column, words)).flatten() {
        Some((from, condition, value)) => TextSource { from, indexed: Some((condition, value)) },
        // PostgreSQL uses its index for `LIKE`.
        None => TextSource { from: "search_texts".to_owned(), indexed: None },
    }
}

/// SQL for whether a text has a word, given the number of the parameter for the word, and the value of that.
pub(super) fn has_word(
    connection: &impl ConnectionTrait,
    text: &str,
    parameter: usize,
    word: &str,
) -> (String, String) {
    if connection.get_database_backend() == DbBackend::Sqlite {
        // Bytes are compared quicker than characters.
        (format!("instr(CAST({text} AS BLOB), CAST(${parameter} AS BLOB)) > 0"), word.to_owned())
    } else if is_short_word(word) {
        // No index finds it, and PostgreSQL compares bytes in less than half the time that LIKE takes to compare characters.
        // `textsend` gives the bytes as they are sent to a client. Of a database in another encoding these are
        // converted, and refused where a database without one has a text that is no UTF-8: its own comparison is used there.
        let condition = format!(
            "CASE (SELECT getdatabaseencoding()) WHEN 'UTF8' THEN position(textsend(${parameter}) IN textsend({text})) > 0 \
             ELSE strpos({text}, ${parameter}) > 0 END"
        );
        (condition, word.to_owned())
    } else {
        (format!("{text} LIKE ${parameter} ESCAPE '\\'"), search::pattern(word))
    }
}

/// Merges what was added to the indices of texts, so that searches are quick; on SQLite only some of it. Returns whether there is more.
pub(super) async fn merge_some_of_text_indices(connection: &DatabaseConnection) -> Result<bool, DbErr> {
    if connection.get_database_backend() == DbBackend::Sqlite {
        return sqlite::text_index::merge_some(connection).await;
    }
    postgres::title_index::merge_texts(connection).await?;
    Ok(false)
}

/// Where the indices of titles and texts do not agree with the tables, if they are tables of their own.
pub(super) async fn search_index_faults(connection: &DatabaseConnection) -> Result<Vec<InconsistentRow>, StoreError> {
    if connection.get_database_backend() == DbBackend::Sqlite {
        let mut faults = sqlite::title_index::faults(connection).await?;
        faults.extend(sqlite::text_index::faults(connection).await?);
        return Ok(faults);
    }
    Ok(Vec::new())
}

/// SQL for the ids of the documents that the arguments of a debate cite. The id of the debate is the only parameter.
pub(super) fn cited_documents(connection: &impl ConnectionTrait) -> &'static str {
    if connection.get_database_backend() == DbBackend::Sqlite {
        sqlite::CITED_DOCUMENTS
    } else {
        postgres::CITED_DOCUMENTS
    }
}

/// Checks that this role has these rights, each on a table.
pub(super) async fn check_rights(
    location: &Location,
    transaction: &DatabaseTransaction,
    rights: &[(&str, &str)],
) -> Result<(), OpenError> {
    match location {
        // SQLite has no rights besides those on the file.
        Location::Sqlite(_) => Ok(()),
        Location::Postgres(_) => postgres::check_rights(transaction, rights).await,
    }
}

/// Replaces a plain database error by one that says what to do.
pub(super) fn explained(location: &Location, error: OpenError) -> OpenError {
    let OpenError::Database(cause) = error else { return error };
    let remedy = match location {
        Location::Postgres(address) if postgres::is_forbidden(&cause) => {
            return OpenError::ReadOnly { user: address.user().to_owned() };
        }
        Location::Postgres(_) => "look into the log of PostgreSQL, then try again",
        Location::Sqlite(_) => {
            "check that the disk works and has room, and that this user may write to the file and its folder, then try again"
        }
    };
    OpenError::Unusable { database: location.to_string(), reason: cause.to_string(), remedy }
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        if is_temporary(&error) { Self::Unavailable(error.to_string()) } else { Self::Unexpected(error) }
    }
}

/// Whether the same statement may succeed later: the database is busy, full, read-only or unreachable.
fn is_temporary(error: &DbErr) -> bool {
    if let DbErr::ConnectionAcquire(_) | DbErr::Conn(_) = error {
        return true;
    }
    match sqlx_error(error) {
        Some(sqlx::Error::Database(error)) => {
            sqlite::is_temporary(error.as_ref()) || postgres::is_temporary(error.as_ref())
        }
        Some(
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed,
        ) => true,
        Some(_) | None => false,
    }
}

/// Whether another server's concurrent write may have caused the error, so that a retry may succeed at once.
pub(super) fn is_contended(error: &DbErr) -> bool {
    match sqlx_error(error) {
        Some(sqlx::Error::Database(error)) => error.is_unique_violation() || postgres::is_contended(error.as_ref()),
        Some(_) | None => matches!(error, DbErr::RecordNotUpdated),
    }
}

fn sqlx_error(error: &DbErr) -> Option<&sqlx::Error> {
    let (DbErr::Conn(RuntimeErr::SqlxError(source))
    | DbErr::Exec(RuntimeErr::SqlxError(source))
    | DbErr::Query(RuntimeErr::SqlxError(source))) = error
    else {
        return None;
    };
    Some(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_that_is_refused_shows_no_password() {
        for url in [
            "host=127.0.0.1 user=postgres password=SECRET dbname=x",
            "jdbc:postgresql://h/x?user=u&password=SECRET",
            "postgresql+psycopg://h/x?password=SECRET",
            "POSTGRES://h/db?user=u&password=SECRET",
            "postgres://u:p@SECRET/x@127.0.0.1:1/db",
            "postgres://u:1/SECRET@127.0.0.1:1/db",
            "sqlite:/debate.db?key=SECRET",
        ] {
            let refused = url.parse::<Location>().unwrap_err().to_string();
            assert!(!refused.contains("SECRET"), "{refused}");
        }
    }

    #[test]
    fn an_ipv6_address_is_shown_in_brackets_and_looked_up_without() {
        for url in ["postgres://u@[::1]:1/x", "postgres://u@h:1/x?host=::1"] {
            let Ok(Location::Postgres(address)) = url.parse() else { panic!("{url}") };
            assert_eq!(format!("{address}"), "postgres://[::1]:1/x");
        }
    }

    #[test]
    fn a_path_that_sqlite_takes_for_a_url_is_refused() {
        assert!("sqlite:file:/debate.db".parse::<Location>().is_err());
        assert!(Location::of_path("file:/debate.db".into()).is_err());
        assert!(Location::of_path("/file:/debate.db".into()).is_ok());
    }
}
