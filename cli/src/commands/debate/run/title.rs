//! The title of a text: that of its front matter, its first heading, or the name of its file.

use std::path::Path;

use comrak::{
    Arena, Options,
    nodes::{AstNode, NodeValue},
    parse_document,
};
use saphyr_parser::{Event, Parser};

use super::clean_text::is_blank;

/// The names of files that are alike in many folders.
const COMMON_NAMES: [&str; 6] = ["proposal.md", "plan.md", "spec.md", "design.md", "tasks.md", "README.md"];

/// What ends a line: in CommonMark a carriage return, too; in Unicode also the next line, and the separators of lines and paragraphs.
const LINE_ENDS: [char; 7] = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];

/// The title of a plan in this file.
pub fn of_plan(text: &str, path: &Path) -> String {
    of_text(text).unwrap_or_else(|| name(path))
}

/// The title of a task: that of the text, else its first line.
pub fn of_task(text: &str) -> String {
    let lines = text.trim_start_matches('\u{feff}').split(LINE_ENDS).map(str::trim);
    let first_line = || lines.clone().find(|line| !line.is_empty()).unwrap_or_default();
    of_text(text).unwrap_or_else(|| first_line().to_owned())
}

/// The title in the front matter, else the first heading of the first level that is not empty.
fn of_text(text: &str) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace(LINE_ENDS, "\n");
    let (front_matter, body) = split_front_matter(&text);
    front_matter.and_then(in_front_matter).or_else(|| first_heading(body))
}

/// The name of the file, with its folder where the name says nothing.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let folder = path.parent().and_then(Path::file_name).filter(|_| COMMON_NAMES.contains(&name.as_str()));
    folder.map_or(name.clone(), |folder| format!("{}/{name}", folder.to_string_lossy()))
}

/// The front matter in YAML, if there is one, and the text after it. That in TOML is only left out.
fn split_front_matter(text: &str) -> (Option<&str>, &str) {
    for (opening, closings, is_yaml) in [("---", ["---", "..."], true), ("+++", ["+++", "+++"], false)] {
        let mut lines = text.split_inclusive('\n');
        let Some(first) = lines.next().filter(|line| line.trim_end() == opening) else { continue };
        let mut end = first.len();
        for line in lines {
            if closings.contains(&line.trim_end()) {
                let front_matter = is_yaml.then(|| &text[first.len()..end]);
                return (front_matter, &text[end + line.len()..]);
            }
            end += line.len();
        }
    }
    (None, text)
}

/// The value of `title` in a mapping, if it is one line.
fn in_front_matter(yaml: &str) -> Option<String> {
    let (mut depth, mut is_key, mut is_title) = (0, true, false);
    for event in Parser::new_from_str(yaml) {
        match event.ok()?.0 {
            Event::MappingStart(..) => depth += 1,
            Event::SequenceStart(..) if depth == 0 => return None,
            Event::SequenceStart(..) => depth += 1,
            Event::MappingEnd | Event::SequenceEnd => {
                depth -= 1;
                // What ended may be a key or a value of the outermost mapping.
                (is_key, is_title) = if depth == 1 { (!is_key, false) } else { (is_key, is_title) };
            }
            Event::Scalar(value, ..) if depth == 1 && is_key => (is_key, is_title) = (false, value == "title"),
            Event::Scalar(value, ..) if depth == 1 && is_title => {
                let title = value.trim();
                let is_none = is_blank(title) || title.contains(['\n', '\r']) || ["~", "null"].contains(&title);
                return (!is_none).then(|| title.to_owned());
            }
            Event::Scalar(..) | Event::Alias(_) if depth == 1 => is_key = !is_key,
            Event::Scalar(..) | Event::Alias(_) => {}
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {}
        }
    }
    None
}

fn first_heading(text: &str) -> Option<String> {
    let (arena, lines) = (Arena::new(), text.lines().collect::<Vec<_>>());
    let document = parse_document(&arena, text, &Options::default());
    document.descendants().find_map(|node| heading(node, &lines)).filter(|heading| !heading.is_empty())
}

