//! Makes and stores the messages for the receivers of webhooks.

use std::sync::Arc;

use entity::webhook_delivery;
use sea_orm::ConnectionTrait;
use tokio::sync::watch;

use super::WebhookMessage;
use crate::{
    domain::{EndpointId, WebhookEvent},
    store::{Commit, error::StoreError, guarded_statement::GuardedStatement, insert_rows},
};

/// Stores a message for each receiver of webhooks that this server sends to. Without any, nothing is stored.
#[derive(Debug)]
pub struct MessageWriter {
    endpoints: Vec<EndpointId>,
    web_app: String,
    filled: watch::Sender<()>,
}

impl MessageWriter {
    /// Stores messages for these receivers. `web_app` is the URL of the web app, to which messages link.
    pub fn new(mut endpoints: Vec<EndpointId>, web_app: &str) -> Self {
        endpoints.sort_unstable();
        endpoints.dedup();
        Self { endpoints, web_app: web_app.trim_end_matches('/').to_owned(), filled: watch::Sender::new(()) }
    }

    /// Stores nothing.
    pub fn without_receivers() -> Self {
        Self::new(Vec::new(), "")
    }

    /// How many receivers there are.
    pub fn endpoints(&self) -> usize {
        self.endpoints.len()
    }

    /// Changes whenever messages were stored.
    pub(super) fn filled(&self) -> watch::Receiver<()> {
        self.filled.subscribe()
    }

    /// The statements that store the messages about these added arguments: a row for each receiver.
    pub(in crate::store) fn statements(
        &self,
        connection: &impl ConnectionTrait,
        commits: &[Arc<Commit>],
    ) -> Result<Vec<GuardedStatement>, StoreError> {
        let mut rows = Vec::new();
        for (event, commit) in self.events(commits) {
            let message = WebhookMessage::new(event.as_str(), commit, &self.web_app);
            let payload =
                message.to_json().map_err(|error| StoreError::Unexpected(sea_orm::DbErr::Json(error.to_string())))?;
            let created_at = commit.argument.created_at.timestamp_micros();
            rows.extend(self.endpoints.iter().map(|endpoint| webhook_delivery::Model {
                argument_id: commit.argument.id.0,
                endpoint: endpoint.as_bytes().to_owned(),
                event: event.as_str().to_owned(),
                payload: payload.clone(),
                created_at,
                attempts: 0,
                next_attempt_at: created_at,
            }));
        }
        Ok(insert_rows::insert(connection, rows))
    }

    /// Wakes those who deliver, if these commits may have stored messages. A freed seat repeats a commit, which does no harm
    /// here.
    pub(in crate::store) fn committed(&self, commits: &[Arc<Commit>]) {
        if self.events(commits).next().is_some() {
            self.filled.send_replace(());
        }
    }

    fn events<'c>(&self, commits: &'c [Arc<Commit>]) -> impl Iterator<Item = (WebhookEvent, &'c Commit)> {
        let commits = if self.endpoints.is_empty() { &[] } else { commits };
        commits.iter().filter_map(|commit| Some((WebhookEvent::of(&commit.argument)?, &**commit)))
    }
}
