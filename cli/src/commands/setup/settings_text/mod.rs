//! Settings files that others write, too: one value in them is read, set or taken out, and the rest stays as it is.

mod json;
mod toml;

use std::path::Path;

use serde_json::Value;

/// How a settings file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON, which may have comments and trailing commas
    Json,
    /// TOML
    Toml,
}

/// Why a text cannot be read as its format, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

/// Comes before the text in files of some editors.
const BYTE_ORDER_MARK: char = '\u{feff}';

impl Format {
    /// The format of the file with this name.
    pub fn of(path: &Path) -> Self {
        if path.extension().is_some_and(|end| end == "toml") { Self::Toml } else { Self::Json }
    }

    /// The value at a path of names. Refuses a text in which readers could differ in what that is.
    pub fn value(self, text: &str, path: &[&str]) -> Result<Option<Value>, Malformed> {
        let (_, text) = without_mark(text);
        match self {
            Self::Json => json::value(text, path),
            Self::Toml => toml::value(text, path),
        }
    }

    /// The text with this value at the path. `None` stands for a file that is not there.
    pub fn with_value(self, text: Option<&str>, path: &[&str], value: &Value) -> Result<String, Malformed> {
        let (mark, text) = text.map_or(("", None), |text| {
            let (mark, text) = without_mark(text);
            (mark, Some(text))
        });
        let new = match self {
            Self::Json => json::with_value(text, path, value),
            Self::Toml => toml::with_value(text.unwrap_or_default(), path, value),
        };
        Ok(format!("{mark}{}", new?))
    }

    /// The text without the value at the path, and without what only led to it; `None` if nothing is left.
    pub fn without_value(self, text: &str, path: &[&str]) -> Result<Option<String>, Malformed> {
        let (mark, text) = without_mark(text);
        let new = match self {
            Self::Json => json::without_value(text, path),
            Self::Toml => toml::without_value(text, path),
        };
        Ok(new?.map(|new| format!("{mark}{new}")))
    }
}

fn without_mark(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 })
}

impl Malformed {
    /// What is wrong at this byte of the text.
    fn at(text: &str, byte: usize, reason: &str) -> Self {
        let before = text.get(..byte).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        Self(format!("line {line}, column {column}: {reason}"))
    }
}
