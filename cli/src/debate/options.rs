//! Options that several verbs share, so that they are spelled and explained alike everywhere.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use uuid::Uuid;

pub use crate::verb::RequestId;
use crate::{
    api::types::Role,
    error::Failure,
    find,
    ids::{self, Named},
    server::Server,
};

/// Which debate.
#[derive(Args)]
pub struct DebateId {
    /// Id of the debate, or as much of its beginning as no other has
    #[arg(long, value_name = "ID")]
    debate_id: String,
}

impl DebateId {
    /// What was given, if it can be an id.
    pub fn read(&self) -> Result<Named, Failure> {
        ids::named("--debate-id", &self.debate_id)
    }
}

/// Which argument is answered.
#[derive(Args)]
pub struct TargetId {
    /// Id of the argument that is answered, any of the debate: whole, its beginning, or '#5' for number 5
    #[arg(long, value_name = "ID")]
    target_id: String,
}

impl TargetId {
    /// What was given, if it can be an id.
    pub fn read(&self) -> Result<Target, Failure> {
        ids::argument(TARGET, &self.target_id).map(Target)
    }
}

const TARGET: &str = "--target-id";

/// The argument that is answered, as it was named.
pub struct Target(Named);

impl Target {
    /// Which one of that debate is meant.
    pub async fn find(&self, server: &Server, debate: Uuid) -> Result<Uuid, Failure> {
        find::argument(server, debate, TARGET, &self.0).await
    }
}

/// Reads the role of one who takes part.
pub fn role() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(["proposer", "opponent", "arbitrator"]).try_map(|name| name.parse::<Role>())
}
