//! Whether two JSON texts are the same value, however each is written.

use jsonc_parser::{JsonValue, ParseOptions, parse_to_value};

/// Whether two texts that are JSON are the same value: white space, the order of names, and how characters and numbers are written do
/// not matter. Numbers are compared exactly, also those that no `f64` can hold.
pub(super) fn is_same_json(one: &str, other: &str) -> bool {
    let parse = |json| parse_to_value(json, &ParseOptions::default()).ok().flatten();
    one == other || parse(one).zip(parse(other)).is_some_and(|(one, other)| is_same(one, &other))
}

fn is_same(one: JsonValue<'_>, other: &JsonValue<'_>) -> bool {
    match (one, other) {
        (JsonValue::Object(one), JsonValue::Object(other)) => {
            let mut fields = one.into_iter();
            fields.len() == other.len()
                && fields.all(|(name, one)| other.get(&name).is_some_and(|other| is_same(one, other)))
        }
        (JsonValue::Array(one), JsonValue::Array(other)) => {
            one.len() == other.len() && one.into_iter().zip(other.iter()).all(|(one, other)| is_same(one, other))
        }
        (JsonValue::Number(one), JsonValue::Number(other)) => {
            one == *other || decimal(one).zip(decimal(other)).is_some_and(|(one, other)| one == other)
        }
        (one, other) => one == *other,
    }
}

/// Sign, digits and exponent of a number, such that equal numbers have the same; none if the exponent is out of range.
fn decimal(literal: &str) -> Option<(bool, String, i64)> {
    let (is_negative, literal) = literal.strip_prefix('-').map_or((false, literal), |rest| (true, rest));
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some((false, String::new(), 0));
    }
    let shift = i64::try_from(digits.len() - significant.len()).ok()? - i64::try_from(fraction.len()).ok()?;
    let exponent = exponent.parse::<i64>().ok()?.checked_add(shift)?;
    Some((is_negative, significant.trim_start_matches('0').to_owned(), exponent))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn how_a_value_is_written_does_not_matter() {
        for (one, other) in [
            (r#"{"a":1,"b":[true,null]}"#, "\r\n{ \"b\" : [ true ,\tnull ] , \"a\" : 1 }\n"),
            (r#"{"a":"ệ😀/\n"}"#, r#"{"\u0061":"\u1EC7\ud83d\uDE00\/\u000a"}"#),
            (r#"{"n":[100,1.5,0,-0.25,1]}"#, r#"{"n":[1E+2,1.50,-0.0e7,-25e-2,10.0e-1]}"#),
            (r#"{"n":123456789012345678901234567890}"#, r#"{"n":12345678901234567890123456789.0e1}"#),
            (r#"{"n":1e-99999999999999999999}"#, r#"{ "n":1e-99999999999999999999}"#),
            ("{}", " { } "),
        ] {
            assert!(is_same_json(one, other) && is_same_json(other, one), "{one} {other}");
        }
    }

    #[test]
    fn other_values_are_not_the_same() {
        for (one, other) in [
            (r#"{"a":1}"#, r#"{"a":2}"#),
            (r#"{"a":1}"#, r#"{"a":-1}"#),
            (r#"{"a":1}"#, r#"{"a":10}"#),
            (r#"{"a":1}"#, r#"{"a":"1"}"#),
            (r#"{"a":1}"#, r#"{"A":1}"#),
            (r#"{"a":1}"#, r#"{"a":1,"b":1}"#),
            (r#"{"a":[1,2]}"#, r#"{"a":[2,1]}"#),
            (r#"{"a":[]}"#, r#"{"a":{}}"#),
            (r#"{"a":null}"#, "{}"),
            (r#"{"a":"e\u0301"}"#, r#"{"a":"é"}"#),
            (r#"{"n":9007199254740992}"#, r#"{"n":9007199254740993}"#),
            (r#"{"n":0.1}"#, r#"{"n":0.10000000000000000001}"#),
            (r#"{"n":1e-400}"#, r#"{"n":0}"#),
        ] {
            assert!(!is_same_json(one, other) && !is_same_json(other, one), "{one} {other}");
        }
    }

    proptest! {
        /// What another program reads and writes again is the same.
        #[test]
        fn a_value_that_is_read_and_written_again_is_the_same(text: String, number: i64, fraction in -1e9..1e9, name: String) {
            let value = json!({name: [text, number, {"x": fraction}], "z": null});
            let json = value.to_string();
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            prop_assert!(is_same_json(&json, &pretty), "{}", json);
        }
    }
}
