//! Text that others wrote, in a document of ours: it keeps its formatting, and can neither break out of its place nor look
//! like a part of the document.
//!
//! It is parsed as markdown and written again. Headings become bold lines, images become links, and HTML becomes text.

use comrak::{
    Arena, Node, Options, format_commonmark, format_html,
    nodes::{AstNode, NodeCodeBlock, NodeValue},
    options::ListStyleType,
    parse_document,
};

/// The language of code that names none.
const NO_LANGUAGE: &str = "text";

/// The text as a quotation in markdown.
pub fn quoted(text: &str) -> String {
    let arena = Arena::new();
    let text = hidden_characters::text(text);
    let root = parse(&arena, &text);
    let quotation: Node<'_> = arena.alloc(NodeValue::BlockQuote.into());
    root.children().collect::<Vec<_>>().into_iter().for_each(|block| quotation.append(block));
    root.append(quotation);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = format_commonmark(root, &options(), &mut out);
    out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The text on one line of markdown, without any formatting. Only what would have a meaning there is escaped, so that the line
/// can be read and copied from the file, too.
pub fn on_one_line(text: &str) -> String {
    let line = hidden_characters::line(&text.replace(['\r', '\n', '\t'], " "));
    let line = line.trim();
    let mut out = String::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        if has_meaning(c, &line[..at], &line[at + c.len_utf8()..]) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Whether a character of a line of markdown, between these texts, is more than text.
fn has_meaning(c: char, before: &str, after: &str) -> bool {
    let is_first = before.is_empty();
    match c {
        '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' | '$' => true,
        '_' => !is_within_word(before, after),
        '&' => after.starts_with(|next: char| next == '#' || next.is_ascii_alphanumeric()),
        // At the beginning or the end of a heading.
        '#' => is_first || before.ends_with(char::is_whitespace),
        '-' | '+' | '=' | '>' => is_first,
        '.' | ')' if is_number_of_list(before, after) => true,
        // What many programs make a link of.
        '.' => before.to_ascii_lowercase().ends_with("www"),
        ':' => after.starts_with("//"),
        '@' => is_within_word(before, after),
        _ => false,
    }
}

/// Whether the first of these texts, with what is between them, begins an item of a list.
fn is_number_of_list(before: &str, after: &str) -> bool {
    (1..=9).contains(&before.len())
        && before.bytes().all(|byte| byte.is_ascii_digit())
        && (after.is_empty() || after.starts_with(char::is_whitespace))
}

/// Whether what is between these texts has a letter or digit on both sides.
fn is_within_word(before: &str, after: &str) -> bool {
    before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
}

/// What stands in a text under headings with one of these titles, with them.
pub fn sections(text: &str, titles: &[&str]) -> String {
    let arena = Arena::new();
    let root = parse_document(&arena, text, &options());
    let lines: Vec<&str> = text.lines().collect();
    let mut within = None;
    let mut blocks = Vec::new();
    for block in root.children() {
        let block = block.data();
        let (first, last) = (block.sourcepos.start.line, block.sourcepos.end.line);
        let source = lines.get(first.saturating_sub(1)..last).unwrap_or_default().join("\n");
        if let NodeValue::Heading(heading) = &block.value
            && within.is_none_or(|level| heading.level <= level)
        {
            within = titles.contains(&source.trim_matches(['#', ' '])).then_some(heading.level);
        }
        if within.is_some() {
            blocks.push(source);
        }
    }
    blocks.join("\n\n")
}

/// What the first paragraph of a text says, or its first heading or item, without any formatting, and whether that is all of it.
pub fn first_paragraph(text: &str) -> (String, bool) {
    let arena = Arena::new();
    let root = parse_document(&arena, text, &options());
    let is_paragraph = |node: &Node<'_>| {
        matches!(
            node.data().value,
            NodeValue::Paragraph | NodeValue::Heading(_) | NodeValue::CodeBlock(_) | NodeValue::HtmlBlock(_)
        )
    };
    let mut paragraphs = root.descendants().filter(is_paragraph);
    let Some(first) = paragraphs.next() else { return (text.trim().to_owned(), true) };
    let is_all = paragraphs.next().is_none();
    for node in first.descendants() {
        let mut node = node.data_mut();
        if let NodeValue::HtmlInline(html) = &node.value {
            node.value = NodeValue::Text(html.clone().into());
        }
    }
    let said = if let NodeValue::CodeBlock(block) = &first.data().value {
        block.literal.trim().to_owned()
    } else if let NodeValue::HtmlBlock(block) = &first.data().value {
        block.literal.trim().to_owned()
    } else {
        first.collect_text()
    };
    (said, is_all)
}

/// The text as HTML that loads nothing, runs nothing, and has no headings.
pub fn html(text: &str) -> String {
    let arena = Arena::new();
    let text = hidden_characters::text(text);
    let root = parse(&arena, &text);
    for node in root.descendants().filter(|node| has_unfit_url(node)).collect::<Vec<_>>() {
        node.children().collect::<Vec<_>>().into_iter().for_each(|child| node.insert_before(child));
        node.detach();
    }
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = format_html(root, &options(), &mut out);
    out
}

/// Whether this is a link that leads to no other page: it may run something, or is relative, and a page that stands by
/// itself has nothing beside it.
fn has_unfit_url(node: &AstNode<'_>) -> bool {
    let NodeValue::Link(link) = &node.data().value else { return false };
    let url = link.url.to_ascii_lowercase();
    !["http://", "https://", "mailto:"].iter().any(|start| url.starts_with(start))
}

fn options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.autolink = true;
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.render.escape = true;
    options.render.list_style = ListStyleType::Dash;
    options.render.prefer_fenced = true;
    options
}

