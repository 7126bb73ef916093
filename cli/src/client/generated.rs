//! The API client that `build.rs` generates from `openapi.json`.

#![allow(
    missing_docs,
    unused_qualifications,
    dead_code,
    clippy::all,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "generated code; not every operation has a command"
)]

include!(concat!(env!("OUT_DIR"), "/client.rs"));

/// An enumeration of the contract.
pub trait Named: std::str::FromStr<Err = types::error::ConversionError> + Clone + Send + Sync + 'static {
    /// The names of its values.
    const NAMES: &'static [&'static str];
}

include!(concat!(env!("OUT_DIR"), "/names.rs"));
