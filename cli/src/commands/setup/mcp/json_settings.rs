//! Settings in JSON, which may have comments and trailing commas.

use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::{Object, ObjectProp, Value as AstValue},
    common::Ranged,
    cst::{CstInputValue, CstObject, CstRootNode},
    errors::ParseError,
    parse_to_ast,
};
use serde_json::{Value, json};

use super::{Entry, Format, Malformed, NAME};

/// Settings with the servers in an object.
pub struct JsonSettings {
    /// The name of that object
    pub key: &'static str,
}

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

impl JsonSettings {
    /// The object of the settings. Refuses a text whose servers could not be told apart from others: readers differ in which of
    /// two equal names they take.
    fn settings<'a>(&self, text: &'a str) -> Result<Object<'a>, Malformed> {
        let parsed = parse_to_ast(text, &CollectOptions::default(), &options())?;
        let start = parsed.value.as_ref().map_or(0, |value| value.range().start);
        let Some(AstValue::Object(settings)) = parsed.value else {
            return Err(Malformed::at(text, start, "it is not an object"));
        };
        if let Some(property) = only(text, &settings, self.key)? {
            let Some(servers) = property.value.as_object() else {
                return Err(Malformed::at(text, property.range.start, &format!("{} is not an object", self.key)));
            };
            only(text, servers, NAME)?;
        }
        Ok(settings)
    }

    fn servers<'a, 'b>(&self, settings: &'a Object<'b>) -> Option<&'a Object<'b>> {
        settings.get(self.key)?.value.as_object()
    }

    /// The settings as a tree that keeps every character, and the object of the servers in it.
    fn tree(&self, text: &str) -> Result<(CstRootNode, Option<CstObject>), Malformed> {
        self.settings(text)?;
        let root = CstRootNode::parse(text, &options())?;
        let servers = root.object_value().and_then(|settings| settings.object_value(self.key));
        Ok((root, servers))
    }
}

/// The property with this name; an error if there are two of them.
fn only<'a, 'b>(text: &str, object: &'a Object<'b>, name: &str) -> Result<Option<&'a ObjectProp<'b>>, Malformed> {
    let mut found = object.properties.iter().filter(|property| property.name.as_str() == name);
    let first = found.next();
    match found.next() {
        Some(second) => Err(Malformed::at(text, second.range.start, &format!("{name} is there twice"))),
        None => Ok(first),
    }
}

/// The text with a property more, the first of the object. It is added in one piece, so that nothing else is laid out anew and
/// the piece can be taken out again: as lines of its own where the others stand so. In an object that has nothing in it, it
/// goes on one line, so that the text shows that the object was there before.
fn with_property(text: &str, object: &Object<'_>, name: &str, value: &Value) -> String {
    let start = object.range.start + 1;
    let inner = &text[start..object.range.end - 1];
    let head = inner.split(['\r', '\n']).next().unwrap_or_default();
    let first = object.properties.first().map(|property| property.range.start - start);
    let opens_comment = head.rfind("/*").is_some_and(|comment| !head[comment..].contains("*/"));
    let stand_below = head.len() < inner.len() && first.is_none_or(|first| first > head.len());
    let (at, added) = if stand_below && !opens_comment && !inner.trim().is_empty() {
        let line_break = if inner[head.len()..].starts_with("\r\n") { "\r\n" } else { "\n" };
        let outer = indentation(&text[..start]);
        let (indent, unit) = match first.map(|first| indentation(&inner[..first])) {
            Some(indent) => (indent.to_owned(), indent.strip_prefix(outer).filter(|unit| !unit.is_empty())),
            None => (format!("{outer}{}", if outer.is_empty() { "  " } else { outer }), Some(outer)),
        };
        let unit = unit.filter(|unit| !unit.is_empty()).unwrap_or("  ");
        let comma = if first.is_some() { "," } else { "" };
        (start + head.len(), format!("{}{comma}", lines(name, value, &format!("{line_break}{indent}"), unit)))
    } else {
        let property = format!("\"{name}\": {value}");
        let added = match (first, inner.starts_with(' ')) {
            (None, _) => format!(" {property} "),
            (Some(_), true) => format!(" {property},"),
            (Some(_), false) => format!("{property}, "),
        };
        (start, added)
    };
    let (before, after) = text.split_at(at);
    format!("{before}{added}{after}")
}

