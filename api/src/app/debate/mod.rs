//! The use cases for debates. Each has the name of its operation in the API.

mod free_seat;
mod get_context;
mod issues;
mod list;
mod record;
mod ruling_wait;
mod search;
mod silence;
mod subscribe;
mod until_opened;
mod wait;
mod write;

pub use get_context::{ArgumentFilter, DebateContext};
pub use issues::{DebateIssues, IssueFilter};
pub use list::DebateListQuery;
pub use ruling_wait::{MAX_RULINGS_DUE, RulingWaitQuery};
pub use search::SearchQuery;
pub use silence::Silence;
pub use subscribe::DebateView;
pub use wait::{NewArguments, WaitOutcome, WaitQuery};
