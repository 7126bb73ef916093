//! A minimal HTTP/1.1 client that sends requests byte for byte, well-formed or not.

use std::{
    io::{self, ErrorKind},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

/// The response deadline. It exceeds the longest wait of 60 s.
const LIMIT: Duration = Duration::from_secs(90);

/// A request. Only these headers are sent; none are added.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The path and query.
    pub path: String,
    /// The headers, in the order in which they are sent.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// A request without headers and body.
    pub fn new(method: &str, path: &str) -> Self {
        Self { method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: Vec::new() }
    }

    /// Removes all headers of this name and adds one for each value.
    #[must_use]
    pub fn header(mut self, name: &str, values: &[&str]) -> Self {
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.headers.extend(values.iter().map(|value| (name.to_owned(), (*value).to_owned())));
        self
    }

    /// Sets the body and its `Content-Length`.
    #[must_use]
    pub fn body(self, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self { body: body.clone(), ..self.header("Content-Length", &[&body.len().to_string()]) }
    }

    /// The request as it is sent.
    pub fn bytes(&self) -> Vec<u8> {
        let head: String = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let mut bytes = format!("{} {} HTTP/1.1\r\n{head}\r\n", self.method, self.path).into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

/// A text as it stands in the query of a URL, each byte as an escape.
#[must_use]
pub fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A response.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    headers: Vec<(String, String)>,
    /// The decoded body.
    pub body: Vec<u8>,
}

impl Response {
    /// The value of a header. Panics if the header occurs twice.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
        let first = values.next();
        assert!(values.next().is_none(), "header {name} came twice: {:?}", self.headers);
        first.map(|(_, value)| value.as_str())
    }
}

/// Opens a connection from `source`, sends the bytes and reads one response.
pub async fn exchange(source: IpAddr, address: SocketAddr, request: &[u8]) -> io::Result<Response> {
    timeout(LIMIT, async {
        let mut stream = open_from(source, address).await?;
        let (mut reader, mut writer) = stream.split();
        // A server may respond and close the connection before it has read the whole body.
        let send = async {
            let _ = writer.write_all(request).await;
            std::future::pending().await
        };
        tokio::select! {
            response = read_response(&mut reader) => response,
            never = send => never,
        }
    })
    .await
    .unwrap_or_else(|_| Err(io::Error::new(ErrorKind::TimedOut, "no answer")))
}

/// Opens a connection.
pub async fn open(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Opens a connection from an address of this machine; the unspecified one is any.
async fn open_from(source: IpAddr, address: SocketAddr) -> io::Result<TcpStream> {
    if source.is_unspecified() {
        return open(address).await;
    }
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(source, 0))?;
    let stream = socket.connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A random address of this machine, as if another client used it.
pub fn random_source() -> IpAddr {
    Ipv4Addr::from_bits(Ipv4Addr::LOCALHOST.to_bits() | fastrand::u32(1 << 8..0xff_ff00)).into()
}

/// Reads one response.
pub async fn read_response(stream: &mut (impl AsyncReadExt + Unpin)) -> io::Result<Response> {
    read_response_to("GET", stream).await
}

/// Reads one response to a request with this method. Some methods and statuses have no body.
pub async fn read_response_to(method: &str, stream: &mut (impl AsyncReadExt + Unpin)) -> io::Result<Response> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = find(&bytes, b"\r\n\r\n") {
            break at;
        }
        more(stream, &mut bytes).await?;
    };
    let head = String::from_utf8_lossy(bytes.get(..head_end).unwrap_or_default()).into_owned();
    let rest = bytes.split_off(head_end + 4);
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
    let status = status.ok_or_else(|| malformed(&head))?;
    let headers: Vec<_> =
        lines.filter_map(|line| line.split_once(':')).map(|(n, v)| (n.to_owned(), v.trim().to_owned())).collect();
    let mut response = Response { status, headers, body: rest };
    if method == "HEAD" || matches!(response.status, 204 | 304) {
        return Ok(response);
    }
    if let Some(length) = response.header("content-length") {
        let length: usize = length.parse().map_err(|_| malformed(&head))?;
        while response.body.len() < length {
            more(stream, &mut response.body).await?;
        }
        response.body.truncate(length);
    } else if response.header("transfer-encoding") == Some("chunked") {
        response.body = read_chunks(stream, response.body).await?;
    } else {
        stream.read_to_end(&mut response.body).await?;
    }
    Ok(response)
}

async fn read_chunks(stream: &mut (impl AsyncReadExt + Unpin), mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line_end = loop {
            if let Some(at) = find(&bytes, b"\r\n") {
                break at;
            }
            more(stream, &mut bytes).await?;
        };
        let line = String::from_utf8_lossy(bytes.get(..line_end).unwrap_or_default()).into_owned();
        let size = usize::from_str_radix(line.trim(), 16).map_err(|_| malformed(&line))?;
        let end = line_end + 2 + size;
        while bytes.len() < end + 2 {
            more(stream, &mut bytes).await?;
        }
        body.extend_from_slice(bytes.get(line_end + 2..end).unwrap_or_default());
        bytes.drain(..end + 2);
        if size == 0 {
            return Ok(body);
        }
    }
}

async fn more(stream: &mut (impl AsyncReadExt + Unpin), bytes: &mut Vec<u8>) -> io::Result<()> {
    match stream.read_buf(bytes).await? {
        0 => Err(io::Error::new(ErrorKind::UnexpectedEof, format!("hung up after {} bytes", bytes.len()))),
        _ => Ok(()),
    }
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

fn malformed(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("not HTTP: {what:?}"))
}

/// Reads a request, head and body, from a client; none once the client has closed the connection.
pub async fn read_request(stream: &mut (impl AsyncReadExt + Unpin)) -> Option<String> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lengths = head.lines().filter_map(|line| line.split_once(':'));
            let mut lengths = lengths.filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
            let length = lengths.next().map_or(0, |(_, value)| value.trim().parse().unwrap_or(0));
            if body.len() >= length {
                return Some(text);
            }
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return (!bytes.is_empty()).then_some(text);
        }
    }
}
