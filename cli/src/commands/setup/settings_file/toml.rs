//! Settings in TOML, as codex has them. They are changed as a text, so that all else keeps every byte.

use std::ops::Range;

use serde_json::{Map, Value};
use toml_edit::{Array, Document, InlineTable, Item, Key};

use super::json_items::{Container, Removal, line_break};

fn parse(text: &str) -> Result<Document<&str>, String> {
    Document::parse(text).map_err(|error| {
        let display = error.to_string();
        let place = display.lines().next().unwrap_or_default();
        format!("{place}: {}", error.message().lines().next().unwrap_or_default())
    })
}

/// The value at a path, if it is there.
pub fn read(text: &str, path: &[&str]) -> Result<Option<Value>, String> {
    let mut value = json(parse(text)?.as_item());
    let mut parent = "it";
    for name in path {
        let Value::Object(mut fields) = value else { return Err(format!("{parent} is not an object")) };
        let Some(field) = fields.remove(*name) else { return Ok(None) };
        (parent, value) = (name, field);
    }
    Ok(Some(value))
}

/// The text with a value at this path, or without the one that is there.
pub fn changed(text: &str, path: &[&str], value: Option<&Value>) -> Result<String, String> {
    let is_there = read(text, path)?.is_some();
    let document = parse(text)?;
    let inline = inline_table(&document, path);
    let new = match (is_there, value) {
        (false, None) => return Ok(text.to_owned()),
        (true, Some(value)) => find(&document, path).and_then(|(_, item)| {
            let Range { start, end } = item.as_value()?.span()?;
            Some(format!("{}{}{}", &text[..start], toml(value), &text[end..]))
        }),
        (false, Some(value)) => match (inline, path.last()) {
            (Some((table, _)), Some(name)) => {
                Some(table.with_item(text, &format!("{} = {}", Key::new(*name), toml(value))))
            }
            // A table at the end changes nothing else.
            _ => Some(with_table(text, path, value)),
        },
        (true, None) => match inline {
            Some((table, index)) => index.map(|index| match table.without_item(text, index) {
                Removal::Item(text) => text,
                Removal::Container => table.emptied(text),
            }),
            None => without_lines(text, &document, path),
        },
    };
    let new = new.filter(|new| read(new, path).is_ok_and(|found| found.as_ref() == value));
    new.ok_or_else(|| format!("{} cannot be changed there", path.join(".")))
}

/// Where the elements of the list at a path are.
pub fn elements(text: &str, path: &[&str]) -> Result<Vec<Range<usize>>, String> {
    let document = parse(text)?;
    let list = find(&document, path).and_then(|(_, item)| item.as_array());
    let places = list.and_then(|list| list.iter().map(toml_edit::Value::span).collect());
    places.ok_or_else(|| format!("{} is not a list", path.join(".")))
}

/// The text of a new file with a value at a path.
pub fn created(path: &[&str], value: &Value) -> String {
    let fields = value.as_object().into_iter().flatten();
    let lines = fields.map(|(name, field)| format!("{} = {}\n", Key::new(name), toml(field)));
    format!("[{}]\n{}", dotted(path), lines.collect::<String>())
}

/// Whether a text has nothing but what [`created`] writes for a path. What was added to a file that was there begins with a line
/// break.
pub fn is_created(text: &str, path: &[&str]) -> bool {
    let value = read(text, path).ok().flatten();
    value.is_some_and(|value| text.replace("\r\n", "\n") == created(path, &value))
}

/// The text with a table after its end. It begins with a line break, and ends with one if the last line does.
fn with_table(text: &str, path: &[&str], value: &Value) -> String {
    let table = format!("\n{}", created(path, value));
    let table = if text.is_empty() || text.ends_with('\n') { &table } else { table.trim_end() };
    text.to_owned() + &table.replace('\n', line_break(text))
}

/// The text without the lines that a value is in, and the line break that [`with_table`] began with.
fn without_lines(text: &str, document: &Document<&str>, path: &[&str]) -> Option<String> {
    let (key, item) = find(document, path)?;
    let mut places = places(key, item);
    places.sort_unstable_by_key(|place| place.start);
    let (mut kept, mut at) = (String::new(), 0);
    for place in places {
        let lines = lines_of(text, &place);
        kept += text.get(at..lines.start).unwrap_or_default();
        at = lines.end;
        let without_break = kept.strip_suffix('\n').map(|kept| kept.strip_suffix('\r').unwrap_or(kept));
        let Some(without_break) = without_break else { continue };
        let is_empty_line = without_break.is_empty() || without_break.ends_with('\n');
        let is_header = text[place.start..].starts_with('[');
        if (is_header && is_empty_line) || (at == text.len() && !text.ends_with('\n')) {
            kept.truncate(without_break.len());
        }
    }
    Some(kept + &text[at..])
}