/// The source of a heading of the first level, on one line; none if it is empty.
fn heading(node: &AstNode<'_>, lines: &[&str]) -> Option<String> {
    let node = node.data();
    let NodeValue::Heading(heading) = &node.value else { return None };
    let (start, end) = (node.sourcepos.start, node.sourcepos.end);
    let lines = lines.get(start.line.checked_sub(1)?..end.line).filter(|_| heading.level == 1)?;
    let first = lines.first()?;
    let first = first.get(start.column.saturating_sub(1)..).unwrap_or(first);
    let source = if heading.setext {
        let is_text = |line: &&str| !line.trim().trim_matches('=').is_empty();
        let rest = lines[1..].iter().copied().filter(is_text);
        [first].into_iter().chain(rest).map(str::trim).collect::<Vec<_>>().join(" ")
    } else {
        let text = first.trim().trim_start_matches('#').trim();
        let before = text.trim_end_matches('#');
        // A closing sequence stands by itself.
        let is_closing = before.is_empty() || before.ends_with([' ', '\t']);
        if is_closing { before.trim().to_owned() } else { text.to_owned() }
    };
    Some(source).filter(|source| !is_blank(source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_that_of_the_front_matter_or_of_the_first_heading() {
        for (text, title) in [
            ("# Cache the prices\n\ntext\n", "Cache the prices"),
            ("\u{feff}# Cache the prices\n\n## Steps\n", "Cache the prices"),
            ("# Cache the prices #\n", "Cache the prices"),
            ("# Cache the prices ###  \r\n", "Cache the prices"),
            ("# C#\n", "C#"),
            ("intro\r\r# Cache\r\rtext\r", "Cache"),
            ("---\rtitle: Cache\r---\r# Other\r", "Cache"),
            ("\r\n# Cache\rtext\n# Other\n", "Cache"),
            ("Cache\r=====\rtext\r", "Cache"),
            ("# Cache\u{85}text\u{85}", "Cache"),
            ("intro\u{2028}# Cache\u{2028}text", "Cache"),
            ("# Cache\u{2029}text\r# Other\n", "Cache"),
            ("# Cache\u{c}\ntext", "Cache"),
            (" # Cache the prices\n", "Cache the prices"),
            ("intro\n# Cache\n", "Cache"),
            ("<!-- # old title -->\n\n# Cache\n", "Cache"),
            ("<!--\n# template: fill in\n-->\n# Cache\n", "Cache"),
            ("---\nstatus: draft\n---\n\n```sh\n# install\nmake\n```\n\n# Cache\n", "Cache"),
            ("```sh\n# install\n```\n\n~~~\n# too\n~~~\n\n    # and this\n\n# Cache\n", "Cache"),
            ("---\n# owner: platform team\nstatus: draft\ntitle: Price cache\n---\n\n# Cache\n", "Price cache"),
            ("---\r\ntitle: \"Price: cache\" # soon\r\n---\r\n", "Price: cache"),
            ("---\ntitle: 'It''s a cache'\n...\n# Cache\n", "It's a cache"),
            ("---\ntags: [title, other]\nmeta:\n  title: inner\ntitle: Outer\n---\n", "Outer"),
            ("---\ntitle: |\n  two\n  lines\n---\n# Cache\n", "Cache"),
            ("---\ntitle:\n---\n# Cache\n", "Cache"),
            ("---\ntitle: ~\n---\n# Cache\n", "Cache"),
            ("---\ntitle: [a\n---\n# Cache\n", "Cache"),
            ("---\n- title: x\n---\n# Cache\n", "Cache"),
            ("---\n# no end\n", "no end"),
            ("+++\n# hugo\ntitle = \"Price cache\"\n+++\n\n# Cache\n", "Cache"),
            ("#pricing #cache\n\n# Cache\n", "Cache"),
            ("#!/usr/bin/env markdown\n\n# Cache\n", "Cache"),
            ("# `prices` **table** :rocket:\n", "`prices` **table** :rocket:"),
            ("# [Cache](https://x.example.invalid/7) {#adr-7}\n", "[Cache](https://x.example.invalid/7) {#adr-7}"),
            ("Cache the prices\n================\n\ntext\n", "Cache the prices"),
            ("Cache\nthe prices\n===\n", "Cache the prices"),
            ("text\n\n## Why\n\n# \n\n# Cache\n", "Cache"),
            ("---\ntitle: \u{200b}\n---\n# \u{200b}\n\n# Cache\n", "Cache"),
            ("> # Quoted\n", "Quoted"),
        ] {
            assert_eq!(of_text(text).as_deref(), Some(title), "{text:?}");
        }
    }

    #[test]
    fn a_plan_without_a_title_has_the_name_of_its_file_and_a_task_its_first_line() {
        for text in ["", "text", "## Why\n", "# \n\n## Cache\n", "<h1>Cache</h1>\n", "    # code\n", "Why\n---\n"] {
            assert_eq!(of_text(text), None, "{text:?}");
            for (path, title) in [
                ("/a/cache.md", "cache.md"),
                ("/a/add-cache/proposal.md", "add-cache/proposal.md"),
                ("/a/add-cache/README.md", "add-cache/README.md"),
                ("/a/add-cache/readme.md", "readme.md"),
                ("/plan.md", "plan.md"),
            ] {
                assert_eq!(of_plan(text, Path::new(path)), title);
            }
        }
        assert_eq!(of_task("\n  First line \nsecond"), "First line");
        for end in ["\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"] {
            for begin in ["", "\u{feff}"] {
                assert_eq!(of_task(&format!("{begin}{end} First line {end}second")), "First line", "{end:?}");
            }
        }
        assert_eq!(of_task("Please:\n\n# Cache the prices\n"), "Cache the prices");
    }
}
