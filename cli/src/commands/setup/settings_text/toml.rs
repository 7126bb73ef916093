//! Settings in TOML, as codex has them.

use serde_json::{Map, Value};
use toml_edit::{Array, Document, DocumentMut, InlineTable, Item, TableLike, TomlError, value as item_of};

use super::Malformed;

fn parse(text: &str, path: &[&str]) -> Result<DocumentMut, Malformed> {
    let malformed = |error: TomlError| {
        let at = error.span().map_or(0, |span| span.start);
        Malformed::at(text, at, error.message().lines().next().unwrap_or_default())
    };
    // This one knows where in the text its items are.
    let document = Document::parse(text).map_err(malformed)?;
    let first = path.first().and_then(|name| document.get_key_value(name));
    if let Some((key, _)) = first.filter(|(_, item)| path.len() > 1 && !item.is_table_like()) {
        let at = key.span().map_or(0, |span| span.start);
        return Err(Malformed::at(text, at, &format!("{} is not a table", key.get())));
    }
    Ok(document.into_mut())
}

/// The table on the way to the last name, if it is there.
fn parent<'a>(document: &'a mut DocumentMut, path: &[&str]) -> Option<&'a mut dyn TableLike> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for name in path.iter().take(path.len().saturating_sub(1)) {
        table = table.get_mut(name)?.as_table_like_mut()?;
    }
    Some(table)
}

pub fn value(text: &str, path: &[&str]) -> Result<Option<Value>, Malformed> {
    let mut document = parse(text, path)?;
    Ok(path.last().and_then(|last| parent(&mut document, path)?.get(last).map(json)))
}

