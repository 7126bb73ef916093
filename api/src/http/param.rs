//! Parameters of the path and the query, read straight into what the domain understands.
//!
//! poem-openapi's own extractors take the first of a doubled parameter and tell faults in terms of its type system.

use std::borrow::Cow;

use poem::{Request, RequestBody, Result};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaParamIn, MetaSchema, MetaSchemaRef, Registry},
    types::Type,
};

use crate::{
    app::Error,
    domain::{ArgumentId, DebateId, DocumentId, Role, StateName},
};

/// What a parameter may be.
pub(super) trait Parameter: Sized + Send {
    /// How the contract describes it.
    fn schema() -> MetaSchemaRef;

    /// Adds the schema that [`Parameter::schema`] refers to, if any.
    fn register(_registry: &mut Registry) {}

    /// Reads it; the fault is told after the parameter's name.
    fn read(text: &str) -> Result<Self, String>;
}

/// A parameter in the query that may be left out.
pub(super) struct Optional<T>(pub Option<T>);

/// A parameter in the query that must be there.
pub(super) struct Required<T>(pub T);

/// The id in a path, or what is wrong with it, which is told after what is wrong with the size of a body. (poem-openapi
/// tells a path's parameter by this very name.)
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

extractor!(Optional, Query, false, optional);
extractor!(Required, Query, true, required);
extractor!(Path, Path, true, in_path);

/// The parameter `name`, where the query has it.
pub(super) fn optional<T: Parameter>(request: &Request, name: &str) -> Result<Option<T>, Error> {
    let unreadable = |_| Error::invalid(name, "cannot be read from the query");
    let query: Vec<(Cow<'_, str>, Cow<'_, str>)> = request.params().map_err(unreadable)?;
    let mut values = query.iter().filter(|(given, _)| given == name).map(|(_, value)| value);
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => T::read(value).map(Some).map_err(|fault| Error::invalid(name, fault)),
        (Some(_), Some(_)) => Err(Error::invalid(name, "is given more than once; give it once")),
    }
}

fn required<T: Parameter>(request: &Request, name: &str) -> Result<T, Error> {
    optional(request, name)?.ok_or_else(|| Error::invalid(name, "is missing from the query"))
}

/// Every path has one parameter at most, which the contract calls `id`; poem-openapi numbers them.
fn in_path<T: Parameter>(request: &Request, numbered: &str) -> Result<Result<T, Error>, Error> {
    Ok(T::read(request.raw_path_param(numbered).unwrap_or_default()).map_err(|fault| Error::invalid("id", fault)))
}

/// A whole number from `MIN` to `MAX`.
pub(super) struct Number<const MIN: u64, const MAX: u64>(pub u64);

/// As many as can be counted.
pub(super) type Count = Number<0, { i64::MAX as u64 }>;

impl<const MIN: u64, const MAX: u64> Parameter for Number<MIN, MAX> {
    fn schema() -> MetaSchemaRef {
        // Bounds that nobody would reach are not worth telling.
        let told = |bound: u64| (bound <= u64::from(u32::MAX)).then_some(bound as f64);
        MetaSchemaRef::Inline(Box::new(MetaSchema {
            minimum: told(MIN),
            maximum: told(MAX),
            ..MetaSchema::new_with_format("integer", "uint64")
        }))
    }

    fn read(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number) if (MIN..=MAX).contains(&number) => Ok(Self(number)),
            Ok(_) | Err(_) => Err(format!("is {text:?}; it must be a whole number from {MIN} to {MAX}")),
        }
    }
}

impl Parameter for String {
    fn schema() -> MetaSchemaRef {
        <Self as Type>::schema_ref()
    }

    fn read(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }
}

macro_rules! named_parameter {
    ($($name:ty),+) => {$(
        impl Parameter for $name {
            fn schema() -> MetaSchemaRef {
                <Self as Type>::schema_ref()
            }

            fn register(registry: &mut Registry) {
                <Self as Type>::register(registry);
            }

            fn read(text: &str) -> Result<Self, String> {
                text.parse().map_err(|fault| format!("{fault}"))
            }
        }
    )+};
}

named_parameter!(Role, StateName);

fn uuid_schema() -> MetaSchemaRef {
    <uuid::Uuid as Type>::schema_ref()
}

fn not_a_uuid(text: &str) -> String {
    format!("is {text:?}, which is not a UUID")
}

macro_rules! id_parameter {
    ($($name:ty),+) => {$(
        impl Parameter for $name {
            fn schema() -> MetaSchemaRef {
                uuid_schema()
            }

            fn read(text: &str) -> Result<Self, String> {
                text.parse().map_err(|_| not_a_uuid(text))
            }
        }
    )+};
}

id_parameter!(DebateId, DocumentId);

/// The last argument that a waiter has seen; empty where it has seen none.
pub(super) struct LastSeen(pub Option<ArgumentId>);

impl Parameter for LastSeen {
    fn schema() -> MetaSchemaRef {
        uuid_schema()
    }

    fn read(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self(None));
        }
        text.parse().map(|id| Self(Some(id))).map_err(|_| not_a_uuid(text))
    }
}
