//! Fills lines with words that have styles.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How a text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    pub is_bold: bool,
    pub is_italic: bool,
    pub is_faint: bool,
    pub is_struck: bool,
    pub is_code: bool,
}

/// A part of a paragraph.
#[derive(Debug, Clone)]
pub enum Token {
    Word(Word),
    LineBreak,
}

/// What stands between two spaces.
#[derive(Debug, Clone, Default)]
pub struct Word {
    /// Texts of different styles
    pub pieces: Vec<(String, Style)>,
    /// Whether it stays whole even if it is longer than a line, as commands and links do
    pub is_whole: bool,
}

impl Word {
    fn width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| width(text)).sum()
    }

    /// Adds a text, to the last piece if that has the same style.
    pub fn push(&mut self, text: &str, style: Style) {
        match self.pieces.last_mut() {
            Some((last, other)) if *other == style => *last += text,
            Some(_) | None => self.pieces.push((text.to_owned(), style)),
        }
    }
}

/// The columns that a text takes.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The columns that words take on one line, and those of the widest that is not divided.
pub fn widths(tokens: &[Token]) -> (usize, usize) {
    let words = tokens.iter().filter_map(|token| if let Token::Word(word) = token { Some(word.width()) } else { None });
    words.fold((0, 0), |(all, widest), width| (all + width + usize::from(all > 0), widest.max(width)))
}

/// A text in parts of at most this many columns, at least one.
pub fn break_up(text: &str, columns: usize) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut used = 0;
    for c in text.chars() {
        let width = c.width().unwrap_or_default();
        if used > 0 && used + width > columns {
            parts.push(String::new());
            used = 0;
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
        used += width;
    }
    parts
}

/// The text in its style, if there are colours.
pub fn paint(text: &str, style: Style, has_colours: bool) -> String {
    let codes = [
        (style.is_bold, "1"),
        (style.is_faint, "2"),
        (style.is_italic, "3"),
        (style.is_struck, "9"),
        (style.is_code, "36"),
    ];
    let codes: Vec<&str> = codes.into_iter().filter(|(is_set, _)| *is_set).map(|(_, code)| code).collect();
    if codes.is_empty() || !has_colours || text.is_empty() {
        return text.to_owned();
    }
    format!("\u{1b}[{}m{text}\u{1b}[0m", codes.join(";"))
}

/// Lines of at most `columns`, unless a word is longer that stays whole. `breaks_words`: words that are longer than a line are
/// divided; otherwise the terminal does that.
pub fn fill(tokens: &[Token], columns: usize, has_colours: bool, breaks_words: bool) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for token in tokens {
        let Token::Word(word) = token else {
            lines.push(String::new());
            used = 0;
            continue;
        };
        for part in divided(word, columns, breaks_words) {
            let width = part.width();
            if used > 0 && used + 1 + width > columns {
                lines.push(String::new());
                used = 0;
            }
            let Some(line) = lines.last_mut() else { continue };
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            for (text, style) in &part.pieces {
                line.push_str(&paint(text, *style, has_colours));
            }
            used += width;
        }
    }
    lines
}

/// The word, or its parts where it has to be divided.
fn divided(word: &Word, columns: usize, breaks_words: bool) -> Vec<Word> {
    if !breaks_words || word.is_whole || word.width() <= columns {
        return vec![word.clone()];
    }
    let mut parts = vec![Word::default()];
    let mut used = 0;
    for (text, style) in &word.pieces {
        for c in text.chars() {
            let width = c.width().unwrap_or_default();
            if used > 0 && used + width > columns {
                parts.push(Word::default());
                used = 0;
            }
            if let Some(part) = parts.last_mut() {
                part.push(c.encode_utf8(&mut [0; 4]), *style);
            }
            used += width;
        }
    }
    parts
}
