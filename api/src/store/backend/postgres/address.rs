//! Where a PostgreSQL database is and how it is entered; shown without what is nobody's business.

use std::{fmt, time::Duration};

use sqlx::{
    ConnectOptions,
    postgres::{PgConnectOptions, PgPool, PgPoolOptions},
};
use tokio::time::timeout;

/// How long a caller waits for a connection: as long as one may be made, or given back by somebody else.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

/// After how long without use a connection is asked whether it still leads anywhere, and how long it may take to answer.
const IDLE: Duration = Duration::from_secs(1);
const PING_TIMEOUT: Duration = Duration::from_millis(500);

/// Prepared statements that each connection keeps: every statement in each of its padded sizes.
const STATEMENTS_KEPT: usize = 256;

/// What every session asks of the database, so that nothing of a server that went away lasts: neither locks, nor a
/// transaction, nor the connection. An acknowledged write is on disk.
const SESSION: [(&str, &str); 7] = [
    ("synchronous_commit", "on"),
    ("statement_timeout", "5s"),
    ("lock_timeout", "4s"),
    ("idle_in_transaction_session_timeout", "5s"),
    ("tcp_keepalives_idle", "10"),
    ("tcp_keepalives_interval", "5"),
    ("tcp_keepalives_count", "3"),
];

/// A database of a PostgreSQL server.
#[derive(Clone)]
pub struct Address(Box<PgConnectOptions>);

impl Address {
    /// The address that a URL means, if it means one.
    pub(in crate::store::backend) fn parse(url: &str) -> Option<Self> {
        let options: PgConnectOptions = url.parse().ok()?;
        let options = options
            .application_name("aweave-server")
            // Poolers refuse what they do not know, and no number here is a fraction.
            .extra_float_digits(None)
            .statement_cache_capacity(STATEMENTS_KEPT)
            .options(SESSION)
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
        // Without a name it is the one named like the user.
        self.0.get_database().unwrap_or_else(|| self.user())
    }

    /// So many connections, made when they are needed.
    pub(super) fn pool(&self, connections: u32) -> PgPool {
        PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .test_before_acquire(false)
            .before_acquire(|connection, meta| {
                Box::pin(async move {
                    use sqlx::Connection;
                    let fresh = meta.idle_for < IDLE;
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
