//! Extractors for parameters of the path and the query.
//!
//! poem-openapi's own extractors accept duplicate parameters and mention Rust types in their errors.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use poem::{Request, RequestBody, Result};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaParamIn, MetaSchema, MetaSchemaRef, Registry},
    types::Type,
};
use uuid::Uuid;

use crate::{
    app::Error,
    domain::{ArgumentId, DebateId, DebateType, DocumentId, IssueStatus, Role, SearchKind, Side, StateName},
    http::contract::{Listed, RecordFormat},
};

/// A type that can be a parameter.
pub(super) trait Parameter: Sized + Send {
    /// Its name in paths.
    const NAME_IN_PATH: &'static str = "id";

    /// The schema in `openapi.json`.
    fn schema() -> MetaSchemaRef;

    /// Registers the schema that [`Parameter::schema`] refers to, if any.
    fn register(_registry: &mut Registry) {}

    /// Parses the parameter. The error is to be read after the parameter's name.
    fn parse(text: &str) -> Result<Self, String>;
}

/// An optional query parameter.
pub(super) struct Optional<T>(pub Option<T>);

/// A required query parameter.
pub(super) struct Required<T>(pub T);

/// A parameter of the path, mostly an id. An invalid one is an error of the handler, since errors of the body have precedence. (poem-openapi
/// recognises path parameters by the name of this type.)
pub(super) struct Path<T>(pub Result<T, Error>);

macro_rules! extractor {
    ($name:ident, $place:ident, $required:literal, $from:ident) => {
        impl<'a, T: Parameter> ApiExtractor<'a> for $name<T> {
            const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];
            const PARAM_IS_REQUIRED: bool = $required;

            type ParamType = ();
            type ParamRawType = ();

            fn register(registry: &mut Registry) {
                T::register(registry);
            }

            fn param_in() -> Option<MetaParamIn> {
                Some(MetaParamIn::$place)
            }

            fn param_schema_ref() -> Option<MetaSchemaRef> {
                Some(T::schema())
            }

            async fn from_request(
                request: &'a Request,
                _body: &mut RequestBody,
                options: ExtractParamOptions<Self::ParamType>,
            ) -> Result<Self> {
                Ok($from(request, options.name).map(Self)?)
            }
        }
    };
}

/// A query parameter that may occur up to `MAX` times.
pub(super) struct Repeated<T, const MAX: usize>(pub Vec<T>);

impl<'a, T: Parameter, const MAX: usize> ApiExtractor<'a> for Repeated<T, MAX> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];
    const PARAM_IS_REQUIRED: bool = false;

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn param_in() -> Option<MetaParamIn> {
        Some(MetaParamIn::Query)
    }

    fn param_schema_ref() -> Option<MetaSchemaRef> {
        let items = Some(Box::new(T::schema()));
        Some(MetaSchemaRef::Inline(Box::new(MetaSchema { items, max_items: Some(MAX), ..MetaSchema::new("array") })))
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        options: ExtractParamOptions<Self::ParamType>,
    ) -> Result<Self> {
        Ok(repeated(request, options.name, MAX).map(Self)?)
    }
}

extractor!(Optional, Query, false, optional);
extractor!(Required, Query, true, required);
extractor!(Path, Path, true, in_path);

/// The query parameter `name`, if there is one.
pub(super) fn optional<T: Parameter>(request: &Request, name: &str) -> Result<Option<T>, Error> {
    let mut values = values::<T>(request, name)?;
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.map(Some),
        (Some(_), Some(_)) => Err(Error::invalid(name, "occurs more than once in the query")),
    }
}

/// All query parameters `name`.
fn repeated<T: Parameter>(request: &Request, name: &str, max: usize) -> Result<Vec<T>, Error> {
    let values = values(request, name)?.collect::<Result<Vec<_>, _>>()?;
    if values.len() > max {
        let message = format!("occurs {} times in the query; it may occur up to {max} times", values.len());
        return Err(Error::invalid(name, message));
    }
    Ok(values)
}

/// The values of the query parameters `name`, which may be invalid.
fn values<T: Parameter>(request: &Request, name: &str) -> Result<impl Iterator<Item = Result<T, Error>>, Error> {
    let unreadable = |_| Error::invalid(name, "cannot be read from the query");
    let query: Vec<(Cow<'_, str>, Cow<'_, str>)> = request.params().map_err(unreadable)?;
    let values = query.into_iter().filter(move |(given, _)| given == name);
    Ok(values.map(move |(_, value)| T::parse(&value).map_err(|error| Error::invalid(name, error))))
}

