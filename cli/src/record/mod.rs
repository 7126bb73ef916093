//! Verifies signed records. Nothing here asks a server.

mod strict_json;
mod verify;

pub use verify::{PublicKey, ValidRecord, verify};
