//! `health`: whether the store answers.

use super::{App, Error};

impl App {
    /// Returns `Ok` if the store answers a query.
    pub async fn health(&self) -> Result<(), Error> {
        Ok(self.store.ping().await?)
    }
}
