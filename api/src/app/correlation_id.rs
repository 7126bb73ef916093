//! What names a request in the log.

use std::{fmt, sync::Arc};

use tokio::task::futures::TaskLocalFuture;
use uuid::Uuid;

use crate::domain;

tokio::task_local! {
    /// The id of the request that the task handles
    static CURRENT: CorrelationId;
}

/// The id of a request in the log, and in the header `x-request-id` of its answer. It is no [`domain::RequestId`], which makes
/// a repeated write store nothing again, but has the same form.
#[derive(Debug, Clone)]
pub struct CorrelationId(Arc<str>);

impl CorrelationId {
    /// The id that the caller gave, if it has the form, otherwise `made`.
    pub fn given_or(given: Option<&str>, made: impl FnOnce() -> Uuid) -> Self {
        match given.map(str::parse::<domain::RequestId>) {
            Some(Ok(given)) => Self(given.as_str().into()),
            Some(Err(_)) | None => Self(made().to_string().into()),
        }
    }

    /// Runs `work`, which handles this request.
    pub fn scope<W: Future>(self, work: W) -> TaskLocalFuture<Self, W> {
        // Not an async function, which would reserve memory for `work` twice.
        CURRENT.scope(self, work)
    }

    /// The id of the request that is handled here, for log lines that say why it failed; none outside of requests.
    pub fn current() -> Option<String> {
        CURRENT.try_with(ToString::to_string).ok()
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CorrelationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
