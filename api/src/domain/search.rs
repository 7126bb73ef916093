//! What is searched, and how: in which texts, and that letters match in either case in every language.

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

/// The text in Unicode's simple case folding, in which it has as many characters.
pub fn folded(text: &str) -> String {
    let fold = |c: char| unicode_case_mapping::case_folded(c).and_then(|folded| char::from_u32(folded.get()));
    text.chars().map(|c| fold(c).unwrap_or(c)).collect()
}

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
        let raised = change.change.raised();
        let title = raised.map(|new| new.title.as_str());
        let parts = [title, raised.and_then(|new| new.location.as_deref()), change.note.as_deref()];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join("\n");
        SearchedText { kind: SearchKind::Issue, issue: Some(change.issue), text }
    });
    title.into_iter().chain([content]).chain(issues).filter(|searched| !searched.text.is_empty()).collect()
}

/// At most 300 characters of a text around the first place where it has `q`, which is folded.
pub fn excerpt(text: &str, q: &str) -> String {
    let folded = folded(text);
    let at = folded.find(q).map_or(0, |at| folded[..at].chars().count());
    let last_start = folded.chars().count().saturating_sub(EXCERPT);
    text.chars().skip(at.saturating_sub(BEFORE_MATCH).min(last_start)).take(EXCERPT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_match_in_either_case_in_every_language_and_no_text_changes_its_length() {
        for (text, expected) in [
            ("Ngân SÁCH ĐỒNG Ý", "ngân sách đồng ý"),
            ("ΣΊΣΥΦΟΣ, σίσυφος", "σίσυφοσ, σίσυφοσ"),
            ("Straße ẞ ſ K Å", "straße ß s k å"),
            ("İstanbul ı", "İstanbul ı"),
            ("Ꭰ ꭰ ᾈ Ǆ ǅ", "Ꭰ Ꭰ ᾀ ǆ ǆ"),
            ("日本語 50%_\\ 🦀", "日本語 50%_\\ 🦀"),
        ] {
            assert_eq!(folded(text), expected);
            assert_eq!(folded(text).chars().count(), text.chars().count(), "{text}");
            assert_eq!(folded(&folded(text)), folded(text), "{text}");
        }
    }

    #[test]
    fn an_excerpt_has_the_first_match_and_as_much_around_it_as_it_may() {
        let long = format!("{}ĐỒNG{}đồng", "á".repeat(500), "b".repeat(500));
        let shown = excerpt(&long, "đồng");
        assert_eq!(shown.chars().count(), 300);
        assert_eq!(shown.split_once("ĐỒNG").map(|(before, _)| before.chars().count()), Some(100));
        assert_eq!(excerpt(&long, &"b".repeat(3)).chars().filter(|c| *c == 'á').count(), 96);
        let end = format!("{}end", "x".repeat(1_000));
        assert_eq!(excerpt(&end, "end"), end[703..]);
        assert_eq!(excerpt("short", "or"), "short");
    }
}
