//! What the environment says: which server, which token, how long to wait.

use std::{env, fs::File, io::Read, net::IpAddr, time::Duration};

use reqwest::{Url, header::HeaderValue};

use crate::{
    error::{Code, Failure},
    inert,
};

const SERVER_URL: &str = "DEBATE_SERVER_URL";
const AUTH_TOKEN: &str = "DEBATE_AUTH_TOKEN";
const AUTH_TOKEN_FILE: &str = "DEBATE_AUTH_TOKEN_FILE";
const WAIT_DEADLINE: &str = "DEBATE_WAIT_DEADLINE";

/// The most bytes that a file with a token is read for.
const LONGEST_TOKEN: u64 = 4 * 1024;

/// Where the server is.
#[derive(Debug, Clone, PartialEq)]
pub struct Address(Url);

impl Address {
    /// Reads it from `DEBATE_SERVER_URL`.
    pub fn from_env() -> Result<Self, Failure> {
        Self::parse(variable(SERVER_URL)?.as_deref().unwrap_or("http://127.0.0.1:3456"))
    }

    /// Reads it from a text, which is not repeated in the message: somebody may have put a password into it.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = |what: &str| {
            Failure::new(Code::InvalidInput, format!("{SERVER_URL} is no address of a server: {what}"))
                .suggest(format!("Set {SERVER_URL} to something like http://127.0.0.1:3456"))
        };
        let url = Url::parse(text).map_err(|error| wrong(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("it has to start with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong(&format!("it must not hold a name or a password; a token goes into {AUTH_TOKEN}")));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(wrong("it must not hold ? or #"));
        }
        Ok(Self(url))
    }

    /// The address that the paths of the contract are appended to.
    pub fn base(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }

    /// Whether what is sent has to be encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether the server runs on this machine, where no proxy has any business.
    pub fn is_loopback(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        host.parse::<IpAddr>().map_or_else(
            |_| host.trim_end_matches('.') == "localhost" || host.trim_end_matches('.').ends_with(".localhost"),
            |address| address.to_canonical().is_loopback(),
        )
    }
}

/// The `Authorization` header for the token in `DEBATE_AUTH_TOKEN`, or in the file that `DEBATE_AUTH_TOKEN_FILE` names,
/// marked so that nothing prints it.
pub fn authorization() -> Result<Option<HeaderValue>, Failure> {
    match (variable(AUTH_TOKEN)?, variable(AUTH_TOKEN_FILE)?) {
        (None, None) => Ok(None),
        (Some(token), None) => bearer(AUTH_TOKEN, &token).map(Some),
        (None, Some(path)) => bearer(AUTH_TOKEN_FILE, &token_in(&path)?).map(Some),
        (Some(_), Some(_)) => {
            let both = format!("{AUTH_TOKEN} and {AUTH_TOKEN_FILE} are both set");
            Err(Failure::new(Code::InvalidInput, both).suggest("Keep one of them"))
        }
    }
}

/// The token in a file, without the end of its line.
fn token_in(path: &str) -> Result<String, Failure> {
    let wrong = |what: &str| {
        Failure::new(Code::InvalidInput, format!("{AUTH_TOKEN_FILE} names {}, which {what}", inert::line(path)))
            .suggest("The file holds the server's token on its only line; check its name and who may read it")
    };
    let read = File::open(path).and_then(|file| {
        let mut text = String::new();
        file.take(LONGEST_TOKEN).read_to_string(&mut text).map(|_| text)
    });
    let text = read.map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    let line = text.strip_suffix('\n').unwrap_or(&text);
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.is_empty() { Err(wrong("is empty")) } else { Ok(line.to_owned()) }
}

