//! Settings in JSON, which may have comments and trailing commas. They are changed as a text, so that all else keeps every byte.

use std::{borrow::Cow, ops::Range};

use jsonc_parser::{
    CollectOptions,
    ast::{self, ObjectProp},
    common::Ranged,
    parse_to_ast,
};
use serde_json::{Value, json};

use super::json_items::{Container, Removal};

use crate::lenient_json;

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// The value that a text is, with the place of each of its parts. One without a value counts as an empty object.
fn parse(text: &str) -> Result<ast::Value<'_>, String> {
    let text = if is_blank(text) { "{}" } else { text };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &lenient_json::OPTIONS).map_err(|error| {
        format!("line {}, column {}: {}", error.line_display(), error.column_display(), error.kind())
    })?;
    parsed.value.filter(|value| value.as_object().is_some()).ok_or_else(|| "it is not an object".to_owned())
}

/// The text with each half of a surrogate pair replaced by another escape of the same length, which the parser takes. JSON may
/// have them, where a program has cut a text within a character.
fn with_whole_characters(text: &str) -> Cow<'_, str> {
    let unit = |at: usize| {
        let digits = text.get(at..)?.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut whole = Cow::Borrowed(text);
    let mut at = 0;
    while let Some(next) = text[at..].find('\\') {
        at += next;
        match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at += 12,
            (Some(0xd800..=0xdfff), _) => {
                whole.to_mut().replace_range(at + 2..at + 6, "fffd");
                at += 6;
            }
            // What is escaped may be a backslash.
            (Some(_) | None, _) => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    whole
}

/// The only property with a name: which of two counts differs between programs.
fn property<'a, 'b>(object: &'b ast::Object<'a>, name: &str) -> Result<Option<(usize, &'b ObjectProp<'a>)>, String> {
    let mut named = object.properties.iter().enumerate().filter(|(_, property)| property.name.as_str() == name);
    let first = named.next();
    if named.next().is_some() { Err(format!("{name} is there twice")) } else { Ok(first) }
}

/// A value, and where it is.
struct Found<'a> {
    value: ast::Value<'a>,
    /// The objects that lead to it, from the whole text on, each with the number of the property in it
    way: Vec<(Container, usize)>,
}

/// The value at a path, or how much of the path is there and the object that it ends in.
fn find<'a>(text: &'a str, path: &[&str]) -> Result<Result<Found<'a>, (usize, Container)>, String> {
    let mut value = parse(text)?;
    let mut way = Vec::new();
    for (depth, name) in path.iter().enumerate() {
        let parent = depth.checked_sub(1).map_or("it", |before| path[before]);
        let ast::Value::Object(mut object) = value else { return Err(format!("{parent} is not an object")) };
        let container = Container::new(place(&object), object.properties.iter().map(place));
        let Some((index, _)) = property(&object, name)? else { return Ok(Err((depth, container))) };
        way.push((container, index));
        value = object.properties.swap_remove(index).value;
    }
    Ok(Ok(Found { value, way }))
}

/// The value at a path, if it is there.
pub fn read(text: &str, path: &[&str]) -> Result<Option<Value>, String> {
    Ok(find(&with_whole_characters(text), path)?.ok().map(|found| found.value.into()))
}

/// The text with a value at this path, or without the one that is there.
pub fn changed(text: &str, path: &[&str], value: Option<&Value>) -> Result<String, String> {
    if let (true, Some(value)) = (is_blank(text), value) {
        // So the file is told from one that was made.
        return Ok(format!("{text}\n{}", created(path, value)));
    }
    let whole = with_whole_characters(text);
    let found = find(&whole, path)?;
    Ok(match (found, value) {
        (Ok(found), Some(value)) => {
            let Range { start, end } = place(&found.value);
            format!("{}{}{}", &text[..start], one_line(value), &text[end..])
        }
        (Ok(found), None) => without(text, found.way),
        (Err((depth, container)), Some(value)) => {
            let (names, name) = (&path[depth + 1..], path[depth]);
            let value = names.iter().rev().fold(value.clone(), |inner, name| json!({ *name: inner }));
            container.with_item(text, &format!("{}: {}", Value::from(name), one_line(&value)))
        }
        (Err(_), None) => text.to_owned(),
    })
}

/// The text with these texts in the list at a path, and without those.
pub fn changed_list(text: &str, path: &[&str], added: &[String], removed: &[String]) -> Result<String, String> {
    let mut text = text.to_owned();
    for (one, is_added) in removed.iter().map(|one| (one, false)).chain(added.iter().map(|one| (one, true))) {
        let whole = with_whole_characters(&text);
        let Ok(Found { value, mut way }) = find(&whole, path)? else {
            text = if is_added { changed(&text, path, Some(&json!([one])))? } else { text };
            continue;
        };
        let ast::Value::Array(list) = value else { return Err(format!("{} is not a list", path.join("."))) };
        let container = Container::new(place(&list), list.elements.iter().map(place));
        let is_one = |element: &ast::Value<'_>| element.as_string_lit().is_some_and(|text| text.value == one.as_str());
        text = match (list.elements.iter().position(is_one), is_added) {
            (None, true) => container.with_item(&text, &one_line(&json!(one))),
            (Some(index), false) => {
                way.push((container, index));
                without(&text, way)
            }
            (None, false) | (Some(_), true) => text.clone(),
        };
    }
    Ok(text)
}

