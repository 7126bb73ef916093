//! Finds the JSON objects in a text that also has other things.

use jsonc_parser::{CollectOptions, parse_to_ast};
use serde_json::{Map, Value};

use super::clean_text::with_valid_escapes;
use crate::lenient_json;

/// What is taken for JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// JSON alone
    Json,
    /// Also what models write in its place: comments, commas too many, line breaks and backslashes within texts
    AsModelsWrite,
}

/// What a text has of JSON.
#[derive(Debug, Default)]
pub struct Found {
    /// The outermost objects, each with the offset where it begins
    pub objects: Vec<(usize, Map<String, Value>)>,
    /// Where the last `{` at the beginning of a line, or the last block fenced as json, is that is no JSON
    pub last_broken: Option<usize>,
}

/// How many objects are kept, the last ones: an answer is the last, and a short text has no more.
const MAX_OBJECTS: usize = 50_000;

/// Looks for the objects of a text. Each byte is looked at a few times at most: a model may repeat a `{` without end. What stands between two such tags is left out, and after one that is not closed everything.
pub fn find(text: &str, left_out: Option<[&str; 2]>, syntax: Syntax) -> Found {
    let mut found = Found::default();
    let mut at = 0;
    let mut budget =
        Budget { for_parsing: MAX_READS_PER_BYTE * text.len(), for_braces: MAX_READS_PER_BYTE * text.len() };
    while let Some(next) = text[at..].find(['{', '<']).map(|offset| at + offset) {
        let rest = &text[next..];
        if let Some([open, close]) = left_out.filter(|[open, _]| rest.starts_with(open)) {
            let Some(end) = rest.find(close) else { break };
            at = next + end.max(open.len()) + close.len();
            continue;
        }
        if rest.starts_with('<') {
            at = next + 1;
            continue;
        }
        match object_at(rest, syntax, &mut budget) {
            Ok((object, length)) => {
                if found.objects.len() == 2 * MAX_OBJECTS {
                    found.objects.drain(..MAX_OBJECTS);
                }
                found.objects.push((next, object));
                at = next + length;
            }
            Err(NoObject { is_cut, length }) => {
                // What comes after the last that is looked at is not known.
                let is_used_up = budget.for_parsing == 0;
                if is_used_up || begins_line(text, next) {
                    found.last_broken = Some(next);
                }
                if is_cut || is_used_up {
                    break;
                }
                at = next + length;
            }
        }
    }
    found.last_broken = found.last_broken.max(last_broken_block(text, syntax, &found.objects));
    found
}

/// How often each byte of a text is looked at, on average, before the rest of it is left.
const MAX_READS_PER_BYTE: usize = 8;

/// How many bytes may still be looked at.
struct Budget {
    for_parsing: usize,
    for_braces: usize,
}

/// Why no object begins with a `{`.
struct NoObject {
    /// Whether the text ends within what could be one
    is_cut: bool,
    /// How much belongs to it
    length: usize,
}

fn object_at(text: &str, syntax: Syntax, budget: &mut Budget) -> Result<(Map<String, Value>, usize), NoObject> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Map<String, Value>>();
    match values.next() {
        Some(Ok(object)) => Ok((object, values.byte_offset())),
        Some(Err(error)) => {
            // One that is nested too deep was read for many levels, and the one within it would be read again.
            let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
            let read = lines.map(str::len).sum::<usize>() + error.column();
            budget.for_parsing = budget.for_parsing.saturating_sub(read);
            let length = braces(text, &mut budget.for_braces);
            if error.is_eof() {
                return Err(NoObject { is_cut: true, length });
            }
            match parse(&text[..length], syntax) {
                Some(Value::Object(object)) => Ok((object, length)),
                Some(_) | None => Err(NoObject { is_cut: false, length }),
            }
        }
        None => Err(NoObject { is_cut: false, length: 1 }),
    }
}

/// What JSON says; none if it is none. An escape that is no character is no reason to lose the rest.
fn parse(json: &str, syntax: Syntax) -> Option<Value> {
    let json = with_valid_escapes(json);
    match syntax {
        Syntax::Json => serde_json::from_str(&json).ok(),
        Syntax::AsModelsWrite => {
            parse_to_ast(&json, &CollectOptions::default(), &lenient_json::OPTIONS).ok()?.value.map(Value::from)
        }
    }
}

/// How far a `{` reaches, up to the `}` that belongs to it; the `{` alone if there is none. `budget` is how many bytes may be
/// looked at. Within a comment braces and quotes count, too.
fn braces(text: &str, budget: &mut usize) -> usize {
    let bytes = &text.as_bytes()[..text.len().min(*budget)];
    let (mut depth, mut is_text, mut at) = (0_usize, false, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if is_text => at += 1,
            b'"' => is_text = !is_text,
            b'{' if !is_text => depth += 1,
            b'}' if !is_text && depth == 1 => {
                *budget -= at;
                return at + 1;
            }
            b'}' if !is_text => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    *budget -= bytes.len();
    1
}

fn begins_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches(|c: char| c != '\n' && c.is_whitespace());
    before.is_empty() || before.ends_with('\n')
}

