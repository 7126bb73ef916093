//! The command line and the settings. Flags have precedence over environment variables, and these over the defaults.

mod tokens;
mod webhooks;

use std::{
    env,
    ffi::OsString,
    net::IpAddr,
    path::{Path, PathBuf},
};

use clap::{Args, Parser, Subcommand, ValueEnum, builder::RangedU64ValueParser};

pub use webhooks::Webhooks;

use crate::{
    domain::Limits,
    http::AllowedHosts,
    store::Location,
    webhooks::{InvalidSecret, InvalidUrl},
};

/// The server of aweave debate: it stores debates and decides which arguments are allowed
#[derive(Debug, Parser)]
#[command(
    name = "aweave-server",
    version,
    before_help = "Example:\n  aweave-server --port 3456\n\nBy default it stores debates in ~/.aweave/debate.db and listens on 127.0.0.1 only."
)]
pub struct Cli {
    /// The command; without one the server starts
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings
    #[command(flatten)]
    pub settings: Settings,
}

/// The commands besides starting the server.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Print openapi.json, the description of the REST API
    Openapi,
    /// Verify that no stored data was changed, removed, duplicated or moved; a server may be running
    Verify,
    /// Back up the SQLite database to a file and verify the backup; a server may be running
    ///
    /// The backup is a consistent snapshot that only its owner can read. The key that signs records is copied to a file with
    /// the same name and .signing.key. If the backup fails, no file is created. The database is the one of DEBATE_DB_PATH, or
    /// of --database-url before the command. For PostgreSQL use its own tools: pg_dump, or base backups.
    #[command(before_help = "Example:\n  aweave-server backup --to backup.db")]
    Backup {
        /// The file to create; its folder must exist
        #[arg(long, value_name = "FILE", required_unless_present = "file")]
        to: Option<PathBuf>,
        /// The same as --to
        #[arg(value_name = "FILE", conflicts_with = "to")]
        file: Option<PathBuf>,
        /// Replace the file if it exists
        #[arg(long)]
        force: bool,
    },
    /// Verify a backup and replace the database with it; the previous database is kept beside it
    ///
    /// Stop the server first. The replacement is atomic: after a failure the database is either the previous one or the
    /// backup. The backup may be from an earlier version of this program and is not changed. A signing key is never
    /// replaced; where there is none beside the database, that of the backup is put there.
    #[command(before_help = "Example:\n  aweave-server restore --from backup.db")]
    Restore {
        /// A file that was created by backup
        #[arg(long, value_name = "FILE")]
        from: PathBuf,
    },
    /// Copy all debates from one database to another, empty one; an interrupted copy can be continued
    ///
    /// Stop the servers of both databases first. URLs are as in --database-url.
    Copy {
        /// The database to copy from
        #[arg(long, value_name = "URL")]
        from: String,
        /// The database to copy to
        #[arg(long, value_name = "URL")]
        to: String,
    },
    /// Send a test message to each webhook URL, and tell which of them took it
    ///
    /// The settings are the same as the server's, and its flags come before the command. The exit status is 0 if each
    /// receiver took the message.
    #[command(before_help = "Example:\n  aweave-server --webhook-url http://127.0.0.1:8000/ webhook-test")]
    WebhookTest,
}

/// The settings of the server.
#[derive(Debug, Args)]
pub struct Settings {
    /// The address to listen on; an address other than loopback requires DEBATE_AUTH_TOKEN
    #[arg(long, env = "DEBATE_SERVER_HOST", default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub host: String,

    /// The port to listen on; 0 for any free port
    #[arg(long, env = "DEBATE_SERVER_PORT", default_value_t = 3456)]
    pub port: u16,

    /// The database: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE; by default the SQLite file in
    /// DEBATE_DB_PATH, or ~/.aweave/debate.db
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// The maximum number of database connections for reading; 4 by default for SQLite, 8 for PostgreSQL. PostgreSQL uses
    /// four more: two to write, two for notifications
    #[arg(long, env = "DEBATE_DATABASE_CONNECTIONS", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub database_connections: Option<u32>,

