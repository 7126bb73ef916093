//! Reads the tokens from environment variables or files. There are no flags for them, since every user of the machine can
//! read command lines.

use std::{
    env,
    fs::File,
    io::{self, Read},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use super::SettingsError;
use crate::http::{Secret, Tokens};

const AUTH: &str = "DEBATE_AUTH_TOKEN";
const ARBITRATOR: &str = "DEBATE_ARBITRATOR_TOKEN";

/// The maximum size of a token file in bytes.
const MAX_FILE_BYTES: u64 = 4 * 1024;

/// Reads the tokens.
///
/// # Errors
/// If both are the same, if one is set twice or cannot be read, or if one cannot be sent in a header.
pub fn tokens() -> Result<Tokens, SettingsError> {
    let auth = token(AUTH, "DEBATE_AUTH_TOKEN_FILE")?;
    let arbitrator = token(ARBITRATOR, "DEBATE_ARBITRATOR_TOKEN_FILE")?;
    if auth.is_some() && auth == arbitrator {
        return Err(SettingsError::SameToken);
    }
    let secret = |token: Option<String>| token.as_deref().map(Secret::new);
    Ok(Tokens::new(secret(auth), secret(arbitrator)))
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
            let token = read(&path).map_err(|error| invalid(format!("cannot be read: {error}")))?;
            if token.is_empty() {
                return Err(invalid("is empty".to_owned()));
            }
            token
        }
    };
    if token.bytes().all(|byte| byte.is_ascii_graphic()) { Ok(Some(token)) } else { Err(SettingsError::Token(name)) }
}

/// The content of the file without the line end.
fn read(path: &Path) -> io::Result<String> {
    let file = File::open(path)?;
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        tracing::warn!(path = %path.display(), "other users can read this token file: run chmod 600 on it");
    }
    let mut text = String::new();
    file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err(io::Error::other(format!("it has more than {MAX_FILE_BYTES} bytes")));
    }
    let line = text.strip_suffix('\n').unwrap_or(&text);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}
