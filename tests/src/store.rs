//! Where a server under test keeps its debates.

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

/// What kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// A file
    Sqlite,
    /// A database of a server
    Postgres,
}

impl Backend {
    /// What this test binary is about: `blackbox_on_postgres` says so in its name.
    pub fn of_this_binary() -> Self {
        let exe = env::current_exe().expect("this process has a path");
        let name = exe.file_name().expect("a binary has a name").to_string_lossy();
        if name.contains("on_postgres") { Self::Postgres } else { Self::Sqlite }
    }
}

/// One server's database, with the folder it may write to. Clones are the same database.
#[derive(Clone)]
pub struct Store {
    place: Place,
}

#[derive(Clone)]
enum Place {
    Sqlite(PathBuf),
    Postgres(Arc<Database>),
}

impl Store {
    /// An empty store of the kind that this test binary is about, in a file below `folder` or gone with the last clone.
    pub fn fresh(folder: &Path) -> Self {
        Self::fresh_on(Backend::of_this_binary(), folder)
    }

    /// An empty store of that kind.
    pub fn fresh_on(backend: Backend, folder: &Path) -> Self {
        let place = match backend {
            Backend::Sqlite => Place::Sqlite(folder.join("data").join("debate.db")),
            Backend::Postgres => Place::Postgres(Arc::new(Postgres::shared().create())),
        };
        Self { place }
    }

    /// A SQLite database that may be there already.
    pub fn at(path: PathBuf) -> Self {
        Self { place: Place::Sqlite(path) }
    }

    /// What kind it is.
    pub fn backend(&self) -> Backend {
        match self.place {
            Place::Sqlite(_) => Backend::Sqlite,
            Place::Postgres(_) => Backend::Postgres,
        }
    }

    /// The environment that points a server at it.
    pub fn env(&self) -> Vec<(String, String)> {
        match &self.place {
            Place::Sqlite(path) => vec![("DEBATE_DB_PATH".to_owned(), plain(path))],
            Place::Postgres(database) => vec![("DATABASE_URL".to_owned(), database.url())],
        }
    }

    /// Where it is, as a server is told.
    pub fn url(&self) -> String {
        match &self.place {
            Place::Sqlite(path) => format!("sqlite:{}", plain(path)),
            Place::Postgres(database) => database.url(),
        }
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        match &self.place {
            Place::Sqlite(path) => path,
            Place::Postgres(database) => panic!("{} is no file", database.name()),
        }
    }

    /// The database on the server.
    pub fn database(&self) -> &Database {
        match &self.place {
            Place::Sqlite(path) => panic!("{} is on no server", path.display()),
            Place::Postgres(database) => database,
        }
    }

    /// Runs statements in the database of a stopped server.
    pub fn run(&self, sql: &str) {
        match &self.place {
            Place::Sqlite(path) => on_file(path.clone(), sql.to_owned()).join().expect("the statements run"),
            Place::Postgres(database) => database.run(sql),
        }
    }

    /// Writes something else of the same length wherever the database of a stopped server has this state or content.
    pub fn damage(&self, says: &str, instead: &str) {
        assert_eq!(says.len(), instead.len());
        match &self.place {
            Place::Sqlite(path) => replace(path, says, instead),
            Place::Postgres(database) => {
                for (table, column) in [("debates", "state"), ("arguments", "content")] {
                    database.run(&format!("UPDATE {table} SET {column} = '{instead}' WHERE {column} = '{says}'"));
                }
            }
        }
    }
}

/// On a thread of its own, as callers may be in a runtime already.
fn on_file(path: PathBuf, sql: String) -> JoinHandle<()> {
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

fn plain(path: &Path) -> String {
    path.to_str().expect("temporary folders have plain names").to_owned()
}

fn replace(path: &Path, says: &str, instead: &str) {
    let mut bytes = fs::read(path).expect("the database is there");
    let places: Vec<usize> =
        bytes.windows(says.len()).enumerate().filter(|(_, at)| *at == says.as_bytes()).map(|(at, _)| at).collect();
    assert!(!places.is_empty(), "the database nowhere says {says}");
    for at in places {
        bytes[at..at + says.len()].copy_from_slice(instead.as_bytes());
    }
    fs::write(path, bytes).expect("the database can be written");
}
