//! Warnings that every later output of this process repeats, or the answer of the call that they are about.

use std::{cell::RefCell, future::Future, sync::Mutex};

use super::terminal;

static WARNING: Mutex<Option<String>> = Mutex::new(None);

tokio::task_local! {
    /// The warning of the call of a tool that runs now
    static OF_CALL: RefCell<Option<String>>;
}

/// Prints the warning on stderr and keeps it for the output, after those that are there.
pub fn add(text: String) {
    terminal::note(&text);
    let kept = OF_CALL.try_with(|warning| join(&mut warning.borrow_mut(), &text));
    if let (Err(_), Ok(mut warning)) = (kept, WARNING.lock()) {
        join(&mut warning, &text);
    }
}

fn join(warning: &mut Option<String>, text: &str) {
    *warning = Some(match warning.take() {
        Some(earlier) if earlier.contains(text) => earlier,
        Some(earlier) => format!("{earlier}; {text}"),
        None => text.to_owned(),
    });
}

/// The warnings, if there are any.
pub fn get() -> Option<String> {
    WARNING.lock().ok().and_then(|warning| warning.clone())
}

/// Runs a call, and keeps its warning apart from those of other calls.
pub async fn collect<T>(call: impl Future<Output = T>) -> (T, Option<String>) {
    OF_CALL.scope(RefCell::default(), async { (call.await, OF_CALL.try_with(RefCell::take).unwrap_or_default()) }).await
}
