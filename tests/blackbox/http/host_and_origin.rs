//! The `Host` and `Origin` headers that a server accepts.

use rstest::rstest;
use tempfile::TempDir;
use tests::{
    client::Client,
    server::{Server, Settings},
    store::Store,
};

/// A token that is long enough where other machines reach the server.
const TOKEN: &str = "0123456789abcdef";

/// Sends `GET /debates` with these headers and returns the error code or `ok`.
async fn with_headers(server: &Server, hosts: &[&str], origins: &[&str]) -> String {
    let port = server.address().port().to_string();
    let fill = |values: &[&str]| values.iter().map(|value| value.replace("PORT", &port)).collect::<Vec<_>>();
    let (hosts, origins) = (fill(hosts), fill(origins));
    let request = server.client().request("GET", "/debates");
    let request = request.header("Host", &hosts.iter().map(String::as_str).collect::<Vec<_>>());
    let request = request.header("Origin", &origins.iter().map(String::as_str).collect::<Vec<_>>());
    server.client().send(&request).await.code().to_owned()
}

#[rstest]
#[case::number(&["127.0.0.1:PORT"], "ok")]
#[case::name(&["localhost:PORT"], "ok")]
#[case::number_6(&["[::1]:PORT"], "ok")]
#[case::another_name(&["evil.example"], "FORBIDDEN")]
#[case::another_name_with_the_port(&["evil.example:PORT"], "FORBIDDEN")]
#[case::a_forwarded_port(&["localhost:1"], "ok")]
#[case::a_forwarded_port_of_the_number(&["127.0.0.1:8080"], "ok")]
#[case::a_forwarded_port_of_the_number_6(&["[::1]:65535"], "ok")]
#[case::no_port(&["127.0.0.1"], "FORBIDDEN")]
#[case::no_port_after_the_colon(&["localhost:"], "FORBIDDEN")]
#[case::port_0(&["localhost:0"], "FORBIDDEN")]
#[case::no_number(&["localhost:http"], "FORBIDDEN")]
#[case::part_of_a_name(&["localhost.evil.example:PORT"], "FORBIDDEN")]
#[case::another_number(&["127.0.0.2:PORT"], "FORBIDDEN")]
#[case::empty(&[""], "FORBIDDEN")]
#[case::missing(&[], "FORBIDDEN")]
#[case::double(&["localhost:PORT", "localhost:PORT"], "FORBIDDEN")]
#[case::one_good_one_bad(&["localhost:PORT", "evil.example"], "FORBIDDEN")]
#[tokio::test]
async fn only_local_host_names_with_a_port_are_accepted(#[case] hosts: &[&str], #[case] code: &str) {
    let server = Server::shared().await;
    assert_eq!(with_headers(&server, hosts, &[]).await, code, "{hosts:?}");
}

#[rstest]
#[case::none(&[], "ok")]
#[case::number(&["http://127.0.0.1:PORT"], "ok")]
#[case::name(&["http://localhost:PORT"], "ok")]
#[case::number_6(&["http://[::1]:PORT"], "ok")]
#[case::another_name(&["http://evil.example"], "FORBIDDEN")]
#[case::another_name_with_the_port(&["http://evil.example:PORT"], "FORBIDDEN")]
#[case::another_port(&["http://localhost:1"], "FORBIDDEN")]
#[case::no_port(&["http://localhost"], "FORBIDDEN")]
#[case::opaque(&["null"], "FORBIDDEN")]
#[case::no_url(&["localhost:PORT"], "FORBIDDEN")]
#[case::user(&["http://localhost:PORT@evil.example"], "FORBIDDEN")]
#[case::empty(&[""], "FORBIDDEN")]
#[tokio::test]
async fn only_local_origins_are_accepted(#[case] origins: &[&str], #[case] code: &str) {
    let server = Server::shared().await;
    assert_eq!(with_headers(&server, &["localhost:PORT"], origins).await, code, "{origins:?}");
}

#[rstest]
#[case::by_flags(Settings::new().args(&["--allowed-host", "debate.example", "--allowed-host", "proxy.example:8443"]))]
#[case::by_environment(Settings::new().env("DEBATE_ALLOWED_HOSTS", "debate.example,proxy.example:8443"))]
#[tokio::test]
async fn allowed_hosts_are_accepted_besides_local_ones(#[case] settings: Settings) {
    let server = Server::with(settings).await;
    for (host, code) in [
        ("debate.example", "ok"),
        ("debate.example:PORT", "ok"),
        ("debate.example:8443", "FORBIDDEN"),
        ("proxy.example:8443", "ok"),
        ("proxy.example", "FORBIDDEN"),
        ("proxy.example:PORT", "FORBIDDEN"),
        ("localhost:PORT", "ok"),
        ("evil.example", "FORBIDDEN"),
        ("sub.debate.example", "FORBIDDEN"),
    ] {
        assert_eq!(with_headers(&server, &[host], &[]).await, code, "Host: {host}");
    }
    for (origin, code) in [
        ("https://proxy.example:8443", "ok"),
        ("http://debate.example", "ok"),
        ("https://evil.example", "FORBIDDEN"),
        ("https://proxy.example:9", "FORBIDDEN"),
    ] {
        assert_eq!(with_headers(&server, &["localhost:PORT"], &[origin]).await, code, "Origin: {origin}");
    }
}

#[tokio::test]
async fn the_origin_has_to_match_a_forwarded_port() {
    let server = Server::shared().await;
    for (host, origin, code) in [
        ("localhost:8080", "http://localhost:8080", "ok"),
        ("LOCALHOST:8080", "http://localhost:8080", "ok"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080", "ok"),
        ("localhost:8080", "http://127.0.0.1:8080", "FORBIDDEN"),
        ("localhost:8080", "https://localhost:8080", "FORBIDDEN"),
        ("localhost:8080", "http://localhost:PORT", "FORBIDDEN"),
        ("localhost:8080", "http://localhost:8081", "FORBIDDEN"),
        ("localhost:8080", "http://evil.example:8080", "FORBIDDEN"),
        ("localhost:8080", "null", "FORBIDDEN"),
        ("localhost:PORT", "http://localhost:8080", "FORBIDDEN"),
    ] {
        assert_eq!(with_headers(&server, &[host], &[origin]).await, code, "{host} from {origin}");
    }
}

#[tokio::test]
async fn where_other_machines_reach_the_server_only_the_bound_port_is_accepted() {
    let settings = Settings::new().env("DEBATE_SERVER_HOST", "0.0.0.0").env("DEBATE_AUTH_TOKEN", TOKEN);
    let folder = TempDir::new().unwrap();
    let server = Server::try_start(&settings, &Store::fresh(folder.path())).await.expect("it starts");
    let client = Client::new(([127, 0, 0, 1], server.address().port()).into()).with_token(TOKEN);
    client.get("/debates").await.data(200);
    let request = client.request("GET", "/debates").header("Host", &["localhost:8080"]);
    client.send(&request).await.refusal("FORBIDDEN");
}

#[tokio::test]
async fn other_origins_can_neither_write_nor_check_health() {
    let server = Server::start().await;
    let client = server.client();
    let write = client.write("/debates", tests::request_bodies::creation().to_string());
    client.send(&write.clone().header("Origin", &["http://evil.example"])).await.refusal("FORBIDDEN");
    client.send(&write.header("Host", &["evil.example"])).await.refusal("FORBIDDEN");
    let health = client.request("GET", "/health").header("Host", &["evil.example"]);
    client.send(&health).await.refusal("FORBIDDEN");
    assert_eq!(client.get("/debates").await.data(200)["total"], 0);
}
