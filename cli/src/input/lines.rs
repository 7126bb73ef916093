//! The option `--lines` of commands that print a long text.

use std::ops::RangeInclusive;

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
        let cut: String = text.split_inclusive('\n').skip(skipped).take(range.end() - skipped).collect();
        data["content"] = cut.as_str().into();
        data["lines"] = format!("{}-{}", range.start(), range.end()).into();
        data["total_lines"] = text.split_inclusive('\n').count().into();
        cut
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
        for invalid in ["0-1", "2-1", "a-b", "1", "-1", "1-", ""] {
            assert!(parse_range(invalid).is_err(), "{invalid}");
        }
    }
}
