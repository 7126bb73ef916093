//! Times as texts, in all that leaves the server.

use chrono::{DateTime, SecondsFormat, Utc};

/// A time in RFC 3339, in UTC with `Z` and always with microseconds, so that times can be sorted as text.
pub fn time_text(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Micros, true)
}
