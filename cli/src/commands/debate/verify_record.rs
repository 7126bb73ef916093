//! `aw debate verify-record`: whether a record is as its server signed it.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use serde_json::{Value, json};

use super::HELP_TEMPLATE;
use crate::{
    client::{Client, Response},
    files,
    output::{
        envelope::Output,
        failure::{Code, Failure},
        markdown::Markdown,
        warning,
    },
    record::{InvalidRecord, PublicKey, ValidRecord, verify},
};

/// How long the server may take to say what its key is.
const TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Args)]
#[command(help_template = HELP_TEMPLATE, before_help = "\
Example:
  aw debate verify-record record.json \\
    --public-key 'Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE='")]
pub struct VerifyRecord {
    /// The record, as `aw debate record --format json` wrote it
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// The public key that has to have signed it, in base64 [default: the server is asked for its key]
    #[arg(long, value_name = "KEY")]
    public_key: Option<String>,
}

/// Whose key signed a record.
enum KeyIs {
    Given,
    TheServers,
    Another,
    /// With the reason
    Unchecked(String),
}

impl VerifyRecord {
    pub async fn run(self) -> Result<Output, Failure> {
        let given = self.public_key.as_deref().map(parse_key).transpose()?;
        let path = self.path.display().to_string();
        let text = files::read(&self.path, files::MAX_BYTES).map_err(|error| {
            Failure::new(Code::FileNotFound, format!("cannot read the file {path}: {error}"))
                .with_suggestion("Give the path of a record that aw debate record --format json wrote")
        })?;
        let ValidRecord { debate_id, head, public_key } = verify(&text, given).map_err(|InvalidRecord(reason)| {
            Failure::new(Code::RecordInvalid, format!("the record in {path} {reason}"))
                .with_suggestion("Do not rely on it; fetch it again with aw debate record --format json")
        })?;
        let key_is = if given.is_some() { KeyIs::Given } else { compare_with_server(public_key).await };
        match &key_is {
            KeyIs::Given | KeyIs::TheServers => {}
            KeyIs::Another => warning::add(format!(
                "the server has another key than {public_key}, so anybody may have signed this record; compare it with a key \
                 that you trust, with --public-key"
            )),
            KeyIs::Unchecked(reason) => warning::add(format!(
                "nothing says whose key {public_key} is ({reason}), so anybody may have signed this record; compare it with a \
                 key that you trust, with --public-key"
            )),
        }
        let data = json!({
            "valid": true,
            "debate_id": debate_id,
            "head": head,
            "public_key": public_key.to_string(),
            "key_is": key_is.name(),
        });
        Ok(Output::new(data, "The record is as it was signed").with_markdown(markdown))
    }
}

impl KeyIs {
    fn name(&self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::TheServers => "the server's",
            Self::Another => "another",
            Self::Unchecked(_) => "unchecked",
        }
    }
}

fn parse_key(text: &str) -> Result<PublicKey, Failure> {
    PublicKey::parse(text).ok_or_else(|| {
        Failure::new(Code::InvalidInput, "--public-key is not an Ed25519 public key in base64").with_suggestion(
            "Give the 32 bytes of the key in base64: 44 characters, as a record has it in signature.public_key",
        )
    })
}

/// Asks the server once. Without an answer the record is verified all the same.
async fn compare_with_server(public_key: PublicKey) -> KeyIs {
    let client = match Client::with_timeout(TIMEOUT) {
        Ok(client) => client,
        Err(failure) => return KeyIs::Unchecked(failure.message),
    };
    let asked = tokio::time::timeout(TIMEOUT, client.send_once::<Value>(client.api.info())).await;
    match asked {
        Ok(Ok(Response { parsed, .. })) => match parsed["public_key"].as_str().map(PublicKey::parse) {
            Some(Some(key)) if key == public_key => KeyIs::TheServers,
            Some(_) => KeyIs::Another,
            None => KeyIs::Unchecked("the server signs no records".to_owned()),
        },
        Ok(Err(error)) => KeyIs::Unchecked(error.failure.message),
        Err(_) => KeyIs::Unchecked("no answer from the server".to_owned()),
    }
}

fn markdown(data: &Value, md: &mut Markdown) -> serde_json::Result<()> {
    for (name, field) in [("Debate", "debate_id"), ("Head", "head"), ("Public key", "public_key"), ("Key", "key_is")] {
        md.item(&format!("{name}: {}", data[field].as_str().unwrap_or_default()));
    }
    Ok(())
}
