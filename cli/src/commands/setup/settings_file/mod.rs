//! Settings files that others write, too: one value in them is read, set or taken out, and the rest stays as it is.

mod json;
mod toml;

use std::path::Path;

use serde_json::Value;

use super::change::{Change, Found};

/// Comes before the text in files of some editors.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A settings file in TOML if its name ends so, else in JSON.
pub struct SettingsFile {
    pub found: Found,
    is_toml: bool,
}

impl SettingsFile {
    /// Reads a settings file.
    pub fn open(root: &Path, path: &Path) -> Self {
        Self { found: Found::read(root, path), is_toml: path.extension().is_some_and(|end| end == "toml") }
    }

    /// Whether the file has these words.
    pub fn mentions(&self, words: &str) -> bool {
        self.found.text.iter().flatten().any(|text| text.contains(words))
    }

    /// The value at a path of names, if it is there.
    pub fn value(&self, path: &[&str]) -> Result<Option<Value>, String> {
        let Some(text) = self.found.text.as_ref().map_err(Clone::clone)? else { return Ok(None) };
        let text = text.trim_start_matches(BYTE_ORDER_MARK);
        let mut value = if self.is_toml { toml::read(text)? } else { json::read(text, path)? };
        let mut parent = "it";
        for name in path {
            let Value::Object(mut fields) = value else { return Err(format!("{parent} is not an object")) };
            let Some(field) = fields.remove(*name) else { return Ok(None) };
            (parent, value) = (name, field);
        }
        Ok(Some(value))
    }

    /// The change that sets the value at a path. `None` takes it out with what only led to it, and the file if it is empty then.
    pub fn change(&self, path: &[&str], value: Option<&Value>) -> Result<Change, String> {
        let former = self.found.text.clone()?;
        let former = former.as_deref().unwrap_or(if self.is_toml { "" } else { "{}\n" });
        let text = former.trim_start_matches(BYTE_ORDER_MARK);
        let mark = former.strip_suffix(text).unwrap_or_default();
        let new = if self.is_toml { toml::changed(text, path, value)? } else { json::changed(text, path, value)? };
        Ok(match new.split_whitespace().collect::<String>().as_str() {
            _ if self.found.text == Ok(None) => Change::Create(new),
            "" | "{}" => Change::Delete,
            _ => Change::Update(format!("{mark}{new}")),
        })
    }
}
