//! `aw docs diff`: what changed between two versions.

use std::time::Duration;

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use similar::TextDiff;
use uuid::Uuid;

use super::{
    HELP_TEMPLATE,
    markdown::CAUTION,
    next_command,
    options::{DocumentId, TextFormat, fetch_version},
};
use crate::{
    client::{Client, types::DocumentVersion},
    input::lines::to_compare,
    output::{Code, Failure, Markdown, Output, reader::option, terminal},
};

/// How long the smallest diff is searched for; after that a larger one is accepted.
const DIFF_TIMEOUT: Duration = Duration::from_secs(3);

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw docs diff 7c9e6679-7425-40de-944b-e07fc1f90ae7 --from 1")]
pub struct Diff {
    #[command(flatten)]
    #[serde(flatten)]
    document_id: DocumentId,
    /// The earlier version [default: the one before --to]
    #[arg(long, value_name = "N")]
    #[schemars(description = "The earlier version [default: the one before to]")]
    from: Option<u64>,
    /// The later version [default: the newest]
    #[arg(long, value_name = "N")]
    to: Option<u64>,
    #[command(flatten)]
    #[serde(skip)]
    _format: TextFormat,
}

impl Diff {
    pub async fn run(self) -> Result<Output, Failure> {
        let client = Client::for_long_texts()?;
        let document_id = self.document_id.resolve(&client).await?;
        print_changes(&client, document_id, self.from, self.to).await
    }
}

/// What is told of the changes.
#[derive(Serialize, Deserialize)]
struct Changes {
    document_id: Uuid,
    from: u64,
    to: u64,
    diff: String,
}

/// The output of what changed between two versions, by default the newest and the one before.
pub async fn print_changes(
    client: &Client,
    document_id: Uuid,
    from: Option<u64>,
    to: Option<u64>,
) -> Result<Output, Failure> {
    let to = fetch_version(client, document_id, to).await?.parsed.version;
    let from = match from {
        Some(from) => from,
        None if to.version > 1 => to.version - 1,
        None => return Err(no_earlier_version(document_id)),
    };
    let from = fetch_version(client, document_id, Some(from)).await?.parsed.version;
    let diff = unified_diff(&from, &to);
    let message = if diff.is_empty() {
        format!("v{} and v{} have the same text", from.version, to.version)
    } else {
        format!("From v{} to v{}", from.version, to.version)
    };
    let text = if terminal::supports_colour() { coloured(&diff) } else { diff.clone() };
    let data = Changes { document_id, from: from.version, to: to.version, diff };
    Ok(Output::new(json!(data), message)
        .with_markdown(render)
        .with_text(text)
        .with_next(next_command::get(document_id, Some(to.version)))
        .with_caution())
}

fn no_earlier_version(document_id: Uuid) -> Failure {
    let message = format!("version 1 of the document {document_id} is its first: there is none before it");
    Failure::new(Code::InvalidInput, message)
        .with_suggestion(format!("Read it, or choose two versions with {} and {}", option("--from"), option("--to")))
        .with_next(next_command::get(document_id, Some(1)))
}

fn unified_diff(from: &DocumentVersion, to: &DocumentVersion) -> String {
    // Split by newlines, as patch(1) does, or by carriage returns where there are no others; similar's own line diff also splits at other line breaks.
    let [from_text, to_text] = to_compare([&from.content, &to.content]);
    let from_lines: Vec<&str> = from_text.split_inclusive('\n').collect();
    let to_lines: Vec<&str> = to_text.split_inclusive('\n').collect();
    let name = |version: &DocumentVersion| format!("{} v{}", version.document_id, version.version);
    TextDiff::configure()
        .timeout(DIFF_TIMEOUT)
        .newline_terminated(true)
        .diff_slices(&from_lines, &to_lines)
        .unified_diff()
        .header(&name(from), &name(to))
        .to_string()
}

/// Colours a diff for a terminal: additions in green, deletions in red.
fn coloured(diff: &str) -> String {
    let line = |line: &str| {
        let colour = match line.as_bytes() {
            [b'@', ..] => "36",
            [b'+', ..] => "32",
            [b'-', ..] => "31",
            _ => return line.to_owned(),
        };
        let text = line.trim_end_matches(['\r', '\n']);
        format!("\u{1b}[{colour}m{text}\u{1b}[0m{}", &line[text.len()..])
    };
    diff.split_inclusive('\n').map(line).collect()
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let Changes { document_id, diff, .. } = Changes::deserialize(data)?;
    md.heading(1, &format!("Document {document_id}"));
    if !diff.is_empty() {
        md.paragraph(CAUTION);
        md.code(&diff);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(number: u64, content: &str) -> DocumentVersion {
        serde_json::from_value(json!({
            "document_id": Uuid::from_u128(7), "version": number, "summary": "", "content": content, "metadata": {},
            "sha256": "0", "metadata_sha256": null,
            "created_at": "2026-01-31T10:00:00Z",
        }))
        .unwrap()
    }

    fn diff(before: &str, after: &str) -> String {
        unified_diff(&version(1, before), &version(2, after))
    }

    const HEAD: &str = "\
--- 00000000-0000-0000-0000-000000000007 v1
+++ 00000000-0000-0000-0000-000000000007 v2
";

    #[test]
    fn a_diff_has_three_lines_of_context() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let expected = "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(diff(before, &before.replace('5', "five")), format!("{HEAD}{expected}"));
    }

    #[test]
    fn equal_versions_have_an_empty_diff() {
        assert_eq!(diff("a\nb", "a\nb"), "");
        assert_eq!(diff("", ""), "");
    }

    #[test]
    fn line_endings_are_compared() {
        let expected = "@@ -1,2 +1,2 @@\n-a\n-b\n\\ No newline at end of file\n+a\r\n+b\n";
        assert_eq!(diff("a\nb", "a\r\nb\n"), format!("{HEAD}{expected}"));
        assert_eq!(diff("", "a\n"), format!("{HEAD}@@ -0,0 +1 @@\n+a\n"));
    }

    #[test]
    fn colours_do_not_change_the_text() {
        let plain = diff("a\nb\r\nc", "a\nB\r\nc\n");
        let mut uncoloured = coloured(&plain);
        assert!(uncoloured.contains("\u{1b}[31m-b\u{1b}[0m\r\n"), "{uncoloured}");
        for code in ["\u{1b}[31m", "\u{1b}[32m", "\u{1b}[36m", "\u{1b}[0m"] {
            uncoloured = uncoloured.replace(code, "");
        }
        assert_eq!(uncoloured, plain);
    }
}
