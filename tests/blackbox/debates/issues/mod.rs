//! Issues: the points of a debate that the server keeps.

mod completion;
mod events;
mod faults_order;
mod invalid_changes;
mod late_deliveries;
mod long_texts;
mod reading;
mod refused_changes;
mod repeated_changes;
mod rounds;
mod stored_issues;
mod story;
