//! Protection against other websites: which combinations of `Host`, `Origin` and `Sec-Fetch-*` headers each route
//! accepts.

use std::{collections::BTreeMap, io, sync::Arc};

use tests::{
    raw_http::{self, Request, Response},
    request_bodies,
    server::Server,
};
use tokio::{io::AsyncWriteExt, net::TcpStream, task::JoinSet};

const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const ROUTES: [&str; 24] = [
    "/",
    "/d/00000000-0000-4000-8000-000000000000",
    "/icon.svg",
    "/_next/static/none.js",
    "/debates",
    "/debates/00000000-0000-4000-8000-000000000000",
    "/debates/00000000-0000-4000-8000-000000000000/arguments",
    "/debates/00000000-0000-4000-8000-000000000000/appeal",
    "/debates/00000000-0000-4000-8000-000000000000/resolution",
    "/debates/00000000-0000-4000-8000-000000000000/ruling",
    "/debates/00000000-0000-4000-8000-000000000000/intervention",
    "/debates/00000000-0000-4000-8000-000000000000/wait?role=opponent&timeout=0",
    "/documents",
    "/documents/00000000-0000-4000-8000-000000000000",
    "/documents/00000000-0000-4000-8000-000000000000/versions",
    "/health",
    "/sign-in",
    "/wait?role=arbitrator&timeout=0",
    "/openapi.json",
    "/asyncapi.yaml",
    "/ws",
    "/d",
    "/nonsense",
    "/debates/../health",
];

/// Where requests with certain headers are accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Accepted {
    Everywhere,
    /// On every route but the WebSocket, where browsers always send an `Origin`
    ExceptWebSocket,
    /// As a link from another site: only `GET` of a page of the web app
    OnlyAsLink,
    Nowhere,
}

use Accepted::{Everywhere, ExceptWebSocket, Nowhere, OnlyAsLink};

impl Accepted {
    fn accepts(self, method: &str, route: &str) -> bool {
        match self {
            Everywhere => true,
            ExceptWebSocket => route != "/ws",
            OnlyAsLink => method == "GET" && (route == "/" || route.starts_with("/d/")),
            Nowhere => false,
        }
    }
}

