//! Settings in JSON, which may have comments and trailing commas.

use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::Value as AstValue,
    common::Ranged,
    cst::{CstInputValue, CstObject, CstRootNode},
    errors::ParseError,
    parse_to_ast,
};
use serde_json::{Value, json};

use super::Malformed;

fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

impl From<ParseError> for Malformed {
    fn from(error: ParseError) -> Self {
        Self(format!("line {}, column {}: {}", error.line_display(), error.column_display(), error.kind()))
    }
}

/// The text as a tree that keeps every character. Every name on the path has to be there once at most and to lead to an object,
/// since readers differ in which of two equal names they take.
fn parse(text: &str, path: &[&str]) -> Result<CstRootNode, Malformed> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options())?;
    let mut value = parsed.value.as_ref();
    let (mut place, mut name) = (value.map_or(0, |value| value.range().start), "it");
    for next in path {
        let Some(AstValue::Object(object)) = value else {
            return Err(Malformed::at(text, place, &format!("{name} is not an object")));
        };
        let mut found = object.properties.iter().filter(|property| property.name.as_str() == *next);
        let Some(first) = found.next() else { break };
        if let Some(second) = found.next() {
            return Err(Malformed::at(text, second.range.start, &format!("{next} is there twice")));
        }
        (place, name, value) = (first.range.start, next, Some(&first.value));
    }
    Ok(CstRootNode::parse(text, &options())?)
}

/// The objects on the way to the last name, the outermost first, as far as they are there.
fn objects(root: &CstRootNode, path: &[&str]) -> Vec<CstObject> {
    let mut found: Vec<CstObject> = root.object_value().into_iter().collect();
    for name in path.iter().take(path.len().saturating_sub(1)) {
        let Some(next) = found.last().and_then(|object| object.object_value(name)) else { break };
        found.push(next);
    }
    found
}

pub fn value(text: &str, path: &[&str]) -> Result<Option<Value>, Malformed> {
    let root = parse(text, path)?;
    let objects = objects(&root, path);
    let last = objects.last().filter(|_| objects.len() == path.len()).zip(path.last());
    Ok(last.and_then(|(object, name)| object.get(name)?.value()?.to_serde_value()))
}

pub fn with_value(text: Option<&str>, path: &[&str], value: &Value) -> Result<String, Malformed> {
    let Some(text) = text else {
        let settings = path.iter().rev().fold(value.clone(), |value, name| json!({*name: value}));
        return Ok(format!("{settings:#}\n"));
    };
    let root = parse(text, path)?;
    let mut object = root.object_value_or_set();
    if let Some((last, parents)) = path.split_last() {
        for name in parents {
            object = object.object_value_or_set(name);
        }
        match object.get(last) {
            Some(property) => property.set_value(input(value)),
            None => drop(object.append(last, input(value))),
        }
    }
    Ok(root.to_string())
}

pub fn without_value(text: &str, path: &[&str]) -> Result<Option<String>, Malformed> {
    let root = parse(text, path)?;
    let objects = objects(&root, path);
    for (depth, (object, name)) in objects.iter().zip(path).enumerate().rev() {
        let Some(property) = object.get(name) else { continue };
        // What also leads to others stays.
        let leads_to_nothing = property.object_value().is_some_and(|inner| inner.properties().is_empty());
        if depth + 1 == path.len() || leads_to_nothing {
            property.remove();
        }
    }
    let text = root.to_string();
    let is_empty = text.split_whitespace().collect::<String>() == "{}";
    Ok((!is_empty).then_some(text))
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(name, value)| (name.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: [&str; 2] = ["mcpServers", "aweave-debate"];

    fn entry() -> Value {
        json!({"command": "aw", "args": ["mcp"]})
    }

    /// What a reader of the settings sees.
    fn read(text: &str) -> Value {
        CstRootNode::parse(text, &options()).unwrap().to_serde_value().unwrap()
    }

    #[test]
    fn setting_and_taking_out_leaves_the_rest_as_it_was() {
        for text in [
            "{\"a\": 1}",
            "{\n  \"a\": 1\n}\n",
            "{\n    \"a\": [1, 2],\n}\n",
            "{\r\n\t\"a\": {\"b\": null} // why\r\n}\r\n",
            "// first\n{\n  // inside\n  \"a\": 1 // after\n}\n// last\n",
            "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"}\n  },\n  \"z\": 1\n}\n",
            "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"}, // mine\n  },\n}\n",
            "{\"mcpServers\": {\"x\": {\"url\": \"http://a\"}}, \"y\": \"\\u00e9 é\"}",
            "{ // why\n /* why */ }\n",
            "{\"a\"\n  : 1\n  , // mine\n\"b\": 2 }\n",
            "{\n\t\"a\": 1,\n\t\"mcpServers\": { // mine\n\t\t\"x\": {},}  }",
        ] {
            let entered = with_value(Some(text), &PATH, &entry()).unwrap();
            assert_eq!(value(&entered, &PATH).unwrap(), Some(entry()), "{entered}");
            let left = without_value(&entered, &PATH).unwrap().unwrap();
            assert_eq!(read(&left), read(text), "{left}");
            for part in ["// why", "/* why */", "// first", "// inside", "// after", "// last", "// mine", "\\u00e9 é"]
            {
                assert_eq!(text.contains(part), entered.contains(part), "{entered}");
                assert_eq!(text.contains(part), left.contains(part), "{left}");
            }
        }
    }

    #[test]
    fn nothing_of_it_is_left() {
        for text in
            [None, Some("{}"), Some("{\n}\n"), Some("{\"mcpServers\": {}}"), Some("{\n  \"mcpServers\": {\n  }\n}\n")]
        {
            let entered = with_value(text, &PATH, &entry()).unwrap();
            assert_eq!(read(&entered), json!({"mcpServers": {"aweave-debate": entry()}}));
            assert_eq!(without_value(&entered, &PATH), Ok(None), "{entered}");
        }
    }

    #[test]
    fn a_value_below_it_is_set_alone() {
        let entered = with_value(Some("{\"a\": 1}"), &PATH, &entry()).unwrap();
        let changed =
            with_value(Some(&entered), &[&PATH[..], &["args"]].concat(), &json!(["mcp", "--role", "x"])).unwrap();
        assert_eq!(value(&changed, &PATH).unwrap().unwrap()["args"], json!(["mcp", "--role", "x"]));
        assert_eq!(value(&changed, &PATH).unwrap().unwrap()["command"], "aw");
    }

    #[test]
    fn a_malformed_text_is_refused_with_its_place() {
        for (text, place) in [
            ("", "line 1, column 1"),
            ("[]", "line 1, column 1"),
            ("{\n  \"a\": 1,\n  b: 2\n}", "line 3, column 3"),
            ("{\n \"mcpServers\": []}", "line 2, column 2"),
            ("// \"mcpServers\"\n{\"a\": {\"mcpServers\": {}},\n\"mcpServers\": 7}", "line 3, column 1"),
            ("// a list\n []", "line 2, column 2"),
            ("{\"mcpServers\": {},\n \"mcpServers\": {}}", "line 2, column 2"),
            ("{\"mcpServers\": {\"aweave-debate\": {},\n\"aweave-debate\": {}}}", "line 2, column 1"),
            ("{\"a\": 1} x", "line 1, column 10"),
        ] {
            let Malformed(message) = with_value(Some(text), &PATH, &entry()).unwrap_err();
            assert!(message.starts_with(place), "{text}: {message}");
        }
    }
}
