//! What the schemas of tools say of arguments besides their types. The keywords that begin with `x-` are for
//! `mcp::arguments`, and left out of what clients see:
//!
//! - `x-text-of`: the file that it names is read, and its text is the argument with this name
//! - `x-new-id`: where it is left out, an id is made
//! - `x-one-or-several`: one text stands for a list of it; only an arbitrator is told of lists
//! - `x-also`: another name of the argument
//! - `x-not-with`: an argument that cannot be given beside it

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

use super::content::STDIN;
use crate::{client::Named, output::invocation::TEXT_PLACEHOLDER};

/// One of the names of an enumeration of the contract.
pub fn name_of<T: Named>(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "enum": T::NAMES})
}

/// Several of these names.
pub fn names_of<T: Named>(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": name_of::<T>(generator)})
}

/// An object with any fields.
pub fn object(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "object"})
}

/// A list of changes of issues.
pub fn changes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": {"type": "object", "required": ["change"]}})
}

/// A list of options of an appeal.
pub fn options(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "array", "items": {"type": "object", "required": ["label"]}})
}

/// Beside the text itself, the file that has it.
pub fn beside_its_path(content: &mut Schema) {
    let path =
        serde_json::json!({"type": "string", "description": "A file in place of content", "x-text-of": "content"});
    if let Some(Value::Object(properties)) = content.get_mut("properties") {
        properties.insert("path".to_owned(), path);
    }
}

/// The text of whoever calls; not what stands for one in a call that was suggested.
pub fn own_text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    match String::deserialize(value)? {
        placeholder if [TEXT_PLACEHOLDER, STDIN].contains(&&*placeholder) => {
            Err(D::Error::custom(format!("content is {placeholder}: put your text in its place")))
        }
        text => Ok(Some(text)),
    }
}

/// JSON, or a text that has it.
pub fn json_text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    let json = Value::deserialize(value)?;
    Ok(Some(json.as_str().map_or_else(|| json.to_string(), str::to_owned)))
}

/// A text, or a list of texts.
pub fn one_or_several<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    let json = Value::deserialize(value)?;
    match json.as_str() {
        Some(one) => Ok(vec![one.to_owned()]),
        None => serde_json::from_value(json).map_err(D::Error::custom),
    }
}
