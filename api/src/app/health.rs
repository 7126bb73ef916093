//! `health`: whether the store answers.

use super::{App, Error};

impl App {
    /// Returns once the store has answered.
    pub async fn health(&self) -> Result<(), Error> {
        Ok(self.store.ping().await?)
    }
}
