//! `aw debate export`: a debate from its motion to its end.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{EXAMPLE_FIRST, next, options::DebateId};
use crate::{
    api::types,
    envelope::{Answer, Format},
    error::{Code, Failure},
    file, find, inert,
    markdown::{Page, Shown},
    server::Server,
};

/// How many arguments are asked for at once.
const PAGE: u64 = 100;

#[derive(Args)]
#[command(help_template = EXAMPLE_FIRST, before_help = "\
Example:
  aw debate export --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --output debate.md")]
pub struct Export {
    #[command(flatten)]
    debate_id: DebateId,
    /// Keep it in this file, as markdown where it ends in .md; what it holds must not get lost. Prints where it is and
    /// how long
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Replace the file whatever it holds
    #[arg(long, requires = "output")]
    force: bool,
}

impl Export {
    /// Runs the command.
    pub async fn run(self, format: Format) -> Result<Answer, Failure> {
        let debate_id = self.debate_id.read()?;
        let server = Server::from_env()?;
        let debate_id = find::debate(&server, &debate_id).await?;
        let data = transcript(&server, debate_id).await?;
        let count = data["debate"]["last_seq"].clone();
        let next = next::context(debate_id, None);
        let Some(path) = self.output else {
            return Ok(Answer::new(data, format!("All {count} arguments"), show).go_on(next).with_others_text());
        };
        let is_page = format == Format::Markdown || path.extension().is_some_and(|extension| extension == "md");
        let text = if is_page { page(&data)? } else { inert::json(&data) + "\n" };
        keep(&path, &text, self.force)?;
        let data = json!({"debate_id": debate_id, "path": path.to_string_lossy(), "bytes": text.len()});
        let message = format!("All {count} arguments are in {}", path.display());
        Ok(Answer::new(data, message, show_kept).go_on(next))
    }
}

/// The debate at one moment: its arguments never change, so they may be fetched one page after another.
async fn transcript(server: &Server, debate_id: Uuid) -> Result<Value, Failure> {
    let ask = async |after: u64, before: Option<u64>, limit: u64| {
        server
            .call::<types::DebateContext, _>(|| {
                server.api.debate_get_context(&debate_id, Some(after), before, Some(limit))
            })
            .await
    };
    let first = ask(0, None, 0).await?;
    let last = first.view.debate.last_seq;
    let mut all = Vec::new();
    let mut known = 1;
    while known < last {
        let upto = last.min(known + PAGE);
        let mut page = ask(known, Some(upto + 1), PAGE).await?;
        if let Value::Array(arguments) = page.data["arguments"].take() {
            all.extend(arguments);
        }
        known = upto;
    }
    let mut data = first.data;
    data["arguments"] = all.into();
    Ok(data)
}

fn page(data: &Value) -> Result<String, Failure> {
    let mut page = Page::default();
    show(data, &mut page)
        .map_err(|error| Failure::new(Code::InternalError, format!("cannot show this debate: {error}")))?;
    Ok(page.finish())
}

/// Writes the file. One that holds the same already is as good as written.
fn keep(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let holds_the_same = || path.is_file() && fs::read(path).is_ok_and(|there| there == text.as_bytes());
    if !force && holds_the_same() { Ok(()) } else { file::write(path, text.as_bytes(), force) }
}

#[derive(Deserialize)]
struct Transcript {
    debate: types::Debate,
    motion: Shown,
    arguments: Vec<Shown>,
}

fn show(data: &Value, page: &mut Page) -> serde_json::Result<()> {
    let Transcript { debate, motion, mut arguments } = Transcript::deserialize(data)?;
    arguments.insert(0, motion);
    page.debate(&debate);
    for argument in &arguments {
        page.argument(argument, &arguments);
    }
    Ok(())
}

fn show_kept(_: &Value, _: &mut Page) -> serde_json::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_holds_something_else_is_kept_unless_forced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("debate.md");
        keep(&path, "one", false).unwrap();
        keep(&path, "one", false).unwrap();
        assert_eq!(keep(&path, "two", false).unwrap_err().code, "INVALID_INPUT");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        keep(&path, "two", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        let failure = keep(&folder.path().join("no/such"), "x", false).unwrap_err();
        assert!(failure.message.contains("no/such"), "{}", failure.message);
    }
}
