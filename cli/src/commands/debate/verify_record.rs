//! `aw debate verify-record`: whether a record is as its server signed it.

use std::{io, path::PathBuf, time::Duration};

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::HELP_TEMPLATE;
use crate::{
    client::{Client, types::Info},
    files,
    output::{Code, Failure, Markdown, Output, format_choice::is_for_a_person, warning},
    record::{PublicKey, ValidRecord, verify},
};

/// How long the server may take to say what its key is.
const TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate verify-record record.json")]
pub struct VerifyRecord {
    /// The record, as `aw debate record --format json` wrote it
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// The public key that has to have signed it, in base64 [default: the server is asked for its key]
    #[arg(long, value_name = "KEY")]
    public_key: Option<String>,
}

/// What is told of a valid record.
#[derive(Serialize, Deserialize)]
struct Verified {
    valid: bool,
    debate_id: String,
    head: String,
    public_key: String,
    key_is: String,
}

impl VerifyRecord {
    pub async fn run(self) -> Result<Output, Failure> {
        let given = self.public_key.as_deref().map(parse_key).transpose()?;
        let path = self.path.display().to_string();
        let text = files::read(&self.path, files::MAX_BYTES).map_err(|error| {
            Failure::new(Code::FileNotFound, format!("cannot read the file {path}: {error}"))
                .with_suggestion("Give the path of a record that aw debate record --format json wrote")
        })?;
        // As these forms begin; anything else may be a signed record that was changed.
        let is_to_read = [&b"---"[..], b"#", b"<"].iter().any(|begins| text.starts_with(begins));
        if is_to_read && is_for_a_person(&io::stdout()) {
            return Err(Failure::new(Code::RecordInvalid, format!("{path} is no signed record, which is JSON"))
                .with_suggestion(
                    "Records in markdown and HTML are for reading, and nothing tells whether they were changed. \
                     `aw debate record --debate-id ID --format json --output signed.json` writes the form to verify",
                ));
        }
        let ValidRecord { debate_id, head, public_key } = verify(&text, given).map_err(|reason| {
            Failure::new(Code::RecordInvalid, format!("the record in {path} {reason}"))
                .with_suggestion(if given.is_some() {
                    "Do not rely on it: either the record or the key given with --public-key is another one. Compare with the key that \
                     you noted, and fetch the record again with aw debate record --format json"
                } else {
                    "Do not rely on it; fetch it again with aw debate record --format json"
                })
        })?;
        let (key_is, doubt) = if given.is_some() { ("given", None) } else { compare_with_server(public_key).await };
        if let Some(doubt) = doubt {
            warning::add(format!(
                "{doubt}, so anybody may have signed this record; compare it with a key that you trust, with --public-key"
            ));
        }
        let (public_key, key_is) = (public_key.to_string(), key_is.to_owned());
        let data = Verified { valid: true, debate_id, head, public_key, key_is };
        Ok(Output::new(json!(data), "The record is as it was signed").with_markdown(markdown))
    }
}

fn parse_key(text: &str) -> Result<PublicKey, Failure> {
    PublicKey::parse(text).ok_or_else(|| {
        Failure::new(Code::InvalidInput, "--public-key is not an Ed25519 public key in base64").with_suggestion(
            "Give the 32 bytes of the key in base64: 44 characters, as a record has it in signature.public_key",
        )
    })
}

/// Whose key it is, and what is doubtful then. The server is asked once; without an answer the record is verified all the same.
async fn compare_with_server(public_key: PublicKey) -> (&'static str, Option<String>) {
    let unchecked = |reason: &str| ("unchecked", Some(format!("nothing says whose key {public_key} is ({reason})")));
    let client = match Client::with_timeout(TIMEOUT) {
        Ok(client) => client,
        Err(failure) => return unchecked(&failure.message),
    };
    match timeout(TIMEOUT, client.send_once::<Info>(client.api.info())).await {
        Ok(Ok(info)) => match info.parsed.public_key.as_deref().map(PublicKey::parse) {
            Some(Some(key)) if key == public_key => ("the server's", None),
            Some(_) => ("another", Some(format!("the server has another key than {public_key}"))),
            None => unchecked("the server signs no records"),
        },
        Ok(Err(error)) => unchecked(&error.failure.message),
        Err(_) => unchecked("no answer from the server"),
    }
}

fn markdown(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    let Verified { debate_id, head, public_key, key_is, .. } = Verified::deserialize(data)?;
    for (name, value) in [("Debate", debate_id), ("Head", head), ("Public key", public_key), ("Key", key_is)] {
        md.item(&format!("{name}: {}", md.plain(&value)));
    }
    Ok(())
}
