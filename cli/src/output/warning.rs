//! A warning that every later output of this process repeats.

use std::sync::Mutex;

use super::terminal;

static WARNING: Mutex<Option<String>> = Mutex::new(None);

/// Prints the warning on stderr and keeps it for the output.
pub fn set(text: String) {
    terminal::note(&text);
    if let Ok(mut warning) = WARNING.lock() {
        *warning = Some(text);
    }
}

/// The warning, if there is one.
pub fn get() -> Option<String> {
    WARNING.lock().ok().and_then(|warning| warning.clone())
}
