//! Options that several verbs share, so that they are spelled and explained alike everywhere.

use clap::Args;
use uuid::Uuid;

pub use crate::verb::RequestId;
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
