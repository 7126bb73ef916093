//! Settings in JSON, which may have comments and trailing commas.

use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use serde_json::Value;

use crate::lenient_json;

/// The text as a tree that keeps every character, and the object that it is.
fn parse(text: &str) -> Result<(CstRootNode, CstObject), String> {
    let root = CstRootNode::parse(text, &lenient_json::OPTIONS).map_err(|error| {
        format!("line {}, column {}: {}", error.line_display(), error.column_display(), error.kind())
    })?;
    let object = root.object_value().ok_or("it is not an object")?;
    Ok((root, object))
}

/// The value, where no name on this path is there twice: which of both counts differs between programs.
pub fn read(text: &str, path: &[&str]) -> Result<Value, String> {
    let (_, object) = parse(text)?;
    let mut parent = Some(object.clone());
    for name in path {
        let Some(object) = parent else { break };
        let named = |property: &CstObjectProp| {
            property.name().and_then(|name| name.decoded_value().ok()).is_some_and(|other| other == *name)
        };
        let named: Vec<_> = object.properties().into_iter().filter(named).collect();
        if named.len() > 1 {
            return Err(format!("{name} is there twice"));
        }
        parent = named.first().and_then(CstObjectProp::object_value);
    }
    Ok(object.to_serde_value().unwrap_or_default())
}

/// The text with a value at this path, or without the one that is there.
pub fn changed(text: &str, path: &[&str], value: Option<&Value>) -> Result<String, String> {
    let (root, object) = parse(text)?;
    match value {
        Some(value) => set(&object, path, value),
        None => take_out(&object, path),
    }
    Ok(root.to_string())
}

fn set(object: &CstObject, path: &[&str], value: &Value) {
    match (path, path.first().and_then(|name| object.get(name))) {
        ([], _) => {}
        ([_], Some(property)) => property.set_value(input(value)),
        ([name], None) => drop(object.append(name, input(value))),
        ([name, rest @ ..], _) => set(&object.object_value_or_set(name), rest, value),
    }
}

/// Takes a value out, and the objects that only led to it.
fn take_out(object: &CstObject, path: &[&str]) {
    let Some((name, rest)) = path.split_first() else { return };
    let Some(property) = object.get(name) else { return };
    let inner = property.object_value().filter(|_| !rest.is_empty());
    inner.iter().for_each(|inner| take_out(inner, rest));
    if inner.is_none_or(|inner| inner.properties().is_empty()) {
        property.remove();
    }
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
    use serde_json::json;

    use super::*;

    const PATH: [&str; 2] = ["mcpServers", "aweave-debate"];

    fn entry() -> Value {
        json!({"command": "aw", "args": ["mcp"]})
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
            let entered = changed(text, &PATH, Some(&entry())).unwrap();
            assert_eq!(read(&entered, &[]).unwrap()[PATH[0]][PATH[1]], entry(), "{entered}");
            let left = changed(&entered, &PATH, None).unwrap();
            assert_eq!(read(&left, &[]), read(text, &[]), "{left}");
            for part in ["// why", "/* why */", "// first", "// inside", "// after", "// last", "// mine", "\\u00e9 é"]
            {
                assert_eq!(text.contains(part), entered.contains(part), "{entered}");
                assert_eq!(text.contains(part), left.contains(part), "{left}");
            }
        }
    }

    #[test]
    fn nothing_of_it_is_left() {
        for text in ["{}", "{\n}\n", "{\"mcpServers\": {}}", "{\n  \"mcpServers\": {\n  }\n}\n"] {
            let entered = changed(text, &PATH, Some(&entry())).unwrap();
            assert_eq!(read(&entered, &[]).unwrap(), json!({"mcpServers": {"aweave-debate": entry()}}));
            let left = changed(&entered, &PATH, None).unwrap();
            assert_eq!(left.split_whitespace().collect::<String>(), "{}", "{entered}");
        }
        assert_eq!(changed("{}\n", &["a", "b"], Some(&json!(1))).unwrap(), "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
    }

    #[test]
    fn a_value_below_it_is_set_alone() {
        let entered = changed("{\"a\": 1}", &PATH, Some(&entry())).unwrap();
        let path = [&PATH[..], &["args"]].concat();
        let new = changed(&entered, &path, Some(&json!(["mcp", "--role", "x"]))).unwrap();
        let entry = &read(&new, &[]).unwrap()[PATH[0]][PATH[1]];
        assert_eq!(*entry, json!({"command": "aw", "args": ["mcp", "--role", "x"]}));
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
        for text in [r#"{"a": 1, "a": 2, "mcpServers": {"x": 1, "x": 2}}"#, "{\"mcpServers\": 7}", "{}"] {
            assert!(read(text, &PATH).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_malformed_text_is_refused_with_its_place() {
        for (text, reason) in [
            ("", "it is not an object"),
            ("// a list\n []", "it is not an object"),
            ("{\n  \"a\": 1,\n  b: 2\n}", "line 3, column 3"),
            ("{\"a\": 1} x", "line 1, column 10"),
        ] {
            let message = changed(text, &PATH, Some(&entry())).unwrap_err();
            assert!(message.starts_with(reason), "{text}: {message}");
        }
    }
}
