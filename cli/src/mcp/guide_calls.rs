//! The guides with calls of tools in place of command lines. In them both stand as code.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

use super::tools::{self, Tool};
use crate::{commands::debate::moves::options, output::reader};

/// A command line as a call of its tool: `debate_show {"debate_id":"…"}`. `None` if it is not the line of one.
pub fn call(line: &str) -> Option<String> {
    let words = shlex::split(line)?;
    let [program, group, verb, rest @ ..] = &words[..] else { return None };
    let tool = tools::of_command(group, verb).filter(|_| program == "aw")?;
    let arguments = call_arguments(tool, rest)?;
    Some(if arguments.is_empty() { tool.name() } else { format!("{} {}", tool.name(), Value::from(arguments)) })
}

/// Options and values as the arguments of a tool.
fn call_arguments(tool: &Tool, words: &[String]) -> Option<JsonObject> {
    let properties = tool.properties();
    let mut fields = JsonObject::new();
    let mut effects = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix("--") else {
            // What has no name in a command is the first that a tool has to get.
            fields.insert(tool.required().next()?.to_owned(), json!(word));
            continue;
        };
        match option {
            "effect" => effects.push(words.next()?.clone()),
            // How a shell gets the answer.
            "format" => drop(words.next()?),
            "file" => drop(fields.insert("path".to_owned(), json!(words.next()?))),
            option => {
                let name = option.replace('-', "_");
                let property = properties.get(&name)?;
                let value = match property["type"].as_str() {
                    Some("boolean") => true.into(),
                    Some("integer" | "object") => {
                        words.next().map(|word| serde_json::from_str(word).unwrap_or(json!(word)))?
                    }
                    _ => json!(words.next()?),
                };
                match fields.get_mut(&name) {
                    Some(Value::Array(values)) => values.push(value),
                    Some(first) => *first = json!([first.take(), value]),
                    None if property["type"] == "array" && property["x-one-or-several"] != true => {
                        drop(fields.insert(name, json!([value])))
                    }
                    None => drop(fields.insert(name, value)),
                }
            }
        }
    }
    // What an option decides stands in the option.
    if let Some(texts) = fields.get("option").cloned() {
        let texts = serde_json::from_value::<Vec<String>>(texts).ok()?;
        fields.insert("option".to_owned(), json!(options(&texts, &effects).ok()?));
    }
    Some(fields)
}

/// A guide with calls in place of command lines. `writer` is the tool whose options stand alone in it.
pub fn in_guide(text: &str, writer: &Tool) -> String {
    let options = |code: &str| {
        let words = shlex::split(code)?;
        match (call_arguments(writer, &words), &words[..]) {
            (Some(fields), _) => {
                let fields = Value::from(fields).to_string();
                Some(fields[1..fields.len() - 1].to_owned())
            }
            // Only its name
            (None, [option]) => Some(reader::for_tools_at_once(|| reader::option(option))),
            (None, _) => None,
        }
    };
    let code = |code: &str| {
        let call = call(code).or_else(|| code.starts_with("--").then(|| options(code)).flatten());
        call.unwrap_or_else(|| code.to_owned())
    };
    let line = |line: &str| match line.strip_prefix("    ") {
        Some(command) => format!("    {}", code(command)),
        None => {
            let parts = line.split('`').enumerate();
            let parts = parts.map(|(number, part)| if number % 2 == 1 { code(part) } else { part.to_owned() });
            parts.collect::<Vec<_>>().join("`")
        }
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_becomes_a_call() {
        for (line, expected) in [
            ("aw debate list", Some("debate_list")),
            (
                "aw debate show --debate-id X --argument-id '#5' --format markdown",
                Some(r##"debate_show {"debate_id":"X","argument_id":"#5"}"##),
            ),
            (
                "aw debate wait --debate-id X --debate-id Y --timeout 5 --until-opened",
                Some(r#"debate_wait {"debate_id":["X","Y"],"timeout":5,"until_opened":true}"#),
            ),
            (
                r"aw docs submit ID --summary 'it'\''s' --file a.md",
                Some(r#"docs_submit {"document_id":"ID","summary":"it's","path":"a.md"}"#),
            ),
            (
                "aw debate appeal --debate-id X --option 'A: b' --option C --effect '1: dismiss I2: why' --file a.md",
                Some(
                    r##"debate_appeal {"debate_id":"X","option":[{"detail":"b","label":"A"},{"issue_changes":[{"change":"dismiss","issue":"I2","note":"why"}],"label":"C"}],"path":"a.md"}"##,
                ),
            ),
            ("aw debate export --debate-id X", None),
            ("aw debate list --unknown x", None),
            ("aw doctor", None),
            ("aw debate list 'open", None),
        ] {
            assert_eq!(call(line).as_deref(), expected, "{line}");
        }
    }
}
