//! Options that several verbs share, so that they are spelled and explained alike everywhere.

use clap::Args;
use uuid::Uuid;

use crate::{error::Failure, ids};

/// Which debate.
#[derive(Args)]
pub struct DebateId {
    /// Id of the debate
    #[arg(long, value_name = "UUID")]
    debate_id: String,
}

impl DebateId {
    /// The id, if it is one.
    pub fn read(&self) -> Result<Uuid, Failure> {
        ids::read("--debate-id", &self.debate_id)
    }
}

/// Which argument is answered.
#[derive(Args)]
pub struct TargetId {
    /// Id of the argument that is answered, any of the debate
    #[arg(long, value_name = "UUID")]
    target_id: String,
}

impl TargetId {
    /// The id, if it is one.
    pub fn read(&self) -> Result<Uuid, Failure> {
        ids::read("--target-id", &self.target_id)
    }
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
