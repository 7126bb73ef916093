//! Adds items to objects and lists of JSON and takes them out again, in the text, so that afterwards it is as it was.
//!
//! What is added tells by its white space what was there before: on a line of its own where the other items are, with a space on
//! each side in what was empty, and with none in what was made to hold it.

use std::ops::Range;

use serde_json::Value;

/// An object or a list in a text, and where its properties or elements are.
#[derive(Debug)]
pub struct Container {
    range: Range<usize>,
    items: Vec<Range<usize>>,
}

/// What is left without an item.
pub enum Removal {
    /// The text
    Item(String),
    /// The container was made to hold the item: it has to go, too
    Container,
}

/// Some bytes of a text, and what takes their place. The parts of an edit are in order and do not overlap.
type Edit<'a> = [(Range<usize>, &'a str)];

impl Container {
    /// The container at this place with items at these.
    pub fn new(range: Range<usize>, items: impl IntoIterator<Item = Range<usize>>) -> Self {
        Self { range, items: items.into_iter().collect() }
    }

    /// Where what is in it begins and ends.
    fn inner(&self) -> Range<usize> {
        self.range.start + 1..self.range.end - 1
    }

    /// The text with one item more at the end of this container.
    pub fn with_item(&self, text: &str, item: &str) -> String {
        let inner = self.inner();
        let Some((first, last)) = self.items.first().zip(self.items.last()) else {
            let at = inner.start + text[inner.clone()].trim_end_matches(WHITE_SPACE).len();
            let added = if text[inner.clone()].contains('\n') {
                format!("{}{}{}{item}", line_break(text), indentation(text, inner.end), step(text))
            } else {
                format!(" {item} ")
            };
            return edited(text, &[(at..at, &added)]);
        };
        let has_lines = text[inner.start..first.start].contains('\n');
        let between =
            if has_lines { line_break(text).to_owned() + indentation(text, last.start) } else { " ".to_owned() };
        let end_of_line = |at| if has_lines { after_comments_of_line(text, at) } else { at };
        match comma_after(text, last.end) {
            Some(comma) => {
                let at = end_of_line(comma + 1);
                edited(text, &[(at..at, &format!("{between}{item},"))])
            }
            None => {
                let at = end_of_line(last.end);
                edited(text, &[(last.end..last.end, ","), (at..at, &(between + item))])
            }
        }
    }

    /// What is left without the item of this number.
    pub fn without_item(&self, text: &str, index: usize) -> Removal {
        let Some(item) = self.items.get(index) else { return Removal::Item(text.to_owned()) };
        let (inner, start) = (self.inner(), start_with_white_space(text, item.start));
        if self.items.len() == 1 {
            if inner == (item.start..item.end) {
                return Removal::Container;
            }
            let is_spaced = !text[start..item.start].contains('\n') && text[item.end..].starts_with(' ');
            if is_spaced && start < item.start {
                return Removal::Item(edited(text, &[(start..item.end + 1, "")]));
            }
        }
        let before = index.checked_sub(1).and_then(|before| comma_after(text, self.items[before].end));
        Removal::Item(match (comma_after(text, item.end), before) {
            (Some(comma), _) => {
                // The first of a line has its space behind it.
                let space = usize::from(start == item.start && text[comma + 1..].starts_with(' '));
                edited(text, &[(start..item.end, ""), (comma..comma + 1 + space, "")])
            }
            (None, Some(comma)) => edited(text, &[(comma..comma + 1, ""), (start.max(comma + 1)..item.end, "")]),
            (None, None) => edited(text, &[(start..item.end, "")]),
        })
    }

    /// The text without all that is in this container.
    pub fn emptied(&self, text: &str) -> String {
        let inner = self.inner();
        let kept = if text[inner.clone()].contains('\n') { line_break(text) } else { "" };
        edited(text, &[(inner, kept)])
    }
}

/// The text in which a list has these texts in place of those at `items`. What is the same in both stays as it is written, with its
/// comments. None if nothing takes the place of what goes.
pub fn with_texts(text: &str, items: &[Range<usize>], former: &[Value], new: &[Value]) -> Option<String> {
    let is_same = |(one, other): &(&Value, &Value)| one == other;
    let start = former.iter().zip(new).take_while(is_same).count();
    let end = former[start..].iter().rev().zip(new[start..].iter().rev()).take_while(is_same).count();
    let added: Vec<String> = new[start..new.len() - end].iter().map(Value::to_string).collect();
    let added = added.join(", ");
    match (items.get(start..former.len() - end)?, added.is_empty()) {
        ([first, ..], false) => {
            let last = items.get((former.len() - end).checked_sub(1)?)?;
            Some(edited(text, &[(first.start..last.end, &added)]))
        }
        ([], false) => {
            let at = items.get(start.checked_sub(1)?)?.end;
            Some(edited(text, &[(at..at, &format!(", {added}"))]))
        }
        ([], true) => Some(text.to_owned()),
        (_, true) => None,
    }
}

const WHITE_SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

fn edited(text: &str, edit: &Edit<'_>) -> String {
    let mut new = String::with_capacity(text.len());
    let mut at = 0;
    for (range, replacement) in edit {
        new.push_str(&text[at..range.start]);
        new.push_str(replacement);
        at = range.end;
    }
    new + &text[at..]
}

/// The line break that the text has first.
pub fn line_break(text: &str) -> &'static str {
    let first = text.find('\n').unwrap_or_default();
    if text[..first].ends_with('\r') { "\r\n" } else { "\n" }
}

/// What the line of this place begins with.
fn indentation(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |before| before + 1)..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// By how much lines are indented that are within something.
fn step(text: &str) -> &str {
    let indented = text.lines().map(|line| &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]);
    indented.into_iter().find(|indentation| !indentation.is_empty()).unwrap_or("  ")
}

/// Where an item begins with its line break and indentation, or with one space.
fn start_with_white_space(text: &str, at: usize) -> usize {
    let line = text[..at].trim_end_matches([' ', '\t']);
    match line.strip_suffix('\n') {
        Some(before) => before.strip_suffix('\r').unwrap_or(before).len(),
        None => text[..at].strip_suffix(' ').map_or(at, str::len),
    }
}

/// The length of the comment that a text begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').map_or(text.len(), |end| text[..end].trim_end_matches('\r').len()));
    }
    // `/*/` begins one and does not end it.
    let inner = text.strip_prefix("/*")?;
    Some(inner.find("*/").map_or(text.len(), |end| end + 4))
}

/// Where the comma is that comes after this place, with nothing but white space and comments before it.
fn comma_after(text: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = &text[at..];
        let next = rest.trim_start_matches(WHITE_SPACE);
        at += rest.len() - next.len();
        match comment(next) {
            Some(length) => at += length,
            None => return next.starts_with(',').then_some(at),
        }
    }
}

/// Where the last comment ends that begins in the line of this place; the place itself without one.
fn after_comments_of_line(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = &text[end..];
        let next = rest.trim_start_matches([' ', '\t']);
        match comment(next) {
            Some(length) => end += rest.len() - next.len() + length,
            None => return end,
        }
    }
}
