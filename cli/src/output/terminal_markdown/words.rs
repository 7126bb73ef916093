//! Fills lines with words that have styles.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_width::UnicodeWidthChar;

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
    pub pieces: Vec<Piece>,
}

/// A part of a word in one style.
#[derive(Debug, Clone)]
pub struct Piece {
    pub text: String,
    pub style: Style,
    /// Whether it stays whole even if it is longer than a line, as commands and links do
    pub is_whole: bool,
}

impl Word {
    /// A word without a style.
    pub fn new(text: &str, is_whole: bool) -> Self {
        Self { pieces: vec![Piece { text: text.to_owned(), style: Style::default(), is_whole }] }
    }

    fn width(&self) -> usize {
        self.pieces.iter().map(|piece| width(&piece.text)).sum()
    }

    /// The word without its styles.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    /// Adds a text, to the last piece if both are of the same style and neither stays whole.
    pub fn push(&mut self, text: &str, style: Style, is_whole: bool) {
        match self.pieces.last_mut() {
            Some(last) if last.style == style && !last.is_whole && !is_whole => last.text += text,
            Some(_) | None => self.pieces.push(Piece { text: text.to_owned(), style, is_whole }),
        }
    }
}

/// The columns that a text takes at most. Many terminals give each code point its own, also where several are one sign, as in
/// families of emoji; others give two to one that is an emoji only because U+FE0F follows it.
pub fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// Only marks take none, of scripts that every terminal knows: what `unicode-width` gives no column may be a letter or a sign to
/// a terminal.
fn columns_of(c: char) -> usize {
    match (c.width().unwrap_or_default(), c.general_category()) {
        (_, GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark) if c <= '\u{ffff}' && c != '\u{fe0f}' => {
            0
        }
        (0, GeneralCategory::SpacingMark) => 2,
        (width, _) => width.max(1),
    }
}

/// The columns that words take on one line, and those of the widest that is not divided.
pub fn widths(tokens: &[Token]) -> (usize, usize) {
    let words = tokens.iter().filter_map(|token| if let Token::Word(word) = token { Some(word.width()) } else { None });
    words.fold((0, 0), |(all, widest), width| (all + width + usize::from(all > 0), widest.max(width)))
}

/// A text in parts of at most this many columns, at least one.
pub fn break_up(text: &str, columns: usize) -> Vec<String> {
    divided(&Word::new(text, false), columns, true).iter().map(Word::text).collect()
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

/// Lines of at most `columns`, unless a word is longer that stays whole. `is_quoted`: paths and URLs are divided, too.
pub fn fill(tokens: &[Token], columns: usize, has_colours: bool, is_quoted: bool) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for token in tokens {
        let Token::Word(word) = token else {
            lines.push(String::new());
            used = 0;
            continue;
        };
        for part in divided(word, columns, is_quoted) {
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
            part.pieces.iter().for_each(|piece| line.push_str(&paint(&piece.text, piece.style, has_colours)));
            used += width;
        }
    }
    lines
}

/// Whether a text may go beyond the last column, where the terminal goes on at the first one with it: it cannot look there like
/// what the command line says, such as `next:`, whoever wrote it.
pub fn may_overflow(text: &str) -> bool {
    let mut after = text.chars().skip(1);
    text.chars().all(|c| {
        let next = after.next();
        (c.is_ascii_graphic() || c == ' ')
            && (c != ':' || next.is_some_and(|next| next == '/' || next.is_ascii_digit()))
    })
}

/// The word, or its parts where it has to be divided: the terminal would go on with the rest at its first column, where it looks
/// like words of the command line. A path and a URL are copied, so that they stay whole; of what others wrote nothing else does
/// that stands in the same word.
fn divided(word: &Word, columns: usize, is_quoted: bool) -> Vec<Word> {
    let is_copied = |text: String| text.contains('/') && may_overflow(text.trim_end_matches(':'));
    let is_whole = !is_quoted && (word.pieces.iter().any(|piece| piece.is_whole) || is_copied(word.text()));
    if is_whole || word.width() <= columns {
        return vec![word.clone()];
    }
    let mut parts = vec![Word::default()];
    let mut used = 0;
    for Piece { text, style, is_whole } in &word.pieces {
        let units = if *is_whole { vec![text.clone()] } else { text.chars().map(String::from).collect() };
        for text in units {
            let width = width(&text);
            // What ends a sentence stays with the link before it.
            let is_after_link = parts.last().and_then(|part| part.pieces.last()).is_some_and(|last| last.is_whole);
            let ends_a_link =
                is_after_link && used > columns && matches!(text.as_str(), "." | "," | ";" | "!" | "?" | ")");
            if used > 0 && used + width > columns && !ends_a_link {
                parts.push(Word::default());
                used = 0;
            }
            if let Some(part) = parts.last_mut() {
                part.push(&text, *style, *is_whole);
            }
            used += width;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn a_character_has_the_columns_of_the_terminal_that_gives_it_most() {
        for (columns, characters) in [
            (0, "\u{300}\u{20dd}\u{e31}\u{5b0}\u{fe0e}"),
            (1, "aé\u{600}\u{6dd}\u{d4e}\u{a8fa}\u{200d}\u{11a8}\u{e0100}\u{111c2}\u{fe0f}\u{378}"),
            (2, "漢👩\u{302e}\u{302f}\u{16ff0}\u{ff21}"),
        ] {
            for c in characters.chars() {
                assert_eq!(width(&c.to_string()), columns, "{c:?}");
            }
        }
    }

    #[test]
    fn no_terminal_has_to_break_a_line_of_signs_that_are_made_of_several() {
        for sign in ["👩\u{200d}👩\u{200d}👧\u{200d}👦", "👍🏽", "☺\u{fe0f}", "⌚\u{fe0e}", "لا", "🇩🇪", "e\u{301}", "漢"]
        {
            let text = sign.repeat(60);
            let word = Word::new(&text, false);
            for lines in [break_up(&text, 20), fill(&[Token::Word(word)], 20, false, true)] {
                assert_eq!(lines.concat(), text);
                for line in lines {
                    let of_each: usize = line.chars().filter_map(UnicodeWidthChar::width).sum();
                    assert!(of_each.max(UnicodeWidthStr::width(&*line)) <= 20, "{line}");
                }
            }
        }
    }
}
