//! Checks that nobody but this program changed, removed, duplicated or moved any row.

use std::fmt;

use super::{Location, backend, debate, document, error::OpenError, error::StoreError, migrate};

/// How many rows were checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Verified {
    /// The number of debates
    pub debates: u64,
    /// The number of arguments
    pub arguments: u64,
    /// The number of documents
    pub documents: u64,
    /// The number of document versions
    pub versions: u64,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { debates, arguments, documents, versions } = self;
        let [debates, arguments] = [count(*debates, "debate"), count(*arguments, "argument")];
        let [documents, versions] = [count(*documents, "document"), count(*versions, "version")];
        write!(f, "in order: {debates} with {arguments}, {documents} with {versions}")
    }
}

/// A number with a noun: `1 debate`, `2 debates`.
fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Why a database could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It has an impossible row, or could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks the whole database, also while a server uses it, and changes nothing.
///
/// # Errors
/// The first inconsistency, with table, column and row. Two manipulations are found only by comparing hashes that clients
/// remember: the newest arguments removed without a trace, and a history rewritten as a whole.
pub async fn verify(location: &Location) -> Result<Verified, VerifyError> {
    let connection = backend::open_to_read(location).await?;
    migrate::require_current(&connection).await?;
    backend::check_pages(location, &connection).await?;
    let mut verified = Verified::default();
    debate::verify(location, &connection, &mut verified).await?;
    document::verify(location, &connection, &mut verified).await?;
    connection.close().await.map_err(StoreError::from)?;
    Ok(verified)
}
