//! The bodies of arguments.

use poem_openapi::Object;
use serde::Deserialize;
use uuid::Uuid;

use super::{
    HasLimits,
    agents::{agents, check_sizes},
    content,
    issue_changes::{
        self, FIELD, IssueChangeSubmit, MAX_CHANGES_BYTES, NoIssueChanges, changes_of_option, field_of_option,
        issue_changes,
    },
    optional_request_id,
    plan::{self, CheckedPlan, NoPlan, PlanSubmit},
};
use crate::{
    app::Error,
    domain::{
        AppealOption, ArgumentId, ArgumentKind, DebateId, Limits, Side, Submission, TextRule, Unit, check_characters,
        with_free_form,
    },
    http::contract::{Agent, Listed, object, objects},
};

/// How many bytes the changes of all options of an APPEAL may have together: those of eight options with as many as there may be, of
/// full length.
const MAX_OPTION_CHANGES_BYTES: usize = 8 * MAX_CHANGES_BYTES;

/// A CLAIM to be added.
#[derive(Debug, Object, Deserialize)]
pub struct ArgumentSubmit {
    /// The side that makes the CLAIM
    pub role: Listed<Side>,
    /// The id of the argument that it answers
    pub target_id: Uuid,
    /// The text, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit. It may be left out or empty if there is a plan
    pub content: Option<String>,
    /// The plan that comes with it; only the proposer's may have one. The text then begins with the line `Plan: doc_id=<id> v<number>`, an empty line and
    /// `content`, which may be left out; all of it counts, the line with 62 bytes
    #[serde(default, deserialize_with = "object")]
    pub plan: Option<PlanSubmit>,
    /// The changes of issues that it carries, at most 50
    #[serde(default, deserialize_with = "objects")]
    pub issue_changes: Option<Vec<IssueChangeSubmit>>,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
}

/// One of the options that an APPEAL offers to the arbitrator.
#[derive(Debug, Object, Deserialize)]
pub struct AppealOptionSubmit {
    /// The short name of the option; must not be empty
    pub label: String,
    /// An explanation of the option
    pub detail: Option<String>,
    /// True if the arbitrator describes the choice in the content of the RULING
    pub free_form: Option<bool>,
    /// What it decides, at most 50: the changes of issues of a RULING that chooses it and has no `issue_changes`. The changes that a
    /// RULING may make, but for `raise`
    #[serde(default, deserialize_with = "objects")]
    pub issue_changes: Option<Vec<IssueChangeSubmit>>,
}

/// An APPEAL to be added: it asks the arbitrator to decide a point.
#[derive(Debug, Object, Deserialize)]
pub struct AppealSubmit {
    /// The id of the argument that it is about
    pub target_id: Uuid,
    /// The question with its context, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit. It may be left out or empty if there is
    /// a plan
    pub content: Option<String>,
    /// The plan that comes with it. The text then begins with the line `Plan: doc_id=<id> v<number>`, an empty line and
    /// `content`, which may be left out; all of it counts, the line with 62 bytes
    #[serde(default, deserialize_with = "object")]
    pub plan: Option<PlanSubmit>,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
    /// The options for the arbitrator; "Something else" is added unless one is `free_form`
    #[serde(default, deserialize_with = "objects")]
    pub options: Option<Vec<AppealOptionSubmit>>,
    /// The changes of issues that it carries, at most 50: `refer`
    #[serde(default, deserialize_with = "objects")]
    pub issue_changes: Option<Vec<IssueChangeSubmit>>,
}

/// A RESOLUTION to be added: it asks the arbitrator to close the debate.
#[derive(Debug, Object, Deserialize)]
pub struct ResolutionSubmit {
    /// The id of the argument that it answers
    pub target_id: Uuid,
    /// What was agreed, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit. It may be left out or empty if there is a plan
    pub content: Option<String>,
    /// The plan that comes with it. The text then begins with the line `Plan: doc_id=<id> v<number>`, an empty line and
    /// `content`, which may be left out; all of it counts, the line with 62 bytes
    #[serde(default, deserialize_with = "object")]
    pub plan: Option<PlanSubmit>,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: String,
    #[oai(skip)]
    #[serde(default)]
    pub issue_changes: NoIssueChanges,
}

