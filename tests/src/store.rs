//! The databases of servers under test.

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
    thread::{self, JoinHandle},
};

use sqlx::{
    AssertSqlSafe, Connection, Executor,
    sqlite::{SqliteConnectOptions, SqliteConnection},
};

use crate::postgres::{Database, Postgres};

/// The database system of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// A SQLite file
    Sqlite,
    /// A database on a PostgreSQL server
    Postgres,
}

impl Backend {
    /// The backend that this test binary covers, taken from its name.
    pub fn of_this_binary() -> Self {
        let exe = env::current_exe().expect("this process has a path");
        let name = exe.file_name().expect("a binary has a name").to_string_lossy();
        if name.contains("on_postgres") { Self::Postgres } else { Self::Sqlite }
    }
}

/// The database of one or more servers. Clones refer to the same database.
#[derive(Clone)]
pub struct Store {
    location: Location,
}

#[derive(Clone)]
enum Location {
    Sqlite(PathBuf),
    Postgres(Arc<Database>),
}

impl Store {
    /// A store without a database, of this binary's backend. A SQLite file lies below `folder`; a PostgreSQL database
    /// is dropped with the last clone.
    pub fn fresh(folder: &Path) -> Self {
        Self::fresh_on(Backend::of_this_binary(), folder)
    }

    /// A store without a database, of this backend.
    pub fn fresh_on(backend: Backend, folder: &Path) -> Self {
        let location = match backend {
            Backend::Sqlite => Location::Sqlite(folder.join("data").join("debate.db")),
            Backend::Postgres => Location::Postgres(Arc::new(Postgres::shared().create())),
        };
        Self { location }
    }

    /// The store of an existing SQLite file.
    pub fn at(path: PathBuf) -> Self {
        Self { location: Location::Sqlite(path) }
    }

    /// The store's backend.
    pub fn backend(&self) -> Backend {
        match self.location {
            Location::Sqlite(_) => Backend::Sqlite,
            Location::Postgres(_) => Backend::Postgres,
        }
    }

    /// The environment variables that point a server at the store.
    pub fn env(&self) -> Vec<(String, String)> {
        match &self.location {
            Location::Sqlite(path) => vec![("DEBATE_DB_PATH".to_owned(), to_text(path))],
            Location::Postgres(database) => vec![("DATABASE_URL".to_owned(), database.url())],
        }
    }

    /// The database's URL.
    pub fn url(&self) -> String {
        match &self.location {
            Location::Sqlite(path) => format!("sqlite:{}", to_text(path)),
            Location::Postgres(database) => database.url(),
        }
    }

    /// The path of the SQLite file.
    pub fn path(&self) -> &Path {
        match &self.location {
            Location::Sqlite(path) => path,
            Location::Postgres(database) => {
                panic!("the store is the PostgreSQL database {}, not a file", database.name())
            }
        }
    }

    /// The PostgreSQL database.
    pub fn database(&self) -> &Database {
        match &self.location {
            Location::Sqlite(path) => panic!("the store is the file {}, not a PostgreSQL database", path.display()),
            Location::Postgres(database) => database,
        }
    }

    /// Runs SQL statements while no server is running.
    pub fn run(&self, sql: &str) {
        match &self.location {
            Location::Sqlite(path) => run_on_file(path.clone(), sql.to_owned()).join().expect("the statements run"),
            Location::Postgres(database) => database.run(sql),
        }
    }

    /// Replaces a state or content in the database of a stopped server by another of the same length.
    pub fn corrupt(&self, value: &str, replacement: &str) {
        assert_eq!(value.len(), replacement.len());
        match &self.location {
            Location::Sqlite(path) => replace(path, value, replacement),
            Location::Postgres(database) => {
                for (table, column) in [("debates", "state"), ("arguments", "content")] {
                    database.run(&format!("UPDATE {table} SET {column} = '{replacement}' WHERE {column} = '{value}'"));
                }
            }
        }
    }
}

/// The callers may be inside a runtime already, so this needs a thread with its own.
fn run_on_file(path: PathBuf, sql: String) -> JoinHandle<()> {
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let options = SqliteConnectOptions::new().filename(path);
            let mut connection = SqliteConnection::connect_with(&options).await.expect("the database is there");
            connection.execute(AssertSqlSafe(sql.as_str())).await.unwrap_or_else(|e| panic!("{sql}: {e}"));
            connection.close().await.expect("the database can be written");
        });
    })
}

fn to_text(path: &Path) -> String {
    path.to_str().expect("temporary folders have plain names").to_owned()
}

fn replace(path: &Path, value: &str, replacement: &str) {
    let mut bytes = fs::read(path).expect("the database is there");
    let positions: Vec<usize> = bytes
        .windows(value.len())
        .enumerate()
        .filter(|(_, part)| *part == value.as_bytes())
        .map(|(at, _)| at)
        .collect();
    assert!(!positions.is_empty(), "the database does not contain {value}");
    for at in positions {
        bytes[at..at + value.len()].copy_from_slice(replacement.as_bytes());
    }
    fs::write(path, bytes).expect("the database can be written");
}
