//! Settings in JSON, which may have comments and trailing commas.

use jsonc_parser::{
    CollectOptions, ParseOptions,
    ast::Value as AstValue,
    cst::{CstInputValue, CstObject, CstRootNode},
    errors::ParseError,
    parse_to_ast,
};
use serde_json::{Map, Value, json};

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
    /// The settings as a tree that keeps every character, and the object of the servers in it.
    fn parse(&self, text: &str) -> Result<(CstRootNode, CstObject, Option<CstObject>), Malformed> {
        let root = CstRootNode::parse(text, &options())?;
        let settings =
            root.object_value().ok_or_else(|| Malformed("line 1, column 1: it is not an object".to_owned()))?;
        let servers = match settings.get(self.key) {
            Some(property) => Some(property.object_value().ok_or_else(|| {
                let before = text.find(&format!("\"{}\"", self.key)).unwrap_or_default();
                let line = text[..before].matches('\n').count() + 1;
                let column = text[..before].chars().rev().take_while(|c| *c != '\n').count() + 1;
                Malformed(format!("line {line}, column {column}: {} is not an object", self.key))
            })?),
            None => None,
        };
        Ok((root, settings, servers))
    }

    /// The text with the entry in an object that is on one line, or has nothing in it: there it goes first and on one line. So
    /// nothing else is laid out anew, and the text shows that the object was there before.
    fn inline(&self, text: &str, fields: &Map<String, Value>) -> Result<Option<String>, Malformed> {
        let parsed = parse_to_ast(text, &CollectOptions::default(), &options())?;
        let Some(AstValue::Object(settings)) = &parsed.value else { return Ok(None) };
        let servers = settings.properties.iter().find(|property| property.name.as_str() == self.key);
        let (range, added) = match servers.map(|property| &property.value) {
            None => (settings.range, self.settings_inline(fields)),
            Some(AstValue::Object(servers)) => (servers.range, entry_inline(fields)),
            Some(_) => return Ok(None),
        };
        let inner = &text[range.start + 1..range.end - 1];
        let [alone, before_space, before_text] = forms(&added);
        let added = match inner {
            inner if inner.trim().is_empty() => alone,
            inner if inner.contains(['\n', '\r']) => return Ok(None),
            inner if inner.starts_with(' ') => before_space,
            _ => before_text,
        };
        let (before, after) = text.split_at(range.start + 1);
        Ok(Some(format!("{before}{added}{after}")))
    }

    fn settings_inline(&self, fields: &Map<String, Value>) -> String {
        format!("\"{}\": {{ {} }}", self.key, entry_inline(fields))
    }
}

fn entry_inline(fields: &Map<String, Value>) -> String {
    format!("\"{NAME}\": {}", Value::from(fields.clone()))
}

/// How a property stands on one line: alone, before a space, or before another property.
fn forms(property: &str) -> [String; 3] {
    [format!(" {property} "), format!(" {property},"), format!("{property}, ")]
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
        let (root, settings, servers) = self.parse(text)?;
        if let Some(text) = self.inline(text, &fields)? {
            return Ok(text);
        }
        let entry = input(&Value::from(fields));
        match servers {
            Some(servers) => servers.append(NAME, entry),
            None => settings.append(self.key, CstInputValue::Object(vec![(NAME.to_owned(), entry)])),
        };
        Ok(root.to_string())
    }

    fn find(&self, text: &str) -> Result<Option<Entry>, Malformed> {
        let (_, _, servers) = self.parse(text)?;
        let value = servers.and_then(|servers| servers.get(NAME)?.value()?.to_serde_value());
        Ok(value.map(|value| Entry::found(&value)))
    }

    fn with_arguments(&self, text: &str, entry: &Entry) -> Result<String, Malformed> {
        let (root, _, servers) = self.parse(text)?;
        let found = servers.and_then(|servers| servers.object_value(NAME));
        if let Some(arguments) = found.and_then(|found| found.get("args")) {
            arguments.set_value(input(&entry.arguments.clone().into()));
        }
        Ok(root.to_string())
    }

    fn without_entry(&self, text: &str, entry: &Entry) -> Result<Vec<Option<String>>, Malformed> {
        let fields = entry.fields();
        let mut former = vec![None];
        for property in [self.settings_inline(&fields), entry_inline(&fields)] {
            let parts = forms(&property).into_iter().filter(|part| text.contains(part));
            former.extend(parts.map(|part| Some(text.replacen(&part, "", 1))));
        }
        let remove = |with_servers: bool| {
            let (root, settings, servers) = self.parse(text)?;
            if let Some(property) = servers.as_ref().and_then(|servers| servers.get(NAME)) {
                property.remove();
            }
            let is_empty = servers.is_some_and(|servers| servers.properties().is_empty());
            if let Some(property) = settings.get(self.key).filter(|_| with_servers && is_empty) {
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
            ("{\"a\": 1} x", "line 1, column 10"),
        ] {
            let Malformed(message) = SETTINGS.with_entry(Some(text), &entry()).unwrap_err();
            assert!(message.starts_with(place), "{text}: {message}");
        }
    }
}
