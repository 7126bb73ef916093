//! Any other program, of which nothing is known: `command:PROGRAM ARG…`.

use std::{ffi::OsStr, path::Path};

/// The tags between which models print what they only think.
pub const THOUGHTS: [&str; 2] = ["<think>", "</think>"];

/// Texts of a usage limit, in its stderr.
pub const USAGE_LIMITS: [&str; 6] = [
    r"you(?:'ve| have)? (?:hit|reached|exceeded) your (?:[\w'.-]+ ){0,5}(?:limits?|quota|allowance)\b",
    r"you(?:'re| are) out of (?:[\w'-]+ ){0,3}(?:usage|credits)\b",
    r"(?:(?:usage|session|daily|weekly|monthly|\d+-hour|spend|spending) ){1,4}(?:limit|cap) (?:has been )?reached\b",
    r"quota exceeded\b",
    r"(?:your )?credit balance (?:is )?too low\b",
    r"insufficient_quota\b",
];

/// The name of a command line's program.
pub fn name(words: &[String]) -> String {
    let name = words.first().and_then(|word| Path::new(word).file_name()).and_then(OsStr::to_str);
    name.unwrap_or("command").chars().take(100).collect()
}
