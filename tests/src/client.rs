//! A client of the REST contract: a connection a request, no proxy, no retries, every envelope checked.

use std::{io, net::SocketAddr};

use serde_json::Value;

use crate::{
    api_response::ApiResponse,
    raw_http::{self, Request, Response},
};

/// How much of a request is shown where its answer is not as expected.
const SHOWN: usize = 300;

/// One caller of one server.
#[derive(Clone, Debug)]
pub struct Client {
    address: SocketAddr,
    token: Option<String>,
}

impl Client {
    /// A caller without a token.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, token: None }
    }

    /// The same caller with that token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// The server's address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A well-formed request without a body, to be bent or sent.
    pub fn request(&self, method: &str, path: &str) -> Request {
        let request = Request::new(method, path).header("Host", &[&self.address.to_string()]);
        let request = request.header("Connection", &["close"]);
        match &self.token {
            Some(token) => request.header("Authorization", &[&format!("Bearer {token}")]),
            None => request,
        }
    }

    /// A well-formed write with that body.
    pub fn write(&self, path: &str, body: impl Into<Vec<u8>>) -> Request {
        self.request("POST", path).header("Content-Type", &["application/json"]).body(body)
    }

    /// Sends a request as it is; an error where no answer comes.
    pub async fn try_send(&self, request: &Request) -> io::Result<ApiResponse> {
        let response = self.response(request).await?;
        let body = String::from_utf8_lossy(&request.body);
        let shown: String = body.chars().take(SHOWN).collect();
        Ok(ApiResponse::of(format!("{} {} {shown}", request.method, request.path), &response))
    }

    /// Sends a request as it is.
    pub async fn send(&self, request: &Request) -> ApiResponse {
        let answer = self.try_send(request).await;
        answer.unwrap_or_else(|e| panic!("{} {}: {e}", request.method, request.path))
    }

    /// Sends a request whose answer carries no envelope, or is not to be looked into.
    pub async fn response(&self, request: &Request) -> io::Result<Response> {
        raw_http::exchange(self.address, &request.bytes()).await
    }

    /// Reads.
    pub async fn get(&self, path: &str) -> ApiResponse {
        self.send(&self.request("GET", path)).await
    }

    /// Writes.
    pub async fn post(&self, path: &str, body: &Value) -> ApiResponse {
        self.send(&self.write(path, body.to_string())).await
    }
}