/// The white space with which the last line begins.
fn indentation(text: &str) -> &str {
    let line = text.rsplit('\n').next().unwrap_or_default();
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// A property on lines of its own, each after `line_start`.
fn lines(name: &str, value: &Value, line_start: &str, unit: &str) -> String {
    let text = format!("\"{name}\": {value:#}");
    let indented = text.lines().map(|line| {
        let content = line.trim_start();
        // Two spaces a level.
        format!("{line_start}{}{content}", unit.repeat((line.len() - content.len()) / 2))
    });
    indented.collect()
}

/// The text without a property, in every way in which it may have been added.
fn without_property(text: &str, property: &ObjectProp<'_>) -> Vec<String> {
    let (before, after) = (&text[..property.range.start], &text[property.range.end..]);
    let line = before.trim_end_matches([' ', '\t']);
    let line = line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n'));
    let befores = [line, before.strip_suffix(' '), Some(before)].into_iter().flatten();
    let afters = [", ", ",", " ", ""].into_iter().filter_map(|end| after.strip_prefix(end));
    befores.flat_map(|before| afters.clone().map(move |after| format!("{before}{after}"))).collect()
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

impl Format for JsonSettings {
    fn with_entry(&self, text: Option<&str>, entry: &Entry) -> Result<String, Malformed> {
        let fields = entry.fields();
        let Some(text) = text else {
            let settings = json!({self.key: {NAME: fields}});
            return Ok(format!("{settings:#}\n"));
        };
        let settings = self.settings(text)?;
        Ok(match self.servers(&settings) {
            Some(servers) => with_property(text, servers, NAME, &fields.into()),
            None => with_property(text, &settings, self.key, &json!({NAME: fields})),
        })
    }

    fn find(&self, text: &str) -> Result<Option<Entry>, Malformed> {
        let (_, servers) = self.tree(text)?;
        let value = servers.and_then(|servers| servers.get(NAME)?.value()?.to_serde_value());
        Ok(value.map(|value| Entry::found(&value)))
    }

    fn with_arguments(&self, text: &str, entry: &Entry) -> Result<String, Malformed> {
        let (root, servers) = self.tree(text)?;
        let found = servers.and_then(|servers| servers.object_value(NAME));
        if let Some(arguments) = found.and_then(|found| found.get("args")) {
            arguments.set_value(input(&entry.arguments.clone().into()));
        }
        Ok(root.to_string())
    }

    fn without_entry(&self, text: &str, _: &Entry) -> Result<Vec<Option<String>>, Malformed> {
        let mut former = vec![None];
        let settings = self.settings(text)?;
        let with_servers = settings.get(self.key);
        let entry = self.servers(&settings).and_then(|servers| servers.get(NAME));
        for property in with_servers.into_iter().chain(entry) {
            former.extend(without_property(text, property).into_iter().map(Some));
        }
        let remove = |with_servers: bool| {
            let (root, servers) = self.tree(text)?;
            if let Some(property) = servers.as_ref().and_then(|servers| servers.get(NAME)) {
                property.remove();
            }
            let is_empty = servers.is_some_and(|servers| servers.properties().is_empty());
            let property = root.object_value().and_then(|settings| settings.get(self.key));
            if let Some(property) = property.filter(|_| with_servers && is_empty) {
                property.remove();
            }
            Ok::<_, Malformed>(Some(root.to_string()))
        };
        former.push(remove(false)?);
        former.push(remove(true)?);
        Ok(former)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::removal, *};
    use crate::{
        commands::setup::{Scope, mcp::Change},
        guides::Host,
    };

    const SETTINGS: JsonSettings = JsonSettings { key: "mcpServers" };

    fn entry() -> Entry {
        Entry::new(Host::Gemini, Scope::Project, None)
    }

    #[test]
    fn entering_and_taking_back_restores_every_byte() {
        for text in [
            "{}",
            "{ }\n",
            "{\n}\n",
            "{\"a\": 1}",
            "{\n  \"a\": 1\n}\n",
            "{\n    \"a\": [1, 2],\n}\n",
            "{\r\n\t\"a\": {\"b\": null} // why\r\n}\r\n",
            "// first\n{\n  // inside\n  \"a\": 1 // after\n}\n// last\n",
            "{\"mcpServers\": {}}",
            "{\n  \"mcpServers\": {\n  }\n}\n",
            "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"}\n  },\n  \"z\": 1\n}\n",
            "{\n  \"mcpServers\": {\n    \"x\": {\"command\": \"x\"}, // mine\n  },\n}\n",
            "{\"mcpServers\": {\"x\": {\"url\": \"http://a\"}}, \"y\": \"\\u00e9 é\"}",
            "{ // why\r\n\r\n}",
            "{ // why\n /* why */ }\n",
            "{ /* first\n // inside */ }",
            "{\"a\"\n  : 1\n  , // mine\n\"b\": 2 }\n",
            "{ /* mine */ \"a\"\n:\n\t0  , \"y\":false ,  } // last\n",
            "{\n\t\"mcpServers\": {\n\t\t// mine\n\t}\n}\n",
            "{\n\t\"a\": 1,\n\t\"mcpServers\": { // mine\n\t\t\"x\": {},}  }",
            "{\n  \"mcpServers\": {\n  },\n  \"a\": 1\n}\n",
        ] {
            let entered = SETTINGS.with_entry(Some(text), &entry()).unwrap();
            assert_eq!(SETTINGS.find(&entered).unwrap().unwrap().arguments, ["mcp"], "{entered}");
            for part in ["// why", "// first", "// inside", "// after", "// last", "// mine", "\\u00e9 é"] {
                assert_eq!(text.contains(part), entered.contains(part), "{entered}");
            }
            let change = removal(&SETTINGS, &entered, &entry(), Host::Gemini, Scope::Project).unwrap();
            assert_eq!(change, Change::Write { is_new: false, text: text.to_owned() }, "{entered}");
        }
        let entered = SETTINGS.with_entry(None, &entry()).unwrap();
        assert_eq!(removal(&SETTINGS, &entered, &entry(), Host::Gemini, Scope::Project).unwrap(), Change::Delete);
    }

    #[test]
    fn the_entry_stands_as_the_others_do() {
        let text = "{\n\t\"mcpServers\": { // mine\n\t\t\"x\": {}\n\t}\n}\n";
        let entered = SETTINGS.with_entry(Some(text), &entry()).unwrap();
        let expected = "{\n\t\"mcpServers\": { // mine\n\t\t\"aweave-debate\": {\n\t\t\t\"command\": \"aw\",\n\t\t\t\"args\": [\n\t\t\t\t\
                        \"mcp\"\n\t\t\t],\n\t\t\t\"timeout\": 3700000\n\t\t},\n\t\t\"x\": {}\n\t}\n}\n";
        assert_eq!(entered, expected);
    }

    #[test]
    fn what_was_changed_since_stays() {
        let entered = SETTINGS.with_entry(Some("{\"a\": 1}"), &entry()).unwrap();
        let changed = entered.replace("\"mcp\"", "\"mcp\", \"--debate-id\", \"7\"").replace("\"a\": 1", "\"a\": 2");
        let found = SETTINGS.find(&changed).unwrap().unwrap();
        let change = removal(&SETTINGS, &changed, &found, Host::Gemini, Scope::Project).unwrap();
        let Change::Write { text, .. } = change else { panic!("{change:?}") };
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json!({"a": 2}));
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
            let Malformed(message) = SETTINGS.with_entry(Some(text), &entry()).unwrap_err();
            assert!(message.starts_with(place), "{text}: {message}");
        }
    }
}
