//! The header `X-Debate-Seat`, with which a client shows that it is the one who writes as a side.

use poem::{Request, RequestBody, Result};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaParamIn, MetaSchema, MetaSchemaRef},
};

use crate::{app::Error, domain::SeatKey};

/// The name of the header.
const NAME: &str = "X-Debate-Seat";

/// The key in the header, if there is one. An invalid one is an error of the handler, since errors of the body have
/// precedence.
pub(super) struct SeatHeader(pub Result<Option<SeatKey>, Error>);

impl<'a> ApiExtractor<'a> for SeatHeader {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];
    const PARAM_IS_REQUIRED: bool = false;

    type ParamType = ();
    type ParamRawType = ();

    fn param_in() -> Option<MetaParamIn> {
        Some(MetaParamIn::Header)
    }

    fn param_schema_ref() -> Option<MetaSchemaRef> {
        Some(MetaSchemaRef::Inline(Box::new(MetaSchema {
            min_length: Some(SeatKey::LEN),
            max_length: Some(SeatKey::LEN),
            pattern: Some("^[A-Za-z0-9_-]+$".to_owned()),
            ..MetaSchema::new("string")
        })))
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        Ok(Self(seat_key(request)))
    }
}

fn seat_key(request: &Request) -> Result<Option<SeatKey>, Error> {
    // The message never repeats the key.
    let mut headers = request.headers().get_all(NAME).iter();
    match (headers.next(), headers.next()) {
        (None, _) => Ok(None),
        (Some(header), None) => match header.to_str().unwrap_or_default().parse() {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(Error::invalid(NAME, format!("{error}"))),
        },
        (Some(_), Some(_)) => Err(Error::invalid(NAME, "occurs more than once in the headers")),
    }
}
