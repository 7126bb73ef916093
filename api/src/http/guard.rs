//! Whom the server is addressed as, and from where (SPEC section 8): a web page of another origin must not reach it.

use poem::{
    Request,
    http::{
        Method,
        header::{HOST, HeaderName, ORIGIN, UPGRADE, USER_AGENT},
    },
};

use super::{failure::Refused, site};

/// What a browser tells of the page that a request comes from; no page can set it.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What the browser does with the answer: go there, or hand it to the page.
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Where the browser puts the answer.
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// The names that a request may address the server by, and the origins whose pages may.
#[derive(Debug, Clone)]
pub struct AllowedHosts {
    names: Vec<String>,
    origins: Vec<String>,
}

impl AllowedHosts {
    /// The loopback names with the bound `port`, and `allowed`: `name:port`, or `name`, which stands for itself without a
    /// port and with the bound one.
    pub fn new(port: u16, allowed: impl IntoIterator<Item = String>) -> Self {
        const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
        let mut names = Vec::from(LOOPBACK.map(|name| format!("{name}:{port}")));
        if port == 80 {
            // The port that a client leaves out.
            names.extend(LOOPBACK.map(str::to_owned));
        }
        let mut origins: Vec<String> = names.iter().map(|name| format!("http://{name}")).collect();
        for name in allowed.into_iter().flat_map(|name| with_port(name, port)) {
            // A proxy in front of the server may speak TLS; the server itself does not.
            origins.extend(["http", "https"].map(|scheme| format!("{scheme}://{name}")));
            names.push(name);
        }
        Self { names, origins }
    }

    /// Refuses a request that is addressed to somebody else or comes from a page of somebody else.
    pub(super) fn check(&self, request: &Request) -> Result<(), Refused> {
        self.check_host(request)?;
        self.check_origin(request)?;
        check_page(request)
    }

    fn check_host(&self, request: &Request) -> Result<(), Refused> {
        let host =
            only(request, HOST)?.ok_or_else(|| Refused::Stranger("the request has no Host header".to_owned()))?;
        if !is_one_of(&self.names, host) {
            return Err(Refused::Stranger(format!("this server is not {host:?}")));
        }
        match request.original_uri().authority() {
            Some(target) if !target.as_str().eq_ignore_ascii_case(host) => {
                Err(Refused::Stranger(format!("the request is for {:?}, its Host is {host:?}", target.as_str())))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn check_origin(&self, request: &Request) -> Result<(), Refused> {
        match only(request, ORIGIN)? {
            Some(origin) if is_one_of(&self.origins, origin) => Ok(()),
            Some(origin) => Err(Refused::Stranger(format!("pages of {origin:?} may not use this server"))),
            // Every browser names the page that opens a WebSocket, which no other rule of browsers holds back.
            None if opens_websocket(request) && is_of_browser(request) => {
                Err(Refused::Stranger("a browser opens a WebSocket without an Origin header".to_owned()))
            }
            None => Ok(()),
        }
    }
}

/// Refuses what a browser says that a page of another site asks for. A link may lead to the web app from anywhere.
fn check_page(request: &Request) -> Result<(), Refused> {
    let Some(site) = only(request, FETCH_SITE)? else { return Ok(()) };
    let goes_there = only(request, FETCH_MODE)? == Some("navigate");
    let allowed = match site {
        "same-origin" => true,
        // Typed, or from a bookmark: no page has to do with it.
        "none" => goes_there,
        "same-site" | "cross-site" => {
            let in_a_tab = only(request, FETCH_DEST)? == Some("document");
            let to_the_app = request.method() == Method::GET && site::is_page(request.original_uri().path());
            goes_there && in_a_tab && to_the_app
        }
        _ => false,
    };
    if allowed {
        Ok(())
    } else {
        Err(Refused::Stranger(format!("a page of another site may not use this server (Sec-Fetch-Site is {site:?})")))
    }
}

fn opens_websocket(request: &Request) -> bool {
    request.headers().contains_key(UPGRADE) || request.original_uri().path() == "/ws"
}

fn is_of_browser(request: &Request) -> bool {
    let headers = request.headers();
    let calls_itself_one = |agent: &[u8]| agent.starts_with(b"Mozilla/");
    headers.keys().any(|name| name.as_str().starts_with("sec-fetch-"))
        || headers.get(USER_AGENT).is_some_and(|agent| calls_itself_one(agent.as_bytes()))
}

fn is_one_of(ours: &[String], given: &str) -> bool {
    ours.iter().any(|one| one.eq_ignore_ascii_case(given))
}

/// What a name that is allowed stands for.
fn with_port(name: String, port: u16) -> Vec<String> {
    if has_port(&name) { vec![name] } else { vec![format!("{name}:{port}"), name] }
}

/// Whether a port follows the name; an IPv6 address in brackets has colons of its own.
fn has_port(name: &str) -> bool {
    name.rsplit_once(':').is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()))
}

fn only(request: &Request, name: HeaderName) -> Result<Option<&str>, Refused> {
    let mut values = request.headers().get_all(&name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => match value.to_str() {
            Ok(value) => Ok(Some(value)),
            Err(_) => Err(Refused::Stranger(format!("the {name} header is not plain text"))),
        },
        (Some(_), Some(_)) => Err(Refused::Stranger(format!("the request has more than one {name} header"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(hosts: &AllowedHosts, host: &[&str], origin: Option<&str>) -> bool {
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
    fn only_our_names_with_the_bound_port_are_ours() {
        let hosts = AllowedHosts::new(3456, ["debate.example".to_owned(), "other.example:8080".to_owned()]);
        for ours in ["127.0.0.1:3456", "LOCALHOST:3456", "[::1]:3456", "debate.example", "debate.example:3456"] {
            assert!(answer(&hosts, &[ours], None), "{ours}");
        }
        assert!(answer(&hosts, &["other.example:8080"], None));
        let others = ["127.0.0.1", "localhost:3457", "127.0.0.1:3456.evil.example", "evil.example", "other.example"];
        for other in others.iter().chain(&["debate.example:80", "other.example:3456", "", "127.0.0.2:3456"]) {
            assert!(!answer(&hosts, &[other], None), "{other}");
        }
        assert!(!answer(&hosts, &[], None));
        assert!(!answer(&hosts, &["localhost:3456", "localhost:3456"], None));
    }

    #[test]
    fn only_our_own_pages_may_call() {
        let hosts = AllowedHosts::new(3456, []);
        assert!(answer(&hosts, &["localhost:3456"], Some("http://localhost:3456")));
        let others = ["http://evil.example", "null", "http://localhost", "localhost:3456", "file://", ""];
        // Nothing here speaks TLS.
        for origin in others.iter().chain(&["https://localhost:3456"]) {
            assert!(!answer(&hosts, &["localhost:3456"], Some(origin)), "{origin}");
        }
    }
}
