//! Whom the server is addressed as, and from where (SPEC section 8): a web page of another origin must not reach it.

use poem::{
    Request,
    http::header::{HOST, HeaderName, ORIGIN},
};

use super::failure::Refused;

/// The names that a request may address the server by.
#[derive(Debug, Clone)]
pub struct AllowedHosts {
    names: Vec<String>,
}

impl AllowedHosts {
    /// The loopback names with the bound `port`, and `allowed`: `name:port`, or `name`, which stands for itself without a
    /// port and with the bound one.
    pub fn new(port: u16, allowed: impl IntoIterator<Item = String>) -> Self {
        let loopback = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        let mut names = Vec::from(loopback);
        if port == 80 {
            // The port that a client leaves out.
            names.extend(["127.0.0.1", "localhost", "[::1]"].map(str::to_owned));
        }
        for name in allowed {
            let name = name.to_ascii_lowercase();
            if !has_port(&name) {
                names.push(format!("{name}:{port}"));
            }
            names.push(name);
        }
        Self { names }
    }

    /// Refuses a request that is addressed to somebody else or comes from a page of somebody else.
    pub(super) fn check(&self, request: &Request) -> Result<(), Refused> {
        let host =
            only(request, HOST)?.ok_or_else(|| Refused::Stranger("the request has no Host header".to_owned()))?;
        if !self.is_ours(host) {
            return Err(Refused::Stranger(format!("this server is not {host:?}")));
        }
        if let Some(target) = request.original_uri().authority()
            && !target.as_str().eq_ignore_ascii_case(host)
        {
            return Err(Refused::Stranger(format!("the request is for {:?}, its Host is {host:?}", target.as_str())));
        }
        match only(request, ORIGIN)? {
            None => Ok(()),
            Some(origin) => {
                let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
                match authority {
                    Some(authority) if self.is_ours(authority) => Ok(()),
                    Some(_) | None => Err(Refused::Stranger(format!("pages of {origin:?} may not use this server"))),
                }
            }
        }
    }

    fn is_ours(&self, authority: &str) -> bool {
        self.names.iter().any(|name| name.eq_ignore_ascii_case(authority))
    }
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
        for origin in ["http://evil.example", "null", "http://localhost", "localhost:3456", "file://", ""] {
            assert!(!answer(&hosts, &["localhost:3456"], Some(origin)), "{origin}");
        }
    }
}
