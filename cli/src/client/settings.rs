//! Settings from the environment: the server's URL, the token, and how long a wait lasts.

use std::{
    env,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use reqwest::{Url, header::HeaderValue};

use crate::{
    files::{self, private},
    hosts::Host,
    output::{Code, Failure, sanitize},
};

const SERVER_URL: &str = "DEBATE_SERVER_URL";
const AUTH_TOKEN: &str = "DEBATE_AUTH_TOKEN";
const AUTH_TOKEN_FILE: &str = "DEBATE_AUTH_TOKEN_FILE";
const WAIT_DEADLINE: &str = "DEBATE_WAIT_DEADLINE";
const SEATS_DIR: &str = "DEBATE_SEATS_DIR";

/// How many bytes a token file may have.
const MAX_TOKEN_BYTES: u64 = 4 * 1024;

/// The base URL of the server.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerUrl(Url);

impl ServerUrl {
    /// Reads `DEBATE_SERVER_URL`.
    pub fn from_env() -> Result<Self, Failure> {
        Self::parse(variable(SERVER_URL)?.as_deref().unwrap_or("http://127.0.0.1:3456"))
    }

    /// Parses a URL. The error does not repeat it, since it may hold a password.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let invalid = |reason: &str| {
            Failure::new(Code::InvalidInput, format!("{SERVER_URL} is not the URL of a server: {reason}"))
                .with_suggestion(format!("Set {SERVER_URL} to something like http://127.0.0.1:3456"))
        };
        let url = Url::parse(text).map_err(|error| invalid(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(invalid("it must start with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(invalid(&format!("it must not hold a user name or a password; put a token into {AUTH_TOKEN}")));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(invalid("it must not have a query or a fragment"));
        }
        if url.port() == Some(0) {
            return Err(invalid("no server can be reached on port 0"));
        }
        Ok(Self(url))
    }

    /// The URL without a slash at its end, to append paths to.
    pub fn base(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }

    /// What the keys of seats know the server by: the URL, with every name of this machine in the same spelling.
    pub fn identity(&self) -> String {
        let mut url = self.0.clone();
        if self.is_loopback() {
            // Only for a URL without a host it fails.
            let _ = url.set_host(Some("localhost"));
        }
        url.as_str().trim_end_matches('/').to_owned()
    }

    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether the host is this machine, so that no proxy applies.
    pub fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host.parse::<IpAddr>().map_or_else(
            |_| host.trim_end_matches('.') == "localhost" || host.trim_end_matches('.').ends_with(".localhost"),
            |address| address.to_canonical().is_loopback(),
        )
    }

    /// The address that `aw up` has a server listen on. Fails where a server started there would not be the one of this URL.
    pub fn address_to_start_at(&self) -> Result<SocketAddr, Failure> {
        let refused = |reason: &str, suggestion: &str| {
            Failure::new(Code::InvalidInput, format!("{SERVER_URL} is {}: {reason}", self.base()))
                .with_suggestion(suggestion)
        };
        if !self.is_loopback() {
            return Err(refused(
                "that is another machine, and `aw up` starts a server on this one",
                "Start aweave-server there, or unset DEBATE_SERVER_URL to use a server on this machine",
            ));
        }
        let host = self.0.host_str().unwrap_or_default();
        let ip = match host.trim_start_matches('[').trim_end_matches(']') {
            "localhost" => Some(Ipv4Addr::LOCALHOST.into()),
            host => {
                host.parse().ok().filter(|ip| [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()].contains(ip))
            }
        };
        match (ip, self.0.port_or_known_default()) {
            (Some(ip), Some(port)) if !self.is_https() && self.0.path() == "/" => Ok(SocketAddr::new(ip, port)),
            _ => Err(refused(
                "a server started by `aw up` does not answer there",
                "Set DEBATE_SERVER_URL to something like http://127.0.0.1:3456: plain HTTP, 127.0.0.1, [::1] or localhost, \
                 and no path",
            )),
        }
    }
}

/// Whether `DEBATE_SERVER_URL` names a server.
pub fn names_server() -> bool {
    !matches!(variable(SERVER_URL), Ok(None))
}

/// The `Authorization` header for the token in `DEBATE_AUTH_TOKEN` or `DEBATE_AUTH_TOKEN_FILE`, marked as sensitive so that
/// it is not logged.
pub fn authorization() -> Result<Option<HeaderValue>, Failure> {
    match (variable(AUTH_TOKEN)?, variable(AUTH_TOKEN_FILE)?) {
        (None, None) => Ok(None),
        (Some(token), None) => bearer(AUTH_TOKEN, &token).map(Some),
        (None, Some(path)) => bearer(AUTH_TOKEN_FILE, &read_token(&path)?).map(Some),
        (Some(_), Some(_)) => {
            let both = format!("{AUTH_TOKEN} and {AUTH_TOKEN_FILE} are both set");
            Err(Failure::new(Code::InvalidInput, both).with_suggestion("Keep one of them"))
        }
    }
}

/// Reads a token from a file, without the line break at its end, nor the byte order mark of some editors.
fn read_token(path: &str) -> Result<String, Failure> {
    let invalid = |reason: &str| {
        Failure::new(Code::InvalidInput, format!("{AUTH_TOKEN_FILE} names {}, which {reason}", sanitize::line(path)))
            .with_suggestion("The file must hold the server's token on its only line, and must be readable")
    };
    let text = files::read_text(Path::new(path), MAX_TOKEN_BYTES)
        .map_err(|error| invalid(&format!("cannot be read: {error}")))?;
    let line = text.trim_start_matches(files::BYTE_ORDER_MARK);
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.is_empty() { Err(invalid("is empty")) } else { Ok(line.to_owned()) }
}

/// The header for a token that comes from the environment variable `setting`.
fn bearer(setting: &str, token: &str) -> Result<HeaderValue, Failure> {
    let mut value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| {
        Failure::new(Code::InvalidInput, format!("{setting} contains a character that is not allowed in a token"))
            .with_suggestion("A token is one line of visible ASCII characters; check for a line break at its end")
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// The folder with the keys of seats: `DEBATE_SEATS_DIR`, or `.aweave/seats` in the home folder; none without a home folder.
pub fn seats_folder() -> Option<PathBuf> {
    let folder = env::var_os(SEATS_DIR).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder.or_else(|| Some(private::aweave_folder()?.join("seats")))
}

/// How many seconds a wait lasts if nothing says how long.
pub const DEFAULT_WAIT_SECONDS: u64 = 300;

/// How long a wait lasts without `--timeout`: `DEBATE_WAIT_DEADLINE`, or [`DEFAULT_WAIT_SECONDS`].
pub fn wait_deadline() -> Result<Duration, Failure> {
    let seconds = variable(WAIT_DEADLINE)?.as_deref().map(seconds).transpose()?;
    Ok(Duration::from_secs(seconds.map_or(DEFAULT_WAIT_SECONDS, u64::from)))
}

/// The `--timeout` of waits that are suggested: what `DEBATE_WAIT_DEADLINE` or the host that runs this command allows; none if
/// neither says anything.
pub fn next_wait_seconds() -> Option<u32> {
    let deadline = variable(WAIT_DEADLINE).ok().flatten().and_then(|text| seconds(&text).ok());
    deadline.or_else(|| Host::current().map(|host| host.facts().wait_seconds))
}

fn seconds(text: &str) -> Result<u32, Failure> {
    text.trim().parse().map_err(|error| {
        Failure::new(Code::InvalidInput, format!("{WAIT_DEADLINE} is not a number of seconds: {error}"))
            .with_suggestion(format!(
                "Set {WAIT_DEADLINE} to a whole number such as {DEFAULT_WAIT_SECONDS}, or give --timeout"
            ))
    })
}

/// Reads an environment variable; an empty one counts as not set.
fn variable(name: &str) -> Result<Option<String>, Failure> {
    match env::var(name) {
        Ok(value) => Ok(Some(value).filter(|value| !value.is_empty())),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => Err(Failure::new(Code::InvalidInput, format!("{name} is not UTF-8"))
            .with_suggestion(format!("Set {name} to UTF-8 text"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_url_has_no_slash_at_its_end() {
        for (given, base) in [
            ("http://127.0.0.1:3456", "http://127.0.0.1:3456"),
            ("http://127.0.0.1:3456/", "http://127.0.0.1:3456"),
            ("https://debates.example/team/a/", "https://debates.example/team/a"),
        ] {
            assert_eq!(ServerUrl::parse(given).unwrap().base(), base);
        }
    }

    #[test]
    fn the_names_of_this_machine_are_the_same_server() {
        let same = ["http://127.0.0.1:3456", "http://localhost:3456/", "http://[::1]:3456", "HTTP://LOCALHOST:3456"];
        for url in same {
            assert_eq!(ServerUrl::parse(url).unwrap().identity(), "http://localhost:3456", "{url}");
        }
        for url in
            ["http://127.0.0.1:3457", "https://127.0.0.1:3456", "http://127.0.0.1:3456/a", "http://10.0.0.1:3456"]
        {
            assert_ne!(ServerUrl::parse(url).unwrap().identity(), "http://localhost:3456", "{url}");
        }
        assert_eq!(ServerUrl::parse("https://Debates.example:443/").unwrap().identity(), "https://debates.example");
    }

    #[test]
    fn an_invalid_url_is_refused_without_repeating_it() {
        for text in ["", "127.0.0.1:3456", "ftp://a", "http://", "http://u:secret@a", "http://a?secret", "http://a:x"] {
            let failure = ServerUrl::parse(text).unwrap_err();
            assert_eq!(failure.code, "INVALID_INPUT", "{text}");
            assert!(failure.message.starts_with("DEBATE_SERVER_URL"), "{}", failure.message);
            assert!(!failure.message.contains("secret"), "{}", failure.message);
        }
    }

    #[test]
    fn loopback_addresses_are_recognised() {
        for (url, loopback) in [
            ("http://127.0.0.1:3456", true),
            ("http://127.9.9.9", true),
            ("http://[::1]:3456", true),
            ("http://[::ffff:127.0.0.1]", true),
            ("http://localhost:3456", true),
            ("http://LOCALHOST.", true),
            ("http://a.localhost", true),
            ("http://10.0.0.1", false),
            ("http://localhost.example", false),
        ] {
            assert_eq!(ServerUrl::parse(url).unwrap().is_loopback(), loopback, "{url}");
        }
    }

    #[test]
    fn a_server_is_started_only_where_the_url_finds_it() {
        for (url, address) in [
            ("http://127.0.0.1:3456", Some("127.0.0.1:3456")),
            ("http://localhost:80/", Some("127.0.0.1:80")),
            ("http://[::1]:4000", Some("[::1]:4000")),
            ("http://127.0.0.2:3456", None),
            ("http://a.localhost:3456", None),
            ("https://127.0.0.1:3456", None),
            ("http://127.0.0.1:3456/team", None),
            ("http://10.0.0.1:3456", None),
            ("http://debates.example", None),
        ] {
            let found = ServerUrl::parse(url).unwrap().address_to_start_at();
            match address {
                Some(address) => assert_eq!(found.unwrap(), address.parse().unwrap(), "{url}"),
                None => assert_eq!(found.unwrap_err().code, "INVALID_INPUT", "{url}"),
            }
        }
    }

    #[test]
    fn a_token_is_never_printed() {
        assert!(!format!("{:?}", bearer(AUTH_TOKEN, "secret").unwrap()).contains("secret"));
        let failure = bearer(AUTH_TOKEN, "secret\n").unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(!format!("{failure:?}").contains("secret"));
    }

    #[test]
    fn a_token_file_may_end_with_a_line_break() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("token");
        for (held, token) in [("secret", "secret"), ("secret\n", "secret"), ("a\r\n", "a"), ("\u{feff}b\r\n", "b")] {
            std::fs::write(&file, held).unwrap();
            assert_eq!(read_token(file.to_str().unwrap()).unwrap(), token);
        }
        for empty in ["\n", "\u{feff}"] {
            std::fs::write(&file, empty).unwrap();
            assert!(read_token(file.to_str().unwrap()).unwrap_err().message.ends_with("is empty"));
        }
        let missing = read_token(folder.path().join("none").to_str().unwrap()).unwrap_err();
        assert_eq!(missing.code, "INVALID_INPUT");
    }

    #[test]
    fn a_deadline_is_a_whole_number_of_seconds() {
        assert_eq!(seconds("0").unwrap(), 0);
        assert_eq!(seconds(" 20 ").unwrap(), 20);
        for text in ["", "soon", "-1", "1.5", "99999999999"] {
            assert_eq!(seconds(text).unwrap_err().code, "INVALID_INPUT", "{text}");
        }
    }
}
