//! The times that can be stored: from 1970 to 9999. Others have no form that all clients can read.

use chrono::{DateTime, Utc};

/// The first time that a clock may not show any more, in microseconds since 1970: that of the year 10000.
const END_MICROS: i64 = 253_402_300_800_000_000;

/// The time of these microseconds since 1970, if it can be stored.
pub(super) fn from_micros(micros: i64) -> Option<DateTime<Utc>> {
    if (0..END_MICROS).contains(&micros) { DateTime::from_timestamp_micros(micros) } else { None }
}

/// The time that a clock is taken to show that shows one out of the range.
pub(super) fn nearest(micros: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(micros.clamp(0, END_MICROS - 1)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_out_of_the_range_are_none() {
        let shown = |micros| from_micros(micros).map(|time| time.to_rfc3339());
        assert_eq!(shown(0).as_deref(), Some("1970-01-01T00:00:00+00:00"));
        assert_eq!(shown(END_MICROS - 1).as_deref(), Some("9999-12-31T23:59:59.999999+00:00"));
        for micros in [-1, END_MICROS, i64::MIN, i64::MAX] {
            assert_eq!(shown(micros), None);
            assert!(from_micros(nearest(micros).timestamp_micros()).is_some());
        }
    }
}