/// A RULING to be added: it decides, and may close the debate.
#[derive(Debug, Object, Deserialize)]
pub struct RulingSubmit {
    /// The decision, 1 to 10,240 bytes of UTF-8 by default; `GET /info` has the limit
    pub content: String,
    /// Whether to close the debate; false by default
    pub close: Option<bool>,
    /// The index of the chosen option of the APPEAL, from 0
    pub chosen_option: Option<u32>,
    /// The changes of issues that it carries, at most 50. Without a list, those of the chosen option; an empty list is none
    #[serde(default, deserialize_with = "objects")]
    pub issue_changes: Option<Vec<IssueChangeSubmit>>,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: Option<String>,
    /// Whether to answer only what would follow: nothing is stored, and the `client_request_id` stays free; false by default
    pub dry_run: Option<bool>,
    #[oai(skip)]
    #[serde(default)]
    pub plan: NoPlan,
}

/// An INTERVENTION to be added: it stops both sides until a ruling.
#[derive(Debug, Object, Deserialize)]
pub struct InterventionSubmit {
    /// The reason, 0 to 10,240 bytes of UTF-8 by default (`GET /info` has the limit); empty if absent
    pub content: Option<String>,
    /// The programs that were started to write it, at most 16. They are stored with it; a repeated request may name others
    #[serde(default, deserialize_with = "objects")]
    pub agents: Option<Vec<Agent>>,
    /// Identifies the request when it is repeated: 1 to 128 characters of `A-Z a-z 0-9 . _ : -`
    pub client_request_id: Option<String>,
    #[oai(skip)]
    #[serde(default)]
    pub issue_changes: NoIssueChanges,
    #[oai(skip)]
    #[serde(default)]
    pub plan: NoPlan,
}

macro_rules! has_limits {
    ($($body:ty: $max_changes_bytes:expr, $rule:expr, $text_with_plan:expr;)+) => {$(
        impl HasLimits for $body {
            const MAX_CHANGES_BYTES: usize = $max_changes_bytes;

            const TEXT_WITH_PLAN: Option<&'static str> = $text_with_plan;

            fn rules(limits: &Limits) -> Vec<(&'static str, TextRule)> {
                vec![("content", $rule(limits))]
            }
        }
    )+};
}

has_limits! {
    ArgumentSubmit: MAX_CHANGES_BYTES, Limits::content, Some("content");
    AppealSubmit: MAX_CHANGES_BYTES + MAX_OPTION_CHANGES_BYTES, Limits::content, Some("content");
    ResolutionSubmit: 0, Limits::content, Some("content");
    RulingSubmit: MAX_CHANGES_BYTES, Limits::content, None;
    InterventionSubmit: 0, Limits::intervention, None;
}

/// What the bodies of all arguments after the MOTION have.
struct Parts {
    content: Option<String>,
    /// Whether an argument of this type may have no text
    may_be_empty: bool,
    plan: Option<PlanSubmit>,
    issue_changes: Option<Vec<IssueChangeSubmit>>,
    agents: Option<Vec<Agent>>,
    request_id: Option<String>,
}

impl Parts {
    /// Those of an argument of a side.
    fn of_side(content: Option<String>, agents: Option<Vec<Agent>>, request_id: String) -> Self {
        let request_id = Some(request_id);
        Self { content, may_be_empty: false, plan: None, issue_changes: None, agents, request_id }
    }

    /// The argument of this kind. The id from the path is a `Result`, since an invalid one is reported after an invalid body.
    fn submission(
        self,
        debate_id: Result<DebateId, Error>,
        limits: &Limits,
        kind: impl FnOnce() -> Result<ArgumentKind, Error>,
    ) -> Result<Submission, Error> {
        // The lengths of all fields are checked before anything else.
        plan::check_sizes("content", self.content.as_deref(), self.plan.as_ref(), limits)?;
        check_sizes(self.agents.as_deref())?;
        issue_changes::check_sizes(FIELD, self.issue_changes.as_deref().unwrap_or_default())?;
        let issue_changes = self.issue_changes.map(|changes| issue_changes(FIELD, changes)).transpose()?;
        let agents = agents(self.agents)?;
        let content = match self.may_be_empty {
            true => content("content", self.content.unwrap_or_default(), limits.intervention())?,
            false => plan::text("content", self.content, self.plan.as_ref(), limits)?,
        };
        let kind = kind()?;
        let request_id = optional_request_id(self.request_id.as_deref())?;
        let plan = self.plan.map(|plan| CheckedPlan::new(plan, limits)).transpose()?;
        let debate_id = debate_id?;
        // What a plan comes with has a request id.
        let plan = plan.zip(request_id.as_ref()).map(|(plan, request)| plan.of(debate_id, request));
        Ok(Submission { plan, issue_changes, agents, request_id, ..Submission::new(debate_id, kind, content) })
    }
}

