//! Short ids, and times relative to now.

use chrono::{DateTime, TimeDelta, Utc};

use super::Shortened;

/// An id, and a time as the server and as markdown write it: `x` is a hexadecimal digit, `0` a decimal one. A fraction of a
/// second may follow the second form of a time.
const ID: &str = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
const TIME: &str = "0000-00-00 00:00:00 UTC";
const RFC_3339: &str = "0000-00-00T00:00:00";

/// The id, short, if the text is one.
pub fn id(text: &str) -> &str {
    if prefix_like(text, ID).is_some_and(|id| id.len() == text.len()) { beginning(text) } else { text }
}

/// As much of an id as tells it from others; commands take that. Ids of version 7 begin with the time, of which all digits
/// are needed.
fn beginning(id: &str) -> &str {
    if id.as_bytes()[14] == b'7' { &id[..13] } else { &id[..8] }
}

/// The text with short ids and relative times. What is a part of a path, a URL or another word stays.
pub fn ids_and_times(text: &str, shortened: Shortened, now: DateTime<Utc>) -> String {
    let mut short = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let starts_a_word = match short.chars().next_back() {
            // A citation stays whole, so that it can be copied.
            Some('=') => !short.ends_with("doc_id="),
            before => before.is_none_or(|before| !joins(before)),
        };
        let found = if starts_a_word { id_or_time(rest, shortened, now) } else { None };
        let length = match found {
            Some((replacement, length)) => {
                short += &replacement;
                length
            }
            None => {
                short.push(next);
                next.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    short
}

/// Whether a character makes what is beside it a part of something longer.
fn joins(c: char) -> bool {
    c.is_alphanumeric() || "/\\-_=.~@#".contains(c)
}

/// What the text begins with, if that is an id or a time, and its length.
fn id_or_time(text: &str, shortened: Shortened, now: DateTime<Utc>) -> Option<(String, usize)> {
    let ends = |length: usize| {
        let mut after = text[length..].chars();
        match after.next() {
            // The end of a sentence.
            Some('.') => after.next().is_none_or(|next| !joins(next)),
            Some(next) => !joins(next),
            None => true,
        }
    };
    if let Some(id) = prefix_like(text, ID).filter(|id| ends(id.len())) {
        let id = if shortened == Shortened::IdsAndTimes { beginning(id) } else { id };
        return Some((id.to_owned(), ID.len()));
    }
    let (time, length) = match (prefix_like(text, TIME), prefix_like(text, RFC_3339)) {
        (Some(time), _) => (time.replacen(' ', "T", 1).replace(" UTC", "Z"), time.len()),
        (None, Some(time)) => {
            let zone = text[time.len()..].find(|c: char| c != '.' && !c.is_ascii_digit())?;
            let whole = text.get(..time.len() + zone + 1).filter(|whole| whole.ends_with('Z'))?;
            (whole.to_owned(), whole.len())
        }
        (None, None) => return None,
    };
    let time: DateTime<Utc> = time.parse().ok().filter(|_| ends(length))?;
    Some((relative(time, now), length))
}

/// A time in words: `3 minutes ago`. Of the future only what clocks that differ explain is called now.
fn relative(time: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let passed = now - time;
    let (passed, is_past) = if passed < TimeDelta::zero() { (-passed, false) } else { (passed, true) };
    let units = [
        (passed.num_days() / 365, "year"),
        (passed.num_days() / 30, "month"),
        (passed.num_days(), "day"),
        (passed.num_hours(), "hour"),
        (passed.num_minutes(), "minute"),
    ];
    let Some((count, unit)) = units.into_iter().find(|(count, _)| *count > 0) else { return "just now".to_owned() };
    let plural = if count == 1 { "" } else { "s" };
    if is_past { format!("{count} {unit}{plural} ago") } else { format!("in {count} {unit}{plural}") }
}

/// The beginning of the text, if it has this form.
fn prefix_like<'a>(text: &'a str, form: &str) -> Option<&'a str> {
    let prefix = text.get(..form.len())?;
    let fits = prefix.bytes().zip(form.bytes()).all(|(byte, form)| match form {
        b'x' => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        b'0' => byte.is_ascii_digit(),
        form => byte == form,
    });
    fits.then_some(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_relative_and_ids_short_where_they_stand_alone() {
        let now = "2026-01-31T12:00:00Z".parse().unwrap();
        for (text, short) in [
            ("2026-01-31 12:00:00 UTC", "just now"),
            ("2026-01-31 11:59:01 UTC", "just now"),
            ("2026-01-31 11:59:00 UTC.", "1 minute ago."),
            ("since 2026-01-31T11:01:00.123456Z, and", "since 58 minutes ago, and"),
            ("2026-01-31T11:00:00Z", "1 hour ago"),
            ("2026-01-29 12:00:00 UTC", "2 days ago"),
            ("2025-12-01 12:00:00 UTC", "2 months ago"),
            ("2023-12-01 12:00:00 UTC", "2 years ago"),
            ("2026-01-31 12:30:00 UTC", "in 30 minutes"),
            ("2026-99-31 12:30:00 UTC", "2026-99-31 12:30:00 UTC"),
            ("2026-01-31T11:00:00+01:00", "2026-01-31T11:00:00+01:00"),
            ("ä 93d81b1a-0e66-4510-abfd-aa33b26cb82e é", "ä 93d81b1a é"),
            ("(93d81b1a-0e66-4510-abfd-aa33b26cb82e).", "(93d81b1a)."),
            ("/d/93d81b1a-0e66-4510-abfd-aa33b26cb82e", "/d/93d81b1a-0e66-4510-abfd-aa33b26cb82e"),
            ("93d81b1a-0e66-4510-abfd-aa33b26cb82e.md", "93d81b1a-0e66-4510-abfd-aa33b26cb82e.md"),
            ("doc_id=93d81b1a-0e66-4510-abfd-aa33b26cb82e v1", "doc_id=93d81b1a-0e66-4510-abfd-aa33b26cb82e v1"),
            ("debate=93d81b1a-0e66-4510-abfd-aa33b26cb82e #1", "debate=93d81b1a #1"),
            ("2026-01-31T11:00:0", "2026-01-31T11:00:0"),
            ("2026-01-31T11:00:00", "2026-01-31T11:00:00"),
        ] {
            assert_eq!(ids_and_times(text, Shortened::IdsAndTimes, now), short);
        }
        assert_eq!(id("93d81b1a-0e66-4510-abfd-aa33b26cb82e"), "93d81b1a");
        assert_eq!(id("01a218fa-3c4d-7510-abfd-aa33b26cb82e"), "01a218fa-3c4d");
        assert_eq!(id("aw debate show 93d81b1a-0e66-4510-abfd-aa33b26cb82e").len(), 51);
    }
}
