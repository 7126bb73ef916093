//! Settings files that others write, too: one value in them is read, set or taken out, and the rest stays as it is.

mod json;
mod json_items;
mod toml;

use std::path::Path;

use serde_json::Value;

use super::{
    Scope,
    change::{Change, Found},
};
use crate::{files::BYTE_ORDER_MARK, hosts::Host, output::Failure};

/// A settings file in TOML if its name ends so, else in JSON.
pub struct SettingsFile {
    pub found: Found,
    is_toml: bool,
}

impl SettingsFile {
    /// Reads a settings file.
    ///
    /// # Errors
    /// Where the user's home is unknown.
    pub fn open(host: Host, scope: Scope, path: &Path) -> Result<Self, Failure> {
        let is_toml = path.extension().is_some_and(|end| end == "toml");
        Ok(Self { found: Found::read(scope.place(host, path)?), is_toml })
    }

    /// Whether the file has these words.
    pub fn mentions(&self, words: &str) -> bool {
        self.found.text.iter().flatten().any(|text| text.contains(words))
    }

    /// The value at a path of names, if it is there.
    pub fn value(&self, path: &[&str]) -> Result<Option<Value>, String> {
        let Some(text) = self.found.text.as_ref().map_err(Clone::clone)? else { return Ok(None) };
        let text = text.trim_start_matches(BYTE_ORDER_MARK);
        self.read(text, path)
    }

    fn read(&self, text: &str, path: &[&str]) -> Result<Option<Value>, String> {
        if self.is_toml { toml::read(text, path) } else { json::read(text, path) }
    }

    /// The change that sets the value at a path. `None` takes it out with what only led to it, and the file if it was made for it.
    pub fn change(&self, path: &[&str], value: Option<&Value>) -> Result<Change, String> {
        let changed = if self.is_toml { toml::changed } else { json::changed };
        self.change_with(path, value, |text| changed(text, path, value))
    }

    /// The change that adds texts to the list at a path, or takes texts out, with the list if that was made for them. Lists are
    /// changed in JSON only.
    pub fn change_list(&self, path: &[&str], added: &[String], removed: &[String]) -> Result<Change, String> {
        let value = (!added.is_empty()).then(|| Value::from(added));
        self.change_with(path, value.as_ref(), |text| json::changed_list(text, path, added, removed))
    }

    /// The change that gives the list of texts at a path other texts. What is the same in both stays as it is written.
    pub fn change_texts(&self, path: &[&str], former: &[Value], new: &[Value]) -> Result<Change, String> {
        let elements = if self.is_toml { toml::elements } else { json::elements };
        let value = Value::from(new);
        self.change_with(path, Some(&value), |text| {
            let changed = json_items::with_texts(text, &elements(text, path)?, former, new);
            let changed =
                changed.filter(|changed| self.read(changed, path).is_ok_and(|read| read.as_ref() == Some(&value)));
            changed.ok_or_else(|| format!("{} cannot be changed there", path.join(".")))
        })
    }

    /// The change of the text, which is made where there is a value and no file, and goes where it was made for what is taken out.
    fn change_with(
        &self,
        path: &[&str],
        value: Option<&Value>,
        changed: impl Fn(&str) -> Result<String, String>,
    ) -> Result<Change, String> {
        let Some(former) = self.found.text.as_ref().map_err(Clone::clone)? else {
            let created = if self.is_toml { toml::created } else { json::created };
            return Ok(value.map_or(Change::None, |value| Change::Create(created(path, value))));
        };
        let text = former.trim_start_matches(BYTE_ORDER_MARK);
        let new = changed(text)?;
        if new == text {
            return Ok(Change::None);
        }
        let is_created = if self.is_toml { toml::is_created } else { json::is_created };
        let (blank, rest) = former.split_at(former.len() - text.trim_start().len());
        let has_gone = is_created(rest, path) && self.has_nothing(&new, path);
        Ok(match blank.strip_suffix('\n').filter(|_| has_gone) {
            // It was there, with no settings.
            Some(blank) => Change::Update(blank.to_owned()),
            // Somebody made a link to it.
            None if has_gone && blank.is_empty() && !self.found.is_link => Change::Delete,
            None => Change::Update(format!("{}{new}", former.strip_suffix(text).unwrap_or_default())),
        })
    }

    /// Whether a text has nothing at a path, or a list of nothing.
    fn has_nothing(&self, text: &str, path: &[&str]) -> bool {
        self.read(text, path).is_ok_and(|value| value.is_none_or(|value| value == Value::Array(Vec::new())))
    }
}
