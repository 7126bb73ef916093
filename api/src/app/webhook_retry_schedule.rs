//! When the delivery of a webhook message is tried again, and when it is given up.

use chrono::{DateTime, TimeDelta, Utc};

/// The delay after the first failed attempt. It doubles with each further one.
const FIRST_DELAY: TimeDelta = TimeDelta::seconds(1);

/// The longest delay between two attempts.
pub(super) const MAX_DELAY: TimeDelta = TimeDelta::minutes(10);

/// How long after its event a message is given up.
const GIVEN_UP_AFTER: TimeDelta = TimeDelta::hours(24);

/// The delay after so many failed attempts.
pub(super) fn delay_after(attempts: u32) -> TimeDelta {
    let doubled = 2_i32.checked_pow(attempts.saturating_sub(1)).and_then(|factor| FIRST_DELAY.checked_mul(factor));
    doubled.unwrap_or(MAX_DELAY).min(MAX_DELAY)
}

/// Whether a message is not tried any more.
pub(super) fn is_expired(created_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - created_at > GIVEN_UP_AFTER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_ten_minutes() {
        let delays: Vec<_> = (1..=12).map(|attempts| delay_after(attempts).num_seconds()).collect();
        assert_eq!(delays, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
        assert_eq!(delay_after(u32::MAX), MAX_DELAY);
    }
}