/// The last block fenced as json, outside of the objects, that is no JSON.
fn last_broken_block(text: &str, syntax: Syntax, objects: &[(usize, Map<String, Value>)]) -> Option<usize> {
    let mut broken = None;
    let mut open: Option<(usize, &str, usize)> = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let fence = ['`', '~'].into_iter().map(|mark| trimmed.len() - trimmed.trim_start_matches(mark).len()).max();
        let fence = &trimmed[..fence.filter(|length| *length >= 3).unwrap_or_default()];
        match open {
            Some((begin, of, _)) if !fence.is_empty() && trimmed == fence && fence.starts_with(of) => {
                let block = text[begin..offset].trim();
                let first = objects.partition_point(|(at, _)| *at < begin);
                let has_object = objects.get(first).is_some_and(|(at, _)| *at < offset);
                if !has_object && parse(block, syntax).is_none() {
                    broken = Some(begin);
                }
                open = None;
            }
            None if is_json(&trimmed[fence.len()..]) && !fence.is_empty() => {
                open = Some((offset + line.len(), fence, offset));
            }
            Some(_) | None => {}
        }
        offset += line.len();
    }
    match open {
        // It is not closed: it was cut, unless an object is in it.
        Some((begin, ..)) if objects.last().is_none_or(|(at, _)| *at < begin) => Some(begin),
        Some(_) | None => broken,
    }
}

/// Whether the words after a fence name JSON.
fn is_json(info: &str) -> bool {
    info.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("json"))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    const THINK: Option<[&str; 2]> = Some(["<think>", "</think>"]);

    fn names(text: &str) -> (String, bool) {
        let found = find(text, THINK, Syntax::AsModelsWrite);
        let names: Vec<_> = found.objects.iter().flat_map(|(_, object)| object.keys().cloned()).collect();
        let last = found.objects.last().map(|(at, _)| *at);
        (names.join(" "), found.last_broken.is_some_and(|broken| last.is_none_or(|last| broken > last)))
    }

    #[test]
    fn outermost_objects_are_found_among_other_text() {
        for (text, found, is_broken_after) in [
            ("{\"a\": {\"b\": 1}} and {\"c\": \"}\"}", "a c", false),
            ("The plan {keeps} a table.\n{\"a\": 1}", "a", false),
            ("{keeps}\n{\"a\": 1}", "a", false),
            ("{\"a\": 1}\n{keeps}", "a", true),
            ("{\"a\": 1} {keeps}", "a", false),
            ("{\"a\": 1}\n  {\"b\": ", "a", true),
            ("{\"a\": 1,}\n{\"b\": [1,],}", "a b", false),
            ("{\"a\": [1,,]}\n{\"b\": 1}", "b", false),
            // What is in a broken object is not outermost.
            ("{\"a\": [{\"b\": 1}],,}", "", true),
            ("{a: [{\"b\": 1}]}", "", true),
            // As models write it.
            ("{\"a\": 1, // the \"first\" and more\n \"b\": 2 /* */}", "a b", false),
            ("{\"a\": \"http://x /* \" }", "a", false),
            ("{\"a\": \"two\nlines\tand a tab\"}", "a", false),
            ("{\"a\": \"\\d+ it\\'s C:\\users\"}", "a", false),
            ("{see http://x}\n{\"a\": 1}", "a", false),
            ("{\"a\": 1 /* no end }\n", "", true),
            ("{\"a\": 1}\n```json\n[1, // one\n]\n```", "a", false),
            ("{\"a\": 1}\n```json\n\n```", "a", true),
            ("{\"a\": [{\"b\": 1}]", "", true),
            ("> {\"a\": 1}", "a", false),
            ("```json\n[1]\n```\n{\"a\": 1}", "a", false),
            ("{\"a\": 1}\n```json\n[1,\n```", "a", true),
            ("{\"a\": 1}\n~~~~ JSON title=x\n[1,\n~~~~\n", "a", true),
            ("{\"a\": 1}\n```json\n[1]\n```", "a", false),
            ("{\"a\": 1}\n```js\n[1,\n```", "a", false),
            ("{\"a\": 1}\n```json\n", "a", true),
            ("```json\n{\"a\": 1}", "a", false),
            ("```json\nnote: {\"a\": 1}\n```", "a", false),
            ("<think>{\"a\": 1}</think>{\"b\": \"<think>\"}", "b", false),
            ("{\"a\": 1}<think>{\"b\": 1}", "a", false),
            ("a < b {\"a\": \"cut \\ud83d here\"}", "a", false),
            ("[{\"a\": 1}]", "a", false),
            ("", "", false),
        ] {
            assert_eq!(names(text), (found.to_owned(), is_broken_after), "{text}");
        }
        let long = format!("{}{}", "{".repeat(100_000), "{\"a\": 1}");
        assert_eq!(names(&long).0, "a");
    }

    #[test]
    fn a_long_text_is_looked_at_in_bounded_time() {
        let began = Instant::now();
        // Nested deeper than is read, without an end: the rest of it is not known, so that what was before is none.
        let nested = format!("{{\"a\": 1}}\n{}", "{\"a\":".repeat(200_000));
        let found = find(&nested, THINK, Syntax::AsModelsWrite);
        assert!(found.objects.len() == 1 && found.last_broken.is_some());
        let blocks = "```json\n{}\n```\n".repeat(2 * MAX_OBJECTS + 1);
        let found = find(&blocks, THINK, Syntax::AsModelsWrite);
        assert_eq!((found.objects.len(), found.last_broken), (MAX_OBJECTS + 1, None));
        assert_eq!(found.objects.last().map(|(at, _)| *at), Some(blocks.len() - "{}\n```\n".len()));
        // Much more than it takes, and much less than it took.
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    }
}
