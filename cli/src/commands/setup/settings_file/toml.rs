//! Settings in TOML, as codex has them.

use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table};

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>().map_err(|error| {
        let display = error.to_string();
        let place = display.lines().next().unwrap_or_default();
        format!("{place}: {}", error.message().lines().next().unwrap_or_default())
    })
}

pub fn read(text: &str) -> Result<Value, String> {
    Ok(json(parse(text)?.as_item()))
}

/// The text with a value at this path, or without the one that is there.
pub fn changed(text: &str, path: &[&str], value: Option<&Value>) -> Result<String, String> {
    let mut document = parse(text)?;
    match value {
        Some(value) => set(document.as_item_mut(), path, value),
        None => take_out(document.as_item_mut(), path),
    }
    // The library writes its own line breaks.
    let new = document.to_string();
    Ok(if text.contains("\r\n") { new.replace("\r\n", "\n").replace('\n', "\r\n") } else { new })
}

fn set(parent: &mut Item, path: &[&str], value: &Value) {
    // An inline table and dotted keys hold no table with a header of its own.
    let has_headers = parent.as_table().is_some_and(|table| !table.is_dotted());
    let Some((table, (name, rest))) = parent.as_table_like_mut().zip(path.split_first()) else { return };
    if !rest.is_empty() {
        let mut implicit = Table::new();
        implicit.set_implicit(true);
        return set(table.entry(name).or_insert(Item::Table(implicit)), rest, value);
    }
    let item = Item::Value(toml(value));
    let item = if has_headers { item.into_table().map_or_else(|item| item, Item::Table) } else { item };
    table.insert(name, item);
}

fn take_out(parent: &mut Item, path: &[&str]) {
    let Some((table, (name, rest))) = parent.as_table_like_mut().zip(path.split_first()) else { return };
    if rest.is_empty() {
        table.remove(name);
    } else if let Some(inner) = table.get_mut(name) {
        take_out(inner, rest);
    }
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
            let entered = changed(text, &PATH, Some(&entry())).unwrap();
            assert_eq!(read(&entered).unwrap()[PATH[0]][PATH[1]]["args"], json!(["mcp"]), "{entered}");
            let left = changed(&entered, &PATH, None).unwrap();
            assert_eq!(left.trim_end(), text.trim_end(), "{entered}");
        }
        let entered = changed("", &PATH, Some(&entry())).unwrap();
        assert_eq!(
            entered,
            "[mcp_servers.aweave-debate]\ncommand = \"aw\"\nargs = [\"mcp\"]\ntool_timeout_sec = 3700\n"
        );
        assert_eq!(changed(&entered, &PATH, None).unwrap(), "");
    }

    #[test]
    fn what_was_changed_since_stays() {
        let entered = changed("a = 1 # one\n", &PATH, Some(&entry())).unwrap();
        let new = entered.replace("[\"mcp\"]", "[\"mcp\", \"--role\", \"opponent\"] # mine") + "\n[b]\nc = 2\n";
        assert_eq!(read(&new).unwrap()[PATH[0]][PATH[1]]["args"], json!(["mcp", "--role", "opponent"]));
        let left = changed(&new, &PATH, None).unwrap();
        assert_eq!(left, "a = 1 # one\n\n[b]\nc = 2\n");
        let commented = new.replace("\n[b]", "\n# of b\n[b]");
        assert_eq!(changed(&commented, &PATH, None).unwrap(), "a = 1 # one\n\n# of b\n[b]\nc = 2\n");
        let set = changed(&new, &[&PATH[..], &["args"]].concat(), Some(&json!(["mcp"]))).unwrap();
        assert!(set.contains("args = [\"mcp\"]") && set.ends_with("\n[b]\nc = 2\n"), "{set}");
    }

    #[test]
    fn a_malformed_text_is_refused_with_its_place() {
        for (text, place) in [
            ("a = \n", "line 1, column"),
            ("a = 1\nb c = 2\n", "line 2, column 3"),
            ("a = 1\na = 2\n", "line 2, column 1"),
        ] {
            let message = changed(text, &PATH, Some(&entry())).unwrap_err();
            assert!(message.contains(place), "{text}: {message}");
        }
    }
}
