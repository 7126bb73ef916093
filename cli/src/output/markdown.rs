//! A builder for markdown that is also readable in a terminal.
//!
//! Everything is [sanitized](super::sanitize) on the way in, and text by others is quoted or in a code block, so that it
//! cannot look like a heading of the command line.

use serde_json::Value;

use super::{issue_titles::IssueTitles, sanitize};

/// Renders the `data` of an output as markdown. Fails if `data` does not have the expected fields.
pub type Render = fn(&Value, &mut Markdown) -> serde_json::Result<()>;

/// A markdown document, built block by block.
#[derive(Default)]
pub struct Markdown {
    text: String,
    /// What a person reads beside the ids of issues; none for an agent
    titles: IssueTitles,
    /// Whether it is laid out for a person, to whom a text shows the characters that it has
    is_laid_out: bool,
}

impl Markdown {
    /// A document that is laid out for a person.
    pub fn for_a_person(titles: IssueTitles) -> Self {
        Self { titles, is_laid_out: true, ..Self::default() }
    }

    /// Whether a person reads titles beside the ids of issues.
    pub fn has_titles(&self) -> bool {
        !self.titles.is_empty()
    }

    /// A sentence of the command line, for a person with the titles of the issues that it names. Only what is between backticks is
    /// markdown.
    pub fn with_titles(&self, text: &str) -> String {
        if !self.is_laid_out {
            return text.to_owned();
        }
        let has_code = text.matches('`').count().is_multiple_of(2);
        let parts = text.split('`').enumerate();
        let parts = parts.map(|(at, part)| if has_code && at % 2 == 1 { part.to_owned() } else { self.plain(part) });
        self.titles.beside_ids(&parts.collect::<Vec<_>>().join(if has_code { "`" } else { "\\`" }))
    }

    /// A text that is no markdown, for one line of it.
    pub fn plain(&self, text: &str) -> String {
        let text = sanitize::line(text);
        if self.is_laid_out { escape(&text) } else { text }
    }

    /// The document, with a newline at its end.
    pub fn finish(self) -> String {
        self.text.trim_end().to_owned() + "\n"
    }

    /// Adds a heading, which is no markdown; line breaks in `text` are escaped.
    pub fn heading(&mut self, level: usize, text: &str) {
        self.block(&format!("{} {}", "#".repeat(level), self.plain(text)));
    }

    /// Adds a paragraph, which may have markdown.
    pub fn paragraph(&mut self, text: &str) {
        self.block(&sanitize::text(text));
    }

    /// Adds a list item; consecutive items form one list.
    pub fn item(&mut self, text: &str) {
        let follows_item = self.text.lines().nth_back(1).is_some_and(|line| line.starts_with("- "));
        if follows_item {
            self.text.pop();
        }
        self.block(&format!("- {}", sanitize::line(text)));
    }

    /// Adds a code block. Its fence is longer than any run of backticks in `text`, which therefore cannot end the block.
    pub fn code(&mut self, text: &str) {
        let text = sanitize::text(text);
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
        let fence = "`".repeat(longest.max(2) + 1);
        self.block(&format!("{fence}\n{}\n{fence}", text.strip_suffix('\n').unwrap_or(&text)));
    }

    /// Adds text by somebody else as a quote.
    pub fn quote(&mut self, text: &str) {
        let lines: Vec<String> =
            sanitize::text(text).lines().map(|line| format!("> {line}").trim_end().to_owned()).collect();
        self.block(&lines.join("\n"));
    }

    /// Adds commands below these words, if there are any.
    pub fn commands(&mut self, words: &str, commands: impl IntoIterator<Item = String>) {
        let commands: Vec<String> = commands.into_iter().collect();
        if !commands.is_empty() {
            self.paragraph(words);
            self.code(&commands.join("\n"));
        }
    }

    /// Adds a table without its empty columns. Cells are no markdown; they are sanitized, and bars in them escaped.
    pub fn table<const N: usize>(&mut self, head: &[&str; N], rows: &[[String; N]]) {
        let columns: Vec<usize> = (0..N).filter(|column| rows.iter().any(|row| !row[*column].is_empty())).collect();
        let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let cell =
            |text: &str| if self.is_laid_out { self.plain(text) } else { sanitize::line(text).replace('|', "\\|") };
        let names: Vec<String> = columns.iter().map(|column| head[*column].to_owned()).collect();
        let mut lines = vec![row(&names), format!("|{}", "---|".repeat(columns.len()))];
        for cells in rows {
            lines.push(row(&columns.iter().map(|column| cell(&cells[*column])).collect::<Vec<_>>()));
        }
        self.block(&lines.join("\n"));
    }

