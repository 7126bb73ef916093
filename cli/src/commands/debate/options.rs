//! Options that several `aw debate` commands share.

use clap::{
    Args,
    builder::{PossibleValuesParser, StringValueParser, TypedValueParser},
};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::{
    client::{Client, Named, types::Role},
    input::{
        ids::{self, IdRef},
        resolve_id,
        tool_arguments::one_or_several,
    },
    output::{Code, Failure, reader::option},
};

#[derive(Args, Deserialize, JsonSchema)]
pub struct DebateId {
    /// Id of the debate, or a unique prefix of it
    #[arg(long, value_name = "ID")]
    debate_id: String,
}

impl DebateId {
    /// Parses the option and asks the server for the whole id if needed.
    pub async fn resolve(&self, client: &Client) -> Result<Uuid, Failure> {
        resolve_id::debate(client, &ids::parse_ref("--debate-id", &self.debate_id)?).await
    }

    /// A client for usual requests, and the whole id.
    pub async fn connect(&self) -> Result<(Client, Uuid), Failure> {
        let client = Client::from_env()?;
        let debate_id = self.resolve(&client).await?;
        Ok((client, debate_id))
    }
}

#[derive(Args, Deserialize, JsonSchema)]
pub struct DebateIds {
    /// Id of the debate, or a unique prefix of it. For the arbitrator it may be left out, which means all debates, or be
    /// repeated
    #[arg(long = "debate-id", value_name = "ID")]
    #[serde(rename = "debate_id", default, deserialize_with = "one_or_several")]
    #[schemars(description = "Id of the debate, or a unique prefix of it", extend("x-one-or-several" = true))]
    debate_ids: Vec<String>,
}

/// What a wait or a watch is about.
pub enum Followed {
    /// One debate
    Debate(IdRef),
    /// The rulings that are due in these debates; in all, if there are none
    Rulings(Vec<IdRef>),
}

impl DebateIds {
    /// Parses the option. `after_argument` tells whether an argument of the debate is named as well.
    pub fn parse(&self, role: Role, after_argument: bool) -> Result<Followed, Failure> {
        let parse = |id: &String| ids::parse_ref("--debate-id", id);
        match self.debate_ids.as_slice() {
            [one] => Ok(Followed::Debate(parse(one)?)),
            several if role == Role::Arbitrator && !after_argument => {
                Ok(Followed::Rulings(several.iter().map(parse).collect::<Result<_, _>>()?))
            }
            several => {
                let name = option("--debate-id");
                let problem = if several.is_empty() { "missing" } else { "given twice" };
                Err(Failure::new(Code::InvalidInput, format!("{name} is {problem}"))
                    .with_suggestion(format!("Give one {name}; only the arbitrator follows several debates, or all")))
            }
        }
    }
}

/// The option that names an argument in `wait`, `watch` and `show`.
pub const ARGUMENT_ID: &str = "--argument-id";

/// Parses the name of a value of an enumeration of the contract.
pub fn named<T: Named>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::NAMES).try_map(|name| name.parse::<T>())
}

/// Parses the value of `--role` of a command that only this role has. It may be left out there; those who give it everywhere
/// are not refused.
pub fn only(role: Role) -> impl TypedValueParser<Value = Role> {
    StringValueParser::new().try_map(move |name| {
        if name == role.to_string() { Ok(role) } else { Err(format!("this command is only for the {role}")) }
    })
}
