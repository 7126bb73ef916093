//! Checks that nobody but this program changed, removed, duplicated or moved any row.

mod counts;
pub(super) mod debates;
mod documents;
mod schema;

use std::fmt;

use super::{
    Location, backend,
    error::{InconsistentRow, OpenError, RowName, StoreError},
    migrate,
};

pub use counts::Verified;
use counts::count;

/// Why a database could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It has rows that are not as this program wrote them.
    #[error(transparent)]
    Faults(Faults),
}

/// All that is wrong with a database, grouped by debate and document.
#[derive(Debug, thiserror::Error)]
pub struct Faults {
    /// The faults, those of one debate or document one after another; at least one
    rows: Vec<InconsistentRow>,
    /// Why the rest could not be checked
    ended_by: Option<StoreError>,
}

impl Faults {
    fn new(mut rows: Vec<InconsistentRow>, ended_by: Option<StoreError>) -> Self {
        rows.sort_by_key(|fault| subject(&fault.row));
        Self { rows, ended_by }
    }

    /// The faults.
    pub fn rows(&self) -> &[InconsistentRow] {
        &self.rows
    }
}

/// What a row belongs to, in the order in which it is reported.
fn subject(row: &RowName) -> (u8, String) {
    match row {
        RowName::Debate(id, _) | RowName::Argument { debate: id, .. } | RowName::Issue { debate: id, .. } => {
            (0, format!("debate {id}"))
        }
        RowName::Document(id) | RowName::Version(id, _) => (1, format!("document {id}")),
        RowName::Other(_) => (2, "the database".to_owned()),
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", count(self.rows.len() as u64, "fault"))?;
        let mut last = None;
        for fault in &self.rows {
            let subject = subject(&fault.row);
            if last.as_ref() != Some(&subject) {
                write!(f, "\n{}:", subject.1)?;
                last = Some(subject);
            }
            write!(f, "\n  {fault}")?;
        }
        match &self.ended_by {
            Some(error) => write!(f, "\nthe rest could not be checked: {error}"),
            None => Ok(()),
        }
    }
}

/// Checks the whole database, also while a server uses it, and changes nothing.
///
/// # Errors
/// All inconsistencies, with table, column and row. Two manipulations are found only by comparing hashes that clients
/// remember: the newest arguments removed without a trace, and a history rewritten as a whole.
pub async fn verify(location: &Location) -> Result<Verified, VerifyError> {
    verify_with_progress(location, |_| {}).await
}

/// [`verify`], which calls `progress` now and then with what was checked so far.
///
/// # Errors
/// As [`verify`].
pub async fn verify_with_progress(
    location: &Location,
    mut progress: impl FnMut(&Verified),
) -> Result<Verified, VerifyError> {
    let connection = backend::open_to_read(location).await?;
    migrate::require_current(&connection).await?;
    let (mut verified, mut faults, mut notes) = (Verified::default(), Vec::new(), Vec::new());
    let checked = async {
        let damage = backend::damaged_pages(location, &connection).await?;
        let file = || RowName::Other("of the file".to_owned());
        faults.extend(damage.iter().map(|damage| InconsistentRow::new("*", "*", file(), damage)));
        schema::verify(&connection, &mut faults, &mut notes).await?;
        debates::verify(&connection, &mut verified, &mut faults, &mut progress).await?;
        documents::verify(&connection, &mut verified, &mut faults, &mut progress).await?;
        faults.extend(backend::search_index_faults(&connection).await?);
        Ok::<_, StoreError>(())
    };
    match (checked.await, faults.is_empty()) {
        (Ok(()), true) => {}
        (Ok(()), false) => return Err(VerifyError::Faults(Faults::new(faults, None))),
        (Err(error), true) => return Err(error.into()),
        (Err(error), false) => return Err(VerifyError::Faults(Faults::new(faults, Some(error)))),
    }
    connection.close().await.map_err(StoreError::from)?;
    Ok(Verified { notes, ..verified })
}