/// Headers besides a valid `Host`, and where they are accepted. `PORT` stands for the server's port. `Host` replaces
/// the default, and `Target` precedes the path in the request line.
type Variant = (&'static [(&'static str, &'static str)], Accepted);

const SITE: &str = "Sec-Fetch-Site";
const MODE: &str = "Sec-Fetch-Mode";
const DEST: &str = "Sec-Fetch-Dest";
const OWN_ORIGIN: (&str, &str) = ("Origin", "http://localhost:PORT");
const NAVIGATE: (&str, &str) = (MODE, "navigate");
const DOCUMENT: (&str, &str) = (DEST, "document");

const VARIANTS: [Variant; 86] = [
    // Host
    (&[], Everywhere),
    (&[("Host", "127.0.0.1:PORT")], Everywhere),
    (&[("Host", "[::1]:PORT")], Everywhere),
    (&[("Host", "LocalHost:PORT")], Everywhere),
    (&[("Host", "localhost")], Nowhere),
    (&[("Host", "localhost:")], Nowhere),
    // A forwarded port
    (&[("Host", "localhost:1")], Everywhere),
    (&[("Host", "localhost:1"), ("Origin", "http://localhost:1")], Everywhere),
    (&[("Host", "localhost:1"), OWN_ORIGIN], Nowhere),
    (&[("Host", "localhost:0")], Nowhere),
    (&[("Host", "localhost:0PORT")], Nowhere),
    (&[("Host", "localhost:PORT0")], Nowhere),
    (&[("Host", "localhost.:PORT")], Nowhere),
    (&[("Host", "localhost.evil.example:PORT")], Nowhere),
    (&[("Host", "evil.example")], Nowhere),
    (&[("Host", "evil.example:PORT")], Nowhere),
    (&[("Host", "evillocalhost:PORT")], Nowhere),
    (&[("Host", "me@localhost:PORT")], Nowhere),
    (&[("Host", "http://localhost:PORT")], Nowhere),
    (&[("Host", "localhost:PORT/")], Nowhere),
    (&[("Host", "localhost:PORT, localhost:PORT")], Nowhere),
    (&[("Host", "localhost:PORT"), ("Host", "localhost:PORT")], Nowhere),
    (&[("Host", "localhost:PORT"), ("Host", "evil.example")], Nowhere),
    (&[("Host", "127.0.0.2:PORT")], Nowhere),
    (&[("Host", "127.1:PORT")], Nowhere),
    (&[("Host", "2130706433:PORT")], Nowhere),
    (&[("Host", "0.0.0.0:PORT")], Nowhere),
    (&[("Host", "::1:PORT")], Nowhere),
    (&[("Host", "[0:0:0:0:0:0:0:1]:PORT")], Nowhere),
    (&[("Host", "[::ffff:127.0.0.1]:PORT")], Nowhere),
    (&[("Host", "")], Nowhere),
    (&[("Host", "evil.example"), ("X-Forwarded-Host", "localhost:PORT")], Nowhere),
    (&[("Host", "evil.example"), ("Forwarded", "host=localhost:PORT")], Nowhere),
    // Absolute request targets
    (&[("Target", "http://localhost:PORT")], Everywhere),
    (&[("Target", "http://127.0.0.1:PORT")], Nowhere),
    (&[("Target", "http://evil.example")], Nowhere),
    (&[("Target", "http://evil.example:PORT")], Nowhere),
    (&[("Target", "http://me@localhost:PORT")], Nowhere),
    (&[("Target", "http://localhost")], Nowhere),
    (&[("Target", "http://localhost:PORT"), ("Host", "evil.example")], Nowhere),
    (&[("Target", "http://evil.example"), ("Host", "evil.example")], Nowhere),
    // Origin
    (&[OWN_ORIGIN], Everywhere),
    (&[("Origin", "http://127.0.0.1:PORT")], Everywhere),
    (&[("Origin", "http://[::1]:PORT")], Everywhere),
    (&[("Origin", "https://localhost:PORT")], Nowhere),
    (&[("Origin", "http://localhost")], Nowhere),
    (&[("Origin", "http://localhost:1")], Nowhere),
    (&[("Origin", "http://localhost:PORT/")], Nowhere),
    (&[("Origin", "http://localhost:PORT.evil.example")], Nowhere),
    (&[("Origin", "http://evil.example")], Nowhere),
    (&[("Origin", "http://evil.example:PORT")], Nowhere),
    (&[("Origin", "http://localhost:PORT@evil.example")], Nowhere),
    (&[("Origin", "localhost:PORT")], Nowhere),
    (&[("Origin", "null")], Nowhere),
    (&[("Origin", "")], Nowhere),
    (&[("Origin", "file://")], Nowhere),
    (&[("Origin", "chrome-extension://abcdefghijklmnop")], Nowhere),
    (&[OWN_ORIGIN, OWN_ORIGIN], Nowhere),
    (&[OWN_ORIGIN, ("Origin", "http://evil.example")], Nowhere),
    (&[("Origin", "http://localhost:PORT http://evil.example")], Nowhere),
    // Sec-Fetch-* headers of browsers
    (&[(SITE, "same-origin")], ExceptWebSocket),
    (&[(SITE, "same-origin"), OWN_ORIGIN], Everywhere),
    (&[(SITE, "same-origin"), (MODE, "cors"), (DEST, "empty"), OWN_ORIGIN], Everywhere),
    (&[(SITE, "same-origin"), (MODE, "websocket"), (DEST, "websocket"), OWN_ORIGIN], Everywhere),
    (&[(SITE, "same-origin"), ("Origin", "http://evil.example")], Nowhere),
    (&[(SITE, "none"), NAVIGATE, DOCUMENT], ExceptWebSocket),
    (&[(SITE, "none"), NAVIGATE, DOCUMENT, ("Sec-Fetch-User", "?1")], ExceptWebSocket),
    (&[(SITE, "none")], Nowhere),
    (&[(SITE, "none"), (MODE, "no-cors"), (DEST, "image")], Nowhere),
    (&[(SITE, "cross-site"), NAVIGATE, DOCUMENT], OnlyAsLink),
    (&[(SITE, "same-site"), NAVIGATE, DOCUMENT], OnlyAsLink),
    (&[(SITE, "cross-site"), NAVIGATE, DOCUMENT, ("Origin", "null")], Nowhere),
    (&[(SITE, "cross-site"), NAVIGATE, (DEST, "iframe")], Nowhere),
    (&[(SITE, "cross-site"), NAVIGATE, (DEST, "embed")], Nowhere),
    (&[(SITE, "cross-site"), NAVIGATE], Nowhere),
    (&[(SITE, "cross-site"), (MODE, "no-cors"), (DEST, "image")], Nowhere),
    (&[(SITE, "cross-site"), (MODE, "cors"), (DEST, "empty")], Nowhere),
    (&[(SITE, "cross-site"), (MODE, "websocket"), (DEST, "websocket")], Nowhere),
    (&[(SITE, "cross-site"), OWN_ORIGIN], Nowhere),
    (&[(SITE, "same-site")], Nowhere),
    (&[(SITE, "Same-Origin"), OWN_ORIGIN], Nowhere),
    (&[(SITE, "same-origin, cross-site"), OWN_ORIGIN], Nowhere),
    (&[(SITE, "same-origin"), (SITE, "cross-site"), OWN_ORIGIN], Nowhere),
    (&[(SITE, ""), OWN_ORIGIN], Nowhere),
    (&[("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)")], ExceptWebSocket),
    // What Node.js sends
    (&[(MODE, "websocket"), ("User-Agent", "node")], Everywhere),
];

/// A request with these headers. Its body would be stored if it were accepted.
fn request(port: &str, method: &str, route: &str, headers: &[(&str, &str)]) -> Request {
    let fill = |value: &str| value.replace("PORT", port);
    let target = headers.iter().find(|(name, _)| *name == "Target").map_or(String::new(), |(_, value)| fill(value));
    let mut request = Request::new(method, &format!("{target}{route}"));
    if !headers.iter().any(|(name, _)| *name == "Host") {
        request = request.header("Host", &[&format!("localhost:{port}")]);
    }
    let others = headers.iter().filter(|(name, _)| *name != "Target");
    request.headers.extend(others.map(|(name, value)| ((*name).to_owned(), fill(value))));
    if matches!(method, "POST" | "PUT" | "PATCH") {
        request = request.header("Content-Type", &["application/json"]).body(request_bodies::creation().to_string());
    }
    request
}

/// A client that keeps its connection alive.
struct Caller {
    server: std::net::SocketAddr,
    stream: Option<TcpStream>,
}

impl Caller {
    async fn send(&mut self, request: &Request) -> Response {
        let reused = self.stream.is_some();
        match self.try_send(request).await {
            Ok(response) => response,
            // The server may have closed the idle connection.
            Err(_) if reused => self.try_send(request).await.expect("a fresh connection is answered"),
            Err(e) => panic!("{} {}: {e}", request.method, request.path),
        }
    }

    async fn try_send(&mut self, request: &Request) -> io::Result<Response> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => raw_http::open(self.server).await?,
        };
        stream.write_all(&request.bytes()).await?;
        let response = raw_http::read_response_to(&request.method, &mut stream).await?;
        if response.header("connection") != Some("close") {
            self.stream = Some(stream);
        }
        Ok(response)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_and_method_accepts_exactly_the_allowed_headers() {
    let server = Server::start().await;
    let port: Arc<str> = server.address().port().to_string().into();
    let mut callers = JoinSet::new();
    for method in METHODS {
        let (port, address) = (Arc::clone(&port), server.address());
        callers.spawn(async move {
            let mut caller = Caller { server: address, stream: None };
            let (mut wrong, mut created) = (Vec::new(), 0);
            for route in ROUTES {
                for (headers, accepted) in VARIANTS {
                    let response = caller.send(&request(&port, method, route, headers)).await;
                    let is_accepted = response.status != 403;
                    if is_accepted != accepted.accepts(method, route) || response.status >= 500 {
                        wrong.push(format!("{method} {route} {headers:?}: {} ({accepted:?})", response.status));
                    }
                    let body = String::from_utf8_lossy(&response.body);
                    if !is_accepted && method != "HEAD" && !body.contains(r#""code":"FORBIDDEN""#) {
                        wrong.push(format!("{method} {route} {headers:?}: {body}"));
                    }
                    created += usize::from(response.status == 201);
                    wrong.extend(missing_security_headers(&response).map(|what| format!("{method} {route}: {what}")));
                }
            }
            (wrong, created)
        });
    }
    let (mut wrong, mut created) = (Vec::new(), 0);
    for (others, more) in callers.join_all().await {
        wrong.extend(others);
        created += more;
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
    // Refused requests had no effect, accepted ones did.
    let expected_count = VARIANTS.iter().filter(|(_, accepted)| accepted.accepts("POST", "/debates")).count();
    assert_eq!(created, expected_count);
    assert_eq!(server.client().get("/debates").await.data(200)["total"], expected_count);
}

/// Security headers that are missing in a response.
fn missing_security_headers(response: &Response) -> impl Iterator<Item = String> {
    let expected = BTreeMap::from([
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ]);
    let mut missing: Vec<String> = Vec::new();
    for (name, value) in expected {
        if response.header(name) != Some(value) {
            missing.push(format!("{name} is {:?}", response.header(name)));
        }
    }
    let policy = response.header("content-security-policy").unwrap_or_default();
    if !policy.contains("default-src 'none'") || !policy.contains("frame-ancestors 'none'") {
        missing.push(format!("the content security policy is {policy:?}"));
    }
    let is_data = response.header("content-type") == Some("application/json");
    if is_data && response.header("cache-control") != Some("no-store") {
        missing.push("data may be stored".to_owned());
    }
    for cors in ["access-control-allow-origin", "access-control-allow-methods", "access-control-allow-headers"] {
        if response.header(cors).is_some() {
            missing.push(format!("{cors} is there"));
        }
    }
    missing.into_iter()
}
