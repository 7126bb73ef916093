//! Unknown paths and methods, media types, size limits and malformed HTTP.

use std::path::Path;

use rstest::rstest;
use serde_json::Value;
use tests::{binaries, debate::Debate, polling, raw_http, request_bodies, server::Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[rstest]
#[case("/nonsense")]
#[case("/debate")]
#[case("/debates/00000000-0000-4000-8000-000000000000/nonsense")]
#[case("/debates/00000000-0000-4000-8000-000000000000/wait/more")]
#[case("/api/debates")]
#[case("/health/more")]
#[case("/wait/more")]
#[case("/asyncapi.json")]
#[case("/.env")]
#[case("/../Cargo.toml")]
#[tokio::test]
async fn an_unknown_path_is_not_found_whatever_the_method(#[case] path: &str) {
    let server = Server::shared().await;
    let client = server.client();
    for method in ["GET", "DELETE", "PUT"] {
        client.send(&client.request(method, path)).await.refusal("NOT_FOUND");
    }
    client.post(path, &request_bodies::creation()).await.refusal("NOT_FOUND");
}

#[rstest]
#[case("/health", &["POST", "PUT", "DELETE", "PATCH"])]
#[case("/openapi.json", &["POST", "DELETE"])]
#[case("/asyncapi.yaml", &["POST", "DELETE"])]
#[case("/search", &["POST", "PUT", "DELETE"])]
#[case("/wait", &["POST", "PUT", "DELETE"])]
#[case("/debates", &["PUT", "DELETE", "PATCH"])]
#[case("/debates/00000000-0000-4000-8000-000000000000", &["POST", "PUT", "DELETE", "PATCH"])]
#[case("/debates/00000000-0000-4000-8000-000000000000/arguments", &["GET", "PUT", "DELETE"])]
#[case("/debates/00000000-0000-4000-8000-000000000000/appeal", &["GET", "PUT", "DELETE"])]
#[case("/debates/00000000-0000-4000-8000-000000000000/resolution", &["GET", "PUT", "DELETE"])]
#[case("/debates/00000000-0000-4000-8000-000000000000/ruling", &["GET", "PUT", "DELETE"])]
#[case("/debates/00000000-0000-4000-8000-000000000000/intervention", &["GET", "PUT", "DELETE"])]
#[case("/debates/00000000-0000-4000-8000-000000000000/wait", &["POST", "PUT", "DELETE"])]
#[tokio::test]
async fn a_known_path_refuses_other_methods(#[case] path: &str, #[case] methods: &[&str]) {
    let server = Server::shared().await;
    let client = server.client();
    for method in methods {
        let answer = client.send(&client.request(method, path)).await;
        assert_eq!(answer.code(), "METHOD_NOT_ALLOWED", "{answer}");
    }
}

#[rstest]
#[case("/debates", "GET, HEAD, POST")]
#[case("/debates/00000000-0000-4000-8000-000000000000", "GET, HEAD")]
#[case("/debates/00000000-0000-4000-8000-000000000000/arguments", "POST")]
#[case("/debates/00000000-0000-4000-8000-000000000000/seats/opponent", "DELETE")]
#[case("/documents/00000000-0000-4000-8000-000000000000", "DELETE, GET, HEAD")]
#[case("/sign-in", "POST")]
#[case("/search", "GET, HEAD")]
#[case("/wait", "GET, HEAD")]
#[case("/health", "GET, HEAD")]
#[case("/metrics", "GET, HEAD")]
#[case("/openapi.json", "GET, HEAD")]
#[case("/asyncapi.yaml", "GET, HEAD")]
#[case("/ws", "GET, HEAD")]
#[case("/", "GET, HEAD")]
#[case("/d/00000000-0000-4000-8000-000000000000", "GET, HEAD")]
#[case("/icon.svg", "GET, HEAD")]
#[case("/manifest.webmanifest", "GET, HEAD")]
#[case("/service-worker.js", "GET, HEAD")]
#[case("/_next/static/chunks/a.js", "GET, HEAD")]
#[tokio::test]
async fn what_refuses_a_method_says_which_are_allowed(#[case] path: &str, #[case] allowed: &str) {
    let server = Server::shared().await;
    for method in ["PATCH", "PUT", "NONSENSE"] {
        let response = server.client().response(&server.client().request(method, path)).await.unwrap();
        assert_eq!(response.status, 405, "{method} {path}");
        let mut told: Vec<_> = response.header("allow").expect("an Allow header").split(", ").collect();
        told.sort_unstable();
        assert_eq!(told.join(", "), allowed, "{method} {path}");
    }
}

/// Files with a hash in their name are in folders; pages and copies that are compressed have no path of their own.
#[tokio::test]
async fn every_file_beside_the_page_is_served() {
    let server = Server::shared().await;
    let built = binaries::workspace().join("web/out");
    let files = built.read_dir().expect("the web app is built").map(|entry| entry.unwrap().path());
    let has_no_path = |file: &Path| ["html", "txt", "gz"].iter().any(|end| file.extension().is_some_and(|e| e == *end));
    let files = files.filter(|file| file.is_file() && !has_no_path(file));
    let mut paths: Vec<_> = files.map(|file| format!("/{}", file.file_name().unwrap().display())).collect();
    paths.sort();
    let expected =
        ["icon-192.png", "icon-512.png", "icon.svg", "manifest.webmanifest", "service-worker.js", "theme.js"];
    assert_eq!(paths, expected.map(|name| format!("/{name}")));
    for path in paths {
        let response = server.client().response(&server.client().request("GET", &path)).await.unwrap();
        assert_eq!(response.status, 200, "{path}");
    }
}

#[tokio::test]
async fn writes_need_the_media_type_of_json() {
    let server = Server::shared().await;
    let mut debate = Debate::create(&server.client()).await;
    let body = request_bodies::claim("opponent", debate.newest());
    let request = server.client().write(&debate.path("/arguments"), body.to_string());
    for media in
        ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", "json", "", "*/*"]
    {
        let request = request.clone().header("Content-Type", &[media]);
        let answer = server.client().send(&request).await;
        assert_eq!(answer.code(), "UNSUPPORTED_MEDIA_TYPE", "{media:?}: {answer}");
    }
    server.client().send(&request.clone().header("Content-Type", &[])).await.refusal("UNSUPPORTED_MEDIA_TYPE");
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
    for (role, media) in [("opponent", "application/json; charset=utf-8"), ("proposer", "Application/JSON")] {
        let body = request_bodies::claim(role, debate.newest());
        let request = server.client().write(&debate.path("/arguments"), body.to_string());
        let data = server.client().send(&request.header("Content-Type", &[media])).await.data(201);
        debate.arguments.push(tests::debate::text(&data["argument"]["id"]));
    }
}

#[tokio::test]
async fn a_huge_body_is_refused_with_limit_and_actual_size() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let body =
        request_bodies::with(request_bodies::claim("opponent", debate.newest()), "content", "x".repeat(20_000_000))
            .to_string();
    let request = server.client().write(&debate.path("/arguments"), body.clone());
    let error = server.client().send(&request).await.refusal("CONTENT_TOO_LARGE");
    assert!(error["limit"].as_u64().is_some_and(|limit| limit >= 10_240), "{error}");
    assert!(error["actual"].as_u64() > error["limit"].as_u64(), "{error}");
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
}

#[tokio::test]
async fn a_chunked_body_is_bounded_too() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let client = server.client();
    let mut request = client.write(&debate.path("/arguments"), "").header("Content-Length", &[]);
    request = request.header("Transfer-Encoding", &["chunked"]);
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    request.body = (chunk.repeat(200) + "0\r\n\r\n").into_bytes();
    client.send(&request).await.refusal("CONTENT_TOO_LARGE");
    let body = request_bodies::claim("opponent", debate.newest()).to_string();
    request.body = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len()).into_bytes();
    client.send(&request).await.data(201);
}

/// An upper bound of what the server and the buffers of both sockets take of a body that is too large.
const ACCEPTED_BYTES: usize = 24 * 1024 * 1024;

#[tokio::test]
async fn a_chunked_body_over_the_limit_is_answered_at_once_and_its_connection_closed() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let request = server.client().write(&debate.path("/arguments"), "").header("Content-Length", &[]);
    let request = request.header("Transfer-Encoding", &["chunked"]).header("Connection", &["keep-alive"]);
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let mut stream = raw_http::open(server.address()).await.unwrap();
    stream.write_all(&request.bytes()).await.unwrap();
    let (mut reader, mut writer) = stream.split();
    let mut accepted = 0;
    // A client that sends for ever, until the server takes no more.
    let send = async {
        while writer.write_all(chunk.as_bytes()).await.is_ok() {
            accepted += chunk.len();
            assert!(accepted < ACCEPTED_BYTES, "the server takes {accepted} bytes of a body that is too large");
        }
    };
    let response = async {
        let response = raw_http::read_response(&mut reader).await.unwrap();
        let closed = tokio::time::timeout(polling::DEADLINE, reader.read(&mut [0; 1])).await;
        (response, closed.expect("the connection is closed"))
    };
    let ((), (response, closed)) = tokio::join!(send, response);
    let error: Value = serde_json::from_slice(&response.body).unwrap();
    assert_eq!((response.status, &error["error"]["code"]), (413, &Value::from("CONTENT_TOO_LARGE")));
    assert_eq!(response.header("connection"), Some("close"));
    assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
}

#[tokio::test]
async fn a_client_that_reads_only_after_it_has_sent_a_chunked_body_gets_the_answer() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let request = server.client().write(&debate.path("/ruling"), "").header("Content-Length", &[]);
    let mut bytes = request.header("Transfer-Encoding", &["chunked"]).bytes();
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    bytes.extend((chunk.repeat(25) + "0\r\n\r\n").into_bytes());
    let mut stream = raw_http::open(server.address()).await.unwrap();
    stream.write_all(&bytes).await.unwrap();
    let response = raw_http::read_response(&mut stream).await.unwrap();
    assert_eq!(response.status, 413);
}

#[tokio::test]
async fn the_number_and_size_of_headers_is_limited() {
    let server = Server::shared().await;
    let client = server.client();
    let plain = client.request("GET", "/health");
    let with = |count: usize| {
        let more = (plain.headers.len()..count).map(|at| (format!("X-{at}"), "1".to_owned()));
        let headers = plain.headers.iter().cloned().chain(more).collect();
        raw_http::Request { headers, ..plain.clone() }
    };
    let long = |bytes: usize| plain.clone().header("X-Long", &[&"x".repeat(bytes)]);
    let target = |bytes: usize| client.request("GET", &format!("/health?{}", "x".repeat(bytes)));
    for request in [with(64), long(7_000), target(7_000)] {
        assert_eq!(client.response(&request).await.unwrap().status, 200);
    }
    for request in [with(65), long(9_000), target(9_000), long(20_000), target(20_000)] {
        assert!(client.send(&request).await.refusal("CONTENT_TOO_LARGE")["actual"].is_u64());
    }
    // Far larger heads are refused by the HTTP parser.
    for request in [with(200), long(100_000), target(100_000)] {
        assert_eq!(client.response(&request).await.unwrap().status, 431);
    }
}

#[tokio::test]
async fn the_depth_of_json_is_limited_even_in_unknown_fields() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let body = |levels| {
        let body = request_bodies::with(request_bodies::claim("opponent", debate.newest()), "mood", "HERE").to_string();
        body.replace("\"HERE\"", &deep(levels))
    };
    for levels in [128, 10_000] {
        let request = server.client().write(&debate.path("/arguments"), body(levels));
        server.client().send(&request).await.refusal("INVALID_INPUT");
    }
    // Brackets inside a string do not count.
    let text = request_bodies::with(request_bodies::claim("opponent", debate.newest()), "content", deep(1_000) + "\"[");
    server.client().post(&debate.path("/arguments"), &text).await.data(201);
    let request = server.client().write(&debate.path("/arguments"), body(127));
    server.client().send(&request).await.refusal("ACTION_NOT_ALLOWED");
}

#[tokio::test]
async fn two_content_types_are_refused() {
    let server = Server::shared().await;
    let request = server.client().write("/debates", request_bodies::creation().to_string());
    let request = request.header("Content-Type", &["application/json", "text/plain"]);
    server.client().send(&request).await.refusal("UNSUPPORTED_MEDIA_TYPE");
}

#[tokio::test]
async fn a_query_with_invalid_encoding_is_refused() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    for query in ["role=%ff", "role=%", "role=%zz", "role=%00"] {
        debate.wait(query).await.refusal("INVALID_INPUT");
    }
    // An invalid encoding in `q` either matches nothing or is refused.
    let answer = server.client().get("/debates?q=%ff").await;
    assert!(matches!(answer.status, 200 | 400), "{answer}");
}

#[tokio::test]
async fn malformed_http_harms_no_other_client() {
    let server = Server::shared().await;
    let debate = Debate::create(&server.client()).await;
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X-A: b\r\n".repeat(5_000));
    let smuggled =
        "POST /debates HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET";
    for garbage in
        ["\0\0\0\0", "hello\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", &long, &many, smuggled, "\r\n\r\n"]
    {
        let mut stream = raw_http::open(server.address()).await.unwrap();
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(garbage.as_bytes()).await;
        // Without a further byte to wait for, the server has to respond or close the connection.
        let _ = stream.shutdown().await;
        let answer = tokio::time::timeout(polling::DEADLINE, raw_http::read_response(&mut stream)).await;
        if let Ok(response) = answer.expect("the server responds or closes the connection") {
            assert!((400..600).contains(&response.status), "{garbage:.40?} was answered with {}", response.status);
        }
    }
    let mut pipelined = server.client().request("GET", "/health").header("Connection", &["keep-alive"]).bytes();
    pipelined.extend(server.client().request("GET", &debate.path("")).bytes());
    let mut stream = raw_http::open(server.address()).await.unwrap();
    stream.write_all(&pipelined).await.unwrap();
    let first = raw_http::read_response(&mut stream).await.unwrap();
    let health: Value = serde_json::from_slice(&first.body).unwrap();
    assert_eq!((first.status, &health["data"]["status"]), (200, &Value::from("ok")));
    assert_eq!(debate.stored().await["debate"]["last_seq"], 1);
}
