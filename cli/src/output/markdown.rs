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
    /// Whether it is laid out, so that what is no markdown has to be told from what is. An agent reads it as it was written
    is_laid_out: bool,
}

impl Markdown {
    /// A document that is laid out for a person.
    pub fn for_a_person(titles: IssueTitles) -> Self {
        Self { titles, is_laid_out: true, ..Self::default() }
    }

    /// A text that is no markdown, such as a title, as a part of a paragraph, an item or a heading.
    pub fn plain(&self, text: &str) -> String {
        let text = sanitize::line(text);
        if self.is_laid_out { escape(text.trim()) } else { text }
    }

    /// A command or a path as a part of a paragraph or an item.
    pub fn code_span(&self, text: &str) -> String {
        let text = sanitize::line(text);
        if !self.is_laid_out || !text.contains('`') {
            return format!("`{text}`");
        }
        let fence = "`".repeat(longest_run_of_backticks(&text) + 1);
        format!("{fence} {text} {fence}")
    }

    /// Adds a sentence of the command line as a paragraph, as [`Self::told`]. A person reads it with the titles of the issues that
    /// it names.
    pub fn sentence(&mut self, text: &str) {
        self.bold_sentence(text, "");
    }

    /// The same within a mark such as `**`.
    pub fn bold_sentence(&mut self, text: &str, mark: &str) {
        if !self.is_laid_out {
            return self.paragraph(&format!("{mark}{text}{mark}"));
        }
        let titled = self.with_titles(text);
        if titled != text {
            // The lines of an item are indented, so that none begins with the words of whoever wrote a title. Its mark is another
            // than that of `item`, so that it does not become one of a list before it.
            return self.block(&format!("* {mark}{}{mark}", self.plain(&titled)));
        }
        self.paragraph(&format!("{mark}{}{mark}", self.told(text)));
    }

    /// Words of the command line as a part of a paragraph: what stands between backticks is code, and nothing else is markdown.
    pub fn told(&self, text: &str) -> String {
        let text = sanitize::line(text);
        if !self.is_laid_out {
            return text;
        }
        let parts: Vec<&str> = text.split('`').collect();
        let shown = parts.iter().enumerate().map(|(at, part)| match at % 2 {
            0 => escape(part),
            // The last backtick begins no code.
            _ if at + 1 == parts.len() => escape(&format!("`{part}")),
            _ => format!("`{part}`"),
        });
        shown.collect()
    }

    /// Whether it is laid out for a person, who reads words in place of the contract's constants.
    pub fn is_for_a_person(&self) -> bool {
        self.is_laid_out
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

    /// Adds a heading, whose text is no markdown; line breaks in it are escaped.
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

    /// Adds a heading and the entries of a list below it; nothing if there are none, which the message tells.
    pub fn list<T>(&mut self, heading: &str, entries: &[T], add: fn(&mut Self, &T)) {
        if !entries.is_empty() {
            self.heading(1, heading);
            entries.iter().for_each(|entry| add(self, entry));
        }
    }

    /// Adds a code block. Its fence is longer than any run of backticks in `text`, which therefore cannot end the block.
    pub fn code(&mut self, text: &str) {
        let text = sanitize::text(text);
        let fence = "`".repeat(longest_run_of_backticks(&text).max(2) + 1);
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

    /// Adds a table without its empty columns. Cells are no markdown: they are sanitized, and bars in them escaped.
    pub fn table<const N: usize>(&mut self, head: &[&str; N], rows: &[[String; N]]) {
        let columns: Vec<usize> = (0..N).filter(|column| rows.iter().any(|row| !row[*column].is_empty())).collect();
        let row = |cells: &[String]| format!("| {} |", cells.join(" | "));
        let cell = |text: &str| if self.is_laid_out { self.plain(text) } else { self.plain(text).replace('|', "\\|") };
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

/// The text with everything escaped that markdown would read as a mark, also at the beginning of a line, and links.
fn escape(text: &str) -> String {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let mut escaped = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let begins_a_block = at == 0 && "#+-=".contains(c) || at == digits && digits > 0 && ".)".contains(c);
        let begins_a_link = rest.starts_with("://") || c == '.' && text[..at].ends_with("www");
        if begins_a_block || begins_a_link || "\\`*_~[]<>&|#".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn longest_run_of_backticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
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
    use chrono::DateTime;

    use super::*;
    use crate::output::{
        format_choice::Layout,
        terminal_markdown::{Shortened, lay_out},
    };

    #[test]
    fn a_person_reads_what_is_no_markdown_as_it_was_written() {
        for text in [
            "Use *.rs, not *.md",
            "f(*args) and g(**kwargs) in src/_private_/__init__.py:1",
            "[a](b), ![c](d), <b>, <https://a_b/c>, &amp; ~~x~~",
            "see https://example.com/a_b?c=d&copy=e#f or www.a_b.com, a_b@c.com",
            "`code` and ``more` \\* \\",
            "a | b || \\| c",
            "# no heading #",
            "1. no list",
            "12) no list",
            "- no list",
            "+ no list",
            "=== no heading",
            "> no quote",
            "[x] no task",
            "2 * 3 * 4",
        ] {
            let mut md = Markdown::for_a_person(IssueTitles::default());
            md.heading(1, text);
            md.item(&md.plain(text));
            md.item(&format!("**{}**", md.plain(text)));
            md.table(&["a", "b"], &[[text.to_owned(), "x".to_owned()]]);
            let shown = |text: &str| {
                let layout = Layout { columns: 200, has_colours: false, now: DateTime::UNIX_EPOCH };
                lay_out(text, &layout, Shortened::IdsAndTimes)
            };
            let page = shown(&md.finish());
            assert_eq!(page.matches(text).count(), 4, "{text}: {page}");
            let mut md = Markdown::for_a_person(IssueTitles::default());
            md.sentence(text);
            md.bold_sentence(&format!("Warning: {text}."), "**");
            let page = shown(&md.finish());
            // Between backticks is code, which looks the same here.
            assert_eq!(page.replace("`` ", "``").matches(&text.replace("`` ", "``")).count(), 2, "{text}: {page}");
        }
    }

    #[test]
    fn an_agent_reads_a_title_as_it_was_written() {
        let mut md = Markdown::default();
        md.heading(1, "Use *.rs");
        md.sentence("Use *.md");
        assert_eq!(md.plain("a_b") + &md.code_span("a`b") + &md.told("<c>"), "a_b`a`b`<c>");
        assert_eq!(md.finish(), "# Use *.rs\n\nUse *.md\n");
    }

    #[test]
    fn a_path_in_code_is_whole_whatever_is_in_it() {
        assert_eq!(Markdown::for_a_person(IssueTitles::default()).code_span("a``b"), "``` a``b ```");
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