/// A table becomes lines of its own at the end, so that nothing else is written anew.
pub fn with_value(text: &str, path: &[&str], value: &Value) -> Result<String, Malformed> {
    let mut document = parse(text, path)?;
    if let Value::Object(fields) = value {
        let lines = fields.iter().map(|(name, field)| format!("{name} = {}\n", toml(field)));
        let block = format!("[{}]\n{}", path.join("."), lines.collect::<String>());
        let block = if text.contains("\r\n") { block.replace('\n', "\r\n") } else { block };
        let line_breaks = match text {
            "" => "",
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let appended = format!("{text}{line_breaks}{block}");
        if parse(&appended, path).is_ok() {
            return Ok(appended);
        }
    }
    // The servers are in an inline table or in dotted keys, which no other table can extend; or the entry is there.
    if let Some((last, table)) = path.last().zip(parent(&mut document, path)) {
        table.insert(last, item_of(toml(value)));
    }
    Ok(written(&document, text))
}

pub fn without_value(text: &str, path: &[&str]) -> Result<Option<String>, Malformed> {
    let mut document = parse(text, path)?;
    if let Some(cut) = without_lines(text, path).filter(|cut| value(cut, path) == Ok(None)) {
        return Ok((!cut.trim().is_empty()).then_some(cut));
    }
    for depth in (1..=path.len()).rev() {
        let Some((last, _)) = path.get(..depth).and_then(<[&str]>::split_last) else { continue };
        let Some(table) = path.get(..depth).and_then(|path| parent(&mut document, path)) else { continue };
        let item = table.get(last);
        // A table that has no line of its own is there for what is in it.
        let leads_to_nothing =
            item.and_then(Item::as_table).is_some_and(|table| table.is_implicit() && table.is_empty());
        if depth == path.len() || leads_to_nothing {
            table.remove(last);
        }
    }
    let text = written(&document, text);
    Ok((!text.trim().is_empty()).then_some(text))
}

/// The text without the lines of a table, and without the line break that stands before them. What comments the next table, or the
/// end, stays.
fn without_lines(text: &str, path: &[&str]) -> Option<String> {
    let header = format!("[{}]", path.join("."));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let start = lines.iter().position(|line| line.trim_end() == header)?;
    let (before, table) = lines.split_at(start);
    let next = table.iter().skip(1).position(|line| line.starts_with('[')).map_or(table.len(), |lines| lines + 1);
    let is_of_table = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let end = table.iter().take(next).rposition(is_of_table)? + 1;
    let is_apart = before.last().is_some_and(|line| line.trim().is_empty());
    let kept = before.iter().take(before.len() - usize::from(is_apart));
    Some(kept.chain(table.iter().skip(end)).copied().collect())
}

/// The text of a document, with the line breaks that it had.
fn written(document: &DocumentMut, former: &str) -> String {
    let text = document.to_string();
    if former.contains("\r\n") { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text }
}

fn toml(value: &Value) -> toml_edit::Value {
    match value {
        Value::Array(values) => toml_edit::Value::Array(values.iter().map(toml).collect::<Array>()),
        Value::Number(number) => number.as_i64().unwrap_or_default().into(),
        Value::Bool(value) => (*value).into(),
        Value::String(text) => text.as_str().into(),
        Value::Object(fields) => toml_edit::Value::InlineTable(
            fields.iter().map(|(name, field)| (name.clone(), toml(field))).collect::<InlineTable>(),
        ),
        Value::Null => value.to_string().into(),
    }
}

/// What a reader needs of an item: texts, lists and tables of them.
fn json(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        return Value::Object(table.iter().map(|(name, item)| (name.to_owned(), json(item))).collect::<Map<_, _>>());
    }
    if let Some(list) = item.as_array() {
        return list.iter().map(|one| Value::from(one.as_str().unwrap_or_default())).collect();
    }
    item.as_str().map_or(Value::Null, Value::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PATH: [&str; 2] = ["mcp_servers", "aweave-debate"];

    fn entry() -> Value {
        json!({"command": "aw", "args": ["mcp"], "tool_timeout_sec": 3700})
    }

    #[test]
    fn setting_and_taking_out_leaves_the_rest_as_it_was() {
        for text in [
            "model = \"x\"\n",
            "model = \"x\"",
            "# only a comment\n",
            "a = 1\r\n\r\n[b] # why\r\nc = [\r\n  1,\r\n]\r\n",
            "[mcp_servers.x]\ncommand = \"x\"\n\n[z]\ny = 'é'\n# last\n",
            "mcp_servers = { x = { command = \"x\" } }\n",
            "[mcp_servers]\n",
            "mcp_servers.x.command = \"x\" # inline\n",
            "# first\r\nmcp_servers = {x = { command = \"x\" } } # why\r\n\r\n[a]\r\nb = \"\"\"\r\nx\"\"\"\r\n",
            "a = 1\r\nmcp_servers.x.command = \"x\"\r\nmcp_servers.x.args = []\r\n",
        ] {
            let entered = with_value(text, &PATH, &entry()).unwrap();
            assert_eq!(value(&entered, &PATH).unwrap().unwrap()["args"], json!(["mcp"]), "{entered}");
            let left = without_value(&entered, &PATH).unwrap().unwrap();
            assert_eq!(left.trim_end(), text.trim_end(), "{entered}");
        }
        let entered = with_value("", &PATH, &entry()).unwrap();
        assert_eq!(
            entered,
            "[mcp_servers.aweave-debate]\ncommand = \"aw\"\nargs = [\"mcp\"]\ntool_timeout_sec = 3700\n"
        );
        assert_eq!(without_value(&entered, &PATH), Ok(None));
    }

    #[test]
    fn what_was_changed_since_stays() {
        let entered = with_value("a = 1 # one\n", &PATH, &entry()).unwrap();
        let changed = entered.replace("[\"mcp\"]", "[\"mcp\", \"--role\", \"opponent\"] # mine") + "\n[b]\nc = 2\n";
        assert_eq!(value(&changed, &PATH).unwrap().unwrap()["args"], json!(["mcp", "--role", "opponent"]));
        let left = without_value(&changed, &PATH).unwrap().unwrap();
        assert_eq!(left, "a = 1 # one\n\n[b]\nc = 2\n");
        let commented = changed.replace("\n[b]", "\n# of b\n[b]");
        assert_eq!(without_value(&commented, &PATH).unwrap().unwrap(), "a = 1 # one\n\n# of b\n[b]\nc = 2\n");
        let set = with_value(&changed, &[&PATH[..], &["args"]].concat(), &json!(["mcp"])).unwrap();
        assert!(set.contains("args = [\"mcp\"]") && set.ends_with("\n[b]\nc = 2\n"), "{set}");
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
            let Malformed(message) = with_value(text, &PATH, &entry()).unwrap_err();
            assert!(message.starts_with(place), "{text}: {message}");
        }
    }
}
