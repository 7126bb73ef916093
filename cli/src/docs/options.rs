//! Options that several verbs share, so that they are spelled and explained alike everywhere.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use uuid::Uuid;

use crate::{
    api::types,
    content::Content,
    envelope::Format,
    error::{Code, Failure},
    find,
    ids::{self, Named},
    server::Server,
    verb::RequestId,
    verbatim::Verbatim,
};

/// Which document.
#[derive(Args)]
pub struct DocumentId {
    /// Id of the document, or as much of its beginning as no other has
    #[arg(value_name = "DOCUMENT_ID")]
    document_id: String,
}

const DOCUMENT: &str = "DOCUMENT_ID";

impl DocumentId {
    /// What was given, if it can be an id.
    pub fn read(&self) -> Result<Document, Failure> {
        ids::named(DOCUMENT, &self.document_id).map(Document)
    }
}

/// The document, as it was named.
pub struct Document(Named);

impl Document {
    /// Which one is meant.
    pub async fn find(&self, server: &Server) -> Result<Uuid, Failure> {
        find::document(server, DOCUMENT, &self.0).await
    }
}

/// What a version is to say.
#[derive(Args)]
pub struct Text {
    /// What it is about, in a line
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    summary: String,
    #[command(flatten)]
    content: Content,
    /// Whatever is to be kept with it: a JSON object
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    metadata: Option<String>,
    #[command(flatten)]
    request_id: RequestId,
}

impl Text {
    /// The body of the write, and the id that it is sent under.
    pub fn read(self) -> Result<(types::DocumentSubmit, String), Failure> {
        let metadata = self.metadata.as_deref().map(json).transpose()?;
        let request_id = self.request_id.or_fresh();
        let body = types::DocumentSubmit {
            summary: self.summary,
            content: self.content.read()?,
            metadata,
            client_request_id: Some(request_id.clone()),
        };
        Ok((body, request_id))
    }
}

fn json(text: &str) -> Result<Verbatim, Failure> {
    text.parse().map_err(|error| {
        Failure::new(Code::InvalidInput, format!("--metadata is not JSON: {error}"))
            .suggest(r#"Give --metadata an object such as '{"author": "proposer"}'"#)
    })
}

/// How the answer is written by a verb that is about a text.
#[derive(Args)]
pub struct TextFormat {
    /// How the answer is written: the bare text, one line of JSON, or markdown for people; errors of the bare text go to
    /// stderr
    #[arg(long, value_parser = text_format(), default_value = "plain", value_name = "FORMAT", display_order = 100)]
    pub format: Format,
}

fn text_format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(["plain", "json", "markdown"]).map(|name| match name.as_str() {
        "json" => Format::Json,
        "markdown" => Format::Markdown,
        _ => Format::Plain,
    })
}

/// Which page of a list.
#[derive(Args)]
pub struct Page {
    /// How many at most, 1 to 200 [default: 50]
    #[arg(long, short, value_name = "N")]
    limit: Option<u32>,
    /// How many to skip
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: u32,
}

impl Page {
    /// How many at most, where that was said.
    pub fn limit(&self) -> Option<u64> {
        self.limit.map(Into::into)
    }
}