/// The key and what it leads to at a path.
fn find<'a>(document: &'a Document<&str>, path: &[&str]) -> Option<(&'a Key, &'a Item)> {
    let (name, parents) = path.split_last()?;
    let parent = parents.iter().try_fold(document.as_item(), |item, name| item.get(name))?;
    parent.as_table_like()?.get_key_value(name)
}

/// The table within a line that a path leads to, and which of its items is at the end of the path.
fn inline_table(document: &Document<&str>, path: &[&str]) -> Option<(Container, Option<usize>)> {
    let (name, parents) = path.split_last()?;
    let table = find(document, parents)?.1.as_inline_table()?;
    let values = table.get_values();
    let place = |(keys, value): &(Vec<&Key>, &toml_edit::Value)| Some(keys.first()?.span()?.start..value.span()?.end);
    let places = values.iter().map(place).collect::<Option<Vec<_>>>()?;
    let index = values.iter().position(|(keys, _)| matches!(keys[..], [key] if key == name));
    Some((Container::new(table.span()?, places), index))
}

/// Where the headers and values are that make up an item, each from its key on.
fn places(key: &Key, item: &Item) -> Vec<Range<usize>> {
    let own = match item {
        Item::Value(value) => key.span().zip(value.span()).map(|(key, value)| key.start..value.end),
        Item::Table(table) if !table.is_implicit() => table.span(),
        Item::None | Item::Table(_) | Item::ArrayOfTables(_) => None,
    };
    let table = item.as_table().into_iter();
    let keys = table.flat_map(|table| table.iter().filter_map(|(name, _)| table.get_key_value(name)));
    own.into_iter().chain(keys.flat_map(|(key, item)| places(key, item))).collect()
}

/// The whole lines that a place is in.
fn lines_of(text: &str, place: &Range<usize>) -> Range<usize> {
    let start = text[..place.start].rfind('\n').map_or(0, |before| before + 1);
    start..text[place.end..].find('\n').map_or(text.len(), |end| place.end + end + 1)
}

