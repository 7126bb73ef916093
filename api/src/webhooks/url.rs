//! URLs in the settings of webhooks.

use std::{fmt, net::IpAddr};

use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::domain::EndpointId;

/// A text that is not an `http` or `https` URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{shown} is not a URL that begins with http:// or https:// and names a host")]
pub struct InvalidUrl {
    /// The text without anything that may be secret
    shown: String,
}

/// An `http` or `https` URL. Only its scheme, host and port are printed: the rest may be secret.
#[derive(Clone)]
pub struct HttpUrl {
    url: SecretString,
    origin: String,
    is_https: bool,
    is_loopback: bool,
}

impl HttpUrl {
    /// Reads a URL.
    ///
    /// # Errors
    /// If it is not an `http` or `https` URL with a host.
    pub fn parse(text: &str) -> Result<Self, InvalidUrl> {
        let invalid = || InvalidUrl { shown: without_secrets(text) };
        let url = Url::parse(text.trim()).map_err(|_| invalid())?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(invalid)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(invalid());
        }
        let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
        Ok(Self {
            origin: url.origin().ascii_serialization(),
            is_https: url.scheme() == "https",
            is_loopback: host == "localhost" || address.is_some_and(|address| address.is_loopback()),
            url: SecretString::from(url.as_str()),
        })
    }

    /// The whole URL, which may be secret.
    pub fn expose(&self) -> &str {
        self.url.expose_secret()
    }

    /// Its scheme, host and port.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Identifies the receiver at this URL.
    pub fn endpoint_id(&self) -> EndpointId {
        EndpointId::of_url(self.expose())
    }

    pub(super) fn is_https(&self) -> bool {
        self.is_https
    }

    /// Whether it leads to this machine.
    pub(super) fn is_loopback(&self) -> bool {
        self.is_loopback
    }
}

impl fmt::Debug for HttpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HttpUrl({})", self.origin)
    }
}

/// The scheme and the host of a text that is perhaps a URL: user, password, path and query may be secret.
fn without_secrets(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").map_or(("", text), |(scheme, rest)| (scheme, rest));
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or_default();
    let separator = if scheme.is_empty() { "" } else { "://" };
    format!("{scheme}{separator}{host}{}", if path.is_empty() { "" } else { "/…" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_http_and_https_urls_with_a_host_are_accepted() {
        for text in ["http://127.0.0.1:9/hook", "https://chat.example/a?b=c", "http://user:pass@[::1]:80/"] {
            assert!(HttpUrl::parse(text).is_ok(), "{text}");
        }
        for text in
            ["", "chat.example/hook", "ftp://chat.example/", "file:///etc/passwd", "http://", "https:", "http://:9/"]
        {
            assert!(HttpUrl::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_may_be_secret_is_never_printed() {
        let url = HttpUrl::parse("https://user:SECRET@chat.example:8443/SECRET?key=SECRET#SECRET").unwrap();
        assert_eq!(format!("{url:?} {}", url.origin()), "HttpUrl(https://chat.example:8443) https://chat.example:8443");
        for text in
            ["ftp://user:SECRET@chat.example/SECRET", "user:SECRET@chat.example/SECRET", "ftp://h?SECRET", "x/SECRET"]
        {
            let error = HttpUrl::parse(text).unwrap_err().to_string();
            assert!(!error.contains("SECRET"), "{error}");
        }
    }

    #[test]
    fn loopback_is_told_from_other_hosts() {
        for (text, expected) in [
            ("http://localhost", true),
            ("http://127.0.0.9:1/", true),
            ("http://[::1]/", true),
            ("http://a.example", false),
        ] {
            assert_eq!(HttpUrl::parse(text).unwrap().is_loopback(), expected, "{text}");
        }
    }
}
