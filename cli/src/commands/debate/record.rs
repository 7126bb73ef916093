//! `aw debate record`: what a debate decided, on stdout or in a file.

use std::path::PathBuf;

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    HELP_TEMPLATE,
    export::{fetch_all, write_unless_equal},
    next_command,
    options::DebateId,
};
use crate::{
    client::{Client, Response},
    output::{
        envelope::{Format, Output},
        failure::Failure,
        sanitize,
    },
    record::{Rendering, Transcript, render},
};

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate record --debate-id 93d81b1a-0e66-4510-abfd-aa33b26cb82e \\
    --format json --output record.json")]
pub struct Record {
    #[command(flatten)]
    debate_id: DebateId,
    /// Write it to this file, and print the path and the size as JSON. A file with other contents is not replaced
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Replace the file whatever it contains
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    _format: RecordFormat,
}

/// The option `--format` of this command. clap stores its value in the global option.
#[derive(Args)]
struct RecordFormat {
    /// Output format: markdown in the headings of MADR 4, one line of JSON with the signature, or a page of HTML
    #[arg(long, value_parser = record_format(), default_value = "markdown", value_name = "FORMAT", display_order = 100)]
    format: Format,
}

fn record_format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(["markdown", "json", "html"]).map(|name| match name.as_str() {
        "json" => Format::Json,
        "html" => Format::Html,
        _ => Format::Markdown,
    })
}

impl Record {
    pub async fn run(self, format: Format) -> Result<Output, Failure> {
        let client = Client::for_long_texts()?;
        let debate_id = self.debate_id.resolve(&client).await?;
        let signed = fetch(&client, debate_id).await?;
        let rendering = match format {
            Format::Json | Format::Plain => None,
            Format::Markdown => Some(Rendering::Markdown),
            Format::Html => Some(Rendering::Html),
        };
        let text = match rendering {
            None if self.output.is_none() => {
                let message = format!("The record of debate {debate_id}");
                return Ok(Output::new(signed, message).with_caution());
            }
            None => sanitize::json(&signed) + "\n",
            Some(rendering) => {
                let transcript = fetch_transcript(&client, debate_id, rendering, &signed["record"]).await?;
                render(rendering, &signed, &transcript)?
            }
        };
        let Some(path) = self.output else { return Ok(Output::text(text)) };
        write_unless_equal(&path, &text, self.force)?;
        let path = path.to_string_lossy();
        let message = format!("The record of debate {debate_id} is in {path}");
        let next = match rendering {
            None => next_command::verify_record(&path),
            Some(Rendering::Markdown | Rendering::Html) => next_command::signed_record(debate_id),
        };
        let data = json!({"debate_id": debate_id, "path": path, "bytes": text.len()});
        Ok(Output::new(data, message).with_next(next).in_json())
    }
}

/// Fetches the record and its signature.
pub async fn fetch(client: &Client, debate_id: Uuid) -> Result<Value, Failure> {
    let Response { data, parsed: IgnoredAny } =
        client.send::<IgnoredAny, _>(|| client.api.debate_record(&debate_id)).await?;
    Ok(data)
}

/// Fetches the texts that a rendering of this record shows.
async fn fetch_transcript(
    client: &Client,
    debate_id: Uuid,
    rendering: Rendering,
    record: &Value,
) -> Result<Transcript, Failure> {
    let last_seq = record["debate"]["last_seq"].as_u64().unwrap_or_default();
    let is_recorded = |argument: &Value| argument["seq"].as_u64().is_some_and(|seq| seq <= last_seq);
    let mut arguments = Vec::new();
    match rendering {
        Rendering::Html => arguments.extend(all_arguments(fetch_all(client, debate_id).await?)),
        Rendering::Markdown => {
            let recorded = record["arguments"].as_array().into_iter().flatten();
            let appeals =
                recorded.filter(|argument| argument["type"] == "APPEAL").filter_map(|one| one["seq"].as_u64());
            arguments.extend(fetch_after(client, debate_id, 1).await?.into_iter().take(1));
            for seq in appeals {
                arguments.extend(fetch_after(client, debate_id, seq.saturating_sub(1)).await?.into_iter().skip(1));
            }
        }
    }
    arguments.retain(is_recorded);
    Ok(Transcript { arguments })
}

/// The motion, and the argument after this number.
async fn fetch_after(client: &Client, debate_id: Uuid, after: u64) -> Result<Vec<Value>, Failure> {
    let before = Some(after + 2);
    let Response { data, parsed: IgnoredAny } = client
        .send::<IgnoredAny, _>(|| client.api.debate_get_context(&debate_id, Some(after), before, Some(1)))
        .await?;
    Ok(all_arguments(data))
}

fn all_arguments(mut context: Value) -> Vec<Value> {
    let motion = context["motion"].take();
    let Value::Array(rest) = context["arguments"].take() else { return vec![motion] };
    [motion].into_iter().chain(rest).collect()
}
