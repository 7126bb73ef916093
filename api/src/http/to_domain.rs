//! Converts and validates request bodies. The resulting domain types need no further checks.

use std::{num::NonZeroU8, sync::Arc};

use poem_openapi::types::Any;

use super::{
    agents::{agents, check_sizes},
    contract::{
        Agent, AppealOptionSubmit, AppealSubmit, ArgumentSubmit, DebateCreate, DocumentSubmit, InterventionSubmit,
        IssueChangeSubmit, NoIssueChanges, ResolutionSubmit, RulingSubmit,
    },
    issue_changes::issue_changes,
};
use crate::{
    app::Error,
    domain::{
        AppealOption, ArgumentId, ArgumentKind, Content, DebateId, DocumentId, DocumentText, Limits, Metadata,
        NewDebate, NewDocument, NewVersion, RequestId, Rounds, Submission, Summary, TextRule, Title, Unit,
        check_characters, with_free_form,
    },
};

pub(super) fn new_debate(body: DebateCreate, limits: &Limits) -> Result<NewDebate, Error> {
    // The lengths of all fields are checked before anything else.
    Title::RULE.check_size(&body.title).map_err(|error| Error::text("title", error))?;
    limits.content().check_size(&body.motion_content).map_err(|error| Error::text("motion_content", error))?;
    check_sizes(body.agents.as_deref())?;
    let NoIssueChanges = body.issue_changes;
    let max_rounds = body.max_rounds.map(max_rounds).transpose()?;
    Ok(NewDebate {
        id: DebateId(body.debate_id),
        max_rounds,
        title: Title::parse(body.title).map_err(|error| Error::text("title", error))?,
        debate_type: body.debate_type,
        motion: content("motion_content", body.motion_content, limits.content())?,
        agents: agents(body.agents)?,
        request_id: request_id(&body.client_request_id)?,
        seat_key: None,
    })
}

fn max_rounds(given: u64) -> Result<NonZeroU8, Error> {
    let max_rounds = u8::try_from(given).ok().filter(|max| *max <= Rounds::MAX).and_then(NonZeroU8::new);
    max_rounds.ok_or_else(|| {
        Error::invalid("max_rounds", format!("is {given}; it must be a whole number from 1 to {}", Rounds::MAX))
    })
}

/// What the bodies of all arguments after the MOTION have.
struct Parts {
    content: String,
    rule: TextRule,
    issue_changes: Option<Vec<IssueChangeSubmit>>,
    agents: Option<Vec<Agent>>,
    request_id: Option<String>,
}

impl Parts {
    /// The argument of this kind. The id from the path is a `Result`, since an invalid one is reported after an invalid body.
    fn submission(
        self,
        debate_id: Result<DebateId, Error>,
        kind: impl FnOnce() -> Result<ArgumentKind, Error>,
    ) -> Result<Submission, Error> {
        // The lengths of all fields are checked before anything else.
        self.rule.check_size(&self.content).map_err(|error| Error::text("content", error))?;
        check_sizes(self.agents.as_deref())?;
        let issue_changes = issue_changes(self.issue_changes)?;
        let agents = agents(self.agents)?;
        let content = content("content", self.content, self.rule)?;
        let kind = kind()?;
        let request_id = optional_request_id(self.request_id.as_deref())?;
        Ok(Submission { issue_changes, agents, request_id, ..Submission::new(debate_id?, kind, content) })
    }
}

pub(super) fn claim(
    body: ArgumentSubmit,
    debate_id: Result<DebateId, Error>,
    limits: &Limits,
) -> Result<Submission, Error> {
    let ArgumentSubmit { role: by, target_id, content, issue_changes, agents, client_request_id } = body;
    let parts = Parts { content, rule: limits.content(), issue_changes, agents, request_id: Some(client_request_id) };
    parts.submission(debate_id, || Ok(ArgumentKind::Claim { by, parent_id: ArgumentId(target_id) }))
}

pub(super) fn appeal(
    body: AppealSubmit,
    debate_id: Result<DebateId, Error>,
    limits: &Limits,
) -> Result<Submission, Error> {
    let AppealSubmit { target_id, content, agents, client_request_id, options: given, issue_changes } = body;
    let parts = Parts { content, rule: limits.content(), issue_changes, agents, request_id: Some(client_request_id) };
    parts.submission(debate_id, || {
        let options = with_free_form(options(given.unwrap_or_default(), limits)?);
        Ok(ArgumentKind::Appeal { parent_id: ArgumentId(target_id), options })
    })
}

