//! The types that `openapi.json` is generated from: what goes over the wire, and nothing else.

mod answer;
mod debate;
mod document;
mod error;
mod names;
mod request;
mod sign_in;
mod wait;

pub use answer::{Answer, Found, Written};
pub use debate::{ArgumentView, ContextData, CreatedData, DebateView, HealthData, ListData, SubmittedData, rfc3339};
pub use document::{DeletedData, DocumentListData, DocumentView, HistoryData, JsonObject, KeptData, VersionData};
pub use error::{ErrorView, Failure};
pub use request::{
    AppealBody, ClaimBody, CreateBody, DocumentBody, HasLimits, InterventionBody, OptionBody, ResolutionBody,
    RulingBody,
};
pub use sign_in::{SignInBody, SignInData};
pub use wait::WaitData;
