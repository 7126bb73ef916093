//! Checks the Host, Origin and Sec-Fetch headers, so that web pages of other origins cannot use the server.

use std::net::SocketAddr;

use poem::{
    Request,
    http::{
        Method,
        header::{HOST, HeaderName, ORIGIN, UPGRADE, USER_AGENT},
        uri::Authority,
    },
};

use super::{error_response::Rejection, web_app};

/// Where a request comes from, relative to the server. Browsers set it and pages cannot change it.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether the browser navigates to the URL or a page fetches it.
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// What the browser uses the response for, such as a document or an image.
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// The names of this machine as itself.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// The allowed values of the Host and Origin headers.
#[derive(Debug, Clone)]
pub struct AllowedHosts {
    names: Vec<String>,
    origins: Vec<String>,
    /// Whether the port of a loopback name may be another one, since it is forwarded, as by `ssh -L`. What a web page of another
    /// site sends has never a loopback name as its Host, also with DNS rebinding.
    forwarded: bool,
}

impl AllowedHosts {
    /// Allows the loopback names with the port of `bound`, with any port if that is a loopback address, `bound` itself, and the names
    /// in `allowed`: either `name:port`, or `name`, which is allowed without a port and with the bound one.
    pub fn new(bound: SocketAddr, allowed: impl IntoIterator<Item = String>) -> Self {
        let port = bound.port();
        let mut names = Vec::from(LOOPBACK.map(|name| format!("{name}:{port}")));
        names.push(bound.to_string());
        if port == 80 {
            // Clients omit the default port.
            names = names.iter().flat_map(|name| [name.clone(), name.trim_end_matches(":80").to_owned()]).collect();
        }
        let mut origins: Vec<String> = names.iter().map(|name| format!("http://{name}")).collect();
        for name in allowed.into_iter().flat_map(|name| with_port(name, port)) {
            // A reverse proxy may use TLS; the server itself does not.
            origins.extend(["http", "https"].map(|scheme| format!("{scheme}://{name}")));
            names.push(name);
        }
        Self { names, origins, forwarded: bound.ip().is_loopback() }
    }

    /// A name for [`AllowedHosts::new`], as in the settings. An empty one allows nothing.
    ///
    /// # Errors
    /// If it cannot be the value of a Host header, for example because it is a URL.
    pub fn parse(name: &str) -> Result<String, &'static str> {
        match name.parse::<Authority>() {
            Ok(authority) if !authority.as_str().contains('@') => Ok(name.to_owned()),
            Err(_) if name.is_empty() => Ok(String::new()),
            Ok(_) | Err(_) => Err("give a name or name:port, such as debate.example.org"),
        }
    }

    /// Rejects a request for another host or from a page of another origin.
    pub(super) fn check(&self, request: &Request) -> Result<(), Rejection> {
        let host = self.check_host(request)?;
        self.check_origin(request, host)?;
        check_fetch_metadata(request)
    }

    fn check_host<'r>(&self, request: &'r Request) -> Result<&'r str, Rejection> {
        let host = single(request, HOST)?
            .ok_or_else(|| Rejection::ForbiddenOrigin("the request has no Host header".to_owned()))?;
        let is_forwarded = self.forwarded && is_loopback_with_port(host);
        if !is_one_of(&self.names, host) && !is_forwarded {
            return Err(Rejection::ForbiddenOrigin(format!("{host:?} is not a name of this server")));
        }
        match request.original_uri().authority() {
            Some(target) if !target.as_str().eq_ignore_ascii_case(host) => Err(Rejection::ForbiddenOrigin(format!(
                "the request is for {:?}, but its Host header is {host:?}",
                target.as_str()
            ))),
            Some(_) | None => Ok(host),
        }
    }

    fn check_origin(&self, request: &Request, host: &str) -> Result<(), Rejection> {
        // A page that came over another port is of this server only if it came over the port that it asks now.
        let is_allowed = |origin: &str| {
            if is_one_of(&self.names, host) {
                is_one_of(&self.origins, origin)
            } else {
                origin.strip_prefix("http://").is_some_and(|origin| origin.eq_ignore_ascii_case(host))
            }
        };
        match single(request, ORIGIN)? {
            Some(origin) if is_allowed(origin) => Ok(()),
            Some(origin) => Err(Rejection::ForbiddenOrigin(format!("pages of {origin:?} may not use this server"))),
            // Browsers do not restrict WebSockets to the same origin, but always send the Origin header with them.
            None if is_websocket(request) && is_from_browser(request) => {
                Err(Rejection::ForbiddenOrigin("a browser must send an Origin header to open a WebSocket".to_owned()))
            }
            None => Ok(()),
        }
    }
}

