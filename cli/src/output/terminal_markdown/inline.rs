//! The words of a paragraph, a heading or a cell.

use comrak::{
    arena_tree::NodeEdge,
    nodes::{AstNode, NodeValue},
};

use super::{
    Place, Shortened, sanitize, short,
    words::{Style, Token, Word, may_overflow, width},
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
                        Self::end_of_link(&mut words, &link.url);
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
        let may_be_divided = self.is_quoted && width(code) + 2 > self.columns;
        let code = if self.shortened == Shortened::IdsAndTimes { short::id(code) } else { code };
        let code = format!("{mark}{code}{mark}");
        if may_be_divided { words.text(&code, style) } else { words.word.push(&code, style, true) }
    }

    /// Adds the address of a link, unless that is what the link says.
    fn end_of_link(words: &mut Words, url: &str) {
        let url = sanitize::line(url);
        if words.word.text().ends_with(url.strip_prefix("mailto:").unwrap_or(&url)) {
            let last = words.word.pieces.last_mut().filter(|last| is_plain(&url) && last.text.ends_with(&url));
            if let Some(last) = last {
                last.text.truncate(last.text.len() - url.len());
                let style = last.style;
                words.word.push(&url, style, true);
            }
            return;
        }
        words.end_word();
        let address = format!("({url})");
        match is_plain(&url) {
            true => words.word.push(&address, Style::default(), true),
            false => words.text(&address, Style::default()),
        }
    }
}

/// Whether a URL has nothing but what URLs are made of, so that it cannot look like words of the command line.
fn is_plain(url: &str) -> bool {
    let has_scheme = url.starts_with("https://") || url.starts_with("http://");
    has_scheme
        && may_overflow(url)
        && url.chars().all(|c| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c))
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
                self.word.push(part, style, false);
            }
        }
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if !word.text().is_empty() {
            self.tokens.push(Token::Word(word));
        }
    }

    fn line_break(&mut self) {
        self.end_word();
        self.tokens.push(Token::LineBreak);
    }
}
