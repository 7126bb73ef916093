//! Bodies of requests: bounded, declared as JSON, read into a type of the contract.

use std::time::Duration;

use poem::{Request, RequestBody, Result};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, Registry},
    types::Type,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use super::{contract::HasLimits, failure::Refused};
use crate::{
    app::Error,
    domain::{Limits, Unit},
};

/// How long a client may take to send a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// What a body may hold besides one content: titles, options, ids.
const BESIDES_CONTENT: usize = 64 * 1024;

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
        let bytes = read(request, body, WIDEST_ESCAPE * limits.max_content_bytes + BESIDES_CONTENT).await?;
        parse("body", &bytes, &limits).map(Self).map_err(Into::into)
    }
}

fn is_json(request: &Request) -> bool {
    let declared = request.content_type().unwrap_or_default();
    declared.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

async fn read(request: &Request, body: &mut RequestBody, limit: usize) -> Result<Vec<u8>> {
    let declared = request.header("content-length").and_then(|length| length.parse::<usize>().ok());
    let too_large = |actual| Error::TooLarge { field: "body".to_owned(), limit, actual, unit: Unit::Bytes };
    if let Some(declared) = declared.filter(|declared| *declared > limit) {
        return Err(too_large(declared).into());
    }
    match tokio::time::timeout(BODY_TIMEOUT, body.take()?.into_bytes_limit(limit)).await {
        Ok(Ok(bytes)) => Ok(bytes.into()),
        Ok(Err(poem::error::ReadBodyError::PayloadTooLarge)) => Err(too_large(limit + 1).into()),
        Ok(Err(error)) => Err(Error::invalid("body", format!("could not be read: {error}")).into()),
        Err(_) => {
            let seconds = BODY_TIMEOUT.as_secs();
            Err(Error::invalid("body", format!("did not come within {seconds} seconds")).into())
        }
    }
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

fn oversize<T: HasLimits>(bytes: &[u8], limits: &Limits) -> Option<Error> {
    let body: Value = serde_json::from_slice(bytes).ok()?;
    T::limited(limits).into_iter().find_map(|(field, rule)| {
        let fault = rule.check_size(body.get(field)?.as_str()?).err()?;
        Some(Error::text(field, fault))
    })
}
