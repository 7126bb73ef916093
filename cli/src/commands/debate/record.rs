//! `aw debate record`: what a debate decided, on stdout or in a file.

use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{HELP_TEMPLATE, next_command, options::DebateId};
use crate::{
    client::{Client, types::StateName},
    commands::docs::options::formats,
    output::{
        Failure, Format, Invocation, Output, atomic_file::write_unless_equal, format_choice::is_for_a_person, reader,
        sanitize, terminal,
    },
};

#[derive(Args, Deserialize, JsonSchema)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate record --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --format json --output record.json")]
pub struct Record {
    #[command(flatten)]
    #[serde(flatten)]
    debate_id: DebateId,
    /// Write it to this file, and print the path and the size as JSON. A file with other contents is not replaced
    #[arg(long, short, value_name = "PATH")]
    #[serde(skip)]
    output: Option<PathBuf>,
    /// Replace the file whatever it contains
    #[arg(long, requires = "output")]
    #[serde(skip)]
    force: bool,
    #[command(flatten)]
    #[serde(skip)]
    _format: RecordFormat,
}

/// The option `--format` of this command. clap stores its value in the global option.
#[derive(Args, Default)]
struct RecordFormat {
    /// Output format: markdown in the headings of MADR 4, one line of JSON with the signature, or a page of HTML
    #[arg(long, value_parser = formats(["markdown", "json", "html"]), default_value = "markdown", value_name = "FORMAT", display_order = 100)]
    format: Format,
}

impl Record {
    pub async fn run(self, format: Format) -> Result<Output, Failure> {
        let client = Client::for_long_texts()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        // Also for the other formats, which have no hashes that could be compared with those seen before.
        let mut signed = client.send::<IgnoredAny, _>(|| client.api.debate_record(&debate_id, None)).await?.data;
        let mut message = format!("The record of debate {debate_id}");
        if reader::has_tools() && leave_out_agents(&mut signed) {
            message += ", unsigned, since it leaves out which programs wrote while the debate is open";
        }
        let rendered = match format {
            Format::Json | Format::Plain | Format::Terminal(_) => None,
            Format::Markdown => Some("markdown"),
            Format::Html => Some("html"),
        };
        let text = match rendered {
            None if self.output.is_none() => return Ok(Output::new(signed, message).with_caution()),
            None => sanitize::json(&signed) + "\n",
            Some(format) => fetch_rendered(&client, debate_id, format).await?,
        };
        let Some(path) = self.output else { return Ok(Output::text(text)) };
        write_unless_equal(&path, &text, self.force)?;
        if let Some(told) = rendered.and_then(|format| other_form_of_name(&path, format)) {
            terminal::note(&told);
        }
        let path = path.to_string_lossy();
        let message = format!("The record of debate {debate_id} is in {path}");
        let next = match rendered {
            None => Invocation::new("debate verify-record").positional("path", &path),
            Some(_) => next_command::signed_record(debate_id),
        };
        let data = json!({"debate_id": debate_id, "path": path, "bytes": text.len()});
        Ok(Output::new(data, message).with_next(next).in_json())
    }
}

/// The record for a file, as the end of its name says: markdown, a page, or signed JSON.
pub(super) async fn text_for(client: &Client, debate_id: Uuid, signed: &Value, path: &Path) -> Result<String, Failure> {
    match path.extension().and_then(OsStr::to_str) {
        Some("md") => fetch_rendered(client, debate_id, "markdown").await,
        Some("html") => fetch_rendered(client, debate_id, "html").await,
        Some(_) | None => Ok(sanitize::json(signed) + "\n"),
    }
}

/// What a person is told whose file has a name of another form than its contents: without `--format` these are markdown.
fn other_form_of_name(path: &Path, format: &str) -> Option<String> {
    let of_name = path.extension().and_then(OsStr::to_str).filter(|form| ["json", "html"].contains(form))?;
    let is_told = of_name != format && is_for_a_person(&io::stderr());
    is_told.then(|| {
        format!("{} has the record in {format}; --format {of_name} --force writes it as {of_name}", path.display())
    })
}

/// Fetches the record or the transcript as the server renders it.
pub(super) async fn fetch_rendered(client: &Client, debate_id: Uuid, format: &str) -> Result<String, Failure> {
    Ok(client.send::<String, _>(|| client.rendered_record(debate_id, format)).await?.parsed)
}

/// What of a record says whether its debate is open.
#[derive(Deserialize)]
struct Signed {
    record: Recorded,
}

#[derive(Deserialize)]
struct Recorded {
    debate: RecordedDebate,
}

#[derive(Deserialize)]
struct RecordedDebate {
    state: String,
}

/// Leaves out which programs wrote while the debate is open, since that is no argument for a side, and the signature, which is over
/// them, too. Says whether it did.
fn leave_out_agents(signed: &mut Value) -> bool {
    let is_closed = |signed: Signed| signed.record.debate.state == StateName::Closed.to_string();
    if Signed::deserialize(&*signed).is_ok_and(is_closed) {
        return false;
    }
    for (name, part) in signed.as_object_mut().into_iter().flatten() {
        match (name.as_str(), part) {
            ("signature", part) => *part = Value::Null,
            ("record", Value::Object(record)) => drop(record.shift_remove("agents")),
            _ => {}
        }
    }
    true
}
