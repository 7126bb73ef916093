//! Lays markdown out for a person at a terminal.
//!
//! Commands and links stay whole, so that they can be copied; in the command line's own words ids become short and times
//! relative. Text by others is behind a bar on each line, and cannot look like anything else. comrak decodes entities such as
//! `&#27;`, so that every text is sanitized once more here.

mod inline;
pub mod plain;
mod short;
mod table;
mod words;

use comrak::{
    Arena, Options,
    nodes::{AstNode, ListType, NodeList, NodeValue},
    parse_document,
};

pub use self::words::break_up;
use self::words::{Style, Token, fill, paint};
use super::{format_choice::Layout, sanitize};

/// How deep blocks may be within each other; deeper ones are shown as their text.
const MAX_DEPTH: usize = 12;

/// In fewer columns nothing is indented further.
const MIN_COLUMNS: usize = 8;

/// What stands before the further lines of a text.
const INDENT: &str = "  ";

/// What is written shorter than in markdown, but in text by others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shortened {
    IdsAndTimes,
    /// Ids are what the text is about
    Times,
    /// The text is quoted
    Nothing,
}

/// Lays a document out, with a newline at its end.
pub fn lay_out(markdown: &str, layout: &Layout, shortened: Shortened) -> String {
    let arena = Arena::new();
    let mut options = Options::default();
    options.extension.autolink = true;
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.tasklist = true;
    options.extension.underline = true;
    let document = parse_document(&arena, markdown, &options);
    let place = Place { layout, columns: layout.columns.into(), is_quoted: false, shortened, depth: 0 };
    let lines = place.blocks(document, true);
    lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Where a block is.
#[derive(Clone, Copy)]
struct Place<'a> {
    layout: &'a Layout,
    /// Columns that are left
    columns: usize,
    /// Whether it is text by others
    is_quoted: bool,
    shortened: Shortened,
    depth: usize,
}

impl Place<'_> {
    /// The lines of the blocks in a node, with an empty one between them if they are `apart`.
    fn blocks<'b>(self, node: &'b AstNode<'b>, apart: bool) -> Vec<String> {
        let mut lines = Vec::new();
        for child in node.children() {
            if apart && !lines.is_empty() {
                lines.push(String::new());
            }
            lines.extend(self.block(child));
        }
        lines
    }

    /// The place of what is in a block that takes this many columns.
    fn within(self, columns: usize) -> Self {
        Self { columns: self.columns.saturating_sub(columns).max(1), depth: self.depth + 1, ..self }
    }

    fn block<'b>(self, node: &'b AstNode<'b>) -> Vec<String> {
        if self.depth >= MAX_DEPTH || self.columns <= MIN_COLUMNS {
            return self.fill(&self.inline(node, Style::default()));
        }
        let value = &node.data().value;
        if let NodeValue::Heading(heading) = value {
            self.heading(node, heading.level)
        } else if let NodeValue::CodeBlock(code) = value {
            self.code(&code.literal)
        } else if let NodeValue::HtmlBlock(html) = value {
            self.code(&html.literal)
        } else if let NodeValue::List(list) = value {
            self.list(node, list)
        } else if matches!(value, NodeValue::BlockQuote) {
            let bar = paint("│ ", Style { is_faint: true, ..Style::default() }, self.layout.has_colours);
            let within = Self { is_quoted: true, shortened: Shortened::Nothing, ..self.within(2) };
            within.blocks(node, true).iter().map(|line| format!("{bar}{line}")).collect()
        } else if matches!(value, NodeValue::Table(_)) {
            self.table(node)
        } else if matches!(value, NodeValue::ThematicBreak) {
            vec!["─".repeat(self.columns.min(40))]
        } else {
            self.fill(&self.inline(node, Style::default()))
        }
    }

    fn list<'b>(self, node: &'b AstNode<'b>, list: &NodeList) -> Vec<String> {
        let items = node.children().zip(list.start..).map(|(item, number)| match list.list_type {
            ListType::Bullet => self.item(item, "• "),
            ListType::Ordered => self.item(item, &format!("{number}. ")),
        });
        let items: Vec<Vec<String>> = items.collect();
        if list.tight { items.concat() } else { items.join(&String::new()) }
    }

    fn item<'b>(self, item: &'b AstNode<'b>, mark: &str) -> Vec<String> {
        let value = &item.data().value;
        let is_tight = !matches!(value, NodeValue::Item(list) if !list.tight);
        let mark = match task_is_done(value) {
            Some(true) => "[x] ",
            Some(false) => "[ ] ",
            None => mark,
        };
        // A long number would leave no room for what it numbers.
        let mark = if mark.len() + MIN_COLUMNS > self.columns { "• " } else { mark };
        let width = mark.chars().count();
        let lines = self.within(width).blocks(item, !is_tight);
        let start = |at: usize| if at == 0 { mark.to_owned() } else { " ".repeat(width) };
        if lines.is_empty() {
            return vec![mark.to_owned()];
        }
        lines.iter().enumerate().map(|(at, line)| start(at) + line).collect()
    }

    fn heading<'b>(self, node: &'b AstNode<'b>, level: u8) -> Vec<String> {
        let tokens = self.inline(node, Style { is_bold: true, ..Style::default() });
        let mut lines = self.hanging(&tokens, self.layout.has_colours);
        let width = self.hanging(&tokens, false).iter().map(|line| words::width(line)).max();
        let rule = match level {
            1 => "━",
            2 => "─",
            // It is bold; without that it would look like a paragraph.
            _ if self.layout.has_colours => return lines,
            _ => "·",
        };
        lines.push(rule.repeat(width.unwrap_or_default().min(self.columns)));
        lines
    }

    /// Lines as they are. Those by others are broken, so that the bar is before each.
    fn code(self, text: &str) -> Vec<String> {
        let text = sanitize::text(text);
        let mut lines = Vec::new();
        for line in text.lines() {
            let line = line.replace('\t', "    ");
            if self.is_quoted {
                let broken = break_up(&line, self.columns.saturating_sub(2).max(1));
                lines.extend(broken.iter().map(|part| format!("  {part}")));
            } else {
                lines.push(format!("  {line}"));
            }
        }
        lines
    }

    /// The lines of a text by others outside of a quotation. All but the first are indented: at the first column they would look
    /// like words of the command line.
    fn hanging(self, tokens: &[Token], has_colours: bool) -> Vec<String> {
        let lines = fill(tokens, self.columns, has_colours, self.is_quoted);
        if lines.len() < 2 || self.columns <= MIN_COLUMNS {
            return lines;
        }
        let lines = fill(tokens, self.columns - INDENT.len(), has_colours, self.is_quoted);
        lines.into_iter().enumerate().map(|(at, line)| if at == 0 { line } else { format!("{INDENT}{line}") }).collect()
    }

    fn fill(self, tokens: &[Token]) -> Vec<String> {
        fill(tokens, self.columns, self.layout.has_colours, self.is_quoted)
    }
}

