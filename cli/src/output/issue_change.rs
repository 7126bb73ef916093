//! What changes of issues are called after they were made.

/// The past tense of a change. None if this version of `aw` does not know the change.
pub fn past_tense(change: &str) -> Option<&'static str> {
    Some(match change {
        "raise" => "raised",
        "fix" => "fixed",
        "dispute" => "disputed",
        "refer" => "referred",
        "resolve" => "resolved",
        "withdraw" => "withdrawn",
        "reopen" => "reopened",
        "regrade" => "regraded",
        "uphold" => "upheld",
        "dismiss" => "dismissed",
        "defer" => "deferred",
        _ => return None,
    })
}
