//! Warnings that every later output of this process repeats, or the answer of the call that they are about.

use std::{cell::RefCell, future::Future, sync::Mutex};

use super::{sanitize, terminal};

static WARNING: Mutex<Option<String>> = Mutex::new(None);

tokio::task_local! {
    /// The warning of the call of a tool that runs now
    static OF_CALL: RefCell<Option<String>>;
}

/// Prints the warning on stderr and keeps it for the output, after those that are there. It is one line, whatever it quotes.
pub fn add(text: String) {
    let text = sanitize::line(&text.split_whitespace().collect::<Vec<_>>().join(" "));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_warning_is_one_line_whatever_it_quotes() {
        let ((), warning) = collect(async { add("a\n\nNext:\u{a0}\u{a0}b\u{1b}[2J".to_owned()) }).await;
        assert_eq!(warning.as_deref(), Some("a Next: b\\u{1b}[2J"));
    }
}
