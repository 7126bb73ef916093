//! What is searched, and how: in which texts, in which form they are compared, and what the words of a query are.

mod normal_form;
mod words;

pub use normal_form::{folded, searchable};
pub use words::{MAX_QUERY_CHARACTERS, MAX_QUERY_WORDS, SearchWords, SearchWordsError, is_short_word};

use super::{
    argument::{Argument, ArgumentType},
    issue::IssueNumber,
    string_enum::string_enum,
    text::Title,
};

string_enum! {
    /// The kind of a text that is searched.
    SearchKind {
        /// The text of a RULING
        Ruling = "ruling",
        /// What an argument says about an issue: title and location where it raises it, and its note
        Issue = "issue",
        /// The title of a debate
        Title = "title",
        /// The text of an argument that is no RULING
        Argument = "argument",
    }
}

/// A text that is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchedText {
    /// What it is
    pub kind: SearchKind,
    /// The issue that it is about
    pub issue: Option<IssueNumber>,
    /// The text
    pub text: String,
}

/// The most characters of a text that a hit shows.
const EXCERPT: usize = 300;

/// How many of them come before the match.
const BEFORE_MATCH: usize = 100;

/// The texts of an argument that are searched. With the first one comes the title of its debate.
pub fn searched_texts(title: &Title, argument: &Argument) -> Vec<SearchedText> {
    let kind = match argument.kind.argument_type() {
        ArgumentType::Ruling => SearchKind::Ruling,
        ArgumentType::Motion
        | ArgumentType::Claim
        | ArgumentType::Appeal
        | ArgumentType::Resolution
        | ArgumentType::Intervention => SearchKind::Argument,
    };
    let of_argument = |kind, text: &str| SearchedText { kind, issue: None, text: text.to_owned() };
    let title = (argument.seq == 1).then(|| of_argument(SearchKind::Title, title.as_str()));
    let content = of_argument(kind, argument.content.as_str());
    let issues = argument.issue_changes.iter().map(|change| {
        let parts = [&change.title, &change.location, &change.note].into_iter().flatten();
        let text = parts.map(String::as_str).collect::<Vec<_>>().join("\n");
        SearchedText { kind: SearchKind::Issue, issue: Some(change.issue), text }
    });
    title.into_iter().chain([content]).chain(issues).filter(|searched| !searched.text.is_empty()).collect()
}

/// At most 300 characters of a text around the first word that it has; none if it does not have all words.
pub fn excerpt(text: &str, words: &SearchWords) -> Option<String> {
    let at = words.first_match(&searchable(text))?;
    let first = normal_form::original_place(text, at);
    let last_start = text.chars().count().saturating_sub(EXCERPT);
    Some(text.chars().skip(first.saturating_sub(BEFORE_MATCH).min(last_start)).take(EXCERPT).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, q: &str) -> String {
        excerpt(text, &SearchWords::parse(q).unwrap()).unwrap()
    }

    #[test]
    fn an_excerpt_has_the_first_match_and_as_much_around_it_as_it_may() {
        let long = format!("{}ĐỒNG{}đồng", "á".repeat(500), "b".repeat(500));
        let excerpt_of_long = shown(&long, "đồng");
        assert_eq!(excerpt_of_long.chars().count(), 300);
        assert_eq!(excerpt_of_long.split_once("ĐỒNG").map(|(before, _)| before.chars().count()), Some(100));
        assert_eq!(shown(&long, "bbb").chars().filter(|c| *c == 'á').count(), 96);
        let end = format!("{}end", "x".repeat(1_000));
        assert_eq!(shown(&end, "end"), end[703..]);
        assert_eq!(shown("short", "or"), "short");
        assert_eq!(excerpt("short", &SearchWords::parse("or long").unwrap()), None);
    }

    #[test]
    fn an_excerpt_is_of_the_original_text_however_much_shorter_its_form_is() {
        let text = format!("{}{}“NEEDLE”{}", "a\u{301}".repeat(400), " \n".repeat(400), "z".repeat(400));
        assert_eq!(shown(&text, "needle").split_once("NEEDLE").map(|(before, _)| before.chars().count()), Some(100));
    }
}
