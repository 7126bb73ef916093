//! Bodies of requests: bounded, declared as JSON, read into a type of the contract.

use std::{borrow::Cow, collections::HashMap, io, time::Duration};

use futures_util::StreamExt;
use poem::{Body, Request, RequestBody, Result, http::header::CONTENT_TYPE};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, Registry},
    types::Type,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use tokio::time::timeout;

use super::{contract::HasLimits, failure::Refused};
use crate::{
    app::Error,
    domain::{Limits, Unit},
};

/// How long a client may take to send a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long it may send nothing meanwhile.
const SILENCE: Duration = Duration::from_secs(10);

/// The most levels of objects and lists within each other; metadata may have 100 of them.
const DEEPEST: usize = 128;

/// What a body may hold besides its longest text: titles, options, metadata, ids.
const BESIDES_CONTENT: usize = 96 * 1024;

/// How much of a body that is too large is taken and forgotten, so that its sender comes to hear that it is. Whoever sends
/// more is hung up on.
const MOST_FORGOTTEN: usize = 256 * 1024 * 1024;

/// JSON may spell each byte of a text as `\u00XX`.
pub(super) const WIDEST_ESCAPE: usize = 6;

/// A body, read.
pub(super) struct Input<T>(pub T);

impl<'a, T: Type + DeserializeOwned + HasLimits> ApiExtractor<'a> for Input<T> {
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

    /// Tells the first fault in the order of SPEC section 4: media type, size, shape.
    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        if !is_json(request) {
            return Err(Refused::MediaType.into());
        }
        let limits = request.data::<Limits>().copied().unwrap_or_default();
        let bytes = read(request, body, WIDEST_ESCAPE * T::longest(&limits) + BESIDES_CONTENT).await?;
        parse("body", &bytes, &limits).map(Self).map_err(Into::into)
    }
}

/// Declared once, as JSON and nothing else.
fn is_json(request: &Request) -> bool {
    let mut declared = request.headers().get_all(CONTENT_TYPE).iter().map(|value| value.to_str().unwrap_or_default());
    let essence = declared.next().and_then(|declared| declared.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json") && declared.next().is_none()
}

async fn read(request: &Request, body: &mut RequestBody, limit: usize) -> Result<Vec<u8>> {
    let declared = request.header("content-length").and_then(|length| length.parse::<usize>().ok());
    let too_large = |actual| Error::TooLarge { field: "body".to_owned(), limit, actual, unit: Unit::Bytes };
    if let Some(declared) = declared.filter(|declared| *declared > MOST_FORGOTTEN.max(limit)) {
        return Err(too_large(declared).into());
    }
    match timeout(BODY_TIMEOUT, take(body.take()?, limit)).await {
        Ok(Ok(Ok(bytes))) => Ok(bytes),
        Ok(Ok(Err(actual))) => Err(too_large(actual).into()),
        Ok(Err(error)) => Err(Error::invalid("body", format!("could not be read: {error}")).into()),
        Err(_) => match declared.filter(|declared| *declared > limit) {
            Some(declared) => Err(too_large(declared).into()),
            None => {
                let seconds = BODY_TIMEOUT.as_secs();
                Err(Error::invalid("body", format!("did not come within {seconds} seconds")).into())
            }
        },
    }
}

fn silent() -> io::Error {
    let seconds = SILENCE.as_secs();
    io::Error::new(io::ErrorKind::TimedOut, format!("nothing came for {seconds} seconds"))
}

/// Takes a body: its bytes, or how many there are where these are more than `limit`.
async fn take(body: Body, limit: usize) -> io::Result<Result<Vec<u8>, usize>> {
    let (mut bytes, mut actual) = (Vec::new(), 0);
    let mut chunks = body.into_bytes_stream();
    while let Some(chunk) = timeout(SILENCE, chunks.next()).await.map_err(|_| silent())? {
        let chunk = chunk?;
        actual += chunk.len();
        if actual <= limit {
            bytes.extend_from_slice(&chunk);
        } else {
            bytes = Vec::new();
            if actual > MOST_FORGOTTEN {
                break;
            }
        }
    }
    Ok(if actual > limit { Err(actual) } else { Ok(bytes) })
}

/// Reads one JSON object, which faults call `name`; a text over its limit is told before anything that is wrong with the
/// shape.
pub(super) fn parse<'a, T: Deserialize<'a> + HasLimits>(
    name: &str,
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<T, Error> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Error::invalid(name, "begins with a byte-order mark; JSON has none"));
    }
    // serde would take a list of the fields' values as well.
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return Err(Error::invalid(name, "is not a JSON object"));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let parsed = serde_path_to_error::deserialize(&mut deserializer);
    let shape = match parsed {
        Ok(parsed) => match deserializer.end() {
            // What a field that nobody knows holds is passed over, however deep.
            Ok(()) if is_deeper_than(DEEPEST, bytes) => {
                Error::invalid(name, format!("has more than {DEEPEST} levels of objects and lists in each other"))
            }
            Ok(()) => return Ok(parsed),
            Err(error) => Error::invalid(name, format!("is not one JSON value: {error}")),
        },
        // Where the text itself breaks off or goes wrong, the place within it is a matter of chance.
        Err(error) if !error.inner().is_data() || error.path().iter().next().is_none() => {
            Error::invalid(name, format!("is not as it should be: {}", error.inner()))
        }
        Err(error) => Error::invalid(error.path().to_string(), format!("is not as it should be: {}", error.inner())),
    };
    Err(oversize::<T>(bytes, limits).unwrap_or(shape))
}

/// Whether objects and lists lie within each other beyond `most` levels, in what is JSON.
fn is_deeper_than(most: usize, bytes: &[u8]) -> bool {
    let (mut level, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => level += 1,
            b'}' | b']' if !in_text => level = level.saturating_sub(1),
            _ => {}
        }
        if level > most {
            return true;
        }
    }
    false
}

fn oversize<T: HasLimits>(bytes: &[u8], limits: &Limits) -> Option<Error> {
    let body: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_slice(bytes).ok()?;
    T::limited(limits).into_iter().find_map(|(field, rule)| {
        let given = body.get(field)?.get();
        let fault = match serde_json::from_str::<Cow<'_, str>>(given) {
            Ok(text) => rule.check_size(&text).err()?,
            Err(_) if given.starts_with('{') => rule.check_size(given).err()?,
            Err(_) => return None,
        };
        Some(Error::text(field, fault))
    })
}
