//! The option `--lines` of commands that print a long text, and what a line is.

use std::{borrow::Cow, ops::RangeInclusive};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

#[derive(Args, Deserialize, JsonSchema)]
pub struct Lines {
    /// Only these lines, counted from 1, such as 40-80
    #[arg(long, value_name = "A-B", value_parser = parse_range)]
    #[serde(default, deserialize_with = "range_of_text")]
    #[schemars(with = "Option<String>")]
    lines: Option<RangeInclusive<usize>>,
}

fn parse_range(text: &str) -> Result<RangeInclusive<usize>, &'static str> {
    let range = text.split_once('-').and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    match range {
        Some((first @ 1.., last)) if first <= last => Ok(first..=last),
        Some(_) | None => Err("not two line numbers such as 40-80, from 1 and the smaller first"),
    }
}

fn range_of_text<'de, D: Deserializer<'de>>(text: D) -> Result<Option<RangeInclusive<usize>>, D::Error> {
    parse_range(&String::deserialize(text)?).map(Some).map_err(|wrong| D::Error::custom(format!("lines is {wrong}")))
}

impl Lines {
    /// The lines that were asked for. If not all were, `data` gets them as `content`, with `lines` and `total_lines`.
    pub fn cut(&self, text: String, data: &mut Value) -> String {
        let Some(range) = &self.lines else { return text };
        let skipped = range.start() - 1;
        let end = line_end(&text);
        let cut: String = text.split_inclusive(end).skip(skipped).take(range.end() - skipped).collect();
        data["content"] = cut.as_str().into();
        data["lines"] = format!("{}-{}", range.start(), range.end()).into();
        data["total_lines"] = text.split_inclusive(end).count().into();
        cut
    }
}

/// What ends the lines of a text: a carriage return where it has no line feed.
pub fn line_end(text: &str) -> char {
    if text.contains('\n') { '\n' } else { '\r' }
}

/// How many lines a text has.
pub fn count(text: &str) -> usize {
    text.split_terminator(line_end(text)).count()
}

/// Two texts to compare line by line: with line feeds at the ends of their lines, where both have only carriage returns.
pub fn to_compare<'t>(texts: [&'t str; 2]) -> [Cow<'t, str>; 2] {
    if texts.iter().all(|text| line_end(text) == '\r') {
        texts.map(|text| text.replace('\r', "\n").into())
    } else {
        texts.map(Cow::from)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn cut(text: &str, lines: &str) -> (String, Value) {
        let mut data = json!({});
        let cut = Lines { lines: Some(parse_range(lines).unwrap()) }.cut(text.to_owned(), &mut data);
        (cut, data["total_lines"].clone())
    }

    #[test]
    fn lines_are_cut_byte_for_byte_and_past_the_end_there_are_none() {
        for (lines, expected) in [("1-1", "a\r\n"), ("2-3", "\nc"), ("3-9", "c"), ("4-5", ""), ("1-99", "a\r\n\nc")] {
            assert_eq!(cut("a\r\n\nc", lines), (expected.to_owned(), json!(3)), "{lines}");
        }
        assert_eq!(cut("a\rb\r", "2-2"), ("b\r".to_owned(), json!(2)), "carriage returns alone");
        assert_eq!([count("a\rb\r"), count("a\r\nb"), count("a\n"), count("")], [2, 2, 1, 0]);
        assert_eq!(to_compare(["a\rb", "c\rb"]), ["a\nb", "c\nb"]);
        assert_eq!(to_compare(["a\rb", "a\nb"]), ["a\rb", "a\nb"], "they differ");
        for invalid in ["0-1", "2-1", "a-b", "1", "-1", "1-", ""] {
            assert!(parse_range(invalid).is_err(), "{invalid}");
        }
    }
}
