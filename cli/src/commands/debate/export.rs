//! `aw debate export`: the whole debate, on stdout or in a file.

use std::{
    fs,
    path::{Path, PathBuf},
};

use clap::Args;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{HELP_TEMPLATE, markdown::printed_arguments, next_command, options::DebateId};
use crate::{
    client::{Client, types::DebateContext},
    output::{
        atomic_file,
        envelope::{Format, Output},
        failure::{Code, Failure},
        invocation::Next,
        markdown::Markdown,
        sanitize,
    },
};

/// Number of arguments requested at once.
const PAGE_SIZE: u64 = 100;

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate export --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --output debate.md")]
pub struct Export {
    #[command(flatten)]
    debate_id: DebateId,
    /// Write it to this file, as markdown if the name ends in .md. A file with other contents is not replaced. Prints the
    /// path and the size
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Replace the file whatever it contains
    #[arg(long, requires = "output")]
    force: bool,
}

impl Export {
    pub async fn run(self, format: Format) -> Result<Output, Failure> {
        let client = Client::from_env()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        let data = fetch_all(&client, debate_id).await?;
        let count = next_command::count(data["debate"]["last_seq"].as_u64().unwrap_or_default(), "argument");
        let is_closed = data["debate"]["state"] == "CLOSED";
        // Nothing leads on from a closed debate.
        let next = (!is_closed).then(|| Next::from(next_command::context(debate_id, None)));
        let Some(path) = self.output else {
            let message = format!("The whole debate: {count}");
            let output = Output::new(data, message).with_markdown(render).with_caution();
            return Ok(Output { next, ..output });
        };
        let is_markdown = format == Format::Markdown || path.extension().is_some_and(|extension| extension == "md");
        let text = if is_markdown { markdown(&data)? } else { sanitize::json(&data) + "\n" };
        write_unless_equal(&path, &text, self.force)?;
        let data = json!({"debate_id": debate_id, "path": path.to_string_lossy(), "bytes": text.len()});
        let output = Output::new(data, format!("The whole debate, {count}, is in {}", path.display()));
        Ok(Output { next, ..output })
    }
}

/// Fetches a debate page by page. The result is consistent, since arguments never change.
pub(super) async fn fetch_all(client: &Client, debate_id: Uuid) -> Result<Value, Failure> {
    let fetch = async |after: u64, before: Option<u64>, limit: u64| {
        client
            .send::<DebateContext, _>(|| client.api.debate_get_context(&debate_id, Some(after), before, Some(limit)))
            .await
    };
    let first = fetch(0, None, 0).await?;
    let last = first.parsed.debate.last_seq;
    let mut arguments = Vec::new();
    let mut fetched = 1;
    while fetched < last {
        let end = last.min(fetched + PAGE_SIZE);
        let mut page = fetch(fetched, Some(end + 1), PAGE_SIZE).await?;
        if let Value::Array(page) = page.data["arguments"].take() {
            arguments.extend(page);
        }
        fetched = end;
    }
    let mut data = first.data;
    data["arguments"] = arguments.into();
    Ok(data)
}

fn markdown(data: &Value) -> Result<String, Failure> {
    let mut md = Markdown::default();
    render(data, &mut md)
        .map_err(|error| Failure::new(Code::InternalError, format!("cannot render this debate: {error}")))?;
    Ok(md.finish())
}

/// Writes the file, unless it has these contents already.
pub(super) fn write_unless_equal(path: &Path, text: &str, overwrite: bool) -> Result<(), Failure> {
    let is_equal = || path.is_file() && fs::read(path).is_ok_and(|contents| contents == text.as_bytes());
    if !overwrite && is_equal() { Ok(()) } else { atomic_file::write(path, text.as_bytes(), overwrite) }
}

fn render(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    md.debate(&data["debate"])?;
    let arguments =
        printed_arguments([&data["motion"]].into_iter().chain(data["arguments"].as_array().into_iter().flatten()))?;
    arguments.iter().for_each(|argument| md.argument(argument, &arguments));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_other_contents_is_only_replaced_with_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("debate.md");
        write_unless_equal(&path, "one", false).unwrap();
        write_unless_equal(&path, "one", false).unwrap();
        assert_eq!(write_unless_equal(&path, "two", false).unwrap_err().code, "INVALID_INPUT");
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        write_unless_equal(&path, "two", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        let failure = write_unless_equal(&folder.path().join("no/such"), "x", false).unwrap_err();
        assert!(failure.message.contains("no/such"), "{}", failure.message);
    }
}