/// The keys of a path as they stand in a header or before a value.
fn dotted(path: &[&str]) -> String {
    path.iter().map(|name| Key::new(*name).to_string()).collect::<Vec<_>>().join(".")
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

/// What a reader needs of an item: texts, whole numbers, lists and tables of them.
fn json(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        return Value::Object(table.iter().map(|(name, item)| (name.to_owned(), json(item))).collect::<Map<_, _>>());
    }
    if let Some(list) = item.as_array() {
        return list.iter().map(|one| Value::from(one.as_str().unwrap_or_default())).collect();
    }
    item.as_str().map(Value::from).or_else(|| item.as_integer().map(Value::from)).unwrap_or_default()
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
    fn setting_and_taking_out_leaves_every_byte_of_the_rest_as_it_was() {
        for text in [
            "",
            "\n",
            "  \n\n",
            "model = \"x\"\n",
            "model = \"x\"",
            "# only a comment",
            "a = 1\r\n\r\n[b] # why\r\nc = [\r\n  1,\r\n]\r\n",
            "a = 1\r\nb = 2\n[c]\nd = \"\"\"\nx\ny\"\"\"\n",
            "a = 1\nb = '''\nx\r\ny'''\n[c]\nd = 1\n",
            "a='''\nx\r\ny'''\n",
            "[mcp_servers.x]\ncommand = \"x\"\n\n[z]\ny = 'é'\n# last\n",
            "[mcp_servers]\n",
            "[mcp_servers] # c\n# d\n",
            "[mcp_servers]\nx.command = \"y\"\n\n[z]\na=1\n",
            "[z]\na=1\n\n\n[mcp_servers.x]\ncommand=\"y\"\n\n# tail\n\n\n",
            "[[p]]\na=1\n[[p]]\na=2\n",
            "a = 1   \n\n\n   \n",
        ] {
            let entered = changed(text, &PATH, Some(&entry())).unwrap();
            assert!(entered.starts_with(text), "{entered}");
            assert_eq!(read(&entered, &PATH).unwrap().unwrap()["args"], json!(["mcp"]), "{entered}");
            assert!(!is_created(&entered, &PATH), "the file was there: {entered}");
            assert_eq!(changed(&entered, &PATH, None).unwrap(), text, "{entered}");
            let with_more = format!("{entered}\n[later]\na = 1\n");
            assert_eq!(changed(&with_more, &PATH, None).unwrap(), format!("{text}\n[later]\na = 1\n"), "{with_more}");
        }
    }

    #[test]
    fn within_a_line_every_byte_of_the_rest_stays_as_it_was() {
        for text in [
            "mcp_servers={}",
            "mcp_servers = { }\n",
            "mcp_servers = {x={command=\"x\"}}\n",
            "mcp_servers = { x.command = \"x\" , y . command=\"y\"  } # why",
            "mcp_servers = {  x = { command = \"x\" }, y = {}  }\n",
            "mcp_servers = {\n  x = { command = \"x, }\" }, # mine\n}\n",
            "mcp_servers = {\r\n\tx = {}\r\n}\r\n",
            "mcp_servers.x.command = \"x\"\r\nmcp_servers . x . args = [\r\n]",
            "mcp_servers.x.command = \"x\"\n\n[z]\na = 1",
            "mcp_servers = { x = { command = \"x\" } }\n",
            "mcp_servers = {}",
            "mcp_servers.x.command = \"x\" # inline\n",
            "# first\r\nmcp_servers = {x = { command = \"x\" } } # why\r\n\r\n[a]\r\nb = \"\"\"\r\nx\"\"\"\r\n",
            "a = '''\nx\r\ny'''\nmcp_servers = {x = { command = \"x\" } }\nb = '''\nx\r\ny'''\n",
            "a = 1\r\nmcp_servers.x.command = \"x\"\r\nmcp_servers.x.args = []\r\n",
        ] {
            let entered = changed(text, &PATH, Some(&entry())).unwrap();
            assert_eq!(read(&entered, &PATH).unwrap().unwrap()["args"], json!(["mcp"]), "{entered}");
            let set = changed(&entered, &[&PATH[..], &["args"]].concat(), Some(&json!(["mcp", "x"]))).unwrap();
            assert_eq!(changed(&set, &PATH, None).unwrap(), text, "{set}");
            assert_eq!(changed(&entered, &PATH, None).unwrap(), text, "{entered}");
        }
    }

    #[test]
    fn all_that_belongs_to_the_entry_is_taken_out_wherever_it_is() {
        for (text, left) in [
            ("[mcp_servers]\naweave-debate = { command = \"aw\" }\nx.y = 1\n", "[mcp_servers]\nx.y = 1\n"),
            ("mcp_servers.aweave-debate.command = \"aw\"\nmcp_servers.aweave-debate.args = [\n]\nb = 1\n", "b = 1\n"),
            (
                "[mcp_servers.aweave-debate]\ncommand = \"aw\"\n[b]\n\n[mcp_servers.aweave-debate.env]\nX = \"y\" # z\n\n[c]\n",
                "[b]\n\n[c]\n",
            ),
            ("a = 1\n[\"mcp_servers\".'aweave-debate']\ncommand = \"\"\"\n[x]\n\"\"\"", "a = 1"),
        ] {
            assert_eq!(changed(text, &PATH, None).unwrap(), left, "{text}");
        }
        let elsewhere = "mcp_servers = { aweave-debate.command = \"aw\", aweave-debate.args = [] }\n";
        assert!(changed(elsewhere, &PATH, None).unwrap_err().contains("cannot be changed there"));
    }

    #[test]
    fn a_file_that_was_made_for_it_is_told_from_one_that_was_there() {
        let made = created(&PATH, &entry());
        assert_eq!(made, "[mcp_servers.aweave-debate]\ncommand = \"aw\"\nargs = [\"mcp\"]\ntool_timeout_sec = 3700\n");
        assert!(is_created(&made, &PATH) && is_created(&made.replace('\n', "\r\n"), &PATH));
        assert!(!is_created(&format!("# mine\n{made}"), &PATH));
        assert_eq!(changed(&made, &PATH, None).unwrap(), "");
    }

    #[test]
    fn what_was_changed_since_stays() {
        let entered = changed("a = 1 # one\n", &PATH, Some(&entry())).unwrap();
        let new = entered.replace("[\"mcp\"]", "[\"mcp\", \"--role\", \"opponent\"] # mine") + "\n[b]\nc = 2\n";
        assert_eq!(read(&new, &PATH).unwrap().unwrap()["args"], json!(["mcp", "--role", "opponent"]));
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