fn required<T: Parameter>(request: &Request, name: &str) -> Result<T, Error> {
    optional(request, name)?.ok_or_else(|| Error::invalid(name, "is missing from the query"))
}

/// The path parameter, of which poem-openapi passes a number instead of its name.
fn in_path<T: Parameter>(request: &Request, numbered: &str) -> Result<Result<T, Error>, Error> {
    Ok(T::parse(request.raw_path_param(numbered).unwrap_or_default())
        .map_err(|error| Error::invalid(T::NAME_IN_PATH, error)))
}

/// A whole number from `MIN` to `MAX`.
pub(super) struct Number<const MIN: u64, const MAX: u64>(pub u64);

/// How many entries of a list an answer may have.
pub(super) const MAX_LIMIT: u64 = 200;

/// How many it has by default.
pub(super) const DEFAULT_LIMIT: u64 = 50;

/// How many entries of a list are asked for.
pub(super) type Limit = Number<1, MAX_LIMIT>;

/// Any number that fits into a column of the database.
pub(super) type Count = Number<0, { i64::MAX as u64 }>;

impl<const MIN: u64, const MAX: u64> Parameter for Number<MIN, MAX> {
    fn schema() -> MetaSchemaRef {
        // Larger bounds are technical limits that clients need not know.
        let bound = |bound: u64| (bound <= u64::from(u32::MAX)).then_some(bound as f64);
        MetaSchemaRef::Inline(Box::new(MetaSchema {
            minimum: bound(MIN),
            maximum: bound(MAX),
            ..MetaSchema::new_with_format("integer", "uint64")
        }))
    }

    fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number) if (MIN..=MAX).contains(&number) => Ok(Self(number)),
            Ok(_) | Err(_) => Err(format!("is {text:?}; it must be a whole number from {MIN} to {MAX}")),
        }
    }
}

impl<const MIN: u64, const MAX: u64> Optional<Number<MIN, MAX>> {
    /// The number, or this one if there is none.
    pub fn or(self, default: u64) -> u64 {
        self.0.map_or(default, |number| number.0)
    }
}

/// The only role that may wait for rulings in several debates.
pub(super) struct ArbitratorRole;

impl Parameter for ArbitratorRole {
    fn schema() -> MetaSchemaRef {
        let enum_items = vec![Role::Arbitrator.as_str().into()];
        MetaSchemaRef::Inline(Box::new(MetaSchema { enum_items, ..MetaSchema::new("string") }))
    }

    fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(Role::Arbitrator) => Ok(Self),
            Ok(Role::Proposer | Role::Opponent) | Err(_) => {
                Err(format!("is {text:?}; it must be {}", Role::Arbitrator))
            }
        }
    }
}

macro_rules! parameters {
    ($($name:ty as $schema:ty $(, in paths $in_path:literal)?: $parse:expr;)+) => {$(
        impl Parameter for $name {
            $(const NAME_IN_PATH: &'static str = $in_path;)?

            fn schema() -> MetaSchemaRef {
                <$schema as Type>::schema_ref()
            }

            fn register(registry: &mut Registry) {
                <$schema as Type>::register(registry);
            }

            fn parse(text: &str) -> Result<Self, String> {
                $parse(text)
            }
        }
    )+};
}

/// The id of an argument; `None` if the parameter is empty.
pub(super) struct OptionalArgumentId(pub Option<ArgumentId>);

parameters! {
    String as String: known;
    bool as bool: |text: &str| text.parse().map_err(|_| format!("is {text:?}; it must be true or false"));
    DebateType as Listed<DebateType>: known;
    IssueStatus as Listed<IssueStatus>: known;
    RecordFormat as Listed<RecordFormat>: known;
    Role as Listed<Role>: known;
    Side as Listed<Side>, in paths "role": known;
    SearchKind as Listed<SearchKind>: known;
    StateName as Listed<StateName>: known;
    DebateId as Uuid: id;
    DocumentId as Uuid: id;
    OptionalArgumentId as Uuid: |text: &str| {
        let id = (!text.is_empty()).then(|| id(text)).transpose();
        id.map(Self)
    };
}

fn known<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn id<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("is {text:?}, which is not a UUID"))
}
