//! Settings in TOML, as codex has them.

use serde_json::Value;
use toml_edit::{Array, Document, DocumentMut, InlineTable, Item, TableLike, TomlError, value};

use super::{Entry, Format, Malformed, NAME};

/// The table of the servers.
const KEY: &str = "mcp_servers";

/// Settings with each server in a table of its own.
pub struct TomlSettings;

fn parse(text: &str) -> Result<DocumentMut, Malformed> {
    let malformed = |error: TomlError| {
        let at = error.span().map_or(0, |span| span.start);
        Malformed::at(text, at, error.message().lines().next().unwrap_or_default())
    };
    // This one knows where in the text its items are.
    let document = Document::parse(text).map_err(malformed)?;
    if let Some((key, _)) = document.get_key_value(KEY).filter(|(_, item)| !item.is_table_like()) {
        return Err(Malformed::at(text, key.span().map_or(0, |span| span.start), &format!("{KEY} is not a table")));
    }
    Ok(document.into_mut())
}

fn servers(document: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    document.get_mut(KEY).and_then(Item::as_table_like_mut)
}

fn toml(value: &Value) -> toml_edit::Value {
    match value {
        Value::Array(values) => toml_edit::Value::Array(values.iter().map(toml).collect::<Array>()),
        Value::Number(number) => number.as_i64().unwrap_or_default().into(),
        Value::Bool(value) => (*value).into(),
        Value::String(text) => text.as_str().into(),
        Value::Null | Value::Object(_) => value.to_string().into(),
    }
}

/// The lines of the entry.
fn block(entry: &Entry, line_break: &str) -> String {
    let mut block = format!("[{KEY}.{NAME}]{line_break}");
    for (name, value) in entry.fields() {
        block += &format!("{name} = {}{line_break}", toml(&value));
    }
    block
}

fn inline(entry: &Entry) -> InlineTable {
    entry.fields().iter().map(|(name, field)| (name.clone(), toml(field))).collect()
}

/// How the entry stands in an empty inline table, before another server in one, and on a line of its own.
fn inline_forms(entry: &Entry, line_break: &str) -> [String; 3] {
    let entry = format!("{NAME} = {}", toml_edit::Value::from(inline(entry)));
    [format!(" {entry} "), format!(" {entry},"), format!("{KEY}.{entry}{line_break}")]
}

