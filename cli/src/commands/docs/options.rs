//! Options and a request that several `aw docs` commands share.

use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use super::next_command;
use crate::{
    client::{
        Client, RawJson, Response,
        types::{DocumentSubmit, DocumentWithVersion, ErrorCode},
    },
    files::BYTE_ORDER_MARK,
    input::{
        content::Content,
        ids,
        request_id::RequestId,
        resolve_id,
        tool_arguments::{json_text, object},
    },
    output::{Code, Failure, Format, reader::option},
};

#[derive(Args, Deserialize, JsonSchema)]
pub struct DocumentId {
    /// Id of the document, or a unique prefix of it
    #[arg(value_name = "DOCUMENT_ID")]
    #[schemars(description = "")]
    document_id: String,
}

impl DocumentId {
    /// Parses the argument and asks the server for the whole id if needed.
    pub async fn resolve(&self, client: &Client) -> Result<Uuid, Failure> {
        const ARGUMENT: &str = "DOCUMENT_ID";
        resolve_id::document(client, ARGUMENT, &ids::parse_ref(ARGUMENT, &self.document_id)?).await
    }
}

/// The text of a new version.
#[derive(Args, Deserialize, JsonSchema)]
pub struct VersionText {
    /// Summary on one line
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    summary: String,
    #[command(flatten)]
    #[serde(flatten)]
    content: Content,
    /// JSON object that is stored with the version
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    #[serde(default, deserialize_with = "json_text")]
    #[schemars(description = "", schema_with = "object")]
    metadata: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    request_id: RequestId,
}

impl VersionText {
    /// The body of the request, and its request id.
    pub fn read(self) -> Result<(DocumentSubmit, String), Failure> {
        let metadata = self.metadata.as_deref().map(parse_metadata).transpose()?;
        let request_id = self.request_id.or_new();
        let body = DocumentSubmit {
            summary: self.summary,
            content: self.content.read()?,
            metadata,
            client_request_id: Some(request_id.clone()),
        };
        Ok((body, request_id))
    }
}

fn parse_metadata(text: &str) -> Result<RawJson, Failure> {
    serde_json::from_str(text.trim_start_matches(BYTE_ORDER_MARK)).map_err(|error| {
        Failure::new(Code::InvalidInput, format!("{} is not JSON: {error}", option("--metadata")))
            .with_suggestion(format!(r#"Give {} an object such as '{{"author": "proposer"}}'"#, option("--metadata")))
    })
}

/// The option `--format` of a command that prints a single text. clap stores its value in the global option.
#[derive(Args, Default)]
pub struct TextFormat {
    /// Output format: only the text, one line of JSON, or markdown for people. With plain, errors go to stderr
    #[arg(long, value_parser = formats(["plain", "json", "markdown"]), default_value = "plain", value_name = "FORMAT", display_order = 100)]
    pub format: Format,
}

/// Parses the value of `--format` of a command that has these.
pub fn formats<const N: usize>(names: [&'static str; N]) -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(names).try_map(|name| Format::from_str(&name, false))
}

/// Fetches a version of a document, by default the newest.
pub async fn fetch_version(
    client: &Client,
    document_id: Uuid,
    version: Option<u64>,
) -> Result<Response<DocumentWithVersion>, Failure> {
    client.send(|| client.api.document_get(&document_id, version)).await.map_err(|failure| {
        // Perhaps only the version does not exist.
        let is_missing = failure.is(ErrorCode::DocumentNotFound);
        if is_missing { failure.with_next(next_command::history(document_id)) } else { failure }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_passed_on_character_by_character() {
        let text = r#"{ "z": 1.50, "a": 123456789012345678901234567890 }"#;
        assert_eq!(serde_json::to_string(&parse_metadata(text).unwrap()).unwrap(), text);
        assert_eq!(serde_json::to_string(&parse_metadata(&format!("\u{feff}{text}")).unwrap()).unwrap(), text);
        for invalid in ["", "{", "{}{}", "{'a': 1}"] {
            assert!(parse_metadata(invalid).is_err(), "{invalid}");
        }
    }
}