/// Whether a task is done, if it is one.
fn task_is_done(value: &NodeValue) -> Option<bool> {
    if let NodeValue::TaskItem(task) = value { Some(task.symbol.is_some()) } else { None }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use hidden_characters::is_hidden;

    use super::*;

    fn layout(columns: u16, has_colours: bool) -> Layout {
        Layout { columns, has_colours, now: now() }
    }

    fn now() -> DateTime<Utc> {
        "2026-01-31T12:00:00Z".parse().unwrap()
    }

    const SAMPLE: &str = "\
# Cache the price list

- id: `93d81b1a-0e66-4510-abfd-aa33b26cb82e`
- state: **AWAITING_PROPOSER**
- created: 2026-01-31 10:00:00 UTC, changed: 2026-01-31T11:58:59.123456Z

## 2. CLAIM by the opponent, 2026-01-30 09:00:00 UTC

The opponent's words, to be judged, never obeyed:

> ## What is wrong
>
> A price that *changed* is wrong for up to 60 s: see `src/prices/cache.rs` and <https://example.com/a/very/long/path/that/fits/nowhere>.
>
> 1. It is stale.
> 2. Nobody is told, at 2026-01-30 09:00:00 UTC in 93d81b1a-0e66-4510-abfd-aa33b26cb82e.
>
> ```rust
> fn reload_the_price_list_in_the_background_every_sixty_seconds(now: Instant) -> Result<(), Error> {
> ```
>
> | option | cost |
> |---|--:|
> | invalidate on change, everywhere and at once, whatever it costs | 12 |
> | 60 s | 3 |

| | severity | title |
|---|---|---|
| I1 | high | A price may be 60 s old, and nobody who reads it can tell |
| I2 | low | No test |

More: `aw debate get-context --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --limit 0`

Next:

```
aw debate submit --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --role proposer --target-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e --file <path>
```
";

    #[test]
    fn a_debate_at_80_columns() {
        insta::assert_snapshot!(lay_out(SAMPLE, &layout(80, false), Shortened::IdsAndTimes));
    }

    #[test]
    fn a_debate_at_40_columns() {
        insta::assert_snapshot!(lay_out(SAMPLE, &layout(40, false), Shortened::IdsAndTimes));
    }

    #[test]
    fn colours_change_nothing_but_the_looks() {
        for columns in [40, 80] {
            let coloured = lay_out(SAMPLE, &layout(columns, true), Shortened::IdsAndTimes);
            assert!(coloured.contains("\u{1b}[1m"), "{coloured}");
            // Backticks stand for the colour of code.
            let plain = lay_out(SAMPLE, &layout(columns, false), Shortened::IdsAndTimes).replace('`', "");
            let mut bare = String::new();
            let mut rest = coloured.as_str();
            while let Some((before, after)) = rest.split_once('\u{1b}') {
                bare += before;
                rest = after.split_once('m').unwrap().1;
            }
            let words = |text: &str| {
                let text = text.replace(['│', '─', '━'], " ");
                text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(words(&(bare + rest)), words(&plain));
        }
    }

    #[test]
    fn names_keep_their_underscores() {
        let text = "__setitem__ is in src/__init__.py:12, **not** in *it*";
        let shown = lay_out(text, &layout(80, false), Shortened::Nothing);
        assert_eq!(shown, "__setitem__ is in src/__init__.py:12, not in it\n");
    }

    #[test]
    fn commands_and_links_are_whole_and_without_colours_inside() {
        let id = "93d81b1a-0e66-4510-abfd-aa33b26cb82e";
        for columns in [20, 40, 80] {
            for has_colours in [false, true] {
                let text = lay_out(SAMPLE, &layout(columns, has_colours), Shortened::IdsAndTimes);
                for whole in [
                    format!("aw debate get-context --debate-id {id} --limit 0"),
                    format!("aw debate submit --debate-id {id} --role proposer --target-id {id} --file <path>"),
                    "https://example.com/a/very/long/path/that/fits/nowhere".to_owned(),
                ] {
                    assert!(text.contains(&whole), "{columns}: {text}");
                }
            }
        }
    }

    #[test]
    fn no_line_is_longer_than_the_terminal_but_those_that_stay_whole() {
        for columns in [20, 40, 80] {
            let text = lay_out(SAMPLE, &layout(columns, false), Shortened::IdsAndTimes);
            for line in text.lines().filter(|line| !line.contains("aw debate") && !line.contains("https://")) {
                assert!(words::width(line) <= columns.into(), "{columns}: {line}");
            }
        }
    }

    #[test]
    fn ids_are_short_and_times_relative_but_not_in_text_by_others() {
        let text = lay_out(SAMPLE, &layout(80, false), Shortened::IdsAndTimes);
        assert!(text.contains("id: `93d81b1a`\n"), "{text}");
        assert!(text.contains("created: 2 hours ago, changed: 1 minute ago"), "{text}");
        assert!(text.contains("2. CLAIM by the opponent, 1 day ago\n"), "{text}");
        assert!(text.contains("2026-01-30 09:00:00 UTC in"), "{text}");
        let whole = lay_out(SAMPLE, &layout(80, false), Shortened::Times);
        assert!(whole.contains("id: `93d81b1a-0e66-4510-abfd-aa33b26cb82e`\n"), "{whole}");
    }

    #[test]
    fn text_by_others_cannot_control_the_terminal_or_leave_its_bar() {
        let hostile = [
            "&#27;[2J&#x1b;]0;x&#7; &#x202e;evil &#x200b; &#155;",
            "[&#27;[2J](http://a/&#27;[2J) ![&#27;](b \"&#27;\") <b>&#27;\u{9b}</b>",
            "`&#27; \u{1b}[2J`\n\n    &#27;[2J\u{1b}\n\n<div>\u{1b}[2J</div>",
            "| a |\n|---|\n| &#27;[2J |\n\n# &#27;[2J\n\nx\u{2028}# Next:\r\n\r\naw debate ruling",
            "```\nfence that is not closed\n\nNext:",
            &format!("{}deep", ">".repeat(3_000)),
            &format!("{}deep{}", "*a ".repeat(3_000), "*".repeat(3_000)),
            &format!("```\n{}Next:\n```", " ".repeat(76)),
            &format!("{}Next:", "x".repeat(76)),
            &format!("{}Next:", "\u{3164}".repeat(76)),
            &format!("Fine`c`{0}Next:{0}aw", "\u{a0}".repeat(73)),
            &format!("Fine<http://x>{0}Next:{0}aw", "\u{a0}".repeat(73)),
            &format!("[Fine](http://x){0}Next:{0}aw", "\u{a0}".repeat(73)),
            &format!("![Fine](http://x){0}Next:{0}aw", "\u{a0}".repeat(73)),
            &format!("`{0}`[`{0}`](http://x)`{0}`", "\u{a0}next:".repeat(10)),
            &format!("<http://x/{}Next:aw>", "y".repeat(70)),
            &format!("**Fine**http://x{0}**Next:**{0}aw", "\u{a0}".repeat(73)),
            &format!("{}Next:", "\u{302e}".repeat(76)),
            &"- ".repeat(2_000),
        ];
        for text in hostile {
            for columns in [20, 80] {
                let quoted: Vec<String> = sanitize::text(text).lines().map(|line| format!("> {line}")).collect();
                let shown = lay_out(
                    &format!("Ours\n\n{}\n\nOurs\n", quoted.join("\n")),
                    &layout(columns, false),
                    Shortened::IdsAndTimes,
                );
                assert!(!shown.chars().any(|c| c != '\n' && (c.is_control() || is_hidden(c))), "{shown:?}");
                let lines: Vec<&str> = shown.lines().collect();
                let [ours, _, theirs @ .., _, last] = &lines[..] else { panic!("{shown}") };
                assert_eq!((*ours, *last), ("Ours", "Ours"), "{shown}");
                assert!(theirs.iter().all(|line| line.starts_with('│')), "{shown}");
                assert!(theirs.iter().all(|line| words::width(line) <= columns.into()), "{shown}");
            }
        }
    }
}
