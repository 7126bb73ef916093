//! The model of one document.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    expected_response::{Expected, Refusal, Success},
    hash_chain,
    model_request::ModelRequest,
    model_server::ServerValues,
};

/// A document.
#[derive(Debug)]
pub struct Document {
    /// The document's id
    pub id: String,
    /// The time of deletion
    pub deleted_at: Option<String>,
    updated_at: String,
    versions: Vec<Version>,
}

#[derive(Debug)]
struct Version {
    fields: Value,
    /// The request id it was created with
    request_id: Option<String>,
}

impl Document {
    /// Creates a document with its first version.
    pub fn create(request: &ModelRequest, values: &ServerValues) -> Self {
        let mut document =
            Self { id: values.id.clone(), deleted_at: None, updated_at: String::new(), versions: Vec::new() };
        document.add(request, values);
        document
    }

    /// Whether this request created the document.
    pub fn was_created_by(&self, request: &ModelRequest) -> bool {
        let request_id = request.field("client_request_id").as_str();
        request_id.is_some() && self.versions[0].request_id.as_deref() == request_id
    }

    /// Adds a version.
    pub fn add(&mut self, request: &ModelRequest, values: &ServerValues) {
        let metadata = request.field("metadata");
        let metadata = if metadata.is_null() { json!({}) } else { metadata.clone() };
        let fields = json!({
            "document_id": self.id, "version": self.versions.len() + 1, "summary": request.field("summary"),
            "content": request.field("content"), "created_at": values.at, "sha256": sha256_of(request.field("content")),
            "metadata": metadata, "metadata_sha256": sha256_of_text(&metadata.to_string()),
        });
        self.updated_at = values.at.clone().max(self.updated_at.clone());
        let request_id = request.field("client_request_id").as_str().map(str::to_owned);
        self.versions.push(Version { fields, request_id });
    }

    /// The response to a repeated creation.
    pub fn create_again(&self, request: &ModelRequest) -> Expected {
        self.repeat(request, 1)
    }

    /// Adds a version and returns the response.
    ///
    /// # Errors
    /// The refusal, which changes nothing.
    pub fn revise(&mut self, request: &ModelRequest, values: &ServerValues) -> Expected {
        let request_id = request.field("client_request_id").as_str();
        let mut later = self.versions.iter().zip(1..).skip(1);
        if let Some((_, number)) =
            later.find(|(other, _)| request_id.is_some() && other.request_id.as_deref() == request_id)
        {
            return self.repeat(request, number);
        }
        if self.deleted_at.is_some() {
            return Err(Refusal::of("DOCUMENT_NOT_FOUND"));
        }
        self.add(request, values);
        Ok(Success::stored(self.with_version(self.versions.len())))
    }

    fn repeat(&self, request: &ModelRequest, number: usize) -> Expected {
        let first = &self.versions[number - 1].fields;
        let same = |name| request.field(name) == &first[name];
        let metadata = request.field("metadata");
        let same_metadata = *metadata == first["metadata"] || metadata.is_null() && first["metadata"] == json!({});
        if same("summary") && same("content") && same_metadata {
            return Ok(Success::repeated(self.with_version(number)));
        }
        Err(Refusal::of("IDEMPOTENCY_CONFLICT"))
    }

    fn with_version(&self, number: usize) -> Value {
        json!({"document": self.view(), "version": self.versions[number - 1].fields})
    }

    /// The document as the API shows it, without versions.
    pub fn view(&self) -> Value {
        let newest = &self.versions[self.versions.len() - 1].fields;
        json!({
            "id": self.id, "title": self.versions[0].fields["summary"], "latest_version": self.versions.len(),
            "summary": newest["summary"],
            "created_at": self.versions[0].fields["created_at"], "updated_at": self.updated_at,
            "deleted_at": self.deleted_at,
        })
    }

    /// The document as a list shows it.
    pub fn listed(&self) -> Value {
        let mut fields = self.view();
        let newest = &self.versions[self.versions.len() - 1].fields;
        fields["content_bytes"] = newest["content"].as_str().map(str::len).into();
        fields
    }

    /// The requested version, by default the newest.
    ///
    /// # Errors
    /// The refusal if there is no such version.
    pub fn read(&self, request: &ModelRequest) -> Expected {
        let number = request.param("version").map_or(Ok(self.versions.len()), str::parse);
        match number {
            Ok(number) if (1..=self.versions.len()).contains(&number) => Ok(Success::found(self.with_version(number))),
            Ok(_) | Err(_) => Err(Refusal::of("DOCUMENT_NOT_FOUND")),
        }
    }

    /// A page of the list of versions, newest first.
    pub fn history(&self, page: impl Fn(Vec<Value>) -> Vec<Value>) -> Value {
        let entry = |version: &Version| {
            let mut entry = version.fields.clone();
            entry.as_object_mut().expect("a version is an object").retain(|name, _| {
                ["document_id", "version", "summary", "sha256", "metadata_sha256", "created_at"]
                    .contains(&name.as_str())
            });
            entry
        };
        let versions = page(self.versions.iter().rev().map(entry).collect());
        json!({"document": self.view(), "versions": versions, "total": self.versions.len()})
    }

    /// The number of the newest version.
    pub fn latest(&self) -> usize {
        self.versions.len()
    }

    /// Whether this request stored a version.
    pub fn has_request(&self, version: usize, request_id: &str) -> bool {
        self.versions[version - 1].request_id.as_deref() == Some(request_id)
    }

    /// The hash of a version, if there is one.
    pub fn sha256(&self, version: u64) -> Option<&Value> {
        let index = usize::try_from(version).ok()?.checked_sub(1)?;
        self.versions.get(index).map(|version| &version.fields["sha256"])
    }

    /// Deletes the document unless it is deleted already.
    pub fn delete(&mut self, values: &ServerValues) {
        self.deleted_at.get_or_insert_with(|| values.at.clone());
    }
}

fn sha256_of(content: &Value) -> String {
    sha256_of_text(content.as_str().unwrap_or_default())
}

/// The SHA-256 of a text in hexadecimal.
pub fn sha256_of_text(text: &str) -> String {
    hash_chain::hex(&Sha256::digest(text))
}
