//! An HTTP/1.1 client with one connection that is kept alive.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail};
use http_body_util::{BodyExt, Full};
use hyper::{
    HeaderMap, Method, Request, StatusCode,
    body::Bytes,
    client::conn::http1::{self, SendRequest},
    header,
};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use tokio::net::TcpStream;

/// A connection to a server.
pub struct Connection {
    sender: SendRequest<Full<Bytes>>,
    address: SocketAddr,
}

/// A response that was read to its end.
pub struct Response {
    /// The status code
    pub status: StatusCode,
    /// The headers
    pub headers: HeaderMap,
    body: Bytes,
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("cannot connect to {address}"))?;
        stream.set_nodelay(true)?;
        let (sender, driver) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(driver);
        Ok(Self { sender, address })
    }

    /// Sends a GET request.
    pub async fn get(&mut self, path: &str) -> Result<Response> {
        self.send(Method::GET, path, "", Bytes::new()).await
    }

    /// Sends a request.
    ///
    /// # Errors
    /// If the response is not 2xx, too.
    pub async fn send(&mut self, method: Method, path: &str, media_type: &str, body: Bytes) -> Result<Response> {
        let mut request = Request::builder().method(&method).uri(path).header(header::HOST, self.address.to_string());
        if !media_type.is_empty() {
            request = request.header(header::CONTENT_TYPE, media_type);
        }
        let context = || format!("{method} {path} of {}", self.address);
        self.sender.ready().await.with_context(context)?;
        let response = self.sender.send_request(request.body(Full::new(body))?).await.with_context(context)?;
        let (head, body) = response.into_parts();
        let body = body.collect().await.with_context(context)?.to_bytes();
        if !head.status.is_success() {
            bail!("{}: {} {}", context(), head.status, String::from_utf8_lossy(&body));
        }
        Ok(Response { status: head.status, headers: head.headers, body })
    }
}

impl Response {
    /// Parses the body as JSON.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.body).with_context(|| String::from_utf8_lossy(&self.body).into_owned())
    }
}