/// Where the elements of the list at a path are.
pub fn elements(text: &str, path: &[&str]) -> Result<Vec<Range<usize>>, String> {
    let whole = with_whole_characters(text);
    match find(&whole, path)? {
        Ok(Found { value: ast::Value::Array(list), .. }) => Ok(list.elements.iter().map(place).collect()),
        Ok(_) | Err(_) => Err(format!("{} is not a list", path.join("."))),
    }
}

/// The text without the item at the end of a way, and without what was made to lead to it.
fn without(text: &str, mut way: Vec<(Container, usize)>) -> String {
    while let Some((container, index)) = way.pop() {
        match container.without_item(text, index) {
            Removal::Item(text) => return text,
            Removal::Container if way.is_empty() => return container.emptied(text),
            Removal::Container => {}
        }
    }
    text.to_owned()
}

/// The text of a new file with a value at a path.
pub fn created(path: &[&str], value: &Value) -> String {
    let whole = path.iter().rev().fold(value.clone(), |inner, name| json!({ *name: inner }));
    format!("{whole:#}\n")
}

/// Whether a text has nothing but what [`created`] writes for a path, in lines of its own as it does: what is entered in a file
/// that is there is on one line.
pub fn is_created(text: &str, path: &[&str]) -> bool {
    let whole = with_whole_characters(text);
    let Ok(Ok(found)) = find(&whole, path) else { return false };
    let is_on_lines = text[place(&found.value)].contains('\n');
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    is_on_lines && squeezed(text) == squeezed(&created(path, &found.value.into()))
}

fn place(part: &impl Ranged) -> Range<usize> {
    let range = part.range();
    range.start..range.end
}

