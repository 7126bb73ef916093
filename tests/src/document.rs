//! A document as its writers see it.

use serde_json::Value;

use crate::{api_response::ApiResponse, request_bodies, client::Client, debate::text};

/// A document on a server.
pub struct Document {
    client: Client,
    /// Its id.
    pub id: String,
}

impl Document {
    /// Creates one.
    pub async fn create(client: &Client) -> Self {
        Self::create_with(client, &request_bodies::document("One.\n")).await
    }

    /// Creates one with that body.
    pub async fn create_with(client: &Client, body: &Value) -> Self {
        let data = client.post("/documents", body).await.data(201);
        Self { client: client.clone(), id: text(&data["document"]["id"]) }
    }

    /// A path below it.
    pub fn path(&self, below: &str) -> String {
        format!("/documents/{}{below}", self.id)
    }

    /// Tries to add a version.
    pub async fn attempt(&self, body: &Value) -> ApiResponse {
        self.client.post(&self.path("/versions"), body).await
    }

    /// Adds a version.
    pub async fn submit(&self, body: &Value) -> Value {
        self.attempt(body).await.data(201)
    }

    /// Reads it, as the query says.
    pub async fn get(&self, query: &str) -> ApiResponse {
        self.client.get(&self.path(&format!("?{query}"))).await
    }

    /// What its newest version says.
    pub async fn newest(&self) -> Value {
        self.get("").await.data(200)["version"].clone()
    }

    /// Lists its versions, as the query says.
    pub async fn history(&self, query: &str) -> ApiResponse {
        self.client.get(&self.path(&format!("/versions?{query}"))).await
    }

    /// Deletes it.
    pub async fn delete(&self) -> ApiResponse {
        self.client.send(&self.client.request("DELETE", &self.path(""))).await
    }
}
