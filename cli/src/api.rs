//! The client of the server's contract, generated from `openapi.json` when this crate is built.

#![allow(
    missing_docs,
    unused_qualifications,
    dead_code,
    clippy::all,
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "generated: the contract decides what is in here, and not every part of it has a command"
)]

include!(concat!(env!("OUT_DIR"), "/client.rs"));
