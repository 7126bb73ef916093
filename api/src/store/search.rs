//! The search parameter `q`: it matches ids that begin with it and texts that contain it.

use sea_orm::{
    ColumnTrait, Condition,
    sea_query::{LikeExpr, SimpleExpr},
};
use uuid::Uuid;

/// Matches rows whose id begins with `q`, and those that any of `by_text` matches.
pub(super) fn matching<C: ColumnTrait>(q: &str, id: C, by_text: impl IntoIterator<Item = SimpleExpr>) -> Condition {
    let by_id = id_range(q).map(|(first, last)| id.between(first, last));
    by_text.into_iter().fold(Condition::any().add_option(by_id), Condition::add)
}

/// Matches a folded column that contains a folded text.
pub(super) fn contains<C: ColumnTrait>(column: C, folded: &str) -> SimpleExpr {
    column.like(LikeExpr::new(pattern(folded)).escape('\\'))
}

/// The pattern of LIKE for what contains a text.
pub(super) fn pattern(text: &str) -> String {
    format!("%{}%", escaped(text))
}

/// Escapes the wildcards of LIKE.
fn escaped(q: &str) -> String {
    let mut escaped = String::with_capacity(q.len());
    for character in q.chars() {
        if matches!(character, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// The first and the last id whose hyphenated text begins with `prefix`; none if no id does.
///
/// Both databases order ids by their bytes, so a prefix is a range of the primary key.
pub(super) fn id_range(prefix: &str) -> Option<(Uuid, Uuid)> {
    const SHAPE: &str = "00000000-0000-0000-0000-000000000000";
    if prefix.is_empty() || prefix.len() > SHAPE.len() {
        return None;
    }
    let fits = prefix.bytes().zip(SHAPE.bytes()).all(|(given, shape)| match shape {
        b'-' => given == b'-',
        _ => given.is_ascii_hexdigit(),
    });
    if !fits {
        return None;
    }
    let rest = &SHAPE[prefix.len()..];
    let first = format!("{prefix}{rest}").parse().ok()?;
    let last = format!("{prefix}{}", rest.replace('0', "f")).parse().ok()?;
    Some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_of_an_id_is_a_range_of_ids() {
        let range = |prefix| id_range(prefix).map(|(first, last)| (first.to_string(), last.to_string()));
        let expected = |first: &str, last: &str| Some((first.to_owned(), last.to_owned()));
        assert_eq!(
            range("93D81b1a-0"),
            expected("93d81b1a-0000-0000-0000-000000000000", "93d81b1a-0fff-ffff-ffff-ffffffffffff")
        );
        assert_eq!(
            range("93d81b1a-"),
            expected("93d81b1a-0000-0000-0000-000000000000", "93d81b1a-ffff-ffff-ffff-ffffffffffff")
        );
        let whole = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";
        assert_eq!(range(whole), expected(whole, whole));
    }

    #[test]
    fn a_text_that_begins_no_id_has_no_range() {
        for text in ["", "x", "93d81b1a0", "9-3", "93d81b1a-0e66-4510-abfd-aa33b26cb82e0", "é"] {
            assert_eq!(id_range(text), None, "{text}");
        }
    }

    #[test]
    fn wildcards_are_escaped() {
        assert_eq!(escaped(r"50%_\"), r"50\%\_\\");
    }
}
