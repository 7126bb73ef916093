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
    let former = read(text, path)?;
    let added = match (former, value) {
        // A table at the end changes nothing else. Where tables are within a line or have no header, it cannot be there.
        (None, Some(value)) => Some(with_table(text, path, value)),
        (Some(value), None) => without_table(text, &created(path, &value)),
        (None, None) => return Ok(text.to_owned()),
        (Some(_), Some(_)) => None,
    };
    if let Some(new) = added.filter(|new| read(new, path).is_ok_and(|found| found.as_ref() == value)) {
        return Ok(new);
    }
    let mut document = parse(text)?;
    match value {
        Some(value) => set(document.as_item_mut(), path, value),
        None => take_out(document.as_item_mut(), path),
    }
    Ok(with_line_breaks_of(text, &document.to_string()))
}

/// The text of a new file with a value at a path.
pub fn created(path: &[&str], value: &Value) -> String {
    let mut document = DocumentMut::new();
    set(document.as_item_mut(), path, value);
    document.to_string()
}

/// Whether a text has nothing but what [`created`] writes for a path. What was added to a file that was there begins with a line
/// break.
pub fn is_created(text: &str, path: &[&str]) -> bool {
    let value = read(text, path).ok().flatten();
    value.is_some_and(|value| text.replace("\r\n", "\n") == created(path, &value))
}

/// The text with a table after its end. It begins with a line break, and ends with one if the text does.
fn with_table(text: &str, path: &[&str], value: &Value) -> String {
    let table = format!("\n{}", created(path, value));
    let table = if text.ends_with('\n') { &table } else { table.trim_end() };
    text.to_owned() + &if has_crlf(text) { table.replace('\n', "\r\n") } else { table.to_owned() }
}

/// The text without a table that [`with_table`] added.
fn without_table(text: &str, table: &str) -> Option<String> {
    let table = format!("\n{table}");
    for table in [table.replace('\n', "\r\n"), table] {
        let ended = text.rfind(&table).map(|at| at..at + table.len());
        let at_the_end = || text.ends_with(table.trim_end()).then(|| text.len() - table.trim_end().len()..text.len());
        if let Some(place) = ended.or_else(at_the_end) {
            let (before, after) = (&text[..place.start], &text[place.end..]);
            // A line that had no end has the one that the table began with.
            let ends_a_line = after.is_empty() || before.ends_with('\n');
            let line_break = &table[..table.len() - table.trim_start().len()];
            return Some(format!("{before}{}{after}", if ends_a_line { "" } else { line_break }));
        }
    }
    None
}

/// Whether the first line ends with CR and LF.
fn has_crlf(text: &str) -> bool {
    text.split_once('\n').is_some_and(|(first, _)| first.ends_with('\r'))
}

/// The new text, whose lines that are the former one's end as they did: the library ends them as it does its own.
fn with_line_breaks_of(former: &str, new: &str) -> String {
    let lines = |text| -> Vec<&str> { str::split_inclusive(text, '\n').collect() };
    let (former_lines, new_lines) = (lines(former), lines(new));
    let is_same = |one: &str, other: &str| one.trim_end_matches(['\r', '\n']) == other.trim_end_matches(['\r', '\n']);
    let same =
        |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(one, other)| is_same(one, other)).count();
    let start = same(&mut former_lines.iter().zip(&new_lines));
    let end = same(&mut former_lines[start..].iter().rev().zip(new_lines[start..].iter().rev()));
    let changed = new_lines[start..new_lines.len() - end].concat().replace("\r\n", "\n");
    let changed = if has_crlf(former) { changed.replace('\n', "\r\n") } else { changed };
    former_lines[..start].concat() + &changed + &former_lines[former_lines.len() - end..].concat()
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
    fn within_a_line_all_other_lines_stay_as_they_were() {
        for text in [
            "mcp_servers = { x = { command = \"x\" } }\n",
            "mcp_servers = {}",
            "mcp_servers.x.command = \"x\" # inline\n",
            "# first\r\nmcp_servers = {x = { command = \"x\" } } # why\r\n\r\n[a]\r\nb = \"\"\"\r\nx\"\"\"\r\n",
            "a = '''\nx\r\ny'''\nmcp_servers = {x = { command = \"x\" } }\nb = '''\nx\r\ny'''\n",
            "a = 1\r\nmcp_servers.x.command = \"x\"\r\nmcp_servers.x.args = []\r\n",
        ] {
            let entered = changed(text, &PATH, Some(&entry())).unwrap();
            assert_eq!(read(&entered, &PATH).unwrap().unwrap()["args"], json!(["mcp"]), "{entered}");
            let left = changed(&entered, &PATH, None).unwrap();
            assert_eq!(left.trim_end(), text.trim_end(), "{entered}");
        }
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