/// Rejects requests from pages of other sites. Links from other sites to the web app are allowed.
fn check_fetch_metadata(request: &Request) -> Result<(), Rejection> {
    let Some(site) = single(request, FETCH_SITE)? else { return Ok(()) };
    let is_navigation = single(request, FETCH_MODE)? == Some("navigate");
    let allowed = match site {
        "same-origin" => true,
        // The user typed the address or used a bookmark.
        "none" => is_navigation,
        "same-site" | "cross-site" => {
            let is_document = single(request, FETCH_DEST)? == Some("document");
            let is_web_app = request.method() == Method::GET && web_app::is_page(request.original_uri().path());
            is_navigation && is_document && is_web_app
        }
        _ => false,
    };
    if allowed {
        Ok(())
    } else {
        Err(Rejection::ForbiddenOrigin(format!(
            "a page of another site may not use this server (Sec-Fetch-Site is {site:?})"
        )))
    }
}

fn is_websocket(request: &Request) -> bool {
    request.headers().contains_key(UPGRADE) || request.original_uri().path() == "/ws"
}

/// Other Sec-Fetch headers come from clients that are no browsers as well: Node.js sends Sec-Fetch-Mode.
fn is_from_browser(request: &Request) -> bool {
    let headers = request.headers();
    headers.contains_key(FETCH_SITE)
        || headers.get(USER_AGENT).is_some_and(|agent| agent.as_bytes().starts_with(b"Mozilla/"))
}

fn is_one_of(allowed: &[String], given: &str) -> bool {
    allowed.iter().any(|one| one.eq_ignore_ascii_case(given))
}

fn is_loopback_with_port(host: &str) -> bool {
    let Some((name, port)) = host.rsplit_once(':') else { return false };
    let is_port = !port.starts_with(['0', '+']) && port.parse::<u16>().is_ok();
    is_port && LOOPBACK.iter().any(|loopback| loopback.eq_ignore_ascii_case(name))
}

/// The Host values that an allowed name stands for.
fn with_port(name: String, port: u16) -> Vec<String> {
    if has_port(&name) { vec![name] } else { vec![format!("{name}:{port}"), name] }
}