/// The text with the entry in the inline table of the servers, or before the first of the dotted keys.
fn inserted(text: &str, entry: &Entry) -> Option<String> {
    let document = Document::parse(text).ok()?;
    let [alone, before_other, line] = inline_forms(entry, line_break(text));
    let (key, servers) = document.get_key_value(KEY)?;
    let (at, added) = match servers.as_inline_table() {
        Some(table) if table.is_empty() => (table.span()?.start + 1, alone),
        Some(table) => (table.span()?.start + 1, before_other),
        None => (text[..key.span()?.start].rfind('\n').map_or(0, |before| before + 1), line),
    };
    let (before, after) = text.split_at(at);
    Some(format!("{before}{added}{after}"))
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

impl Format for TomlSettings {
    fn with_entry(&self, text: Option<&str>, entry: &Entry) -> Result<String, Malformed> {
        let Some(text) = text else { return Ok(block(entry, "\n")) };
        let mut document = parse(text)?;
        let end = line_break(text);
        // One line break, so that the text shows whether it had one at its end, or was there at all.
        let appended = format!("{text}{end}{}", block(entry, end));
        if parse(&appended).is_ok() {
            return Ok(appended);
        }
        // The servers are in an inline table or in dotted keys, which no other table can extend.
        if let Some(inserted) = inserted(text, entry).filter(|inserted| parse(inserted).is_ok()) {
            return Ok(inserted);
        }
        if let Some(servers) = servers(&mut document) {
            servers.insert(NAME, value(inline(entry)));
        }
        Ok(document.to_string())
    }

    fn find(&self, text: &str) -> Result<Option<Entry>, Malformed> {
        let mut document = parse(text)?;
        let Some(found) = servers(&mut document).and_then(|servers| servers.get(NAME)) else { return Ok(None) };
        let Some(found) = found.as_table_like() else { return Ok(Some(Entry::found(&Value::Null))) };
        let text_of = |item: Option<&Item>| Value::from(item.and_then(Item::as_str).unwrap_or_default());
        let arguments = found.get("args").and_then(Item::as_array).into_iter().flatten();
        let arguments: Vec<Value> = arguments.map(|word| word.as_str().unwrap_or_default().into()).collect();
        Ok(Some(Entry::found(&serde_json::json!({"command": text_of(found.get("command")), "args": arguments}))))
    }

    fn with_arguments(&self, text: &str, entry: &Entry) -> Result<String, Malformed> {
        let mut document = parse(text)?;
        if let Some(found) = servers(&mut document).and_then(|servers| servers.get_mut(NAME))
            && let Some(found) = found.as_table_like_mut()
        {
            found.insert("args", value(entry.arguments.iter().map(String::as_str).collect::<Array>()));
        }
        Ok(document.to_string())
    }

    fn without_entry(&self, text: &str, entry: &Entry) -> Result<Vec<Option<String>>, Malformed> {
        let mut former = Vec::new();
        let added = block(entry, line_break(text));
        if let Some((before, after)) = text.split_once(&added) {
            let mut before = before;
            former.push(None);
            loop {
                former.push(Some(format!("{before}{after}")));
                let Some(shorter) = before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n')) else { break };
                before = shorter;
            }
        }
        let forms = inline_forms(entry, line_break(text)).into_iter().filter(|form| text.contains(form));
        former.extend(forms.map(|form| Some(text.replacen(&form, "", 1))));
        let mut document = parse(text)?;
        let is_empty = match servers(&mut document) {
            Some(servers) => {
                servers.remove(NAME);
                servers.is_empty()
            }
            None => false,
        };
        // An implicit table has no line of its own.
        if is_empty && document.get(KEY).and_then(Item::as_table).is_some_and(|table| table.is_implicit()) {
            document.remove(KEY);
        }
        former.push(Some(document.to_string()));
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

    fn entry() -> Entry {
        Entry::new(Host::Codex, Scope::User, None)
    }

    #[test]
    fn entering_and_taking_back_restores_every_byte() {
        for text in [
            "",
            "model = \"x\"\n",
            "model = \"x\"",
            "# only a comment\n",
            "\n\n",
            "a = 1\r\n\r\n[b] # why\r\nc = [\r\n  1,\r\n]\r\n",
            "[mcp_servers.x]\ncommand = \"x\"\n\n[z]\ny = 'é'\n# last\n",
            "mcp_servers = { x = { command = \"x\" } }\n",
            "[mcp_servers]\n",
            "mcp_servers.x.command = \"x\" # inline\n",
            "# first\r\nmcp_servers = {x = { command = \"x\" } } # why\r\n\r\n[a]\r\nb = \"\"\"\r\nx\"\"\"\r\n",
            "a = 1\r\nmcp_servers.x.command = \"x\"\r\nmcp_servers.x.args = []\r\n",
            "mcp_servers = {}\n",
        ] {
            let entered = TomlSettings.with_entry(Some(text), &entry()).unwrap();
            assert_eq!(TomlSettings.find(&entered).unwrap().unwrap().arguments, ["mcp"], "{entered}");
            let change = removal(&TomlSettings, &entered, &entry(), Host::Codex, Scope::User).unwrap();
            assert_eq!(change, Change::Write { is_new: false, text: text.to_owned() }, "{entered}");
        }
        let entered = TomlSettings.with_entry(None, &entry()).unwrap();
        assert_eq!(removal(&TomlSettings, &entered, &entry(), Host::Codex, Scope::User).unwrap(), Change::Delete);
    }

    #[test]
    fn what_was_changed_since_stays() {
        let entered = TomlSettings.with_entry(Some("a = 1 # one\n"), &entry()).unwrap();
        let changed = entered.replace("[\"mcp\"]", "[\"mcp\", \"--role\", \"opponent\"] # mine") + "\n[b]\nc = 2\n";
        let found = TomlSettings.find(&changed).unwrap().unwrap();
        let change = removal(&TomlSettings, &changed, &found, Host::Codex, Scope::User).unwrap();
        let Change::Write { text, .. } = change else { panic!("{change:?}") };
        assert!(text.starts_with("a = 1 # one\n") && text.ends_with("\n[b]\nc = 2\n"), "{text}");
        assert!(!text.contains(NAME), "{text}");
    }

    #[test]
    fn a_malformed_text_is_refused_with_its_place() {
        for (text, place) in [
            ("a = \n", "line 1, column"),
            ("a = 1\nb c = 2\n", "line 2, column 3"),
            ("a = 1\na = 2\n", "line 2, column 1"),
            ("a = 1\nmcp_servers = 7\n", "line 2, column 1"),
            ("\n[[mcp_servers]]\n", "line 2, column 3"),
        ] {
            let Malformed(message) = TomlSettings.with_entry(Some(text), &entry()).unwrap_err();
            assert!(message.starts_with(place), "{text}: {message}");
        }
    }
}