    /// An additional value of the Host header to accept: NAME or NAME:PORT; may be repeated
    #[arg(long = "allowed-host", env = "DEBATE_ALLOWED_HOSTS", value_delimiter = ',', value_name = "NAME[:PORT]", value_parser = AllowedHosts::parse)]
    pub allowed_hosts: Vec<String>,

    /// The maximum size of the content of an argument
    #[arg(long, env = "DEBATE_MAX_CONTENT_BYTES", default_value_t = Limits::default().max_content_bytes, value_name = "BYTES")]
    pub max_content_bytes: usize,

    /// The maximum size of the content of a document
    #[arg(long, env = "DEBATE_MAX_DOCUMENT_BYTES", default_value_t = Limits::default().max_document_bytes, value_name = "BYTES")]
    pub max_document_bytes: usize,

    /// The key that signs records: an Ed25519 key in PKCS#8 PEM. By default signing.key beside a SQLite database, which the
    /// first start makes; with PostgreSQL records are not signed without this setting
    #[arg(long, env = "DEBATE_SIGNING_KEY_FILE", value_name = "FILE")]
    pub signing_key_file: Option<OsString>,

    /// The maximum number of open connections
    #[arg(long, env = "DEBATE_MAX_CONNECTIONS", default_value_t = 20_000, value_name = "N", value_parser = at_most_a_billion())]
    pub max_connections: usize,

    /// The maximum number of waiting requests
    #[arg(long, env = "DEBATE_MAX_WAITS", default_value_t = 20_000, value_name = "N", value_parser = at_most_a_billion())]
    pub max_waits: usize,

    /// A URL that messages about rulings due and debates opened and closed are sent to; may be repeated. Messages are signed
    /// with DEBATE_WEBHOOK_SECRET, or with what DEBATE_WEBHOOK_SECRET_FILE contains
    #[arg(
        long = "webhook-url",
        env = "DEBATE_WEBHOOK_URLS",
        value_delimiter = ',',
        value_name = "URL",
        hide_env_values = true
    )]
    pub webhook_urls: Vec<String>,

    /// The URL of the web app as others reach it, for links in messages; by default the address that the server listens on
    #[arg(long, env = "DEBATE_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,

    /// Print the link with which the arbitrator signs in where stdout is no terminal, too: only for a pipe that nobody else reads
    #[arg(long, env = "AWEAVE_PRINT_SIGN_IN_LINK", hide = true)]
    pub print_sign_in_link: bool,

    /// The format of the log; pretty by default on a terminal, json otherwise
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
}

/// The format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people, with colours
    Pretty,
    /// For programs: one JSON object per line
    Json,
}

