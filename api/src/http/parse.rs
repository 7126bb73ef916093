//! From the contract's types to the domain's: whatever comes out of here may be used without looking at it again.

use std::sync::Arc;

use super::contract::{
    AppealBody, ClaimBody, CreateBody, DocumentBody, InterventionBody, JsonObject, OptionBody, ResolutionBody,
    RulingBody,
};
use crate::{
    app::Error,
    domain::{
        AppealOption, ArgumentId, Content, DebateId, Limits, Metadata, NewDebate, RequestId, Side, Summary, Text,
        TextRule, Title, Unit, check_characters,
    },
};

type Parsed<T> = Result<T, Error>;

pub(super) fn create(body: CreateBody, limits: &Limits) -> Parsed<NewDebate> {
    // Sizes first, in every field, then the rest.
    Title::RULE.check_size(&body.title).map_err(|fault| Error::text("title", fault))?;
    limits.content().check_size(&body.motion_content).map_err(|fault| Error::text("motion_content", fault))?;
    Ok(NewDebate {
        id: DebateId(body.debate_id),
        title: Title::parse(body.title).map_err(|fault| Error::text("title", fault))?,
        debate_type: body.debate_type,
        motion: content("motion_content", body.motion_content, limits.content())?,
        request_id: request_id(&body.client_request_id)?,
    })
}

pub(super) fn claim(body: ClaimBody, limits: &Limits) -> Parsed<(Side, ArgumentId, Content, RequestId)> {
    let said = content("content", body.content, limits.content())?;
    Ok((body.role, ArgumentId(body.target_id), said, request_id(&body.client_request_id)?))
}

pub(super) fn appeal(body: AppealBody, limits: &Limits) -> Parsed<(ArgumentId, Vec<AppealOption>, Content, RequestId)> {
    let said = content("content", body.content, limits.content())?;
    let options = options(body.options.unwrap_or_default(), limits)?;
    Ok((ArgumentId(body.target_id), options, said, request_id(&body.client_request_id)?))
}

pub(super) fn resolution(body: ResolutionBody, limits: &Limits) -> Parsed<(ArgumentId, Content, RequestId)> {
    let said = content("content", body.content, limits.content())?;
    Ok((ArgumentId(body.target_id), said, request_id(&body.client_request_id)?))
}

pub(super) fn ruling(body: RulingBody, limits: &Limits) -> Parsed<(bool, Option<usize>, Content, Option<RequestId>)> {
    let said = content("content", body.content, limits.content())?;
    let request = body.client_request_id.as_deref().map(request_id).transpose()?;
    let chosen_option = body.chosen_option.map(usize::try_from).transpose();
    let chosen_option = chosen_option.map_err(|error| Error::invalid("chosen_option", error.to_string()))?;
    Ok((body.close.unwrap_or(false), chosen_option, said, request))
}

pub(super) fn intervention(body: InterventionBody, limits: &Limits) -> Parsed<(Content, Option<RequestId>)> {
    let said = content("content", body.content.unwrap_or_default(), limits.intervention())?;
    Ok((said, body.client_request_id.as_deref().map(request_id).transpose()?))
}

/// What a version of a document is to say.
pub(super) fn document(body: DocumentBody, limits: &Limits) -> Parsed<(Arc<Text>, Option<RequestId>)> {
    let too_large = |field: &'static str| move |fault| Error::text(field, fault);
    let metadata = body.metadata.as_ref().map(JsonObject::text);
    // Sizes first, in every field, then the rest.
    Summary::RULE.check_size(&body.summary).map_err(too_large("summary"))?;
    limits.document().check_size(&body.content).map_err(too_large("content"))?;
    Metadata::RULE.check_size(metadata.unwrap_or_default()).map_err(too_large("metadata"))?;
    let metadata = metadata.map(Metadata::parse).transpose().map_err(|fault| Error::metadata("metadata", fault))?;
    let text = Text {
        summary: Summary::parse(body.summary).map_err(|fault| Error::text("summary", fault))?,
        content: content("content", body.content, limits.document())?,
        metadata: metadata.unwrap_or_default(),
    };
    Ok((Arc::new(text), body.client_request_id.as_deref().map(request_id).transpose()?))
}

/// A search text: nothing that it could never find, and nothing that a store could choke on.
pub(super) fn q(q: String) -> Parsed<String> {
    check_characters(&q).map_err(|fault| Error::text("q", fault))?;
    Ok(q)
}

fn content(field: &str, text: String, rule: TextRule) -> Parsed<Content> {
    Content::parse(text, rule).map_err(|fault| Error::text(field, fault))
}

fn request_id(text: &str) -> Parsed<RequestId> {
    text.parse().map_err(|fault| Error::invalid("client_request_id", format!("{fault}")))
}

/// The options of an appeal, which together may be as long as a content.
fn options(given: Vec<OptionBody>, limits: &Limits) -> Parsed<Vec<AppealOption>> {
    let length = |option: &OptionBody| option.label.len() + option.detail.as_deref().unwrap_or_default().len();
    let (limit, actual) = (limits.max_content_bytes, given.iter().map(length).sum());
    if actual > limit {
        return Err(Error::TooLarge { field: "options".to_owned(), limit, actual, unit: Unit::Bytes });
    }
    let option = |(index, OptionBody { label, detail, free_form }): (usize, OptionBody)| {
        let field = |name: &str| format!("options[{index}].{name}");
        limits.content().check(&label).map_err(|fault| Error::text(&field("label"), fault))?;
        let detail = detail.filter(|detail| !detail.is_empty());
        if let Some(detail) = &detail {
            check_characters(detail).map_err(|fault| Error::text(&field("detail"), fault))?;
        }
        Ok(AppealOption { label, detail, free_form: free_form.unwrap_or(false) })
    };
    given.into_iter().enumerate().map(option).collect()
}
