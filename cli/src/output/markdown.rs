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
}

impl Markdown {
    /// A document that is laid out for a person.
    pub fn for_a_person(titles: IssueTitles) -> Self {
        Self { titles, ..Self::default() }
    }

    /// Whether a person reads titles beside the ids of issues.
    pub fn has_titles(&self) -> bool {
        !self.titles.is_empty()
    }

    /// The text, for a person with the titles of the issues that it names.
    pub fn with_titles(&self, text: &str) -> String {
        self.titles.beside_ids(text)
    }

    /// The document, with a newline at its end.
    pub fn finish(self) -> String {
        self.text.trim_end().to_owned() + "\n"
    }

    /// Adds a heading; line breaks in `text` are escaped.
    pub fn heading(&mut self, level: usize, text: &str) {
        self.block(&format!("{} {}", "#".repeat(level), sanitize::line(text)));
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

    /// Adds a table without its empty columns. Cells are sanitized, and bars in them escaped.
    pub fn table<const N: usize>(&mut self, head: &[&str; N], rows: &[[String; N]]) {
        let columns: Vec<usize> = (0..N).filter(|column| rows.iter().any(|row| !row[*column].is_empty())).collect();
        let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let cell = |text: &str| sanitize::line(text).replace('|', "\\|");
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
    use super::*;

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
