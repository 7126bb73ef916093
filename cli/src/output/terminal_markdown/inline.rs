//! The words of a paragraph, a heading or a cell.

use comrak::{
    arena_tree::NodeEdge,
    nodes::{AstNode, NodeValue},
};

use super::{
    Place, Shortened, sanitize, short,
    words::{Style, Token, Word, width},
};

/// They stay where they are: what stands between them in a debate of code is mostly a name, such as `__init__`.
const UNDERSCORES: &str = "__";

impl Place<'_> {
    /// The words of all that is in a node. It is walked through without recursion: text by others may be nested deeply.
    pub fn inline<'b>(self, node: &'b AstNode<'b>, style: Style) -> Vec<Token> {
        let mut words = Words { tokens: Vec::new(), word: Word::default() };
        let mut styles = vec![style];
        for edge in node.traverse() {
            let style = styles.last().copied().unwrap_or_default();
            match edge {
                NodeEdge::Start(node) => {
                    let value = &node.data().value;
                    let is_linked =
                        node.parent().is_some_and(|parent| matches!(parent.data().value, NodeValue::Link(_)));
                    // What a link says may be its address.
                    let place = if is_linked { Self { shortened: Shortened::Nothing, ..self } } else { self };
                    place.add(&mut words, value, style);
                    styles.push(Style {
                        is_bold: style.is_bold || matches!(value, NodeValue::Strong),
                        is_italic: style.is_italic || matches!(value, NodeValue::Emph),
                        is_struck: style.is_struck || matches!(value, NodeValue::Strikethrough),
                        ..style
                    });
                }
                NodeEdge::End(node) => {
                    styles.pop();
                    let value = &node.data().value;
                    if matches!(value, NodeValue::Underline) {
                        words.text(UNDERSCORES, style);
                    }
                    if let NodeValue::Link(link) | NodeValue::Image(link) = value {
                        self.end_of_link(&mut words, &link.url, style);
                    }
                    // Blocks whose text is shown only, since they are too deep.
                    if matches!(value, NodeValue::Paragraph | NodeValue::Item(_) | NodeValue::TableCell) {
                        words.end_word();
                    }
                }
            }
        }
        words.end_word();
        words.tokens
    }

    fn add(self, words: &mut Words, value: &NodeValue, style: Style) {
        if let NodeValue::Text(text) = value {
            let text = sanitize::line(text);
            let text = match self.shortened {
                Shortened::Nothing => text,
                Shortened::IdsAndTimes | Shortened::Times => {
                    short::ids_and_times(&text, self.shortened, self.layout.now)
                }
            };
            words.text(&text, style);
        } else if let NodeValue::Code(code) = value {
            self.code_span(words, &sanitize::line(&code.literal), style);
        } else if let NodeValue::HtmlInline(html) = value {
            words.text(&sanitize::line(html), style);
        } else if let NodeValue::CodeBlock(code) = value {
            words.text(&sanitize::text(&code.literal), style);
        } else if let NodeValue::HtmlBlock(html) = value {
            words.text(&sanitize::text(&html.literal), style);
        } else if matches!(value, NodeValue::Underline) {
            words.text(UNDERSCORES, style);
        } else if matches!(value, NodeValue::SoftBreak) {
            words.end_word();
        } else if matches!(value, NodeValue::LineBreak) {
            words.line_break();
        }
    }

    /// A command, an id or something else that is copied: it stays whole, unless others wrote it and it is longer than a line.
    fn code_span(self, words: &mut Words, code: &str, style: Style) {
        let style = Style { is_code: true, ..style };
        let mark = if self.layout.has_colours { "" } else { "`" };
        words.word.push(mark, style);
        if self.is_quoted && width(code) + 2 > self.columns {
            words.text(code, style);
        } else if self.shortened == Shortened::IdsAndTimes {
            words.whole(short::id(code), style);
        } else {
            words.whole(code, style);
        }
        words.word.push(mark, style);
    }

    /// Adds the address of a link, unless that is what the link says.
    fn end_of_link(self, words: &mut Words, url: &str, style: Style) {
        let url = sanitize::line(url);
        if words.ends_with(url.strip_prefix("mailto:").unwrap_or(&url)) {
            words.word.is_whole |= is_plain(&url);
            return;
        }
        words.end_word();
        words.word.push("(", style);
        if is_plain(&url) {
            words.whole(&url, Style::default());
        } else {
            words.text(&url, style);
        }
        words.word.push(")", style);
    }
}

/// Whether a URL has nothing but what URLs are made of, so that it cannot look like words of the command line.
fn is_plain(url: &str) -> bool {
    let has_scheme = url.starts_with("https://") || url.starts_with("http://");
    has_scheme && url.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c))
}

struct Words {
    tokens: Vec<Token>,
    /// The word that is not at its end
    word: Word,
}

impl Words {
    fn text(&mut self, text: &str, style: Style) {
        for (at, part) in text.split([' ', '\t', '\n']).enumerate() {
            if at > 0 {
                self.end_word();
            }
            if !part.is_empty() {
                self.word.push(part, style);
            }
        }
    }

    fn whole(&mut self, text: &str, style: Style) {
        self.word.push(text, style);
        self.word.is_whole = true;
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if !word.pieces.iter().all(|(text, _)| text.is_empty()) {
            self.tokens.push(Token::Word(word));
        }
    }

    fn line_break(&mut self) {
        self.end_word();
        self.tokens.push(Token::LineBreak);
    }

    fn ends_with(&self, url: &str) -> bool {
        let text: String = self.word.pieces.iter().map(|(text, _)| text.as_str()).collect();
        text.ends_with(url)
    }
}
