//! What verbs have in common, whatever they are about.

use std::future::Future;

use clap::Args;

use crate::{
    error::{Code, Failure},
    ids,
};

/// How the help of a verb is laid out: what it does, an example to copy, then the details.
pub const EXAMPLE_FIRST: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Runs what talks to the server.
///
/// In a frame of its own: what the largest verb needs for its work would else be set aside on the stack for each.
#[inline(never)]
pub fn online<T, Work>(verb: impl FnOnce() -> Work) -> Result<T, Failure>
where
    Work: Future<Output = Result<T, Failure>>,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Code::InternalError, format!("cannot start: {error}")))?;
    let outcome = runtime.block_on(verb());
    // A name that is still being looked up must not hold up the answer.
    runtime.shutdown_background();
    outcome
}

/// Under which id a write is sent.
#[derive(Args)]
pub struct RequestId {
    /// Id under which this write is stored at most once, however often it is sent [default: a new one]
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    client_request_id: Option<String>,
}

impl RequestId {
    /// The one that was given, else a new one.
    pub fn or_fresh(self) -> String {
        self.client_request_id.unwrap_or_else(|| ids::fresh().to_string())
    }
}
