//! The extractor for JSON request bodies.

use std::{borrow::Cow, collections::HashMap};

use poem::{Request, RequestBody, Result, http::header::CONTENT_TYPE};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, Registry},
    types::Type,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{
    HasLimits, agents,
    body_limits::{MAX_DEPTH, OTHER_FIELDS_BYTES, RequestRoom, is_deeper_than, read},
    issue_changes, plan,
};
use crate::{
    app::Error,
    domain::Limits,
    http::{
        contract::Agent,
        error_response::Rejection,
        large_bodies::{Held, SMALL_BYTES, Work},
    },
};

/// The maximum number of bytes of JSON for one byte of text: `\u00XX`.
pub const MAX_ESCAPE_BYTES: usize = 6;

/// A JSON request body, and the room that it takes until the request is answered.
pub struct JsonBody<T> {
    pub value: T,
    _held: Held,
}

impl<'a, T: Type + DeserializeOwned + HasLimits> ApiExtractor<'a> for JsonBody<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let content = vec![MetaMediaType { content_type: "application/json", schema: T::schema_ref() }];
        Some(MetaRequest { description: None, content, required: true })
    }

    /// Checks the media type first, then the size, then the shape.
    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        if !is_json(request) {
            return Err(Rejection::UnsupportedMediaType.into());
        }
        let limits = request.data::<Limits>().copied().unwrap_or_default();
        let max_texts_bytes = MAX_ESCAPE_BYTES * T::max_field_bytes(&limits) + T::MAX_CHANGES_BYTES;
        let Some(RequestRoom(room)) = request.data() else { return Err(Error::Internal.into()) };
        let (bytes, held) = read(request, body, max_texts_bytes + OTHER_FIELDS_BYTES, room).await?;
        // Many small values take several times the size of their JSON.
        let _turn = if bytes.len() > SMALL_BYTES { Some(room.turn(Work::Parsing).await?) } else { None };
        Ok(Self { value: parse("body", &bytes, &limits)?, _held: held })
    }
}

/// Whether there is exactly one Content-Type header and it is application/json.
fn is_json(request: &Request) -> bool {
    let mut values = request.headers().get_all(CONTENT_TYPE).iter().map(|value| value.to_str().unwrap_or_default());
    let media_type = values.next().and_then(|value| value.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("application/json") && values.next().is_none()
}

/// Parses a JSON object, which errors call `name`. A text over its limit is reported before any other error.
pub fn parse<'a, T: Deserialize<'a> + HasLimits>(name: &str, bytes: &'a [u8], limits: &Limits) -> Result<T, Error> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Error::invalid(name, "starts with a byte order mark, which JSON must not have"));
    }
    // serde would accept an array of the fields' values too.
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return Err(Error::invalid(name, "is not a JSON object"));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let error = match T::deserialize(&mut deserializer) {
        Ok(parsed) => match deserializer.end() {
            // serde does not check the depth of unknown fields.
            Ok(()) if is_deeper_than(MAX_DEPTH, bytes) => {
                Error::invalid(name, format!("is nested deeper than {MAX_DEPTH} levels"))
            }
            Ok(()) => return Ok(parsed),
            Err(error) => Error::invalid(name, format!("is not one JSON value: {error}")),
        },
        // The path to a syntax error depends on how far serde had come, so it is not reported.
        Err(error) if !error.is_data() => Error::invalid(name, format!("is invalid: {error}")),
        Err(error) => {
            let field = path_to_error::<T>(bytes).unwrap_or_else(|| name.to_owned());
            Error::invalid(field, format!("is invalid: {error}"))
        }
    };
    Err(too_large_field::<T>(bytes, limits).unwrap_or(error))
}

/// The path to what is wrong in this JSON; none if it is about the whole. Most bodies are right, and keeping the path takes
/// longer than reading them.
fn path_to_error<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<String> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let error = serde_path_to_error::deserialize::<_, T>(&mut deserializer).err()?;
    error.path().iter().next().map(|_| error.path().to_string())
}

/// The error about the first text that is over its limit, if the bytes are a JSON object.
fn too_large_field<T: HasLimits>(bytes: &[u8], limits: &Limits) -> Option<Error> {
    let body: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_slice(bytes).ok()?;
    let plan = T::TEXT_WITH_PLAN.and_then(|_| plan::fields(&body));
    let too_large = T::rules(limits).into_iter().find_map(|(field, rule)| {
        let given = body.get(field)?.get();
        if plan.is_some() && T::TEXT_WITH_PLAN == Some(field) {
            let text = serde_json::from_str::<Cow<'_, str>>(given).ok()?;
            return plan::check_size_with_plan(field, text.len(), limits).err();
        }
        let error = match serde_json::from_str::<Cow<'_, str>>(given) {
            Ok(text) => rule.check_size(&text).err()?,
            Err(_) if given.starts_with('{') => rule.check_size(given).err()?,
            Err(_) => return None,
        };
        Some(Error::text(field, error))
    });
    let in_agents = || {
        let agents = serde_json::from_str::<Vec<Agent>>(body.get(agents::FIELD)?.get()).ok()?;
        agents::check_sizes(Some(&agents)).err()
    };
    let in_changes = || {
        let changes = body.get(issue_changes::FIELD).filter(|_| T::MAX_CHANGES_BYTES > 0)?;
        issue_changes::too_large_text(issue_changes::FIELD, changes)
    };
    let in_options =
        || issue_changes::too_large_text_of_option(body.get("options").filter(|_| T::MAX_CHANGES_BYTES > 0)?);
    let in_plan = || plan::too_large_text(plan.as_ref()?, limits);
    too_large.or_else(in_plan).or_else(in_agents).or_else(in_changes).or_else(in_options)
}
