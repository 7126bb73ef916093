//! The option `--client-request-id` of every write.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::ids;

#[derive(Args, Deserialize, JsonSchema)]
pub struct RequestId {
    /// Id under which the server stores this write at most once, even if it is sent again [default: a new one]
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    #[schemars(description = "Same id: stored once")]
    client_request_id: Option<String>,
}

impl RequestId {
    /// The given id, else a new one.
    pub fn or_new(&self) -> String {
        self.client_request_id.clone().unwrap_or_else(|| ids::new_id().to_string())
    }
}
