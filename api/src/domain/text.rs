//! Which texts are taken (SPEC section 3): verbatim, never normalised, within their limit, without control characters.

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of UTF-8
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

    /// Its name in the plural.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Characters => "characters",
        }
    }
}

/// How long a text may be, and whether it may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextRule {
    /// The longest that is taken
    pub limit: usize,
    /// What `limit` counts
    pub unit: Unit,
    /// Whether no text at all is fine
    pub may_be_empty: bool,
}

/// Why a text is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextFault {
    /// A required text is empty.
    #[error("must not be empty")]
    Empty,
    /// The text is over its limit.
    #[error("is too long: {actual} {}, at most {limit} are taken", unit.name())]
    TooLarge {
        /// The longest that is taken
        limit: usize,
        /// How long it is
        actual: usize,
        /// What both count
        unit: Unit,
    },
    /// The text holds a character that could deceive a terminal, a database or a reader.
    #[error("holds U+{:04X} at position {position}, a control character that is not taken", u32::from(*character))]
    Forbidden {
        /// The first such character
        character: char,
        /// Where it stands: code points from 0
        position: usize,
    },
}

/// Refused: C0 except tab, newline and carriage return, DEL, C1, and the Unicode tag block.
fn is_forbidden(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => false,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

impl TextRule {
    /// The length of arguments, titles and whatever else is bounded, against the limit only.
    pub fn check_size(&self, text: &str) -> Result<(), TextFault> {
        // A code point has at least one byte, so what is short in bytes need not be counted.
        if text.len() <= self.limit {
            return Ok(());
        }
        let actual = self.unit.measure(text);
        if actual > self.limit {
            return Err(TextFault::TooLarge { limit: self.limit, actual, unit: self.unit });
        }
        Ok(())
    }

    /// Everything that is asked of a text: size first, then emptiness, then its characters.
    pub fn check(&self, text: &str) -> Result<(), TextFault> {
        self.check_size(text)?;
        if text.is_empty() && !self.may_be_empty {
            return Err(TextFault::Empty);
        }
        check_characters(text)
    }
}

/// Refuses the first character that no text may hold.
pub fn check_characters(text: &str) -> Result<(), TextFault> {
    match text.chars().enumerate().find(|(_, character)| is_forbidden(*character)) {
        Some((position, character)) => Err(TextFault::Forbidden { character, position }),
        None => Ok(()),
    }
}

/// The limits that a server is set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes in an argument's content (`--max-content-bytes`)
    pub max_content_bytes: usize,
    /// Most bytes in a document's content (`--max-document-bytes`)
    pub max_document_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_content_bytes: 10_240, max_document_bytes: 1_048_576 }
    }
}

impl Limits {
    /// The rule for the content of every argument but an INTERVENTION.
    pub fn content(&self) -> TextRule {
        TextRule { limit: self.max_content_bytes, unit: Unit::Bytes, may_be_empty: false }
    }

    /// The rule for an INTERVENTION's content, which says why and may say nothing.
    pub fn intervention(&self) -> TextRule {
        TextRule { may_be_empty: true, ..self.content() }
    }

    /// The rule for the content of a document.
    pub fn document(&self) -> TextRule {
        TextRule { limit: self.max_document_bytes, unit: Unit::Bytes, may_be_empty: true }
    }
}

/// The text of an argument or of a document, verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content(String);

impl Content {
    /// Takes `text` where `rule` does.
    pub fn parse(text: String, rule: TextRule) -> Result<Self, TextFault> {
        rule.check(&text)?;
        Ok(Self(text))
    }

    /// A content that was checked when it was stored, maybe under another limit than today's.
    pub(crate) fn from_store(text: String) -> Self {
        Self(text)
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text itself.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// What a debate is called: 1 to 200 code points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title(String);

impl Title {
    /// The rule for titles.
    pub const RULE: TextRule = TextRule { limit: 200, unit: Unit::Characters, may_be_empty: false };

    /// Takes `text` where [`Title::RULE`] does.
    pub fn parse(text: String) -> Result<Self, TextFault> {
        Self::RULE.check(&text)?;
        Ok(Self(text))
    }

    /// A title that was checked when it was stored.
    pub(crate) fn from_store(text: String) -> Self {
        Self(text)
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text itself.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// What a version of a document is about: at most 500 code points, maybe none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary(String);

impl Summary {
    /// The rule for summaries.
    pub const RULE: TextRule = TextRule { limit: 500, unit: Unit::Characters, may_be_empty: true };

    /// Takes `text` where [`Summary::RULE`] does.
    pub fn parse(text: String) -> Result<Self, TextFault> {
        Self::RULE.check(&text)?;
        Ok(Self(text))
    }

    /// A summary that was checked when it was stored.
    pub(crate) fn from_store(text: String) -> Self {
        Self(text)
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text itself.
    pub fn into_string(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_in_bytes_counts_bytes_and_one_in_characters_counts_code_points() {
        let limits = Limits { max_content_bytes: 9, ..Limits::default() };
        assert!(Content::parse("ệệệ".into(), limits.content()).is_ok());
        let fault = Content::parse("ệệệa".into(), limits.content()).unwrap_err();
        assert_eq!(fault, TextFault::TooLarge { limit: 9, actual: 10, unit: Unit::Bytes });
        assert!(Title::parse("ệ".repeat(200)).is_ok());
        let fault = Title::parse("ệ".repeat(201)).unwrap_err();
        assert_eq!(fault, TextFault::TooLarge { limit: 200, actual: 201, unit: Unit::Characters });
    }

    #[test]
    fn only_an_intervention_may_say_nothing() {
        let limits = Limits::default();
        assert_eq!(Content::parse(String::new(), limits.content()), Err(TextFault::Empty));
        assert!(Content::parse(String::new(), limits.intervention()).is_ok());
        assert_eq!(Title::parse(String::new()), Err(TextFault::Empty));
    }

    #[test]
    fn control_characters_are_named_with_their_place_in_code_points() {
        for character in ['\u{0}', '\u{8}', '\u{b}', '\u{1b}', '\u{7f}', '\u{80}', '\u{9f}', '\u{e0000}', '\u{e007f}'] {
            let fault = Title::parse(format!("ệ😀{character}x")).unwrap_err();
            assert_eq!(fault, TextFault::Forbidden { character, position: 2 });
        }
        let fault = Title::parse("\u{1b}[31m".into()).unwrap_err();
        assert!(fault.to_string().contains("U+001B at position 0"), "{fault}");
    }

    #[test]
    fn everything_else_is_kept_as_it_is() {
        for text in ["tab\tnewline\r\n", "\u{feff}BOM", "e\u{301} is not \u{e9}", "👩‍👩‍👧", "\u{a0}", "\u{10ffff}"]
        {
            assert_eq!(Title::parse(text.into()).unwrap().as_str(), text);
        }
    }
}
