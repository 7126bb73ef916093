//! What the server is set to (SPEC section 8): flags first, then the environment, then the defaults.

mod tokens;

use std::{env, net::IpAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use tokens::tokens;

use crate::{domain::Limits, http::Tokens, store::Location};

/// The server of aweave debate: it keeps the one true state of each debate.
#[derive(Debug, Parser)]
#[command(
    name = "aweave-server",
    version,
    before_help = "Example:\n  aweave-server --port 3456\n\nIt keeps debates in ~/.aweave/debate.db and answers on 127.0.0.1 only."
)]
pub struct Cli {
    /// What to do instead of serving
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to serve
    #[command(flatten)]
    pub settings: Settings,
}

/// What to do instead of serving.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Print the contract (openapi.json)
    Openapi,
    /// Check that nothing stored was changed, taken out, doubled or moved, also while a server is at work
    Verify,
    /// Copy the database into a file of its own, also while a server is at work, and check all that is in it
    ///
    /// The copy is of one moment, readable by its owner only, and there whole or not at all. The database is the one of
    /// DEBATE_DB_PATH, or of --database-url before the command. PostgreSQL has tools of its own for this: pg_dump, or base
    /// backups.
    #[command(before_help = "Example:\n  aweave-server backup --to backup.db")]
    Backup {
        /// The file to make, in a folder that is there
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
        /// Replace the file where it is there already
        #[arg(long)]
        force: bool,
    },
    /// Put a backup in the place of the database, once all of it is found in order; the former database is kept beside it
    ///
    /// Stop the server first. Whatever happens meanwhile, the database is the former one or the backup's, whole. The
    /// backup may come from an earlier version of this program, and stays as it is.
    #[command(before_help = "Example:\n  aweave-server restore --from backup.db")]
    Restore {
        /// A file that backup made
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
    },
    /// Copy all debates from one database to another, empty one; a copy that was interrupted goes on where it was
    ///
    /// No server may use either database meanwhile. URLs are as in --database-url.
    Copy {
        /// Where debates are
        #[arg(long, value_name = "URL")]
        from: String,
        /// Where they are to be as well
        #[arg(long, value_name = "URL")]
        to: String,
    },
}

/// How to serve.
#[derive(Debug, Args)]
pub struct Settings {
    /// The address to listen on; one that is not loopback needs DEBATE_AUTH_TOKEN
    #[arg(long, env = "DEBATE_SERVER_HOST", default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub host: String,

    /// The port to listen on; 0 picks a free one
    #[arg(long, env = "DEBATE_SERVER_PORT", default_value_t = 3456)]
    pub port: u16,

    /// Where debates are kept: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE; by default the file that
    /// DEBATE_DB_PATH names, or ~/.aweave/debate.db
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// Most connections to the database that read at the same time; by default 4 to SQLite, 8 to PostgreSQL, to which
    /// there are four more for everything else
    #[arg(long, env = "DEBATE_DATABASE_CONNECTIONS", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub database_connections: Option<u32>,

    /// A further name that requests may address the server by: NAME or NAME:PORT (repeatable)
    #[arg(long = "allowed-host", env = "DEBATE_ALLOWED_HOSTS", value_delimiter = ',', value_name = "NAME[:PORT]")]
    pub allowed_hosts: Vec<String>,

    /// Most bytes in the content of an argument
    #[arg(long, env = "DEBATE_MAX_CONTENT_BYTES", default_value_t = Limits::default().max_content_bytes, value_name = "BYTES")]
    pub max_content_bytes: usize,

    /// Most bytes in the content of a document
    #[arg(long, env = "DEBATE_MAX_DOCUMENT_BYTES", default_value_t = Limits::default().max_document_bytes, value_name = "BYTES")]
    pub max_document_bytes: usize,

    /// Most connections that are open at once
    #[arg(long, env = "DEBATE_MAX_CONNECTIONS", default_value_t = 20_000, value_name = "N")]
    pub max_connections: usize,

    /// Most waits that are held at once
    #[arg(long, env = "DEBATE_MAX_WAITS", default_value_t = 20_000, value_name = "N")]
    pub max_waits: usize,

    /// How to write the log; by default pretty on a terminal and json otherwise
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
}

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people
    Pretty,
    /// For programs: one JSON object a line
    Json,
}

/// Settings that do not go together.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// An address that others can reach, without a token.
    #[error(
        "--host {0} can be reached by others, so it needs a token: set DEBATE_AUTH_TOKEN, or leave --host at 127.0.0.1"
    )]
    OpenToOthers(String),
    /// The address is none.
    #[error("--host {0} is not an IP address; give one such as 127.0.0.1 or 0.0.0.0")]
    Host(String),
    /// One token for both.
    #[error("DEBATE_AUTH_TOKEN and DEBATE_ARBITRATOR_TOKEN are the same, so agents could rule: choose two")]
    SameToken,
    /// A token that no client could send.
    #[error("{0} holds characters that cannot be sent in a header: use visible ASCII without spaces")]
    Token(&'static str),
    /// The same token in two places.
    #[error("{name} and {name}_FILE are both set: keep one of them")]
    TokenTwice {
        /// The setting
        name: &'static str,
    },
    /// The file with a token cannot be read, or holds none.
    #[error("{name}_FILE names {path}, which {reason}; it should hold the token on its only line")]
    TokenFile {
        /// The setting
        name: &'static str,
        /// The file
        path: String,
        /// What is wrong with it
        reason: String,
    },
    /// No folder to keep debates in.
    #[error("there is no HOME to keep debates in: set DEBATE_DB_PATH or --database-url")]
    NoHome,
    /// The database URL is not understood.
    #[error(transparent)]
    Database(#[from] crate::store::OpenError),
}

impl Settings {
    /// The address to listen on.
    ///
    /// # Errors
    /// Where it is none, or one that others can reach while there is no token.
    pub fn address(&self, tokens: &Tokens) -> Result<IpAddr, SettingsError> {
        let host = if self.host == "localhost" { "127.0.0.1" } else { self.host.trim_matches(['[', ']']) };
        let address: IpAddr = host.parse().map_err(|_| SettingsError::Host(self.host.clone()))?;
        // The arbitrator's token alone leaves everything else open.
        if !address.is_loopback() && !tokens.all_need_one() {
            return Err(SettingsError::OpenToOthers(self.host.clone()));
        }
        Ok(address)
    }

    /// Where debates are kept.
    ///
    /// # Errors
    /// Where the URL is not understood, or there is none and no home either.
    pub fn location(&self) -> Result<Location, SettingsError> {
        if let Some(url) = self.database_url.as_deref().filter(|url| !url.is_empty()) {
            return Ok(url.parse()?);
        }
        let home = || env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        match env::var_os("DEBATE_DB_PATH").filter(|path| !path.is_empty()).map(PathBuf::from) {
            Some(path) => match (path.strip_prefix("~"), home()) {
                (Ok(rest), Some(home)) => Ok(Location::Sqlite(home.join(rest))),
                (Ok(_), None) => Err(SettingsError::NoHome),
                (Err(_), _) => Ok(Location::Sqlite(path)),
            },
            None => Ok(Location::Sqlite(home().ok_or(SettingsError::NoHome)?.join(".aweave").join("debate.db"))),
        }
    }

    /// What texts may be as long as.
    pub fn limits(&self) -> Limits {
        Limits { max_content_bytes: self.max_content_bytes, max_document_bytes: self.max_document_bytes }
    }
}
