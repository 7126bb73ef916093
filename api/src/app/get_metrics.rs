//! `metrics`: what `GET /metrics` shows.

use super::{App, Error};
use crate::prometheus_metrics::{self, Sample};

impl App {
    /// All metrics as text. If the store does not answer they say so.
    pub async fn metrics(&self) -> Result<String, Error> {
        let debates = match self.store.ping().await {
            Ok(()) => self.store.debates_in_each_state().await,
            Err(error) => Err(error),
        };
        let held_waits = self.max_waits - self.wait_permits.available_permits();
        prometheus_metrics::text(&Sample { held_waits, debates: debates.ok() }).map_err(|error| {
            tracing::error!(%error, "the metrics could not be written as text");
            Error::Internal
        })
    }
}
