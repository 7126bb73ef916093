//! A document, driven over REST.

use serde_json::Value;

use crate::{api_response::ApiResponse, client::Client, debate::text, request_bodies};

/// A document on a server.
pub struct Document {
    client: Client,
    /// The document's id.
    pub id: String,
}

impl Document {
    /// Creates a document.
    pub async fn create(client: &Client) -> Self {
        Self::create_with(client, &request_bodies::document("One.\n")).await
    }

    /// Creates a document with this body.
    pub async fn create_with(client: &Client, body: &Value) -> Self {
        let data = client.post("/documents", body).await.data(201);
        Self { client: client.clone(), id: text(&data["document"]["id"]) }
    }

    /// The document with this id.
    pub fn at(client: &Client, id: String) -> Self {
        Self { client: client.clone(), id }
    }

    /// The document's path followed by `below`.
    pub fn path(&self, below: &str) -> String {
        format!("/documents/{}{below}", self.id)
    }

    /// Sends a new version, which may be refused.
    pub async fn attempt(&self, body: &Value) -> ApiResponse {
        self.client.post(&self.path("/versions"), body).await
    }

    /// Adds a version that must be accepted.
    pub async fn submit(&self, body: &Value) -> Value {
        self.attempt(body).await.data(201)
    }

    /// Sends `GET /documents/{id}` with this query.
    pub async fn get(&self, query: &str) -> ApiResponse {
        self.client.get(&self.path(&format!("?{query}"))).await
    }

    /// The newest version.
    pub async fn newest(&self) -> Value {
        self.get("").await.data(200)["version"].clone()
    }

    /// Sends `GET /documents/{id}/versions` with this query.
    pub async fn history(&self, query: &str) -> ApiResponse {
        self.client.get(&self.path(&format!("/versions?{query}"))).await
    }

    /// Deletes the document.
    pub async fn delete(&self) -> ApiResponse {
        self.client.send(&self.client.request("DELETE", &self.path(""))).await
    }
}
