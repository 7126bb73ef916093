//! Issues: the points of a debate that the server keeps.

mod completion;
mod deferred_issues;
mod events;
mod invalid_changes;
mod long_texts;
mod reading;
mod refused_changes;
mod repeated_changes;
mod rounds;
mod stored_issues;