/// A value on one line, with spaces where people write them.
fn one_line(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{}: {}", json!(name), one_line(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Value::Array(values) => format!("[{}]", values.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: [&str; 2] = ["mcpServers", "aweave-debate"];

    fn entry() -> Value {
        json!({"command": "aw", "args": ["mcp"]})
    }

    #[test]
    fn setting_and_taking_out_leaves_every_byte_of_the_rest_as_it_was() {
        for text in [
            "{}",
            "{}\n",
            "{ }",
            "{\n}\n",
            " \n { } \n\n",
            "{\"mcpServers\": {}}",
            "{\"mcpServers\":{ }}",
            "{\n  \"mcpServers\": {\n  }\n}\n",
            "{\n  \"mcpServers\": {\n    // none yet\n  }\n}\n",
            "{ /* nothing */ }\n",
            "{ // why\n /* why */ }\n",
            "{\"a\":1}",
            "{ \"a\": 1 }\n",
            "{\"a\":[1,2],\"mcpServers\":{\"x\":{\"command\":\"y\"}}}",
            "{\n  \"a\": 1\n}\n",
            "{\n    \"a\": [1, 2],\n}\n",
            "{\r\n\t\"a\": {\"b\": null} // why\r\n}\r\n",
            "{\r\n  \"a\": 1,\n  \"mcpServers\": {\n    \"x\": {}\r\n  }\r\n}\n",
            "// first\n{\n  // inside\n  \"a\": 1 // after\n  // end\n}\n// last\n",
            "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"}\n  },\n  \"z\": 1\n}\n",
            "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"}, // mine\n  },\n}\n",
            "{\"mcpServers\": {\"x\": {},},}",
            "{\"mcpServers\": {\"x\": {\"url\": \"http://a\"}}, \"y\": \"\\u00e9 é\"}",
            "{\"a\"\n  : 1\n  , // mine\n\"b\": 2 }\n",
            "{ \"a\": 1\n, \"mcpServers\": { \"x\": {}\n  , \"y\": {}\n  }\n}\n",
            "{\n\t\"a\": 1,\n\t\"mcpServers\": { // mine\n\t\t\"x\": {},}  }",
            "{  \n  \"a\": 1   ,  \n\n\n  \"b\": 2\n\n}   \n\n\n",
            "\n\n{\n\n  \"mcpServers\": {\n\n    \"x\": {}\n\n  }\n\n}\n\n",
            "{\n  \"a\": 1 /* one\n two */ /* three */ // four\n}",
            "{\n  \"a\": 1 /*/ one */,\n}",
            "{\"a\": \"\\ud83d\", \"b\": \"\\ud83d\\ude00 \\\\ud800 \\udc00\"}",
            "{\"\\u006dcpServers\": {\"a//b\": \"/* no comment, */\"}}",
            "{\"a\": 1e400, \"b\": 123456789012345678901234567890, \"a\": -0.0}",
        ] {
            let entered = changed(text, &PATH, Some(&entry())).unwrap();
            assert_eq!(read(&entered, &PATH).unwrap(), Some(entry()), "{entered}");
            assert_eq!(changed(&entered, &PATH, None).unwrap(), text, "{entered}");
            assert!(!is_created(&entered, &PATH), "the file was there: {entered}");
            let mut rest = entered.chars();
            assert!(text.chars().all(|c| rest.any(|other| other == c)), "something was taken away: {entered}");
            // What is added later stays where it is.
            let with_more = changed(&entered, &["mcpServers", "later"], Some(&json!({}))).unwrap();
            let left = changed(&with_more, &PATH, None).unwrap();
            assert_eq!(read(&left, &["mcpServers", "later"]).unwrap(), Some(json!({})), "{with_more}");
        }
        let entered = changed("{\n  \"a\": 1 // one\n}\n", &PATH, Some(&entry())).unwrap();
        assert_eq!(
            entered,
            "{\n  \"a\": 1, // one\n  \"mcpServers\": {\"aweave-debate\": {\"command\": \"aw\", \"args\": [\"mcp\"]}}\n}\n"
        );
    }

    #[test]
    fn a_file_that_was_made_for_it_is_told_from_one_that_was_there() {
        let made = created(&PATH, &entry());
        assert!(is_created(&made, &PATH) && is_created(&made.replace('\n', "\r\n"), &PATH), "{made}");
        for other in [made.replace("}\n}", "},\n \"a\": 1}"), format!("// mine\n{made}"), "{}".to_owned()] {
            assert!(!is_created(&other, &PATH), "{other}");
        }
    }

    #[test]
    fn a_list_gets_texts_and_loses_them_and_nothing_else() {
        let path = ["permissions", "allow"];
        let rules = ["Skill(a)".to_owned(), "Skill(b)".to_owned()];
        for text in [
            "{}",
            "{\"permissions\": {\"allow\": []}}\n",
            "{\"permissions\":{}}",
            "{\"permissions\": {\"allow\": [\"Read\", \"Bash(ls)\"], \"deny\": [\"X\"]}}\n",
            "{\n  \"permissions\": {\n    \"allow\": [\n      \"Read\", // mine\n      /* two */ \"Bash(ls)\"\n    ]\n  }\n}\n",
            "{\n  \"permissions\": {\n    \"allow\": [\n    ]\n  }\n}\n",
            "{\r\n  \"permissions\": {\"allow\": [7, [\"Skill(a)\"],]}\r\n}\r\n",
        ] {
            let with = changed_list(text, &path, &rules, &[]).unwrap();
            let allowed = read(&with, &path).unwrap().unwrap();
            assert!(rules.iter().all(|rule| allowed.as_array().unwrap().contains(&json!(rule))), "{with}");
            assert_eq!(changed_list(&with, &path, &rules, &[]).unwrap(), with);
            assert_eq!(changed_list(&with, &path, &[], &rules).unwrap(), text, "{with}");
            let one_by_one = changed_list(&with, &path, &[], &rules[1..]).unwrap();
            assert_eq!(changed_list(&one_by_one, &path, &[], &rules).unwrap(), text, "{one_by_one}");
        }
        assert!(changed_list("{\"permissions\": {\"allow\": 7}}", &path, &rules, &[]).is_err());
    }

    #[test]
    fn a_value_below_it_is_set_alone() {
        let entered = changed("{\"a\": 1}", &PATH, Some(&entry())).unwrap();
        let path = [&PATH[..], &["args"]].concat();
        let new = changed(&entered, &path, Some(&json!(["mcp", "--role", "x"]))).unwrap();
        let entry = read(&new, &PATH).unwrap().unwrap();
        assert_eq!(entry, json!({"command": "aw", "args": ["mcp", "--role", "x"]}));
    }

    #[test]
    fn a_name_on_the_way_that_is_there_twice_is_refused() {
        for text in [
            r#"{"mcpServers": {"aweave-debate": 1, "aweave-debate": 2}}"#,
            r#"{"mcpServers": {"aweave-debate": 1, "\u0061weave-debate": 2}}"#,
            r#"{"mcpServers": {}, "mcpServers": {}}"#,
        ] {
            assert!(read(text, &PATH).unwrap_err().ends_with(" is there twice"), "{text}");
        }
        for text in [r#"{"a": 1, "a": 2, "mcpServers": {"x": 1, "x": 2}}"#, "{}"] {
            assert!(read(text, &PATH).is_ok(), "{text}");
        }
        assert_eq!(read("{\"mcpServers\": 7}", &PATH).unwrap_err(), "mcpServers is not an object");
    }

    #[test]
    fn a_malformed_text_is_refused_with_its_place() {
        for (text, reason) in [
            ("7", "it is not an object"),
            ("// a list\n []", "it is not an object"),
            ("{\n  \"a\": 1,\n  b: 2\n}", "line 3, column 3"),
            ("{\"a\": 1} x", "line 1, column 10"),
        ] {
            let message = changed(text, &PATH, Some(&entry())).unwrap_err();
            assert!(message.starts_with(reason), "{text}: {message}");
        }
    }
}
