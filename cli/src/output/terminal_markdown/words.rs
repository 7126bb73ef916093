//! Fills lines with words that have styles.

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

/// The columns that a text takes at most. Many terminals give each code point its own, also where several are one sign, as in
/// families of emoji; others give two to one that is an emoji only because U+FE0F follows it.
pub fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(c: char) -> usize {
    if c == '\u{fe0f}' { 1 } else { c.width().unwrap_or_default() }
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
        let width = columns_of(c);
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
            for (text, style) in &part.pieces {
                line.push_str(&paint(text, *style, has_colours));
            }
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
/// like words of the command line. A path and a URL are copied, so that they stay whole.
fn divided(word: &Word, columns: usize, is_quoted: bool) -> Vec<Word> {
    let is_copied = || {
        let text: String = word.pieces.iter().map(|(text, _)| text.as_str()).collect();
        !is_quoted && text.contains('/') && may_overflow(text.trim_end_matches(':'))
    };
    if word.is_whole || word.width() <= columns || is_copied() {
        return vec![word.clone()];
    }
    let mut parts = vec![Word::default()];
    let mut used = 0;
    for (text, style) in &word.pieces {
        for c in text.chars() {
            let width = columns_of(c);
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

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    #[test]
    fn no_terminal_has_to_break_a_line_of_signs_that_are_made_of_several() {
        for sign in ["👩\u{200d}👩\u{200d}👧\u{200d}👦", "👍🏽", "☺\u{fe0f}", "⌚\u{fe0e}", "لا", "🇩🇪", "e\u{301}", "漢"]
        {
            let text = sign.repeat(60);
            let word = Word { pieces: vec![(text.clone(), Style::default())], is_whole: false };
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
