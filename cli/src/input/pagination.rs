//! The options `--limit` and `--offset` of every list.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Args, Deserialize, JsonSchema)]
pub struct PaginationOptions {
    /// Maximum number of entries, 1 to 200 [default: 50]
    #[arg(long, short, value_name = "N")]
    pub limit: Option<u64>,
    /// Number of entries to skip
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[serde(default)]
    #[schemars(description = "")]
    pub offset: u64,
}
