//! Reading a whole debate for its record, which checks it as `verify` does.

use std::time::Duration;

use crate::{
    domain::{Debate, DebateId, Entry, Ledger},
    store::{Store, backend::begin_read, error::StoreError, verify},
};

/// How long that may take on a database over a network.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A debate that holds, with all its issues and arguments.
#[derive(Debug)]
pub struct VerifiedHistory {
    /// The debate
    pub debate: Debate,
    /// Its issues
    pub ledger: Ledger,
    /// Its arguments, as its record has them
    pub entries: Vec<Entry>,
}

impl Store {
    /// A debate, checked as a whole and read from the database, if there is one. Nothing comes from a cache.
    ///
    /// # Errors
    /// If it does not hold: its first fault.
    pub async fn verified_history(&self, id: DebateId) -> Result<Option<VerifiedHistory>, StoreError> {
        let connection = self.read.current();
        let (mut faults, mut entries) = (Vec::new(), Vec::new());
        let reading = async {
            let snapshot = begin_read(&connection).await?;
            let history = verify::debates::check(&snapshot, id.0, &mut faults, |argument, waited_for| {
                entries.push(Entry::new(argument, waited_for));
            });
            let history = history.await?;
            snapshot.rollback().await?;
            Ok::<_, StoreError>(history)
        };
        let history = self.read.with_timeout(TIMEOUT, reading).await?;
        // The arguments come first: they say where the fault is.
        if let Some(fault) =
            faults.iter().find(|fault| fault.debate().is_some_and(|(_, seq)| seq.is_some())).or(faults.first())
        {
            self.caches.faulty.note(fault);
            return Err(fault.clone().into());
        }
        let debate_and_ledger = history.and_then(|history| Some((history.debate?, history.ledger)));
        Ok(debate_and_ledger.map(|(debate, ledger)| VerifiedHistory { debate, ledger, entries }))
    }
}