fn parse<'a>(arena: &'a Arena<'a>, text: &str) -> Node<'a> {
    let root = parse_document(arena, text, &options());
    for node in root.descendants().collect::<Vec<_>>() {
        make_harmless(arena, node);
    }
    root
}

fn make_harmless<'a>(arena: &'a Arena<'a>, node: &'a AstNode<'a>) {
    let value = std::mem::replace(&mut node.data_mut().value, NodeValue::Paragraph);
    let harmless = if let NodeValue::Heading(_) = value {
        let bold: Node<'a> = arena.alloc(NodeValue::Strong.into());
        node.children().collect::<Vec<_>>().into_iter().for_each(|child| bold.append(child));
        node.append(bold);
        NodeValue::Paragraph
    } else if let NodeValue::Image(link) = value {
        NodeValue::Link(link)
    } else if let NodeValue::HtmlBlock(html) = value {
        code("html", html.literal)
    } else if let NodeValue::HtmlInline(html) = value {
        NodeValue::Text(html.into())
    } else if let NodeValue::CodeBlock(block) = value {
        let language = block.info.split_whitespace().next().unwrap_or(NO_LANGUAGE);
        code(language, block.literal)
    } else if let NodeValue::Text(text) = value {
        NodeValue::Text(without_escapes(arena, node, &text.replace('\t', " ")).into())
    } else {
        value
    };
    node.data_mut().value = harmless;
}

/// comrak escapes each underscore, also within a word, where it has no meaning: a citation could not be found or copied. Puts
/// all up to the last of these underscores before the node and returns the rest.
fn without_escapes<'a>(arena: &'a Arena<'a>, node: &'a AstNode<'a>, text: &str) -> String {
    let mut start = 0;
    for (at, underscore) in text.match_indices('_') {
        let end = at + underscore.len();
        if is_within_word(&text[..at], &text[end..]) {
            node.insert_before(arena.alloc(NodeValue::Text(text[start..at].to_owned().into()).into()));
            node.insert_before(arena.alloc(NodeValue::Raw(underscore.to_owned()).into()));
            start = end;
        }
    }
    text[start..].to_owned()
}

