//! One document as the contract has it.

use serde_json::{Value, json};

use super::{
    model_server::ServerValues,
    expected_response::{Refusal, Expected, Success},
    model_request::ModelRequest,
};

/// A document.
#[derive(Debug)]
pub struct Document {
    /// Its id
    pub id: String,
    /// When it was deleted
    pub deleted_at: Option<String>,
    updated_at: String,
    versions: Vec<Version>,
}

#[derive(Debug)]
struct Version {
    told: Value,
    /// Under which request id it came
    request: Option<String>,
}

impl Document {
    /// Creates one with its first version.
    pub fn create(request: &ModelRequest, values: &ServerValues) -> Self {
        let mut document =
            Self { id: values.id.clone(), deleted_at: None, updated_at: String::new(), versions: Vec::new() };
        document.add(request, values);
        document
    }

    /// Whether that is the request that created it.
    pub fn is_of(&self, request: &ModelRequest) -> bool {
        let request = request.field("client_request_id").as_str();
        request.is_some() && self.versions[0].request.as_deref() == request
    }

    fn add(&mut self, request: &ModelRequest, values: &ServerValues) {
        let metadata = request.field("metadata");
        let told = json!({
            "document_id": self.id, "version": self.versions.len() + 1, "summary": request.field("summary"),
            "content": request.field("content"), "created_at": values.at,
            "metadata": if metadata.is_null() { json!({}) } else { metadata.clone() },
        });
        self.updated_at = values.at.clone().max(self.updated_at.clone());
        let request = request.field("client_request_id").as_str().map(str::to_owned);
        self.versions.push(Version { told, request });
    }

    /// What an attempt to create it once more is answered.
    pub fn create_again(&self, request: &ModelRequest) -> Expected {
        self.repeat(request, 1)
    }

    /// What a new version is answered, which is there afterwards where it is taken.
    ///
    /// # Errors
    /// Why it is not.
    pub fn revise(&mut self, request: &ModelRequest, values: &ServerValues) -> Expected {
        let request = request.field("client_request_id").as_str();
        let mut later = self.versions.iter().zip(1..).skip(1);
        if let Some((_, number)) = later.find(|(other, _)| request.is_some() && other.request.as_deref() == request) {
            return self.repeat(request, number);
        }
        if self.deleted_at.is_some() {
            return Err(Refusal::of("DOCUMENT_NOT_FOUND"));
        }
        self.add(request, values);
        Ok(Success::stored(self.with_version(self.versions.len())))
    }

    fn repeat(&self, request: &ModelRequest, number: usize) -> Expected {
        let first = &self.versions[number - 1].told;
        let same = |name| request.field(name) == &first[name];
        let metadata = request.field("metadata");
        let same_metadata = *metadata == first["metadata"] || metadata.is_null() && first["metadata"] == json!({});
        if same("summary") && same("content") && same_metadata {
            return Ok(Success::repeated(self.with_version(number)));
        }
        Err(Refusal::of("IDEMPOTENCY_CONFLICT"))
    }

    fn with_version(&self, number: usize) -> Value {
        json!({"document": self.told(), "version": self.versions[number - 1].told})
    }

    /// The document without its versions.
    pub fn told(&self) -> Value {
        let newest = &self.versions[self.versions.len() - 1].told;
        json!({
            "id": self.id, "latest_version": self.versions.len(), "summary": newest["summary"],
            "created_at": self.versions[0].told["created_at"], "updated_at": self.updated_at,
            "deleted_at": self.deleted_at,
        })
    }

    /// The version that is request for, or the newest.
    ///
    /// # Errors
    /// Where there is no such version.
    pub fn read(&self, request: &ModelRequest) -> Expected {
        let number = request.param("version").map_or(Ok(self.versions.len()), str::parse);
        match number {
            Ok(number) if (1..=self.versions.len()).contains(&number) => Ok(Success::found(self.with_version(number))),
            Ok(_) | Err(_) => Err(Refusal::of("DOCUMENT_NOT_FOUND")),
        }
    }

    /// A page of its versions, newest first.
    pub fn history(&self, page: impl Fn(Vec<Value>) -> Vec<Value>) -> Value {
        let entry = |version: &Version| {
            let mut entry = version.told.clone();
            entry
                .as_object_mut()
                .expect("a version is an object")
                .retain(|name, _| ["document_id", "version", "summary", "created_at"].contains(&name.as_str()));
            entry
        };
        let versions = page(self.versions.iter().rev().map(entry).collect());
        json!({"document": self.told(), "versions": versions, "total": self.versions.len()})
    }

    /// Deletes it, where it is not deleted.
    pub fn delete(&mut self, values: &ServerValues) {
        self.deleted_at.get_or_insert_with(|| values.at.clone());
    }
}