/// `setting` is where the token is from.
fn bearer(setting: &str, token: &str) -> Result<HeaderValue, Failure> {
    let mut value = HeaderValue::from_str(&format!("Bearer {token}")).map_err(|_| {
        Failure::new(Code::InvalidInput, format!("{setting} holds a character that no token can have"))
            .suggest("A token is one line of visible ASCII characters; check for a line break at its end")
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// How long a wait lasts when its command does not say.
pub fn wait_deadline() -> Result<Duration, Failure> {
    variable(WAIT_DEADLINE)?.as_deref().map_or(Ok(Duration::from_secs(300)), seconds)
}

/// Whether there is anything here that a page could be shown on. Without it a text browser might take over the terminal.
pub fn has_display() -> bool {
    const SIGNS: [&str; 4] = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "BROWSER"];
    let is_set = |name: &&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || SIGNS.iter().any(is_set)
}

fn seconds(text: &str) -> Result<Duration, Failure> {
    text.trim().parse::<u32>().map(|seconds| Duration::from_secs(seconds.into())).map_err(|error| {
        Failure::new(Code::InvalidInput, format!("{WAIT_DEADLINE} is no number of seconds: {error}"))
            .suggest(format!("Set {WAIT_DEADLINE} to a whole number such as 300, or give --timeout"))
    })
}

/// A variable that is set to nothing counts as not set.
fn variable(name: &str) -> Result<Option<String>, Failure> {
    match env::var(name) {
        Ok(value) if value.is_empty() => Ok(None),
        Ok(value) => Ok(Some(value)),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => {
            Err(Failure::new(Code::InvalidInput, format!("{name} is not UTF-8")).suggest(format!("Set {name} anew")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_appended_to_the_address_without_a_double_slash() {
        for (given, base) in [
            ("http://127.0.0.1:3456", "http://127.0.0.1:3456"),
            ("http://127.0.0.1:3456/", "http://127.0.0.1:3456"),
            ("https://debates.example/team/a/", "https://debates.example/team/a"),
        ] {
            assert_eq!(Address::parse(given).unwrap().base(), base);
        }
    }

    #[test]
    fn what_is_no_address_is_refused_without_repeating_it() {
        for wrong in ["", "127.0.0.1:3456", "ftp://a", "http://", "http://u:secret@a", "http://a?secret", "http://a:x"]
        {
            let failure = Address::parse(wrong).unwrap_err();
            assert_eq!(failure.code, "INVALID_INPUT", "{wrong}");
            assert!(failure.message.starts_with("DEBATE_SERVER_URL"), "{}", failure.message);
            assert!(!failure.message.contains("secret"), "{}", failure.message);
        }
    }

    #[test]
    fn this_machine_is_recognised_in_all_its_names() {
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
            assert_eq!(Address::parse(url).unwrap().is_loopback(), loopback, "{url}");
        }
    }

    #[test]
    fn the_token_never_shows() {
        assert!(!format!("{:?}", bearer(AUTH_TOKEN, "tell-nobody").unwrap()).contains("tell-nobody"));
        let failure = bearer(AUTH_TOKEN, "tell-nobody\n").unwrap_err();
        assert_eq!(failure.code, "INVALID_INPUT");
        assert!(!format!("{failure:?}").contains("tell-nobody"));
    }

    #[test]
    fn a_token_is_read_from_a_file_without_the_end_of_its_line() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("token");
        for (held, token) in [("tell-nobody", "tell-nobody"), ("tell-nobody\n", "tell-nobody"), ("a\r\n", "a")] {
            std::fs::write(&file, held).unwrap();
            assert_eq!(token_in(file.to_str().unwrap()).unwrap(), token);
        }
        std::fs::write(&file, "\n").unwrap();
        assert_eq!(token_in(file.to_str().unwrap()).unwrap_err().code, "INVALID_INPUT");
        let missing = token_in(folder.path().join("none").to_str().unwrap()).unwrap_err();
        assert_eq!(missing.code, "INVALID_INPUT");
    }

    #[test]
    fn a_deadline_is_a_whole_number_of_seconds() {
        assert_eq!(seconds("0").unwrap(), Duration::ZERO);
        assert_eq!(seconds(" 20 ").unwrap(), Duration::from_secs(20));
        for wrong in ["", "soon", "-1", "1.5", "99999999999"] {
            assert_eq!(seconds(wrong).unwrap_err().code, "INVALID_INPUT", "{wrong}");
        }
    }
}
