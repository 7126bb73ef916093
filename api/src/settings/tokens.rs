//! Reads the tokens from environment variables or files. There are no flags for them, since every user of the machine can
//! read command lines.

use std::{env, net::IpAddr, path::PathBuf};

use super::{Settings, SettingsError};
use crate::{
    http::{Secret, Tokens},
    plain_file,
};

const AUTH: &str = "DEBATE_AUTH_TOKEN";
const ARBITRATOR: &str = "DEBATE_ARBITRATOR_TOKEN";

/// The maximum size of a token file in bytes.
const MAX_FILE_BYTES: u64 = 4 * 1024;

/// The fewest characters of a token where other machines can reach the server, and try one token after another.
const MIN_CHARACTERS: usize = 16;

impl Settings {
    /// The tokens of a server that listens on this address.
    ///
    /// # Errors
    /// If both are the same, if one is set twice, cannot be read or cannot be sent in a header, or if other machines can reach
    /// the address and there is no token, or a short one.
    pub fn tokens(&self, address: IpAddr) -> Result<Tokens, SettingsError> {
        let auth = token(AUTH, "DEBATE_AUTH_TOKEN_FILE")?;
        let arbitrator = token(ARBITRATOR, "DEBATE_ARBITRATOR_TOKEN_FILE")?;
        if auth.is_some() && auth == arbitrator {
            return Err(SettingsError::SameToken);
        }
        if !address.is_loopback() {
            // The arbitrator's token alone does not protect the other operations.
            if auth.is_none() {
                return Err(SettingsError::OpenToOthers(self.host.clone()));
            }
            for (name, token) in [(AUTH, &auth), (ARBITRATOR, &arbitrator)] {
                if token.as_ref().is_some_and(|token| token.len() < MIN_CHARACTERS) {
                    return Err(SettingsError::ShortToken { name, host: self.host.clone(), required: MIN_CHARACTERS });
                }
            }
        }
        let secret = |token: Option<String>| token.as_deref().map(Secret::new);
        Ok(Tokens::new(secret(auth), secret(arbitrator)))
    }
}

/// A secret text from the variable `name`, or from the file that the variable `file` names.
pub(super) fn token(name: &'static str, file: &str) -> Result<Option<String>, SettingsError> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let token = match (set(name), set(file).map(PathBuf::from)) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => return Err(SettingsError::TokenTwice { name }),
        (Some(value), None) => value.into_string().map_err(|_| SettingsError::Token(name))?,
        (None, Some(path)) => {
            let invalid = |reason: String| SettingsError::TokenFile { name, path: path.display().to_string(), reason };
            let text = plain_file::read_secret("token file", &path, MAX_FILE_BYTES);
            let text = text.map_err(|error| invalid(format!("cannot be read: {error}")))?;
            // Some editors begin a file with a byte order mark.
            let line = text.trim_start_matches('\u{feff}');
            let line = line.strip_suffix('\n').unwrap_or(line);
            let token = line.strip_suffix('\r').unwrap_or(line).to_owned();
            if token.is_empty() {
                return Err(invalid("is empty".to_owned()));
            }
            token
        }
    };
    if token.bytes().all(|byte| byte.is_ascii_graphic()) { Ok(Some(token)) } else { Err(SettingsError::Token(name)) }
}
