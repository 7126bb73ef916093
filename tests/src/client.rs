//! A REST client: one connection per request, no proxy, no retries. It checks the envelope of every response.
//!
//! Each request with a token comes from an address of its own, unless one was set: otherwise wrong tokens would be answered
//! later and later.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
};

use serde_json::Value;

use crate::{
    api_response::ApiResponse,
    raw_http::{self, Request, Response},
};

/// How many characters of a request body a failure message shows.
const SHOWN: usize = 300;

/// A client of one server.
#[derive(Clone, Debug)]
pub struct Client {
    address: SocketAddr,
    token: Option<String>,
    source: Option<IpAddr>,
}

impl Client {
    /// A client without a token.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, token: None, source: None }
    }

    /// The same client with this token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// The same client with all requests from this address of this machine.
    #[must_use]
    pub fn from_address(&self, source: IpAddr) -> Self {
        Self { source: Some(source), ..self.clone() }
    }

    /// The server's address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A well-formed request without a body, to be sent or modified.
    pub fn request(&self, method: &str, path: &str) -> Request {
        let request = Request::new(method, path).header("Host", &[&self.address.to_string()]);
        let request = request.header("Connection", &["close"]);
        match &self.token {
            Some(token) => request.header("Authorization", &[&format!("Bearer {token}")]),
            None => request,
        }
    }

    /// A well-formed POST request with this JSON body.
    pub fn write(&self, path: &str, body: impl Into<Vec<u8>>) -> Request {
        self.request("POST", path).header("Content-Type", &["application/json"]).body(body)
    }

    /// Sends a request and returns an error if no response comes.
    pub async fn try_send(&self, request: &Request) -> io::Result<ApiResponse> {
        let response = self.response(request).await?;
        let body = String::from_utf8_lossy(&request.body);
        let shown: String = body.chars().take(SHOWN).collect();
        Ok(ApiResponse::of(format!("{} {} {shown}", request.method, request.path), &response))
    }

    /// Sends a request that must be answered.
    pub async fn send(&self, request: &Request) -> ApiResponse {
        let answer = self.try_send(request).await;
        answer.unwrap_or_else(|e| panic!("{} {}: {e}", request.method, request.path))
    }

    /// Sends a request whose response has no envelope.
    pub async fn response(&self, request: &Request) -> io::Result<Response> {
        let has_token = request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        let any = if has_token { raw_http::random_source() } else { Ipv4Addr::UNSPECIFIED.into() };
        raw_http::exchange(self.source.unwrap_or(any), self.address, &request.bytes()).await
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> ApiResponse {
        self.send(&self.request("GET", path)).await
    }

    /// Sends a POST request.
    pub async fn post(&self, path: &str, body: &Value) -> ApiResponse {
        self.send(&self.write(path, body.to_string())).await
    }
}