    /// Adds a table of all that is in an object, for data without a form of its own.
    pub fn fields(&mut self, data: &Value) {
        let mut rows = Vec::new();
        collect_fields("", data, &mut rows);
        if !rows.is_empty() {
            self.table(&["field", "value"], &rows);
        }
    }

    fn block(&mut self, text: &str) {
        self.text += text;
        self.text += "\n\n";
    }
}

/// A text as markdown that shows it. Links stay as they are, since markdown shows them so.
pub fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for word in text.split_inclusive(' ') {
        let is_link = word.contains("://") || word.starts_with("www.");
        // At the beginning of a line these begin a list.
        let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let begins_list = escaped.is_empty() && (word.starts_with(['-', '+']) || number.starts_with(['.', ')']));
        let mark = if begins_list { word.len() - number.len() } else { usize::MAX };
        for (at, c) in word.char_indices() {
            if at == mark || (!is_link && "\\`*_[]<>~#|&!=".contains(c)) {
                escaped.push('\\');
            }
            escaped.push(c);
        }
    }
    escaped
}

/// Collects the names and values of all that is in a value: of what is within something, with the names or numbers of both.
fn collect_fields(name: &str, value: &Value, rows: &mut Vec<[String; 2]>) {
    let within = |inner: &str| if name.is_empty() { inner.to_owned() } else { format!("{name}.{inner}") };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(field, value)| collect_fields(&within(field), value, rows)),
        Value::Array(values) => {
            (0..).zip(values).for_each(|(at, value): (usize, _)| collect_fields(&within(&at.to_string()), value, rows));
        }
        Value::Null => {}
        Value::String(text) => rows.push([name.to_owned(), text.clone()]),
        Value::Bool(_) | Value::Number(_) => rows.push([name.to_owned(), value.to_string()]),
    }
}

/// Formats an RFC 3339 time with seconds only.
pub fn time(time: &str) -> String {
    match time.split_once('T') {
        Some((date, clock)) if clock.ends_with('Z') => {
            format!("{date} {} UTC", clock.trim_end_matches('Z').split('.').next().unwrap_or(clock))
        }
        _ => time.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};

    use super::*;
    use crate::output::{
        format_choice::Layout,
        terminal_markdown::{Shortened, lay_out},
    };

    #[test]
    fn a_person_reads_the_characters_that_a_text_has() {
        let layout = Layout { columns: 100, has_colours: false, now: DateTime::<Utc>::UNIX_EPOCH };
        for text in [
            "Use *.rs, not *.md",
            "src/_private_/x.py:1 and __init__",
            "Keep ~~x~~ and [a](b), ![c](d), <b>, &amp; and `code`",
            "# no heading | no cell \\ no \\* escape",
            "- no list",
            "+ no list",
            "12. no list",
            "1) no list",
            "> no quote",
            "=== and ---",
            "see https://example.com/a_b_c*d* there",
        ] {
            let mut md = Markdown::for_a_person(IssueTitles::default());
            md.item(&md.plain(text));
            md.heading(1, text);
            md.table(&["a", "b"], &[[text.to_owned(), "x".to_owned()]]);
            let shown = lay_out(&md.finish(), &layout, Shortened::Nothing);
            assert_eq!(shown.matches(text).count(), 3, "{text}: {shown}");
            assert_eq!(Markdown::default().plain(text), text);
        }
        let md = Markdown::for_a_person(IssueTitles::default());
        assert_eq!(md.with_titles("wrote a_b_c; see `aw_b *`"), "wrote a\\_b\\_c; see `aw_b *`");
        assert_eq!(md.with_titles("wrote a`b_c"), "wrote a\\`b\\_c");
    }

    #[test]
    fn a_text_cannot_end_the_code_block_that_it_is_in() {
        let code = |text: &str| {
            let mut md = Markdown::default();
            md.code(text);
            md.finish()
        };
        assert_eq!(code("a `b`\n"), "```\na `b`\n```\n");
        assert_eq!(code("```sh\nls\n```\n# Next"), "````\n```sh\nls\n```\n# Next\n````\n");
        assert_eq!(code("\u{1b}[2J\n`````"), "``````\n\\u{1b}[2J\n`````\n``````\n");
    }
}