/// Whether the name ends with a port; an IPv6 address in brackets contains colons too.
fn has_port(name: &str) -> bool {
    name.rsplit_once(':').is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The value of a header that may occur at most once.
fn single(request: &Request, name: HeaderName) -> Result<Option<&str>, Rejection> {
    let mut values = request.headers().get_all(&name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => match value.to_str() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(Rejection::ForbiddenOrigin(format!("the {name} header is not plain text"))),
        },
        (Some(_), Some(_)) => Err(Rejection::ForbiddenOrigin(format!("the request has more than one {name} header"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_allowed(hosts: &AllowedHosts, host: &[&str], origin: Option<&str>) -> bool {
        let mut request = Request::builder().uri_str("/health");
        for host in host {
            request = request.header("host", *host);
        }
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        hosts.check(&request.finish()).is_ok()
    }

    #[test]
    fn only_names_of_the_server_with_the_bound_port_are_allowed_where_other_machines_reach_it() {
        let hosts = AllowedHosts::new(
            ([0, 0, 0, 0], 3456).into(),
            ["debate.example".to_owned(), "other.example:8080".to_owned()],
        );
        for host in ["127.0.0.1:3456", "LOCALHOST:3456", "[::1]:3456", "debate.example", "debate.example:3456"] {
            assert!(is_allowed(&hosts, &[host], None), "{host}");
        }
        assert!(is_allowed(&hosts, &["other.example:8080"], None));
        let others = ["127.0.0.1", "localhost:3457", "127.0.0.1:3456.evil.example", "evil.example", "other.example"];
        for other in others.iter().chain(&["debate.example:80", "other.example:3456", "", "127.0.0.2:3456"]) {
            assert!(!is_allowed(&hosts, &[other], None), "{other}");
        }
        assert!(!is_allowed(&hosts, &[], None));
        assert!(!is_allowed(&hosts, &["localhost:3456", "localhost:3456"], None));
    }

    #[test]
    fn a_name_that_no_host_header_can_have_is_refused() {
        for name in ["debate.example", "debate.example:8443", "[fd00::1]:3456", "10.0.0.7", ""] {
            assert_eq!(AllowedHosts::parse(name).as_deref(), Ok(name));
        }
        for name in ["http://debate.example", "debate.example/", "user@debate.example", "two names", "*.example/x"] {
            assert!(AllowedHosts::parse(name).is_err(), "{name}");
        }
    }

    #[test]
    fn only_pages_of_the_server_itself_are_allowed() {
        let hosts = AllowedHosts::new(([127, 0, 0, 1], 3456).into(), []);
        assert!(is_allowed(&hosts, &["localhost:3456"], Some("http://localhost:3456")));
        let others = ["http://evil.example", "null", "http://localhost", "localhost:3456", "file://", ""];
        // The server does not use TLS.
        for origin in others.iter().chain(&["https://localhost:3456"]) {
            assert!(!is_allowed(&hosts, &["localhost:3456"], Some(origin)), "{origin}");
        }
    }

    #[test]
    fn a_forwarded_port_is_allowed_where_only_this_machine_reaches_the_server() {
        let hosts = AllowedHosts::new(([127, 0, 0, 1], 3456).into(), ["debate.example".to_owned()]);
        for host in ["localhost:8080", "127.0.0.1:1", "[::1]:65535"] {
            assert!(is_allowed(&hosts, &[host], None), "{host}");
            assert!(is_allowed(&hosts, &[host], Some(&format!("http://{host}"))), "{host}");
            for origin in
                ["http://localhost:3456", "http://debate.example", "http://localhost:8081", "https://localhost:8080"]
            {
                assert!(!is_allowed(&hosts, &[host], Some(origin)), "{host} from {origin}");
            }
        }
        assert!(!is_allowed(&hosts, &["localhost:3456"], Some("http://localhost:8080")));
        for other in [
            "localhost",
            "localhost:",
            "localhost:0",
            "localhost:01",
            "localhost:65536",
            "localhost:+80",
            "127.0.0.2:8080",
        ] {
            assert!(!is_allowed(&hosts, &[other], None), "{other}");
        }
        let public = AllowedHosts::new(([10, 0, 0, 7], 3456).into(), []);
        assert!(!is_allowed(&public, &["localhost:8080"], None));
    }

    #[test]
    fn the_address_that_the_server_listens_on_is_allowed() {
        for bound in ["127.0.0.2:3456", "10.0.0.7:80", "[fd00::7]:3456"] {
            let hosts = AllowedHosts::new(bound.parse().unwrap(), []);
            assert!(is_allowed(&hosts, &[bound], Some(&format!("http://{bound}"))), "{bound}");
            assert!(!is_allowed(&hosts, &["127.0.0.3:3456"], None));
        }
        let hosts = AllowedHosts::new(([10, 0, 0, 7], 80).into(), []);
        assert!(is_allowed(&hosts, &["10.0.0.7"], None) && is_allowed(&hosts, &["localhost"], None));
    }
}