fn code(language: &str, literal: String) -> NodeValue {
    let block = NodeCodeBlock {
        fenced: true,
        fence_char: b'`',
        fence_length: 3,
        fence_offset: 0,
        info: language.to_owned(),
        literal,
        closed: true,
    };
    NodeValue::CodeBlock(Box::new(block))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text could try.
    const HOSTILE: [&str; 16] = [
        "# Decision Outcome\n\nApproved.",
        "Approved\n========\n\n---\n\nstatus: accepted",
        "```\nunclosed code\n# Heading",
        "<h1>Title</h1>\n\n</blockquote></details></main><h2>More Information</h2>",
        "<script>alert(1)</script>",
        "text <img src=x onerror=alert(1)> text",
        "[link](javascript:alert(1)) ![image](https://example.com/x.png)",
        "[a]: javascript:alert(1)\n\n[a]",
        "<a href=\"javascript:alert(1)\">x</a><svg onload=alert(1)><style>body{display:none}</style>",
        "> > - nested\n\n1. list\n\n| a | b |\n|---|---|\n| # c | </td> |",
        "\u{1b}[2J\u{202e}evil",
        "<!-- comment\n\n# Heading",
        "[a](JavaScript:alert(1)) [b](java&#10;script:alert(1)) [c]( &#x6a;avascript:alert(1)) <javascript:alert(1)>",
        "[a](data:text/html;base64,PHNjcmlwdD4=) [b](vbscript:x) [c](file:///etc/passwd) [d](blob:https://example.com/x)",
        "[a](plan.html) [b](/x) [c](//example.com) [d](#top) [e]() [f](<https:javascript:alert(1)> \"\\\" onclick=alert(1)\")",
        "[![image](x.png)](javascript:alert(1)) **[bold](javascript:alert(1))** \\<script>alert(1)\\</script> &lt;script&gt;",
    ];

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_level_and_not_in_code() {
        let text = "Done.\n\n## Chosen\n\n- a\n\n### Why\n\n#42 goes\n\n```\n# install\n```\n\n## Else\n\nb\n";
        let expected = "## Chosen\n\n- a\n\n### Why\n\n#42 goes\n\n```\n# install\n```";
        assert_eq!(sections(text, &["Chosen"]), expected);
        assert_eq!(sections(text, &["Other"]), "");
    }

    #[test]
    fn every_line_of_a_quotation_is_quoted_and_none_is_a_heading() {
        for text in HOSTILE {
            let quoted = quoted(text);
            for line in quoted.lines() {
                assert!(line.starts_with('>'), "{text:?}: {quoted}");
            }
            let arena = Arena::new();
            let again = parse_document(&arena, &quoted, &options());
            assert_eq!(again.children().count(), 1, "{text:?}: {quoted}");
            let is_harmful = |node: &Node<'_>| {
                let value = &node.data().value;
                matches!(
                    value,
                    NodeValue::Heading(_) | NodeValue::Image(_) | NodeValue::HtmlBlock(_) | NodeValue::HtmlInline(_)
                )
            };
            assert!(!again.descendants().any(|node| is_harmful(&node)), "{text:?}: {quoted}");
            assert!(!quoted.contains(['\u{1b}', '\u{202e}']), "{quoted}");
        }
    }

    #[test]
    fn html_has_nothing_that_runs_loads_or_breaks_out() {
        for text in HOSTILE {
            let html = html(text);
            for part in [
                "<script",
                "<img",
                "<svg",
                "<style",
                "<h1",
                "<h2",
                "<a href=\"javascript",
                "</details",
                "</blockquote></details",
            ] {
                assert!(!html.contains(part), "{text:?}: {html}");
            }
            for address in html.split("href=\"").skip(1) {
                assert!(["http:", "https:", "mailto:"].iter().any(|scheme| address.starts_with(scheme)), "{html}");
            }
        }
        let plain = html("A **bold** `code` [link](https://example.com) and a list:\n\n- one\n- two");
        assert!(plain.contains("<strong>bold</strong> <code>code</code>") && plain.contains("<li>one</li>"), "{plain}");
        assert!(plain.contains("href=\"https://example.com\""), "{plain}");
    }

    #[test]
    fn a_line_has_no_formatting_and_stays_one_line() {
        let line = on_one_line("# *a* | <b>\n[x](y) `c` \u{202e}");
        let arena = Arena::new();
        let root = parse_document(&arena, &line, &options());
        assert_eq!(line.lines().count(), 1);
        let is_text = |node: &Node<'_>| {
            matches!(node.data().value, NodeValue::Document | NodeValue::Paragraph | NodeValue::Text(_))
        };
        assert!(root.descendants().all(|node| is_text(&node)), "{line}");
    }

    #[test]
    fn a_line_has_no_more_escapes_than_it_needs() {
        for line in [
            "Keep it: src/cleanup.rs:41, doc_id (section 3.1) costs less than the index.",
            "Nothing to escape, R & D, 3.1 - and 50 % more!",
        ] {
            assert_eq!(on_one_line(line), line);
        }
        for (line, expected) in [
            ("# *a* _b_ `c` ~~d~~ <e> [f](g) | &amp; \\", r"\# \*a\* \_b\_ \`c\` \~\~d\~\~ \<e> \[f\](g) \| \&amp; \\"),
            ("- item", r"\- item"),
            ("1. one", r"1\. one"),
            ("ends with #", r"ends with \#"),
            (
                "https://example.com www.example.com me@example.com",
                r"https\://example.com www\.example.com me\@example.com",
            ),
            ("  a\n\tb  ", "a  b"),
        ] {
            assert_eq!(on_one_line(line), expected);
        }
    }

    #[test]
    fn a_citation_can_be_copied_from_a_quotation() {
        let citation = "doc_id=5f0c2a6e-9b1d-4c38-8a57-3d2e1f4b6a90 v2";
        assert_eq!(quoted(&format!("See {citation}, `{citation}`.")), format!("> See {citation}, `{citation}`."));
        assert_eq!(quoted("_a_ and a_b_c_ d\\_e"), "> *a* and a_b_c\\_ d_e");
        assert!(html("a_b_c <b>").contains("a_b_c &lt;b&gt;"));
    }

    #[test]
    fn formatting_is_kept() {
        insta::assert_snapshot!(quoted(
            "## The plan\n\nIt has *two* parts:\n\n1. first\n2. second\n\n   ```rust\n   fn main() {}\n   ```\n\n- a\n- b\n\n    indented\n"
        ));
    }
}
