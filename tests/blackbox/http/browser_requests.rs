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

const ROUTES: [&str; 22] = [
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
    "/openapi.json",
    "/ws",
    "/d",
    "/nonsense",
    "/debates/../health",
];

/// Where requests with certain headers are accepted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum In {
    Everywhere,
    /// On every route but the WebSocket, where browsers always send an `Origin`
    NotAtTheSocket,
    /// As a link from another site: only `GET` of a page of the web app
    AsALink,
    Nowhere,
}

use In::{AsALink, Everywhere, NotAtTheSocket, Nowhere};

impl In {
    fn lets(self, method: &str, route: &str) -> bool {
        match self {
            Everywhere => true,
            NotAtTheSocket => route != "/ws",
            AsALink => method == "GET" && (route == "/" || route.starts_with("/d/")),
            Nowhere => false,
        }
    }
}

/// Headers besides a valid `Host`, and where they are accepted. `PORT` stands for the server's port. `Host` replaces
/// the default, and `Target` precedes the path in the request line.
type Variant = (&'static [(&'static str, &'static str)], In);

const SITE: &str = "Sec-Fetch-Site";
const MODE: &str = "Sec-Fetch-Mode";
const DEST: &str = "Sec-Fetch-Dest";
const OURS: (&str, &str) = ("Origin", "http://localhost:PORT");
const GO: (&str, &str) = (MODE, "navigate");
const TAB: (&str, &str) = (DEST, "document");

const VARIANTS: [Variant; 82] = [
    // Host
    (&[], Everywhere),
    (&[("Host", "127.0.0.1:PORT")], Everywhere),
    (&[("Host", "[::1]:PORT")], Everywhere),
    (&[("Host", "LocalHost:PORT")], Everywhere),
    (&[("Host", "localhost")], Nowhere),
    (&[("Host", "localhost:")], Nowhere),
    (&[("Host", "localhost:1")], Nowhere),
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
    (&[OURS], Everywhere),
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
    (&[OURS, OURS], Nowhere),
    (&[OURS, ("Origin", "http://evil.example")], Nowhere),
    (&[("Origin", "http://localhost:PORT http://evil.example")], Nowhere),
    // Sec-Fetch-* headers of browsers
    (&[(SITE, "same-origin")], NotAtTheSocket),
    (&[(SITE, "same-origin"), OURS], Everywhere),
    (&[(SITE, "same-origin"), (MODE, "cors"), (DEST, "empty"), OURS], Everywhere),
    (&[(SITE, "same-origin"), (MODE, "websocket"), (DEST, "websocket"), OURS], Everywhere),
    (&[(SITE, "same-origin"), ("Origin", "http://evil.example")], Nowhere),
    (&[(SITE, "none"), GO, TAB], NotAtTheSocket),
    (&[(SITE, "none"), GO, TAB, ("Sec-Fetch-User", "?1")], NotAtTheSocket),
    (&[(SITE, "none")], Nowhere),
    (&[(SITE, "none"), (MODE, "no-cors"), (DEST, "image")], Nowhere),
    (&[(SITE, "cross-site"), GO, TAB], AsALink),
    (&[(SITE, "same-site"), GO, TAB], AsALink),
    (&[(SITE, "cross-site"), GO, TAB, ("Origin", "null")], Nowhere),
    (&[(SITE, "cross-site"), GO, (DEST, "iframe")], Nowhere),
    (&[(SITE, "cross-site"), GO, (DEST, "embed")], Nowhere),
    (&[(SITE, "cross-site"), GO], Nowhere),
    (&[(SITE, "cross-site"), (MODE, "no-cors"), (DEST, "image")], Nowhere),
    (&[(SITE, "cross-site"), (MODE, "cors"), (DEST, "empty")], Nowhere),
    (&[(SITE, "cross-site"), (MODE, "websocket"), (DEST, "websocket")], Nowhere),
    (&[(SITE, "cross-site"), OURS], Nowhere),
    (&[(SITE, "same-site")], Nowhere),
    (&[(SITE, "Same-Origin"), OURS], Nowhere),
    (&[(SITE, "same-origin, cross-site"), OURS], Nowhere),
    (&[(SITE, "same-origin"), (SITE, "cross-site"), OURS], Nowhere),
    (&[(SITE, ""), OURS], Nowhere),
    (&[("User-Agent", "Mozilla/5.0 (X11; Linux x86_64)")], NotAtTheSocket),
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
    async fn ask(&mut self, request: &Request) -> Response {
        let kept = self.stream.is_some();
        match self.try_ask(request).await {
            Ok(response) => response,
            // The server may have closed the idle connection.
            Err(_) if kept => self.try_ask(request).await.expect("a fresh connection is answered"),
            Err(e) => panic!("{} {}: {e}", request.method, request.path),
        }
    }

    async fn try_ask(&mut self, request: &Request) -> io::Result<Response> {
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
    let mut asking = JoinSet::new();
    for method in METHODS {
        let (port, address) = (Arc::clone(&port), server.address());
        asking.spawn(async move {
            let mut caller = Caller { server: address, stream: None };
            let (mut wrong, mut created) = (Vec::new(), 0);
            for route in ROUTES {
                for (headers, within) in VARIANTS {
                    let response = caller.ask(&request(&port, method, route, headers)).await;
                    let is_let_in = response.status != 403;
                    if is_let_in != within.lets(method, route) || response.status >= 500 {
                        wrong.push(format!("{method} {route} {headers:?}: {} ({within:?})", response.status));
                    }
                    let told = String::from_utf8_lossy(&response.body);
                    if !is_let_in && method != "HEAD" && !told.contains(r#""code":"FORBIDDEN""#) {
                        wrong.push(format!("{method} {route} {headers:?}: {told}"));
                    }
                    created += usize::from(response.status == 201);
                    wrong.extend(unarmoured(&response).map(|what| format!("{method} {route}: {what}")));
                }
            }
            (wrong, created)
        });
    }
    let (mut wrong, mut created) = (Vec::new(), 0);
    for (others, more) in asking.join_all().await {
        wrong.extend(others);
        created += more;
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
    // Refused requests had no effect, accepted ones did.
    let let_in = VARIANTS.iter().filter(|(_, within)| within.lets("POST", "/debates")).count();
    assert_eq!(created, let_in);
    assert_eq!(server.client().get("/debates").await.data(200)["total"], let_in);
}

/// Security headers that are missing in a response.
fn unarmoured(response: &Response) -> impl Iterator<Item = String> {
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
