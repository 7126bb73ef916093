//! `health`: whether the store can be read and written.

use super::{App, Error};
use crate::store::Health;

impl App {
    /// Returns `Ok` if a query is answered and the last attempt to write succeeded.
    pub async fn health(&self) -> Result<(), Error> {
        match self.store.health().await {
            Health { reading_failing_since: None, writing_failing_since: None } => Ok(()),
            failing => Err(Error::Unhealthy(failing)),
        }
    }
}
