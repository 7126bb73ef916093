//! Which texts are accepted: within their length limit and without control characters. Texts are never normalised.

use serde::Serialize;

/// The unit of a length limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes in UTF-8
    Bytes,
    /// Unicode code points
    Characters,
}

impl Unit {
    fn measure(self, text: &str) -> usize {
        match self {
            Self::Bytes => text.len(),
            Self::Characters => text.chars().count(),
        }
    }

    /// Its name in plural.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Characters => "characters",
        }
    }
}

/// The length limit of a text, and whether it may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRule {
    /// The maximum length
    pub limit: usize,
    /// The unit of `limit`
    pub unit: Unit,
    /// Whether the text may be empty
    pub may_be_empty: bool,
}

impl TextRule {
    /// The most bytes that a text may have which follows the rule.
    pub fn max_bytes(&self) -> usize {
        match self.unit {
            Unit::Bytes => self.limit,
            Unit::Characters => self.limit * char::MAX.len_utf8(),
        }
    }
}

/// Why a text is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// A required text is empty.
    #[error("must not be empty")]
    Empty,
    /// The text is longer than its limit.
    #[error("is too long: {actual} {}, the limit is {limit}", unit.name())]
    TooLarge {
        /// The maximum length
        limit: usize,
        /// The actual length
        actual: usize,
        /// The unit of both
        unit: Unit,
    },
    /// The text contains a control character, which could mislead a terminal or a reader.
    #[error("contains U+{:04X} at position {position}; control characters are not allowed", u32::from(*character))]
    Forbidden {
        /// The first such character
        character: char,
        /// Its position in code points, from 0
        position: usize,
    },
}

/// Forbidden are C0 control characters except tab, newline and carriage return, DEL, C1 and the Unicode tag block.
fn is_forbidden(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => false,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

impl TextRule {
    /// Checks the length only.
    pub fn check_size(&self, text: &str) -> Result<(), TextError> {
        // Each code point has at least one byte, so a text that is short in bytes need not be counted.
        if text.len() <= self.limit {
            return Ok(());
        }
        let actual = self.unit.measure(text);
        if actual > self.limit {
            return Err(TextError::TooLarge { limit: self.limit, actual, unit: self.unit });
        }
        Ok(())
    }

    /// Checks the length, then whether the text is empty, then its characters.
    pub fn check(&self, text: &str) -> Result<(), TextError> {
        self.check_size(text)?;
        if text.is_empty() && !self.may_be_empty {
            return Err(TextError::Empty);
        }
        check_characters(text)
    }
}

/// Checks that the text contains no control characters.
pub fn check_characters(text: &str) -> Result<(), TextError> {
    match text.chars().enumerate().find(|(_, character)| is_forbidden(*character)) {
        Some((position, character)) => Err(TextError::Forbidden { character, position }),
        None => Ok(()),
    }
}

/// The configurable length limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum size of the content of an argument in bytes (`--max-content-bytes`)
    pub max_content_bytes: usize,
    /// The maximum size of the content of a document in bytes (`--max-document-bytes`)
    pub max_document_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_content_bytes: 10_240, max_document_bytes: 1_048_576 }
    }
}

impl Limits {
    /// The rule for the content of all arguments except INTERVENTION.
    pub fn content(&self) -> TextRule {
        TextRule { limit: self.max_content_bytes, unit: Unit::Bytes, may_be_empty: false }
    }

    /// The rule for the content of an INTERVENTION, which may be empty.
    pub fn intervention(&self) -> TextRule {
        TextRule { may_be_empty: true, ..self.content() }
    }

    /// The rule for the content of a document.
    pub fn document(&self) -> TextRule {
        TextRule { limit: self.max_document_bytes, unit: Unit::Bytes, may_be_empty: true }
    }
}

macro_rules! text {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        pub struct $name(String);

        impl $name {
            /// A text from the database, which was checked when it was stored, possibly with another limit.
            pub(crate) fn from_store(text: String) -> Self {
                Self(text)
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The text.
            pub fn into_string(self) -> String {
                self.0
            }
        }
    };
}

text! {
    /// The content of an argument or a document.
    Content
}
text! {
    /// The title of a debate: 1 to 200 code points.
    Title
}
text! {
    /// The summary of a version of a document: 0 to 500 code points.
    Summary
}

impl Content {
    /// Accepts `text` if it follows `rule`.
    pub fn parse(text: String, rule: TextRule) -> Result<Self, TextError> {
        rule.check(&text).map(|()| Self(text))
    }
}

impl Title {
    /// The rule for titles.
    pub const RULE: TextRule = TextRule { limit: 200, unit: Unit::Characters, may_be_empty: false };

    /// Accepts `text` if it follows [`Title::RULE`].
    pub fn parse(text: String) -> Result<Self, TextError> {
        Self::RULE.check(&text).map(|()| Self(text))
    }
}

impl Summary {
    /// The rule for summaries.
    pub const RULE: TextRule = TextRule { limit: 500, unit: Unit::Characters, may_be_empty: true };

    /// Accepts `text` if it follows [`Summary::RULE`].
    pub fn parse(text: String) -> Result<Self, TextError> {
        Self::RULE.check(&text).map(|()| Self(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_in_bytes_counts_bytes_and_one_in_characters_counts_code_points() {
        let limits = Limits { max_content_bytes: 9, ..Limits::default() };
        assert!(Content::parse("ệệệ".into(), limits.content()).is_ok());
        let error = Content::parse("ệệệa".into(), limits.content()).unwrap_err();
        assert_eq!(error, TextError::TooLarge { limit: 9, actual: 10, unit: Unit::Bytes });
        assert!(Title::parse("ệ".repeat(200)).is_ok());
        let error = Title::parse("ệ".repeat(201)).unwrap_err();
        assert_eq!(error, TextError::TooLarge { limit: 200, actual: 201, unit: Unit::Characters });
    }

    #[test]
    fn only_the_content_of_an_intervention_may_be_empty() {
        let limits = Limits::default();
        assert_eq!(Content::parse(String::new(), limits.content()), Err(TextError::Empty));
        assert!(Content::parse(String::new(), limits.intervention()).is_ok());
        assert_eq!(Title::parse(String::new()), Err(TextError::Empty));
    }

    #[test]
    fn the_error_for_a_control_character_has_its_position_in_code_points() {
        for character in ['\u{0}', '\u{8}', '\u{b}', '\u{1b}', '\u{7f}', '\u{80}', '\u{9f}', '\u{e0000}', '\u{e007f}'] {
            let error = Title::parse(format!("ệ😀{character}x")).unwrap_err();
            assert_eq!(error, TextError::Forbidden { character, position: 2 });
        }
        let error = Title::parse("\u{1b}[31m".into()).unwrap_err();
        assert!(error.to_string().contains("U+001B at position 0"), "{error}");
    }

    #[test]
    fn other_texts_are_accepted_unchanged() {
        for text in ["tab\tnewline\r\n", "\u{feff}BOM", "e\u{301} is not \u{e9}", "👩‍👩‍👧", "\u{a0}", "\u{10ffff}"]
        {
            assert_eq!(Title::parse(text.into()).unwrap().as_str(), text);
        }
    }
}
