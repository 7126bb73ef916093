//! What is measured side by side. Each subject stores 1 KiB durably and then wakes whoever waits for it.

pub mod aweave;
pub mod debate_server;
mod durable_streams;
mod lower_bound;
pub mod node;

use std::sync::Arc;

use anyhow::Result;
use async_trait::async_trait;

use crate::environment::Environment;

/// A program that can be started and measured.
#[async_trait]
pub trait Subject: Send + Sync {
    /// Its name in the results.
    fn name(&self) -> &'static str;

    /// The version that is installed; if none is, the error says how to install it.
    fn version(&self, environment: &Environment) -> Result<String, String>;

    /// Whether it implements the API of debates.
    fn is_debate_server(&self) -> bool {
        false
    }

    /// Starts it with an empty store.
    async fn start(&self, environment: &Environment) -> Result<Box<dyn Running>>;
}

/// A subject that was started; dropping it ends its process.
#[async_trait]
pub trait Running: Send + Sync {
    /// Creates a log (for servers of debates: a debate) with one client that appends and one that waits.
    async fn create_log(&self) -> Result<(Box<dyn Appender>, Box<dyn Waiter>)>;
}

/// A client that appends to a log.
#[async_trait]
pub trait Appender: Send {
    /// Appends 1 KiB and returns once the subject acknowledged that it is durable.
    async fn append(&mut self) -> Result<()>;

    /// Fails if the newest stored record is not the newest acknowledged one. Subjects whose protocol cannot tell do nothing.
    async fn check(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A client that waits for appends to a log.
#[async_trait]
pub trait Waiter: Send {
    /// Returns when there is something that it has not seen yet.
    async fn wait(&mut self) -> Result<()>;
}

/// The lower bound and the peers.
pub fn others() -> [Arc<dyn Subject>; 3] {
    [Arc::new(lower_bound::LowerBound), Arc::new(durable_streams::DurableStreams), Arc::new(node::Node)]
}
