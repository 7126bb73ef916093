//! Whether what is stored can have been stored by this program: nothing changed, taken out, doubled or put elsewhere.

use std::fmt;

use super::{Location, backend, debate, document, error::OpenError, error::StoreError, migrate};

/// How much was looked at and found in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Verified {
    /// Debates
    pub debates: u64,
    /// Their arguments
    pub arguments: u64,
    /// Documents
    pub documents: u64,
    /// Their versions
    pub versions: u64,
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { debates, arguments, documents, versions } = self;
        write!(
            f,
            "in order: {debates} debates with {arguments} arguments, {documents} documents with {versions} versions"
        )
    }
}

/// Why a database could not be found in order.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It could not be looked at.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It holds a row that cannot be, or fails where it is read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Looks at all that the database holds, also while a server is at work on it, and changes nothing.
///
/// # Errors
/// The first thing that is wrong, by table, column and row. Rows that were taken off the end together with every trace
/// of them, and a history that was written anew as a whole, are noticed only by whoever remembers a hash.
pub async fn verify(location: &Location) -> Result<Verified, VerifyError> {
    let connection = backend::open_to_read(location).await?;
    migrate::refuse_other(&connection).await?;
    backend::check_pages(location, &connection).await?;
    let mut verified = Verified::default();
    debate::verify(location, &connection, &mut verified).await?;
    document::verify(location, &connection, &mut verified).await?;
    connection.close().await.map_err(StoreError::from)?;
    Ok(verified)
}