/// Invalid settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The address is reachable by other machines, but there is no token.
    #[error(
        "--host {0} is reachable by other machines, which requires a token: set DEBATE_AUTH_TOKEN, or use --host 127.0.0.1"
    )]
    OpenToOthers(String),
    /// The address is reachable by other machines, but a token is short.
    #[error(
        "{name} has fewer than {required} characters, and --host {host} is reachable by other machines, which could try them \
         all: make one with openssl rand -hex 32, or use --host 127.0.0.1"
    )]
    ShortToken {
        /// The name of the variable
        name: &'static str,
        /// The address
        host: String,
        /// The fewest characters
        required: usize,
    },
    /// The address is not an IP address.
    #[error("--host {0} is not an IP address; give one such as 127.0.0.1 or 0.0.0.0")]
    Host(String),
    /// Both tokens are the same.
    #[error("DEBATE_AUTH_TOKEN and DEBATE_ARBITRATOR_TOKEN are the same, so agents could rule: choose two")]
    SameToken,
    /// A token with characters that cannot be sent in a header.
    #[error("{0} contains characters that cannot be sent in a header: use visible ASCII characters without spaces")]
    Token(&'static str),
    /// A token is set directly and as a file.
    #[error("{name} and {name}_FILE are both set: keep one of them")]
    TokenTwice {
        /// The name of the variable
        name: &'static str,
    },
    /// The file of a token cannot be read or is empty.
    #[error("{name}_FILE is {path}, which {reason}; it must be a plain file that contains the token in a single line")]
    TokenFile {
        /// The name of the variable
        name: &'static str,
        /// The path of the file
        path: String,
        /// What is wrong with it
        reason: String,
    },
    /// A webhook URL is not an `http` or `https` URL.
    #[error("--webhook-url (DEBATE_WEBHOOK_URLS): {0}; a comma in a URL is written as %2C")]
    WebhookUrl(InvalidUrl),
    /// The URL of the web app is not an `http` or `https` URL.
    #[error("--public-url (DEBATE_PUBLIC_URL): {0}")]
    PublicUrl(InvalidUrl),
    /// The URL of the web app has what no link can begin with.
    #[error(
        "--public-url (DEBATE_PUBLIC_URL) has a query, a fragment, a backslash or blanks: links are made by adding a path to it"
    )]
    PublicUrlWithMore,
    /// There are webhook URLs, but no secret.
    #[error(
        "--webhook-url needs a secret to sign messages: set DEBATE_WEBHOOK_SECRET or DEBATE_WEBHOOK_SECRET_FILE to whsec_ \
         and the base64 of 24 to 64 bytes, for example that of: echo whsec_$(head -c 32 /dev/urandom | base64)"
    )]
    NoWebhookSecret,
    /// The secret is not one of Standard Webhooks.
    #[error("DEBATE_WEBHOOK_SECRET {0}")]
    WebhookSecret(#[from] InvalidSecret),
    /// There is nothing to test.
    #[error("there is no webhook to test: give --webhook-url before the command, or set DEBATE_WEBHOOK_URLS")]
    NoWebhook,
    /// There is no home directory for the default database.
    #[error("HOME is not set, so there is no default database: set DEBATE_DB_PATH or --database-url")]
    NoHome,
    /// The database URL is invalid.
    #[error(transparent)]
    Database(#[from] crate::store::OpenError),
}

fn at_most_a_billion() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(..=1_000_000_000)
}

impl Settings {
    /// The address to listen on.
    ///
    /// # Errors
    /// If it is not an IP address.
    pub fn address(&self) -> Result<IpAddr, SettingsError> {
        let host = if self.host == "localhost" { "127.0.0.1" } else { self.host.trim_matches(['[', ']']) };
        host.parse().map_err(|_| SettingsError::Host(self.host.clone()))
    }

    /// The location of the database.
    ///
    /// # Errors
    /// If the URL is invalid, or if there is neither a URL nor a home directory.
    pub fn location(&self) -> Result<Location, SettingsError> {
        if let Some(url) = self.database_url.as_deref().filter(|url| !url.is_empty()) {
            return Ok(url.parse()?);
        }
        let home = || env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        match env::var_os("DEBATE_DB_PATH").filter(|path| !path.is_empty()).map(PathBuf::from) {
            Some(path) => match (path.strip_prefix("~"), home()) {
                (Ok(rest), Some(home)) => Ok(Location::Sqlite(home.join(rest))),
                (Ok(_), None) => Err(SettingsError::NoHome),
                (Err(_), _) => Ok(Location::of_path(path)?),
            },
            None => Ok(Location::Sqlite(home().ok_or(SettingsError::NoHome)?.join(".aweave").join("debate.db"))),
        }
    }

    /// The file of the key that signs records, if one is named.
    pub fn signing_key_file(&self) -> Option<&Path> {
        self.signing_key_file.as_deref().filter(|path| !path.is_empty()).map(Path::new)
    }

    /// The length limits of texts.
    pub fn limits(&self) -> Limits {
        Limits { max_content_bytes: self.max_content_bytes, max_document_bytes: self.max_document_bytes }
    }
}
