//! The use cases for documents. Each has the name of its operation in the API.

mod get;
mod history;
mod list;
mod write;

pub use get::DocumentWithVersion;
pub use history::DocumentHistory;
pub use list::DocumentListQuery;
