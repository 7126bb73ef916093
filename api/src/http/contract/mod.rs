//! The types of the API. `openapi.json` is generated from them; each Rust type has the name of its schema there. Values
//! of the domain are answered as they are; [`domain_types`] names the type that describes each.

mod agent;
mod citation;
mod debate;
mod document;
mod domain_types;
mod error;
mod faults;
mod issue;
mod objects;
mod plan;
mod record;
mod search;
mod sign_in;
mod success;
mod turn;
mod wait;

pub use agent::Agent;
pub use debate::{
    Argument, ArgumentSubmitted, Debate, DebateContext, DebateCreated, DebateList, Health, Info, InfoLimits, SeatFreed,
    Seats,
};
pub use document::{
    DocumentDeleted, DocumentHistory, DocumentList, DocumentSubmitted, DocumentWithVersion, JsonObject,
};
pub use domain_types::Listed;
pub use error::{Error, ErrorResponse};
pub use issue::{DebateIssues, Issue, IssueCounts, issue_change_rules, issues, issues_of};
pub use objects::{object, objects};
pub use record::{DebateRecord, RecordBody, RecordFormat, RecordResponse};
pub use search::SearchResult;
pub use sign_in::{SignInSubmit, SignedIn};
pub use success::{Json, OkResponse, WriteResponse};
pub use wait::{RulingsDue, WaitAnswer};