pub(super) fn resolution(
    body: ResolutionSubmit,
    debate_id: Result<DebateId, Error>,
    limits: &Limits,
) -> Result<Submission, Error> {
    let ResolutionSubmit { target_id, content, agents, client_request_id, issue_changes: NoIssueChanges } = body;
    let parts =
        Parts { content, rule: limits.content(), issue_changes: None, agents, request_id: Some(client_request_id) };
    parts.submission(debate_id, || Ok(ArgumentKind::Resolution { parent_id: ArgumentId(target_id) }))
}

pub(super) fn ruling(
    body: RulingSubmit,
    debate_id: Result<DebateId, Error>,
    limits: &Limits,
) -> Result<Submission, Error> {
    let RulingSubmit { content, close, chosen_option, issue_changes, agents, client_request_id } = body;
    let parts = Parts { content, rule: limits.content(), issue_changes, agents, request_id: client_request_id };
    parts.submission(debate_id, || {
        let chosen_option = chosen_option.map(usize::try_from).transpose();
        let chosen_option = chosen_option.map_err(|error| Error::invalid("chosen_option", error.to_string()))?;
        Ok(ArgumentKind::Ruling { close: close.unwrap_or(false), chosen_option })
    })
}

pub(super) fn intervention(
    body: InterventionSubmit,
    debate_id: Result<DebateId, Error>,
    limits: &Limits,
) -> Result<Submission, Error> {
    let InterventionSubmit { content, agents, client_request_id, issue_changes: NoIssueChanges } = body;
    let (content, rule) = (content.unwrap_or_default(), limits.intervention());
    let parts = Parts { content, rule, issue_changes: None, agents, request_id: client_request_id };
    parts.submission(debate_id, || Ok(ArgumentKind::Intervention))
}

pub(super) fn new_document(body: DocumentSubmit, limits: &Limits) -> Result<NewDocument, Error> {
    let request_id = body.client_request_id.clone();
    let text = document_text(body, limits)?;
    Ok(NewDocument { text, request_id: optional_request_id(request_id.as_deref())? })
}

pub(super) fn new_version(
    body: DocumentSubmit,
    document_id: Result<DocumentId, Error>,
    limits: &Limits,
) -> Result<NewVersion, Error> {
    let NewDocument { text, request_id } = new_document(body, limits)?;
    Ok(NewVersion { document_id: document_id?, text, request_id })
}

fn document_text(body: DocumentSubmit, limits: &Limits) -> Result<Arc<DocumentText>, Error> {
    let too_large = |field: &'static str| move |error| Error::text(field, error);
    let metadata = body.metadata.as_ref().map(|Any(json)| json.get());
    // The lengths of all fields are checked before anything else.
    Summary::RULE.check_size(&body.summary).map_err(too_large("summary"))?;
    limits.document().check_size(&body.content).map_err(too_large("content"))?;
    Metadata::RULE.check_size(metadata.unwrap_or_default()).map_err(too_large("metadata"))?;
    let metadata = metadata.map(Metadata::parse).transpose().map_err(|error| Error::metadata("metadata", error))?;
    Ok(Arc::new(DocumentText::new(
        Summary::parse(body.summary).map_err(|error| Error::text("summary", error))?,
        content("content", body.content, limits.document())?,
        metadata.unwrap_or_default(),
    )))
}

/// Checks the search text of a list for control characters, which PostgreSQL may reject.
pub(super) fn search_text(q: String) -> Result<String, Error> {
    check_characters(&q).map_err(|error| Error::text("q", error))?;
    Ok(q)
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

/// The options of an APPEAL. All of them together may be as long as the content of an argument.
fn options(options: Vec<AppealOptionSubmit>, limits: &Limits) -> Result<Vec<AppealOption>, Error> {
    let length = |option: &AppealOptionSubmit| option.label.len() + option.detail.as_deref().unwrap_or_default().len();
    let (limit, actual) = (limits.max_content_bytes, options.iter().map(length).sum());
    if actual > limit {
        return Err(Error::TooLarge { field: "options".to_owned(), limit, actual, unit: Unit::Bytes });
    }
    let option = |(index, option): (usize, AppealOptionSubmit)| {
        let AppealOptionSubmit { label, detail, free_form } = option;
        let field = |name: &str| format!("options[{index}].{name}");
        limits.content().check(&label).map_err(|error| Error::text(&field("label"), error))?;
        let detail = detail.filter(|detail| !detail.is_empty());
        if let Some(detail) = &detail {
            check_characters(detail).map_err(|error| Error::text(&field("detail"), error))?;
        }
        Ok(AppealOption { label, detail, free_form: free_form.unwrap_or(false) })
    };
    options.into_iter().enumerate().map(option).collect()
}
