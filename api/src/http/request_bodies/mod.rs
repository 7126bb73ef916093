//! Request bodies, how they are read and checked, and what they are in the domain. The resulting domain types need no further
//! checks. Unknown fields are ignored, duplicate fields are an error.

mod agents;
mod arguments;
mod body_limits;
mod debate;
mod document;
mod issue_changes;
mod json_body;
mod plan;

use crate::{
    app::Error,
    domain::{Content, Limits, RequestId, TextRule},
};

pub use arguments::{
    AppealSubmit, ArgumentSubmit, InterventionSubmit, ResolutionSubmit, RulingSubmit, appeal, claim, intervention,
    resolution, ruling,
};
pub use body_limits::RequestRoom;
pub use debate::{DebateCreate, new_debate};
pub use document::{DocumentSubmit, new_document, new_version};
pub use issue_changes::MAX_CHANGES_BYTES;
pub use json_body::{JsonBody, MAX_ESCAPE_BYTES, parse};

/// A body with length limits. A text over its limit is reported before anything else that is wrong with the body.
pub trait HasLimits {
    /// How many bytes the changes of issues may have
    const MAX_CHANGES_BYTES: usize = 0;

    /// The field whose text begins with a line that cites the plan, if one comes with it; none if none can
    const TEXT_WITH_PLAN: Option<&'static str> = None;

    /// The fields that have a length limit, with their rules.
    fn rules(_limits: &Limits) -> Vec<(&'static str, TextRule)> {
        Vec::new()
    }

    /// The maximum size of the largest field in bytes, or of a text and a plan together.
    fn max_field_bytes(limits: &Limits) -> usize {
        let plan = Self::TEXT_WITH_PLAN.map_or(0, |_| limits.max_document_bytes);
        limits.max_content_bytes + plan
    }
}

fn content(field: &str, text: String, rule: TextRule) -> Result<Content, Error> {
    Content::parse(text, rule).map_err(|error| Error::text(field, error))
}

fn request_id(text: &str) -> Result<RequestId, Error> {
    text.parse().map_err(|error| Error::invalid("client_request_id", format!("{error}")))
}

fn optional_request_id(text: Option<&str>) -> Result<Option<RequestId>, Error> {
    text.map(request_id).transpose()
}
