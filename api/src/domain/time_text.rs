//! Times as texts, in all that leaves the server.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};

/// A time in RFC 3339, in UTC with `Z` and always with microseconds, so that times can be sorted as text.
pub fn time_text(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Writes a [time](time_text).
pub fn serialize_time<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&time_text(*time))
}

/// Writes a [time](time_text), or null.
pub(super) fn serialize_optional_time<S: Serializer>(
    time: &Option<DateTime<Utc>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    time.map(time_text).serialize(serializer)
}
