//! What programs without a command for their login leave when somebody logs in.

use std::{env, path::PathBuf};

use crate::files;

/// The most that is read of a file that a program keeps, such as its settings.
pub const MAX_BYTES: u64 = 1 << 20;

/// The user's home.
pub fn home() -> Option<PathBuf> {
    env::var_os("HOME").filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// Whether a variable has a value.
pub fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// The folder that a variable names, else this one below the user's home.
pub fn folder(variable: &str, below_home: &str) -> Option<PathBuf> {
    let named = env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(home()?.join(below_home)))
}

/// Whether a file is there and has one of these words.
pub fn has_word(file: Option<PathBuf>, words: &[&str]) -> bool {
    let text = file.and_then(|file| files::read_text(&file, MAX_BYTES).ok());
    text.is_some_and(|text| words.iter().any(|word| text.contains(word)))
}
