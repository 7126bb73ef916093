//! `aw docs diff`: what changed from one version to another.

use std::time::Duration;

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use similar::TextDiff;
use uuid::Uuid;

use super::{
    next,
    options::{DocumentId, TextFormat},
    page::JUDGE,
};
use crate::{
    api::types,
    envelope::Answer,
    error::{Code, Failure},
    markdown::Page,
    output,
    server::Server,
    verb::EXAMPLE_FIRST,
};

/// How long the smallest difference is looked for; after that any will do.
const PATIENCE: Duration = Duration::from_secs(3);

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw docs diff 7c9e6679-7425-40de-944b-e07fc1f90ae7 --from 1")]
pub struct Diff {
    #[command(flatten)]
    document_id: DocumentId,
    /// The version to start from [default: the one before --to]
    #[arg(long, value_name = "N")]
    from: Option<u64>,
    /// The version to end with [default: the newest]
    #[arg(long, value_name = "N")]
    to: Option<u64>,
    #[command(flatten)]
    _format: TextFormat,
}

impl Diff {
    /// Runs the command.
    pub async fn run(self) -> Result<Answer, Failure> {
        let document = self.document_id.read()?;
        let server = Server::for_long_texts()?;
        let document_id = document.find(&server).await?;
        let version = async |number| {
            server
                .call::<types::DocumentWithVersion, _>(|| server.api.document_get(&document_id, number))
                .await
                .map(|told| told.view.version)
                .map_err(|failure| next::failure(failure, document_id))
        };
        let to = version(self.to).await?;
        let from = match self.from {
            Some(from) => from,
            None if to.version > 1 => to.version - 1,
            None => return Err(nothing_before(document_id)),
        };
        let from = version(Some(from)).await?;
        let diff = unified(&from, &to);
        let message = match diff.as_str() {
            "" => format!("v{} and v{} say the same", from.version, to.version),
            _ => format!("From v{} to v{}", from.version, to.version),
        };
        let text = if output::may_be_coloured() { coloured(&diff) } else { diff.clone() };
        let data = json!({"document_id": document_id, "from": from.version, "to": to.version, "diff": diff});
        Ok(Answer::new(data, message, show)
            .about(text)
            .go_on(next::get(document_id, Some(to.version)))
            .with_others_text())
    }
}

fn nothing_before(document_id: Uuid) -> Failure {
    let message = format!("version 1 of the document {document_id} is its first: there is none before it");
    Failure::new(Code::InvalidInput, message)
        .suggest("Read it, or say which two versions with --from and --to")
        .go_on(next::get(document_id, Some(1)))
}

fn unified(from: &types::DocumentVersion, to: &types::DocumentVersion) -> String {
    let (before, after) = (lines(&from.content), lines(&to.content));
    let name = |version: &types::DocumentVersion| format!("{} v{}", version.document_id, version.version);
    TextDiff::configure()
        .timeout(PATIENCE)
        .newline_terminated(true)
        .diff_slices(&before, &after)
        .unified_diff()
        .header(&name(from), &name(to))
        .to_string()
}

/// By newlines only, as everything that reads such diffs does.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The same for a terminal: what is new in green, what is gone in red.
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

#[derive(Deserialize)]
struct Shown {
    document_id: Uuid,
    diff: String,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let shown = Shown::deserialize(data)?;
    page.heading(1, &format!("Document {}", shown.document_id));
    if !shown.diff.is_empty() {
        page.paragraph(JUDGE);
        page.quote(&shown.diff);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(number: u64, content: &str) -> types::DocumentVersion {
        serde_json::from_value(json!({
            "document_id": Uuid::from_u128(7), "version": number, "summary": "", "content": content, "metadata": {},
            "created_at": "2026-01-31T10:00:00Z",
        }))
        .unwrap()
    }

    fn diff(before: &str, after: &str) -> String {
        unified(&version(1, before), &version(2, after))
    }

    const HEAD: &str = "\
--- 00000000-0000-0000-0000-000000000007 v1
+++ 00000000-0000-0000-0000-000000000007 v2
";

    #[test]
    fn three_lines_around_a_change_are_shown() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let expected = "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(diff(before, &before.replace('5', "five")), format!("{HEAD}{expected}"));
    }

    #[test]
    fn versions_that_say_the_same_have_no_diff() {
        assert_eq!(diff("a\nb", "a\nb"), "");
        assert_eq!(diff("", ""), "");
    }

    #[test]
    fn line_ends_and_a_missing_last_one_count() {
        let expected = "@@ -1,2 +1,2 @@\n-a\n-b\n\\ No newline at end of file\n+a\r\n+b\n";
        assert_eq!(diff("a\nb", "a\r\nb\n"), format!("{HEAD}{expected}"));
        assert_eq!(diff("", "a\n"), format!("{HEAD}@@ -0,0 +1 @@\n+a\n"));
    }

    #[test]
    fn colours_change_nothing_but_colours() {
        let plain = diff("a\nb\r\nc", "a\nB\r\nc\n");
        let mut bare = coloured(&plain);
        assert!(bare.contains("\u{1b}[31m-b\u{1b}[0m\r\n"), "{bare}");
        for code in ["\u{1b}[31m", "\u{1b}[32m", "\u{1b}[36m", "\u{1b}[0m"] {
            bare = bare.replace(code, "");
        }
        assert_eq!(bare, plain);
    }
}
