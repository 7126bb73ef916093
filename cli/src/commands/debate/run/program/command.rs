//! Any other program, of which nothing is known: `command:PROGRAM ARG…`.

use std::{ffi::OsStr, path::Path};

use crate::client::contract_limits::MAX_AGENT_NAME;

/// The tags between which models print what they only think.
pub const THOUGHTS: [&str; 2] = ["<think>", "</think>"];

/// The name of a command line's program.
pub fn name(words: &[String]) -> String {
    let name = words.first().and_then(|word| Path::new(word).file_name()).and_then(OsStr::to_str);
    name.unwrap_or("command").chars().take(MAX_AGENT_NAME).collect()
}