pub fn claim(body: ArgumentSubmit, debate_id: Result<DebateId, Error>, limits: &Limits) -> Result<Submission, Error> {
    let ArgumentSubmit { role: Listed(by), target_id, content, plan, issue_changes, agents, client_request_id } = body;
    let parts = Parts { plan, issue_changes, ..Parts::of_side(content, agents, client_request_id) };
    let has_plan = parts.plan.is_some();
    parts.submission(debate_id, limits, || match by {
        Side::Opponent if has_plan => Err(plan::not_of_opponent()),
        Side::Opponent | Side::Proposer => Ok(ArgumentKind::Claim { by, parent_id: ArgumentId(target_id) }),
    })
}

pub fn appeal(body: AppealSubmit, debate_id: Result<DebateId, Error>, limits: &Limits) -> Result<Submission, Error> {
    let AppealSubmit { target_id, content, plan, agents, client_request_id, options: given, issue_changes } = body;
    let given = given.unwrap_or_default();
    check_option_sizes(&given, limits)?;
    let parts = Parts { plan, issue_changes, ..Parts::of_side(content, agents, client_request_id) };
    parts.submission(debate_id, limits, || {
        let options = with_free_form(options(given, limits)?);
        Ok(ArgumentKind::Appeal { parent_id: ArgumentId(target_id), options })
    })
}

pub fn resolution(
    body: ResolutionSubmit,
    debate_id: Result<DebateId, Error>,
    limits: &Limits,
) -> Result<Submission, Error> {
    let ResolutionSubmit { target_id, content, plan, agents, client_request_id, issue_changes: NoIssueChanges } = body;
    let parts = Parts { plan, ..Parts::of_side(content, agents, client_request_id) };
    parts.submission(debate_id, limits, || Ok(ArgumentKind::Resolution { parent_id: ArgumentId(target_id) }))
}

pub fn ruling(body: RulingSubmit, debate_id: Result<DebateId, Error>, limits: &Limits) -> Result<Submission, Error> {
    let RulingSubmit {
        content,
        close,
        chosen_option,
        issue_changes,
        agents,
        client_request_id,
        dry_run: _,
        plan: NoPlan,
    } = body;
    let (content, may_be_empty, plan, request_id) = (Some(content), false, None, client_request_id);
    let parts = Parts { content, may_be_empty, plan, issue_changes, agents, request_id };
    parts.submission(debate_id, limits, || {
        let chosen_option = chosen_option.map(usize::try_from).transpose();
        let chosen_option = chosen_option.map_err(|error| Error::invalid("chosen_option", error.to_string()))?;
        Ok(ArgumentKind::Ruling { close: close.unwrap_or(false), chosen_option })
    })
}

pub fn intervention(
    body: InterventionSubmit,
    debate_id: Result<DebateId, Error>,
    limits: &Limits,
) -> Result<Submission, Error> {
    let InterventionSubmit { content, agents, client_request_id, issue_changes: NoIssueChanges, plan: NoPlan } = body;
    let (may_be_empty, request_id) = (true, client_request_id);
    let parts = Parts { content, may_be_empty, plan: None, issue_changes: None, agents, request_id };
    parts.submission(debate_id, limits, || Ok(ArgumentKind::Intervention))
}

/// Checks the lengths of the texts of options. Labels and details together may be as long as the content of an argument.
fn check_option_sizes(options: &[AppealOptionSubmit], limits: &Limits) -> Result<(), Error> {
    let length = |option: &AppealOptionSubmit| option.label.len() + option.detail.as_deref().unwrap_or_default().len();
    let (limit, actual) = (limits.max_content_bytes, options.iter().map(length).sum());
    if actual > limit {
        return Err(Error::TooLarge { field: "options".to_owned(), limit, actual, unit: Unit::Bytes });
    }
    for (number, option) in options.iter().enumerate() {
        issue_changes::check_sizes(&field_of_option(number), option.issue_changes.as_deref().unwrap_or_default())?;
    }
    Ok(())
}

/// The options of an APPEAL.
fn options(options: Vec<AppealOptionSubmit>, limits: &Limits) -> Result<Vec<AppealOption>, Error> {
    let option = |(index, option): (usize, AppealOptionSubmit)| {
        let AppealOptionSubmit { label, detail, free_form, issue_changes } = option;
        let field = |name: &str| format!("options[{index}].{name}");
        limits.content().check(&label).map_err(|error| Error::text(&field("label"), error))?;
        let detail = detail.filter(|detail| !detail.is_empty());
        if let Some(detail) = &detail {
            check_characters(detail).map_err(|error| Error::text(&field("detail"), error))?;
        }
        let issue_changes = changes_of_option(&field_of_option(index), issue_changes.unwrap_or_default())?;
        Ok(AppealOption { label, detail, free_form: free_form.unwrap_or(false), issue_changes })
    };
    options.into_iter().enumerate().map(option).collect()
}
