//! One HTTP/1.1 connection that is kept open.

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

/// A connection, and who is at its other end.
pub struct Connection {
    sender: SendRequest<Full<Bytes>>,
    address: SocketAddr,
}

/// What was answered.
pub struct Reply {
    /// Its status
    pub status: StatusCode,
    /// Its headers
    pub headers: HeaderMap,
    body: Bytes,
}

impl Connection {
    /// Opens one.
    pub async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("cannot connect to {address}"))?;
        stream.set_nodelay(true)?;
        let (sender, driver) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(driver);
        Ok(Self { sender, address })
    }

    /// Asks for a path.
    pub async fn get(&mut self, path: &str) -> Result<Reply> {
        self.send(Method::GET, path, "", Bytes::new()).await
    }

    /// Sends a body of some kind.
    pub async fn send(&mut self, method: Method, path: &str, media_type: &str, body: Bytes) -> Result<Reply> {
        let mut request = Request::builder().method(&method).uri(path).header(header::HOST, self.address.to_string());
        if !media_type.is_empty() {
            request = request.header(header::CONTENT_TYPE, media_type);
        }
        let asked = || format!("{method} {path} of {}", self.address);
        self.sender.ready().await.with_context(asked)?;
        let answer = self.sender.send_request(request.body(Full::new(body))?).await.with_context(asked)?;
        let (head, body) = answer.into_parts();
        let body = body.collect().await.with_context(asked)?.to_bytes();
        if !head.status.is_success() {
            bail!("{}: {} {}", asked(), head.status, String::from_utf8_lossy(&body));
        }
        Ok(Reply { status: head.status, headers: head.headers, body })
    }
}

impl Reply {
    /// The body as JSON.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.body).with_context(|| String::from_utf8_lossy(&self.body).into_owned())
    }
}
