//! The address of a PostgreSQL database, displayed without user and password.

use std::{fmt, time::Duration};

use sqlx::{
    ConnectOptions, Connection, Executor,
    postgres::{PgConnectOptions, PgPool, PgPoolOptions},
};
use tokio::time::timeout;

/// How long a query waits for a connection to be made or to be returned to the pool.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

/// An idle connection is tested before use after this time.
const TEST_AFTER_IDLE: Duration = Duration::from_secs(1);

/// How long that test may take.
const PING_TIMEOUT: Duration = Duration::from_millis(500);

/// The prepared statements that each connection caches: each statement in each of its padded sizes.
const STATEMENT_CACHE_CAPACITY: usize = 256;

/// The settings of each session. Commits are durable, and PostgreSQL soon ends the statements, locks, transactions and
/// connections of a server that is gone.
const SESSION_SETTINGS: [(&str, &str); 10] = [
    ("synchronous_commit", "on"),
    ("statement_timeout", "5s"),
    ("lock_timeout", "4s"),
    ("idle_in_transaction_session_timeout", "5s"),
    ("tcp_keepalives_idle", "10"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
    // Statements and comparisons of the schema are written for these.
    ("standard_conforming_strings", "on"),
    ("quote_all_identifiers", "off"),
    // A search gives all texts, not a random part of them.
    ("gin_fuzzy_search_limit", "0"),
];

/// Lifts limits that would end connections of a pool, or migrations; set like this since older versions of PostgreSQL do not have
/// them.
const LIFT_LIMITS: &str = "SELECT set_config(name, '0', false) FROM (VALUES ('idle_session_timeout'), ('transaction_timeout')) \
     AS limits (name) WHERE current_setting(name, true) IS NOT NULL";

/// A database of a PostgreSQL server.
#[derive(Clone)]
pub struct Address(Box<PgConnectOptions>);

impl Address {
    /// Parses a URL; none if it is invalid, or if its path has an `@`: it is rather what is left of a password with a `/`.
    pub(in crate::store::backend) fn parse(url: &str) -> Option<Self> {
        let (_, rest) = url.split(['?', '#']).next()?.split_once("://")?;
        if rest.split_once('/').is_some_and(|(_, path)| path.contains('@')) {
            return None;
        }
        let options: PgConnectOptions = url.parse().ok()?;
        // The resolver wants an IPv6 address without its brackets.
        let host = options.get_host().trim_matches(['[', ']']).to_owned();
        let options = options
            .host(&host)
            .application_name("aweave-server")
            // Poolers refuse unknown parameters, and no column is a float.
            .extra_float_digits(None)
            .statement_cache_capacity(STATEMENT_CACHE_CAPACITY)
            .options(SESSION_SETTINGS)
            .log_statements(log::LevelFilter::Debug);
        Some(Self(Box::new(options)))
    }

    pub(super) fn options(&self) -> &PgConnectOptions {
        &self.0
    }

    pub(in crate::store::backend) fn user(&self) -> &str {
        self.0.get_username()
    }

    pub(super) fn database(&self) -> &str {
        // PostgreSQL names a database after its user by default.
        self.0.get_database().unwrap_or_else(|| self.user())
    }

    /// A pool of this many connections, which are opened when they are needed.
    pub(super) fn pool(&self, connections: u32) -> PgPool {
        PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .test_before_acquire(false)
            .after_connect(|connection, _| Box::pin(async move { connection.execute(LIFT_LIMITS).await.map(drop) }))
            .before_acquire(|connection, meta| {
                Box::pin(async move {
                    let fresh = meta.idle_for < TEST_AFTER_IDLE;
                    Ok(fresh || matches!(timeout(PING_TIMEOUT, connection.ping()).await, Ok(Ok(()))))
                })
            })
            .connect_lazy_with((*self.0).clone())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = match self.0.get_socket() {
            Some(folder) => folder.display().to_string(),
            None if self.0.get_host().contains(':') => format!("[{}]", self.0.get_host()),
            None => self.0.get_host().to_owned(),
        };
        write!(f, "postgres://{host}:{}/{}", self.0.get_port(), self.database())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
