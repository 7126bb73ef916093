//! The plan that comes with an argument.

use std::{borrow::Cow, collections::HashMap};

use poem_openapi::Object;
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use super::content;
use crate::{
    app::Error,
    domain::{Content, DebateId, Limits, NewPlan, PLAN_LINE_BYTES, RequestId, Summary, TextRule},
};

/// The plan that comes with an argument of the proposer. It becomes the next version of the plan's document, the first time a
/// document that is called as the debate, unless the present version or the newest one has the same text.
#[derive(Debug, Object, Deserialize)]
pub struct PlanSubmit {
    /// The plan, 0 to 1,048,576 bytes of UTF-8 by default; `GET /info` has the limit
    pub content: String,
    /// What the version changes, 0 to 500 characters; by default the first line of the argument's text that is not blank, else the
    /// debate's title. The first version is summed up by the debate's title whatever is given
    pub summary: Option<String>,
    /// The version that it was made from. If a version of a document that is there would be made and this is not its newest, the argument
    /// is `ACTION_NOT_ALLOWED`
    pub base: Option<u64>,
}

/// The field `plan` of a body with which no plan can come: it may be absent or null.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoPlan;

impl<'de> Deserialize<'de> for NoPlan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Option::<Box<RawValue>>::deserialize(deserializer)? {
            None => Ok(Self),
            Some(_) => Err(de::Error::custom("a plan comes with arguments of the proposer only; leave it out")),
        }
    }
}

/// The name of the field.
pub(super) const FIELD: &str = "plan";

/// The error about a plan in a CLAIM of the opponent.
pub(super) fn not_of_opponent() -> Error {
    Error::invalid(FIELD, "comes with arguments of the proposer only; leave it out")
}

/// Checks the lengths of the texts, which is done before anything else is checked: that of the argument together with the line that
/// cites the plan.
pub(super) fn check_sizes(
    field: &str,
    text: Option<&str>,
    plan: Option<&PlanSubmit>,
    limits: &Limits,
) -> Result<(), Error> {
    let text = text.unwrap_or_default();
    let Some(plan) = plan else {
        return limits.content().check_size(text).map_err(|error| Error::text(field, error));
    };
    check_size_with_plan(field, text.len(), limits)?;
    check_texts_of_plan(&plan.content, plan.summary.as_deref(), limits)
}

/// Checks the length of a text that a plan comes with.
pub(super) fn check_size_with_plan(field: &str, bytes: usize, limits: &Limits) -> Result<(), Error> {
    let TextRule { limit, unit, .. } = limits.content();
    let actual = bytes + PLAN_LINE_BYTES;
    if actual > limit { Err(Error::TooLarge { field: field.to_owned(), limit, actual, unit }) } else { Ok(()) }
}

fn check_texts_of_plan(content: &str, summary: Option<&str>, limits: &Limits) -> Result<(), Error> {
    limits.document().check_size(content).map_err(|error| Error::text("plan.content", error))?;
    Summary::RULE.check_size(summary.unwrap_or_default()).map_err(|error| Error::text("plan.summary", error))
}

/// The fields of the plan of a body that is invalid; none if it has no plan.
pub(super) fn fields<'b>(body: &HashMap<Cow<'_, str>, &'b RawValue>) -> Option<HashMap<Cow<'b, str>, &'b RawValue>> {
    serde_json::from_str(body.get(FIELD)?.get()).ok()
}

/// The error about the first text of a plan that is over its limit, in a body that is invalid.
pub(super) fn too_large_text(plan: &HashMap<Cow<'_, str>, &RawValue>, limits: &Limits) -> Option<Error> {
    let text = |name: &str| serde_json::from_str::<String>(plan.get(name)?.get()).ok();
    check_texts_of_plan(&text("content").unwrap_or_default(), text("summary").as_deref(), limits).err()
}

/// The text of an argument, which may be left out if a plan comes with it.
pub(super) fn text(
    field: &str,
    given: Option<String>,
    plan: Option<&PlanSubmit>,
    limits: &Limits,
) -> Result<Content, Error> {
    match (given, plan) {
        (None, None) => Err(Error::invalid(field, "is missing")),
        (given, None) => content(field, given.unwrap_or_default(), limits.content()),
        (given, Some(_)) => {
            content(field, given.unwrap_or_default(), TextRule { may_be_empty: true, ..limits.content() })
        }
    }
}

/// A plan whose texts were checked.
pub(super) struct CheckedPlan {
    content: Content,
    summary: Option<Summary>,
    base: Option<u64>,
}

impl CheckedPlan {
    /// Checks the texts of a plan.
    pub fn new(PlanSubmit { content: text, summary, base }: PlanSubmit, limits: &Limits) -> Result<Self, Error> {
        let content = content("plan.content", text, limits.document())?;
        let summary = summary.map(Summary::parse).transpose().map_err(|error| Error::text("plan.summary", error))?;
        Ok(Self { content, summary, base })
    }

    /// The plan that comes with the argument of this request.
    pub fn of(self, debate: DebateId, request: &RequestId) -> NewPlan {
        NewPlan::new(self.content, self.summary, self.base, debate, request)
    }
}
