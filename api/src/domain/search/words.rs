//! The words of a search.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::normal_form::searchable;

/// The most characters of a query, in NFC.
pub const MAX_QUERY_CHARACTERS: usize = 200;

/// The most words of a query.
pub const MAX_QUERY_WORDS: usize = 8;

/// The fewest characters of a word that an index finds. Shorter ones only narrow what is found by the others.
const INDEXED_CHARACTERS: usize = 3;

/// The words that a text must have to be found, all of them.
///
/// A query is split into words at white space. What stands within a pair of quotation marks is one word, in which a run of white space
/// matches any run: a pair opens where a word begins and closes where one ends, and any other quotation mark is a character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchWords {
    /// None is empty; all are in the form that [`searchable`] gives texts
    words: Vec<String>,
    finds_anything: bool,
}

/// Why a query cannot be searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SearchWordsError {
    /// It is empty.
    #[error("is empty; it must be the text to search for")]
    Empty,
    /// It is too long.
    #[error("has {0} characters; at most {MAX_QUERY_CHARACTERS} are allowed")]
    TooLong(usize),
    /// It has too many words.
    #[error("has {0} words; at most {MAX_QUERY_WORDS} are allowed, and text in quotation marks counts as one")]
    TooManyWords(usize),
}

impl SearchWords {
    /// The words of a query.
    pub fn parse(q: &str) -> Result<Self, SearchWordsError> {
        if q.is_empty() {
            return Err(SearchWordsError::Empty);
        }
        let characters = q.nfc().count();
        if characters > MAX_QUERY_CHARACTERS {
            return Err(SearchWordsError::TooLong(characters));
        }
        let words = split(&searchable(q));
        if words.len() > MAX_QUERY_WORDS {
            return Err(SearchWordsError::TooManyWords(words.len()));
        }
        let finds_anything = words.iter().any(|word| word.chars().any(is_letter_or_digit));
        Ok(Self { words, finds_anything })
    }

    /// Whether any word has a letter or a digit. Without one no text is found.
    pub fn finds_anything(&self) -> bool {
        self.finds_anything
    }

    /// Whether no word is long enough for an index.
    pub fn are_all_short(&self) -> bool {
        self.iter().all(is_short_word)
    }

    /// The words.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// The first place, in bytes, where a searchable form has one of the words; none if it does not have all of them.
    pub fn first_match(&self, form: &str) -> Option<usize> {
        let places: Option<Vec<usize>> = self.iter().map(|word| form.find(word)).collect();
        places?.into_iter().min()
    }
}

/// Whether a word is too short for an index.
pub fn is_short_word(word: &str) -> bool {
    word.chars().count() < INDEXED_CHARACTERS
}

/// Whether the general category is L, M or N.
fn is_letter_or_digit(character: char) -> bool {
    matches!(
        character.general_category_group(),
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark | GeneralCategoryGroup::Number
    )
}

/// The words of a query in its searchable form, which has no other white space than single spaces.
fn split(form: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = form;
    loop {
        rest = rest.trim_start_matches(' ');
        let quoted = rest.strip_prefix('"').and_then(|inner| Some((inner, closing_mark(inner)?)));
        let word = if let Some((inner, end)) = quoted {
            rest = &inner[end + 1..];
            &inner[..end]
        } else {
            let (word, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
            rest = after;
            word
        };
        if !word.trim_matches(' ').is_empty() {
            words.push(word.to_owned());
        }
        if rest.is_empty() {
            return words;
        }
    }
}

/// The place of the first quotation mark that ends a word.
fn closing_mark(inner: &str) -> Option<usize> {
    let mut marks = inner.match_indices('"').map(|(at, _)| at);
    marks.find(|at| matches!(inner[at + 1..].chars().next(), None | Some(' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(q: &str) -> Vec<String> {
        SearchWords::parse(q).unwrap().words
    }

    #[test]
    fn a_query_is_split_at_white_space_and_quotation_marks_keep_words_together() {
        for (q, expected) in [
            ("Retry  BUDGET", &["retry", "budget"][..]),
            (" a\tb\u{A0}c\n", &["a", "b", "c"]),
            ("\"Retry \n budget\" x", &["retry budget", "x"]),
            ("“Retry budget” „x‟", &["retry budget", "x"]),
            ("\"a\" \"b c\"", &["a", "b c"]),
            ("5\" disk", &["5\"", "disk"]),
            ("say \"no\" to", &["say", "no", "to"]),
            ("\"a\"b c\"", &["a\"b c"]),
            ("\"not closed", &["\"not", "closed"]),
            ("\" a \" b", &[" a ", "b"]),
            ("\" a", &["\"", "a"]),
            ("\"\" a \" \"", &["a"]),
            ("\"\"\"", &["\""]),
            ("x=\"a b\"", &["x=\"a", "b\""]),
            ("don’t cʼest", &["don't", "c'est"]),
            ("e\u{301}tude", &["\u{e9}tude"]),
            ("   ", &[]),
        ] {
            assert_eq!(words(q), expected, "{q:?}");
        }
    }

    #[test]
    fn only_what_has_a_letter_a_mark_or_a_digit_finds_anything() {
        for (q, expected) in [
            ("%", false),
            ("-- \"!?\"", false),
            ("\"", false),
            ("🦀 Ⓐ", false),
            (" ", false),
            ("-- a", true),
            ("7", true),
            ("½", true),
            ("語", true),
            ("\u{301}", true),
        ] {
            assert_eq!(SearchWords::parse(q).unwrap().finds_anything(), expected, "{q:?}");
        }
    }

    #[test]
    fn a_query_has_at_most_200_characters_and_8_words() {
        let parse = |q: &str| SearchWords::parse(q).map(drop);
        assert_eq!(parse(""), Err(SearchWordsError::Empty));
        assert_eq!(parse(&"a".repeat(200)), Ok(()));
        assert_eq!(parse(&"a\u{301}".repeat(200)), Ok(()), "they are counted in NFC");
        assert_eq!(parse(&"a".repeat(201)), Err(SearchWordsError::TooLong(201)));
        assert_eq!(parse("a b c d e f g h"), Ok(()));
        assert_eq!(parse("a b c d e f g \"h i j\""), Ok(()));
        assert_eq!(parse("a b c d e f g h i"), Err(SearchWordsError::TooManyWords(9)));
    }

    #[test]
    fn a_text_must_have_all_words() {
        let first = |q: &str, text: &str| SearchWords::parse(q).unwrap().first_match(&searchable(text));
        assert_eq!(first("budget retry", "A Retry-BUDGET"), Some(2));
        assert_eq!(first("budget nowhere", "A retry budget"), None);
        assert_eq!(first("\"retry budget\"", "a retry\n\tBudget"), Some(2));
        assert_eq!(first("\"retry budget\"", "a retry-budget"), None);
    }
}
