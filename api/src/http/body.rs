//! The extractor for JSON request bodies.

use std::{borrow::Cow, collections::HashMap, io, time::Duration};

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use poem::{
    Body, IntoResponse, Request, RequestBody, Result,
    http::{
        HeaderValue,
        header::{CONNECTION, CONTENT_TYPE},
    },
};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, Registry},
    types::Type,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use tokio::time::timeout;

use super::{
    agents,
    contract::{Agent, ErrorResponse, HasLimits},
    error_response::Rejection,
    issue_changes,
};
use crate::{
    app::Error,
    domain::{Limits, Unit},
};

/// How long a client may take to send the whole body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may pause while it sends the body.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// How deep objects and arrays may be nested; metadata may use 100 levels of these.
const MAX_DEPTH: usize = 128;

/// How many bytes a body may have in addition to its largest field and to changes of issues: title, options, agents, metadata,
/// ids.
const OTHER_FIELDS_BYTES: usize = 144 * 1024;

/// How many bytes of a body that is too large are read and discarded, since many clients read the response only after they
/// have sent the body. If the body is larger than this, the connection is closed.
const MAX_DISCARDED_BYTES: usize = 256 * 1024 * 1024;

/// How many more bytes of a body of unknown size are discarded after it passed its limit and was answered. A client that is
/// nearly done then gets the response instead of a reset connection.
const MAX_LINGERING_BYTES: usize = 1024 * 1024;

/// How long these are waited for.
const LINGERING_TIMEOUT: Duration = Duration::from_secs(2);

/// The maximum number of bytes of JSON for one byte of text: `\u00XX`.
pub(super) const MAX_ESCAPE_BYTES: usize = 6;

/// A JSON request body.
pub(super) struct JsonBody<T>(pub T);

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
        let bytes = read(request, body, max_texts_bytes + OTHER_FIELDS_BYTES).await?;
        parse("body", &bytes, &limits).map(Self).map_err(Into::into)
    }
}

/// Whether there is exactly one Content-Type header and it is application/json.
fn is_json(request: &Request) -> bool {
    let mut values = request.headers().get_all(CONTENT_TYPE).iter().map(|value| value.to_str().unwrap_or_default());
    let media_type = values.next().and_then(|value| value.split(';').next()).unwrap_or_default();
    media_type.trim().eq_ignore_ascii_case("application/json") && values.next().is_none()
}

async fn read(request: &Request, body: &mut RequestBody, limit: usize) -> Result<Vec<u8>> {
    let declared = request.header("content-length").and_then(|length| length.parse::<usize>().ok());
    let too_large = |actual| Error::TooLarge { field: "body".to_owned(), limit, actual, unit: Unit::Bytes };
    let body = match declared {
        Some(declared) if declared > MAX_DISCARDED_BYTES.max(limit) => return Err(too_large(declared).into()),
        // The response should tell the size. If the client stops sending, it is known all the same.
        Some(declared) if declared > limit => {
            let _ = timeout(BODY_TIMEOUT, discard(body.take()?.into_bytes_stream(), declared)).await;
            return Err(too_large(declared).into());
        }
        Some(_) | None => body.take()?,
    };
    match timeout(BODY_TIMEOUT, collect(body, limit)).await {
        Ok(Ok(Ok(bytes))) => Ok(bytes),
        Ok(Ok(Err(actual))) => Err(closing(too_large(actual))),
        Ok(Err(error)) => Err(Error::invalid("body", format!("could not be read: {error}")).into()),
        Err(_) => {
            let seconds = BODY_TIMEOUT.as_secs();
            Err(Error::invalid("body", format!("was not received within {seconds} seconds")).into())
        }
    }
}

fn idle_timeout() -> io::Error {
    let seconds = IDLE_TIMEOUT.as_secs();
    io::Error::new(io::ErrorKind::TimedOut, format!("nothing was received for {seconds} seconds"))
}

/// Reads a body. Returns the number of bytes so far as an error once there are more than `limit`.
async fn collect(body: Body, limit: usize) -> io::Result<Result<Vec<u8>, usize>> {
    let mut bytes = Vec::new();
    let mut chunks = body.into_bytes_stream();
    while let Some(chunk) = timeout(IDLE_TIMEOUT, chunks.next()).await.map_err(|_| idle_timeout())? {
        let chunk = chunk?;
        let actual = bytes.len() + chunk.len();
        if actual > limit {
            // hyper reads the body while it sends the response, until this task drops the rest of it.
            tokio::spawn(timeout(LINGERING_TIMEOUT, discard(chunks, MAX_LINGERING_BYTES)));
            return Ok(Err(actual));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Ok(bytes))
}

/// Reads and discards the rest of a body, at most about `max` bytes of it.
async fn discard(mut chunks: impl Stream<Item = io::Result<Bytes>> + Unpin, max: usize) {
    let mut discarded = 0;
    while discarded < max
        && let Ok(Some(Ok(chunk))) = timeout(IDLE_TIMEOUT, chunks.next()).await
    {
        discarded += chunk.len();
    }
}

/// The response to a request whose body is not read to its end, so that the connection cannot be used again.
fn closing(error: Error) -> poem::Error {
    let mut response = ErrorResponse::from(error).into_response();
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    poem::Error::from_response(response)
}

/// Parses a JSON object, which errors call `name`. A text over its limit is reported before any other error.
pub(super) fn parse<'a, T: Deserialize<'a> + HasLimits>(
    name: &str,
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<T, Error> {
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

/// Whether objects and arrays in this JSON are nested deeper than `max` levels.
fn is_deeper_than(max: usize, bytes: &[u8]) -> bool {
    let (mut level, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => level += 1,
            b'}' | b']' if !in_string => level = level.saturating_sub(1),
            _ => {}
        }
        if level > max {
            return true;
        }
    }
    false
}

/// The error about the first text that is over its limit, if the bytes are a JSON object.
fn too_large_field<T: HasLimits>(bytes: &[u8], limits: &Limits) -> Option<Error> {
    let body: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_slice(bytes).ok()?;
    let too_large = T::rules(limits).into_iter().find_map(|(field, rule)| {
        let given = body.get(field)?.get();
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
    too_large.or_else(in_agents).or_else(|| {
        let changes = body.get(issue_changes::FIELD).filter(|_| T::MAX_CHANGES_BYTES > 0)?;
        issue_changes::too_large_text(changes)
    })
}
